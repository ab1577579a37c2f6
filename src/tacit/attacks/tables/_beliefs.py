"""Beliefs: what the classes that fit a person say about one sensitive column.

Somebody who finds a person's classes and knows no more takes the frequency of a value there for its probability
(Machanavajjhala et al. 2006, random worlds).
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Annotated

import numpy as np
from pydantic import Field

from tacit.arrays import FloatArray, IntArray
from tacit.data.tables.adversary_view import AdversaryView
from tacit.data.tables.grouping import add_up, group_by
from tacit.data.tables.tally import SensitiveTally
from tacit.errors import BadParameter
from tacit.params import Params


class OnColumn(Params):
    """Which secret is sought."""

    column: Annotated[str | None, Field(description="the sensitive column; may be left out if there is only one")] = (
        None
    )


@dataclass(frozen=True, eq=False)
class Beliefs:
    """The values in the classes of each group: cell i says that `count[i]` entries of `group[i]` have `value[i]`.

    Cells are sorted by group and value. `people[i]` of the group's own people truly have the value of cell i.
    `reference[value]` counts the people of the whole input.
    """

    column: str
    group: IntArray
    value: IntArray
    count: IntArray
    people: IntArray
    groups: int
    reference: IntArray

    @cached_property
    def totals(self) -> IntArray:
        """The entries of each group."""
        return add_up(self.group, self.count, self.groups)

    @cached_property
    def share(self) -> FloatArray:
        """The adversary's belief in each cell's value."""
        return self.count / self.totals[self.group]

    @cached_property
    def prior(self) -> FloatArray:
        """The belief in each value of somebody who knows the whole input's distribution only."""
        return self.reference / max(int(self.reference.sum()), 1)

    @cached_property
    def distinct(self) -> IntArray:
        """How many values each group has."""
        return np.bincount(self.group, minlength=self.groups)


def beliefs(view: AdversaryView, column: str | None) -> Beliefs:
    """What the published classes say about the people of each group."""
    part = sensitive_of(view, column)
    shown, fit = view.shown.sensitive[part.column], view.fit
    width = max(len(shown.values), len(part.values), 1)
    group, cell = _cells_of_groups(view, shown)
    key = group * width + shown.value[cell]
    cells = group_by(key, fit.groups * width)
    count = add_up(cells.group, shown.census.counts()[cell], cells.number)
    mine = fit.group[part.combination]
    true_key = (mine * width + part.value)[mine >= 0]
    distinct = key[cells.first]
    place = np.minimum(np.searchsorted(distinct, true_key), max(distinct.size - 1, 0))
    same = distinct[place] == true_key if distinct.size else np.zeros(true_key.size, dtype=np.bool_)
    people = add_up(place[same], part.census.counts()[mine >= 0][same], cells.number)
    return Beliefs(part.column, distinct // width, distinct % width, count, people, fit.groups, shown.reference)


def sensitive_of(view: AdversaryView, column: str | None) -> SensitiveTally:
    """The true values of the column that is named, or of the only one there is."""
    there = view.known.sensitive
    name = next(iter(there), None) if column is None and len(there) == 1 else column
    if name is None or name not in there:
        raise BadParameter(
            f"column is {column!r}; name one of the sensitive columns: {', '.join(map(repr, there)) or 'none'}"
        )
    return there[name]


def _cells_of_groups(view: AdversaryView, shown: SensitiveTally) -> tuple[IntArray, IntArray]:
    """Pairs of a group and a cell of one of its classes."""
    fit, classes = view.fit, view.shown.combinations
    begin = np.searchsorted(shown.combination, np.arange(classes + 1))
    lengths = np.diff(begin)[fit.class_]
    group = np.repeat(np.repeat(np.arange(fit.groups), np.diff(fit.starts)), lengths)
    ends = np.cumsum(lengths)
    within = np.arange(int(lengths.sum())) - np.repeat(ends - lengths, lengths)
    return group, np.repeat(begin[fit.class_], lengths) + within


def secrets(view: AdversaryView, column: str | None) -> int:
    """How many pairs of a person and a value there are to be learnt."""
    return int(sensitive_of(view, column).census.counts().sum())
