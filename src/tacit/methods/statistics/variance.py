"""The variance of values between declared bounds, from three weights among which each row is divided.

With u = (x - lower) / width a row adds u**2, 2 u (1 - u) and (1 - u)**2 to three weights; these add up to 1 (the
Bernstein polynomials of degree 2), so the L1 sensitivity is 1, and Laplace noise of scale 1 / epsilon on each is
epsilon-private. The number of rows, the sum and the sum of squares follow from them. Under `replace` the number of
rows n is public and the variance itself, computed as a rational number, moves by at most width**2 (n - 1) / n**2.

This is the variance of the rows (divided by n). The interval is to first order in the noise; where the noisy number of
rows is not well above its own noise it is the whole range [0, width**2 / 4].
"""

from collections.abc import Sequence
from fractions import Fraction

from numpy.typing import ArrayLike

from tacit.accounting.events import Event, Pure, in_scope
from tacit.accounting.exact import exact
from tacit.arrays import FloatArray, IntArray
from tacit.cards.statistics import Statistic
from tacit.cards.takes import NumberColumn
from tacit.data.aggregates.scale import require_columns
from tacit.data.aggregates.sums import Sums, Term, Totals
from tacit.errors import BadData
from tacit.methods.statistics._estimate import Estimate
from tacit.noise.private_answer import scoped
from tacit.noise.setting import Allowance, Moves, NoiseSetting, add_noise, as_steps, setting
from tacit.noise.statistic_params import BoundedQuestion, ValueGrid
from tacit.noise.values import Range, fine_grid, nearest, range_of, total, total_square
from tacit.randomness.stream import RandomBits
from tacit.sensitivity import tables
from tacit.sensitivity.neighbouring_datasets import of_numbers
from tacit.sensitivity.neighbours import user
from tacit.sensitivity.sensitivity import bounds

_ENOUGH = 10
_FINER = 20
_WIDEST = 1 << 30


class Variance(BoundedQuestion):
    """The variance of values between bounds."""

    grid: ValueGrid = None


def used(params: Variance) -> NoiseSetting:
    """The noise of the three weights, in steps of the range."""
    steps = _range(params).width * params.contributions
    return setting(Moves(steps, Fraction(steps), 3), Allowance(exact(params.epsilon)))


def variance(values: ArrayLike, params: Variance, bits: RandomBits) -> Estimate:
    """The variance of the clamped values with noise."""
    held = _range(params)
    steps = held.steps(values) - held.low
    if params.neighbours == "replace":
        sums = total(steps), total_square(steps)
    else:
        high, _, low = weights(steps, held.width)
        sums = high, low
    return from_aggregates(wanted(["value"], params).totals(steps.size, sums), params, bits)


def wanted(columns: Sequence[str], params: Variance) -> Sums:
    """What an engine must add up: the steps of the column above the lower bound and their squares where the number of
    rows is public, else the first and the last weight of each row."""
    require_columns(columns, 1)
    held = _range(params)
    up, down = held.reading(columns[0]), held.reading(columns[0], falling=True)
    if params.neighbours == "replace":
        return Sums((up,), (Term((0,)), Term((0, 0))))
    return Sums((up, down), (Term((0, 0), held.width), Term((1, 1), held.width)))


@scoped
def from_aggregates(found: Totals, params: Variance, bits: RandomBits) -> Estimate:
    """The private answer, computed from the aggregates that an engine found."""
    held, sums = _range(params), found.of(wanted(["value"], params), params.contributions)
    if params.neighbours == "replace":
        return _of_known(found, params, bits)
    high, low = sums
    noisy = add_noise(as_steps(high, held.width * found.rows - high - low, low), used(params), held.grid, bits)
    return _estimate(noisy.values / held.span, params, noisy.event)


def spends(params: Variance) -> Event:
    """What a variance costs; under `replace` the grid, and so the noise, depends on the public number of rows, and the
    event is stated by its epsilon alone."""
    known = params.neighbours == "replace"
    return in_scope(Pure(exact(params.epsilon)) if known else used(params).event, params.scope)


def weights(steps: IntArray, width: int) -> tuple[int, int, int]:
    """The exact weights of rows in steps: each row's three add up to the width."""
    high = (steps * steps + width // 2) // width
    low = ((width - steps) ** 2 + width // 2) // width
    return total(high), total(width - high - low), total(low)


def _estimate(shares: FloatArray, params: Variance, event: Event) -> Estimate:
    """The variance from noisy weights in rows; its error is a sum of three Laplace noises, to first order."""
    square = (params.upper - params.lower) ** 2
    high, middle, low = (float(share) for share in shares)
    rows, scale = high + middle + low, params.contributions / params.epsilon
    if rows <= _ENOUGH * scale:
        return Estimate(0.0, (), event, 0.0, square / 4, known=False)
    mean, second = (high + middle / 2) / rows, high / rows
    slopes = [(power - second - 2 * mean * (half - mean)) / rows for power, half in ((1, 1), (0, 0.5), (0, 0))]
    scales = tuple(abs(slope) * scale * square for slope in slopes)
    return Estimate(square * (second - mean**2), scales, event, 0.0, square / 4)


def _of_known(found: Totals, params: Variance, bits: RandomBits) -> Estimate:
    rows, held = found.rows, _range(params)
    if rows == 0:
        raise BadData("there are no rows, and their number is public; a variance needs at least one")
    first, second = found.sums
    ends = bounds(Fraction(0), held.width * held.grid.step)
    move = tables.variance(ends, rows, params.neighbours).for_unit(user(params.contributions)).l1
    grid = fine_grid(float(move), _FINER)
    apart = -(-move // grid.step)
    truth = Fraction(rows * second - first**2, rows**2) * held.grid.step**2
    chosen = setting(Moves(apart, Fraction(apart)), Allowance(exact(params.epsilon)))
    noisy = add_noise(as_steps(nearest(truth / grid.step)), chosen, grid, bits)
    scale = float(move) / params.epsilon
    return Estimate(noisy.value, (scale,), Pure(exact(params.epsilon)), 0.0, held.span**2 / 4)


def _range(params: Variance) -> Range:
    return range_of(params.lower, params.upper, params.grid, _WIDEST)


METHOD = Statistic(
    title="Variance",
    params=Variance,
    run=variance,
    takes=NumberColumn(),
    wanted=wanted,
    answer=from_aggregates,
    spends=spends,
    neighbours=of_numbers,
    needs="a number for each row and declared bounds",
    gives="the variance of the clamped values, with an interval",
    paper="https://doi.org/10.1007/11681878_14",
    example=Variance(epsilon=0.5, lower=0.0, upper=100.0),
)
