"""Individual risk in a survey: how likely a person is to be re-identified among the people that the survey represents.

A survey hides its people among those who were not drawn. A class has f people in the sample; how many
it has in the population, F, is unknown; the sum W of their sampling weights estimates it. Benedetti and Franconi (1998)
take F given f as negative binomial, P(F = h) = C(h-1, f-1) p^f q^(h-f) for h >= f, with p = f/W and q = 1 - p. The risk
of each person of the class is the posterior mean of 1/F, r = (p/f) 2F1(1, 1; f+1; q) = (p/f) Σ_n q^n / C(f+n, n), and
for f = 1 (p/q) ln(1/p). It is never below 1/W, the plain estimate 1/E[F] (Jensen). With c = p/q the integrals
I_f = int u^(f-1)/(u+c) du over [0, 1] give r = c I_f, I_1 = ln(1 + 1/c) and I_(f+1) = 1/f - c I_f: quick and exact
where c <= 1 and f is small; elsewhere the sum ends within a few dozen terms.

Expected re-identifications are the sum of r over the people. A household is re-identified with one of its members: risk
1 - prod(1 - r) over them (Templ, Kowarik and Meindl 2015). Assumptions: the adversary does not know who was
drawn, knows the quasi-identifiers exactly, and matches members independently; where W < f, p is 1 and r is 1/f. Of
somebody with rows in several classes the highest r counts.
"""

from typing import Annotated

import numpy as np
from pydantic import Field

from tacit.arrays import FloatArray, IntArray
from tacit.cards.metric import Metric, MetricValue
from tacit.data.tables.view import Comparison
from tacit.errors import BadData
from tacit.params import Params

SMALL = 40
"""Up to this many people of a class the recurrence loses at most two digits; above it the sum is short."""

LEAST_TERM = 1e-17


class DrawnFraction(Params):
    """How the data was drawn."""

    fraction: Annotated[
        float, Field(gt=0, le=1, description="the share of the population that was drawn, the same for everybody")
    ] = 1.0


def individual_risk(people: IntArray, weight: FloatArray) -> FloatArray:
    """The risk of a person of each class, from its people in the sample and the sum of their sampling weights."""
    if (people < 1).any() or not np.isfinite(weight).all() or (weight <= 0).any():
        raise BadData("a class without people, or with a sum of sampling weights that is not above 0, has no risk")
    f = people.astype(np.float64)
    p = np.minimum(f / weight, 1.0)
    risk = np.empty_like(p)
    close = (p <= 0.5) & (people <= SMALL)
    risk[close] = _by_recurrence(people[close], p[close])
    risk[~close] = _by_terms(f[~close], p[~close])
    return risk


def _by_recurrence(people: IntArray, p: FloatArray) -> FloatArray:
    c = p / (1 - p)
    integral = np.log1p(1 / c)
    for f in range(1, int(people.max(initial=1))):
        integral = np.where(people > f, 1 / f - c * integral, integral)
    return c * integral


def _by_terms(f: FloatArray, p: FloatArray) -> FloatArray:
    q = 1 - p
    term = np.ones_like(p)
    total = np.ones_like(p)
    n = 0
    while term.max(initial=0.0) > LEAST_TERM:
        term = term * q * (n + 1) / (f + n + 1)
        total += term
        n += 1
    return p / f * total


def household_risk(risk: FloatArray, household: IntArray, people: IntArray | None = None) -> FloatArray:
    """The risk that a member of each household is re-identified; entry i are `people[i]` members with `risk[i]`."""
    with np.errstate(divide="ignore"):
        safe = np.log1p(-risk) * (1 if people is None else people)
    number = int(household.max(initial=-1)) + 1
    return -np.expm1(np.bincount(household, weights=safe, minlength=number))


def measure_individual_risk(compared: Comparison, params: DrawnFraction) -> MetricValue:
    """The highest individual risk of the release, where that fraction of a population was drawn; 0 where nobody is."""
    census = compared.after.classes.people
    # The risk falls as the class grows, so that of a person is that of the smallest class.
    crowd = census.least(census.counts())
    risk = individual_risk(crowd.amount, crowd.amount / params.fraction)
    expected = float((risk * crowd.people).sum())
    details = {"average": expected / max(int(crowd.people.sum()), 1), "expected": expected}
    return MetricValue(float(risk.max(initial=0.0)), details=details)


METRIC = Metric(
    title="Individual risk in a survey",
    params=DrawnFraction,
    run=measure_individual_risk,
    needs="the published classes, and the share of the population that was drawn",
    gives="the highest probability that a person is re-identified in the population that the data was drawn from",
    is_share=True,
    of_risk=True,
    paper="https://doi.org/10.18637/jss.v067.i04",
    example=DrawnFraction(),
)
