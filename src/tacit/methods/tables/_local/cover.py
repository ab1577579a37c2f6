"""Covering a board: which regions become classes, and which units belong to each.

This is facility location with lower bounds on the facilities. The regions are tried in order of loss; one whose loose
units suffice becomes a class of them (freezing), now and then passed over at random; one that lacks little may borrow
units that have a home. What is left in the end widens the class that it costs least, unless it is a bystander, who may
be left out. The best of many tries wins.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tacit.arrays import IntArray
from tacit.methods.tables._kernels import compiled, inner
from tacit.methods.tables._local.bits import NONE, ONE, ZERO, draw, lowest
from tacit.methods.tables._local.board import UNITS, suffices, weigh

PASS_OVER = 0.2
BORROW = 0.06
EXACT = 1e-12


class ClassCover(NamedTuple):
    """Class q: the units `members[q]` in the region `region[q]`."""

    members: NDArray[np.uint64]
    region: IntArray


def new_cover() -> ClassCover:
    """Room for the classes of a board."""
    return ClassCover(np.empty(UNITS, np.uint64), np.empty(UNITS, np.int64))


@compiled
def best_cover(sums, choice, need, covers, search):  # type: ignore[no-untyped-def]
    """The number of classes of the best cover found, in `covers[0]`; -1 where none loses at most the limit."""
    tries, limit, state = search
    best, trial = covers
    number = -1
    # The first try is greedy, the others pass regions over by chance. The limit only falls, so later tries end sooner.
    for attempt in range(tries):
        luck = 0.0 if attempt == 0 else PASS_OVER
        loss, classes = try_cover(sums, choice, need, trial, (limit, luck, state))
        if loss <= limit + EXACT:
            limit = loss
            number = classes
            for q in range(classes):
                best.members[q] = trial.members[q]
    return number


@inner
def try_cover(sums, choice, need, trial, search):  # type: ignore[no-untyped-def]
    """One try: its loss (infinite when it exceeds the limit) and its number of classes."""
    cover, loss, live, lenders, idle, floor = choice
    limit, luck, state = search
    total = 0.0
    rest = add_floor(floor, live)
    classes = ZERO
    # Regions come in order of loss. `total` is what the classes lose so far, `rest` the least that the live units can
    # still lose, so a try that can't beat the limit ends early.
    for r in range(cover.size):
        members = cover[r] & live
        if members == NONE:
            continue
        if suffices(sums, members, need):
            if luck > 0 and draw(state) < luck:
                continue
        else:
            if draw(state) >= BORROW:
                continue
            lent = borrow(sums, need, trial, (members, cover[r], lenders), classes)
            if lent == NONE:
                continue
            total -= hand_over(sums, loss, trial, classes, lent)
            lenders &= ~lent
            members |= lent
        if members & idle != NONE:
            members = leave_out(sums, need, members, idle)
        trial.members[classes] = members
        trial.region[classes] = r
        classes += 1
        total += weigh(sums, members) * loss[r]
        rest -= add_floor(floor, members & live)
        live &= ~members
        if total + rest > limit + EXACT:
            return np.inf, 0
        if live & ~idle == NONE:
            return total, classes
    return widen(sums, choice, trial, (live & ~idle, classes), (total, rest, limit))


@inner
def leave_out(sums, need, members, idle):  # type: ignore[no-untyped-def]
    """The members without the bystanders that a class of them can do without."""
    offered = members & idle
    # One by one, since leaving out one bystander may make the next one needed.
    while offered != NONE:
        one = offered & (~offered + ONE)
        offered ^= one
        if suffices(sums, members ^ one, need):
            members ^= one
    return members


@inner
def add_floor(floor, members):  # type: ignore[no-untyped-def]
    """What these units lose at least."""
    total = 0.0
    # Each turn takes the lowest set bit off.
    while members != NONE:
        total += floor[lowest(members)]
        members &= members - ONE
    return total


@inner
def borrow(sums, need, trial, wish, classes):  # type: ignore[no-untyped-def]
    """Units under a region that complete its members: from classes with some to spare, then from homes; or nobody."""
    members, cover, lenders = wish
    lent = NONE
    if not suffices(sums, cover, need):
        return NONE
    # The classes made last lend first; each lends one unit after another as long as the rest of it suffices.
    for q in range(classes - 1, -1, -1):
        left = trial.members[q]
        offered = left & cover
        while offered != NONE:
            # The lowest bit that is set.
            one = offered & (~offered + ONE)
            offered ^= one
            if not suffices(sums, left ^ one, need):
                break
            left ^= one
            lent |= one
            if suffices(sums, members | lent, need):
                return lent
    # Then the units that their homes can spare (`lenders`).
    offered = lenders & cover
    while offered != NONE:
        one = offered & (~offered + ONE)
        offered ^= one
        lent |= one
        if suffices(sums, members | lent, need):
            return lent
    return NONE


@inner
def hand_over(sums, loss, trial, classes, lent):  # type: ignore[no-untyped-def]
    """Take lent units out of their classes; returns what they lost there."""
    saved = 0.0
    # A lender is in one class at most, so what it lost is counted once.
    for q in range(classes):
        taken = trial.members[q] & lent
        if taken != NONE:
            trial.members[q] ^= taken
            saved += weigh(sums, taken) * loss[trial.region[q]]
    return saved


@inner
def widen(sums, choice, trial, state, bounds):  # type: ignore[no-untyped-def]
    """Each unit that is left joins the class that it costs least; the loss and number of classes then."""
    live, classes = state
    total, rest, limit = bounds
    floor = choice[5]
    # `total` and `rest` as in `try_cover`: a unit moves from what may be lost to what is.
    while live != NONE:
        one = live & (~live + ONE)
        live ^= one
        extra, q, r = cheapest(sums, choice, trial, classes, one)
        total += extra
        rest -= floor[lowest(one)]
        if total + rest > limit + EXACT:
            return np.inf, 0
        trial.members[q] |= one
        trial.region[q] = r
    return total, classes


@inner
def cheapest(sums, choice, trial, classes, one):  # type: ignore[no-untyped-def]
    """The least extra loss at which a class takes one more unit, with that class and its new region."""
    cover, loss = choice[0], choice[1]
    least = np.inf
    best_class = -1
    best_region = -1
    for q in range(classes):
        members = trial.members[q] | one
        old = weigh(sums, trial.members[q])
        new = old + weigh(sums, one)
        # Regions are ranked by loss, so the first that covers all members is the cheapest.
        for r in range(cover.size):
            if members & ~cover[r] == NONE:
                extra = new * loss[r] - old * loss[trial.region[q]]
                if extra < least:
                    least, best_class, best_region = extra, q, r
                break
    return least, best_class, best_region
