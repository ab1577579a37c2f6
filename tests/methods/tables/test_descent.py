"""Lattices too large to search: descents end where no neighbour is better, and bounds of class sizes hold.

Covers _descent, _screen, _class_counts, _outlook, _class_sizes, _boxes.
"""

import itertools
from typing import Any

import numpy as np
import pytest
from tests.examples import draws
from tests.methods.tables.recoded import GUARANTEES
from tests.methods.tables.test_lattice import random_search, table_of
from tests.oracle.every_node import Search, best, evaluate

from tacit.data.tables.table import Table
from tacit.guarantees.catalogue import parse_table_guarantee
from tacit.guarantees.guarantee import TableGuarantee
from tacit.methods.tables import _boxes, _screen
from tacit.methods.tables._boxes import BranchAndBound, SearchResult, SearchTask
from tacit.methods.tables._class_sizes import objective_of
from tacit.methods.tables._nodes import Node
from tacit.methods.tables._objectives import ClassCounts, cell_cost
from tacit.methods.tables._outlook import DOUBLINGS, Outlook
from tacit.methods.tables._screen import Screen, least_rows
from tacit.methods.tables._verdict import judge

TABLES = draws(15)
NAMES = ["k", "distinct", "entropy", "t", "alpha"]


def promised(search: Search) -> tuple[TableGuarantee, ...]:
    return tuple(parse_table_guarantee({name: params}) for name, params in search.guarantees)


def task_of(search: Search) -> SearchTask:
    spare = float(np.floor(search.limit * len(search.rows) + 1e-9))
    return SearchTask(promised(search), spare, search.objective, 60.0)  # type: ignore[arg-type]


def nodes_of(table: Table) -> list[Node]:
    return list(itertools.product(*(range(high + 1) for high in table.most)))


def neighbours(node: Node, table: Table) -> list[Node]:
    return [
        (*node[:c], level, *node[c + 1 :])
        for c, high in enumerate(table.most)
        for level in range(high + 1)
        if level != node[c]
    ]


def require_no_better_neighbour(search: Search, table: Table, found: SearchResult) -> bool:
    """By trying every neighbour in plain Python; where nothing is found, no neighbour of the top may be feasible."""
    if found.node is None:
        return False
    here = evaluate(search, found.node)
    if here is None:
        return False  # All rows are suppressed, which the method refuses.
    assert here.suppressed <= search.limit * len(search.rows) + 1e-9
    assert found.cost == pytest.approx(here.cost, abs=1e-9)
    for node in neighbours(found.node, table):
        other = evaluate(search, node)
        assert other is None or other.cost >= here.cost - 1e-8
    return True


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every lattice counts as large and as hopeless."""
    monkeypatch.setattr(_boxes, "SMALL", 0)
    monkeypatch.setattr(_boxes, "PATIENCE", 1)
    monkeypatch.setattr(Outlook, "is_hopeless", lambda self, evaluated, bound, cost: evaluated > 3)


@pytest.mark.slow
@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize("name", NAMES)
def test_a_search_that_gives_up_returns_a_node_that_no_neighbour_beats(name: str) -> None:
    generator = np.random.default_rng([31, len(name)])
    found = 0
    for _ in range(TABLES):
        search = random_search(generator, GUARANTEES[name])
        table, optimum = table_of(search), best(search)
        result = BranchAndBound(table, task_of(search)).run(table.least, table.most)
        if optimum is not None:
            assert result.bound <= optimum.cost + 1e-9
        found += require_no_better_neighbour(search, table, result)
    assert found > TABLES // 10


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_descents_do_not_spoil_the_optimum(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_boxes, "SMALL", 0)
    monkeypatch.setattr(_boxes, "PATIENCE", 1)
    generator = np.random.default_rng([37, len(name)])
    for _ in range(TABLES):
        search = random_search(generator, GUARANTEES[name])
        table, optimum, task = table_of(search), best(search), task_of(search)
        lasting = SearchTask(task.guarantees, task.most_suppressed, task.objective, 60.0, persist=True)
        result = BranchAndBound(table, lasting).run(table.least, table.most)
        assert result.optimal
        if optimum is not None:
            assert result.cost == pytest.approx(optimum.cost, abs=1e-9)


@pytest.mark.slow
def test_the_same_descents_are_made_every_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_boxes, "SMALL", 0)
    monkeypatch.setattr(_boxes, "PATIENCE", 1)
    search = random_search(np.random.default_rng(3), GUARANTEES["k"])
    table = table_of(search)
    one, other = (BranchAndBound(table, task_of(search)).run(table.least, table.most) for _ in range(2))
    assert one == other


def counted_by_hand(search: Search, node: Node, least: int, gaps: Any) -> ClassCounts:
    classes: dict[tuple[str, ...], list[float]] = {}
    for row in search.rows:
        labels = [search.paths[name][row[name]][level] for name, level in zip(search.paths, node, strict=True)]
        classes.setdefault(tuple(labels), []).append(gaps(row, node))
    small = [each for each in classes.values() if len(each) < least]
    sizes = [len(each) for each in classes.values() if len(each) >= least]
    return ClassCounts(sum(map(sum, small)), sum(map(len, small)), sum(s * s for s in sizes), len(sizes))


@pytest.mark.slow
@pytest.mark.parametrize("compiled", [True, False], ids=["compiled", "plain"])
def test_a_screen_counts_the_classes_of_all_neighbours(compiled: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if not compiled:
        monkeypatch.setattr(_screen, "_compiled", lambda: None)
    generator = np.random.default_rng(41)
    for _ in range(TABLES):
        search = random_search(generator, [{"k-anonymity": {"k": 3}}])
        table = table_of(search)
        cells = cell_cost("loss", table)
        screen = Screen(table, cells, promised(search))

        def gaps(row: dict[str, str], node: Node, table: Table = table, cells: Any = cells) -> float:
            places = [h.leaf_positions[row[h.column]] for h in table.hierarchies]
            return sum(float(cells.gap[c][level][places[c]]) for c, level in enumerate(node))

        start = nodes_of(table)[int(generator.integers(len(nodes_of(table))))]
        here = screen.stand_at(start)
        moves = {(*start[: m.column], m.level, *start[m.column + 1 :]): m.counts for m in screen.moves()}
        assert sorted(moves) == sorted(neighbours(start, table))
        for node, counts in {start: here, **moves}.items():
            expected = counted_by_hand(search, node, 3, gaps)
            assert (counts.suppressed, counts.squares, counts.classes) == (
                expected.suppressed,
                expected.squares,
                expected.classes,
            )
            assert counts.added == pytest.approx(expected.added, abs=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("objective", ["discernibility", "average-class-size", "loss"])
@pytest.mark.parametrize("name", NAMES)
def test_no_node_of_a_box_costs_less_than_its_bound(name: str, objective: Any) -> None:
    """For random boxes, each bounded from its own table and from the finest, by trying all of their nodes."""
    generator = np.random.default_rng([43, len(name)])
    for _ in range(TABLES):
        search = random_search(generator, GUARANTEES[name])
        table, guarantees = table_of(search), promised(search)
        engine = BranchAndBound(table, SearchTask(guarantees, len(search.rows), objective, 1.0))
        cells = cell_cost(objective, table)
        bounded = objective_of(objective, table, cells, least_rows(guarantees))
        ends = [sorted(generator.integers(0, high + 1, 2).tolist()) for high in table.most]
        low, high = tuple(a for a, _ in ends), tuple(b for _, b in ends)
        top = engine.tables.at(high)
        losses = cells.losses(top, judge(guarantees, top).share, high)
        costs = []
        for node in itertools.product(*(range(a, b + 1) for a, b in ends)):
            tally = engine.tables.at(node)
            costs.append(bounded.cost(node, tally, judge(guarantees, tally).suppressed))
        for finer in (engine.tables.at(low), engine.tables.bottom):
            assert bounded.bound(low, high, finer, losses) <= min(costs) * (1 + 1e-12) + 1e-12


def test_an_outlook_is_hopeless_where_doubling_the_work_brings_too_little() -> None:
    outlook = Outlook(100)
    assert not outlook.is_hopeless(99, 0.0, 1.0)
    assert not outlook.is_hopeless(100, 0.1, 1.0)
    assert not outlook.is_hopeless(150, 0.1, 1.0)
    assert not outlook.is_hopeless(200, 0.3, 1.0)
    assert outlook.is_hopeless(400, 0.3 + 0.69 / DOUBLINGS * 0.9, 1.0)


@pytest.mark.parametrize(("doublings", "hopeless"), [(1.1 * DOUBLINGS, False), (2.2 * DOUBLINGS, True)])
def test_the_first_doubling_must_bring_less_than_later_ones_to_be_given_up(doublings: float, hopeless: bool) -> None:
    outlook, gap = Outlook(100), 0.7
    rise = gap / doublings
    outlook.is_hopeless(100, 0.3 - rise, 1.0)
    assert outlook.is_hopeless(200, 0.3, 1.0) == hopeless
