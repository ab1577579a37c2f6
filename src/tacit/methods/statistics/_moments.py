"""Noisy moments of rows in a declared box: their number, sums and sums of products.

Covariance and linear regression follow from them.

Each column is centred and scaled to [-1, 1] in whole steps of 2**-14, and all sums are exact. With d columns a row
moves the vector (1, x_j, x_j x_k for j <= k) by at most 1 + d + d (d + 1) / 2 in L1, and by its root in L2
(`add-remove`). Under `replace` the number of rows is public; sums move by at most 2 each, products of two columns by
2, squares by 1.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike

from tacit.accounting.events import Event
from tacit.accounting.exact import root_up
from tacit.arrays import FloatArray, IntArray
from tacit.data.aggregates.sums import Sums, Term, Totals
from tacit.errors import BadData
from tacit.methods.statistics._box import BoxQuestion
from tacit.noise.grid import Grid
from tacit.noise.noise import GaussianNoise
from tacit.noise.private_answer import Publishable
from tacit.noise.setting import Allowance, Moves, NoiseSetting, add_noise, as_steps, setting
from tacit.noise.statistic_params import OptionalDelta
from tacit.noise.values import as_matrix
from tacit.randomness.stream import RandomBits

_UNIT = 14
_BLOCK = 1 << 20


class OfMoments(BoxQuestion):
    """A question that moments answer."""

    delta: OptionalDelta = 0.0


@dataclass(frozen=True)
class Moments(Publishable):
    """Noisy moments of columns scaled to [-1, 1]; `scale` is that of Laplace noise or the sigma of Gaussian noise."""

    rows: float
    first: FloatArray
    second: FloatArray
    scale: float
    gaussian: bool
    rows_known: bool
    event: Event
    seeded: bool = False


def moves(params: OfMoments) -> Moves:
    """How far a person moves the vector, in steps of 2**-28."""
    width = len(params.lower)
    pairs = width * (width - 1) // 2
    if params.neighbours == "add-remove":
        l1, square = 1 + 2 * width + pairs, 1 + 2 * width + pairs
    else:
        l1, square = 3 * width + 2 * pairs, 5 * width + 4 * pairs
    unit = params.contributions << 2 * _UNIT
    return Moves(l1 * unit, root_up(Fraction(square)) * unit, _entries(params))


def used(params: OfMoments) -> NoiseSetting:
    """The noise of each moment, in steps of 2**-28."""
    return setting(moves(params), Allowance.of(params.epsilon, params.delta))


def exact_moments(rows: ArrayLike, params: OfMoments) -> IntArray:
    """The vector in steps of 2**-28, its first entry the number of rows unless that is public; secret."""
    steps = 2 * params.box.steps(rows, 1 << _UNIT) - (1 << _UNIT)
    width = steps.shape[1]
    products = np.zeros((width, width), dtype=np.int64)
    for start in range(0, len(steps), _BLOCK):
        # Whole numbers below 2**53 in floats: the product is exact and quick.
        block = steps[start : start + _BLOCK].astype(np.float64)
        products += (block.T @ block).astype(np.int64)
    number = [len(steps) << 2 * _UNIT] if params.neighbours == "add-remove" else []
    upper = products[np.triu_indices(width)]
    return np.concatenate([np.array(number, dtype=np.int64), steps.sum(axis=0) << _UNIT, upper])


def noisy_moments(rows: ArrayLike, params: OfMoments, bits: RandomBits) -> Moments:
    """The moments with noise."""
    return _noised(exact_moments(rows, params), len(as_matrix(rows, len(params.lower))), params, bits)


def wanted_moments(columns: Sequence[str], params: OfMoments) -> Sums:
    """What an engine must add up: the steps of each column above its lower bound, then the products of each pair."""
    readings = params.box.readings(columns, 1 << _UNIT, "nearest")
    pairs = zip(*np.triu_indices(len(readings)), strict=True)
    products = (Term((int(j), int(k))) for j, k in pairs)
    return Sums(readings, (*(Term((place,)) for place in range(len(readings))), *products))


def moments_from(found: Totals, params: OfMoments, bits: RandomBits) -> Moments:
    """The moments with noise, from what an engine found."""
    found.of(wanted_moments(["value"] * len(params.lower), params), params.contributions)
    return _noised(_centred(found, params), found.rows, params, bits)


def _centred(found: Totals, params: OfMoments) -> IntArray:
    """The vector of exact moments: with x = 2 s - 1 the sum of x x' is 4 s s' - 2 s - 2 s' + 1 over the rows, in steps
    of 1 = 2**14."""
    width, one = len(params.lower), 1 << _UNIT
    j, k = np.triu_indices(width)
    sums = np.array(found.sums, dtype=object)
    first, second = sums[:width], sums[width:]
    centred = 4 * second - 2 * one * (first[j] + first[k]) + found.rows * one**2
    number = [found.rows * one**2] if params.neighbours == "add-remove" else []
    return as_steps(*number, *((2 * first - found.rows * one) * one), *centred)


def _noised(truth: IntArray, number: int, params: OfMoments, bits: RandomBits) -> Moments:
    if params.neighbours == "replace" and number == 0:
        raise BadData("there are no rows, and their number is public; moments need at least one")
    chosen = used(params)
    noisy = add_noise(truth, chosen, Grid(-2 * _UNIT), bits).values.astype(np.float64)
    known = params.neighbours == "replace"
    width = len(params.lower)
    body = noisy if known else noisy[1:]
    second = np.zeros((width, width))
    second[np.triu_indices(width)] = body[width:]
    second = second + np.triu(second, 1).T
    gaussian = isinstance(chosen.noise, GaussianNoise)
    size = chosen.noise.sigma if isinstance(chosen.noise, GaussianNoise) else 1 / chosen.noise.rate
    scale = float(size) * 2.0 ** (-2 * _UNIT)
    return Moments(float(number if known else noisy[0]), body[:width], second, scale, gaussian, known, chosen.event)


def _entries(params: OfMoments) -> int:
    width = len(params.lower)
    return (params.neighbours == "add-remove") + width + width * (width + 1) // 2
