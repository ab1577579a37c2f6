"""Linkage: an adversary looks a person up by known quasi-identifiers (Sweeney 2002; El Emam and Dankar 2008).

The adversary holds an auxiliary file with everybody's quasi-identifiers, without errors: in the worst case those of the
data itself, otherwise the population file. For each person, one of the published rows that fit is picked. Of
m fitting rows the right one is picked with chance 1/m at most, of a population of M people that fit, 1/M. Under
k-anonymity m ≥ k, so the rate is at most 1/k. The chance is taken as though everybody who fits were published: where a
local method suppresses a part of them it is an upper bound.

The baseline picks one of all rows.
"""

import numpy as np

from tacit.arrays import FloatArray
from tacit.attacks._success import success
from tacit.attacks.tables._bounds import one_of_k
from tacit.cards.attack import TableAttack
from tacit.data.tables.adversary_view import AdversaryView
from tacit.data.tables.grouping import add_up
from tacit.params import Params
from tacit.release.attacks import Success


def chances(view: AdversaryView) -> FloatArray:
    """The chance that the row picked for a person of each known combination is the person's."""
    fit, there = view.fit, view.fit.group >= 0
    rows, people = view.known.rows, np.maximum(view.people, 1)
    # One more entry stands for the people that no class fits.
    candidates = np.maximum(np.append(fit.totals(view.shown.rows), 0)[fit.group], rows)
    chance = np.where(there, rows / people / np.maximum(candidates, 1), 0.0)
    if view.known.population is not None:
        chance = np.minimum(chance, 1 / np.maximum(np.append(_population(view), 0)[fit.group], 1))
    return np.where(there, np.minimum(chance, 1.0), 0.0)


def _population(view: AdversaryView) -> FloatArray:
    """For each group the people of the population that fit the class which most of them fit."""
    fit, people = view.fit, view.known.population
    assert people is not None
    there = fit.group >= 0
    of_group = add_up(fit.group[there], people[there], fit.groups)
    number = np.diff(fit.starts)
    of_class = add_up(fit.class_, np.repeat(of_group, number), view.shown.combinations)
    most = np.zeros(fit.groups)
    np.maximum.at(most, np.repeat(np.arange(fit.groups), number), of_class[fit.class_])
    return most


def link(view: AdversaryView, params: Params) -> Success:
    """The expected share of people whose row is picked."""
    chance = chances(view)
    hits = float((view.people * chance).sum())
    certain = int(view.people[chance >= 1].sum())
    highest = float(chance[view.people > 0].max(initial=0.0))
    return success(hits, view.targets, 1 / max(view.targets, 1), highest=highest, certain=certain)


ATTACK = TableAttack(
    title="Linkage",
    params=Params,
    run=link,
    needs="the quasi-identifiers of everybody, or a population file",
    gives="the share of people whose record is picked correctly",
    paper="https://doi.org/10.1142/S0218488502001648",
    example=Params(),
    knowledge="everybody's quasi-identifiers, without errors",
    story="The adversary looks each person up by the quasi-identifiers and picks one of the records that fit.",
    means="Success means that the record picked is the target's own; the adversary can't tell which picks are right.",
    sees="table",
    bound=one_of_k,
    bound_for_people=True,
    place=10,
)
