"""What a release tells about secrets: entropies, best guesses, leaks, against plain Python over classes; W4, W9.

Covers adversary_entropy, estimation_error, leaked_information, relative_entropy, success_rate, tables/_secrets.
"""

from dataclasses import replace
from fractions import Fraction
from math import log2

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st
from tests.examples import examples
from tests.metrics.tables.secret_worlds import (
    SECRET,
    VALUES,
    SecretWorld,
    classes_of,
    distance,
    expected,
    patients,
    prior_of,
    secret_publication,
    secret_worlds,
    shares_of,
    untouched,
)
from tests.metrics.tables.worlds import World, all_suppressed, node, one_row, publication, worlds

from tacit.catalogue import find_metric
from tacit.data.tables.tally import Census, SensitiveTally, Tally
from tacit.errors import BadData, BadParameter
from tacit.metrics.tables.adversary_entropy import SoughtSecret, measure_entropy
from tacit.metrics.tables.estimation_error import Guess, measure_error
from tacit.metrics.tables.leaked_information import Secret, measure_leak
from tacit.metrics.tables.relative_entropy import measure_divergence
from tacit.metrics.tables.success_rate import measure_success

KINDS = ("equal", "numeric", "ordered", "hierarchical")


def entropy(shares: dict[str, Fraction]) -> float:
    return float(scipy.stats.entropy([float(share) for share in shares.values()], base=2))


def mean(one: SecretWorld, of_class: dict, of_suppressed: float) -> float:
    """The mean over all entries of a number for each class."""
    classes = classes_of(one)
    total = sum(float(sum(counts.values())) for counts in classes.values())
    numbers = {name: of_suppressed if name is None else of_class[name] for name in classes}
    return sum(float(sum(counts.values())) * numbers[name] for name, counts in classes.items()) / total


@examples(30)
@given(st.one_of(secret_worlds(), secret_worlds(split=True)))
def test_the_entropy_about_a_secret_is_the_mean_of_the_classes(one: SecretWorld) -> None:
    of_class = {name: entropy(shares_of(counts)) for name, counts in classes_of(one).items()}
    prior = entropy(prior_of(one))
    found = measure_entropy(secret_publication(one), SoughtSecret(column=SECRET))
    assert found.value == pytest.approx(mean(one, of_class, prior), abs=1e-12)
    assert found.per_column == {SECRET: found.value}
    lowest = min([prior, *(number for name, number in of_class.items() if name is not None)])
    assert found.details == pytest.approx({"lowest": lowest, "baseline": prior}, abs=1e-12)


@examples(30)
@given(worlds(persons=True, split=False))
def test_identity_is_hidden_among_the_people_of_the_class(world: World) -> None:
    assert world.persons is not None
    classes: dict = {}
    for i, (row, person) in enumerate(zip(world.rows, world.persons, strict=True)):
        texts = world.texts(i)
        classes.setdefault(texts, set()).add((row, person) if texts is None else person)
    sizes = [len(people) for people in classes.values()]
    found = measure_entropy(publication(world), SoughtSecret())
    assert found.value == pytest.approx(sum(size * log2(size) for size in sizes) / sum(sizes))
    assert found.details == pytest.approx({"lowest": log2(min(sizes)), "baseline": log2(sum(sizes))})
    rate = measure_success(publication(world), SoughtSecret())
    assert rate.value == pytest.approx(sum(size * (1 / size) for size in sizes) / sum(sizes))
    assert rate.details == pytest.approx({"highest": 1 / min(sizes), "baseline": 1 / sum(sizes)})


@examples(30)
@given(st.one_of(secret_worlds(), secret_worlds(split=True)))
def test_the_best_guess_hits_the_most_frequent_value(one: SecretWorld) -> None:
    prior, classes = prior_of(one), classes_of(one)
    hits = sum(max(counts.values()) for name, counts in classes.items() if name is not None)
    usual = [value for value in VALUES if prior[value] == max(prior.values())]
    hidden = {classes[None][value] if None in classes else Fraction(0) for value in usual}
    found = measure_success(secret_publication(one), SoughtSecret(column=SECRET))
    rows = len(one.secrets)
    assert any(found.value == pytest.approx(float(hits + extra) / rows) for extra in hidden)
    assert found.details["baseline"] == pytest.approx(float(max(prior.values())))
    error = measure_error(secret_publication(one), Guess(column=SECRET))
    assert error.value == pytest.approx(1 - found.value)


@examples(30)
@given(secret_worlds(), st.sampled_from(KINDS))
def test_the_error_is_that_of_the_best_of_all_guesses(one: SecretWorld, kind: str) -> None:
    prior, classes = prior_of(one), classes_of(one)
    best = {name: min(expected(kind, guess, shares_of(counts)) for guess in VALUES) for name, counts in classes.items()}
    blind = min(expected(kind, guess, prior) for guess in VALUES)
    guesses = [guess for guess in VALUES if expected(kind, guess, prior) == blind]
    hidden = [expected(kind, guess, shares_of(classes[None])) if None in classes else Fraction(0) for guess in guesses]
    of_class = {name: float(error) for name, error in best.items()}
    found = measure_error(secret_publication(one), Guess(distance=kind))
    assert any(found.value == pytest.approx(mean(one, of_class, float(extra)), abs=1e-12) for extra in hidden)
    assert found.details["baseline"] == pytest.approx(float(blind), abs=1e-12)
    known = [float(blind), *(number for name, number in of_class.items() if name is not None)]
    assert found.details["lowest"] == pytest.approx(min(known), abs=1e-12)


def test_the_distances_of_the_oracle_are_metrics() -> None:
    for kind in KINDS:
        for a in VALUES:
            for b in VALUES:
                assert 0 <= distance(kind, a, b) == distance(kind, b, a) <= 1
                assert (distance(kind, a, b) == 0) == (a == b)


@examples(30)
@given(st.one_of(secret_worlds(), secret_worlds(split=True)))
def test_relative_entropy_and_leak_are_those_of_the_classes(one: SecretWorld) -> None:
    prior, published = prior_of(one), secret_publication(one)
    of_class = {}
    for name, counts in classes_of(one).items():
        shares = shares_of(counts)
        pairs = [(float(shares.get(value, 0)), float(prior[value])) for value in VALUES if prior[value]]
        of_class[name] = float(scipy.stats.entropy(*zip(*pairs, strict=True), base=2))
    leaked = mean(one, of_class, 0.0)
    assert measure_leak(published, Secret()).value == pytest.approx(leaked, abs=1e-12)
    furthest = max([0.0, *(number for name, number in of_class.items() if name is not None)])
    found = measure_divergence(published, Secret())
    assert found.value == pytest.approx(furthest, abs=1e-12)
    assert found.details["mean"] == pytest.approx(leaked, abs=1e-12)


@examples(30)
@given(secret_worlds(suppress=False))
def test_leaked_information_is_what_the_entropy_loses(one: SecretWorld) -> None:
    published = secret_publication(one)
    lost = measure_entropy(published, SoughtSecret(column=SECRET))
    found = measure_leak(published, Secret())
    assert found.value == pytest.approx(lost.details["baseline"] - lost.value, abs=1e-12)
    assert found.details["entropy"] == lost.details["baseline"]
    assert -1e-12 <= found.details["share"] <= 1 + 1e-12


@examples(30)
@given(secret_worlds())
def test_coarser_classes_never_tell_more(one: SecretWorld) -> None:
    """Merging all classes into one: data processing."""
    paths = one.world.paths
    roots = tuple(node(p, p[0][0], len(p[0]) - 1) for p in paths)
    coarse = secret_publication(replace(one, world=replace(one.world, published=[roots] * len(one.secrets))))
    raw = secret_publication(untouched(one))
    assert measure_leak(coarse, Secret()).value == pytest.approx(0, abs=1e-12)
    assert measure_leak(raw, Secret()).value >= -1e-12
    for distance_ in KINDS:
        params = Guess(distance=distance_)
        blind = measure_error(coarse, params)
        assert blind.value == pytest.approx(blind.details["baseline"], abs=1e-12)
        assert measure_error(raw, params).value <= blind.value + 1e-12
    guessed = measure_success(coarse, SoughtSecret(column=SECRET))
    assert guessed.value == pytest.approx(guessed.details["baseline"])
    assert measure_success(raw, SoughtSecret(column=SECRET)).value >= guessed.value - 1e-12


@examples(30)
@given(secret_worlds(persons=True))
def test_people_with_several_rows_count_once_in_a_class(one: SecretWorld) -> None:
    world = one.world
    assert world.persons is not None
    entries = set()
    for i, (row, person, value) in enumerate(zip(world.rows, world.persons, one.secrets, strict=True)):
        texts = world.texts(i)
        entries.add((row if texts is None else None, texts, person, value))
    people = {(person, value) for person, value in zip(world.persons, one.secrets, strict=True)}
    prior = {v: Fraction(sum(value == v for _, value in people), len(people)) for v in VALUES}
    total = 0.0
    for texts in {entry[1] for entry in entries}:
        counts = [sum(entry[1] == texts and entry[3] == value for entry in entries) for value in VALUES]
        bits = entropy(prior) if texts is None else float(scipy.stats.entropy(counts, base=2))
        total += sum(counts) * bits
    found = measure_entropy(secret_publication(one), SoughtSecret(column=SECRET))
    assert found.value == pytest.approx(total / len(entries), abs=1e-12)


def counted_release(one: SecretWorld) -> Tally:
    """The released table as it reads: each class with the secrets of its own rows."""
    texts = [one.world.texts(i) for i in range(len(one.secrets))]
    classes = sorted({text for text in texts if text is not None})
    cells = sorted(
        {(classes.index(t), VALUES.index(v)) for t, v in zip(texts, one.secrets, strict=True) if t is not None}
    )
    counts = [
        sum(t == classes[c] and VALUES.index(v) == value for t, v in zip(texts, one.secrets, strict=True))
        for c, value in cells
    ]
    rows = np.array([texts.count(text) for text in classes], dtype=np.int64)
    part = SensitiveTally(
        SECRET,
        VALUES,
        np.array([cell[0] for cell in cells], dtype=np.int64),
        np.array([cell[1] for cell in cells], dtype=np.int64),
        Census(np.array(counts, dtype=np.int64)),
        np.array([one.secrets.count(value) for value in VALUES], dtype=np.int64),
    )
    values = tuple(tuple(sorted({text[c] for text in classes})) for c in range(len(one.world.columns)))
    codes = [[values[c].index(text[c]) for text in classes] for c in range(len(values))]
    shaped = np.array(codes, dtype=np.int32).reshape(len(values), len(classes))
    return Tally(one.world.columns, values, shaped, rows, Census(rows), {SECRET: part})


@examples(30)
@given(secret_worlds(split=True, suppress=False))
def test_a_release_that_was_counted_tells_whose_secrets_went_where(one: SecretWorld) -> None:
    published = replace(secret_publication(one), counted=counted_release(one))
    texts = [one.world.texts(i) for i in range(len(one.secrets))]
    hits = 0
    for text in set(texts):
        mine = [v for t, v in zip(texts, one.secrets, strict=True) if t == text]
        hits += max(mine.count(v) for v in mine)
    assert measure_success(published, SoughtSecret(column=SECRET)).value == pytest.approx(hits / len(texts))


def test_w4_the_class_of_cancer_tells_all() -> None:
    published = secret_publication(patients())
    found = measure_entropy(published, SoughtSecret(column=SECRET))
    # Heart, heart, flu, flu: 1 bit. Cancer, heart, flu, flu: 1.5 bits. Cancer four times: none.
    assert (found.value, found.details["lowest"]) == pytest.approx(((1 + 1.5 + 0) / 3, 0))
    guessed = measure_success(published, SoughtSecret(column=SECRET))
    assert (guessed.value, guessed.details["highest"]) == pytest.approx(((2 + 2 + 4) / 12, 1))
    assert measure_error(published, Guess()).value == pytest.approx(4 / 12)
    assert measure_entropy(published, SoughtSecret()).value == pytest.approx(2)
    assert measure_success(published, SoughtSecret()).value == pytest.approx(1 / 4)
    # Heart 3, flu 4, cancer 5 of 12.
    prior = sum(n / 12 * log2(12 / n) for n in (3, 4, 5))
    assert measure_leak(published, Secret()).value == pytest.approx(prior - (1 + 1.5 + 0) / 3)
    assert measure_divergence(published, Secret()).value == pytest.approx(log2(12 / 5))


def test_w9_a_class_of_half_positives_lifts_the_belief() -> None:
    """A thousand rows with 1 % positive; a class of two holds one of them."""
    paths = [["a0", "*"], ["a1", "*"]]
    cells = (node(paths, "a0", 0),), (node(paths, "a1", 0),)
    rows = [("a0",), ("a0",)] + [("a1",)] * 998
    secrets = ["1", "2"] + ["1"] * 9 + ["2"] * 989
    one = SecretWorld(World(("a",), (paths,), rows, [cells[0]] * 2 + [cells[1]] * 998, (1.0,)), secrets)
    found = measure_divergence(secret_publication(one), Secret())
    assert found.value == pytest.approx(0.5 * log2(0.5 / 0.01) + 0.5 * log2(0.5 / 0.99))
    assert measure_success(secret_publication(one), SoughtSecret(column=SECRET)).details["baseline"] == 0.99


def test_tables_without_secrets_hide_them() -> None:
    published = publication(one_row())
    assert measure_leak(published, Secret()).value == 0
    assert measure_divergence(published, Secret()).value == 0
    assert measure_error(published, Guess()).value == 1
    assert measure_entropy(publication(all_suppressed()), SoughtSecret()).value == pytest.approx(log2(3))


@pytest.mark.parametrize(
    "name", ["adversary-entropy", "success-rate", "leaked-information", "relative-entropy", "estimation-error"]
)
def test_an_unknown_column_is_refused(name: str) -> None:
    card = find_metric(name)
    with pytest.raises(BadParameter, match="'zip'; name one of the sensitive columns: 'secret'"):
        card.run(secret_publication(patients()), card.params(column="zip"))


@pytest.mark.parametrize(
    ("kind", "reason"), [("numeric", "numbers"), ("ordered", "order"), ("hierarchical", "hierarchy")]
)
def test_distances_that_the_column_does_not_have_are_refused(kind: str, reason: str) -> None:
    published = secret_publication(patients())
    tally = published.table.tally
    bare = replace(tally.sensitive[SECRET], values=("a", "b", "c", "d", ""), ordered=False, hierarchy=None)
    table = replace(published.table, tally=replace(tally, sensitive={SECRET: bare}))
    with pytest.raises(BadParameter, match=f"distance '{kind}' needs .*{reason}"):
        measure_error(replace(published, table=table), Guess(distance=kind))


def test_secrets_of_people_with_several_rows_in_split_combinations_must_be_counted() -> None:
    paths = [["a0", "*"]]
    cells = (node(paths, "a0", 0),), (node(paths, "a0", 1),)
    world = World(("a",), (paths,), [("a0",)] * 4, [cells[0], cells[0], cells[1], cells[1]], (1.0,), [1, 1, 2, 2])
    with pytest.raises(BadData, match="whose secrets"):
        measure_leak(secret_publication(SecretWorld(world, list("1122"))), Secret())
