"""Interval disclosure: the original number lies in a narrow interval around the masked one (Mateo-Sanz et al. 2004).

The adversary sees a masked number and takes for granted that the original is near it: within `width` of all rows by
rank. Around the rank r of the masked value among the originals the interval runs over the original values of rank
r − width · n to r + width · n. A cell is disclosed if its original lies there; the rate is over all cells.

The baseline asks the same of the interval around some other row's masked number.
"""

from typing import Annotated

import numpy as np
from pydantic import Field

from tacit.arrays import FloatArray
from tacit.attacks._success import success
from tacit.cards.attack import TableAttack
from tacit.data.tables.masked_numbers import MaskedNumbers
from tacit.params import Params
from tacit.release.attacks import Success


class IntervalWidth(Params):
    """How narrow an interval counts as a disclosure."""

    width: Annotated[
        float, Field(gt=0, lt=0.5, description="half the width of the interval, as a share of all rows by rank")
    ] = 0.05


def find_disclosed(numbers: MaskedNumbers, params: IntervalWidth) -> Success:
    """The share of cells whose original lies in the interval around the masked number."""
    rows, columns = numbers.original.shape
    if not rows or not columns:
        return success(0.0, 0, 0.0)
    hits, blind = 0, 0.0
    for c in range(columns):
        ordered = np.sort(numbers.original[:, c])
        low, high = _intervals(ordered, numbers.masked[:, c], params.width)
        hits += int(((numbers.original[:, c] >= low) & (numbers.original[:, c] <= high)).sum())
        inside = np.searchsorted(ordered, high, side="right") - np.searchsorted(ordered, low, side="left")
        blind += float(inside.mean()) / rows
    return success(hits, rows * columns, blind / columns)


def _intervals(ordered: FloatArray, masked: FloatArray, width: float) -> tuple[FloatArray, FloatArray]:
    """The ends of the interval around each masked number."""
    rank = (np.searchsorted(ordered, masked, side="left") + np.searchsorted(ordered, masked, side="right")) // 2
    reach = int(width * ordered.size)
    last = ordered.size - 1
    low = ordered[np.clip(rank - reach, 0, last)]
    high = ordered[np.clip(rank + reach, 0, last)]
    return low, high


ATTACK = TableAttack(
    title="Interval disclosure",
    params=IntervalWidth,
    run=find_disclosed,
    needs="original and masked numbers, row by row",
    gives="the share of cells whose original lies near the masked number",
    paper="https://doi.org/10.1007/978-3-540-25955-8_16",
    example=IntervalWidth(),
    knowledge="the masked numbers, and how each column is distributed",
    story="The adversary assumes that the original number lies near the masked one.",
    means="Success means that an original number lies within a narrow range around the published one.",
    sees="numbers",
)
