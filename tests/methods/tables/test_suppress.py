"""Cell suppression keeps every promise, publishes values as they are or not at all, and comes near the optimum."""

from dataclasses import replace
from functools import cache

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tacit
from methods.tables.recoded import (
    GUARANTEES,
    POPULATION,
    QUASI,
    Case,
    published_rows,
    random_case,
    require_good,
    table_of,
    with_population,
)
from tacit.data.table import Table
from tacit.errors import BadParameter, CannotGuarantee
from tacit.methods.tables._partition import ground_of
from tacit.methods.tables._suppress.greedy import dealt
from tacit.methods.tables._suppress.problem import CHAINS, MOST_PATTERNS, patterns_of
from tacit.methods.tables.suppress import METHOD, Suppress, flattened, problem_of
from tacit.request import Answer, Request

TABLES = 8
BRIEF = Suppress(rounds=2)


def run(table: Table, request: Request) -> Answer:
    answer: Answer = METHOD.run(table, request, BRIEF)
    return answer


@pytest.mark.parametrize("name", GUARANTEES)
def test_keeps_every_guarantee(name: str) -> None:
    generator = np.random.default_rng([1, len(name), ord(name[0])])
    for _ in range(TABLES):
        require_good(random_case(generator, GUARANTEES[name]), run)


@pytest.mark.parametrize("name", ["k", "distinct", "entropy", "t", "delta"])
def test_counts_people_where_they_have_several_rows(name: str) -> None:
    generator = np.random.default_rng([2, len(name)])
    for _ in range(TABLES):
        require_good(random_case(generator, GUARANTEES[name], unit=True), run)


def test_every_cell_is_the_value_or_the_root() -> None:
    generator = np.random.default_rng(3)
    for name in ("k", "distinct", "t"):
        for _ in range(TABLES):
            case = random_case(generator, GUARANTEES[name])
            table = table_of(case)
            try:
                rows = published_rows(case, table, run(table, case.request).recoding)
            except CannotGuarantee:
                continue
            for row, labels in rows:
                for c, column in enumerate(QUASI):
                    assert labels is None or labels[c].text in (row[column], "*")


def optimum(case: Case, k: int, barred: bool) -> float:
    """The least weighted number of suppressed cells over all partitions into classes of at least k rows.

    A class suppresses the columns in which its rows differ. Where no sensitive column tells them from suppressed rows,
    rows without any column are barred, unless all are.
    """
    rows = [tuple(row[name] for name in QUASI) for row in case.rows]
    everybody = (1 << len(rows)) - 1

    @cache
    def price(members: int) -> float:
        inside = [row for i, row in enumerate(rows) if members >> i & 1]
        differ = [len({row[c] for row in inside}) > 1 for c in range(len(QUASI))]
        if len(inside) < k or (barred and all(differ) and members != everybody):
            return float("inf")
        return sum(case.weights[name] * len(inside) for name, differs in zip(QUASI, differ, strict=True) if differs)

    @cache
    def cheapest(left: int) -> float:
        best = price(left) if left else 0.0
        others = left & (left - 1)
        some = others
        while some:
            some = (some - 1) & others
            members = left & -left | some
            if price(members) < best:
                best = min(best, price(members) + cheapest(left & ~members))
        return best

    return cheapest(everybody)


@pytest.mark.parametrize("barred", [False, True])
def test_comes_near_the_optimum_of_all_partitions(barred: bool) -> None:
    generator = np.random.default_rng(4)
    least = found = 0.0
    for _ in range(25):
        case = random_case(generator, GUARANTEES["k"])
        case = replace(case, rows=case.rows[:8], limit=0.0)
        table = table_of(case)
        if barred:
            table = replace(table, tally=replace(table.tally, sensitive={}))
        answer = METHOD.run(table, case.request, Suppress())
        cells = answer.cost * sum(case.weights.values()) * len(case.rows)
        best = optimum(case, 2, barred)
        assert cells >= best - 1e-9
        least, found = least + best, found + cells
    # Measured when written: 0.3 % above the optimum, 0.9 % where rows without any column are barred.
    assert found <= least * (1.05 if barred else 1.02)


def frame_case(rows: list[tuple[str, str, str]]) -> Case:
    paths = {name: {row[c]: [row[c], "*"] for row in rows} for c, name in enumerate(QUASI)}
    cells = [dict(zip(QUASI, row, strict=True)) | {"disease": "flu"} for row in rows]
    return Case(cells, paths, GUARANTEES["k"], 0.0, dict.fromkeys(QUASI, 1.0))


def test_unimportant_columns_go_first() -> None:
    """Each pair differs in age and in job; k = 2 needs one of the two in every row, and importance says which."""
    case = frame_case([("1", "z", "a"), ("1", "z", "b"), ("2", "z", "a"), ("2", "z", "b")])
    for kept, gone in ((0, 2), (2, 0)):
        params = Suppress(importance={QUASI[kept]: 3.0, QUASI[gone]: 1.0})
        rows = published_rows(case, table_of(case), METHOD.run(table_of(case), case.request, params).recoding)
        assert all(labels is not None and labels[gone].text == "*" != labels[kept].text for _, labels in rows)


def test_a_frequent_combination_lends_rows() -> None:
    """Four alike and one that differs in job: a row is lent, so that two cells are suppressed, not five."""
    case = frame_case([("1", "z", "a")] * 4 + [("1", "z", "b")])
    answer = METHOD.run(table_of(case), case.request, Suppress())
    assert answer.cost == pytest.approx(2 / 15)


def test_a_column_that_may_not_rise_is_not_suppressed() -> None:
    case = frame_case([("1", "z", "a"), ("1", "z", "b"), ("2", "z", "a"), ("2", "z", "b")])
    table = replace(table_of(case), most=(0, 1, 1))
    rows = published_rows(case, table, METHOD.run(table, case.request, Suppress()).recoding)
    assert all(labels is not None and labels[0].text != "*" for _, labels in rows)
    with pytest.raises(CannotGuarantee):
        METHOD.run(replace(table, most=(0, 1, 0)), case.request, Suppress())


def test_more_rounds_never_cost_more() -> None:
    generator = np.random.default_rng(5)
    for _ in range(10):
        case = random_case(generator, GUARANTEES["k3"])
        case = replace(case, limit=0.0)
        costs = [METHOD.run(table_of(case), case.request, Suppress(rounds=rounds)).cost for rounds in (0, 3, 9)]
        assert sorted(costs, reverse=True) == pytest.approx(costs)


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 5)), min_size=1), st.lists(st.integers(0, 9), min_size=4))
def test_rows_are_lent_in_order_up_to_what_is_short(entries: list[tuple[int, int]], short: list[int]) -> None:
    owed = dict(enumerate(short))
    expected = []
    for group, spare in entries:
        expected.append(min(spare, owed[group]))
        owed[group] -= expected[-1]
    group, spare = (np.array(part, dtype=np.int64) for part in zip(*entries, strict=True))
    assert dealt(spare, group, np.array(short)).tolist() == expected


def test_of_many_columns_some_patterns_are_tried() -> None:
    frame = {f"c{i}": [str(i * 7 % 3), str(i % 2), "x"] for i in range(13)}
    people = tacit.read(pa.table(frame), dict.fromkeys(frame, "quasi-identifier"))
    made = tacit.protect(people, [tacit.KAnonymity(k=3)], method="tables/suppress", parameters={"rounds": 2})
    assert made.release.guarantees[0].measured == 3
    case = random_case(np.random.default_rng(6), GUARANTEES["k"])
    problem = problem_of(ground_of(flattened(table_of(case)), case.request.guarantees))
    columns = tuple(range(13))
    some = patterns_of(problem, columns, np.random.default_rng(0))
    assert MOST_PATTERNS < 1 << 13
    assert some.size <= 13 + 78 + 13 * CHAINS
    assert {1 << c for c in columns} <= set(some.tolist())


def test_what_can_not_be_is_refused_with_the_reason() -> None:
    generator = np.random.default_rng(7)
    case = random_case(generator, GUARANTEES["k"])
    table = table_of(case)
    for importance, reason in (
        ({"nobody": 1.0}, "quasi-identifiers are"),
        (dict.fromkeys(QUASI, 0.0), "0 for every column"),
    ):
        with pytest.raises(BadParameter, match=reason):
            METHOD.run(table, case.request, Suppress(importance=importance))
    with pytest.raises(BadParameter, match="importance"):
        Suppress.parse("tables/suppress", {"importance": {"age": -1.0}})
    within = with_population(generator, random_case(generator, POPULATION["map"]))
    with pytest.raises(BadParameter, match="population as k-map asks"):
        METHOD.run(table_of(within), within.request, Suppress())


def test_through_the_whole_run() -> None:
    """Two twins and one who differs from them in job: written, read back and described."""
    frame = pa.table({"age": ["1", "1", "1"], "job": ["a", "a", "b"], "ill": ["x", "y", "z"]})
    people = tacit.read(frame, {"age": "quasi-identifier", "job": "quasi-identifier", "ill": "sensitive"})
    made = tacit.protect(people, [tacit.KAnonymity(k=3)], method="tables/suppress")
    assert made.data.column("job").to_pylist() == ["*", "*", "*"]
    assert made.data.column("age").to_pylist() == ["1", "1", "1"]
    assert made.release.metrics["loss"] == 0.5
