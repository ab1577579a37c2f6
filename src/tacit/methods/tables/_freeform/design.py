"""A design: which people each published row stands for, as k perfect matchings that share no edge.

`member[slot, label]` is a unit (a row of the raw table). Each slot is a permutation of the units, and the k members of
a label are different; so every label covers k people and every person is covered by k labels. The graph of both is
regular of degree k, the slots are k disjoint perfect matchings of it, and every edge lies in one of them: everybody
has k candidates, whatever the labels look like.

The first design is a ring in each class of a homogeneous partition (Wong, Mamoulis and Cheung 2010): label i covers the
members i to i + k - 1, where after the last comes the first.
"""

from dataclasses import dataclass

import numpy as np

from tacit.arrays import BoolArray, IntArray
from tacit.methods.tables._local.pieces import Pieces

LENT = 2
"""Of a large class of people alike this many times k may stand beside others; the rest lose nothing as they are."""


@dataclass(frozen=True, eq=False)
class Design:
    """Unit i is a row of combination `combination[i]`; label j covers the units `member[:, j]`.

    `moving` labels may change their members among each other; the members of the others are alike.
    """

    combination: IntArray
    member: IntArray
    moving: BoolArray


def rings(pieces: Pieces, k: int) -> Design:
    """A ring in each class; every class must have at least k rows."""
    combination, class_ = np.repeat(pieces.combination, pieces.rows), np.repeat(pieces.class_, pieces.rows)
    order = np.lexsort((combination, class_))
    combination, class_ = combination[order], class_[order]
    starts = np.flatnonzero(np.diff(class_, prepend=-1))
    sizes = np.diff(np.append(starts, class_.size))
    alike = combination[starts] == combination[starts + sizes - 1]
    resting = np.where(alike & (sizes >= (LENT + 1) * k), sizes - LENT * k, 0)
    place = np.arange(class_.size) - np.repeat(starts, sizes)
    rests = place < np.repeat(resting, sizes)
    first = np.repeat(starts, sizes) + np.where(rests, 0, np.repeat(resting, sizes))
    size = np.where(rests, np.repeat(resting, sizes), np.repeat(sizes - resting, sizes))
    step = np.arange(class_.size) - first
    member = np.array([first + (step + slot) % size for slot in range(k)])
    return Design(combination, member, ~rests)
