"""Sensitivities of questions about baskets (W18): how often an item was bought, by what neighbours differ in.

By an item, a count moves by 1; by a transaction, by the most that one holds; by a customer, by that times the
transactions that a customer may have. Both limits are declared and enforced by bounding contributions.
"""

from fractions import Fraction
from typing import Literal

from tacit.accounting.exact import whole
from tacit.errors import BadParameter
from tacit.sensitivity.sensitivity import Sensitivity, scalar

BasketLevel = Literal["item", "transaction", "customer"]


def items_bought(level: BasketLevel, most_items: int = 1, most_transactions: int = 1) -> Sensitivity:
    """The number of sold pieces of one kind, with at most so many in a transaction and transactions of a customer."""
    in_basket = whole("most_items", most_items)
    baskets = whole("most_transactions", most_transactions)
    if level == "item":
        return scalar("items bought", Fraction(1), "one piece more or less")
    if level == "transaction":
        return scalar("items bought", Fraction(in_basket), f"a transaction holds at most {in_basket}")
    if level == "customer":
        why = f"a customer has at most {baskets} transactions of at most {in_basket}"
        return scalar("items bought", Fraction(in_basket * baskets), why)
    raise BadParameter(f"level is {level!r}; it must be 'item', 'transaction' or 'customer'")


def baskets_with(level: BasketLevel, most_transactions: int = 1) -> Sensitivity:
    """The number of transactions that hold some set of items: 1, or the transactions of a customer."""
    baskets = whole("most_transactions", most_transactions)
    if level in ("item", "transaction"):
        return scalar("baskets", Fraction(1), "one transaction holds the set or not")
    if level == "customer":
        return scalar("baskets", Fraction(baskets), f"a customer has at most {baskets} transactions")
    raise BadParameter(f"level is {level!r}; it must be 'item', 'transaction' or 'customer'")
