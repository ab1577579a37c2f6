"""Laws of outputs written out, their privacy losses, and what copies of them lose together, never more than the truth.

A `Loss` is the law of ln(P(output) / Q(output)) under P, with the mass where Q is 0 kept apart. Composed, losses are
rounded down to a grid, which only lowers the hockey-stick divergence: what is found is a lower bound, up to the float
rounding of a convolution. None of it uses Tacit's accountants.
"""

import math
from dataclasses import dataclass
from functools import reduce

import numpy as np

CELLS = 4096


@dataclass(frozen=True)
class Loss:
    """Losses, their chances, and the chance of outputs that the other side never gives."""

    values: np.ndarray
    chances: np.ndarray
    alone: float = 0.0

    @property
    def mean(self) -> float:
        """The Kullback–Leibler divergence, infinite where there are outputs of one side alone."""
        return math.inf if self.alone > 0 else float(self.values @ self.chances)

    @property
    def most(self) -> float:
        """The largest loss."""
        return math.inf if self.alone > 0 else float(self.values[self.chances > 0].max(initial=0.0))

    def delta(self, epsilon: float) -> float:
        """The hockey-stick divergence at epsilon."""
        above = self.values > epsilon
        return self.alone + float(self.chances[above] @ -np.expm1(epsilon - self.values[above]))


@dataclass(frozen=True)
class Pair:
    """The losses of one output of a mechanism on two neighbours, in both directions."""

    there: Loss
    back: Loss

    def both(self) -> tuple[Loss, Loss]:
        return self.there, self.back


def pair(first, second) -> Pair:
    """From the chances of all outputs on either side, in one order."""
    first, second = np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)
    assert first.shape == second.shape
    assert abs(first.sum() - 1) < 1e-9
    assert abs(second.sum() - 1) < 1e-9
    return Pair(_loss(first, second), _loss(second, first))


def _loss(here, there) -> Loss:
    both = (here > 0) & (there > 0)
    return Loss(np.log(here[both] / there[both]), here[both], float(here[(here > 0) & (there == 0)].sum()))


def from_laws(first: dict, second: dict) -> Pair:
    """The same from outputs with their chances."""
    outputs = list(dict.fromkeys([*first, *second]))
    return pair(*([law.get(output, 0.0) for output in outputs] for law in (first, second)))


def laplace_pair(rate: float, shift: int) -> Pair:
    """Discrete Laplace noise on whole numbers that far apart, by closed forms; where the shift has many steps, several
    in a row have the least of their losses."""
    shift = abs(int(shift))
    if shift == 0:
        return Pair(NOTHING, NOTHING)
    q, whole = math.exp(-rate), rate * shift
    cuts = np.unique(np.linspace(1, shift, min(shift, CELLS)).astype(np.int64))
    # x in [a, b) between the two centres has the loss rate (shift - 2 x), the least at b - 1.
    starts, ends = cuts[:-1].astype(np.float64), cuts[1:].astype(np.float64)
    masses = (np.exp(-rate * starts) - np.exp(-rate * ends)) / (1 + q)
    values = np.concatenate([[whole], rate * (shift - 2 * (ends - 1)), [-whole]])
    chances = np.concatenate([[1 / (1 + q)], masses, [math.exp(-whole) / (1 + q)]])
    loss = Loss(values, chances / chances.sum())
    return Pair(loss, loss)


def gaussian_pair(sigma: float, shift: float) -> Pair:
    """Discrete Gaussian noise; from sigma = 2,000 on the continuous one, from which it differs by less than floats can
    tell, in cells that have the least of their losses."""
    shift = abs(float(shift))
    if shift == 0:
        return Pair(NOTHING, NOTHING)
    if sigma <= 2000:
        points = np.arange(-math.ceil(12 * sigma), math.ceil(12 * sigma) + 1, dtype=np.float64)
        chances = np.exp(-((points / sigma) ** 2) / 2)
    else:
        edges = np.linspace(-12 * sigma, 12 * sigma, 4 * CELLS)
        below = np.array([math.erfc(-edge / sigma / math.sqrt(2)) / 2 for edge in edges])
        points, chances = edges[1:], np.diff(below)
    values = shift * (shift - 2 * points) / (2 * sigma**2)
    loss = Loss(values, chances / chances.sum())
    return Pair(loss, loss)


NOTHING = Loss(np.zeros(1), np.ones(1))


def softmax(regrets, rate: float) -> np.ndarray:
    """The law of the exponential mechanism."""
    weights = np.exp(-rate * np.asarray(regrets, dtype=np.float64))
    return weights / weights.sum()


def flips(regrets, rate: float) -> np.ndarray:
    """The law of permute-and-flip: each candidate comes at a uniform moment t, so its chance is w_i times the integral
    of the product of 1 - t w_j over the others, which Gauss and Legendre's sum integrates exactly."""
    weights = np.exp(-rate * np.asarray(regrets, dtype=np.float64))
    points, parts = np.polynomial.legendre.leggauss(weights.size)
    misses = 1 - np.outer((points + 1) / 2, weights)
    others = [np.delete(misses, place, axis=1).prod(axis=1) for place in range(weights.size)]
    return weights * (np.array(others) @ parts) / 2


def laplace_law(rate: float, points: np.ndarray) -> np.ndarray:
    """The chances of these whole numbers."""
    return np.exp(-rate * np.abs(points)) * math.tanh(rate / 2)


def laplace_upto(rate: float, points: np.ndarray) -> np.ndarray:
    """The chances of all up to these whole numbers."""
    points = np.asarray(points, dtype=np.float64)
    tail = np.exp(-rate * np.where(points < 0, -points, points + 1)) / (1 + math.exp(-rate))
    return np.where(points < 0, tail, 1 - tail)


@dataclass(frozen=True)
class Rounded:
    """Chances of whole numbers of grid intervals from `first` on, and the mass apart."""

    chances: np.ndarray
    first: int
    alone: float
    interval: float

    def with_(self, other: "Rounded") -> "Rounded":
        """The sum of both losses."""
        size = self.chances.size + other.chances.size - 1
        length = 1 << (size - 1).bit_length()
        both = np.fft.irfft(np.fft.rfft(self.chances, length) * np.fft.rfft(other.chances, length), length)[:size]
        alone = self.alone + other.alone - self.alone * other.alone
        return Rounded(np.maximum(both, 0.0), self.first + other.first, alone, self.interval)

    def times(self, number: int) -> "Rounded":
        """So many copies."""
        if number == 1:
            return self
        half = self.times(number // 2)
        twice = half.with_(half)
        return twice.with_(self) if number % 2 else twice

    def delta(self, epsilon: float) -> float:
        values = (self.first + np.arange(self.chances.size)) * self.interval
        return Loss(values, self.chances, self.alone).delta(epsilon)


def rounded(loss: Loss, interval: float) -> Rounded:
    """The losses rounded down to multiples of the interval; those below -40 count as that, which is a lower bound too
    as long as no epsilon is asked about that low."""
    cells = np.floor(np.maximum(loss.values, -40.0) / interval - 1e-9).astype(np.int64)
    first = int(cells.min(initial=0))
    # Chances next to nothing stay: only what is above epsilon counts.
    return Rounded(np.bincount(cells - first, loss.chances), first, loss.alone, interval)


def together(parts: "list[Loss]", interval: float) -> Rounded:
    """Independent outputs."""
    return reduce(Rounded.with_, (rounded(part, interval) for part in [*parts, NOTHING]))
