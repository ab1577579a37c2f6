"""The mean from a histogram (W23): noisy counts of equal bins, each row counted as the middle of its bin.

mean = sum m_i c_i / sum c_i with noisy counts c and middles m. One histogram, asked once, serves this and every other
question about it. The interval is for the mean of the middles, to first order in the noise: it is off by a sum of
noises of scales |m_i - mean| s / (epsilon n). The mean of the values themselves is at most half a bin away from that.
"""

from collections.abc import Sequence
from typing import Annotated

import numpy as np
from numpy.typing import ArrayLike
from pydantic import Field

from tacit.accounting.events import Event
from tacit.arrays import FloatArray, IntArray
from tacit.cards.statistics import Statistic
from tacit.cards.takes import NumberColumn
from tacit.data.aggregates.cells import CellCounts, Cells
from tacit.methods.statistics import histogram as of_cells
from tacit.methods.statistics._estimate import Estimate
from tacit.methods.statistics.histogram import Histogram, HistogramAnswer, histogram
from tacit.noise.axes import Bins
from tacit.noise.noise import LaplaceNoise
from tacit.noise.statistic_params import BoundedQuestion
from tacit.randomness.stream import RandomBits
from tacit.sensitivity.neighbouring_datasets import of_numbers

_ENOUGH = 10


class HistogramMean(BoundedQuestion):
    """The mean of the middles of bins."""

    bins: Annotated[int, Field(ge=2, le=10_000, description="how many equal bins lie between the bounds")]

    @property
    def asked(self) -> Histogram:
        """The histogram behind the mean."""
        axes = (Bins(lower=self.lower, upper=self.upper, bins=self.bins),)
        shared = self.model_dump(include={"epsilon", "neighbours", "contributions"})
        return Histogram(axes=axes, **shared)


def mean_of_counts(counts: IntArray | FloatArray, middles: FloatArray) -> float:
    """The mean of the middles, weighted by counts whose sum is above 0."""
    return float(middles @ counts / counts.sum())


def histogram_mean(values: ArrayLike, params: HistogramMean, bits: RandomBits) -> Estimate:
    """The mean of the middles of the bins, from a noisy histogram."""
    return from_histogram(histogram([values], params.asked, bits), params).marked(bits.seeded)


def wanted(columns: Sequence[str], params: HistogramMean) -> Cells:
    """What an engine must count: the rows in each bin."""
    return of_cells.wanted(columns, params.asked)


def from_aggregates(found: CellCounts, params: HistogramMean, bits: RandomBits) -> Estimate:
    """The private answer, computed from the aggregates that an engine found."""
    return from_histogram(of_cells.from_aggregates(found, params.asked, bits), params).marked(bits.seeded)


def from_histogram(answer: HistogramAnswer, params: HistogramMean) -> Estimate:
    """The mean from a histogram that was asked already; free."""
    middles = params.asked.axes[0].middles if isinstance(params.asked.axes[0], Bins) else np.empty(0)
    counts, noise = answer.noisy.values.astype(np.float64), answer.noisy.noise
    scale = 1 / float(noise.rate) if isinstance(noise, LaplaceNoise) else 0.0
    rows = float(counts.sum())
    ends = float(middles[0]), float(middles[-1])
    if rows <= _ENOUGH * scale * params.bins**0.5:
        return Estimate(sum(ends) / 2, (), answer.event, *ends, known=False)
    mean = mean_of_counts(counts, middles)
    return Estimate(mean, tuple(np.abs(middles - mean) * scale / rows), answer.event, *ends)


def spends(params: HistogramMean) -> Event:
    """What the histogram costs."""
    return of_cells.spends(params.asked)


METHOD = Statistic(
    title="Mean from a histogram",
    params=HistogramMean,
    run=histogram_mean,
    takes=NumberColumn(),
    wanted=wanted,
    answer=from_aggregates,
    spends=spends,
    neighbours=of_numbers,
    needs="a number for each row, declared bounds and bins",
    gives="the mean of the middles of the bins, with an interval",
    paper="https://doi.org/10.1007/11681878_14",
    example=HistogramMean(epsilon=0.5, lower=1000.0, upper=4000.0, bins=3),
)
