"""Data shuffling: each column keeps its numbers, rank correlations stay, the published tells nothing more.

Covers methods/*/shuffle.
"""

import math

import numpy as np
import pytest
from scipy.stats import norm
from tests.randomness.tolerance import ALPHA

from tacit.data.columns import columns_of
from tacit.errors import BadData, BadParameter
from tacit.methods.columns._ranks import normal_scores
from tacit.methods.columns.rank_swap import RankSwap, rank_swap
from tacit.methods.columns.shuffle import Shuffle, shuffle
from tacit.randomness.stream import RandomBits

ROWS = 20_000
FAR = float(norm.isf(ALPHA / 2)) / math.sqrt(ROWS - 5)
"""Fisher's z of a correlation of n normal pairs has the variance 1 / (n - 3), one less for each column given."""


@pytest.fixture(scope="module")
def people():
    drawn = np.random.default_rng(2).normal(size=(3, ROWS))
    age = drawn[0]
    income = 0.8 * age + 0.6 * drawn[1]
    rent = 0.5 * income + math.sqrt(0.75) * drawn[2]
    return {"age": age, "income": np.exp(income), "rent": rent**3}


def correlation(one, other):
    return math.atanh(np.corrcoef(normal_scores(one), normal_scores(other))[0, 1])


def partial(one, other, given):
    parts = [
        scores - np.polyval(np.polyfit(given, scores, 1), given)
        for scores in (normal_scores(one), normal_scores(other))
    ]
    return math.atanh(np.corrcoef(*parts)[0, 1])


def treated(people, **given):
    return shuffle(columns_of(people), Shuffle(**given), RandomBits.from_seed(4))


def test_each_column_keeps_exactly_its_numbers(people):
    found = treated(people, given=("age",))
    assert np.array_equal(found["age"].values, people["age"])
    for name in ("income", "rent"):
        assert np.array_equal(np.sort(found[name].values), np.sort(people[name]))
        assert (found[name].values == people[name]).mean() < 0.01


@pytest.mark.slow
def test_rank_correlations_are_those_of_the_data(people):
    found = treated(people, given=("age",))
    for one, other in (("age", "income"), ("age", "rent"), ("income", "rent")):
        assert abs(correlation(found[one].values, found[other].values) - correlation(people[one], people[other])) <= FAR
    alone = treated(people)
    assert abs(correlation(alone["income"].values, people["age"]) - correlation(people["income"], people["age"])) > FAR


def test_given_the_given_the_published_tells_nothing_about_the_true(people):
    found = treated(people, given=("age",))
    score = normal_scores(people["age"])
    assert abs(partial(found["income"].values, people["income"], score)) <= FAR
    swapped = rank_swap(columns_of({"income": people["income"]}), RankSwap(percent=20), RandomBits.from_seed(1))
    assert abs(partial(swapped["income"].values, people["income"], score)) > FAR


def test_categories_can_steer():
    group = np.array(["low", "high"])[np.arange(4000) % 2]
    numbers = np.where(group == "low", 0.0, 100.0) + np.random.default_rng(1).normal(size=4000)
    found = shuffle(columns_of({"g": group, "x": numbers}), Shuffle(given=("g",)), RandomBits.from_seed(1))
    assert found["g"].texts() == tuple(group)
    assert abs(found["x"].values[group == "low"].mean()) < 20
    blind = shuffle(columns_of({"x": numbers}), Shuffle(), RandomBits.from_seed(1))
    assert abs(blind["x"].values[group == "low"].mean() - 50) < 20


def test_missing_cells_stay_where_they_are():
    numbers = np.array([1.0, np.nan, 3.0, 4.0, 5.0, 6.0])
    found = shuffle(
        columns_of({"x": numbers, "s": [1.0, 2.0, np.nan, 4.0, 5.0, 6.0]}),
        Shuffle(given=("s",)),
        RandomBits.from_seed(1),
    )
    assert np.isnan(found["x"].values).tolist() == [False, True, False, False, False, False]
    assert sorted(found["x"].values[~np.isnan(found["x"].values)]) == [1, 3, 4, 5, 6]


def test_what_can_not_be_shuffled_is_refused():
    bits, columns = RandomBits.from_seed(1), columns_of({"x": [1.0, 2.0, 3.0], "g": ["a", "b", "c"]})
    with pytest.raises(BadParameter, match="given names 'y', which is not one of the columns 'x', 'g'"):
        shuffle(columns, Shuffle(given=("y",)), bits)
    with pytest.raises(BadParameter, match="none is left"):
        shuffle(columns, Shuffle(given=("x", "g")), bits)
    with pytest.raises(BadData, match="3 complete rows are too few for 3 regressors"):
        shuffle(columns, Shuffle(given=("g",)), bits)
    with pytest.raises(BadData, match="works on numbers; column 'g' holds texts"):
        shuffle(columns, Shuffle(), bits)
