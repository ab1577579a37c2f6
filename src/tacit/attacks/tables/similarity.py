"""Similarity: the values of a class differ, but all mean much the same (Li, Li and Venkatasubramanian 2007).

The sensitive column's hierarchy says what values have in common: if all who fit share a node at the given level
(gastric ulcer, gastritis and stomach cancer are diseases of the stomach), that much is certain of the person, however
diverse the class. Only t-closeness with the hierarchical distance looks at this, and it bounds no rate.

The baseline is what the whole table gives away: everything if it has one node at the level, else nothing.
"""

from typing import Annotated

import numpy as np
from pydantic import Field

from tacit.arrays import IntArray
from tacit.attacks._success import success
from tacit.attacks.tables._beliefs import OnColumn, beliefs, secrets, sensitive_of
from tacit.cards.attack import TableAttack
from tacit.data.tables.adversary_view import AdversaryView
from tacit.data.tables.hierarchy import MISSING
from tacit.data.tables.tally import SensitiveTally
from tacit.errors import BadParameter
from tacit.release.attacks import Success
from tacit.spelling import many


class Similarity(OnColumn):
    """What counts as similar."""

    level: Annotated[int, Field(ge=1, le=100, description="the level of the sensitive column's hierarchy")] = 1


def find_similar(view: AdversaryView, params: Similarity) -> Success:
    """The share of people of whose value the node at the level is certain."""
    found = beliefs(view, params.column)
    node = _nodes(view.shown.sensitive[found.column], sensitive_of(view, params.column), params.level)
    of_cell = node[found.value]
    low, high = np.full(found.groups, node.size), np.full(found.groups, -1)
    np.minimum.at(low, found.group, of_cell)
    np.maximum.at(high, found.group, of_cell)
    alike = (low == high)[found.group]
    baseline = float(np.unique(node[np.flatnonzero(found.reference)]).size == 1)
    return success(int(found.people[alike].sum()), secrets(view, params.column), baseline)


def _nodes(shown: SensitiveTally, known: SensitiveTally, level: int) -> IntArray:
    """The node of each value at the level."""
    hierarchy = shown.hierarchy or known.hierarchy
    if hierarchy is None:
        raise BadParameter(
            f"similarity needs a hierarchy of the values of column {known.column!r}; declare one in the plan"
        )
    if level >= hierarchy.height:
        raise BadParameter(
            f"level is {level}; the hierarchy of {known.column!r} has {many(hierarchy.height, 'level')} above its "
            "leaves, and at the last all values are alike; take a lower level"
        )
    if MISSING in shown.values:
        hierarchy = hierarchy.with_missing()
    return np.asarray(hierarchy.codes[level, hierarchy.place(shown.values)], dtype=np.int64)


ATTACK = TableAttack(
    title="Similarity",
    params=Similarity,
    run=find_similar,
    needs="a sensitive column with a hierarchy",
    gives="the share of people whose kind of secret is certain",
    paper="https://doi.org/10.1109/ICDE.2007.367856",
    example=Similarity(),
    knowledge="a person's quasi-identifiers, and which values mean much the same",
    story="The adversary finds the person's class; if all its values are of one kind, so is the person's.",
    means="Success means that the kind of value is certain for a target, though not the value itself.",
    sees="table",
    column_parameter="column",
)
