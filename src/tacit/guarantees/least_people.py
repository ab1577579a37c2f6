"""What the guarantees share that ask for a least number k of people in each class, whoever those people are.

Monotone by class: a merged class has all the people of each part.
"""

from typing import ClassVar

import numpy as np

from tacit.arrays import BoolArray, FloatArray
from tacit.guarantees.guarantee import Monotone
from tacit.params import Params


class LeastPeople(Params):
    """Each class has at least k of some people, whom the guarantee counts by its `measure`."""

    monotone: ClassVar[Monotone] = "class"

    k: int

    @property
    def bound(self) -> float:
        """The least number of people."""
        return self.k

    def satisfied(self, measured: FloatArray) -> BoolArray:
        """At least k."""
        return measured >= self.k

    def margin(self, measured: FloatArray) -> FloatArray:
        """People above k."""
        return measured - self.k

    def worst(self, measured: FloatArray) -> float:
        """The class with the fewest."""
        return float(measured.min(initial=np.inf))

    def unkeepable(self, measured: FloatArray) -> FloatArray:
        """Nothing is known beyond the guarantees that it implies."""
        return np.zeros(measured.size)
