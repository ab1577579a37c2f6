"""A private answer: the published numbers and a description of their noise, from which each gets its interval."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from tacit.accounting.events import Event
from tacit.arrays import FloatArray, IntArray
from tacit.noise.noise import Noise, error_steps
from tacit.noise.private_answer import Interval as Interval
from tacit.noise.private_answer import Publishable


@dataclass(frozen=True)
class NoisyAnswer(Publishable):
    """Published numbers, what was added to them (all of it public) and what that cost.

    `step` is one unit of the noise; `rounding` is the most that rounding to the grid moved the answer. The limits, if
    any, are known bounds of the true answer.
    """

    values: IntArray | FloatArray
    noise: Noise
    event: Event
    public: ClassVar[frozenset[str]] = frozenset({"noise", "event", "step", "rounding", "lower", "upper", "seeded"})

    step: Fraction = Fraction(1)
    rounding: Fraction = Fraction(0)
    lower: float | None = None
    upper: float | None = None
    seeded: bool = False

    @property
    def value(self) -> float:
        """The published number, where there is one."""
        return float(self.values[0])

    def told(self) -> Mapping[str, Any]:
        """The noisy numbers, within what is possible."""
        return {"values": self._possible(self.values)}

    def error(self, level: float = 0.95, together: bool = False) -> float:
        """The error that each number (or all of them together) does not exceed, with probability `level`."""
        count = self.values.size if together else 1
        return float(error_steps(self.noise, level, count) * self.step + self.rounding)

    def interval(self, level: float = 0.95, together: bool = False) -> Interval:
        """For each number an interval that holds the truth with probability `level` (or all at once)."""
        error = self.error(level, together)
        return Interval(self._possible(self.values - error), self._possible(self.values + error))

    def _possible(self, values: NDArray[Any]) -> NDArray[Any]:
        """The numbers held within the limits that the true answer keeps, which takes no truth out of an interval."""
        limited = self.lower is not None or self.upper is not None
        return np.clip(values, self.lower, self.upper) if limited else values
