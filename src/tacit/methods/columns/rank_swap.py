"""Rank swapping: each number swaps places with one whose rank is at most p per cent of the rows away.

After Moore (1996). Here the sorted numbers are cut into blocks of w = floor(p n / 100) + 1 ranks, at borders whose
offset is drawn uniformly, and every block's numbers change places in random pairs; where a block is odd, three of them
change places in a ring. So no number moves further than w - 1 ranks, every partner within a block is equally likely,
and all is done in one sort. A number alone in its block (it can happen at the two ends) stays; where w is 1 nothing
would move, so that is refused.

What holds: the column's numbers are exactly the same as before, so every statistic of one column is kept; the mean
squared distance of ranks within a whole block of even size w is w (w + 1) / 6. What does not: relations with other
columns weaken with p, each column is swapped by itself, and nothing is promised about any one person: whoever knows
the order of two far numbers still knows it. Equal numbers stand in random order; missing cells stay.
"""

from typing import Annotated

import numpy as np
from pydantic import Field

from tacit.arrays import FloatArray, IntArray
from tacit.cards.columns import ColumnMethod
from tacit.data.columns import Columns, Numbers
from tacit.errors import BadParameter
from tacit.methods.columns._ranks import random_ranks
from tacit.params import Params
from tacit.randomness.stream import RandomBits
from tacit.randomness.uniform import uniform_integers


class RankSwap(Params):
    """How far a number may travel."""

    percent: Annotated[
        float,
        Field(gt=0, le=100, description="the largest difference between swapped ranks, as a percentage of the rows"),
    ]


def rank_swap(columns: Columns, params: RankSwap, bits: RandomBits) -> Columns:
    """Every column with its numbers in swapped places."""
    found = columns.numbers("rank swapping")
    return Columns({name: Numbers(_swapped(name, values, params, bits)) for name, values in found.items()})


def _swapped(name: str, values: FloatArray, params: RankSwap, bits: RandomBits) -> FloatArray:
    there = np.flatnonzero(~np.isnan(values))
    width = int(params.percent * there.size / 100) + 1
    if there.size and width < 2:
        raise BadParameter(
            f"percent is {params.percent:g}, less than one rank of the {there.size} numbers in column {name!r}; "
            f"it must be at least {100 / there.size:.3g}"
        )
    ranked = np.empty(there.size, dtype=np.int64)
    ranked[random_ranks(values[there], bits)] = there
    swapped = values.copy()
    swapped[ranked] = values[ranked[partners(there.size, width, bits)]]
    return swapped


def partners(size: int, width: int, bits: RandomBits) -> IntArray:
    """For each rank the one that it takes its number from: another in its block of `width` ranks."""
    if not size:
        return np.empty(0, dtype=np.int64)
    width = min(width, size)
    block = (np.arange(size) + int(uniform_integers(width, 1, bits)[0])) // width
    order = np.lexsort((bits.words(size), block))
    sizes = np.bincount(block)[block]
    place = np.arange(size) - np.searchsorted(block, block)
    # Pairs 0-1, 2-3, …; the last three of an odd block go round.
    ring = (sizes % 2 == 1) & (place >= sizes - 3) & (sizes >= 3)
    offset = np.where(place % 2 == 0, 1, -1)
    offset = np.where(ring, np.where(place == sizes - 1, -2, 1), offset)
    offset = np.where(sizes == 1, 0, offset)
    taken = np.empty(size, dtype=np.int64)
    taken[order] = order[np.arange(size) + offset]
    return taken


METHOD = ColumnMethod(
    title="Rank swapping",
    params=RankSwap,
    run=rank_swap,
    needs="columns of numbers; each column is swapped separately",
    gives="the same numbers in other rows, moved by at most a share of all ranks",
    cells="numbers",
    conceals=True,
    paper="https://doi.org/10.1007/978-1-4613-0121-9",
    example=RankSwap(percent=50),
)
