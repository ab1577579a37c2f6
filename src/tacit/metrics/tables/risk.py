"""Risk: how likely people are to be re-identified by their quasi-identifiers (El Emam and Dankar 2008; El Emam 2013).

f and F are the people of a class in the data and in the population, n all people, J all classes of the data. A person
p is in the classes C(p) of their rows. The adversary may know any one of these rows, so the risk of a person is the
highest over their classes, and every figure called people counts each person once.

Prosecutor (the target is known to be in the data): r(p) = 1/min f over C(p); the average is Σ r(p)/n. Journalist (the
target is in the population): R(p) = 1/min F over C(p); the average is the larger of J/ΣF and Σ R(p)/n, as the adversary
may start from either side. Marketer (everybody is matched, by the row that is easiest to match): Σ R(p)/n. *Unique* are
the people who are alone in at least one class: r(p) = 1. Where everybody is in one class, Σ r(p) = J and Σ R(p) =
Σ f/F. Without a population F = f, and all three averages are the same. A population that knows fewer people of a class
than the data is incomplete, so F is never taken below f.

Assumptions: the adversary knows every quasi-identifier of one row exactly and nothing else, and finds each person of a
class equally likely. Suppressed rows stand in no class: who has no other row is not counted, and who has others is
counted by these.
"""

from dataclasses import replace
from itertools import pairwise
from typing import Annotated

import numpy as np
from pydantic import Field

from tacit.arrays import IntArray
from tacit.cards.metric import Metric, MetricValue
from tacit.data.tables.classes import Classes, classes_of
from tacit.data.tables.tally import PeopleByAmount
from tacit.data.tables.view import Comparison
from tacit.errors import BadParameter
from tacit.params import Params
from tacit.release.tables import Risk, SizeBin

EDGES = (0.0, 0.001, 0.01, 0.02, 0.05, 0.1, 0.2, 0.25, 0.5, 1.0)
"""Bounds of the risk distribution; each but the first is 1 divided by a class size, so no class falls between."""


class Threshold(Params):
    """Which risk is too high."""

    threshold: Annotated[float, Field(gt=0, le=1, description="the highest acceptable risk of one person")] = 0.2


def measure_risk(classes: Classes, threshold: float = 0.2) -> Risk:
    """The re-identification risk of `classes`; all zero where nobody is left in them."""
    if not 0 < threshold <= 1:
        raise BadParameter(f"threshold is {threshold}; a risk lies above 0 and is at most 1")
    sizes = classes.sizes[classes.sizes > 0]
    population = classes.sizes if classes.population is None else np.maximum(classes.population, classes.sizes)
    in_data, beside = classes.census.least(classes.sizes), classes.census.least(population)
    known = int(population[classes.sizes > 0].sum())
    people = max(int(in_data.people.sum()), 1)
    matches = _average(beside)
    unique = int(in_data.people[in_data.amount == 1].sum())
    return Risk(
        people=int(in_data.people.sum()),
        classes=int(sizes.size),
        prosecutor_highest=_highest(in_data),
        prosecutor_average=_average(in_data),
        journalist_highest=_highest(beside),
        journalist_average=matches if classes.population is None else max(sizes.size / max(known, 1), matches),
        marketer=matches,
        unique=unique,
        unique_share=unique / people,
        threshold=threshold,
        above=int(in_data.people[1 / in_data.amount > threshold].sum()) / people,
        edges=EDGES,
        distribution=distribution(in_data),
        sizes=size_bins(sizes, in_data),
    )


def size_bins(sizes: IntArray, everybody: PeopleByAmount) -> tuple[SizeBin, ...]:
    """Classes by their size, and people by that of their smallest class: 1, 2, 3–4, 5–9, 10–19 and so on.

    The bins go on with 20–49, 50–99 and 100–199 to the largest class.
    """
    largest = int(sizes.max(initial=0))
    if not largest:
        return ()
    starts = [1, 2, 3, 5]
    while starts[-1] <= largest:
        decade = 10 ** len(str(starts[-1]))
        starts += [decade, 2 * decade, 5 * decade]
    classes = np.bincount(np.searchsorted(starts, sizes, side="right") - 1, minlength=len(starts))
    smallest = np.searchsorted(starts, everybody.amount, side="right") - 1
    people = np.bincount(smallest, weights=everybody.people, minlength=len(starts))
    return tuple(
        SizeBin(least=least, most=after - 1, classes=int(classes[i]), people=int(people[i]))
        for i, (least, after) in enumerate(pairwise(starts))
        if least <= largest
    )


def _highest(crowd: PeopleByAmount) -> float:
    return 1 / int(crowd.amount.min()) if crowd.amount.size else 0.0


def _average(crowd: PeopleByAmount) -> float:
    return float((crowd.people / crowd.amount).sum()) / max(int(crowd.people.sum()), 1)


def distribution(crowd: PeopleByAmount) -> tuple[float, ...]:
    """The share of people whose risk, 1 divided by the amount, is in each interval of EDGES (upper bound included)."""
    interval = np.searchsorted(EDGES, 1 / crowd.amount, side="left") - 1
    people = np.bincount(interval, weights=crowd.people, minlength=len(EDGES) - 1)
    return tuple(float(share) for share in people / max(int(crowd.people.sum()), 1))


def measure_released_risk(compared: Comparison, params: Threshold) -> MetricValue:
    """The highest prosecutor risk of the released table, with the other figures by name."""
    risk = measure_risk(classes_of(replace(compared.after.classes, sensitive={}, population=None)), params.threshold)
    details = {"average": risk.prosecutor_average, "unique": risk.unique_share, "above": risk.above}
    return MetricValue(risk.prosecutor_highest, details=details)


METRIC = Metric(
    title="Re-identification risk",
    params=Threshold,
    run=measure_released_risk,
    needs="the published classes",
    gives="the highest probability of picking the right record of a person: 1 divided by the smallest class",
    standard=("release", "two tables"),
    is_share=True,
    of_risk=True,
    paper="https://doi.org/10.1197/jamia.M2716",
    example=Threshold(),
)
