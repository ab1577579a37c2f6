"""Cell suppression keeps every promise, publishes values as they are or not at all, and comes near the optimum."""

from collections import Counter
from dataclasses import replace
from functools import cache

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.methods.tables.recoded import (
    GUARANTEES,
    POPULATION,
    QUASI,
    Case,
    holds,
    published_rows,
    random_case,
    require_good,
    scene_of,
    table_of,
    with_population,
)

import tacit
from tacit.data.tables.table import Table
from tacit.errors import BadParameter, CannotGuarantee
from tacit.methods.tables._partition.partition import ground_of
from tacit.methods.tables._suppress.greedy import OrderNoise, choose_greedily, dealt
from tacit.methods.tables._suppress.leftover import joined
from tacit.methods.tables._suppress.problem import (
    CHAINS,
    IDLE,
    LEFT,
    MOST_PATTERNS,
    Portions,
    Problem,
    patterns_of,
)
from tacit.methods.tables._suppress.refine import refined
from tacit.methods.tables.suppress import METHOD, Suppress, flattened, problem_of
from tacit.request import TableDecision, TableRequest

TABLES = 8
BRIEF = Suppress(rounds=2)


def run(table: Table, request: TableRequest) -> TableDecision:
    answer: TableDecision = METHOD.run(table, request, BRIEF)
    return answer


def test_rows_of_one_person_are_not_taken_for_people() -> None:
    """The judge finds fault with classes of two rows where one person has both; the method makes none."""
    case = frame_case([("1", "z", "a"), ("1", "z", "a"), ("1", "z", "b"), ("1", "z", "c")])
    several = replace(
        case,
        rows=[{**row, "person": who} for row, who in zip(case.rows, ("p", "p", "q", "r"), strict=True)],
        unit="person",
    )
    answer = require_good(several, run)
    assert answer is not None
    # The pair p needs q or r beside it, so at least three rows lose job, and the last can't stand alone.
    assert answer.cost == pytest.approx(4 / 12)
    blind = published_rows(several, table_of(several), run(table_of(case), case.request).recoding)
    assert not holds(several, scene_of(several, blind))


POPULATED = ("map", "map and k")


@pytest.mark.slow
@pytest.mark.parametrize("unit", [False, True])
@pytest.mark.parametrize("name", POPULATED)
def test_keeps_its_promise_within_a_population(name: str, unit: bool) -> None:
    generator = np.random.default_rng([8, len(name), unit])
    cases = [with_population(generator, random_case(generator, POPULATION[name], unit=unit)) for _ in range(2 * TABLES)]
    answers = [require_good(case, run) for case in cases]
    assert any(answer is not None for answer in answers)


@pytest.mark.slow
def test_beside_a_population_other_promises_are_kept_too() -> None:
    generator = np.random.default_rng(9)
    for name in ("k", "distinct", "t"):
        cases = [with_population(generator, random_case(generator, GUARANTEES[name])) for _ in range(TABLES)]
        answers = [require_good(case, run) for case in cases]
        assert any(answer is not None for answer in answers)


def least_cells(case: Case, k: int) -> float:
    """The least weighted number of suppressed cells, over all patterns of all combinations, such that every class fits
    k people of the population who agree with it; everybody may be counted in several classes."""
    people = Counter(tuple(row[name] for name in QUASI) for row in case.population or [])
    everybody = range(1 << len(QUASI))

    def shown(row: tuple[str, ...], pattern: int) -> tuple[str, ...]:
        return tuple("*" if pattern >> c & 1 else value for c, value in enumerate(row))

    def fits(row: tuple[str, ...], pattern: int) -> int:
        return sum(number for other, number in people.items() if shown(other, pattern) == shown(row, pattern))

    def weight(pattern: int) -> float:
        return sum(case.weights[name] for c, name in enumerate(QUASI) if pattern >> c & 1)

    rows = [tuple(row[name] for name in QUASI) for row in case.rows]
    return sum(min(weight(p) for p in everybody if fits(row, p) >= k) for row in rows)


@pytest.mark.slow
def test_within_a_population_the_optimum_is_near() -> None:
    """Each row by itself may take the cheapest pattern that k people of the population agree with: no release that
    counts people in one class only needs fewer cells."""
    generator = np.random.default_rng(10)
    least = found = 0.0
    for _ in range(40):
        case = with_population(generator, random_case(generator, POPULATION["map"]))
        case = replace(case, rows=case.rows[:8], limit=0.0)
        case = replace(case, population=(case.population or [])[-25:] + [{n: r[n] for n in QUASI} for r in case.rows])
        answer = METHOD.run(table_of(case), case.request, Suppress())
        cells = answer.cost * sum(case.weights.values()) * len(case.rows)
        best = least_cells(case, 3)
        assert cells >= best - 1e-9
        least, found = least + best, found + cells
    # Measured when written: 5.8 % above what counts people in every class that they fit.
    assert found <= least * 1.1


def test_what_only_the_population_has_takes_part() -> None:
    """One row, and a population that agrees with it but for job: one cell goes for k-map, all would for k-anonymity.

    Twin: where the population differs in everything, that one cell is not enough.
    """
    case = frame_case([("1", "z", "a"), ("2", "y", "b"), ("1", "z", "c")])
    row, apart, near = ({name: row[name] for name in QUASI} for row in case.rows)
    alone = replace(case, rows=case.rows[:1], guarantees=POPULATION["map"])
    answer = require_good(replace(alone, population=[row, near, near]), run)
    assert answer is not None
    assert answer.cost == pytest.approx(1 / 3)
    twin = require_good(replace(alone, population=[row, apart, apart]), run)
    assert twin is not None
    assert twin.cost == 1


@pytest.mark.slow
def test_every_cell_is_the_value_or_the_root() -> None:
    generator = np.random.default_rng(3)
    answered = 0
    for name in ("k", "distinct", "t"):
        for _ in range(TABLES):
            case = random_case(generator, GUARANTEES[name])
            table = table_of(case)
            try:
                rows = published_rows(case, table, run(table, case.request).recoding)
            except CannotGuarantee:
                continue
            answered += 1
            for row, labels in rows:
                for c, column in enumerate(QUASI):
                    assert labels is None or labels[c].text in (row[column], "*")
    assert answered > 0


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


@pytest.mark.slow
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


def bystanders() -> Problem:
    """Two rows, and a population of which two agree with the first but for job and two with the second but for age.

    The combinations are in the order first row, its two, second row, its two; k-map asks for three people.
    """
    case = frame_case([("1", "z", "a"), ("1", "z", "b"), ("2", "y", "a"), ("3", "y", "a")])
    people = [{name: row[name] for name in QUASI} for row in (*case.rows, case.rows[1], case.rows[3])]
    case = replace(case, rows=[case.rows[0], case.rows[2]], guarantees=POPULATION["map"], population=people)
    case = replace(case, weights={"age": 2.0, "zip": 4.0, "job": 1.0})
    return problem_of(ground_of(flattened(table_of(case)), case.request.guarantees))


AGE, JOB = 1, 4
"""Patterns: the bits of the columns."""


def patterns_by_atom(portions: Portions) -> list[int]:
    return portions.pattern[np.argsort(portions.atom)].tolist()


def test_a_class_leaves_alone_what_nobody_needs_there() -> None:
    """Job is cheapest and serves the first row; what the second needs without age must not be spent on it."""
    problem = bystanders()
    everything = Portions(np.arange(4), problem.ground.tally.rows, np.zeros(4, dtype=np.int64))
    given = choose_greedily(
        problem, everything, patterns_of(problem, (0, 1, 2), np.random.default_rng(0)), OrderNoise()
    )
    assert patterns_by_atom(given) == [JOB, JOB, AGE, AGE]


def test_what_is_idle_helps_rows_that_were_left_and_rows_that_pay_too_much() -> None:
    problem = bystanders()
    rows = problem.ground.tally.rows
    patterns = patterns_of(problem, (0, 1, 2), np.random.default_rng(0))
    left = Portions(np.arange(4), rows, np.where(rows, LEFT, IDLE))
    assert patterns_by_atom(joined(problem, left, patterns, 0)) == [JOB, JOB, AGE, AGE]
    # Without any column, both rows and the people of both are one class of two.
    dear = Portions(np.arange(4), rows, np.where(rows, problem.everything, IDLE))
    found = refined(problem, dear, 30, np.random.default_rng(0))
    assert problem.cost(found).sum() == pytest.approx(problem.weight(np.array([JOB, AGE])).sum())


def test_beside_a_population_no_combination_is_split() -> None:
    """Four alike and one that differs in job: a row would be lent, were there nobody else to be compared with."""
    case = frame_case([("1", "z", "a")] * 4 + [("1", "z", "b")])
    within = replace(case, population=[{name: row[name] for name in QUASI} for row in case.rows])
    for each, split in ((case, True), (within, False)):
        combination = METHOD.run(table_of(each), each.request, Suppress()).recoding.combination
        assert (np.unique(combination).size < combination.size) is split


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


@pytest.mark.slow
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


@pytest.mark.slow
def test_of_many_columns_some_patterns_are_tried() -> None:
    frame = {f"c{i}": [str(i * 7 % 3), str(i % 2), "x"] for i in range(13)}
    people = tacit.read(pa.table(frame), dict.fromkeys(frame, "quasi-identifier"))
    made = tacit.protect(people, [tacit.KAnonymity(k=3)], method="tables/suppress", parameters={"rounds": 2})
    assert made.release.promises[0].measured == 3
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
    for name in ("presence", "presence from"):
        within = with_population(generator, random_case(generator, POPULATION[name]))
        with pytest.raises(BadParameter, match=r"labels overlap.*delta-presence has no meaning"):
            METHOD.run(table_of(within), within.request, Suppress())
    with pytest.raises(BadParameter, match="can't give k-concealment; it gives guarantees about each class"):
        METHOD.run(table, TableRequest((tacit.KConcealment(k=2),)), Suppress())
    assert "delta-presence" not in METHOD.guarantees


@pytest.mark.slow
def test_through_the_whole_run() -> None:
    """Two twins and one who differs from them in job: written, read back and described."""
    frame = pa.table({"age": ["1", "1", "1"], "job": ["a", "a", "b"], "ill": ["x", "y", "z"]})
    people = tacit.read(frame, {"age": "quasi-identifier", "job": "quasi-identifier", "ill": "sensitive"})
    made = tacit.protect(people, [tacit.KAnonymity(k=3)], method="tables/suppress")
    assert made.data.column("job").to_pylist() == ["*", "*", "*"]
    assert made.data.column("age").to_pylist() == ["1", "1", "1"]
    assert made.release.body.metrics["loss"] == 0.5


@pytest.mark.slow
def test_through_the_whole_run_within_a_population() -> None:
    """Two people who differ from all in age; in the population three have the job of each: k-map 3 keeps the jobs."""
    roles = {"age": "quasi-identifier", "job": "quasi-identifier", "ill": "sensitive"}
    frame = pa.table({"age": ["1", "2"], "job": ["a", "b"], "ill": ["x", "y"]})
    everybody = pa.table({"age": ["1", "3", "4", "2", "5", "6", "7"], "job": ["a", "a", "a", "b", "b", "b", "c"]})
    people = tacit.read(frame, roles, population=everybody)
    made = tacit.protect(people, [tacit.KMap(k=3)], method="tables/suppress")
    assert made.data.column("age").to_pylist() == ["*", "*"]
    assert made.data.column("job").to_pylist() == ["a", "b"]
    assert made.release.promises[0].measured == 3
    with pytest.raises(BadParameter, match="delta-presence"):
        tacit.protect(people, [tacit.DeltaPresence(maximum=0.5)], method="tables/suppress")
