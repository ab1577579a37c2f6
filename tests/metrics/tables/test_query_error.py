from fractions import Fraction
from itertools import chain
from statistics import median

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.metrics.tables.worlds import World, all_suppressed, node, one_row, publication, worlds

from tacit.errors import BadData, BadParameter
from tacit.metrics.tables import query_error
from tacit.metrics.tables.query_error import Queries, Workload, ask, count, draw, estimate, measure_query_error

Wanted = dict[str, set[str]]


def plain_count(world: World, wanted: Wanted) -> int:
    columns = {world.columns.index(name): leaves for name, leaves in wanted.items()}
    return sum(all(row[c] in leaves for c, leaves in columns.items()) for row in world.rows)


def plain_estimate(world: World, wanted: Wanted) -> Fraction:
    total = Fraction(0)
    for cells in world.published:
        share = Fraction(1)
        for name, leaves in wanted.items():
            column = world.columns.index(name)
            covered = set(world.domain(column)) if cells is None else cells[column].leaves
            share *= Fraction(len(covered & leaves), len(covered))
        total += share
    return total


@st.composite
def questions(draw: st.DrawFn) -> tuple[World, Wanted]:
    world = draw(worlds())
    columns = draw(st.lists(st.sampled_from(world.columns), min_size=1, unique=True))
    domains = {name: world.domain(world.columns.index(name)) for name in columns}
    return world, {name: draw(st.sets(st.sampled_from(domain))) for name, domain in domains.items()}


@pytest.mark.slow
@pytest.mark.parametrize("dense_cells", [query_error.DENSE_CELLS, 0])
@given(question=questions())
def test_counts_and_estimates_are_those_of_the_rows(question: tuple[World, Wanted], dense_cells: int) -> None:
    world, wanted = question
    published = publication(world)
    queries = ask(published, wanted)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(query_error, "DENSE_CELLS", dense_cells)
        patch.setattr(query_error, "BLOCK", 3)
        assert count(published, queries) == pytest.approx([plain_count(world, wanted)])
        assert estimate(published, queries) == pytest.approx([float(plain_estimate(world, wanted))])


def names(queries: Queries, world: World, query: int) -> Wanted:
    return {
        world.columns[c]: {leaf for leaf, mask in zip(world.domain(c), inside[:, query], strict=True) if mask}
        for c, inside in zip(queries.columns, queries.inside, strict=True)
    }


@pytest.mark.slow
@given(worlds(), st.integers(0, 3))
def test_the_value_is_the_mean_relative_error_of_the_workload(world: World, seed: int) -> None:
    params = Workload(queries=11, column_sets=4, selectivity=0.3, sanity=0.25, seed=seed)
    published = publication(world)
    batches = list(draw(published, params))
    asked = list(chain.from_iterable([names(b, world, q) for q in range(b.inside[0].shape[1])] for b in batches))
    errors = []
    for wanted in asked:
        truth = plain_count(world, wanted)
        errors.append(abs(float(plain_estimate(world, wanted)) - truth) / max(truth, 0.25 * len(world.rows)))
    found = measure_query_error(published, params)
    assert len(errors) == 11
    assert found.value == pytest.approx(sum(errors) / len(errors))
    assert found.details == pytest.approx({"median": median(errors), "highest": max(errors)})
    for column, error in found.per_column.items():
        mine = [e for e, wanted in zip(errors, asked, strict=True) if column in wanted]
        assert error == pytest.approx(sum(mine) / len(mine))


@pytest.mark.slow
@given(worlds(), st.integers(1, 30), st.floats(0.01, 1))
def test_the_workload_keeps_to_its_parameters(world: World, queries: int, selectivity: float) -> None:
    params = Workload(queries=queries, column_sets=5, most_columns=2, selectivity=selectivity)
    batches = list(draw(publication(world), params))
    assert sum(batch.inside[0].shape[1] for batch in batches) == queries
    assert len(batches) <= 5
    for batch in batches:
        assert 1 <= len(set(batch.columns)) == len(batch.columns) <= 2
        for c, inside in zip(batch.columns, batch.inside, strict=True):
            width = max(round(len(world.domain(c)) * selectivity ** (1 / len(batch.columns))), 1)
            assert (inside.sum(axis=0) == width).all()
            assert (np.abs(np.diff(inside, axis=0, prepend=0, append=0)).sum(axis=0) == 2).all(), "one run of leaves"


def patients() -> World:
    """W4's release, with 130** standing for a hundred codes and 30–40 for ten ages."""
    zips = [[str(z), "130**", "1****"] for z in range(13000, 13100)]
    zips += [[str(z), "1485*", "1****"] for z in range(14850, 14860)]
    ages = [[str(a), "<30" if a < 30 else "30–40" if a < 40 else ">40", "*"] for a in range(20, 60)]
    rows = [
        ("13053", "28"), ("13068", "29"), ("13068", "21"), ("13053", "23"),
        ("14853", "50"), ("14853", "55"), ("14850", "47"), ("14850", "59"),
        ("13053", "31"), ("13053", "37"), ("13068", "36"), ("13068", "32"),
    ]  # fmt: skip
    cells = [(node(zips, z, 1), node(ages, a, 1)) for z, a in rows]
    return World(("zip", "age"), (zips, ages), rows, cells, (1.0, 1.0))


def test_w7_counting_query_on_a_generalised_table() -> None:
    published = publication(patients())
    query = ask(published, {"zip": {"13053"}, "age": {"37"}})
    answer, truth = estimate(published, query)[0], count(published, query)[0]
    assert answer == pytest.approx(4 * (1 / 100) * (1 / 10))
    assert truth == 1
    assert abs(answer - truth) / truth == pytest.approx(0.996)


def test_what_is_published_as_it_was_is_answered_exactly() -> None:
    assert measure_query_error(publication(one_row()), Workload()).value == 0.0


def test_suppressed_rows_are_spread_over_the_whole_domain() -> None:
    published = publication(all_suppressed())
    assert estimate(published, ask(published, {"a": {"a0"}})) == pytest.approx([3 / 2])


def test_the_seed_decides() -> None:
    published = publication(patients())
    assert measure_query_error(published, Workload(seed=1)) == measure_query_error(published, Workload(seed=1))
    assert measure_query_error(published, Workload(seed=1)) != measure_query_error(published, Workload(seed=2))


def test_questions_about_nothing_known_are_refused() -> None:
    published = publication(one_row())
    with pytest.raises(BadParameter, match="no column"):
        ask(published, {})
    with pytest.raises(BadParameter, match="height"):
        ask(published, {"height": {"1"}})
    with pytest.raises(BadData, match="a9"):
        ask(published, {"a": {"a7"}})
