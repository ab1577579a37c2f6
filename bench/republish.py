"""Republication of Adult under m-invariance: counterfeits, and what intersecting twenty releases gives away."""

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import mean
from time import process_time

import numpy as np

from bench.adult import COLUMNS
from bench.section import Section
from tacit.arrays import IntArray
from tacit.attacks.tables._beliefs import OnColumn
from tacit.attacks.tables.intersection import intersect
from tacit.data.tables.adversary_view import AdversaryView, FittingClasses, view_of
from tacit.data.tables.hierarchies.files import FileSpec
from tacit.data.tables.hierarchies.spec import build_hierarchy
from tacit.data.tables.labels import stands_for
from tacit.data.tables.republication import EarlierReleases, NextRelease, RepublishedPeople
from tacit.data.tables.tally import Census, SensitiveTally, Tally
from tacit.methods.tables.republish import republish
from tacit.randomness.stream import RandomBits
from tacit.runs.republication.labels import label_classes

SECRET = "occupation"
QUASI = tuple(name for name in COLUMNS if name != SECRET)
SIZES = (2, 3, 4, 5, 6, 7)
RELEASES = 20
PEOPLE = 10_400
TURNOVER = PEOPLE // 10
HEADER = (
    "m", "counterfeits, mean", "most", "violations", "loss, first", "last", "signatures",
    "guessed", "1/m", "certain", "without memory: violations", "guessed", "certain", "certain by labels",
    "CPU s a release",
)  # fmt: skip
REMARK = (
    f"{RELEASES} releases of {PEOPLE:,} people of Adult, eight quasi-identifiers, {SECRET} sensitive; in each "
    f"{TURNOVER:,} people leave at random and as many new people come. Counterfeits are rows of one release. "
    "Violations: people whose set of values differs between releases, found by plain Python in the benchmark. The "
    "adversary targets the people who are in all releases, knows their class in each, and keeps the values that all "
    "these classes share: `guessed` is the rate of picking one of them at random, `certain` the share "
    "of people of whom one value is left (`attacks/tables/intersection`). `Without memory` is the same method started "
    "afresh for each release, each m-unique by itself; `by labels` is an adversary who does not know the classes and "
    "takes all whose labels fit."
)


@dataclass(frozen=True, eq=False)
class Adult:
    """The whole table."""

    everybody: RepublishedPeople
    values: tuple[str, ...]

    def taken(self, names: IntArray) -> RepublishedPeople:
        whole = self.everybody
        return RepublishedPeople(names, whole.value[names], whole.leaves[:, names], whole.hierarchies, whole.weights)


@dataclass(frozen=True, eq=False)
class History:
    """All releases, with the people of each."""

    people: list[RepublishedPeople]
    made: list[NextRelease]
    seconds: float


def measure(data: Path) -> Section | None:
    """All sizes, with and without memory."""
    folder = data / "tables" / "adult"
    if not folder.exists():
        return None
    adult = _read(folder.resolve())
    rows = [_row(adult, m) for m in SIZES]
    return Section("republish", "Republication under m-invariance", HEADER, rows, (REMARK,))


def _read(folder: Path) -> Adult:
    with (folder / "adult.csv").open(newline="", encoding="utf-8") as file:
        cells = list(csv.DictReader(file, delimiter=";"))
    hierarchies, leaves = [], []
    for name in QUASI:
        texts = [row[name] for row in cells]
        spec = FileSpec(file=f"adult_hierarchy_{name}.csv")
        hierarchies.append(build_hierarchy(name, spec, tuple(sorted(set(texts))), folder))
        leaves.append(hierarchies[-1].place(texts).astype(np.int64))
    values, value = np.unique([row[SECRET] for row in cells], return_inverse=True)
    weights = np.full(len(QUASI), 1 / len(QUASI))
    everybody = RepublishedPeople(np.arange(len(cells)), value, np.array(leaves), tuple(hierarchies), weights)
    return Adult(everybody, tuple(values.tolist()))


def _states() -> Iterator[IntArray]:
    """Who is there in each release, in rising order."""
    chance = np.random.default_rng(7)
    waiting = chance.permutation(PEOPLE + (RELEASES - 1) * TURNOVER)
    there, waiting = waiting[:PEOPLE], waiting[PEOPLE:]
    for _ in range(RELEASES):
        yield np.sort(there)
        there = np.concatenate([chance.permutation(there)[TURNOVER:], waiting[:TURNOVER]])
        waiting = waiting[TURNOVER:]


def _publish(adult: Adult, m: int, memory: bool) -> History:
    earlier, bits = EarlierReleases.begin(), RandomBits.from_seed(m)
    people, made = [], []
    begin = process_time()
    for names in _states():
        people.append(adult.taken(names))
        made.append(republish(earlier if memory else EarlierReleases.begin(), people[-1], m, bits))
        earlier = made[-1].after
    return History(people, made, process_time() - begin)


def _row(adult: Adult, m: int) -> list[str]:
    kept, naive = _publish(adult, m, True), _publish(adult, m, False)
    counterfeits = [int(one.counterfeits.sum()) for one in kept.made]
    losses = [_loss(kept.people[i], kept.made[i]) for i in (0, -1)]
    broken, broken_naive = _violations(kept, m), _violations(naive, m)
    guessed, certain = _intersected(adult, kept)
    guessed_naive, certain_naive = _intersected(adult, naive)
    by_labels = _by_labels(adult, naive)
    assert broken == 0
    assert certain == 0
    # A mean of many times 1/m may be off in its last digit.
    assert guessed <= 1 / m + 1e-12 < guessed_naive
    return [
        str(m), f"{mean(counterfeits):.1f}", str(max(counterfeits)), str(broken),
        f"{losses[0]:.3f}", f"{losses[1]:.3f}",
        str(len(kept.made[-1].after.signatures)), f"{guessed:.3f}", f"{1 / m:.3f}", f"{certain:.3f}",
        f"{broken_naive:,}", f"{guessed_naive:.3f}", f"{certain_naive:.3f}", f"{by_labels:.3f}",
        f"{kept.seconds / RELEASES:.1f}",
    ]  # fmt: skip


def _loss(people: RepublishedPeople, made: NextRelease) -> float:
    """The loss of the people's own rows."""
    labels = label_classes(people, made, (0,) * len(QUASI))
    cells = [
        (one.leaves[one.codes[made.class_]] - 1).mean() / (len(hierarchy.leaves) - 1)
        for one, hierarchy in zip(labels, people.hierarchies, strict=True)
    ]
    return float(np.mean(cells))


def _violations(history: History, m: int) -> int:
    """People with several signatures; every class has m rows with different values, found by plain Python."""
    signatures: dict[int, set[frozenset[int]]] = {}
    for people, made in zip(history.people, history.made, strict=True):
        classes: dict[int, list[int]] = {}
        for class_, value in zip(*(part.tolist() for part in made.published()), strict=True):
            classes.setdefault(class_, []).append(value)
        assert all(len(values) == len(set(values)) >= m for values in classes.values())
        for name, value, home in zip(people.names.tolist(), people.value.tolist(), made.class_.tolist(), strict=True):
            assert value in classes[home]
            signatures.setdefault(name, set()).add(frozenset(classes[home]))
    return sum(len(found) > 1 for found in signatures.values())


def _stayed(history: History) -> IntArray:
    """Who is in all releases."""
    there = history.people[0].names
    for people in history.people[1:]:
        there = np.intersect1d(there, people.names)
    return there


def _intersected(adult: Adult, history: History) -> tuple[float, float]:
    """How often a value is guessed right by somebody who knows everybody's classes, and how often it is certain."""
    stayed = _stayed(history)
    known = _known(adult, stayed)
    left = np.ones((stayed.size, len(adult.values)), dtype=np.bool_)
    views = []
    for people, made in zip(history.people, history.made, strict=True):
        class_, value = made.published()
        shows = np.zeros((made.classes, len(adult.values)), dtype=np.bool_)
        shows[class_, value] = True
        home = made.class_[np.searchsorted(people.names, stayed)]
        left &= shows[home]
        fit = FittingClasses(home, np.arange(made.classes + 1), np.arange(made.classes))
        views.append(AdversaryView(known, _shown(adult, people, made), fit))
    return float((1 / left.sum(axis=1)).mean()), intersect(views, OnColumn()).rate


def _by_labels(adult: Adult, history: History) -> float:
    """How often a value is certain to somebody who takes all classes whose labels fit a person."""
    known = _known(adult, _stayed(history))
    views = []
    for people, made in zip(history.people, history.made, strict=True):
        shown = _shown(adult, people, made)
        pairs = zip(people.hierarchies, shown.values, strict=True)
        views.append(view_of(known, shown, [stands_for(one, one.leaves, texts) for one, texts in pairs]))
    return intersect(views, OnColumn()).rate


def _known(adult: Adult, names: IntArray) -> Tally:
    """The true rows of these people, each a combination of its own."""
    people, one = adult.taken(names), np.ones(names.size, dtype=np.int64)
    reference = np.bincount(people.value, minlength=len(adult.values))
    secret = SensitiveTally(SECRET, adult.values, np.arange(names.size), people.value, Census(one), reference)
    leaves = tuple(hierarchy.leaves for hierarchy in people.hierarchies)
    return Tally(QUASI, leaves, people.leaves.astype(np.int32), one, Census(one), {SECRET: secret})


def _shown(adult: Adult, people: RepublishedPeople, made: NextRelease) -> Tally:
    """The release as it is read."""
    labels = label_classes(people, made, (0,) * len(QUASI))
    class_, value = made.published()
    reference = np.bincount(value, minlength=len(adult.values))
    one = Census(np.ones(value.size, dtype=np.int64))
    secret = SensitiveTally(SECRET, adult.values, class_, value, one, reference)
    codes = np.array([each.codes for each in labels], dtype=np.int32)
    texts = tuple(each.texts for each in labels)
    return Tally(QUASI, texts, codes, made.rows, Census(made.rows), {SECRET: secret})
