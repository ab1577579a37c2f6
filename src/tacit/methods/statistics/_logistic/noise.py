"""Noise in the shape of a cube for sums of rows that are bounded coordinate by coordinate (Hardt and Talwar 2010).

A row adds a vector of d numbers, each at most `most` in size. Laplace noise would answer for their L1 length, d `most`.
Noise z with Pr[z] proportional to exp(-rate max_j |z_j|) answers for the largest of them alone: epsilon is rate `most`,
and a coordinate's variance, (d + 1)(d + 2) / (3 rate**2), is for many coordinates a sixth of Laplace's (Steinke and
Ullman 2017, Awan and Slavkovic 2021).

On whole numbers it is drawn exactly. exp(-rate k) is the sum over r >= k of (1 - q) q**r with q = exp(-rate), so z is
uniform in the cube [-r, r]**d where Pr[r] is proportional to (2 r + 1)**d q**r. The sum of d + 1 geometric numbers is r
with probability proportional to C(r + d, d) q**r; kept with probability prod_i (2 r + 1) / (2 r + 2 i), i = 1, …, d, it
has that law.

Where there is a delta noise may be discrete Gaussian by the L2 length, and is so where that is smaller. Shares of a
budget add up: shares of epsilon for cubes, of 1 / sigma**2 for Gaussians.
"""

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from tacit.accounting.events import Event, Pure
from tacit.accounting.events import Gaussian as GaussianEvent
from tacit.accounting.exact import root_up, rounded_down
from tacit.accounting.gaussian import gaussian_sigma
from tacit.arrays import FloatArray, IntArray
from tacit.noise.grid import MOST_STEPS, clamped_sum
from tacit.noise.noise import GaussianNoise
from tacit.noise.setting import Allowance
from tacit.noise.smoothing import accounted, on_grid
from tacit.randomness.geometric import geometric
from tacit.randomness.stream import RandomBits
from tacit.randomness.uniform import uniform_integers

_FINE = 34
"""Noise has a deviation of at most 2 to this power steps, where a grid can be that coarse; samplers allow more."""


def cube_noise(rate: Fraction, size: int, bits: RandomBits) -> IntArray:
    """One vector of whole numbers with Pr[z] proportional to exp(-rate max |z_j|)."""
    while True:
        radius = int(geometric(rate, size + 1, bits).sum())
        if _kept(radius, size, bits):
            return uniform_integers(2 * radius + 1, size, bits) - radius


def _kept(radius: int, size: int, bits: RandomBits) -> bool:
    """True with probability prod_i (2 r + 1) / (2 r + 2 i)."""
    tops = (2 * (radius + place) for place in range(1, size + 1))
    return all(uniform_integers(top, 1, bits)[0] <= 2 * radius for top in tops)


def coarser(sums: IntArray, shift: int) -> IntArray:
    """The sums in steps of 2**shift, rounded half up: numbers D 2**shift apart stay at most D apart, if D is whole."""
    rounded: IntArray = (sums + ((1 << shift) >> 1)) >> shift
    return rounded


@dataclass(frozen=True)
class Noisy:
    """Sums with noise, the standard deviation of each number's noise, and what that cost."""

    values: FloatArray
    deviation: float
    event: Event


@dataclass(frozen=True)
class Purse:
    """A budget of which sums take shares; `rows` is how many rows one person may move."""

    budget: Allowance
    rows: int

    @classmethod
    def least(cls, budget: Allowance, rows: int, size: int) -> "Purse":
        """The one, with the delta or without, that has less noise in `size` numbers."""
        with_delta, pure = cls(budget, rows), cls(Allowance(budget.epsilon), rows)
        half = Fraction(1, 2)
        return pure if pure.deviation(size, share=half) <= with_delta.deviation(size, share=half) else with_delta

    @property
    def event(self) -> Event:
        """What all shares together cost, however they are dealt out on the way.

        Epsilons add up under adaptive choices (Rogers, Roth, Ullman and Vadhan 2016), and so do the squares of the
        sensitivities over the sigmas of Gaussian noise (Smith and Thakurta 2022).
        """
        if self.budget.delta == 0:
            return Pure(self.budget.epsilon)
        return GaussianEvent(accounted(self._sigma))

    def noisy(self, sums: IntArray, most: int, share: Fraction, bits: RandomBits) -> Noisy:
        """The sums, to each of which a row adds at most `most` in size, with noise for this share of the budget.

        `most` is a power of two, so that a coarser grid of up to `most` makes a row's part no larger than it is.
        """
        deviation = self.deviation(sums.size, float(most), share)
        shift = min(max(math.frexp(deviation)[1] - _FINE, 0), most.bit_length() - 1)
        held = coarser(np.clip(sums, -MOST_STEPS, MOST_STEPS), shift)
        moved = (most >> shift) * self.rows
        if self.budget.delta == 0:
            epsilon = self.budget.epsilon * share
            drawn = cube_noise(epsilon / moved, held.size, bits)
            event: Event = Pure(epsilon)
        else:
            sensitivity = moved * root_up(Fraction(held.size))
            sigma = self._sigma * sensitivity * root_up(1 / share)
            drawn = GaussianNoise(on_grid(sigma)).draw(held.size, bits)
            event = GaussianEvent(accounted(sigma), sensitivity)
        return Noisy(np.ldexp(clamped_sum(held, drawn).astype(np.float64), shift), deviation, event)

    def deviation(self, size: int, most: float = 1.0, share: Fraction | float = 1) -> float:
        """The standard deviation of each of `size` noisy numbers."""
        moved = most * self.rows
        if self.budget.delta == 0:
            return moved / float(self.budget.epsilon * share) * math.sqrt((size + 1) * (size + 2) / 3)
        return float(self._sigma) * moved * math.sqrt(size / float(share))

    @property
    def _sigma(self) -> Fraction:
        return Fraction(gaussian_sigma(rounded_down(self.budget.epsilon), self.budget.delta))
