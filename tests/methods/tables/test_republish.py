"""Republication: m-invariance over random histories, judged by plain Python; as few counterfeits as a search allows.

Covers _republish/buckets, _republish/split, data/tables/republication, remembered_release.
"""

from collections import Counter
from dataclasses import dataclass, field
from itertools import product
from random import Random

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from tests.examples import examples

from tacit.attacks.tables._beliefs import OnColumn
from tacit.attacks.tables.intersection import intersect
from tacit.data.tables.adversary_view import AdversaryView, FittingClasses
from tacit.data.tables.hierarchy import Hierarchy
from tacit.data.tables.republication import EarlierReleases, NextRelease, RepublishedPeople
from tacit.data.tables.tally import Census, SensitiveTally, Tally
from tacit.errors import BadData, BadParameter, CannotGuarantee
from tacit.methods.tables._republish.eligibility import decompose, padded
from tacit.methods.tables._republish.exchange import Crowd, exchange, measure_spans
from tacit.methods.tables._republish.line import Line
from tacit.methods.tables._republish.regions import CLASSES, regions
from tacit.methods.tables.republish import republish
from tacit.randomness.stream import RandomBits
from tacit.runs.republication.labels import label_classes

AGE = Hierarchy.from_levels(
    "age",
    [[str(i) for i in range(16)], [f"q{i // 4}" for i in range(16)], [f"h{i // 8}" for i in range(16)], ["*"] * 16],
)
TOWN = Hierarchy.from_levels("town", [list("abcdef"), ["n", "n", "n", "s", "s", "s"], ["*"] * 6])
HIERARCHIES = (AGE, TOWN)

Person = tuple[int, int, int, int]
"""Name, value, age, town."""


@dataclass
class Told:
    """All that was published and is known in private: for each release the values of each class, and who was where."""

    classes: list[dict[int, list[int]]] = field(default_factory=list)
    homes: list[dict[int, int]] = field(default_factory=list)

    def violations(self, m: int) -> int:
        """How many classes and people break m-invariance."""
        broken = 0
        signatures: dict[int, set[frozenset[int]]] = {}
        for classes, homes in zip(self.classes, self.homes, strict=True):
            broken += sum(len(rows) < m or len(set(rows)) < len(rows) for rows in classes.values())
            for person, home in homes.items():
                signatures.setdefault(person, set()).add(frozenset(classes[home]))
        return broken + sum(len(found) > 1 for found in signatures.values())


def people_of(crowd: list[Person]) -> RepublishedPeople:
    table = np.array(sorted(crowd), dtype=np.int64).reshape(-1, 4)
    return RepublishedPeople(table[:, 0], table[:, 1], table[:, 2:].T.copy(), HIERARCHIES, np.array([0.5, 0.5]))


def tell(told: Told, people: RepublishedPeople, made: NextRelease) -> None:
    rows: dict[int, list[int]] = {}
    for class_, value in zip(*(part.tolist() for part in made.published()), strict=True):
        rows.setdefault(class_, []).append(value)
    told.classes.append(rows)
    told.homes.append(dict(zip(people.names.tolist(), made.class_.tolist(), strict=True)))


def require_covered(people: RepublishedPeople, made: NextRelease) -> None:
    """Each class shows the least label over its people, and a row with the value of each."""
    labels = label_classes(people, made, (0, 0))
    rows: dict[int, list[int]] = {}
    for class_, value in zip(*(part.tolist() for part in made.published()), strict=True):
        rows.setdefault(class_, []).append(value)
    assert set(rows) == set(made.class_.tolist()) == set(range(made.classes))
    for class_, values in rows.items():
        mine = np.flatnonzero(made.class_ == class_)
        own = people.value[mine].tolist()
        assert len(set(own)) == len(own)
        assert set(own) <= set(values)
        assert made.counterfeits[class_] == len(values) - len(own)
        for hierarchy, leaves, shown in zip(HIERARCHIES, people.leaves, labels, strict=True):
            paths = [{hierarchy.labels_at(at)[leaf] for leaf in leaves[mine]} for at in range(hierarchy.height + 1)]
            least = next(at for at, found in enumerate(paths) if len(found) == 1)
            assert {shown.texts[shown.codes[class_]]} == paths[least]


def eligible(crowd: list[Person], m: int) -> bool:
    return bool(crowd) and max(Counter(person[1] for person in crowd).values()) * m <= len(crowd)


def random_histories(seed: int, values: int) -> list[list[Person]]:
    """Up to five states: people come, leave, and sometimes come back."""
    random = Random(seed)
    pool = [(name, random.randrange(values), random.randrange(16), random.randrange(6)) for name in range(60)]
    states = [random.sample(pool, random.randint(2, 40))]
    for _ in range(random.randint(0, 4)):
        left = random.sample(states[-1], random.randint(0, len(states[-1])))
        come = random.sample(pool, random.randint(0, 20))
        states.append(sorted({*left, *come}))
    return states


@pytest.mark.slow
@given(seed=st.integers(0, 2**20), m=st.integers(2, 4), values=st.integers(2, 7))
@examples(120)
def test_every_history_is_m_invariant_and_covers_its_people(seed: int, m: int, values: int) -> None:
    earlier, told, bits = EarlierReleases.begin(), Told(), RandomBits.from_seed(seed)
    for crowd in random_histories(seed, values):
        if not eligible(crowd, m):
            with pytest.raises((CannotGuarantee, BadParameter)):
                republish(earlier, people_of(crowd), m, bits, 3)
            continue
        people = people_of(crowd)
        made = republish(earlier, people, m, bits, 3)
        require_covered(people, made)
        tell(told, people, made)
        earlier = made.after
    assert told.violations(m) == 0


def test_w10_a_counterfeit_fills_the_gap_and_is_counted() -> None:
    """Of {a, b} the one with b leaves; c and d come. Nobody has b, so one row of the first class is a counterfeit."""
    bits = RandomBits.from_seed(1)
    first = republish(EarlierReleases.begin(), people_of([(1, 0, 3, 0), (2, 1, 4, 0)]), 2, bits)
    assert first.counterfeits.tolist() == [0]
    today = people_of([(1, 0, 3, 0), (3, 2, 5, 1), (4, 3, 6, 1)])
    second = republish(first.after, today, 2, bits)
    told = Told()
    tell(told, today, second)
    assert sorted(map(sorted, told.classes[0].values())) == [[0, 1], [2, 3]]
    assert sorted(told.classes[0][told.homes[0][1]]) == [0, 1]
    assert second.counterfeits[told.homes[0][1]] == 1
    assert second.counterfeits.sum() == 1


def test_w10_somebody_new_takes_the_place_of_a_counterfeit() -> None:
    bits = RandomBits.from_seed(1)
    first = republish(EarlierReleases.begin(), people_of([(1, 0, 3, 0), (2, 1, 4, 0)]), 2, bits)
    second = republish(first.after, people_of([(1, 0, 3, 0), (5, 1, 9, 5)]), 2, bits)
    assert second.classes == 1
    assert second.counterfeits.sum() == 0


@pytest.mark.slow
def test_somebody_who_comes_back_stands_under_the_old_signature() -> None:
    bits = RandomBits.from_seed(2)
    crowd = [(1, 0, 3, 0), (2, 1, 4, 0), (3, 2, 4, 0), (4, 3, 4, 0)]
    earlier, told = EarlierReleases.begin(), Told()
    for present in ([0, 1], [2, 3], [0, 2], [0, 1, 2, 3]):
        people = people_of([crowd[i] for i in present])
        made = republish(earlier, people, 2, bits)
        tell(told, people, made)
        earlier = made.after
    assert told.violations(2) == 0
    assert sorted(told.classes[2][told.homes[2][1]]) == [0, 1]


def fewest_rows(earlier: EarlierReleases, people: RepublishedPeople, m: int) -> int:
    """The fewest rows that any placing needs: every new person under every signature that has its value, or apart.

    Those apart need m rows for each of their most frequent value, and a row each.
    """
    known = earlier.find(people)
    held = [Counter[int]() for _ in earlier.signatures]
    for person, value in zip(known.tolist(), people.value.tolist(), strict=True):
        if person >= 0:
            held[earlier.signature[person]][value] += 1
    new = people.value[known < 0].tolist()
    options = [[i for i, sig in enumerate(earlier.signatures) if value in sig] + [-1] for value in new]
    best = 10**9
    for places in product(*options):
        counts = [Counter(each) for each in held]
        apart: Counter[int] = Counter()
        for value, place in zip(new, places, strict=True):
            (apart if place < 0 else counts[place])[value] += 1
        rows = sum(len(sig) * max(c.values(), default=0) for sig, c in zip(earlier.signatures, counts, strict=True))
        best = min(best, rows + max(apart.total(), m * max(apart.values(), default=0)))
    return best


@given(seed=st.integers(0, 2**20), m=st.integers(2, 3))
@examples(60)
def test_no_placing_needs_fewer_counterfeits(seed: int, m: int) -> None:
    random = Random(seed)
    pool = [(name, random.randrange(5), random.randrange(16), random.randrange(6)) for name in range(16)]
    before = pool[: random.randint(m, 10)]
    today = random.sample(before, random.randint(0, len(before))) + pool[10 : random.randint(10, 15)]
    assume(eligible(before, m) and eligible(today, m))
    bits = RandomBits.from_seed(seed)
    earlier = republish(EarlierReleases.begin(), people_of(before), m, bits, 0).after
    people = people_of(today)
    made = republish(earlier, people, m, bits, 0)
    assert int(made.rows.sum()) == fewest_rows(earlier, people, m)


@pytest.mark.slow
@given(counts=st.lists(st.integers(0, 12), min_size=2, max_size=8), m=st.integers(2, 5), seed=st.integers(0, 999))
@examples(200)
def test_counts_fall_into_signatures_of_at_least_m_values(counts: list[int], m: int, seed: int) -> None:
    assume(len(counts) >= m and any(counts))
    full = padded(np.array(counts), m, np.arange(len(counts)))
    assert full.sum() == max(sum(counts), m * max(counts))
    assert (full >= counts).all()
    random = Random(seed)
    known = [tuple(sorted(random.sample(range(len(counts)), random.randint(m, len(counts))))) for _ in range(3)]
    used = np.zeros(len(counts), dtype=np.int64)
    for signature, classes in decompose(full, m, known):
        assert classes > 0
        assert len(set(signature)) == len(signature) >= m
        used[list(signature)] += classes
    assert used.tolist() == full.tolist()


def crowd_of(size: int, values: int, seed: int) -> list[Person]:
    random = Random(seed)
    return [(i, random.randrange(values), random.randrange(16), random.randrange(6)) for i in range(size)]


def lines_of(people: RepublishedPeople) -> list[Line]:
    return [Line.of(h, leaves, 0.5) for h, leaves in zip(people.hierarchies, people.leaves, strict=True)]


def test_a_line_meets_where_the_hierarchy_does() -> None:
    line = Line.of(AGE, np.arange(16), 1.0)
    low, high = (part.ravel() for part in np.indices((16, 16)))
    levels = [
        next(at for at in range(4) if AGE.codes[at, a] == AGE.codes[at, b]) for a, b in zip(low, high, strict=True)
    ]
    assert line.meet(line.place[low], line.place[high]).tolist() == levels
    expected = [AGE.cell_loss[at, a] for at, a in zip(levels, low, strict=True)]
    assert line.cost(line.place[low], line.place[high]).tolist() == expected


def test_regions_are_eligible_and_large_and_more_than_one() -> None:
    m = 3
    people = people_of(crowd_of(2000, 6, 5))
    region = regions(lines_of(people), people.value, m)
    assert region.max() >= 3
    for q in range(region.max() + 1):
        counts = np.bincount(people.value[region == q])
        assert counts.max() * m <= counts.sum()
        assert counts.sum() >= CLASSES * m


def loss_of(people: RepublishedPeople, class_: np.ndarray) -> float:
    total = 0.0
    for line in lines_of(people):
        for q in np.unique(class_):
            places = line.place[class_ == q]
            total += places.size * float(line.cost(np.array([places.min()]), np.array([places.max()]))[0])
    return total


def test_exchange_keeps_values_and_signatures_and_never_loses_more() -> None:
    people = people_of(crowd_of(300, 4, 7))
    made = republish(EarlierReleases.begin(), people, 2, RandomBits.from_seed(3), 0)
    free = np.arange(people.value.size) % 2 == 0
    crowd = Crowd(made.class_, people.value, made.signature, free)
    losses = [loss_of(people, made.class_)]
    for sweeps in (1, 5, 30):
        moved = exchange(lines_of(people), crowd, sweeps, RandomBits.from_seed(4))
        held = sorted(zip(moved.tolist(), people.value.tolist(), strict=True))
        assert held == sorted(zip(made.class_.tolist(), people.value.tolist(), strict=True))
        assert (made.signature[moved] == made.signature[made.class_])[~free].all()
        losses.append(loss_of(people, moved))
    assert losses[0] >= losses[1]
    assert losses[3] < losses[0]


def test_spans_without_a_person() -> None:
    place, class_ = np.array([[3, 7, 7, 1, 5]]), np.array([0, 0, 0, 1, 1])
    spans = measure_spans(place, class_)
    assert spans.rest_low.tolist() == [[7, 3, 3, 5, 1]]
    assert spans.rest_high.tolist() == [[7, 7, 7, 5, 1]]
    assert measure_spans(np.array([[4]]), np.array([0])).rest_low.tolist() == [[4]]


def test_what_breaks_the_model_is_refused() -> None:
    bits = RandomBits.from_seed(1)
    first = republish(EarlierReleases.begin(), people_of([(1, 0, 3, 0), (2, 1, 4, 0)]), 2, bits)
    with pytest.raises(BadData, match="1 person has a different sensitive value from that in an earlier release"):
        republish(first.after, people_of([(1, 1, 3, 0), (3, 0, 4, 0)]), 2, bits)
    with pytest.raises(BadData, match=r"; m-uniqueness protects values that stay\."):
        first.after.find(people_of([(1, 1, 3, 0)]), "m-uniqueness")
    with pytest.raises(BadData, match="some have several"):
        republish(EarlierReleases.begin(), people_of([(1, 0, 3, 0), (1, 1, 4, 0)]), 2, bits)
    with pytest.raises(CannotGuarantee, match=r"belongs to 3 of 5 people; classes of 2 .* at most 2 \(5 / 2\)"):
        republish(EarlierReleases.begin(), people_of([(i, int(i < 2), 3, 0) for i in range(5)]), 2, bits)
    with pytest.raises(BadParameter, match="m is 1; it must be at least 2"):
        republish(EarlierReleases.begin(), people_of([(1, 0, 3, 0)]), 1, bits)
    with pytest.raises(BadParameter, match="nobody"):
        republish(EarlierReleases.begin(), people_of([]), 2, bits)


def shown(people: RepublishedPeople, made: NextRelease) -> Tally:
    """The release as an adversary reads it, a class for each number."""
    labels = label_classes(people, made, (0, 0))
    class_, value = made.published()
    cells = Census(np.ones(value.size, dtype=np.int64))
    secret = SensitiveTally("s", tuple("uvwxyz"), class_, value, cells, np.bincount(value, minlength=6))
    codes = np.array([one.codes for one in labels], dtype=np.int32)
    return Tally(
        ("age", "town"), tuple(one.texts for one in labels), codes, made.rows, Census(made.rows), {"s": secret}
    )


def known_to_all(stayed: list[Person]) -> Tally:
    """The true rows of some people, each a combination of its own."""
    table = np.array(stayed, dtype=np.int64)
    one, each = np.ones(len(stayed), dtype=np.int64), np.arange(len(stayed))
    secret = SensitiveTally("s", tuple("uvwxyz"), each, table[:, 1], Census(one), np.bincount(table[:, 1], minlength=6))
    values = tuple(hierarchy.leaves for hierarchy in HIERARCHIES)
    return Tally(("age", "town"), values, table[:, 2:].T.astype(np.int32), one, Census(one), {"s": secret})


@pytest.mark.slow
@pytest.mark.parametrize("memory", [True, False])
def test_the_naive_twin_without_memory_is_caught_by_checker_and_attack(memory: bool) -> None:
    """The adversary knows in which class each person stands; without memory the common values become fewer than m."""
    m, bits = 2, RandomBits.from_seed(11)
    everybody = crowd_of(180, 6, 13)
    states = [everybody[i * 10 : i * 10 + 120] for i in range(6)]
    stayed = sorted(set.intersection(*map(set, states)))
    known = known_to_all(stayed)
    earlier, told, views = EarlierReleases.begin(), Told(), []
    for crowd in states:
        people = people_of(crowd)
        made = republish(earlier if memory else EarlierReleases.begin(), people, m, bits)
        earlier = made.after
        tell(told, people, made)
        home = made.class_[np.searchsorted(people.names, [person[0] for person in stayed])]
        views.append(
            AdversaryView(
                known, shown(people, made), FittingClasses(home, np.arange(made.classes + 1), np.arange(made.classes))
            )
        )
    found = intersect(views, OnColumn())
    assert found.targets == len(stayed) == 70
    assert (told.violations(m) == 0) is memory
    assert (found.hits == 0) if memory else (found.rate > 1 / m)
