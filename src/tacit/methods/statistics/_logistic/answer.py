"""Weights that were found by rounds of noisy sums, with intervals from the noise of the pulls they answer.

To first order weights that answer a noisy pull are off by W = C^-1 times its noise, C the curvature with the penalty. A
weight's error is a · z with a row a of W and noise z, uniform in a cube of gamma-distributed radius (or Gaussian): with
m coordinates its variance is |a|**2 var z_1 and its kurtosis (m + 3)(m + 4) / ((m + 1)(m + 2)) times that of uniform
numbers, 3 - 1.2 sum a_j**4 / |a|**4. The averaged pull has the noises of several. The quantile is that of Cornish and
Fisher (1938) with the sum's variance and kurtosis; what else a step may have missed is added.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from statistics import NormalDist
from typing import Any

import numpy as np

from tacit.accounting.events import Event
from tacit.arrays import FloatArray
from tacit.noise.answer import Interval
from tacit.noise.noise import check_level
from tacit.noise.private_answer import UNKNOWN, Publishable


@dataclass(frozen=True)
class NoiseLaw:
    """`ways` is W, with no entry where nothing is known of the error; `noises` are the deviations of the pulls' noises,
    `missed` what the pull may be off by beside them."""

    ways: FloatArray
    noises: FloatArray
    missed: float
    gaussian: bool

    def reach(self, level: float) -> FloatArray:
        """What each weight is off by, at most, with probability `level`."""
        if not self.ways.size:
            return np.full(self.ways.shape[1], np.inf)
        size = self.ways.shape[1]
        squares, fourths = (self.ways**2).sum(axis=1), (self.ways**4).sum(axis=1)
        noise = float((self.noises**2).sum())
        radius = (size + 3) * (size + 4) / ((size + 1) * (size + 2))
        kurtosis = 3.0 if self.gaussian else radius * (3 - 1.2 * fourths / squares**2)
        excess = (kurtosis - 3) * float((self.noises**4).sum()) / noise**2
        normal = NormalDist().inv_cdf((1 + level) / 2)
        quantile = normal + excess * (normal**3 - 3 * normal) / 24
        reach: FloatArray = np.sqrt(squares) * (math.sqrt(noise) * quantile + self.missed)
        return reach


@dataclass(frozen=True)
class RoundsAnswer(Publishable):
    """Weights, the penalty under which they were sought, the law of their error, and what they cost."""

    values: FloatArray
    penalty: float
    law: NoiseLaw
    event: Event
    seeded: bool = False

    def told(self) -> Mapping[str, Any]:
        """The weights."""
        return {"values": self.values}

    def remarks(self) -> tuple[str, ...]:
        """That nothing is known, where nothing is."""
        return () if self.law.ways.size else (UNKNOWN,)

    def interval(self, level: float = 0.95) -> Interval:
        """For each weight bounds that hold that of the model without noise under this penalty, with probability
        `level`; the whole line where nothing is known."""
        check_level(level)
        reach = self.law.reach(level)
        return Interval(self.values - reach, self.values + reach)

    def stretched(self, factor: float) -> "RoundsAnswer":
        """The same model for features that are divided by this factor."""
        law = replace(self.law, ways=self.law.ways * factor)
        return RoundsAnswer(self.values * factor, self.penalty / factor**2, law, self.event)
