"""Datasets that the auditor calls neighbours are neighbours; it sees telling numbers wherever they stand.

Covers auditing/output_sets, auditing/features, sensitivity/neighbouring_datasets, sensitivity/pair,
sensitivity/neighbouring_answers.
"""

from collections import Counter
from typing import Any

import numpy as np
import pytest
from tests.auditing.twins import SMALL, cards

from tacit.auditing.audit import audit
from tacit.auditing.features import Discriminant, features_of
from tacit.auditing.output_sets import best_rule, tally
from tacit.auditing.outputs import OutputCodes, alike, rows_of, rows_of_array
from tacit.auditing.subject import Subject, briefly, claimed
from tacit.catalogue import find_method
from tacit.randomness.stream import RandomBits
from tacit.randomness.uniform import coins
from tacit.sensitivity.neighbouring_datasets import FAR, MOST_ROWS, UNDECLARED
from tacit.sensitivity.pair import Pair

OWN = {"statistics/partition-selection"}
"""Logs that are tested beside the statistic itself."""
STATISTICS = [name for name in cards() if name.startswith("statistics/") and name not in OWN]
BY_OWNER = {"statistics/itemsets", "statistics/keywords"}


def people(dataset: Any, by_owner: bool) -> Counter[Any]:
    """What each person has, counted: rows, or all names of one owner."""
    if not isinstance(dataset, list):
        return Counter(str(row) for row in np.asarray(dataset).tolist())
    if not by_owner:
        return Counter(zip(*[column.tolist() for column in dataset], strict=True))
    held: dict[int, list[str]] = {}
    for owner, name in zip(dataset[0].tolist(), dataset[1].tolist(), strict=True):
        held.setdefault(owner, []).append(name)
    return Counter(tuple(sorted(names)) for names in held.values())


@pytest.mark.parametrize("relation", ["add-remove", "replace"])
@pytest.mark.parametrize("name", STATISTICS)
def test_pairs_differ_by_one_person(name: str, relation: str) -> None:
    method = find_method(name)
    fields = {**method.example.model_dump(), **SMALL.get(name, {}), "neighbours": relation}
    pairs = method.neighbours(method.params.parse(name, fields))
    assert len(pairs) >= 6
    for pair in pairs:
        first, second = people(pair.first, name in BY_OWNER), people(pair.second, name in BY_OWNER)
        gone, come = (first - second).total(), (second - first).total()
        assert (gone, come) in ([(0, 1)] if relation == "add-remove" else [(1, 1), (0, 0)])


@pytest.mark.parametrize("name", [name for name in STATISTICS if name != "statistics/keywords"])
def test_pairs_differ_by_all_rows_of_one_person(name: str) -> None:
    method = find_method(name)
    fields = {**method.example.model_dump(), **SMALL.get(name, {}), "contributions": 5}
    for pair in method.neighbours(method.params.parse(name, fields)):
        first, second = people(pair.first, name in BY_OWNER), people(pair.second, name in BY_OWNER)
        assert (first - second).total() == 0
        assert [*(second - first).values()] == [5]


@pytest.mark.parametrize("relation", ["add-remove", "replace"])
def test_a_user_has_as_many_rows_as_count_in_one_pair_more(relation: str) -> None:
    method = find_method("statistics/keywords")
    params = method.example.model_copy(update={"score": "rows", "most": 3, "neighbours": relation})
    for pair in method.neighbours(params):
        first, second = people(pair.first, True), people(pair.second, True)
        come, gone = [*(second - first).elements()], [*(first - second).elements()]
        assert all(len(user) in (3, 6) and len(set(user)) == 1 for user in come + gone)
        assert (len(come), len(gone)) in ([(1, 0)] if relation == "add-remove" else [(1, 1), (0, 0)])


def test_rows_are_repeated_up_to_a_limit_and_a_person_as_often_as_declared() -> None:
    method = find_method("statistics/count")
    for pair in method.neighbours(method.example.model_copy(update={"contributions": 100_000})):
        assert len(pair.first) <= MOST_ROWS
        assert len(pair.second) - len(pair.first) == 100_000


def test_some_rows_lie_beyond_what_is_declared() -> None:
    sums, modes = find_method("statistics/sum"), find_method("statistics/mode")
    assert any((np.asarray(pair.second) == 100 + FAR * 100).any() for pair in sums.neighbours(sums.example))
    assert any(UNDECLARED in pair.second for pair in modes.neighbours(modes.example))


@pytest.mark.slow
def test_a_telling_number_is_found_among_a_thousand() -> None:
    generator = np.random.default_rng(1)
    here, there = generator.normal(size=(600, 1000)), generator.normal(size=(600, 1000))
    there[:, 730] += 3.0
    rule = best_rule(rows_of_array(here), rows_of_array(there), 0.0)
    assert rule is not None
    assert rule.promise > 1
    fresh = [generator.normal(size=(600, 1000)) for _ in range(2)]
    fresh[1][:, 730] += 3.0
    assert tally(rule, *(rows_of_array(part) for part in fresh)).loss(0.0, 1e-6) > 1
    long = rows_of([np.arange(900.0)], OutputCodes())
    assert long[0, -1] == 899


def test_the_discriminant_is_the_combination_in_which_noise_cancels() -> None:
    generator = np.random.default_rng(2)

    def outputs(shift: float) -> Any:
        shared, own = generator.laplace(size=(300, 1)), generator.laplace(size=(300, 1))
        return rows_of_array(np.hstack([shared + 5 * own, own, generator.laplace(size=(300, 1)), shared + shift]))

    first, second = outputs(0.0), outputs(0.5)
    (found,) = [feature for feature in features_of(first, second) if isinstance(feature, Discriminant)]
    # Number 1 less five times number 2 less number 4 is the shift itself, without any noise.
    by_number = dict(zip(found.columns, found.weights, strict=True))
    assert np.allclose(np.array([by_number[1], by_number[2]]) / -by_number[4], [1, -5], atol=1e-3)
    here, there = found.of(outputs(0.0)), found.of(outputs(0.5))
    assert here.max() < there.min() or there.max() < here.min()
    assert "number 4 of the output is at most" in found.says("at most", 0.0, OutputCodes())


def test_numbers_too_large_to_square_are_no_part_of_a_discriminant() -> None:
    rows = rows_of_array(np.random.default_rng(3).normal(size=(90, 3)) * np.array([1.0, 1.0, 1e250]))
    (found,) = [feature for feature in features_of(rows, rows + 0.5) if isinstance(feature, Discriminant)]
    assert found.columns == (1, 2)


def test_outputs_of_a_length_that_only_the_search_has_seen_do_no_harm() -> None:
    # The first outputs are long, later ones short: features of what is missing find it absent.
    drawn = []

    def draw(given: int, size: int, bits: RandomBits) -> Any:
        drawn.append(size)
        width = 9 if len(drawn) <= 2 else 1
        return rows_of_array(coins(size * width, bits).reshape(size, width) + float(given))

    subject = Subject("shrinking", (Pair(0, 1),), claimed(10.0), draw)
    assert audit(subject, 400, RandomBits.from_seed(1)).findings[0].proved >= 0
    assert [part.shape[1] for part in alike(np.zeros((2, 3)), np.zeros((2, 5)), 7)] == [7, 7]


def test_long_inputs_are_told_briefly() -> None:
    assert briefly(np.array([0.0] * 30 + [100.0] * 31)) == "61 rows (30 × 0, 31 × 100)"
    assert briefly([np.arange(20), np.array(["a", "b"] * 10)]) == "20 rows (10 × a, 10 × b)"
    assert briefly(np.arange(40)) == "40 rows"
    assert briefly(np.array([[0, 1]] * 20)) == "20 rows (20 × (0, 1))"
    assert briefly(("a", "b")) == "{a, b}"
    assert briefly(np.array([0.5, 2.0])) == "(0.5, 2)"
