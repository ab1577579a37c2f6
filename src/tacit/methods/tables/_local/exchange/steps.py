"""Steps of an exchange: a combination moves to another class, or two change places, if both classes stay within limits.

The loss of a class is its rows times the loss of its region, the join of its members. A class keeps one member as its
pivot and, for each column and level, how many members agree with the pivot there; the join is at the lowest level where
all do. So a step is weighed without going through the members, except where the pivot itself leaves, and that is one
step in as many as the class has members.

A step that loses `extra` is taken with probability exp(-extra / temperature) (Metropolis et al. 1953; as a search,
Kirkpatrick, Gelatt and Vecchi 1983), and only if both classes keep all limits after it.
"""

from typing import NamedTuple

import numpy as np
from numba import njit

from tacit.arrays import FloatArray, IntArray
from tacit.methods.tables._local.bits import draw
from tacit.methods.tables._local.exchange.limits import holds

SWAPS = 0.5


class ExchangeClasses(NamedTuple):
    """Combination i is in class `where[i]`; the members of class q are a list from its pivot `first[q]`.

    `links[i]` are the next and the previous member. `sums[q]` are the members, rows, people, and people in the
    population of a class; `counts[q, value]` of its people have a sensitive value; `agree[q, column, level]` of its
    members have the pivot's node there. `loss[q]` is what a row loses.
    """

    where: IntArray
    first: IntArray
    links: IntArray
    sums: IntArray
    counts: IntArray
    agree: IntArray
    loss: FloatArray


@njit(cache=True)
def classes_in(paths, stock, where, values):  # type: ignore[no-untyped-def]
    """The classes of combinations whose class is given, numbered from 0 without gaps."""
    room = where.max() + 1
    columns, levels = paths.node.shape[1:]
    made = ExchangeClasses(
        where.copy(),
        np.full(room, -1),
        np.full((where.size, 2), -1),
        np.zeros((room, 4), np.int64),
        np.zeros((room, values), np.int64),
        np.zeros((room, columns, levels), np.int64),
        np.zeros(room),
    )
    # The pivot of a class is whoever enters first; later ones are compared with it.
    for one in range(where.size):
        add(stock, made, one, (where[one], 1))
        enter(paths.node, made, one, where[one])
    # Losses need all members, so they come last.
    for q in range(room):
        made.loss[q] = changed_loss(paths, made, q, (-1, -1, np.inf), made.agree[q])
    return made


@njit(cache=True)
def add(stock, classes, one, change):  # type: ignore[no-untyped-def]
    """The sums of a class have those of a combination added, or taken away."""
    q, sign = change
    sums, count = classes.sums[q], classes.counts[q]
    sums[0] += sign
    sums[1] += sign * stock.rows[one]
    sums[2] += sign * stock.people[one]
    sums[3] += sign * stock.population[one]
    # Counts add up, which is exact where everybody has one row.
    for cell in range(stock.start[one], stock.start[one + 1]):
        count[stock.value[cell]] += sign * stock.amount[cell]


@njit(cache=True)
def enter(node, classes, one, q):  # type: ignore[no-untyped-def]
    """The combination is listed in the class, as its pivot where it was empty."""
    pivot = classes.first[q]
    classes.where[one] = q
    if pivot < 0:
        classes.first[q] = one
        classes.links[one] = -1
        pivot = one
    else:
        after = classes.links[pivot, 0]
        classes.links[pivot, 0], classes.links[one, 0], classes.links[one, 1] = one, after, pivot
        if after >= 0:
            classes.links[after, 1] = one
    agree_with(node, classes.agree[q], (pivot, one), 1)


@njit(cache=True)
def leave(node, classes, one):  # type: ignore[no-untyped-def]
    """The combination is listed nowhere; where it was the pivot, the next member is."""
    q = classes.where[one]
    after, before = classes.links[one]
    if after >= 0:
        classes.links[after, 1] = before
    if before >= 0:
        classes.links[before, 0] = after
        agree_with(node, classes.agree[q], (classes.first[q], one), -1)
    else:
        classes.first[q] = after
        count_agreement(node, classes.links, after, classes.agree[q])


@njit(cache=True)
def agree_with(node, agree, pair, sign):  # type: ignore[no-untyped-def]
    """One more (or fewer) member agrees with the pivot wherever this one does."""
    pivot, one = pair
    # All levels, not only the lowest: the join must be found again when others come and go.
    for column in range(agree.shape[0]):
        for level in range(agree.shape[1]):
            agree[column, level] += sign * (node[one, column, level] == node[pivot, column, level])


@njit(cache=True)
def count_agreement(node, links, pivot, agree):  # type: ignore[no-untyped-def]
    """How many of a member and those that follow it agree with it."""
    agree[:] = 0
    one = pivot
    # Goes through all members from a pivot on; only needed where the pivot itself leaves.
    while one >= 0:
        agree_with(node, agree, (pivot, one), 1)
        one = links[one, 0]


@njit(cache=True)
def changed_loss(paths, classes, q, change, room):  # type: ignore[no-untyped-def]
    """The loss of a row in the class after one member left and one came (-1: none); infinite above `most`."""
    gone, come, most = change
    pivot = classes.first[q]
    want = classes.sums[q, 0] - (gone >= 0) + (come >= 0)
    if gone != pivot:
        return join_loss(paths, classes.agree[q], (pivot, gone, come), (want, most))
    pivot = classes.links[gone, 0]
    if pivot >= 0:
        count_agreement(paths.node, classes.links, pivot, room)
    elif come >= 0:
        pivot = come
        room[:] = 0
    else:
        return 0.0
    return join_loss(paths, room, (pivot, -1, come), (want, most))


@njit(cache=True)
def join_loss(paths, agree, who, ends):  # type: ignore[no-untyped-def]
    """The sum over the columns of the loss of the pivot's lowest node where as many as are wanted agree."""
    pivot, gone, come = who
    want, most = ends
    node = paths.node
    total = 0.0
    for column in range(agree.shape[0]):
        # Agreement only grows with the level, so the first level at which all agree is the join. Who goes and who comes
        # is counted here, so `agree` need not change for a step that may be refused.
        for level in range(agree.shape[1]):
            here = node[pivot, column, level]
            number = agree[column, level]
            if gone >= 0:
                number -= node[gone, column, level] == here
            if come >= 0:
                number += node[come, column, level] == here
            if number == want:
                total += paths.loss[here]
                break
        if total > most:
            return np.inf
    return total


@njit(cache=True)
def exchange(paths, stock, limits, classes, walk):  # type: ignore[no-untyped-def]
    """So many steps, each between a random combination and one of its group; how many were taken."""
    group, order, begins, steps, temperature, state = walk
    room = np.zeros(classes.agree.shape[1:], np.int64)
    taken = 0
    # `luck` is drawn before the step is weighed: extra <= -temperature ln(u) is taken as often as exp(-extra /
    # temperature) says, and weighing ends as soon as the losses exceed it.
    for _ in range(steps):
        one = int(draw(state) * group.size)
        begin, end = begins[group[one]], begins[group[one] + 1]
        other = order[begin + int(draw(state) * (end - begin))]
        if classes.where[one] != classes.where[other]:
            back = other if draw(state) < SWAPS else -1
            luck = -temperature * np.log(1 - draw(state))
            wish = (one, classes.where[one], classes.where[other], back)
            here, there = changed_losses(paths, stock.rows, classes, wish, (luck, room))
            if there < np.inf and carry_out(stock, limits, classes, wish):
                relink(paths.node, classes, wish)
                classes.loss[wish[1]], classes.loss[wish[2]] = here, there
                taken += 1
    return taken


@njit(cache=True)
def changed_losses(paths, rows, classes, wish, terms):  # type: ignore[no-untyped-def]
    """What a row would lose in both classes after a step; infinite where that costs more than luck allows."""
    one, here, there, back = wish
    luck, room = terms
    moved = rows[one] - (rows[back] if back >= 0 else 0)
    stay, grow = classes.sums[here, 1] - moved, classes.sums[there, 1] + moved
    most = classes.sums[here, 1] * classes.loss[here] + classes.sums[there, 1] * classes.loss[there] + luck
    loss_there = changed_loss(paths, classes, there, (back, one, most / max(grow, 1)), room)
    if loss_there == np.inf:
        return np.inf, np.inf
    rest = most - grow * loss_there
    loss_here = changed_loss(paths, classes, here, (one, back, rest / max(stay, 1)), room)
    if stay * loss_here > rest:
        return np.inf, np.inf
    return loss_here, loss_there


@njit(cache=True)
def carry_out(stock, limits, classes, wish):  # type: ignore[no-untyped-def]
    """The sums of both classes are those after a step, if both keep all limits then; else they are as before."""
    one, here, there, back = wish
    add(stock, classes, one, (here, -1))
    add(stock, classes, one, (there, 1))
    if back >= 0:
        add(stock, classes, back, (there, -1))
        add(stock, classes, back, (here, 1))
    if fits(limits, classes, there) and fits(limits, classes, here):
        return True
    add(stock, classes, one, (here, 1))
    add(stock, classes, one, (there, -1))
    if back >= 0:
        add(stock, classes, back, (there, 1))
        add(stock, classes, back, (here, -1))
    return False


@njit(cache=True)
def fits(limits, classes, q):  # type: ignore[no-untyped-def]
    """Whether a class is empty, or has rows and keeps all limits."""
    members, rows, people, population = classes.sums[q]
    return members == 0 or (rows > 0 and holds(limits, classes.counts[q], people, population))


@njit(cache=True)
def all_fit(limits, classes):  # type: ignore[no-untyped-def]
    """Whether every class that has rows keeps all limits."""
    kept = True
    # A class without rows publishes nothing, so it promises nothing.
    for q in range(classes.loss.size):
        kept &= classes.sums[q, 1] == 0 or fits(limits, classes, q)
    return kept


@njit(cache=True)
def relink(node, classes, wish):  # type: ignore[no-untyped-def]
    """The combination is listed in the other class, and the one that comes back in its own."""
    one, here, there, back = wish
    leave(node, classes, one)
    if back >= 0:
        leave(node, classes, back)
        enter(node, classes, back, here)
    enter(node, classes, one, there)
