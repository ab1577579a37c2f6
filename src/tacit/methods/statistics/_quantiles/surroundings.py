"""Noisy counts of bins around public places, fine near them and coarse far away, from which quantiles get intervals.

Bins are cut before the candidates 0, 1, 2, …, 8, 10, 12, 15, … steps below each place and after those as many steps
above it; distances grow by 5/4, so the number of bins grows with the logarithm of the resolution only. A row stands in
one bin, so all counts together cost as much as one. The interval of a quantile is found by tests at the borders
(`crossing.py`). Their noise does not depend on how the rows lie: wide gaps make the bins wide, not the interval false.
"""

from dataclasses import dataclass

import numpy as np

from tacit.arrays import FloatArray, IntArray
from tacit.methods.statistics._quantiles.crossing import RisingCounts, crossing
from tacit.methods.statistics._quantiles.ranked import RankCounts
from tacit.noise.answer import Interval


@dataclass(frozen=True)
class Surroundings:
    """Noisy counts of bins, the values of their borders from bound to bound, and the scale of the noise of a bin."""

    counts: FloatArray
    borders: FloatArray
    scale: float

    def interval(self, shares: tuple[float, ...], level: float) -> Interval:
        """For each quantile bounds that hold it with probability `level`."""
        found = [crossing(self._rising(share), level) for share in shares]
        lower = self.borders[[stretch.first for stretch in found]]
        return Interval(lower, self.borders[[stretch.last + 1 for stretch in found]])

    def _rising(self, share: float) -> RisingCounts:
        """(1 - share) rows below - share rows above each border."""
        below, size = np.concatenate([[0.0], np.cumsum(self.counts)]), self.counts.size

        def weights(border: int) -> FloatArray:
            return np.where(np.arange(size) < border, 1 - share, -share)

        return RisingCounts(
            below - share * below[-1], weights, self.scale, max(share, 1 - share) * float(np.sqrt(2.0 * size))
        )


def cuts(places: IntArray, resolution: int) -> IntArray:
    """Where bins are cut around these places: 2 i before candidate i, 2 i + 1 after it."""
    steps = _distances(resolution)
    before, after = 2 * np.subtract.outer(places, steps), 2 * np.add.outer(places, steps) + 1
    # A set of few: `np.unique` would import the masks of numpy, which takes longer than all the rest.
    found = np.array(sorted({*before.ravel().tolist(), *after.ravel().tolist()}), dtype=np.int64)
    return found[(found > 0) & (found <= 2 * resolution)]


def bin_counts(ranked: RankCounts, cut: IntArray) -> IntArray:
    """How many rows stand in each bin; secret."""
    counts: IntArray = np.add.reduceat(ranked.among, np.append(0, cut)).astype(np.int64)
    return counts


def _distances(most: int) -> IntArray:
    steps = [0]
    while steps[-1] < most:
        steps.append(max(steps[-1] + 1, steps[-1] * 5 // 4))
    return np.array(steps, dtype=np.int64)
