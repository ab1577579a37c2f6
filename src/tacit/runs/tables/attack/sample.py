"""Attacks on a release that is a sample: the adversary of the worst case knows who was drawn.

Who was drawn is written nowhere, so the people of the file can't be held against the rows of the release. It need not
be known either: of the drawn people the release itself tells what an adversary who knows them sees. Each stands in one
of its classes, with one of the secrets that the class shows. So the classes are attacked as they are, as though it were
known in which class each person stands. Under full-domain generalisation that is so; under a local method, where
several classes may fit a person, it errs on the side of the adversary. Targets are the people whose rows are not
suppressed. Where the plan names a population, these are the people whom the adversary knows, as on the other sides of
the board.

An attack that needs the people themselves is refused, and so is every attack where people have several rows.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from tacit.arrays import IntArray
from tacit.attacks.tables._view import AdversaryView, view_as_is, view_of
from tacit.cards.attack import TableAttack
from tacit.data.tables.grouping import add_up
from tacit.data.tables.labels import Stands
from tacit.data.tables.tally import Tally
from tacit.params import Params
from tacit.release.attacks import Success

NOBODY_KNOWN = "the release is a sample, and who was drawn is written nowhere"
NOT_TOLD_APART = "people with several rows were drawn, and the release does not tell whose rows are whose"
TREATED = "the column was treated and rows were drawn, so nobody can tell whose true value became which"


def why_not(card: TableAttack[Any], several_rows: bool, treated: bool) -> str | None:
    """Why an attack on one table can't be run on a sample; None where it can."""
    if several_rows:
        return NOT_TOLD_APART
    if card.needs_people:
        return NOBODY_KNOWN
    return TREATED if treated else None


def view_of_sample(known: Tally, shown: Tally, stands: Sequence[Stands]) -> AdversaryView:
    """The classes as whoever knows the drawn people sees them, beside the population that is `known`, if any."""
    people = known.population
    if people is None:
        return view_as_is(shown)
    return view_as_is(replace(shown, population=_fitting(people, view_of(known, shown, stands))))


def _fitting(people: IntArray, seen: AdversaryView) -> IntArray:
    """How many of the people of each combination fit each class."""
    fit = seen.fit
    there = fit.group >= 0
    of_group = add_up(fit.group[there], people[there], fit.groups)
    return add_up(fit.class_, np.repeat(of_group, np.diff(fit.starts)), seen.shown.combinations)


def run_on_sample(card: TableAttack[Any], view: AdversaryView, params: Params, share: float) -> Success:
    """The success on a sample; an attack that asks which fraction of a population is in the data is told so."""
    name = card.fraction_parameter
    if name is None:
        return card.run(view, params)
    fraction = params.model_dump()[name] * share
    found = card.run(view, params.model_copy(update={name: fraction}))
    return found.model_copy(update={"details": {**found.details, name: fraction}})
