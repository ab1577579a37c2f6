"""Background knowledge: the adversary rules values out, or knows the values of others in the class.

Machanavajjhala et al. 2006; Martin et al. 2007. In the worst case the adversary can exclude the `excluded` most
frequent values that are not the person's, and knows `members` other people of the class who have yet another value. The
person's value v is certain exactly if nobody else remains: with T entries in the class, c(v) of them with v, and o the
sum of the `excluded` largest counts of other values, T − c(v) − o ≤ members. Every kind of l-diversity leaves at least
l values, so l − 2 exclusions give nobody away.

The baseline knows as much, but has only the whole table's distribution instead of a class.
"""

from typing import Annotated

import numpy as np
from pydantic import Field

from tacit.arrays import BoolArray, IntArray
from tacit.attacks._success import success
from tacit.attacks.tables._beliefs import OnColumn, beliefs, secrets
from tacit.attacks.tables._bounds import values_remain
from tacit.cards.attack import TableAttack
from tacit.data.tables.adversary_view import AdversaryView
from tacit.release.attacks import Success


class Background(OnColumn):
    """What else is known."""

    excluded: Annotated[int, Field(ge=0, le=1000, description="how many wrong values can be ruled out")] = 1
    members: Annotated[int, Field(ge=0, le=1_000_000, description="how many others' values are known")] = 0


def certain(group: IntArray, count: IntArray, groups: int, params: Background) -> BoolArray:
    """For each cell, whether its value is certain for those who have it; cells are sorted by group."""
    order = np.lexsort((-count, group))
    starts = np.searchsorted(group, np.arange(groups + 1))
    rank = np.empty(order.size, dtype=np.int64)
    rank[order] = np.arange(order.size) - starts[group]
    running = np.concatenate([[0], np.cumsum(count[order])])
    ends = starts[1:]

    def largest(number: int) -> IntArray:
        """The sum of the `number` largest counts of each cell's group."""
        last = np.minimum(starts[:-1] + number, ends)
        return np.asarray((running[last] - running[starts[:-1]])[group], dtype=np.int64)

    excluded = np.where(rank < params.excluded, largest(params.excluded + 1) - count, largest(params.excluded))
    total = (running[ends] - running[starts[:-1]])[group]
    return np.asarray(total - count - excluded <= params.members)


def rule_out(view: AdversaryView, params: Background) -> Success:
    """The share of people whose value is certain after all that is known was ruled out."""
    found = beliefs(view, params.column)
    sure = certain(found.group, found.count, found.groups, params)
    there = np.flatnonzero(found.reference)
    whole = found.reference[there]
    known = certain(np.zeros(there.size, dtype=np.int64), whole, 1, params)
    baseline = float(whole[known].sum()) / max(int(whole.sum()), 1)
    return success(int(found.people[sure].sum()), secrets(view, params.column), baseline)


ATTACK = TableAttack(
    title="Background knowledge",
    params=Background,
    run=rule_out,
    needs="a sensitive column",
    gives="the share of people whose secret is certain once wrong values are ruled out",
    paper="https://doi.org/10.1109/ICDE.2007.367858",
    example=Background(),
    knowledge="a person's quasi-identifiers, and some values that the person or others in the class do not have",
    story="The adversary finds the person's class and rules values out until one remains.",
    means="Success means that only one value remains for a target, so the secret is certain.",
    sees="table",
    column_parameter="column",
    bound=values_remain,
)
