"""Linkage, special uniques, singling out, intersection: each against plain Python over rows.

Covers attacks/tables/linkage, probabilistic_linkage, special_uniques, attacks/tables/singling_out, intersection,
adversary_view.
"""

from collections import Counter
from fractions import Fraction
from itertools import combinations, product
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.attacks.attack_worlds import QUASI, WORLDS, World, full_domain, key, local, smallest_class, worlds
from tests.oracle.counted import tally_of
from tests.oracle.judge import Scene

from tacit.attacks.tables._beliefs import OnColumn
from tacit.attacks.tables.intersection import intersect
from tacit.attacks.tables.linkage import link
from tacit.attacks.tables.probabilistic_linkage import ProbabilisticLinkage, estimate_agreement, link_with_errors
from tacit.attacks.tables.singling_out import single_out
from tacit.attacks.tables.special_uniques import SpecialUniques, find_special, find_uniques, match_is_correct
from tacit.data.tables.adversary_view import view_as_is
from tacit.errors import BadParameter
from tacit.params import Params


@given(WORLDS)
def test_linkage_picks_one_of_those_who_fit(world: World) -> None:
    found = link(world.view(), Params())
    hits = Fraction(0)
    for row in world.rows:
        fitting = len(world.candidates(row))
        hits += Fraction(1, max(fitting, world.alike(row))) if fitting else 0
    assert found.hits == pytest.approx(float(hits), abs=1e-9)
    assert found.targets == len(world.rows)
    assert found.baseline == 1 / len(world.rows)


@given(WORLDS)
def test_on_the_table_itself_one_person_of_each_combination_is_found(world: World) -> None:
    found = link(world.raw(), Params())
    assert found.hits == pytest.approx(len({key(row) for row in world.rows}))
    exact = link_with_errors(world.raw(), ProbabilisticLinkage(error=0.0, targets=1000))
    assert exact.hits == pytest.approx(found.hits)


def test_a_population_hides_people() -> None:
    rows = [{"zip": "101"}, {"zip": "102"}]
    people = [*rows, *[{"zip": "101"}] * 3]
    tally = tally_of(Scene(rows, ("zip",), rows, population=people), ("zip",), {})
    # 101 has four people of whom one is in the data, 102 has one.
    assert link(view_as_is(tally), Params()).hits == pytest.approx(1 / 4 + 1)


def test_rows_of_one_person_count_once() -> None:
    rows = [{"zip": "101", "who": "a"}] * 2 + [{"zip": "101", "who": "b"}, {"zip": "102", "who": "a"}]
    tally = tally_of(Scene(rows, ("zip",), rows, unit="who"), ("zip",), {})
    # In 101 a row is a's with chance 2/3 and b's with 1/3, together one of the two; in 102 it is a's for sure.
    found = link(view_as_is(tally), Params())
    assert (found.hits, found.targets) == (pytest.approx(2), 3)


@pytest.mark.slow
@given(st.integers(0, 2**20), st.booleans(), st.floats(0, 0.5))
def test_probabilistic_linkage_never_beats_the_smallest_class(seed: int, apart: bool, error: float) -> None:
    world = (local if apart else full_domain)(Random(seed))
    found = link_with_errors(world.view(), ProbabilisticLinkage(error=error, seed=seed))
    assert found.rate <= 1 / max(smallest_class(world), 1) + 1e-12


def test_weights_are_found_by_expectation_and_maximisation() -> None:
    # 2,000 people among 30 rows each; 12 columns that agree by chance in 1 of 20: an own row is never in doubt, so m
    # is a mean of 2,000 coins, within sqrt(ln(2 · 12 / 1e-9) / 4,000) = 0.077 of the truth with probability 1 - 1e-9.
    random, truth = np.random.default_rng(1), np.linspace(0.6, 0.95, 12)
    own = random.random((2000, 1, 12)) < truth
    others = random.random((2000, 29, 12)) < 0.05
    agree = np.moveaxis(np.concatenate([own, others], axis=1), 2, 0)
    m = estimate_agreement(agree, np.full((12, 30), 0.05), np.ones(30, dtype=np.int64))
    tolerance = np.sqrt(np.log(2 * 12 / 1e-9) / (2 * 2000))
    assert (np.abs(m - truth) < tolerance).all()
    for wrong in (truth[::-1], 0.8 * truth):
        assert not (np.abs(m - wrong) < tolerance).all()


@given(world=WORLDS)
@pytest.mark.parametrize("most", [1, 2, 3])
def test_special_uniques_are_the_minimal_unique_sets(world: World, most: int) -> None:
    tally = world.raw().known
    found = find_uniques(tally, most)
    rows = [tuple(tally.values[c][tally.codes[c, i]] for c in range(3)) for i in range(tally.combinations)]

    def alone(row: tuple[str, ...], columns: tuple[int, ...]) -> bool:
        same = [other for other in world.rows if all(other[QUASI[c]] == row[c] for c in columns)]
        return len(same) == 1

    for i, row in enumerate(rows):
        sets = [some for size in range(1, most + 1) for some in combinations(range(3), size) if alone(row, some)]
        minimal = [some for some in sets if not any(set(less) < set(some) for less in sets)]
        assert found.sets[i] == len(minimal)
        assert found.smallest[i] == min(map(len, minimal), default=0)
        # Three columns: with sets of up to M < 3, a set of s scores the product of 3 - i for i from s to M.
        last = min(most, 2)
        scores = [int(np.prod([3 - i for i in range(len(some), last + 1)])) for some in minimal]
        assert found.score[i] == sum(scores)


def test_special_uniques_of_a_small_table_by_hand() -> None:
    """Four columns, six people; the scores are derived below."""
    people = [
        ("1", "x", "p", "m"),
        ("2", "x", "q", "m"),
        ("2", "x", "p", "m"),
        ("2", "y", "p", "m"),
        ("2", "y", "p", "n"),
    ]
    people.append(("2", "x", "p", "n"))
    names = ("A", "B", "C", "D")
    rows = [dict(zip(names, person, strict=True)) for person in people]
    tally = tally_of(Scene(rows, names, rows), names, {})
    found = find_uniques(tally, 3)
    order = {tuple(tally.values[c][tally.codes[c, i]] for c in range(4)): i for i in range(6)}
    scores = [found.score[order[person]] for person in people]
    # A set of one column scores 3 · 2 · 1 = 6, of two 2 · 1 = 2, of three 1.
    # 1xpm: {A}: 6. 2xqm: {C}: 6. 2xpm: BD is shared with 1xpm and 2xqm; ABD with 2xqm, BCD with 1xpm, ABC with
    # 2xpn, ACD with 2ypm: none of three or fewer. 2ypm: {B, D}: 2. 2ypn: {B, D}: 2. 2xpn: {B, D}: 2.
    assert scores == [6, 6, 0, 2, 2, 2]
    success = find_special(view_as_is(tally), SpecialUniques(most=3, fraction=0.5))
    assert (success.hits, success.targets) == (5, 6)
    # All six are unique on four columns, no pairs: a unique match is always correct.
    assert success.details["match_correct"] == 1
    # 6 people · 6 of 18 points = 2, at most 1.
    assert success.details["highest_dis_suda"] == 1


def test_data_intrusion_simulation() -> None:
    # Skinner and Elliot: f n1 / (f n1 + 2 (1 - f) n2).
    assert match_is_correct(90, 45, 0.1) == pytest.approx(9 / (9 + 81))
    assert match_is_correct(0, 0, 0.1) == 0


@given(worlds(7))
def test_singling_out_by_trying_every_part_of_a_box(world: World) -> None:
    found = single_out(world.view(), Params())
    hits = Fraction(0)
    for published in world.released:
        box = Counter((key(row), row["secret"]) for row in world.rows if world.fits(row, published))
        size = sum(key(other) == key(published) for other in world.released)
        for part in product([False, True], repeat=len(box)):
            chosen = sum(number for number, inside in zip(box.values(), part, strict=True) if inside)
            chance = Fraction(1, size) ** sum(part) * (1 - Fraction(1, size)) ** (len(box) - sum(part))
            hits += chance if chosen == 1 else 0
    assert found.hits == pytest.approx(float(hits), abs=1e-9)
    assert found.targets == len(world.released)
    assert 0 <= found.baseline <= 1


@given(st.integers(0, 2**20), st.booleans())
def test_intersection_keeps_the_values_that_all_releases_share(seed: int, apart: bool) -> None:
    random = Random(seed)
    one = (local if apart else full_domain)(random)
    other = World(one.rows, again(one, random))
    raw = one.raw()
    views = [one.view_with(raw), other.view_with(raw)]
    hits, single = 0, [0, 0]
    for row in one.rows:
        sets = [{found["secret"] for found in world.candidates(row)} or set(one.secrets) for world in (one, other)]
        hits += set.intersection(*sets) == {row["secret"]}
        single = [number + (some == {row["secret"]}) for number, some in zip(single, sets, strict=True)]
    found = intersect(views, OnColumn())
    assert found.hits == hits
    assert found.baseline == pytest.approx(max(single) / len(one.rows))


def again(world: World, random: Random) -> list[dict[str, str]]:
    """Another release of the same rows."""
    from tests.attacks.attack_worlds import PATHS, label

    levels = {c: random.randrange(len(next(iter(PATHS[c].values())))) for c in QUASI}
    return [{**row, **{c: label(c, row[c], levels[c]) for c in QUASI}} for row in world.rows]


def test_one_release_has_no_intersection() -> None:
    view = full_domain(Random(1)).raw()
    with pytest.raises(BadParameter, match="at least 2"):
        intersect([view], OnColumn())
    with pytest.raises(BadParameter, match="different people"):
        intersect([view, full_domain(Random(1)).raw()], OnColumn())
