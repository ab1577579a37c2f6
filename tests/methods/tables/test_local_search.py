"""The compiled search of local recoding against plain Python: regions, walks, classes after a sweep.

Covers methods/tables/local, _local/bits, _local/cover, _local/repair, _local/search.
"""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from tests.examples import examples
from tests.methods.tables.peopled import count

from tacit.arrays import IntArray
from tacit.data.tables.tally import Census
from tacit.methods.tables._kernels import compiled
from tacit.methods.tables._local import crowd as crowds
from tacit.methods.tables._local import walk as walks
from tacit.methods.tables._local.board import UNITS, Board, new_board, set_board, suffices
from tacit.methods.tables._local.bystanders import sent_home
from tacit.methods.tables._local.crowd import crowd_of, newcomers
from tacit.methods.tables._local.freeze import start
from tacit.methods.tables._local.partition import Partition, link
from tacit.methods.tables._local.paths import Paths
from tacit.methods.tables._local.regions import find_regions, new_regions
from tacit.methods.tables._local.sweep import Terrain
from tacit.methods.tables._local.threads import Team
from tacit.methods.tables._local.units import Need, Units, split_rows

pytestmark = pytest.mark.slow

COLUMNS, LEAVES, HEIGHT = 3, 12, 3
NEED = Need(3, 0)


def random_paths(generator: np.random.Generator, combinations: int) -> Paths:
    """Distinct combinations of leaves under random trees of three steps."""
    node = np.empty((combinations, COLUMNS, HEIGHT + 1), dtype=np.int32)
    picked = generator.choice(LEAVES**COLUMNS, combinations, replace=False)
    loss: list[float] = []
    for column in range(COLUMNS):
        middle = generator.integers(0, 5, LEAVES)
        upper = generator.integers(0, 2, 5)
        tree = np.array([np.arange(LEAVES), middle, upper[middle], np.zeros(LEAVES, dtype=np.int64)])
        leaf = picked // LEAVES**column % LEAVES
        for level, labels in enumerate(tree):
            node[:, column, level] = len(loss) + labels[leaf]
            size = np.bincount(labels, minlength=labels.max() + 1)
            loss += ((np.maximum(size, 1) - 1) / (LEAVES - 1) / COLUMNS).tolist()
    return Paths(node, np.array(loss))


def random_task(seed: int, combinations: int) -> tuple[Paths, Units, Need, Partition]:
    generator = np.random.default_rng(seed)
    paths = random_paths(generator, combinations)
    rows = generator.integers(1, 5, combinations)
    units = split_rows(rows, rows >= NEED.people, NEED)
    where = start(paths, units, NEED, np.full(COLUMNS, HEIGHT), seed)
    return paths, units, NEED, link(paths, units, where)


def join_of(paths: Paths, combinations: list[int]) -> list[int]:
    """The least common node of some combinations in each column."""
    joined = []
    for column in range(COLUMNS):
        path = paths.node[combinations[0], column]
        joined.append(
            next(int(n) for level, n in enumerate(path) if (paths.node[combinations, column, level] == n).all())
        )
    return joined


@given(st.integers(0, 2**32 - 1), st.integers(1, 40))
@examples(100)
def test_linked_classes_have_the_join_of_their_members(seed: int, combinations: int) -> None:
    generator = np.random.default_rng(seed)
    paths = random_paths(generator, combinations)
    units = split_rows(generator.integers(1, 5, combinations), np.zeros(combinations, dtype=np.bool_), NEED)
    where = generator.integers(-1, combinations, units.combination.size)
    part = link(paths, units, where)
    for number in set(where.tolist()) - {-1}:
        members = np.flatnonzero(where == number)
        name = members[0]
        assert (part.where[members] == name).all()
        listed, unit = [], part.first[name]
        while unit >= 0:
            listed.append(unit)
            unit = part.following[unit]
        assert listed == members[::-1].tolist()
        assert part.number[name] == members.size
        assert part.weight[name] == units.weight[members].sum()
        join = join_of(paths, units.combination[members].tolist())
        at = paths.node[units.combination[name], np.arange(COLUMNS), part.level[name]]
        assert at.tolist() == join
        assert part.loss[name] == pytest.approx(sum(paths.loss[node] for node in join))
        # The level is the lowest: a step below some member lies elsewhere.
        for column, level in enumerate(part.level[name]):
            below = paths.node[units.combination[members], column, level - 1] if level else members[:1]
            assert level == 0 or len(set(below.tolist())) > 1
    assert (part.where[where < 0] == -1).all()
    assert part.number.sum() == (where >= 0).sum()


def under(paths: Paths, region: list[int], combination: int) -> bool:
    return all(region[column] in paths.node[combination, column] for column in range(COLUMNS))


def regions_on(paths, units, need, desk, task):  # type: ignore[no-untyped-def]
    board, regions = desk
    member, size, most = task
    extent = set_board(board, paths, units, member, size)
    return find_regions(board, regions, extent, seen_on(board, need), most)


def seen_on(board: Board, need: Need) -> Need:
    """The need as the sums of this board are asked for it."""
    return need._replace(plain=bool(board.plain[0]))


@compiled
def enough_on(board, need, word):  # type: ignore[no-untyped-def]
    return suffices(board.sums, word, need)


@compiled
def newcomers_of(crowd, unit, where):  # type: ignore[no-untyped-def]
    return newcomers(crowd, unit, where)


def members_of(cover: int) -> list[int]:
    return [i for i in range(UNITS) if cover >> i & 1]


@pytest.mark.parametrize("seed", range(5))
def test_regions_are_the_joins_of_their_units_in_order_of_loss(seed: int) -> None:
    generator = np.random.default_rng(seed)
    paths, units, need, _ = random_task(seed, 200)
    member = generator.choice(units.combination.size, UNITS, replace=False)
    size = int(generator.integers(8, UNITS + 1))
    board, regions = new_board(COLUMNS, HEIGHT + 1), new_regions(COLUMNS)
    most = float(generator.uniform(0.6, 1.2))
    kept = regions_on(paths, units, need, (board, regions), (member, size, most))
    combination = units.combination[member[:size]].tolist()
    found = {}
    for cover, price in zip(regions.ranked[:kept].tolist(), regions.price[:kept].tolist(), strict=True):
        join = join_of(paths, [combination[i] for i in members_of(cover)])
        assert members_of(cover) == [i for i in range(size) if under(paths, join, combination[i])]
        assert price == pytest.approx(paths.loss[join].sum(), abs=1e-12)
        found[cover] = price
    assert kept == len(found) > 0
    assert list(found.values()) == sorted(found.values())
    assert max(found.values()) <= most
    for i, j in itertools.combinations(range(size), 2):
        join = join_of(paths, [combination[i], combination[j]])
        cover = sum(1 << k for k in range(size) if under(paths, join, combination[k]))
        enough = cover.bit_count() >= need.people and paths.loss[join].sum() <= most - 1e-9
        assert not enough or cover in found


def swept(task: tuple[Paths, Units, Need, Partition], threads: int, sweeps: int = 4) -> Partition:
    paths, units, need, part = task
    copy = part._replace(**{name: getattr(part, name).copy() for name in Partition._fields})
    generator = np.random.default_rng(1)
    keys = generator.integers(0, 2**63, size=paths.loss.size, dtype=np.uint64)
    with Team(Terrain(paths, units, need, copy), 20, threads) as team:
        for _ in range(sweeps):
            if not (classes := walks.dissolvable(copy)).size:
                break
            levels = walks.random_levels(paths, units, np.full(COLUMNS, HEIGHT), keys, generator)
            key = walks.keys_at(paths, levels, keys)
            team.sweep(walks.walk_of(units, copy, classes, key, generator))
    return copy


def test_after_sweeps_every_class_is_whole_and_the_number_of_threads_does_not_matter(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(walks, "PORTION", 10)
    monkeypatch.setattr(walks, "GROUP", 100)
    for seed in range(3):
        task = random_task(seed, 400)
        part = swept(task, 1)
        many = swept(task, 3)
        assert all(np.array_equal(getattr(part, name), getattr(many, name)) for name in Partition._fields)
        require_whole(task, part)
        assert (part.loss * part.weight).sum() < (task[3].loss * task[3].weight).sum()


def require_whole(task: tuple[Paths, Units, Need, Partition], part: Partition) -> None:
    """Every class has its name's unit, people enough and the loss of its join; who is in none was or may be so."""
    paths, units, need, before = task
    for q in np.unique(part.where[part.where >= 0]).tolist():
        members = np.flatnonzero(part.where == q)
        assert q in members
        assert part.number[q] == members.size
        assert part.weight[q] == units.weight[members].sum() >= need.people
        assert part.loss[q] == pytest.approx(paths.loss[join_of(paths, units.combination[members].tolist())].sum())
    assert not (part.number[np.setdiff1d(np.arange(part.number.size), part.where)] > 0).any()
    assert (units.homely | (part.where >= 0) | (before.where < 0)).all()


@examples(50)
@given(
    st.lists(st.integers(0, 3), min_size=1, max_size=80), st.lists(st.integers(0, 4), max_size=40), st.integers(1, 9)
)
def test_groups_hold_one_key_and_share_its_lenders(classes: list[int], lenders: list[int], most: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(walks, "PORTION", most)
        key = np.array(sorted(classes), dtype=np.uint64)
        group, begins = walks.portions(key)
    assert begins[0] == 0
    assert begins[-1] == key.size
    for g, (begin, end) in enumerate(itertools.pairwise(begins.tolist())):
        assert 0 < end - begin <= 2 * most
        assert (key[begin:end] == group[g]).all()
    lent = np.array(sorted(set(lenders) & set(classes)) * 2, dtype=np.uint64)
    lent.sort()
    require_shared(lent, group, walks.shared(lent, group))


def require_shared(lent: NDArray[np.uint64], group: NDArray[np.uint64], edges: IntArray) -> None:
    """Every lender is offered to one group, which has its key."""
    assert edges[0] == 0
    assert edges[-1] == lent.size
    for g, (begin, end) in enumerate(itertools.pairwise(edges.tolist())):
        assert begin <= end
        assert (lent[begin:end] == group[g]).all()


def random_census(generator: np.random.Generator, keys: int, alone: int = 0) -> Census:
    """Some people with one key, at least `alone` for each of the keys, others with several."""
    person = np.repeat(np.arange(keys), generator.integers(2, 6, keys))
    pairs = np.unique(generator.integers(0, keys, person.size) * keys + person)
    return Census(generator.integers(alone, 3, keys), pairs // keys, pairs % keys)


def peopled(census: Census, need: Need, population: IntArray) -> Units:
    """Every combination is a unit of one row, with the people of a census; those without any are bystanders.

    Only a population has bystanders: without one nobody is in a combination that has no rows.
    """
    weight = (census.counts() > 0).astype(np.int64)
    values = np.zeros(weight.size, dtype=np.uint64)
    everybody = population if need.population else population[:0]
    return Units(np.arange(weight.size), weight, crowd_of(census, need.people), everybody, values, weight == 0)


@examples(15)
@given(st.integers(0, 2**32 - 1), st.integers(1, 8), st.integers(0, 9), st.sampled_from([1, 2, 32]))
def test_a_board_counts_people_exactly(seed: int, least: int, fitted: int, places: int) -> None:
    """Short lists of places only make counts too low."""
    generator = np.random.default_rng(seed)
    paths, need = random_paths(generator, 90), Need(least, 0, fitted)
    census, population = random_census(generator, 90), generator.integers(0, 3, 90)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(crowds, "MOST_PLACES", places)
        units = peopled(census, need, population)
    member = generator.choice(90, UNITS, replace=False)
    size = int(generator.integers(1, UNITS + 1))
    board = new_board(COLUMNS, HEIGHT + 1)
    set_board(board, paths, units, member, size)
    for _ in range(20):
        chosen = generator.random(size) < generator.choice([0.03, 0.1, 0.5])
        word = np.uint64(sum(1 << i for i in np.flatnonzero(chosen).tolist()))
        keys = member[:size][chosen].tolist()
        truth = count(census, keys) >= least and int(population[keys].sum()) >= fitted
        found = bool(enough_on(board, seen_on(board, need), word))
        assert found == truth if places == 32 else found <= truth


@examples(10)
@given(st.integers(0, 2**32 - 1), st.integers(2, 6), st.integers(0, 9))
def test_every_class_suffices_at_the_start_and_after_sweeps(seed: int, least: int, fitted: int) -> None:
    generator = np.random.default_rng(seed)
    paths, need = random_paths(generator, 150), Need(least, 0, fitted)
    census, population = random_census(generator, 150, alone=0 if fitted else 1), generator.integers(1, 4, 150)
    units = peopled(census, need, population)
    before = link(paths, units, start(paths, units, need, np.full(COLUMNS, HEIGHT), seed))
    after = swept((paths, units, need, before), 1, 2)
    for where in (before.where, after.where, sent_home(paths, units, need, after.where)):
        classes = np.unique(where[where >= 0]).tolist()
        assert classes
        for q in classes:
            members = np.flatnonzero(where == q)
            assert units.weight[members].sum() > 0
            assert count(census, members.tolist()) >= least
            assert population[members].sum() >= fitted
    assert (units.homely | (after.where >= 0) | (before.where < 0)).all()
    assert (after.loss * after.weight).sum() <= (before.loss * before.weight).sum() + 1e-9


@examples(15)
@given(st.integers(0, 2**32 - 1), st.integers(1, 8))
def test_newcomers_add_up_to_the_people_of_a_class(seed: int, least: int) -> None:
    generator = np.random.default_rng(seed)
    census = random_census(generator, 40)
    crowd = crowd_of(census, least)
    rare = np.flatnonzero(census.counts() < least)
    where = np.full(40, -1, dtype=np.int64)
    total = 0
    for unit in generator.permutation(rare).tolist()[:10]:
        where[unit] = 0
        total += newcomers_of(crowd, unit, where)
    assert total == count(census, np.flatnonzero(where == 0).tolist())


def test_bystanders_that_are_not_needed_go_home() -> None:
    generator = np.random.default_rng(31)
    paths, need = random_paths(generator, 60), Need(1, 0, 12)
    weight = (np.arange(60) < 20).astype(np.int64)
    population = generator.integers(1, 3, 60)
    units = peopled(Census(weight), need, population)
    where = np.arange(60) % 4
    left = sent_home(paths, units, need, where)
    assert np.array_equal(left[weight > 0], where[weight > 0])
    for q in range(4):
        inside, gone = (np.flatnonzero((weight == 0) & (where == q) & ((left == q) == kept)) for kept in (True, False))
        fitted = int(population[left == q].sum())
        assert fitted >= need.population
        assert not inside.size or fitted - 2 < need.population
        rows = np.flatnonzero((where == q) & (weight > 0)).tolist()
        far = {i: paths.loss[join_of(paths, [*rows, i])].sum() for i in (*inside.tolist(), *gone.tolist())}
        assert max((far[i] for i in inside), default=0) <= min((far[i] for i in gone), default=np.inf) + 1e-12
    assert (left < 0).any()
