import sys
from dataclasses import replace

import numpy as np
import pytest
import sklearn.metrics
from hypothesis import given
from hypothesis import strategies as st
from tests.examples import examples
from tests.metrics.tables.secret_worlds import SECRET, SecretWorld, secret_publication, secret_worlds, untouched
from tests.metrics.tables.worlds import World, node, publication, worlds

from tacit.catalogue import find_metric
from tacit.errors import BadParameter, MissingExtra
from tacit.metrics.tables import machine_learning
from tacit.metrics.tables._cases import cases_of, dealt, drawn, input_examples, release_examples, shown_of
from tacit.metrics.tables._classifiers import LearntExamples, area, predict, score
from tacit.metrics.tables.machine_learning import Learning, measure_learning

MODELS = ("logistic", "tree", "forest")


def learnable(level: int) -> SecretWorld:
    """Sixty people of six towns; the secret follows the town, a second column means nothing."""
    towns = [[f"t{i}", "north" if i < 3 else "south", "*"] for i in range(6)]
    signs = [["x", "*"], ["y", "*"]]
    rows = [(f"t{i % 6}", "xy"[i // 6 % 2]) for i in range(60)]
    secrets = ["1" if i % 6 < 3 else "9" for i in range(60)]
    cells = [(node(towns, town, level), node(signs, sign, 0)) for town, sign in rows]
    return SecretWorld(World(("town", "sign"), (towns, signs), rows, cells, (1.0, 1.0)), secrets)


@pytest.mark.slow
@pytest.mark.parametrize("model", MODELS)
def test_what_the_release_still_tells_is_learnt(model: str) -> None:
    kept = measure_learning(secret_publication(learnable(1)), Learning(model=model))
    lost = measure_learning(secret_publication(learnable(2)), Learning(model=model))
    for name in ("precision", "recall", "f1", "auc"):
        assert kept.details[name] == kept.details[f"raw_{name}"] == 1
    assert kept.value == kept.details["raw_accuracy"] == 1
    assert lost.details["raw_accuracy"] == 1
    assert lost.value <= 0.7, "the towns are gone, and half of the people have each secret"
    assert kept.details["trivial_accuracy"] <= 0.55


@pytest.mark.slow
@pytest.mark.parametrize("model", MODELS[:2])
def test_the_untouched_table_teaches_the_same(model: str) -> None:
    found = measure_learning(secret_publication(untouched(learnable(2))), Learning(model=model))
    assert found.value == found.details["raw_accuracy"] == 1


@pytest.mark.slow
def test_a_quasi_identifier_is_predicted_from_the_others() -> None:
    one = learnable(0).world
    doubled = replace(
        one,
        rows=[(town, "x" if town in ("t0", "t1", "t2") else "y") for town, _ in one.rows],
        published=[(node(one.paths[0], town, 1), None) for town, _ in one.rows],
    )
    cells = [(node(one.paths[0], town, 1), node(one.paths[1], sign, 0)) for town, sign in doubled.rows]
    found = measure_learning(publication(replace(doubled, published=cells)), Learning(target="sign"))
    assert found.value == 1
    hidden = [(node(one.paths[0], town, 1), node(one.paths[1], sign, 1)) for town, sign in doubled.rows]
    blurred = measure_learning(publication(replace(doubled, published=hidden)), Learning(target="sign"))
    assert blurred.details["raw_accuracy"] == 1
    assert blurred.details["auc"] == pytest.approx(0.5), "every town has both signs alike"


@examples(20)
@given(st.lists(st.integers(0, 9), min_size=1, max_size=8), st.integers(2, 5), st.integers(0, 3))
def test_every_row_is_tested_once_and_folds_are_equal(numbers: list[int], folds: int, seed: int) -> None:
    number = np.array(numbers)
    parts = dealt(number, folds, seed)
    assert (parts >= 0).all()
    assert parts.sum(axis=0).tolist() == numbers
    assert np.ptp(parts.sum(axis=1)) <= 1


def test_no_row_is_in_training_and_test_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[tuple[float, int]] = []

    def watch(model: str, training: LearntExamples, features: np.ndarray, outcomes: int, seed: int) -> np.ndarray:
        seen.append((float(training.weight.sum()), len(features)))
        return np.zeros((len(features), outcomes))

    monkeypatch.setattr(machine_learning, "predict", watch)
    assert measure_learning(secret_publication(learnable(1)), Learning(folds=4)).value == 0
    assert len(seen) == 8
    assert all(weight == pytest.approx(45) for weight, _ in seen)


@examples(25)
@given(st.one_of(secret_worlds(), secret_worlds(split=True)))
def test_the_release_is_learnt_from_as_it_is_published(one: SecretWorld) -> None:
    """The weight of each pair of published labels and outcome is that of the rows; suppressed ones are no examples."""
    published = secret_publication(one)
    cases = cases_of(published, None)
    examples = release_examples(
        published, shown_of(published, cases), cases.number, tuple(range(len(published.columns)))
    )
    found: dict = {}
    for i, (outcome, weight) in enumerate(zip(examples.outcome, examples.weight, strict=True)):
        texts = tuple(published.recoding.labels[c][examples.codes[c, i]] for c in range(len(published.columns)))
        found[texts, cases.outcomes[outcome]] = found.get((texts, cases.outcomes[outcome]), 0.0) + weight
    expected: dict = {}
    for i, row in enumerate(one.world.rows):
        same = [j for j, other in enumerate(one.world.rows) if other == row]
        for j in same if one.world.texts(i) is not None else []:
            key = one.world.texts(i), one.secrets[j]
            expected[key] = expected.get(key, 0.0) + 1 / len(same)
    assert found == pytest.approx(expected)
    leaves = drawn(published, examples, 1).codes
    for c, paths in enumerate(one.world.paths):
        cover = published.after.covers[c]
        for label, leaf in zip(examples.codes[c], leaves[c], strict=True):
            assert leaf in cover.leaf[cover.starts[label] : cover.starts[label + 1]], paths


@examples(25)
@given(worlds())
def test_the_label_of_a_target_is_spread_over_its_leaves(world: World) -> None:
    published = publication(world)
    cases = cases_of(published, world.columns[0])
    examples = release_examples(published, shown_of(published, cases), cases.number, ())
    expected = dict.fromkeys(world.domain(0), 0.0)
    for cells in world.published:
        for leaf in [] if cells is None else cells[0].leaves:
            expected[leaf] += 1 / len(cells[0].leaves)
    found = {cases.outcomes[o]: w for o, w in zip(examples.outcome, examples.weight, strict=True)}
    assert found == pytest.approx({leaf: weight for leaf, weight in expected.items() if weight})


@examples(30)
@given(
    st.lists(
        st.tuples(st.integers(0, 2), st.integers(0, 4), st.integers(0, 4), st.integers(1, 3)), min_size=1, max_size=15
    )
)
def test_scores_are_those_of_scikit_learn(rows: list[tuple[int, int, int, int]]) -> None:
    outcome = np.array([row[0] for row in rows])
    chances = np.array([[row[1] + 0.1, row[2] + 0.2, 2.0] for row in rows])
    chances /= chances.sum(axis=1, keepdims=True)
    weight = np.array([row[3] for row in rows], dtype=np.float64)
    found = score(outcome, chances, weight)
    guess = chances.argmax(axis=1)
    assert found.accuracy == pytest.approx(sklearn.metrics.accuracy_score(outcome, guess, sample_weight=weight))
    judged = sklearn.metrics.precision_recall_fscore_support(
        outcome, guess, labels=np.unique(outcome), average="macro", zero_division=0, sample_weight=weight
    )
    assert (found.precision, found.recall, found.f1) == pytest.approx(judged[:3])
    present = np.unique(outcome)
    if present.size > 1:
        areas = [
            sklearn.metrics.roc_auc_score(outcome == one, chances[:, one], sample_weight=weight) for one in present
        ]
        assert found.auc == pytest.approx(np.mean(areas))
    else:
        assert found.auc == 0.5


def test_the_area_counts_ties_half() -> None:
    positive = np.array([True, True, False, False])
    assert area(positive, np.array([0.9, 0.5, 0.5, 0.1]), np.ones(4)) == pytest.approx((1 + 1 + 0.5 + 1) / 4)


def test_nothing_is_learnt_from_nothing() -> None:
    nothing = LearntExamples(np.zeros((0, 1)), np.zeros(0, dtype=np.int64), np.zeros(0))
    assert predict("logistic", nothing, np.zeros((2, 1)), 3, 0).sum() == 0
    one = LearntExamples(np.zeros((1, 1)), np.array([2]), np.ones(1))
    assert predict("logistic", one, np.zeros((2, 1)), 3, 0).tolist() == [[0, 0, 1], [0, 0, 1]]


def test_suppressed_rows_are_tested_on_but_not_learnt_from() -> None:
    one = learnable(0)
    hidden = [None if row[0] == "t0" else cells for row, cells in zip(one.world.rows, one.world.published, strict=True)]
    published = secret_publication(replace(one, world=replace(one.world, published=hidden)))
    cases = cases_of(published, SECRET)
    learnt = release_examples(published, shown_of(published, cases), cases.number, (0, 1))
    assert learnt.weight.sum() == pytest.approx(50)
    assert input_examples(published, cases, cases.number).weight.sum() == 60


def test_targets_that_can_not_be_told_apart_are_refused() -> None:
    paths = [[str(i), "*"] for i in range(101)]
    rows = [(str(i),) for i in range(101)]
    world = World(("a",), (paths,), rows, [(node(paths, row[0], 0),) for row in rows], (1.0,))
    with pytest.raises(BadParameter, match="has 101 values; at most 100"):
        measure_learning(publication(world), Learning())
    with pytest.raises(BadParameter, match="'job'; name a sensitive column or a quasi-identifier: 'a'"):
        measure_learning(publication(world), Learning(target="job"))


def test_without_scikit_learn_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    card = find_metric("machine-learning")
    monkeypatch.setitem(sys.modules, "sklearn", None)
    with pytest.raises(
        MissingExtra, match=r"machine-learning needs the package scikit-learn: pip install 'tacit-privacy\[models\]'"
    ):
        card.run(secret_publication(learnable(1)), card.example)
