"""Exchange keeps every promise, never loses more than it began with, and never less than the best of all partitions.

Covers methods/tables/local.
"""

from collections import defaultdict
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from tests.methods.tables.recoded import (
    GUARANTEES,
    Case,
    holds,
    loss_of,
    published_rows,
    random_case,
    scene_of,
    table_of,
    with_population,
)

from tacit.arrays import IntArray
from tacit.data.tables.classes import Classes, Frequencies
from tacit.data.tables.hierarchy import Hierarchy
from tacit.data.tables.table import Table
from tacit.data.tables.tally import Census, SensitiveTally, Tally
from tacit.guarantees.catalogue import parse_table_guarantee
from tacit.guarantees.guarantee import TableGuarantee
from tacit.methods.tables._local.answer import keeping_answers
from tacit.methods.tables._local.exchange import deal as exchange_deal
from tacit.methods.tables._local.exchange import limits as exchange_limits
from tacit.methods.tables._local.exchange import steps as exchange_steps
from tacit.methods.tables._local.exchange.annealing import (
    anneal,
    exchanged,
    linked,
    may_exchange,
    total_loss,
)
from tacit.methods.tables._local.paths import path_heights, trace
from tacit.methods.tables._local.pieces import Pieces, whole
from tacit.methods.tables._local.publish import label_pieces
from tacit.methods.tables._partition.partition import keeping, regrouped, selected
from tacit.methods.tables.local import METHOD, Local
from tacit.methods.tables.mondrian import Mondrian, partition
from tacit.request import TableRequest

pytestmark = pytest.mark.slow

NAMES = [name for name in GUARANTEES if name not in ("k", "k3", "distinct")]
QUICK = Local(sweeps=1)
COLUMN = {"column": "salary"}
ASKED: list[dict[str, dict[str, Any]]] = [
    {"k-anonymity": {"k": 4}},
    {"l-diversity": {"l": 3, "kind": "distinct", **COLUMN}},
    {"l-diversity": {"l": 2.5, "kind": "entropy", **COLUMN}},
    {"l-diversity": {"l": 2, "kind": "recursive", "c": 1.5, **COLUMN}},
    {"l-diversity": {"l": 3, "kind": "recursive", "c": 3, **COLUMN}},
    {"l-diversity": {"l": 2, "kind": "probabilistic", **COLUMN}},
    {"t-closeness": {"t": 0.25, "distance": "equal", **COLUMN}},
    {"t-closeness": {"t": 0.2, "distance": "ordered", **COLUMN}},
    {"t-closeness": {"t": 0.2, "distance": "hierarchical", **COLUMN}},
    {"t-closeness": {"t": 0.2, "distance": "kl", **COLUMN}},
    {"alpha-k-anonymity": {"alpha": 0.5, "k": 3, **COLUMN}},
    {"beta-likeness": {"beta": 1, "kind": "basic", **COLUMN}},
    {"beta-likeness": {"beta": 1.5, "kind": "enhanced", **COLUMN}},
    {"delta-disclosure": {"delta": 1.2, **COLUMN}},
]


def sensitive(generator: np.random.Generator, column: str, rows: IntArray, width: int) -> SensitiveTally:
    """Random values of each row, with a hierarchy in which one value is missing."""
    dense = np.array([generator.multinomial(n, generator.dirichlet(np.ones(width))) for n in rows])
    combination, value = np.nonzero(dense)
    values = ("", *(str(10 * i) for i in range(1, width)))
    tree = [[label, f"{int(label) // 30}-", "*"] for label in values[1:]]
    return SensitiveTally(
        column, values, combination, value, Census(dense[combination, value]), dense.sum(axis=0), True,
        Hierarchy.from_paths(column, tree),
    )  # fmt: skip


def random_tally(generator: np.random.Generator) -> Tally:
    """Two sensitive columns and a population, everybody with one row."""
    rows = generator.integers(1, 12, 300)
    parts = {name: sensitive(generator, name, rows, width) for name, width in (("smoker", 2), ("salary", 6))}
    population = rows + generator.integers(0, 4, rows.size)
    return Tally((), (), np.empty((0, rows.size), np.int32), rows, Census(rows), parts, population)


def classes_of(tally: Tally) -> Classes:
    cells = {
        name: Frequencies(p.values, p.combination, p.value, p.census.counts(), p.reference, p.ordered, p.hierarchy)
        for name, p in tally.sensitive.items()
    }
    return Classes(tally.rows, tally.people.counts(), cells, tally.population)


@pytest.mark.parametrize("asked", ASKED, ids=lambda entry: " ".join(map(str, next(iter(entry.values())).values())))
def test_limits_say_what_the_guarantee_says(asked: dict[str, dict[str, Any]]) -> None:
    generator = np.random.default_rng(1)
    both = set[bool]()
    for _ in range(3):
        tally, guarantee = random_tally(generator), parse_table_guarantee(asked)
        limits = exchange_limits.limits_of(tally, (guarantee,))
        counts = dense_counts(tally)
        found = [
            exchange_limits.holds(limits, count, people, population)
            for count, people, population in zip(
                counts, tally.rows, exchange_deal.stock_of(tally).population, strict=True
            )
        ]
        expected = guarantee.satisfied(guarantee.measure(classes_of(tally)))
        assert np.array_equal(found, expected)
        both |= set(expected.tolist())
    assert both == {False, True}


def dense_counts(tally: Tally) -> IntArray:
    stock = exchange_deal.stock_of(tally)
    owner = np.repeat(np.arange(tally.combinations), np.diff(stock.start))
    counts = np.zeros((tally.combinations, 8), dtype=np.int64)
    counts[owner, stock.value] = stock.amount
    return counts


def test_limits_of_several_guarantees_are_those_of_each() -> None:
    generator = np.random.default_rng(2)
    tally = random_tally(generator)
    asked = [ASKED[0], ASKED[2], ASKED[8], {"k-map": {"k": 6}}, {"alpha-k-anonymity": {"alpha": 0.8, "k": 2, "column": "smoker"}}]  # noqa: E501 # fmt: skip
    guarantees = tuple(parse_table_guarantee(entry) for entry in asked)
    limits = exchange_limits.limits_of(tally, guarantees)
    rows = zip(dense_counts(tally), tally.rows, exchange_deal.stock_of(tally).population, strict=True)
    found = [exchange_limits.holds(limits, *row) for row in rows]
    classes = classes_of(tally)
    assert np.array_equal(found, np.logical_and.reduce([g.satisfied(g.measure(classes)) for g in guarantees]))
    assert 0 < sum(found) < len(found)


def test_dealing_takes_the_longest_beginning_of_turns() -> None:
    generator = np.random.default_rng(13)
    close = {"t-closeness": {"t": 0.08, "distance": "equal", **COLUMN}}
    guarantees = (parse_table_guarantee(ASKED[0]), parse_table_guarantee(close))
    lengths = set[int]()
    for _ in range(20):
        tally = random_tally(generator)
        stock, limits = exchange_deal.stock_of(tally), exchange_limits.limits_of(tally, guarantees)
        group, room = generator.choice(300, 12, replace=False), np.zeros(8, dtype=np.int64)
        turns = exchange_deal.turns_of(stock, limits, group, room)
        assert np.allclose(turns, plain_turns(tally, group), rtol=1e-12)
        order = group[np.argsort(turns)]
        kept = [
            keeping(guarantees, regrouped(selected(tally, order[:n]), np.zeros(n, np.int64), 1))[0]
            for n in range(1, 13)
        ]
        best = max((n for n in range(1, 13) if kept[n - 1]), default=0)
        assert exchange_deal.longest(stock, limits, order, room).tolist() == order[:best].tolist()
        lengths.add(best)
    assert any(0 < length < 12 for length in lengths)


def plain_turns(tally: Tally, group: IntArray) -> list[float]:
    """When the last of each combination's people has a turn, from the definition."""
    seen, turns = defaultdict[tuple[str, int], int](int), list[float]()
    for one in group:
        turn = 0.0
        for name, part in tally.sensitive.items():
            for cell in np.flatnonzero(part.combination == one):
                value = int(part.value[cell])
                seen[name, value] += int(part.census.settled[cell])
                turn = max(turn, seen[name, value] * int(part.reference.sum()) / int(part.reference[value]))
        turns.append(turn)
    return turns


def cases(name: str, seed: int, number: int, unit: bool = False) -> Iterator[Case]:
    generator = np.random.default_rng([seed, len(name), ord(name[0])])
    for _ in range(number):
        yield random_case(generator, GUARANTEES[name], unit)


def judged(case: Case, table: Table, pieces: Pieces) -> tuple[bool, Fraction]:
    """Whether the judge finds all that is promised in what these classes publish, and its loss."""
    recoding = label_pieces(table, trace(table), pieces, "nodes")
    rows = published_rows(case, table, recoding)
    return holds(case, scene_of(case, rows)), loss_of(case, rows)


def require_partition(table: Table, pieces: Pieces) -> None:
    """Every combination is in one class, with all its rows."""
    assert sorted(pieces.combination.tolist()) == list(range(table.tally.combinations))
    assert np.array_equal(pieces.rows, table.tally.rows[pieces.combination])


@pytest.mark.parametrize("name", NAMES)
def test_keeps_every_guarantee_and_never_loses_more(name: str) -> None:
    kept = 0
    for case in cases(name, 3, 6):
        table = table_of(case)
        begun, root_loss = judged(case, table, whole(table))
        found = exchanged(table, TableRequest(case.request.guarantees), [whole(table)], QUICK)
        assert bool(found) == begun
        for pieces in found:
            require_partition(table, pieces)
            good, loss = judged(case, table, pieces)
            assert good
            assert loss <= root_loss
            kept += 1
    assert kept


@pytest.mark.parametrize("name", ["t", "entropy", "beta", "alpha"])
def test_keeps_promises_to_people_with_several_rows_and_beside_a_population(name: str) -> None:
    generator = np.random.default_rng(4)
    kept = 0
    for case in cases(name, 4, 4, unit=True):
        beside = with_population(generator, random_case(generator, [*GUARANTEES[name], {"k-map": {"k": 3}}]))
        for each in (case, beside):
            table = table_of(each)
            request = TableRequest(each.request.guarantees)
            found = exchanged(table, request, [whole(table)], QUICK)
            for pieces in found:
                require_partition(table, pieces)
            for answer in keeping_answers(table, request, found, QUICK):
                assert holds(each, scene_of(each, published_rows(each, table, answer.recoding)))
                kept += 1
    assert kept


def keeps_exactly(table: Table, guarantees: tuple[TableGuarantee, ...], pieces: Pieces) -> bool:
    """Whether all classes keep the guarantees' own measures."""
    where = np.empty(pieces.class_.size, dtype=np.int64)
    where[pieces.combination] = np.unique(pieces.class_, return_inverse=True)[1]
    return bool(keeping(guarantees, regrouped(table.tally, where, int(where.max()) + 1)).all())


def partitions(number: int) -> Iterator[list[int]]:
    """Every partition of so many things, as the number of each one's class."""
    if number == 0:
        yield []
        return
    for rest in partitions(number - 1):
        yield from ([*rest, q] for q in range(max(rest, default=-1) + 2))


@pytest.mark.parametrize("name", ["t", "recursive", "enhanced"])
def test_never_loses_less_than_the_best_of_all_partitions(name: str) -> None:
    reached = tried = 0
    for case in cases(name, 5, 12):
        table = table_of(case)
        number = table.tally.combinations
        if number > 6:
            continue
        found = exchanged(table, TableRequest(case.request.guarantees), [], QUICK)
        best = least_loss(case, table)
        assert bool(found) == (best is not None)
        if best is not None:
            good, loss = judged(case, table, found[0])
            assert good
            assert loss >= best
            reached += loss == best
            tried += 1
    assert tried
    assert reached


def least_loss(case: Case, table: Table) -> Fraction | None:
    """The least loss of all partitions that keep the promises by the guarantees' own measures."""
    losses = list[Fraction]()
    for where in partitions(table.tally.combinations):
        pieces = Pieces(np.arange(len(where)), np.array(where), table.tally.rows)
        if keeps_exactly(table, case.request.guarantees, pieces):
            losses.append(judged(case, table, pieces)[1])
    return min(losses, default=None)


def test_an_exchange_that_ignores_a_guarantee_is_caught() -> None:
    ignored = 0
    for case in cases("t", 6, 10):
        table = table_of(case)
        weaker = parse_table_guarantee({"l-diversity": {"l": 1.1, "kind": "entropy", "column": "disease"}})
        for pieces in exchanged(table, TableRequest((weaker,)), [whole(table)], QUICK):
            ignored += not judged(case, table, pieces)[0]
    assert ignored


def skewed(generator: np.random.Generator, rows: int) -> Case:
    """Rows whose disease depends on their age."""
    ages = generator.integers(0, 8, rows)
    likely = np.where(generator.random(rows) < 0.6, ages // 2, generator.integers(0, 4, rows))
    made = [
        {"age": str(age), "zip": f"z{zip_}", "job": f"j{job}", "disease": f"d{disease}"}
        for age, zip_, job, disease in zip(
            ages, generator.integers(0, 5, rows), generator.integers(0, 3, rows), likely, strict=True
        )
    ]
    paths = {
        "age": {str(a): [str(a), f"{a // 2}-", f"{a // 4}--", "*"] for a in range(8)},
        "zip": {f"z{z}": [f"z{z}", "*"] for z in range(5)},
        "job": {f"j{j}": [f"j{j}", "*"] for j in range(3)},
    }
    return Case(made, paths, GUARANTEES["t"], 0.0, dict.fromkeys(paths, 1.0))


def test_loses_less_than_mondrian_where_secrets_depend_on_quasi_identifiers() -> None:
    case = skewed(np.random.default_rng(7), 400)
    closer = TableRequest(
        (parse_table_guarantee({"t-closeness": {"t": 0.2, "distance": "equal", "column": "disease"}}),)
    )
    table = table_of(case)
    mondrian = partition(table, closer, Mondrian()).cost
    answer = METHOD.run(table, closer, QUICK)
    assert mondrian is not None
    assert answer.cost < mondrian


def test_what_steps_keep_up_to_date_is_what_classes_are() -> None:
    case = skewed(np.random.default_rng(8), 200)
    table = table_of(case)
    paths, stock = trace(table), exchange_deal.stock_of(table.tally)
    limits = exchange_limits.limits_of(table.tally, case.request.guarantees)
    where = exchange_deal.deal(paths, stock, limits, path_heights(table), 0)
    classes = linked(paths, stock, limits, where)
    assert exchange_steps.all_fit(limits, classes)
    start = classes.where.copy()
    anneal(table, (paths, stock, limits, classes), TableRequest(case.request.guarantees), Local(sweeps=3))
    assert exchange_steps.all_fit(limits, classes)
    assert not np.array_equal(start, classes.where)
    number = np.cumsum(classes.sums[:, 0] > 0) - 1
    fresh = linked(paths, stock, limits, number[classes.where])
    there = classes.sums[:, 0] > 0
    assert np.array_equal(fresh.sums, classes.sums[there])
    assert np.array_equal(fresh.counts, classes.counts[there])
    assert np.allclose(fresh.loss, classes.loss[there], rtol=0, atol=1e-12)
    for q in np.flatnonzero(there):
        assert sorted(listed(classes, int(q))) == np.flatnonzero(classes.where == q).tolist()


def listed(classes: "exchange_steps.ExchangeClasses", q: int) -> list[int]:
    """The members of a class, along its list."""
    found, one = list[int](), int(classes.first[q])
    while one >= 0:
        found.append(one)
        one = int(classes.links[one, 0])
    return found


def test_a_seed_gives_one_result_and_another_may_give_another() -> None:
    case = skewed(np.random.default_rng(9), 300)
    table, request = table_of(case), TableRequest(case.request.guarantees)
    runs = [exchanged(table, request, [], Local(sweeps=2, seed=seed))[0].class_ for seed in (1, 1, 2)]
    assert np.array_equal(runs[0], runs[1])
    assert not np.array_equal(runs[0], runs[2])


def test_more_sweeps_lose_no_more_than_the_start() -> None:
    case = skewed(np.random.default_rng(10), 300)
    table, request = table_of(case), TableRequest(case.request.guarantees)
    losses = [judged(case, table, exchanged(table, request, [], Local(sweeps=n))[0])[1] for n in (0, 2)]
    assert losses[1] < losses[0]


def test_is_left_to_the_covering_search_where_that_knows_all() -> None:
    table = table_of(next(cases("t", 11, 1)))
    for name in GUARANTEES:
        guarantees = tuple(parse_table_guarantee(entry) for entry in GUARANTEES[name])
        assert may_exchange(table, guarantees) == (name in NAMES)
        if name not in NAMES:
            assert exchanged(table, TableRequest(guarantees), [whole(table)], QUICK) == []


def test_begins_with_the_best_start() -> None:
    case = skewed(np.random.default_rng(12), 150)
    table = table_of(case)
    request = TableRequest(case.request.guarantees)
    better = exchanged(table, request, [], Local(sweeps=4))[0]
    again = exchanged(table, request, [whole(table), better], Local(sweeps=0))[0]
    assert judged(case, table, again)[1] == judged(case, table, better)[1]
    assert total_loss(linked_of(table, request, again)) <= total_loss(linked_of(table, request, whole(table)))


def linked_of(table: Table, request: TableRequest, pieces: Pieces) -> "exchange_steps.ExchangeClasses":
    limits = exchange_limits.limits_of(table.tally, request.guarantees)
    return linked(trace(table), exchange_deal.stock_of(table.tally), limits, pieces.class_)
