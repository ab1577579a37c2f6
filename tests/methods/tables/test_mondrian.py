"""Mondrian keeps every promise on random tables, by the word of a judge that shares no code with it.

Covers _partition/costs, _partition/cuts, _partition/division, _partition/nodes, _partition/placing, _partition/sets.
"""

from dataclasses import replace
from functools import partial
from typing import Any, Literal

import numpy as np
import pytest
from tests.methods.tables.recoded import (
    GUARANTEES,
    QUASI,
    Case,
    published_rows,
    random_case,
    require_good,
    table_of,
)

from tacit.data.tables.table import Table
from tacit.errors import BadParameter, CannotGuarantee
from tacit.guarantees.catalogue import parse_table_guarantee
from tacit.methods.tables._partition import recoding as _partition_recoding
from tacit.methods.tables.mondrian import METHOD, Mondrian
from tacit.request import TableDecision, TableRequest, share_done

TABLES = 25
Labels = Literal["nodes", "sets"]
LABELS: tuple[Labels, ...] = ("nodes", "sets")


def run(table: Table, request: TableRequest, **params: Any) -> TableDecision:
    answer: TableDecision = METHOD.run(table, request, Mondrian(**params))
    return answer


def test_what_it_tries_is_told_as_one() -> None:
    """With and without dropping rows: the share that is done never falls."""
    case = random_case(np.random.default_rng(4), GUARANTEES["k3"])
    case = replace(case, rows=case.rows * 4, limit=0.5)
    told: list[float] = []
    request = TableRequest(
        tuple(map(parse_table_guarantee, case.guarantees)), 0.5, progress=lambda words: told.append(share_done(words))
    )
    run(table_of(case), request)
    assert len(told) > 2
    assert told == sorted(told)
    assert 0.5 in told
    assert told[-1] == 1


@pytest.mark.slow
@pytest.mark.parametrize("labels", LABELS)
def test_relaxed_splits_combinations_and_keeps_k(labels: Labels) -> None:
    generator = np.random.default_rng(4)
    split = 0
    for _ in range(3 * TABLES):
        case = random_case(generator, GUARANTEES["k3"])
        case = Case(case.rows * 2 + case.rows[:1] * 9, case.paths, case.guarantees, case.limit, case.weights)
        answer = require_good(case, partial(run, labels=labels, mode="relaxed"))
        split += answer is not None and np.unique(answer.recoding.combination).size < answer.recoding.combination.size
    assert split > 0


@pytest.mark.slow
@pytest.mark.parametrize("labels", LABELS)
def test_levels_stay_within_their_limits(labels: Labels) -> None:
    generator = np.random.default_rng(5)
    answered = 0
    for _ in range(TABLES):
        case = random_case(generator, GUARANTEES["k"])
        table = table_of(case)
        least = tuple(int(generator.integers(0, high + 1)) for high in table.most)
        most = tuple(int(generator.integers(low, high + 1)) for low, high in zip(least, table.most, strict=True))
        try:
            answer = run(Table(table.tally, table.hierarchies, table.weights, least, most), case.request, labels=labels)
        except CannotGuarantee:
            continue
        answered += 1
        for row, found in published_rows(case, table, answer.recoding):
            for c, name in enumerate(QUASI if found is not None else ()):
                assert found is not None
                under = [_leaves(case, name, row[name], level) for level in (least[c], most[c])]
                assert under[0] <= found[c].leaves <= under[1]
    assert answered > 0


def _leaves(case: Case, name: str, leaf: str, level: int) -> frozenset[str]:
    return frozenset(other for other, path in case.paths[name].items() if path[level] == case.paths[name][leaf][level])


def test_sets_are_written_as_intervals_and_lists() -> None:
    rows = [{"age": age, "zip": zip_, "job": "j", "disease": "flu"} for age, zip_ in [("9", "a"), ("10", "b")]]
    paths = {
        "age": {age: [age, "*"] for age in ("9", "10", "11")},
        "zip": {zip_: [zip_, "*"] for zip_ in ("a", "b", "c")},
        "job": {"j": ["j", "*"]},
    }
    case = Case(rows, paths, GUARANTEES["k"], 0.0, dict.fromkeys(QUASI, 1.0))
    answer = require_good(case, partial(run, labels="sets"))
    assert answer is not None
    assert answer.recoding.labels == (("[9, 10]",), ("{a, b}",), ("j",))


def test_a_missing_value_has_a_name_in_a_set() -> None:
    rows = [{"age": "1", "zip": zip_, "job": "j", "disease": "flu"} for zip_ in ("", "b")]
    paths = {"age": {"1": ["1", "*"]}, "zip": {z: [z, "*"] for z in ("", "b", "c")}, "job": {"j": ["j", "*"]}}
    case = Case(rows, paths, GUARANTEES["k"], 0.0, dict.fromkeys(QUASI, 1.0))
    answer = require_good(case, partial(run, labels="sets"))
    assert answer is not None
    assert answer.recoding.labels[1] == ("{missing, b}",)


@pytest.mark.parametrize(
    ("entry", "unit", "message"),
    [
        ({"l-diversity": {"l": 2, "kind": "distinct"}}, False, "only numbers of people, not l-diversity"),
        ({"k-anonymity": {"k": 2}}, True, "can't count people who have several rows"),
    ],
)
def test_relaxed_refuses_what_it_can_not_count(entry: dict[str, Any], unit: bool, message: str) -> None:
    case = random_case(np.random.default_rng(6), [entry], unit=unit)
    with pytest.raises(BadParameter, match=message):
        run(table_of(case), case.request, mode="relaxed")


def test_an_impossible_guarantee_names_what_can_be_reached() -> None:
    case = random_case(np.random.default_rng(7), GUARANTEES["k"])
    request = TableRequest((parse_table_guarantee({"k-anonymity": {"k": 50}}),), 1.0)
    with pytest.raises(CannotGuarantee, match=f"reaches {len(case.rows)}"):
        run(table_of(case), request)


@pytest.mark.slow
@pytest.mark.parametrize("objective", ["distortion", "precision", "non-uniform-entropy", "discernibility"])
@pytest.mark.parametrize("labels", LABELS)
def test_other_objectives_keep_the_promise(objective: Any, labels: Labels) -> None:
    generator = np.random.default_rng(8)
    answered = 0
    for _ in range(10):
        case = random_case(generator, GUARANTEES["k3"])
        table = table_of(case)
        try:
            answer = run(table, TableRequest(case.request.guarantees, case.limit, objective), labels=labels)
        except CannotGuarantee:
            continue
        answered += 1
        sizes: dict[tuple[str, ...], int] = {}
        for _, found in published_rows(case, table, answer.recoding):
            if found is not None:
                key = tuple(label.text for label in found)
                sizes[key] = sizes.get(key, 0) + 1
        assert min(sizes.values()) >= 3
    assert answered > 0


def test_sets_that_list_too_many_values_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    case = random_case(np.random.default_rng(9), GUARANTEES["k"])
    monkeypatch.setattr(_partition_recoding, "MOST_LISTED", 0)
    with pytest.raises(BadParameter, match="more than 0; take labels: nodes"):
        run(table_of(case), case.request, labels="sets")
