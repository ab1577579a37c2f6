"""The loss of a label with another member, compiled: the prices of an assignment.

`prices[a, b]` is the loss of label a of a block if the member of label b took the place of its own in one slot. A
member that the label has already is out of the question. A label of `most` loss or more covers everything; where that
reads like a suppressed row, it is the last resort.
"""

from typing import NamedTuple

import numpy as np
from numba import njit

from tacit.arrays import CodeArray, FloatArray

DOUBLED = 1e6
COVERING = 1e3
"""What keeps a member from being taken twice, and a label from covering everything: a block of labels loses less than
one of the second, and a block of the second is less than one of the first."""


class NodeCosts(NamedTuple):
    """`node[combination, column, level]`, the loss of each node, and the loss of a label that covers everything."""

    node: CodeArray
    loss: FloatArray
    most: float


class SetCosts(NamedTuple):
    """`leaf[combination, column]`, what each value beyond the first costs, and the loss of a label that covers all."""

    leaf: CodeArray
    price: FloatArray
    most: float


@njit(cache=True)
def node_prices(costs, combination, member, at, prices):  # type: ignore[no-untyped-def]
    """The loss of the least common ancestors; `at` is a slot and a block of labels."""
    node, loss, (slot, block) = costs.node, costs.loss, at
    slots, columns = member.shape[0], node.shape[1]
    level = np.empty(columns, np.int64)
    for a in range(block.size):
        pivot = node[combination[member[(slot + 1) % slots, block[a]]]]
        # The node above all people of label a but the one in this slot.
        for column in range(columns):
            level[column] = 0
            for other in range(2, slots):
                path = node[combination[member[(slot + other) % slots, block[a]]], column]
                while path[level[column]] != pivot[column, level[column]]:
                    level[column] += 1
        # prices[a, b]: label a with the person that label b has in this slot now.
        for b in range(block.size):
            unit = member[slot, block[b]]
            path = node[combination[unit]]
            total = 0.0
            for column in range(columns):
                up = level[column]
                while path[column, up] != pivot[column, up]:
                    up += 1
                total += loss[pivot[column, up]]
            if total >= costs.most:
                total += COVERING
            prices[a, b] = total + DOUBLED if is_member(member, slot, block[a], unit) else total


@njit(cache=True)
def set_prices(costs, combination, member, at, prices):  # type: ignore[no-untyped-def]
    """The loss of the sets of values; `at` is a slot and a block of labels."""
    leaf, price, (slot, block) = costs.leaf, costs.price, at
    slots, columns = member.shape[0], leaf.shape[1]
    seen = np.empty((columns, slots), np.int64)
    number = np.empty(columns, np.int64)
    for a in range(block.size):
        base = 0.0
        # The distinct values of all people of label a but the one in this slot; each beyond the first costs.
        for column in range(columns):
            number[column] = 0
            for other in range(1, slots):
                value = leaf[combination[member[(slot + other) % slots, block[a]]], column]
                if not is_among(seen[column], number[column], value):
                    seen[column, number[column]] = value
                    number[column] += 1
            base += price[column] * (number[column] - 1)
        # prices[a, b]: label a with the person that label b has in this slot now, whose new values are added.
        for b in range(block.size):
            unit = member[slot, block[b]]
            total = base
            for column in range(columns):
                if not is_among(seen[column], number[column], leaf[combination[unit], column]):
                    total += price[column]
            if total >= costs.most:
                total += COVERING
            prices[a, b] = total + DOUBLED if is_member(member, slot, block[a], unit) else total


@njit(cache=True)
def is_member(member, slot, label, unit):  # type: ignore[no-untyped-def]
    """Whether the label has the unit in another slot."""
    found = False
    # There are few slots, so all are looked at: without a way out the loop can be vectorised.
    for other in range(member.shape[0]):
        found |= other != slot and member[other, label] == unit
    return found


@njit(cache=True)
def is_among(values, number, value):  # type: ignore[no-untyped-def]
    """Whether the value is one of the first `number`."""
    found = False
    # As in `is_member`, no early way out.
    for i in range(number):
        found |= values[i] == value
    return found
