"""Risk: how likely people are to be re-identified by their quasi-identifiers (El Emam and Dankar 2008; El Emam 2013).

f and F are the people of a class in the data and in the population, n all people, J all classes of the data.
Prosecutor (the target is known to be in the data): 1/f; the average over people is J/n. Journalist (the target is in
the population): 1/F; the average is the larger of J/ΣF and Σ(f/F)/n, as the adversary may start from either side.
Marketer (everybody is matched): Σ(f/F)/n. Without a population F = f, and all three averages are the same. A population
that knows fewer people of a class than the data is incomplete, so F is never taken below f.

Assumptions: the adversary knows every quasi-identifier exactly and nothing else, and finds each person of a class
equally likely. People with rows in several classes count in each. Suppressed people stand in no class.
"""

from itertools import pairwise
from typing import Annotated

import numpy as np
from pydantic import Field

from tacit.arrays import IntArray
from tacit.cards.metric import Metric, MetricValue
from tacit.data.tables.classes import Classes
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
    present = classes.sizes > 0
    sizes = classes.sizes[present]
    population = sizes if classes.population is None else np.maximum(classes.population[present], sizes)
    people = int(sizes.sum())
    matches = float((sizes / population).sum()) / max(people, 1)
    unique = int((sizes == 1).sum())
    return Risk(
        people=people,
        classes=int(sizes.size),
        prosecutor_highest=_highest(sizes),
        prosecutor_average=sizes.size / max(people, 1),
        journalist_highest=_highest(population),
        journalist_average=max(sizes.size / max(int(population.sum()), 1), matches),
        marketer=matches,
        unique=unique,
        unique_share=unique / max(people, 1),
        threshold=threshold,
        above=int(sizes[1 / sizes > threshold].sum()) / max(people, 1),
        edges=EDGES,
        distribution=_distribution(sizes),
        sizes=size_bins(sizes),
    )


def size_bins(sizes: IntArray) -> tuple[SizeBin, ...]:
    """Classes and people by class size: 1, 2, 3–4, 5–9, 10–19, 20–49, 50–99, 100–199 and so on to the largest."""
    largest = int(sizes.max(initial=0))
    if not largest:
        return ()
    starts = [1, 2, 3, 5]
    while starts[-1] <= largest:
        decade = 10 ** len(str(starts[-1]))
        starts += [decade, 2 * decade, 5 * decade]
    position = np.searchsorted(starts, sizes, side="right") - 1
    classes = np.bincount(position, minlength=len(starts))
    people = np.bincount(position, weights=sizes, minlength=len(starts))
    return tuple(
        SizeBin(least=least, most=after - 1, classes=int(classes[i]), people=int(people[i]))
        for i, (least, after) in enumerate(pairwise(starts))
        if least <= largest
    )


def _highest(sizes: IntArray) -> float:
    return 1 / int(sizes.min()) if sizes.size else 0.0


def _distribution(sizes: IntArray) -> tuple[float, ...]:
    """The share of people whose risk lies in each interval of EDGES (the upper bound included)."""
    interval = np.searchsorted(EDGES, 1 / sizes, side="left") - 1
    people = np.bincount(interval, weights=sizes, minlength=len(EDGES) - 1)
    return tuple(float(share) for share in people / max(int(sizes.sum()), 1))


def measure_released_risk(compared: Comparison, params: Threshold) -> MetricValue:
    """The highest prosecutor risk of the released table, with the other figures by name."""
    released = compared.after.classes
    risk = measure_risk(Classes(released.rows, released.people.counts()), params.threshold)
    details = {"average": risk.prosecutor_average, "unique": risk.unique_share, "above": risk.above}
    return MetricValue(risk.prosecutor_highest, details=details)


METRIC = Metric(
    title="Re-identification risk",
    params=Threshold,
    run=measure_released_risk,
    needs="the published classes",
    gives="the highest probability of picking the right record of a person: 1 divided by the smallest class",
    standard=("release", "two tables"),
    paper="https://doi.org/10.1197/jamia.M2716",
    example=Threshold(),
)
