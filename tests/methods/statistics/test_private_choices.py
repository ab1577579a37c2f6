"""Keywords, itemsets, best choice, clipping: laws, bounded contributions, W31, W34.

Covers keywords, itemsets, best_choice, clipping, _named_choice.
"""

import math
from functools import cache

import numpy as np
import pytest
from tests.examples import draws
from tests.randomness.tolerance import bernstein, frequencies_fit

from tacit.errors import BadParameter
from tacit.methods.statistics import best_choice, clipping, itemsets, keywords
from tacit.randomness.stream import RandomBits

LOG = [np.repeat(np.arange(300), 4), np.tile(np.array(["rain", "rain", "sun", "fog"]), 300)]


def test_w34_at_most_so_many_keywords_of_a_user():
    params = keywords.Keywords(epsilon=1.0, vocabulary=("rain", "sun", "fog"), k=2, most=2)
    scores = keywords.keyword_scores(LOG, params, RandomBits.from_seed(1))
    assert scores.sum() == 300 * 2
    assert scores.max() <= 300
    third = bernstein(2 / 3, 300) * 300
    assert np.abs(scores - 200).max() <= third
    rows = params.model_copy(update={"score": "rows", "most": 3})
    assert keywords.keyword_scores(LOG, rows, RandomBits.from_seed(1)).sum() == 900


def test_w34_each_choice_takes_a_k_th_of_epsilon():
    params = keywords.Keywords(epsilon=1.0, vocabulary=("rain", "sun", "fog"), k=2, most=2)
    event = keywords.keywords(LOG, params, RandomBits.from_seed(2)).event.event
    assert event.times == 2
    assert event.event.epsilon == 0.5


@cache
def first_keywords():
    """The places of the first keywords of many answers, where 6, 4 and 3 users have one row each."""
    words = np.array(["rain"] * 6 + ["sun"] * 4 + ["fog"] * 3)
    log = [np.arange(words.size), words]
    params = keywords.Keywords(epsilon=0.8, vocabulary=("rain", "sun", "fog"), k=1, most=1)
    bits = RandomBits.from_seed(3)
    chosen = [keywords.keywords(log, params, bits).names[0] for _ in range(draws(3000))]
    return np.array([params.vocabulary.index(name) for name in chosen])


@pytest.mark.slow
@pytest.mark.parametrize(("factor", "fit"), [(1.0, True), (0.5, False), (2.0, False)])
def test_w34_the_first_keyword_is_chosen_by_its_law(factor, fit):
    """Scores 6, 4, 3 of one row a user; k = 1, epsilon 0.8, all scores move together: weights e**(0.8 score)."""
    weights = np.exp(factor * 0.8 * np.array([6.0, 4.0, 3.0]))
    assert frequencies_fit(first_keywords(), weights / weights.sum()) is fit


def test_words_that_were_not_declared_are_never_named():
    log = [np.arange(1000), np.array(["secret illness"] * 1000)]
    answer = keywords.keywords(log, keywords.METHOD.example, RandomBits.from_seed(4))
    assert set(answer.names) <= {"rain", "sun", "snow", "fog"}
    with pytest.raises(BadParameter, match="only 4 keywords"):
        keywords.Keywords.parse("keywords", {**keywords.METHOD.example.model_dump(), "k": 5})


def test_supports_are_counted_as_by_hand():
    baskets = [["a", "b", "c"], ["a", "b"], ["a", "c"], ["b"], ["a", "a", "b"]]
    rows = [(place, item) for place, basket in enumerate(baskets) for item in basket]
    columns = [np.array([place for place, _ in rows]), np.array([item for _, item in rows])]
    params = itemsets.Itemsets(epsilon=1.0, items=("a", "b", "c"), k=1, size=3)
    expected = [sum(set(sets) <= set(basket) for basket in baskets) for sets in _names(params)]
    assert itemsets.supports(columns, params).tolist() == expected == [4, 4, 2, 3, 2, 1, 1]


def _names(params):
    return [tuple(params.items[place] for place in places) for places in itemsets.candidates(params)]


def test_the_commonest_sets_are_found_with_supports():
    basket = np.repeat(np.arange(2000), 2)
    item = np.tile(np.array(["bread", "milk"]), 2000)
    item[:400] = "aspirin"
    params = itemsets.Itemsets(epsilon=2.0, items=("bread", "milk", "aspirin"), k=3)
    answer = itemsets.itemsets([basket, item], params, RandomBits.from_seed(5))
    assert set(answer.sets) == {("bread",), ("milk",), ("bread", "milk")}
    assert np.abs(answer.supports.values - 1800).max() <= answer.supports.error(1 - 1e-9, together=True)
    with pytest.raises(BadParameter, match="sets"):
        itemsets.Itemsets.parse("itemsets", {"epsilon": 1.0, "items": ("a",), "k": 2})


@pytest.mark.parametrize(("goal", "winner"), [("greatest", "good"), ("least", "bad")])
def test_the_best_model_is_chosen(goal, winner):
    rows = np.column_stack([np.ones(500), np.arange(500) % 2, np.zeros(500)])
    params = best_choice.BestChoice(epsilon=1.0, lower=0.0, upper=1.0, candidates=("good", "fair", "bad"), goal=goal)
    assert best_choice.best_choice(rows, params, RandomBits.from_seed(6)).name == winner
    # Two that flip with probability p: the best is passed over with 1 - (1 - (1 - p)**3) / (3 p) = p - p**2 / 3.
    chance = (1 - math.sqrt(1 - 0.2 / 3)) * 3 / 2
    assert best_choice.error(params) == pytest.approx(-math.log(chance), rel=1e-3)


def test_w31_a_clipping_bound_is_found():
    rows = np.random.default_rng(7).exponential(10, 20_000)
    bounds = tuple(float(2**power) for power in range(12))
    params = clipping.Clipping(epsilon=1.0, bounds=bounds, share=0.95)
    found = [clipping.clipping(rows, params, RandomBits.from_seed(seed)) for seed in range(50)]
    assert {answer.bound for answer in found} == {32.0}
    assert all(answer.reached for answer in found)


def test_w31_the_price_does_not_depend_on_the_number_of_bounds():
    few, many = (clipping.Clipping(epsilon=0.5, bounds=tuple(map(float, range(1, n)))) for n in (3, 500))
    answers = [clipping.clipping(np.ones(10), params, RandomBits.from_seed(8)) for params in (few, many)]
    assert answers[0].event == answers[1].event
    none = clipping.clipping(np.full(10_000, 1e9), many, RandomBits.from_seed(9))
    assert (none.reached, none.bound) == (False, 499.0)


def test_bounds_that_do_not_rise_are_refused():
    for wrong in ([1.0, 1.0], [2.0, 1.0], []):
        with pytest.raises(BadParameter):
            clipping.Clipping.parse("clipping", {"epsilon": 1.0, "bounds": wrong})
    with pytest.raises(BadParameter, match="decimals"):
        clipping.Clipping.parse("clipping", {"epsilon": 1.0, "bounds": [1.0], "share": 0.123456})
