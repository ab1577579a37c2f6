"""A board: up to 64 units side by side, with everything that their joins need as machine words.

A *region* is a node in every column. The regions worth a class are joins of units, so each is known by the set of units
that it covers. Regions are grown from all pairs; one that covers too little for a class is joined with its nearest
units.
"""

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from tacit.arrays import FloatArray, IntArray
from tacit.methods.tables._local.bits import NONE, ONE, count

UNITS = 64
REGIONS = 1_500
GROWTHS = 3
SLOTS = 8_192


class Board(NamedTuple):
    """What the units of a board have in common, column by column (those only in which they differ).

    `leaf[i, c]` numbers the leaf of unit i among those on the board. `level[c, a, b]`: where the leaves a and b meet;
    `alike[c, level, a]`: the units that meet leaf a there; `cost[c, level, a]`: the loss there. `different[i]` are the
    units that repeat no earlier one. `weight[byte, word]` and `values[byte, word]` add up eight units at once;
    `plain[0]` says that each unit weighs 1.
    """

    leaf: NDArray[np.int8]
    level: NDArray[np.int8]
    alike: NDArray[np.uint64]
    cost: FloatArray
    weight: IntArray
    values: NDArray[np.uint64]
    plain: NDArray[np.bool_]
    different: IntArray
    reach: FloatArray


class Regions(NamedTuple):
    """Region r: covers the units `cover[r]` at loss `loss[r]`; levels `level[r]` seen from unit `pivot[r]`."""

    cover: NDArray[np.uint64]
    loss: FloatArray
    pivot: IntArray
    level: NDArray[np.int8]
    table: NDArray[np.uint64]
    stamp: IntArray


@njit(cache=True)
def new_board(columns, levels):  # type: ignore[no-untyped-def]
    """An empty board."""
    return Board(
        np.empty((UNITS, columns), np.int8),
        np.empty((columns, UNITS, UNITS), np.int8),
        np.empty((columns, levels, UNITS), np.uint64),
        np.empty((columns, levels, UNITS), np.float64),
        np.empty((8, 256), np.int64),
        np.empty((8, 256), np.uint64),
        np.zeros(1, np.bool_),
        np.empty(UNITS, np.int64),
        np.empty(UNITS, np.float64),
    )


@njit(cache=True)
def new_regions(columns):  # type: ignore[no-untyped-def]
    """Room for the regions of a board."""
    return Regions(
        np.empty(REGIONS, np.uint64),
        np.empty(REGIONS, np.float64),
        np.empty(REGIONS, np.int64),
        np.empty((REGIONS, columns), np.int8),
        np.empty(SLOTS, np.uint64),
        np.zeros(SLOTS + 1, np.int64),
    )


@njit(cache=True)
def set_board(board, paths, combination, size):  # type: ignore[no-untyped-def]
    """Fill the board with the units of these combinations; returns the number of columns in which they differ."""
    differing = 0
    for column in range(paths.node.shape[1]):
        for i in range(1, size):
            if paths.node[combination[i], column, 0] != paths.node[combination[0], column, 0]:
                set_column(board, paths, combination[:size], column, differing)
                differing += 1
                break
    return differing


@njit(cache=True)
def set_column(board, paths, combination, column, place):  # type: ignore[no-untyped-def]
    """Fill one column of the board."""
    holder = np.empty(UNITS, np.int64)
    leaves = 0
    for i in range(combination.size):
        me = paths.node[combination[i], column, 0]
        a = 0
        while a < leaves and paths.node[holder[a], column, 0] != me:
            a += 1
        if a == leaves:
            holder[a] = combination[i]
            leaves += 1
            board.alike[place, :, a] = NONE
        board.leaf[i, place] = a
        board.alike[place, 0, a] |= ONE << np.uint64(i)
    for a in range(leaves):
        path = paths.node[holder[a], column]
        for level in range(path.size):
            board.cost[place, level, a] = paths.loss[path[level]]
        for b in range(a + 1):
            meet(board, path, paths.node[holder[b], column], (place, a, b))


@njit(cache=True)
def meet(board, path, other, which):  # type: ignore[no-untyped-def]
    """Note where two leaves of a column meet, and that their units are alike from there on."""
    place, a, b = which
    level = 0
    while path[level] != other[level]:
        level += 1
    board.level[place, a, b] = board.level[place, b, a] = level
    for above in range(max(level, 1), path.size):
        board.alike[place, above, a] |= board.alike[place, 0, b]
        board.alike[place, above, b] |= board.alike[place, 0, a]


@njit(cache=True)
def find_different(board, combination):  # type: ignore[no-untyped-def]
    """List the units that repeat no earlier one in `different`; returns their number."""
    number = 0
    for i in range(combination.size):
        j = 0
        while j < number and combination[board.different[j]] != combination[i]:
            j += 1
        if j == number:
            board.different[number] = i
            number += 1
    return number


@njit(cache=True)
def set_sums(board, weight, values):  # type: ignore[no-untyped-def]
    """Tables that add up the weights and join the values of any set of units, a byte at a time."""
    board.plain[0] = weight.max() == 1
    if board.plain[0] and values.max() == NONE:
        return
    for byte in range(8):
        board.weight[byte, 0] = 0
        board.values[byte, 0] = NONE
        for bit in range(8):
            half = 1 << bit
            unit = 8 * byte + bit
            w = weight[unit] if unit < weight.size else 0
            v = values[unit] if unit < weight.size else NONE
            for word in range(half):
                board.weight[byte, half + word] = board.weight[byte, word] + w
                board.values[byte, half + word] = board.values[byte, word] | v


@njit(cache=True)
def weigh(board, members):  # type: ignore[no-untyped-def]
    """The people of a set of units."""
    if board.plain[0]:
        return count(members)
    total = 0
    for byte in range(8):
        total += board.weight[byte, np.int64((members >> np.uint64(8 * byte)) & np.uint64(255))]
    return total


@njit(cache=True)
def suffices(board, members, need):  # type: ignore[no-untyped-def]
    """Whether a set of units may be a class."""
    if weigh(board, members) < need.people:
        return False
    if need.values <= 1:
        return True
    values = NONE
    for byte in range(8):
        values |= board.values[byte, np.int64((members >> np.uint64(8 * byte)) & np.uint64(255))]
    return count(values) >= need.values


@njit(cache=True)
def note(regions, number, cover):  # type: ignore[no-untyped-def]
    """Whether the cover is new among the regions of this board; it is stored as region `number` if so."""
    if number >= REGIONS:
        return False
    stamp = regions.stamp[SLOTS]
    slot = np.int64((cover * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(51))
    while regions.stamp[slot] == stamp:
        if regions.table[slot] == cover:
            return False
        slot = (slot + 1) & (SLOTS - 1)
    regions.stamp[slot] = stamp
    regions.table[slot] = cover
    regions.cover[number] = cover
    return True


@njit(cache=True)
def join_pairs(board, regions, extent):  # type: ignore[no-untyped-def]
    """The regions of all pairs (and single units); returns their number."""
    different, columns = extent
    regions.stamp[SLOTS] += 1
    number = 0
    for x in range(different):
        i = board.different[x]
        for y in range(x + 1):
            j = board.different[y]
            cover = ~NONE
            for c in range(columns):
                a = board.leaf[i, c]
                cover &= board.alike[c, board.level[c, a, board.leaf[j, c]], a]
            if note(regions, number, cover):
                regions.pivot[number] = i
                regions.level[number] = 0
                regions.loss[number] = join_unit(board, regions, (number, number), j, columns)
                number += 1
    return number


@njit(cache=True)
def join_unit(board, regions, which, unit, columns):  # type: ignore[no-untyped-def]
    """Write the levels of the join of a region and a unit at the place of another; returns its loss."""
    region, place = which
    pivot = regions.pivot[region]
    regions.pivot[place] = pivot
    loss = 0.0
    for c in range(columns):
        a = board.leaf[pivot, c]
        level = max(regions.level[region, c], board.level[c, a, board.leaf[unit, c]])
        regions.level[place, c] = level
        loss += board.cost[c, level, a]
    return loss


@njit(cache=True)
def grow(board, regions, number, extent, need):  # type: ignore[no-untyped-def]
    """Join every region that is too small with its nearest units until none is; returns the number of regions."""
    columns = extent[1]
    done = 0
    while done < number and number < REGIONS:
        if not suffices(board, regions.cover[done], need):
            passed = regions.cover[done]
            measure_reach(board, regions, done, extent)
            for _ in range(GROWTHS):
                nearest = nearest_unit(board, passed, extent[0])
                if nearest < 0 or number >= REGIONS:
                    break
                regions.loss[number] = join_unit(board, regions, (done, number), nearest, columns)
                cover = covered(board, regions, number, columns)
                passed |= cover
                if note(regions, number, cover):
                    number += 1
        done += 1
    return number


@njit(cache=True)
def measure_reach(board, regions, region, extent):  # type: ignore[no-untyped-def]
    """In `reach`, the loss of the join of a region with each different unit."""
    different, columns = extent
    pivot = regions.pivot[region]
    board.reach[:different] = 0.0
    for c in range(columns):
        a = board.leaf[pivot, c]
        for x in range(different):
            level = max(regions.level[region, c], board.level[c, a, board.leaf[board.different[x], c]])
            board.reach[x] += board.cost[c, level, a]


@njit(cache=True)
def nearest_unit(board, passed, different):  # type: ignore[no-untyped-def]
    """The unit outside `passed` that is reached at the least loss, or -1."""
    best = np.inf
    nearest = -1
    for x in range(different):
        j = board.different[x]
        if board.reach[x] < best and not (passed >> np.uint64(j)) & ONE:
            best = board.reach[x]
            nearest = j
    return nearest


@njit(cache=True)
def covered(board, regions, region, columns):  # type: ignore[no-untyped-def]
    """The units under a region."""
    cover = ~NONE
    for c in range(columns):
        cover &= board.alike[c, regions.level[region, c], board.leaf[regions.pivot[region], c]]
    return cover
