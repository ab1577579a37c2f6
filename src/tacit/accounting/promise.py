"""What answers promise together: their privacy events, accounted, as a promise of differential privacy in words."""

from collections.abc import Iterable
from typing import Literal

from tacit.accounting.account import account
from tacit.accounting.events import Event
from tacit.accounting.exact import Number
from tacit.guarantees.differential_privacy import DifferentialPrivacy


def promised(
    events: Event | Iterable[Event], delta: Number = 0, neighbours: Literal["add-remove", "replace"] = "add-remove"
) -> DifferentialPrivacy:
    """The tightest promise that the events keep at `delta`, for the neighbours that they were made for."""
    spent = account(events, delta)
    return DifferentialPrivacy(epsilon=spent.epsilon, delta=spent.delta, neighbours=neighbours)
