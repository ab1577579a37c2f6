"""What a guarantee requires of every class, as numbers that searches test in compiled loops and that bound attacks.

p is the share of a value among the people of a class, and q its share in the input.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np

from tacit.arrays import FloatArray

LimitForm = Literal["distinct", "entropy", "recursive", "equal", "ordered", "hierarchical", "kl"]
"""How a whole distribution is judged: by its number of values, its effective number of values, its most frequent value
against its tail, or by a distance from the input."""


@dataclass(frozen=True, eq=False)
class ShareLimits:
    """For each value the least and the largest share that it may have in a class."""

    least: FloatArray
    most: FloatArray


def at_most_share(expected: FloatArray, most: float) -> ShareLimits:
    """The same largest share for every value, and no least one."""
    return ShareLimits(np.zeros(expected.size), np.full(expected.size, most))


@dataclass(frozen=True)
class DistributionLimit:
    """A bound on a form of the whole distribution; `rank` is where the tail begins, for the recursive form."""

    form: LimitForm
    bound: float
    rank: int = 0


@dataclass(frozen=True)
class ClassLimits:
    """What every class has: so many people, people of the population and different values, at the least.

    `shares` gives, from the share q of each value, the limits of its share p; `distribution` bounds p as a whole, and
    `gain` is the most that p/q can be. They are everything that the guarantee asks: where `distribution` is given it
    is the condition, and `shares`, `values` and `gain` only follow from it.
    """

    people: int = 1
    population: int = 0
    values: int = 1
    shares: Callable[[FloatArray], ShareLimits] | None = None
    distribution: DistributionLimit | None = None
    gain: float | None = None

    @property
    def counts_heads(self) -> bool:
        """Whether only numbers of people matter, of the data or of the population, and no values."""
        return self.values <= 1 and self.shares is None and self.distribution is None

    @property
    def counts_people(self) -> bool:
        """Whether only the number of people of the data matters."""
        return self.counts_heads and self.population == 0

    @property
    def counts_values(self) -> bool:
        """Whether only numbers matter, of people or of different values."""
        return self.counts_heads or (self.distribution is not None and self.distribution.form == "distinct")
