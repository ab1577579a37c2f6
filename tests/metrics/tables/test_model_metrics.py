"""Correlations and regressions on a release, against those of its filled-in rows.

Covers correlation, regression, data/tables/moments, data/tables/features.
"""

from dataclasses import replace
from itertools import combinations, product

import numpy as np
import pytest
import scipy.stats
from hypothesis import assume, given
from hypothesis import strategies as st
from tests.examples import examples
from tests.metrics.tables.secret_worlds import (
    SECRET,
    VALUES,
    SecretWorld,
    numbered,
    secret_publication,
    secret_worlds,
    untouched,
)
from tests.metrics.tables.worlds import World, node, one_row, publication

from tacit.errors import BadParameter
from tacit.metrics.tables._distances import cramers_v
from tacit.metrics.tables.correlation import METRIC as CORRELATION
from tacit.metrics.tables.correlation import Associations, measure_correlation
from tacit.metrics.tables.regression import Fit, Model, measure_regression, overlaps

Row = tuple[dict[str, str], float]


def renamed(one: SecretWorld, numbers: str) -> SecretWorld:
    return replace(one, world=numbered(one.world, numbers))


def rows_of(one: SecretWorld, released: bool) -> list[Row]:
    """Every row, or every way in which a published row may be filled in, with its weight."""
    world, rows = one.world, []
    for row, cells, secret in zip(world.rows, world.published, one.secrets, strict=True):
        if not released:
            rows.append(({**dict(zip(world.columns, row, strict=True)), SECRET: secret}, 1.0))
        elif cells is not None:
            filled = list(product(*(sorted(cell.leaves) for cell in cells)))
            for leaves in filled:
                rows.append(({**dict(zip(world.columns, leaves, strict=True)), SECRET: secret}, 1 / len(filled)))
    return rows


def is_number(one: SecretWorld, column: str) -> bool:
    world = one.world
    return column == SECRET or all(leaf.isdigit() for leaf in world.domain(world.columns.index(column)))


def pearson(rows: list[Row], a: str, b: str) -> float:
    if not rows:
        return 0.0
    cells = np.array([[float(row[a]), float(row[b])] for row, _ in rows])
    covariance = np.cov(cells.T, aweights=[weight for _, weight in rows], ddof=0)
    spread = np.sqrt(covariance[0, 0] * covariance[1, 1])
    return float(covariance[0, 1] / spread) if spread > 1e-9 else 0.0


def association(rows: list[Row], a: str, b: str) -> float:
    names = [sorted({row[c] for row, _ in rows}) for c in (a, b)]
    table = np.zeros((len(names[0]), len(names[1])))
    for row, weight in rows:
        table[names[0].index(row[a]), names[1].index(row[b])] += weight
    return cramers_v(table) if rows else 0.0


@examples(30)
@given(secret_worlds(), st.sampled_from(["", "a", "ab", "abc"]))
def test_associations_are_those_of_the_filled_in_rows(one: SecretWorld, numbers: str) -> None:
    one = renamed(one, numbers)
    names = [*one.world.columns, SECRET]
    before, after = rows_of(one, False), rows_of(one, True)
    moved = {}
    for a, b in combinations(names, 2):
        of = pearson if is_number(one, a) and is_number(one, b) else association
        moved[a, b] = abs(of(before, a, b) - of(after, a, b))
    found = measure_correlation(secret_publication(one), Associations())
    assert found.value == pytest.approx(np.mean(list(moved.values())), abs=1e-9)
    assert found.details["highest"] == pytest.approx(max(moved.values()), abs=1e-9)
    assert found.details["pairs"] == len(moved)
    for name in names:
        mine = [change for pair, change in moved.items() if name in pair]
        assert found.per_column[name] == pytest.approx(np.mean(mine), abs=1e-9)


@examples(20)
@given(secret_worlds(), st.sampled_from(["a", "abc"]))
def test_a_release_of_the_same_rows_keeps_every_model(one: SecretWorld, numbers: str) -> None:
    published = secret_publication(renamed(untouched(one), numbers))
    assert measure_correlation(published, Associations()).value == pytest.approx(0, abs=1e-9)
    found = measure_regression(published, Model())
    assert found.value == pytest.approx(0, abs=1e-9)
    assert found.details["overlap"] == pytest.approx(1)
    assert found.details["explained_after"] == pytest.approx(found.details["explained_before"], abs=1e-9)


def design(one: SecretWorld, rows: list[Row], columns: list[str]) -> np.ndarray:
    """Numbers as they are, others as indicators of all values but the most frequent of the input."""
    parts = []
    for column in columns:
        if is_number(one, column):
            parts.append([[float(row[column])] for row, _ in rows])
            continue
        values = [row[column] for row, _ in rows_of(one, False)]
        domain = [leaf for leaf in one.world.domain(one.world.columns.index(column)) if leaf in values]
        usual = max(domain, key=values.count)
        parts.append([[float(row[column] == leaf) for leaf in domain if leaf != usual] for row, _ in rows])
    return np.concatenate([np.array(part).reshape(len(rows), -1) for part in parts], axis=1)


def standard_coefficients(x: np.ndarray, y: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Least squares of least norm on weighted, centred rows; what is left of a constant by rounding is none."""
    total = max(weights.sum(), 1)
    x, y = x - weights @ x / total, y - weights @ y / total
    root = np.sqrt(weights)
    return np.linalg.pinv(root[:, None] * np.where(np.abs(x) < 1e-9, 0, x), rcond=1e-7) @ (root * y)


@pytest.mark.slow
@examples(30)
@given(secret_worlds(), st.sampled_from(["", "a", "ab"]))
def test_coefficients_are_those_of_the_filled_in_rows(one: SecretWorld, numbers: str) -> None:
    one = renamed(one, numbers)
    varying = [
        name
        for name, cells in zip(one.world.columns, zip(*one.world.rows, strict=True), strict=True)
        if len(set(cells)) > 1
    ]
    assume(varying and len(set(one.secrets)) > 1)
    found = measure_regression(secret_publication(one), Model(target=SECRET))
    x = design(one, rows_of(one, False), varying)
    y = np.array([float(secret) for secret in one.secrets])
    sides = []
    for rows in (rows_of(one, False), rows_of(one, True)):
        if not rows:
            sides.append(np.zeros(x.shape[1]))
            continue
        z = (design(one, rows, varying) - x.mean(axis=0)) / x.std(axis=0)
        t = (np.array([float(row[SECRET]) for row, _ in rows]) - y.mean()) / y.std()
        sides.append(standard_coefficients(z, t, np.array([weight for _, weight in rows])))
    gap = np.abs(sides[0] - sides[1])
    assert found.details["coefficients"] == gap.size
    assert found.value == pytest.approx(gap.mean(), abs=1e-6)
    assert found.details["highest"] == pytest.approx(gap.max(), abs=1e-6)


def line(coarse: bool) -> SecretWorld:
    """Thirty people of six ages; the secret rises with the age, unevenly."""
    paths = [[str(i * i + 1), "low" if i < 3 else "high", "*"] for i in range(6)]
    rows = [(paths[i % 6][0],) for i in range(30)]
    secrets = [VALUES[min(i % 6 + (i // 6) % 2, 4)] for i in range(30)]
    cells = [(node(paths, row[0], 1 if coarse else 0),) for row in rows]
    return SecretWorld(World(("a",), (paths,), rows, cells, (1.0,)), secrets)


def test_intervals_are_those_of_simple_regression() -> None:
    """The slope and its error against scipy's; the release of coarse labels is held against the same on its rows."""
    one = line(coarse=True)
    x = np.array([float(row[0]) for row in one.world.rows])
    y = np.array([float(secret) for secret in one.secrets])
    judge = scipy.stats.linregress(x, y)
    unit = x.std() / y.std()
    found = measure_regression(secret_publication(one), Model())
    assert found.details["explained_before"] == pytest.approx(judge.rvalue**2)
    half = scipy.stats.t.ppf(0.975, 28) * judge.stderr * unit
    means = {"low": np.mean([1, 2, 5]), "high": np.mean([10, 17, 26])}
    z = np.array([means["low" if number < 10 else "high"] for number in x])
    within = np.mean([np.var([1, 2, 5]) if number < 10 else np.var([10, 17, 26]) for number in x])
    slope = np.cov(z, y, ddof=0)[0, 1] / (z.var() + within)
    assert found.value == pytest.approx(abs(judge.slope - slope) * unit)
    left = y.var() - slope * np.cov(z, y, ddof=0)[0, 1]
    other = scipy.stats.t.ppf(0.975, 28) * np.sqrt(left / 28 / (z.var() + within)) * unit
    a, b = judge.slope * unit, slope * unit
    common = max(min(a + half, b + other) - max(a - half, b - other), 0)
    assert found.details["overlap"] == pytest.approx((common / (2 * half) + common / (2 * other)) / 2)
    assert found.details["sign_changes"] == 0


def test_intervals_overlap_as_karr_says() -> None:
    """[0, 2] and [1, 5] share [1, 2]: half of the one, a quarter of the other."""
    one = Fit(np.array([1.0, 0.0, 3.0]), np.array([1.0, 1.0, 0.0]), 0.0)
    other = Fit(np.array([3.0, 5.0, 3.0]), np.array([2.0, 1.0, 0.0]), 0.0)
    assert overlaps(one, other) == pytest.approx([(1 / 2 + 1 / 4) / 2, 0, 1])
    point, around = Fit(np.array([1.0, 9.0]), np.zeros(2), 1.0), Fit(np.array([1.5, 1.5]), np.ones(2), 0.0)
    assert overlaps(point, around) == pytest.approx([1 / 2, 0]), "all of the point, none of the interval"


def test_a_perfect_fit_of_the_same_rows_overlaps() -> None:
    """The secret is a straight line of the age: no residual but rounding, on either side."""
    paths = [[str(number), "*"] for number in (1, 2, 4, 9, 10)]
    rows = [(paths[i % 5][0],) for i in range(15)]
    world = World(("a",), (paths,), rows, [(node(paths, row[0], 0),) for row in rows], (1.0,))
    found = measure_regression(secret_publication(SecretWorld(world, [row[0] for row in rows])), Model())
    assert (found.details["overlap"], found.details["explained_after"]) == (1, 1)


def test_a_column_at_its_root_explains_nothing() -> None:
    one = line(coarse=False)
    paths = one.world.paths[0]
    root = replace(one.world, published=[(node(paths, row[0], 2),) for row in one.world.rows])
    found = measure_regression(secret_publication(replace(one, world=root)), Model())
    assert found.details["explained_after"] == pytest.approx(0, abs=1e-12)
    assert found.details["sign_changes"] == 0, "what is gone points nowhere"


def test_a_reversed_slope_is_a_change_of_sign() -> None:
    """The secret rises with the number within each half and falls from one half to the other."""
    paths = [["0", "low", "*"], ["9", "low", "*"], ["10", "high", "*"], ["19", "high", "*"]]
    rows = [(path[0],) for path in paths] * 3
    secrets = ["4", "10", "2", "9"] * 3
    cells = [(node(paths, row[0], 1),) for row in rows]
    found = measure_regression(
        secret_publication(SecretWorld(World(("a",), (paths,), rows, cells, (1.0,)), secrets)), Model()
    )
    x, y = np.array([0, 9, 10, 19]), np.array([4, 10, 2, 9])
    assert np.cov(x, y)[0, 1] > 0 > np.cov([4.5, 4.5, 14.5, 14.5], y)[0, 1]
    assert (found.details["coefficients"], found.details["sign_changes"]) == (1, 1)


def test_what_can_not_be_modelled_by_default_is_not() -> None:
    found = measure_regression(publication(one_row()), Model())
    assert (found.value, found.details["coefficients"], found.details["overlap"]) == (0, 0, 1)
    alone = CORRELATION.run(publication(one_row()), CORRELATION.example)
    assert (alone.value, alone.details["pairs"]) == (0, 0)


def test_what_can_not_be_modelled_is_refused_where_it_is_named() -> None:
    published = secret_publication(line(coarse=True))
    with pytest.raises(BadParameter, match="'job'; name a column of numbers: 'a', 'secret'"):
        measure_regression(published, Model(target="job"))
    with pytest.raises(BadParameter, match="predictors name 'secret'"):
        measure_regression(published, Model(target="a", predictors=("secret",)))


def test_a_column_of_many_values_is_taken_at_a_higher_level() -> None:
    paths = [[f"v{i}", f"g{i % 3}", "*"] for i in range(12)]
    rows = [(f"v{i % 12}",) for i in range(24)]
    cells = [(node(paths, row[0], 0),) for row in rows]
    one = SecretWorld(World(("a",), (paths,), rows, cells, (1.0,)), [VALUES[i % 5] for i in range(24)])
    published = secret_publication(one)
    assert measure_regression(published, Model(most_categories=5)).details["coefficients"] == 2
    assert measure_regression(published, Model(most_categories=12)).details["coefficients"] == 11


def test_associations_of_many_values_are_those_of_their_nodes() -> None:
    """Twelve values in three groups that the secret follows: at the level of the groups V is 1, and stays so."""
    paths = [[f"v{i}", f"g{i % 3}", "*"] for i in range(12)]
    rows = [(f"v{i % 12}",) for i in range(24)]
    one = SecretWorld(
        World(("a",), (paths,), rows, [(node(paths, row[0], 1),) for row in rows], (1.0,)),
        [VALUES[i % 3] for i in range(24)],
    )
    published = secret_publication(one)
    assert measure_correlation(published, Associations(most_categories=5)).value == pytest.approx(0, abs=1e-12)
    groups = replace(one, world=replace(one.world, published=[(node(paths, row[0], 2),) for row in rows]))
    assert measure_correlation(secret_publication(groups), Associations(most_categories=5)).value == pytest.approx(1)
