"""Amounts of privacy as a release reports them: what was spent is rounded up, and what is left is rounded down."""

import json
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from tacit.accounted_loss import AccountedLoss
from tacit.accounting.budget import Budget
from tacit.accounting.events import Composed, Event, to_json
from tacit.accounting.exact import rounded_down, rounded_up
from tacit.accounting.price import price
from tacit.accounting.promise import promised
from tacit.ledger.chain import Receipt
from tacit.promise import Proven
from tacit.release.answers import Amount
from tacit.release.release import Charge, Expense
from tacit.runs.answers.protection import Protection


def spent_amount(found: Budget) -> Amount:
    """What was spent, rounded up."""
    return Amount(epsilon=rounded_up(found.epsilon), delta=rounded_up(found.delta))


def kept_amount(found: Budget) -> Amount:
    """What is left, or was there, rounded down."""
    return Amount(epsilon=rounded_down(found.epsilon), delta=rounded_down(found.delta))


def spent_on(loss: AccountedLoss | Proven, receipts: Sequence[Receipt]) -> Expense:
    """What a release cost, with the charges that the ledger holds for it."""
    charges = tuple(Charge(number=receipt.number, hash=receipt.hash) for receipt in receipts)
    return Expense(epsilon=loss.epsilon, delta=loss.delta, events=loss.events, charges=charges)


def accounted_loss(events: Sequence[Event], who: Protection, delta: Fraction | float) -> AccountedLoss:
    """What these events cost together: at the delta of the events, or at this delta if they have no epsilon."""
    cost = price(Composed(tuple(events)))
    claim = promised(events, delta if cost.epsilon is None else cost.delta)
    told = tuple(json.loads(to_json(event)) for event in events)
    return replace(claim, neighbours=who.neighbours, unit=who.unit, contributions=who.rows, events=told)
