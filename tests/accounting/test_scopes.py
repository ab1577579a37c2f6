"""Promises about unlike people do not add up; what has no scope goes with anything.

Covers accounting/account, accounting/budget, accounting/events, accounting/filters, accounting/scope,
accounting/scoping.
"""

from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from tacit.accounting.account import account, smallest_delta
from tacit.accounting.budget import Budget, budget
from tacit.accounting.events import (
    BestOf,
    Composed,
    Event,
    FixedSampled,
    Group,
    Laplace,
    Parallel,
    PoissonSampled,
    Pure,
    Repeated,
    Scoped,
    as_replace,
    from_json,
    in_scope,
    to_json,
)
from tacit.accounting.filters import SumFilter, rho_filter, sum_filter
from tacit.accounting.odometer import odometer
from tacit.accounting.promise import promised
from tacit.accounting.runs import Poisson
from tacit.accounting.scope import Scope
from tacit.accounting.scoping import scope_of, unscoped
from tacit.errors import BadParameter
from tacit.methods.statistics.histogram import METHOD as HISTOGRAM
from tacit.methods.statistics.mean import METHOD as MEAN

ONE = Scoped(Pure(1))
REPLACED = Scoped(Pure(1), "replace")
SEVEN = Scoped(Pure(1), "add-remove", 7)
ANY = Scoped(Pure(1), "add-remove", None)
PATIENTS, VISITS = (Scoped(Pure(1), "add-remove", 7, unit) for unit in ("patient", "visit"))
CAP = budget(10, 1e-5)
UNLIKE = [(ONE, REPLACED), (ONE, SEVEN), (PATIENTS, VISITS), (Composed((ONE, Pure(1))), Repeated(REPLACED, 2))]
ADD_UP: dict[str, Callable[[Event, Event], object]] = {
    "account": lambda first, second: account([first, second]),
    "account at delta": lambda first, second: account([first, second], 1e-5),
    "smallest delta": lambda first, second: smallest_delta([first, second], 1),
    "promised": lambda first, second: promised([first, second]),
    "composed": lambda first, second: account(Composed((first, second))),
    "sum filter": lambda first, second: sum_filter(CAP).admit(first).admit(second),
    "rho filter": lambda first, second: rho_filter(CAP).admit(first).admit(second),
    "odometer": lambda first, second: odometer(1e-5).drive(first).drive(second),
    "blocks": lambda first, second: account(Parallel((first, second))),
}


@pytest.mark.parametrize(("first", "second"), UNLIKE)
@pytest.mark.parametrize("add_up", ADD_UP.values(), ids=ADD_UP)
def test_unlike_promises_are_refused_in_either_order(add_up: Any, first: Event, second: Event) -> None:
    for pair in ((first, second), (second, first)):
        with pytest.raises(BadParameter, match="stated for"):
            add_up(*pair)


@pytest.mark.parametrize(("first", "second"), [(ONE, ONE), (SEVEN, ANY), (PATIENTS, SEVEN), (SEVEN, Pure(1))])
@pytest.mark.parametrize("add_up", ADD_UP.values(), ids=ADD_UP)
def test_like_ones_add_up(add_up: Any, first: Event, second: Event) -> None:
    assert add_up(first, second) is not None


def test_a_scope_changes_no_number() -> None:
    assert account([ONE, ONE, Pure(1)]).epsilon == 3
    assert account(Parallel((ONE, Scoped(Pure(2))))).epsilon == 2
    assert unscoped(Composed((ONE, Repeated(ONE, 2)))) == Composed((Pure(1), Repeated(Pure(1), 2)))
    found = account([Scoped(Laplace(2))] * 9, 1e-6)
    assert found == account([Laplace(2)] * 9, 1e-6)
    assert sum_filter(CAP).admit(ONE).left == sum_filter(CAP).admit(Pure(1)).left


def test_the_case_of_a_mean_and_a_histogram() -> None:
    """2.0 would be true under neither relation: under `replace` the histogram costs 2."""
    mean = MEAN.spends(MEAN.example.model_copy(update={"epsilon": 1.0, "neighbours": "replace"}))
    cells = HISTOGRAM.spends(HISTOGRAM.example.model_copy(update={"epsilon": 1.0}))
    with pytest.raises(BadParameter, match="'replace', another for 'add-remove'"):
        account([mean, cells])
    assert account([mean, as_replace(cells)]).epsilon == 3


def test_scopes_of_combinations() -> None:
    assert scope_of(Composed((Pure(1), SEVEN, ANY))) == Scope("add-remove", 7)
    assert scope_of(Composed((PATIENTS, SEVEN))) == Scope("add-remove", 7, "patient")
    assert scope_of(Group(ONE, 7)) == Scope("add-remove", 7)
    assert scope_of(Group(ANY, 7)) == ANY.scope
    assert scope_of(Parallel((ONE, ONE), "replace")) == Scope("replace", 1)
    assert scope_of(BestOf(SEVEN, Poisson(2))) == SEVEN.scope
    assert scope_of(PoissonSampled(ONE, 0.1)) == ONE.scope
    assert scope_of(as_replace(ONE)) == REPLACED.scope
    assert scope_of(Composed(())) is None
    assert account([Group(ONE, 7), SEVEN]).epsilon == 8


@pytest.mark.parametrize("wrong", [Parallel((REPLACED,)), PoissonSampled(REPLACED, 0.5), FixedSampled(ONE, 1, 2)])
def test_combinations_that_are_stated_for_the_other_relation_are_refused(wrong: Event) -> None:
    with pytest.raises(BadParameter, match="stated for"):
        account(wrong)


def test_what_no_scope_can_be_is_refused() -> None:
    with pytest.raises(BadParameter, match="neighbours"):
        Scoped(Pure(1), "nobody")  # type: ignore[arg-type]
    with pytest.raises(BadParameter, match="contributions"):
        Scoped(Pure(1), "add-remove", 0)
    with pytest.raises(BadParameter, match="event"):
        Scoped(1)  # type: ignore[arg-type]
    with pytest.raises(BadParameter, match="already"):
        as_replace(REPLACED)


def test_a_scope_is_stated_once() -> None:
    assert in_scope(in_scope(Pure(1), ONE.scope), ONE.scope) == ONE
    with pytest.raises(BadParameter, match="stated for"):
        account(in_scope(ONE, REPLACED.scope))


@pytest.mark.parametrize("event", [ONE, REPLACED, ANY, PATIENTS, Composed((SEVEN, Repeated(SEVEN, 3)))])
def test_json_keeps_scopes(event: Event) -> None:
    assert from_json(to_json(event)) == event


def test_a_promise_is_about_the_neighbours_of_its_events() -> None:
    assert promised(REPLACED).neighbours == "replace"
    assert promised(Pure(1), 0, "replace").neighbours == "replace"
    for events, named in ((REPLACED, "add-remove"), (Pure(1), None)):
        with pytest.raises(BadParameter, match="neighbours"):
            promised(events, 0, named)  # type: ignore[arg-type]


def test_a_set_of_events_is_refused_since_equal_ones_would_count_once() -> None:
    assert account([Pure(1), Pure(1)]).epsilon == 2
    for events in ({Pure(1), Pure(1)}, frozenset({Pure(1)}), {Pure(1): "a"}.keys()):
        for add_up in (account, promised, lambda found: smallest_delta(found, 1)):
            with pytest.raises(BadParameter, match="set"):
                add_up(events)


@pytest.mark.parametrize(
    "text",
    [
        '{"kind": "pure", "epsilon": 1, "delta": 0}',
        '{"kind": "pure", "epsilon": true}',
        '{"kind": "repeated", "event": {"kind": "pure", "epsilon": 1}, "times": true}',
        '{"kind": "composed", "events": [{"kind": "pure", "epsilon": 1, "more": 2}]}',
        '{"kind": "scoped", "event": {"kind": "pure", "epsilon": 1}, "who": "me"}',
    ],
)
def test_json_with_unknown_fields_or_truth_values_is_refused(text: str) -> None:
    with pytest.raises(BadParameter, match="not a privacy event"):
        from_json(text)


@pytest.mark.parametrize(
    "wrong", [1e308, 10**400, Fraction(10) ** 151, np.array(1.0), np.array(1), np.float32(1), Decimal(1), True, "1"]
)
def test_numbers_that_can_not_be_accounted_for_are_refused_where_they_are_given(wrong: Any) -> None:
    with pytest.raises(BadParameter, match="epsilon"):
        Pure(wrong)


@pytest.mark.parametrize("fine", [1e149, 10**20, np.int64(3), np.float64(0.5), Fraction(1, 3)])
@pytest.mark.parametrize("delta", [0, 1e-5])
def test_numbers_of_other_types_give_clean_results(fine: Any, delta: float) -> None:
    assert 0 < account(Pure(fine), delta).epsilon <= float(fine) * (1 + 1e-9)


@pytest.mark.parametrize("wrong", [float("nan"), float("inf"), -1, True, "much"])
def test_a_budget_that_is_none_can_not_be_made(wrong: Any) -> None:
    for make in (lambda: SumFilter(Budget(wrong)), lambda: SumFilter(Budget(Fraction(1), wrong))):
        with pytest.raises(BadParameter, match=r"epsilon|delta"):
            make()
