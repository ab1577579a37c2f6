"""Intersection: the same people in several releases, each safe alone (Ganta, Kasiviswanathan and Smith 2008).

The adversary finds a person's classes in every release. The person's secret is among the values of each, so it is among
those that they have in common; where one value is left it is certain. A release in which the person is suppressed tells
nothing. m-invariance (W10) keeps the common values at m.

The baseline is the best that one of the releases alone achieves.
"""

from collections.abc import Sequence

import numpy as np

from tacit.arrays import BoolArray
from tacit.attacks._success import success
from tacit.attacks.tables._beliefs import Beliefs, OnColumn, beliefs, secrets, sensitive_of
from tacit.cards.attack import TableAttack
from tacit.data.tables.adversary_view import AdversaryView
from tacit.errors import BadParameter
from tacit.release.attacks import Success

BLOCK_CELLS = 4_000_000


def intersect(views: Sequence[AdversaryView], params: OnColumn) -> Success:
    """The share of people whose value is the only one that all their classes have in common."""
    if len(views) < 2:
        raise BadParameter(f"{len(views)} release is given; an intersection needs at least 2 of the same people")
    known = views[0].known
    if any(view.known is not known for view in views):
        raise BadParameter("the releases are about different people; an intersection needs one and the same input")
    alone = [_certain([view], params) for view in views]
    targets = secrets(views[0], params.column)
    return success(_certain(views, params), targets, max(alone) / max(targets, 1), releases=len(views))


def _certain(views: Sequence[AdversaryView], params: OnColumn) -> int:
    """How many people have a value that alone remains, and is theirs."""
    part = sensitive_of(views[0], params.column)
    found = [beliefs(view, params.column) for view in views]
    width = max(one.reference.size for one in found)
    height, people, hits = max(BLOCK_CELLS // width, 1), part.census.counts(), 0
    for first in range(0, views[0].known.combinations, height):
        last = min(first + height, views[0].known.combinations)
        left = np.ones((last - first, width), dtype=np.bool_)
        for view, one in zip(views, found, strict=True):
            left &= _possible(view, one, slice(first, last), width)
        only = np.where(left.sum(axis=1) == 1, left.argmax(axis=1), -1)
        mine = (part.combination >= first) & (part.combination < last)
        hits += int(people[mine][only[part.combination[mine] - first] == part.value[mine]].sum())
    return hits


def _possible(view: AdversaryView, found: Beliefs, block: slice, width: int) -> BoolArray:
    """`[combination, value]`: whether the classes that fit have the value; all values where none fits."""
    group = view.fit.group[block]
    starts = np.searchsorted(found.group, np.arange(found.groups + 1))
    there = np.flatnonzero(group >= 0)
    lengths = np.diff(starts)[group[there]]
    ends = np.cumsum(lengths)
    cell = np.repeat(starts[group[there]] - (ends - lengths), lengths) + np.arange(int(lengths.sum()))
    possible = np.zeros((group.size, width), dtype=np.bool_)
    possible[group < 0] = True
    possible[np.repeat(there, lengths), found.value[cell]] = True
    return possible


ATTACK = TableAttack(
    title="Intersection",
    params=OnColumn,
    run=intersect,
    needs="several releases of the same people and a sensitive column",
    gives="the share of people whose secret is certain once several releases are combined",
    paper="https://doi.org/10.1145/1401890.1401926",
    example=OnColumn(),
    knowledge="a person's quasi-identifiers, and that the person is in every release",
    story="The adversary finds the person's class in every release and keeps the values that all of them share.",
    means="Success means that the releases have only one value in common for a target, so the secret is certain.",
    sees="releases",
    column_parameter="column",
)
