"""Singling out: a predicate that exactly one person of the data satisfies (Cohen and Nissim 2020).

The adversary sees the release alone. The attack takes a published class of f rows and asks for those inside its box who
fall into a random part, one f-th, of all possible records. The predicate isolates somebody if exactly one person of the
data falls into it. Of m different records in the box, s of them of one person only, it isolates with chance s/f (1 −
1/f)^(m − 1): about 1/e = 37 % however large k is. Without the release a predicate of the same weight w (the share of
all possible people who satisfy it, columns taken as independent) isolates with chance n w (1 − w)^(n − 1): the
baseline. The smaller the box, the further the attack is above it, so k-anonymity does not prevent singling out in this
sense.

One predicate is made for each published row.
"""

from dataclasses import dataclass

import numpy as np

from tacit.arrays import FloatArray, IntArray
from tacit.attacks._success import success
from tacit.cards.attack import TableAttack
from tacit.data.tables.adversary_view import AdversaryView
from tacit.data.tables.grouping import add_up
from tacit.params import Params
from tacit.release.attacks import Success


def single_out(view: AdversaryView, params: Params) -> Success:
    """The expected share of predicates that isolate somebody."""
    rows, known = view.shown.rows, _records(view)
    records = _in_boxes(view, known.combination)
    singles = _in_boxes(view, known.combination[known.people == 1])
    part = 1 / np.maximum(rows, 1)
    chance = singles * part * (1 - part) ** np.maximum(records - 1, 0)
    weight = _weights(view) * part
    number = view.targets
    blind = number * weight * (1 - np.minimum(weight, 1.0)) ** max(number - 1, 0)
    total = int(rows.sum())
    baseline = float((rows * np.minimum(blind, 1.0)).sum()) / max(total, 1)
    return success(float((rows * chance).sum()), total, baseline, weight=float((rows * weight).sum()) / max(total, 1))


@dataclass(frozen=True, eq=False)
class _Records:
    """Different records: the combination of each, and its people."""

    combination: IntArray
    people: IntArray


def _records(view: AdversaryView) -> _Records:
    """The records of the data; a secret tells apart those that share all quasi-identifiers."""
    parts = view.known.sensitive.values()
    finest = max(parts, key=lambda part: part.combination.size, default=None)
    if finest is not None:
        return _Records(finest.combination, finest.census.counts())
    there = np.flatnonzero(view.people)
    return _Records(there, view.people[there])


def _in_boxes(view: AdversaryView, combination: IntArray) -> IntArray:
    """How many of the records with these combinations lie in the box of each class."""
    fit = view.fit
    group = fit.group[combination]
    of_group = np.bincount(group[group >= 0], minlength=fit.groups)
    return add_up(fit.class_, np.repeat(of_group, np.diff(fit.starts)), view.shown.combinations)


def _weights(view: AdversaryView) -> FloatArray:
    """The share of all possible people, columns taken as independent, that lie in the box of each class."""
    weight = np.ones(view.shown.combinations)
    for c, values in enumerate(view.known.values):
        share: FloatArray = np.bincount(view.known.codes[c], view.people, len(values)) / max(view.targets, 1)
        weight *= view.label_totals(c, share)[view.shown.codes[c]]
    return weight


ATTACK = TableAttack(
    title="Singling out",
    params=Params,
    run=single_out,
    needs="the published classes",
    gives="the share of predicates, made from the release alone, that exactly one person satisfies",
    paper="https://doi.org/10.1073/pnas.1914598117",
    example=Params(),
    knowledge="only the release, and how each column's values are distributed",
    story="The adversary describes a random part of a published class, hoping that exactly one person fits.",
    means="Success means that a description fits exactly one person in the data; it does not say who that person is.",
    sees="table",
    needs_people=True,
)
