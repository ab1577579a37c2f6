"""What is no event is refused wherever an event is taken: it would be counted as free.

Covers accounting/events, price, accounting/promise, accounting/runs, calibration.
"""

import copy
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from tacit.accounting.account import account, smallest_delta
from tacit.accounting.budget import budget
from tacit.accounting.calibration import calibrate
from tacit.accounting.cases import cases, scaled
from tacit.accounting.events import (
    NOTHING,
    BestOf,
    Composed,
    FixedSampled,
    Group,
    Parallel,
    PoissonSampled,
    Pure,
    Repeated,
    as_replace,
    to_json,
)
from tacit.accounting.filters import rho_filter, sum_filter
from tacit.accounting.odometer import odometer
from tacit.accounting.price import price
from tacit.accounting.promise import promised
from tacit.accounting.runs import Poisson
from tacit.errors import BadParameter
from tacit.methods.statistics.mean import METHOD as MEAN
from tacit.randomness.stream import RandomBits

ONE = Pure(1)


@dataclass(frozen=True)
class Answer:
    """Something like an answer: its event is inside."""

    event: Pure = ONE


CAP = budget(10, 1e-5)
NO_EVENTS: tuple[Any, ...] = (Answer(), None, "x", "", b"", 1, 0.5, Pure, {}, {"event": Pure(1)}, np.ones(2), ...)
ONE_EVENT: dict[str, Callable[[Any], object]] = {
    "price": price,
    "cases": cases,
    "sum filter": sum_filter(CAP).admit,
    "sum filter asked": sum_filter(CAP).may_admit,
    "rho filter": rho_filter(CAP).admit,
    "rho filter asked": rho_filter(CAP).may_admit,
    "odometer": odometer(1e-5).drive,
    "replace": as_replace,
    "json": to_json,
    "composed": lambda found: Composed((Pure(1), found)),
    "repeated": lambda found: Repeated(found, 5),
    "never repeated": lambda found: Repeated(found, 0),
    "parallel": lambda found: Parallel((Pure(1), found)),
    "group": lambda found: Group(found, 2),
    "poisson sample": lambda found: PoissonSampled(found, 0.5),
    "fixed sample": lambda found: FixedSampled(found, 1, 2),
    "best of": lambda found: BestOf(found, Poisson(3)),
}
MANY_EVENTS: dict[str, Callable[[Any], object]] = {
    "account": account,
    "account at delta": lambda found: account(found, 1e-5),
    "smallest delta": lambda found: smallest_delta(found, 1),
    "promised": promised,
    "calibrate": lambda found: calibrate(lambda _: found, 1),
}


@pytest.mark.parametrize("wrong", NO_EVENTS, ids=repr)
@pytest.mark.parametrize("take", [*ONE_EVENT.values(), *MANY_EVENTS.values()], ids=[*ONE_EVENT, *MANY_EVENTS])
def test_what_is_no_event_is_never_free(take: Callable[[Any], object], wrong: object) -> None:
    with pytest.raises(BadParameter, match="event"):
        take(wrong)


@pytest.mark.parametrize("wrong", [[Answer(), Answer()], [Pure(1), 1], [[Pure(1)]], (Pure,), ["x"]], ids=repr)
@pytest.mark.parametrize("take", MANY_EVENTS.values(), ids=MANY_EVENTS)
def test_one_among_many_is_found(take: Callable[[Any], object], wrong: object) -> None:
    with pytest.raises(BadParameter, match="event"):
        take(wrong)


@pytest.mark.parametrize("take", ONE_EVENT.values(), ids=ONE_EVENT)
def test_where_one_event_is_taken_a_list_is_refused(take: Callable[[Any], object]) -> None:
    with pytest.raises(BadParameter, match="Composed"):
        take([Pure(1), Pure(1)])


def test_the_refusal_says_where_an_answers_event_is() -> None:
    answer = MEAN.run(np.arange(20.0), MEAN.example, RandomBits.from_seed(1))
    with pytest.raises(BadParameter, match=r"MeanAnswer is an answer.* in its \.event"):
        account([answer, answer])
    assert account([answer.event, answer.event]).epsilon == 1


def test_an_event_that_was_tampered_with_is_refused_too() -> None:
    """Copies and pickles are not made by the constructor."""
    hollow = copy.copy(Group(Pure(1), 2))
    object.__setattr__(hollow, "event", None)
    with pytest.raises(BadParameter, match="not a privacy event"):
        account(hollow)
    with pytest.raises(BadParameter, match="leaves"):
        scaled(NOTHING, 1)  # type: ignore[arg-type]


def test_events_in_lists_tuples_and_streams_are_all_counted() -> None:
    pair = [Pure(1), Pure(2)]
    for events in (pair, tuple(pair), iter(pair), Composed(pair), [Composed(tuple(pair))]):  # type: ignore[arg-type]
        assert account(events).epsilon == 3
    assert Composed(pair) == Composed(tuple(pair))  # type: ignore[arg-type]
    assert hash(Parallel(pair)) == hash(Parallel(tuple(pair)))  # type: ignore[arg-type]
    assert account([]).epsilon == 0


@pytest.mark.parametrize("make", [Composed, Parallel])
def test_what_is_no_list_of_events_is_refused(make: Callable[[Any], object]) -> None:
    for wrong in (Pure(1), None, "x"):
        with pytest.raises(BadParameter, match="tuple of privacy events"):
            make(wrong)


def test_a_number_of_runs_must_be_a_law() -> None:
    with pytest.raises(BadParameter, match="runs"):
        BestOf(Pure(1), 3)  # type: ignore[arg-type]
