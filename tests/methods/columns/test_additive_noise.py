"""Additive noise: its variance and covariance, independent and correlated, what stays missing, what is refused.

Covers methods/*/noise.
"""

import numpy as np
import pytest
from scipy.stats import chi2, ncx2
from tests.randomness.tolerance import ALPHA

from tacit.data.columns import columns_of
from tacit.errors import BadData, BadParameter
from tacit.methods.columns.noise import AddedNoise, add_noise, covariance_before
from tacit.randomness.stream import RandomBits

ROWS = 4000
DIRECTIONS = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0], [1.0, -1.0]])


@pytest.fixture(scope="module")
def data():
    drawn = np.random.default_rng(3).normal(size=(ROWS, 2))
    return np.array([drawn[:, 0] * 30 + 500, drawn[:, 0] * 2 + drawn[:, 1]]).T


def treated(data, params, seed=1):
    found = add_noise(columns_of({"a": data[:, 0], "b": data[:, 1]}), params, RandomBits.from_seed(seed))
    return np.array([found["a"].values, found["b"].values]).T


def noise_fits(noise, covariance):
    """Whether sums of squares in four directions are those of normal noise with this covariance: chi-squared."""
    for direction in DIRECTIONS / np.sqrt(np.diag(covariance)):
        found = ((noise @ direction) ** 2).sum() / (direction @ covariance @ direction)
        if not chi2.ppf(ALPHA / 2, ROWS) <= found <= chi2.isf(ALPHA / 2, ROWS):
            return False
    return True


@pytest.mark.parametrize("share", [0.01, 0.5])
def test_independent_noise_has_its_share_of_each_variance_and_no_covariance(data, share):
    noise = treated(data, AddedNoise(share=share)) - data
    law = np.diag(share * data.var(axis=0, ddof=1))
    assert noise_fits(noise, law)
    assert not noise_fits(noise * 0.8**0.5, law)
    assert not noise_fits(noise * 1.2**0.5, law)
    assert not noise_fits(treated(data, AddedNoise(share=share, correlated=True)) - data, law)


def test_correlated_noise_has_the_covariance_of_the_data(data):
    noise = treated(data, AddedNoise(share=0.3, correlated=True)) - data
    law = 0.3 * np.cov(data, rowvar=False)
    assert noise_fits(noise, law)
    assert not noise_fits(noise * 0.8**0.5, law)
    assert not noise_fits(treated(data, AddedNoise(share=0.3)) - data, law)


def squares_between(data, direction, noise_variance):
    """Where the sum of squares around the mean of data plus normal noise lies: noncentral chi-squared."""
    moved = data @ direction
    centre = ((moved - moved.mean()) ** 2).sum() / noise_variance
    low, high = ncx2.ppf([ALPHA / 2, 1 - ALPHA / 2], ROWS - 1, centre)
    return low * noise_variance / (ROWS - 1), high * noise_variance / (ROWS - 1)


@pytest.mark.parametrize(
    "params",
    [
        AddedNoise(share=0.4),
        AddedNoise(share=0.4, correlated=True),
        AddedNoise(share=0.4, correlated=True, rescale=True),
    ],
)
def test_the_covariance_before_is_estimated_without_bias(data, params):
    found = covariance_before(columns_of(dict(zip("ab", treated(data, params).T, strict=True))), params)
    true = np.cov(data, rowvar=False)
    law = 0.4 * (true if params.correlated else np.diag(np.diag(true)))
    for direction in DIRECTIONS[:2]:
        low, high = squares_between(data, direction, direction @ law @ direction)
        assert low <= direction @ found @ direction * 1.4 <= high
        assert not low <= direction @ found @ direction * 1.4 * 1.4 <= high
    plus = squares_between(data, DIRECTIONS[2], DIRECTIONS[2] @ law @ DIRECTIONS[2])
    minus = squares_between(data, DIRECTIONS[3], DIRECTIONS[3] @ law @ DIRECTIONS[3])
    covariance = found[0, 1] * (1.4 if params.correlated else 1.0)
    assert plus[0] - minus[1] <= 4 * covariance <= plus[1] - minus[0]


def test_rescaled_noise_keeps_variances_and_without_it_they_grow(data):
    low, high = squares_between(data, DIRECTIONS[0], 0.5 * data[:, 0].var(ddof=1))
    kept = treated(data, AddedNoise(share=0.5, correlated=True, rescale=True))[:, 0].var(ddof=1)
    grown = treated(data, AddedNoise(share=0.5, correlated=True))[:, 0].var(ddof=1)
    assert low <= kept * 1.5 <= high
    assert low <= grown <= high
    assert not low <= kept <= high


def test_published_numbers_are_multiples_of_the_step(data):
    assert (treated(data, AddedNoise(share=0.1, step=0.25)) % 0.25 == 0).all()


def test_missing_cells_stay_missing_and_the_rest_gets_noise():
    columns = columns_of({"a": [1.0, np.nan, 3.0, 4.0], "b": [1.0, 5.0, np.nan, 2.0]})
    found = add_noise(columns, AddedNoise(share=0.1, correlated=True), RandomBits.from_seed(1))
    assert np.isnan(found["a"].values).tolist() == [False, True, False, False]
    assert np.isnan(found["b"].values).tolist() == [False, False, True, False]
    assert found["b"].values[1] != 5


def test_the_same_seed_gives_the_same_noise_and_columns_that_determine_each_other_are_fine(data):
    twice = np.array([data[:, 0], data[:, 0] * 2]).T
    params = AddedNoise(share=0.1, correlated=True)
    found = treated(twice, params)
    assert np.array_equal(found, treated(twice, params))
    assert not np.array_equal(found, treated(twice, params, seed=2))
    assert found[:, 1] == pytest.approx(found[:, 0] * 2)


def test_what_makes_no_sense_is_refused():
    bits = RandomBits.from_seed(1)
    with pytest.raises(BadParameter, match="rescale is on and correlated is off"):
        add_noise(columns_of({"a": [1.0, 2.0]}), AddedNoise(share=1, rescale=True), bits)
    with pytest.raises(BadData, match="at least two rows"):
        add_noise(columns_of({"a": [1.0, np.nan]}), AddedNoise(share=1), bits)
    with pytest.raises(BadData, match="works on numbers; column 'a' holds texts"):
        add_noise(columns_of({"a": ["x", "y"]}), AddedNoise(share=1), bits)
    with pytest.raises(BadParameter, match="share"):
        AddedNoise.parse("columns/noise", {"share": 0})
