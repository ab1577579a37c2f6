import itertools

import numpy as np
import pytest
from tests.randomness.scripted import ScriptedBits
from tests.randomness.tolerance import frequencies_fit

from tacit.errors import BadParameter
from tacit.randomness.stream import RandomBits
from tacit.randomness.uniform import coins, permutation, permutations, sample, uniform_integers


@pytest.mark.parametrize("bound", [1, 2, 3, 5, 8, 100])
def test_all_numbers_are_equally_likely(bound):
    drawn = uniform_integers(bound, 200_000, RandomBits.from_seed(bound))
    assert frequencies_fit(drawn, np.full(bound, 1 / bound))


def test_folding_would_be_noticed():
    folded = uniform_integers(8, 200_000, RandomBits.from_seed(1)) % 5
    assert not frequencies_fit(folded, np.full(5, 0.2))


def test_a_number_that_does_not_fit_is_drawn_again():
    top = 2**64 - 1
    assert list(uniform_integers(3, 2, ScriptedBits([top, 0, top, 2**63]))) == [2, 0]


def test_large_bounds():
    drawn = uniform_integers(2**63, 1000, RandomBits.from_seed(1))
    assert drawn.min() >= 0
    assert drawn.max() > 2**62
    odd = uniform_integers(2**62 + 1, 1000, RandomBits.from_seed(1))
    assert 0 <= odd.min() <= odd.max() <= 2**62


@pytest.mark.parametrize("bound", [0, -1, 2**63 + 1])
def test_bounds_out_of_range_are_refused(bound):
    with pytest.raises(BadParameter, match="choices"):
        uniform_integers(bound, 1, RandomBits.from_seed(1))


def test_coins_are_fair():
    tossed = coins(200_001, RandomBits.from_seed(4))
    assert tossed.size == 200_001
    assert frequencies_fit(tossed.astype(np.int64), np.array([0.5, 0.5]))


def _order_numbers(orders: "list[tuple[int, ...]]") -> "np.ndarray[tuple[int], np.dtype[np.int64]]":
    known = {order: number for number, order in enumerate(itertools.permutations(range(4)))}
    return np.array([known[order] for order in orders])


@pytest.mark.slow
def test_all_orders_are_equally_likely():
    orders = permutations(100_000, 4, RandomBits.from_seed(9))
    numbers = _order_numbers([tuple(order) for order in orders.tolist()])
    assert frequencies_fit(numbers, np.full(24, 1 / 24))


@pytest.mark.slow
def test_an_unfair_shuffle_would_be_noticed():
    bits = RandomBits.from_seed(9)
    orders = [tuple(map(int, np.argsort(uniform_integers(4, 4, bits), kind="stable"))) for _ in range(20_000)]
    assert not frequencies_fit(_order_numbers(orders), np.full(24, 1 / 24))


def test_equal_keys_are_drawn_again():
    assert list(permutation(3, ScriptedBits([5, 5, 1, 30, 10, 20]))) == [1, 2, 0]


def test_a_sample_has_different_members():
    drawn = sample(1000, 100, RandomBits.from_seed(1))
    assert len(set(drawn.tolist())) == 100
    assert sample(5, 0, RandomBits.from_seed(1)).size == 0
    with pytest.raises(BadParameter, match="population"):
        sample(5, 6, RandomBits.from_seed(1))
