"""The price of an event: the least that covers all its cases, in currencies that add up exactly (`case_price`)."""

from tacit.accounting.case_price import Price as Price
from tacit.accounting.case_price import price_of_case
from tacit.accounting.cases import cases
from tacit.accounting.events import Event


def price(event: Event) -> Price:
    """The least price that covers every case of the event."""
    prices = [price_of_case(case) for case in cases(event)]
    epsilons = [part.epsilon for part in prices if part.epsilon is not None]
    return Price(
        max(epsilons) if len(epsilons) == len(prices) else None,
        max(part.delta for part in prices),
        max(part.rho for part in prices),
    )
