"""The regions of a board: nodes in every column that cover some of its units.

The regions worth a class are joins of units, so each is known by the set of units that it covers. Regions are grown
from all pairs; one that covers too little for a class is joined with its nearest units. Regions that lose much more
than any class on the board are left out.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tacit.arrays import FloatArray, IntArray
from tacit.methods.tables._kernels import compiled, inlined, inner
from tacit.methods.tables._local.bits import NONE, ONE, ZERO
from tacit.methods.tables._local.board import UNITS, suffices

REGIONS = 1_500
GROWTHS = 3
SLOTS = 8_192


class Regions(NamedTuple):
    """Region r: covers the units `cover[r]` at loss `loss[r]`; levels `level[r]` seen from unit `pivot[r]`.

    The covers found so far are a hash table: `table` where `stamp` is that of the board (`stamp[SLOTS]`). `pair`,
    `reach` and `toll` are room for what is found about units. `ranked` and `price` are the covers and losses of those
    that may be classes.
    """

    cover: NDArray[np.uint64]
    loss: FloatArray
    pivot: IntArray
    level: NDArray[np.int8]
    table: NDArray[np.uint64]
    stamp: IntArray
    pair: NDArray[np.uint64]
    reach: FloatArray
    toll: FloatArray
    ranked: NDArray[np.uint64]
    price: FloatArray


def new_regions(columns: int) -> Regions:
    """Room for the regions of a board."""
    return Regions(
        np.empty(REGIONS, np.uint64),
        np.empty(REGIONS, np.float64),
        np.empty(REGIONS, np.int64),
        np.empty((REGIONS, columns), np.int8),
        np.empty(SLOTS, np.uint64),
        np.zeros(SLOTS + 1, np.int64),
        np.empty(UNITS, np.uint64),
        np.empty(UNITS, np.float64),
        np.empty(UNITS, np.float64),
        np.empty(REGIONS, np.uint64),
        np.empty(REGIONS, np.float64),
    )


@compiled
def find_regions(board, regions, extent, need, most):  # type: ignore[no-untyped-def]
    """Those that may be classes and lose at most so much, `ranked` by loss; returns their number."""
    number = grow(board, regions, join_pairs(board, regions, extent), (extent, most), need)
    kept = ZERO
    # Regions that were grown out of too small ones are among them; those that stayed too small are dropped.
    for r in range(number):
        if regions.loss[r] <= most and suffices(board.sums, regions.cover[r], need):
            regions.ranked[kept] = regions.cover[r]
            regions.price[kept] = regions.loss[r]
            kept += 1
    rank(regions.ranked, regions.price, kept)
    return kept


@inner
def rank(ranked, price, size):  # type: ignore[no-untyped-def]
    """Sort both by price (Shell 1959): far quicker to compile than a library's sort, and as quick for so few."""
    gap = 1
    while gap < size:
        gap = 3 * gap + 1
    # After a pass, prices that are `gap` apart are in order; the last pass has a gap of 1.
    while gap > 1:
        gap //= 3
        for i in range(gap, size):
            loss, cover = price[i], ranked[i]
            place = i
            while place >= gap and price[place - gap] > loss:
                price[place], ranked[place] = price[place - gap], ranked[place - gap]
                place -= gap
            price[place], ranked[place] = loss, cover


@inlined
def note(regions, number, cover):  # type: ignore[no-untyped-def]
    """Whether the cover is new among the regions of this board; it is stored as region `number` if so."""
    if number >= REGIONS:
        return False
    stamp = regions.stamp[SLOTS]
    slot = np.int64((cover * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(51))
    # A slot with an older stamp is empty, so the table need not be cleared for each board. It has five times as many
    # slots as there are regions, so a search ends.
    while regions.stamp[slot] == stamp:
        if regions.table[slot] == cover:
            return False
        slot = (slot + 1) & (SLOTS - 1)
    regions.stamp[slot] = stamp
    regions.table[slot] = cover
    regions.cover[number] = cover
    return True


@inner
def join_pairs(board, regions, extent):  # type: ignore[no-untyped-def]
    """The regions of all pairs (and single units); returns their number."""
    different, columns = extent
    regions.stamp[SLOTS] += 1
    number = ZERO
    for x in range(different):
        cover_pairs(board, regions, x, columns)
        # `note` says whether this set of units is new; other pairs may have led to the same region.
        for y in range(x + 1):
            if note(regions, number, regions.pair[y]):
                regions.pivot[number] = board.different[x]
                loss = 0.0
                for c in range(columns):
                    regions.level[number, c] = board.level[c, board.kind[c, x], board.kind[c, y]]
                    loss += board.toll[c, board.kind[c, x], board.kind[c, y]]
                regions.loss[number] = loss
                number += 1
    return number


@inlined
def cover_pairs(board, regions, x, columns):  # type: ignore[no-untyped-def]
    """In `pair`, the units under the join of a different unit and each one up to it."""
    for y in range(x + 1):
        regions.pair[y] = ~NONE
    # Column by column: the inner loop reads one row of each table from end to end.
    for c in range(columns):
        both, kind = board.both[c, board.kind[c, x]], board.kind[c]
        for y in range(x + 1):
            regions.pair[y] &= both[kind[y]]


@inner
def grow(board, regions, number, bounds, need):  # type: ignore[no-untyped-def]
    """Join every region that is too small with its nearest units until none is; returns the number of regions."""
    extent, most = bounds
    done = ZERO
    # New regions are added behind the last and have their own turn, so growing goes on until each suffices, is too
    # dear, or there is no room.
    while done < number and number < REGIONS:
        if regions.loss[done] <= most and not suffices(board.sums, regions.cover[done], need):
            passed = regions.cover[done]
            measure_reach(board, regions, done, extent)
            # What earlier growths of this region cover is passed over, so each turn brings a new unit in.
            for _ in range(GROWTHS):
                nearest = nearest_unit(board, regions, passed, extent[0])
                if nearest < 0 or number >= REGIONS or regions.reach[nearest] > most:
                    break
                cover = join_unit(board, regions, (done, number), board.different[nearest], extent[1])
                passed |= cover
                if note(regions, number, cover):
                    regions.loss[number] = regions.reach[nearest]
                    number += 1
        done += 1
    return number


@inlined
def measure_reach(board, regions, region, extent):  # type: ignore[no-untyped-def]
    """In `reach`, the loss of the join of a region with each different unit."""
    different, columns = extent
    pivot = regions.pivot[region]
    for x in range(different):
        regions.reach[x] = 0.0
    for c in range(columns):
        a = board.leaf[c, pivot]
        # First the price of each leaf, then a look-up for each unit: there are far fewer leaves than units.
        for b in range(board.leaves[c]):
            regions.toll[b] = board.cost[c, max(regions.level[region, c], board.level[c, a, b]), a]
        kind = board.kind[c]
        for x in range(different):
            regions.reach[x] += regions.toll[kind[x]]


@inlined
def nearest_unit(board, regions, passed, different):  # type: ignore[no-untyped-def]
    """The different unit outside `passed` that is reached at the least loss, or -1."""
    best = np.inf
    nearest = -1
    # Of equally near units the first wins, so that runs can be repeated.
    for x in range(different):
        if regions.reach[x] < best and not (passed >> np.uint64(board.different[x])) & ONE:
            best = regions.reach[x]
            nearest = x
    return nearest


@inlined
def join_unit(board, regions, which, unit, columns):  # type: ignore[no-untyped-def]
    """Write the join of a region and a unit at the place of another; returns the units that it covers."""
    region, place = which
    pivot = regions.pivot[region]
    regions.pivot[place] = pivot
    cover = ~NONE
    # A region is a node in each column; its units are those that every column covers.
    for c in range(columns):
        a = board.leaf[c, pivot]
        level = max(regions.level[region, c], board.level[c, a, board.leaf[c, unit]])
        regions.level[place, c] = level
        cover &= board.alike[c, level, a]
    return cover
