"""A board: up to 64 units side by side, with everything that their joins need as machine words.

People are counted exactly: who stands in one unit of the board is added up with it, and who stands in several is a set
of units, counted where that meets the set that is asked about.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tacit.arrays import FloatArray, IntArray
from tacit.methods.tables._kernels import compiled, inlined, inner
from tacit.methods.tables._local.bits import NONE, ONE, ZERO, count

UNITS = 64
PAIRS = 1_280
"""How many (person, unit) pairs a board may have: 64 units with fewer than 20 people each."""
ROWS, PEOPLE, POPULATION, VALUES, SHARED = range(5)
BYTE = np.uint64(255)


class Board(NamedTuple):
    """What the units of a board have in common, column by column (those only in which they differ).

    `leaf[c, i]` numbers the leaf of unit i among the `leaves[c]` on the board. `level[c, a, b]`: where the leaves a and
    b meet; `alike[c, level, a]`: the units that meet leaf a there; `cost[c, level, a]`: the loss there. `both[c, a, b]`
    and `toll[c, a, b]` are these two where a and b meet. `different[x]` are the units that repeat no earlier one, and
    `kind[c, x]` their leaves.
    `sums[what, byte, word]` adds up eight units at once: their `ROWS`, the `PEOPLE` who stand in one unit only, the
    `POPULATION` and the bits of the `VALUES`. In `sums[SHARED]` stand, one after the other, the number of people who
    stand in several units and these units for each. `plain[0]` says that each unit is a row and a person. `holder`,
    `amount`, `pair` and `floor` are room for what is found on the way.
    """

    leaf: IntArray
    kind: IntArray
    leaves: IntArray
    level: NDArray[np.int8]
    alike: NDArray[np.uint64]
    cost: FloatArray
    both: NDArray[np.uint64]
    toll: FloatArray
    sums: IntArray
    plain: NDArray[np.bool_]
    different: IntArray
    holder: IntArray
    amount: IntArray
    pair: IntArray
    floor: FloatArray


def new_board(columns: int, levels: int) -> Board:
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
        np.empty((5, 8, 256), np.int64),
        np.empty(1, np.bool_),
        np.empty(UNITS, np.int64),
        np.empty(UNITS, np.int64),
        np.empty(UNITS, np.int64),
        np.empty(PAIRS, np.int64),
        np.empty(UNITS, np.float64),
    )


@compiled
def set_board(board, paths, units, member, size):  # type: ignore[no-untyped-def]
    """Fill the board with these units; returns how many are different, and the number of columns in which they are."""
    set_sums(board, units, member, size)
    differing = ZERO
    # Only columns in which some unit differs from the first one get a place on the board.
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


@inner
def set_column(board, paths, seats, column, place):  # type: ignore[no-untyped-def]
    """Fill one column of the board."""
    combination, member, size = seats
    holder = board.holder
    leaves = 0
    # Number the distinct leaves in order of appearance; holder[a] is a combination that has leaf a.
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
        # Bit i of a word is unit i: here, the units that share leaf a.
        board.alike[place, 0, a] |= ONE << np.uint64(i)
    board.leaves[place] = leaves
    # For each pair of leaves find the lowest level at which they meet, which also fills `alike` above level 0.
    for a in range(leaves):
        for b in range(a + 1):
            meet(board, paths.node[holder[a], column], paths.node[holder[b], column], (place, a, b))
    # Look up once the units below the node at which two leaves meet.
    for a in range(leaves):
        for b in range(leaves):
            board.both[place, a, b] = board.alike[place, board.level[place, a, b], a]


@inner
def meet(board, path, other, which):  # type: ignore[no-untyped-def]
    """Note where two leaves of a column meet, and that their units are alike from there on."""
    place, a, b = which
    level = 0
    # It ends: all leaves meet at the root.
    while path[level] != other[level]:
        level += 1
    board.level[place, a, b] = board.level[place, b, a] = level
    board.toll[place, a, b] = board.toll[place, b, a] = board.cost[place, level, a]
    # What is alike at a level is alike above it. Level 0 holds only those of the very same leaf.
    for above in range(max(level, 1), path.size):
        board.alike[place, above, a] |= board.alike[place, 0, b]
        board.alike[place, above, b] |= board.alike[place, 0, a]


@inner
def find_different(board, combination, member, size):  # type: ignore[no-untyped-def]
    """List the units that repeat no earlier one in `different`; returns their number."""
    number = 0
    # `different[:number]` are pairwise different. A board has at most 64 units, so comparing all is quick.
    for i in range(size):
        j = 0
        while j < number and combination[member[board.different[j]]] != combination[member[i]]:
            j += 1
        if j == number:
            board.different[number] = i
            number += 1
    return number


@inner
def set_sums(board, units, member, size):  # type: ignore[no-untyped-def]
    """Tables that add up the counts and join the values of any set of units, a byte at a time."""
    board.plain[0] = units.population.size == 0
    # Units that are all one row of one person without values need nothing but a count of bits.
    for i in range(size):
        unit = member[i]
        if units.weight[unit] != 1 or units.crowd.settled[unit] != 1 or units.values[unit] != NONE:
            board.plain[0] = False
    take(board.amount, units.weight, member, size)
    add_words(board.sums[ROWS], board.amount, size)
    if board.plain[0]:
        return
    take(board.amount, units.crowd.settled, member, size)
    find_shared(board, units.crowd, member, size)
    add_words(board.sums[PEOPLE], board.amount, size)
    if units.population.size:
        take(board.amount, units.population, member, size)
        add_words(board.sums[POPULATION], board.amount, size)
    values = board.sums[VALUES]
    # The entry of a set with a highest bit is that of the set without it, joined with the values of that unit.
    for byte in range(8):
        values[byte, 0] = 0
        for bit in range(8):
            half = 1 << bit
            seat = 8 * byte + bit
            v = np.int64(units.values[member[seat]]) if seat < size else 0
            for word in range(half):
                values[byte, half + word] = values[byte, word] | v


@inner
def take(amount, of_unit, member, size):  # type: ignore[no-untyped-def]
    """In `amount`, what each of the units has."""
    for i in range(size):
        amount[i] = of_unit[member[i]]


@inner
def add_words(sums, amount, size):  # type: ignore[no-untyped-def]
    """In `sums[byte, word]`, the amounts of the units of each word together."""
    for byte in range(8):
        sums[byte, 0] = 0
        # Words below `half` are done; a word with this bit is one of them and the unit of the bit.
        for bit in range(8):
            half = 1 << bit
            seat = 8 * byte + bit
            more = amount[seat] if seat < size else 0
            for word in range(half):
                sums[byte, half + word] = sums[byte, word] + more


@inner
def find_shared(board, crowd, member, size):  # type: ignore[no-untyped-def]
    """Note the units of who stands in several; who stands in one only is added to the `amount` of that unit."""
    shared, alone, pair = board.sums[SHARED], board.amount, board.pair
    number = ZERO
    # One number for each person and unit, so that sorting brings the units of a person together.
    if crowd.person.size:
        for i in range(size):
            for place in range(crowd.first[member[i]], crowd.first[member[i] + 1]):
                if number < PAIRS:
                    pair[number] = crowd.person[place] * UNITS + i
                    number += 1
    sort(pair, number)
    people = 0
    begin = 0
    # A run is one person: counted with the unit where there is one only, noted as a set of units otherwise.
    while begin < number:
        end = begin
        units = NONE
        while end < number and pair[end] // UNITS == pair[begin] // UNITS:
            units |= ONE << np.uint64(pair[end] % UNITS)
            end += 1
        if end == begin + 1:
            alone[pair[begin] % UNITS] += 1
        else:
            people += 1
            shared[people >> 8, people & 255] = np.int64(units)
        begin = end
    shared[0, 0] = people


@inner
def sort(number, size):  # type: ignore[no-untyped-def]
    """Sort the first numbers (Shell 1959)."""
    gap = 1
    while gap < size:
        gap = 3 * gap + 1
    # After a pass, numbers that are `gap` apart are in order; the last pass has a gap of 1.
    while gap > 1:
        gap //= 3
        for i in range(gap, size):
            one = number[i]
            place = i
            while place >= gap and number[place - gap] > one:
                number[place] = number[place - gap]
                place -= gap
            number[place] = one


@inlined
def weigh(sums, members):  # type: ignore[no-untyped-def]
    """The rows of a set of units."""
    return add_up(sums, ROWS, members)


@inlined
def suffices(sums, members, need):  # type: ignore[no-untyped-def]
    """Whether a set of units may be a class."""
    if need.plain:
        return count(members) >= need.people and need.values <= 1
    return has_enough(sums, members, need)


@inner
def has_enough(sums, members, need):  # type: ignore[no-untyped-def]
    """Whether a set of units has people, population and values enough."""
    people = add_up(sums, PEOPLE, members)
    if people < need.people:
        # People with rows in several units are not among the sums; each counts once if one of their units is in the
        # set.
        for j in range(1, sums[SHARED, 0, 0] + 1):
            if np.uint64(sums[SHARED, j >> 8, j & 255]) & members != NONE:
                people += 1
        if people < need.people:
            return False
    if need.population > 0 and add_up(sums, POPULATION, members) < need.population:
        return False
    if need.values <= 1:
        return True
    values = 0
    # Values are bits, so the union over the eight bytes of the set is an `or` of table entries.
    for byte in range(8):
        values |= sums[VALUES, byte, np.int64((members >> np.uint64(8 * byte)) & BYTE)]
    return count(np.uint64(values)) >= need.values


@inlined
def add_up(sums, what, members):  # type: ignore[no-untyped-def]
    """What a set of units has together."""
    total = 0
    # A sum for every word of eight units is tabled, so a set of 64 takes eight look-ups.
    for byte in range(8):
        total += sums[what, byte, np.int64((members >> np.uint64(8 * byte)) & BYTE)]
    return total
