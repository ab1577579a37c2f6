"""A board: up to 64 units side by side, with everything that their joins need as machine words."""

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from tacit.arrays import FloatArray, IntArray
from tacit.methods.tables._local.bits import NONE, ONE, ZERO, count

UNITS = 64


class Board(NamedTuple):
    """What the units of a board have in common, column by column (those only in which they differ).

    `leaf[c, i]` numbers the leaf of unit i among the `leaves[c]` on the board. `level[c, a, b]`: where the leaves a and
    b meet; `alike[c, level, a]`: the units that meet leaf a there; `cost[c, level, a]`: the loss there. `both[c, a, b]`
    and `toll[c, a, b]` are these two where a and b meet. `different[x]` are the units that repeat no earlier one, and
    `kind[c, x]` their leaves.
    `weight[byte, word]` and `values[byte, word]` add up eight units at once; `plain[0]` says that each unit weighs 1.
    """

    leaf: IntArray
    kind: IntArray
    leaves: IntArray
    level: NDArray[np.int8]
    alike: NDArray[np.uint64]
    cost: FloatArray
    both: NDArray[np.uint64]
    toll: FloatArray
    weight: IntArray
    values: NDArray[np.uint64]
    plain: NDArray[np.bool_]
    different: IntArray


@njit(cache=True)
def new_board(columns, levels):  # type: ignore[no-untyped-def]
    """An empty board."""
    return Board(
        np.empty((columns, UNITS), np.int64),
        np.empty((columns, UNITS), np.int64),
        np.empty(columns, np.int64),
        np.empty((columns, UNITS, UNITS), np.int8),
        np.empty((columns, levels, UNITS), np.uint64),
        np.empty((columns, levels, UNITS), np.float64),
        np.empty((columns, UNITS, UNITS), np.uint64),
        np.empty((columns, UNITS, UNITS), np.float64),
        np.empty((8, 256), np.int64),
        np.empty((8, 256), np.uint64),
        np.empty(1, np.bool_),
        np.empty(UNITS, np.int64),
    )


@njit(cache=True)
def set_board(board, paths, units, member, size):  # type: ignore[no-untyped-def]
    """Fill the board with these units; returns how many are different, and the number of columns in which they are."""
    set_sums(board, units, member, size)
    differing = ZERO
    for column in range(paths.node.shape[1]):
        leaf = paths.node[units.combination[member[0]], column, 0]
        for i in range(1, size):
            if paths.node[units.combination[member[i]], column, 0] != leaf:
                set_column(board, paths, (units.combination, member, size), column, differing)
                differing += 1
                break
    different = find_different(board, units.combination, member, size)
    for c in range(differing):
        for x in range(different):
            board.kind[c, x] = board.leaf[c, board.different[x]]
    return different, differing


@njit(cache=True)
def set_column(board, paths, seats, column, place):  # type: ignore[no-untyped-def]
    """Fill one column of the board."""
    combination, member, size = seats
    holder = np.empty(UNITS, np.int64)
    leaves = 0
    for i in range(size):
        me = paths.node[combination[member[i]], column, 0]
        a = 0
        while a < leaves and paths.node[holder[a], column, 0] != me:
            a += 1
        if a == leaves:
            holder[a] = combination[member[i]]
            leaves += 1
            for level in range(paths.node.shape[2]):
                board.alike[place, level, a] = NONE
                board.cost[place, level, a] = paths.loss[paths.node[holder[a], column, level]]
        board.leaf[place, i] = a
        board.alike[place, 0, a] |= ONE << np.uint64(i)
    board.leaves[place] = leaves
    for a in range(leaves):
        for b in range(a + 1):
            meet(board, paths.node[holder[a], column], paths.node[holder[b], column], (place, a, b))
    for a in range(leaves):
        for b in range(leaves):
            board.both[place, a, b] = board.alike[place, board.level[place, a, b], a]


@njit(cache=True)
def meet(board, path, other, which):  # type: ignore[no-untyped-def]
    """Note where two leaves of a column meet, and that their units are alike from there on."""
    place, a, b = which
    level = 0
    while path[level] != other[level]:
        level += 1
    board.level[place, a, b] = board.level[place, b, a] = level
    board.toll[place, a, b] = board.toll[place, b, a] = board.cost[place, level, a]
    for above in range(max(level, 1), path.size):
        board.alike[place, above, a] |= board.alike[place, 0, b]
        board.alike[place, above, b] |= board.alike[place, 0, a]


@njit(cache=True)
def find_different(board, combination, member, size):  # type: ignore[no-untyped-def]
    """List the units that repeat no earlier one in `different`; returns their number."""
    number = 0
    for i in range(size):
        j = 0
        while j < number and combination[member[board.different[j]]] != combination[member[i]]:
            j += 1
        if j == number:
            board.different[number] = i
            number += 1
    return number


@njit(cache=True)
def set_sums(board, units, member, size):  # type: ignore[no-untyped-def]
    """Tables that add up the weights and join the values of any set of units, a byte at a time."""
    board.plain[0] = True
    for i in range(size):
        if units.weight[member[i]] != 1 or units.values[member[i]] != NONE:
            board.plain[0] = False
    if board.plain[0]:
        return
    for byte in range(8):
        board.weight[byte, 0] = 0
        board.values[byte, 0] = NONE
        for bit in range(8):
            half = 1 << bit
            unit = 8 * byte + bit
            w = units.weight[member[unit]] if unit < size else 0
            v = units.values[member[unit]] if unit < size else NONE
            for word in range(half):
                board.weight[byte, half + word] = board.weight[byte, word] + w
                board.values[byte, half + word] = board.values[byte, word] | v


@njit(cache=True, inline="always")
def weigh(board, members):  # type: ignore[no-untyped-def]
    """The people of a set of units."""
    if board.plain[0]:
        return count(members)
    total = 0
    for byte in range(8):
        total += board.weight[byte, np.int64((members >> np.uint64(8 * byte)) & np.uint64(255))]
    return total


@njit(cache=True, inline="always")
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
