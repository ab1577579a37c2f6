"""Amounts of privacy as a release tells them: what was spent never less than it was, what is left never more."""

import json
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from tacit.accounting.budget import Budget
from tacit.accounting.events import Composed, Event, to_json
from tacit.accounting.exact import rounded_down, rounded_up
from tacit.accounting.price import price
from tacit.accounting.promise import promised
from tacit.promise import AccountedLoss
from tacit.release.answers import Amount
from tacit.runs.answers.protection import Protection


def spent_amount(found: Budget) -> Amount:
    """What was spent, never less than it was."""
    return Amount(epsilon=rounded_up(found.epsilon), delta=rounded_up(found.delta))


def kept_amount(found: Budget) -> Amount:
    """What is left, or was there, never more than it is."""
    return Amount(epsilon=rounded_down(found.epsilon), delta=rounded_down(found.delta))


def accounted_loss(events: Sequence[Event], who: Protection, delta: Fraction | float) -> AccountedLoss:
    """What these events cost together: at the delta of the events, or at this one where they have no epsilon."""
    cost = price(Composed(tuple(events)))
    claim = promised(events, delta if cost.epsilon is None else cost.delta)
    told = tuple(json.loads(to_json(event)) for event in events)
    return replace(claim, neighbours=who.neighbours, unit=who.unit, contributions=who.rows, events=told)
