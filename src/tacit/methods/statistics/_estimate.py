"""An estimate computed from noisy numbers: its value, and an interval from the noises that reach it.

To first order the estimate is off by a sum of independent Laplace noises of the given scales (the derivatives of the
estimate times the scales of the published numbers; all public). The interval is that of the sum; where the noise is not
small against the numbers that it was added to, the estimate says so and the interval is the whole range.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from tacit.accounting.events import Event
from tacit.methods.statistics._laplace_sum import sum_quantile
from tacit.noise.answer import Interval
from tacit.noise.private_answer import UNKNOWN, Publishable


@dataclass(frozen=True)
class Estimate(Publishable):
    """A number between public limits; `centre` is the same before it was clamped to them."""

    centre: float
    scales: tuple[float, ...]
    event: Event
    lower: float
    upper: float
    known: bool = True
    seeded: bool = False

    @property
    def value(self) -> float:
        """The published number."""
        return float(min(max(self.centre, self.lower), self.upper))

    def told(self) -> Mapping[str, Any]:
        """The estimate."""
        return {"values": [self.value]}

    def remarks(self) -> tuple[str, ...]:
        """That nothing is known, where nothing is."""
        return () if self.known else (UNKNOWN,)

    def error(self, level: float = 0.95) -> float:
        """What the estimate is off by, at most, with probability `level`."""
        if not self.known:
            return self.upper - self.lower
        return min(sum_quantile(self.scales, level), self.upper - self.lower)

    def reach(self, level: float = 0.95) -> float:
        """What the estimate is off by before it is held within its limits, at most, with probability `level`."""
        return sum_quantile(self.scales, level) if self.known else np.inf

    def interval(self, level: float = 0.95) -> Interval:
        """Bounds that hold the true value with probability `level`."""
        reach = self.reach(level)
        ends = np.clip([self.centre - reach, self.centre + reach], self.lower, self.upper)
        return Interval(ends[:1], ends[1:])
