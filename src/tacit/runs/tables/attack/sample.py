"""Attacks on a release that is a sample: the worst-case adversary knows who is in it.

A release is a sample if a step left rows out, by a draw or otherwise. No file records whose rows are in it, so the
people of the file can't be compared with the rows of the release. That is not needed either: the release itself shows
what an adversary who knows the people in it sees. Each of them is in one of its classes, with one of the secrets that
the class shows. So the classes are attacked as they are, as though it were known in which class each person is. Under
full-domain generalisation that is so; under a local method, where several classes may fit a person, it errs on the side
of the adversary. Targets are the people whose rows are not suppressed. If the plan names a population, the adversary
knows its people, as on the other sides of the board.

An attack that needs the people themselves is refused, and so is every attack if people have several rows.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from tacit.arrays import IntArray
from tacit.cards.attack import TableAttack
from tacit.data.tables.adversary_view import AdversaryView, view_as_is, view_of
from tacit.data.tables.grouping import add_up
from tacit.data.tables.labels import Stands
from tacit.data.tables.tally import Tally
from tacit.params import Params
from tacit.release.attacks import Success
from tacit.release.tables import TableRelease
from tacit.runs.tables.prepare import share_left
from tacit.runs.tables.read_back import ReadBack
from tacit.runs.tables.step import Step

NOBODY_KNOWN = "rows were left out of the release, and no file records whose they are"
NOT_TOLD_APART = "rows of people who may have several were left out, and the release does not say which rows are whose"
TREATED = "the column was treated and rows were left out, so it is unknown which true value became which"


def told_share(evidence: TableRelease) -> float | None:
    """The share of the file that is left by the evidence, which knows better than the plan; None for all of it."""
    body, whole, shown = evidence.body, evidence.input.rows, evidence.output.rows
    if body.drawn is not None:
        return body.drawn.share
    if not whole or shown is None:
        return None
    left = shown + (0 if body.suppressed.written else body.suppressed.rows)
    return left / whole if left < whole else None


def planned_share(steps: Sequence[Step[Any]], read: ReadBack, whole: Tally, unit: str | None) -> float | None:
    """The share of the file that is left by the plan, or else by the rows of the release; None for all of it."""
    if not any(step.leaves_rows_out for step in steps):
        return None
    share = share_left(steps, whole, unit)
    rows = int(read.tally.rows.sum()) + read.suppressed_rows
    return min(rows / int(whole.rows.sum()), 1.0) if share is None else share


def why_not(card: TableAttack[Any], several_rows: bool, treated: bool) -> str | None:
    """Why an attack on one table can't be run on a sample; None if it can."""
    if several_rows:
        return NOT_TOLD_APART
    if card.needs_people:
        return NOBODY_KNOWN
    return TREATED if treated else None


def view_of_sample(known: Tally, shown: Tally, stands: Sequence[Stands]) -> AdversaryView:
    """The classes as an adversary who knows the sampled people sees them, beside the `known` population, if any."""
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
    """The success on a sample; an attack with a parameter for the fraction of a population in the data is given it."""
    name = card.fraction_parameter
    if name is None:
        return card.run(view, params)
    fraction = params.model_dump()[name] * share
    found = card.run(view, params.model_copy(update={name: fraction}))
    return found.model_copy(update={"details": {**found.details, name: fraction}})
