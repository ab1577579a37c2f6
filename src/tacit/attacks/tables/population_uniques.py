"""Population uniques: an estimate of how many people of a sample are unique in the whole population.

The data is a sample: n of N people, fraction f = n/N, in u classes, u_j of them of size j. Three models:

- Zayatz (1991): population classes are sized like sample classes, a share h_j = u_j/u of them j people. A class of j
  people shows one in the sample with chance j f (1 − f)^(j − 1), so a sample unique is a population unique with chance
  h_1 f / Σ h_j j f (1 − f)^(j − 1).
- Slide negative binomial (Chen and Keller-McNulty 1998): K population classes of 1 + X people, X negative binomial with
  size a and success chance b; K b^a of them are of one person. K, a and b are those for which N, the number of sample
  classes and the number of sample uniques are as expected.
- Pitman (1996; Hoshino 2001): the classes are a partition of Pitman's two-parameter family (a, t), fitted by maximum
  likelihood; of N people, N Γ(t + 1) Γ(t + a + N − 1) / (Γ(t + a) Γ(t + N)) are expected to be alone.

A population unique is in the sample with chance f, so U of them in the population make a rate of U f / n = U/N; whoever
finds one knows it. The baseline is 0. Dankar et al. 2012 recommend Pitman for small fractions, Zayatz for larger ones.
"""

from typing import Annotated, Literal

import numpy as np
from pydantic import Field

from tacit.arrays import FloatArray, IntArray
from tacit.attacks._success import success
from tacit.cards.attack import TableAttack
from tacit.data.tables.adversary_view import AdversaryView
from tacit.params import Params
from tacit.release.attacks import Success

Model = Literal["pitman", "zayatz", "snb"]
EDGE = 1e-9


class PopulationUniques(Params):
    """Of how many people the data is a sample, and which model is trusted."""

    fraction: Annotated[float, Field(gt=0, le=1, description="the share of the population that is in the data")] = 0.1
    model: Annotated[Model, Field(description="the estimate that counts; all are reported")] = "pitman"


def unique_if_sample_unique(shares: FloatArray, fraction: float) -> float:
    """The chance that a sample unique is a population unique, where `shares[j]` of all classes have j + 1 people."""
    size = np.arange(1, shares.size + 1)
    seen_once = shares * size * fraction * (1 - fraction) ** (size - 1.0)
    total = float(seen_once.sum())
    return float(seen_once[0]) / total if total else 0.0


def zayatz(sizes: IntArray, fraction: float) -> float:
    """Population uniques among the people of classes of these sizes."""
    if not sizes.size:
        return 0.0
    counted = np.bincount(sizes)[1:]
    return float(counted[0]) * unique_if_sample_unique(counted / counted.sum(), fraction)


def snb(sizes: IntArray, fraction: float) -> float:
    """The same by the slide negative binomial; Zayatz's where no such model has these sample classes."""
    alone, classes, people = int((sizes == 1).sum()), int(sizes.size), int(sizes.sum())
    if fraction == 1 or not alone:
        return float(alone)
    if alone == people:
        return float(alone)
    fitted = fit_snb(alone, classes, people, fraction)
    return zayatz(sizes, fraction) if fitted is None else min(fraction * fitted, float(alone))


def fit_snb(alone: float, classes: float, people: float, fraction: float) -> float | None:
    """The expected population uniques of the slide negative binomial that has these expectations; None without one."""
    from scipy.optimize import least_squares

    total = people / fraction
    wanted = np.array([alone / classes, classes / people])

    def expected(theta: FloatArray) -> FloatArray:
        once, seen, mean = snb_chances(float(np.exp(theta[0])), _logistic(float(theta[1])), fraction)
        return np.array([once / seen, seen / (fraction * mean)])

    starts = [(size, chance) for size in (-2.0, 0.0, 2.0) for chance in (-4.0, -1.0, 2.0)]
    tried = [
        least_squares(lambda t: np.log(expected(t) / wanted), start, bounds=([-12, -18], [8, 18])) for start in starts
    ]
    best = min(tried, key=lambda one: float(one.cost))
    if best.cost > EDGE:
        return None
    size, chance = float(np.exp(best.x[0])), _logistic(float(best.x[1]))
    return float(total / snb_chances(size, chance, fraction)[2] * chance**size)


def snb_chances(size: float, chance: float, fraction: float) -> tuple[float, float, float]:
    """Of a class: the chance to show one person in the sample, the chance to show any, its mean size."""
    rest = 1 - fraction
    ratio = chance / (1 - (1 - chance) * rest)
    missed = rest * ratio**size
    once = fraction * ratio**size * (1 + rest * size * (1 - chance) / (1 - (1 - chance) * rest))
    return once, 1 - missed, 1 + size * (1 - chance) / chance


def _logistic(x: float) -> float:
    return float(1 / (1 + np.exp(-x)))


def pitman(sizes: IntArray, fraction: float) -> float:
    """The same by Pitman's partition."""
    alone, people = int((sizes == 1).sum()), int(sizes.sum())
    if fraction == 1 or not alone or alone == people:
        return float(alone)
    a, t = fit_pitman(sizes)
    return min(fraction * expected_alone(a, t, people / fraction), float(alone))


def fit_pitman(sizes: IntArray) -> tuple[float, float]:
    """The two parameters of highest likelihood."""
    from scipy.optimize import minimize

    counted, people = np.bincount(sizes).astype(np.float64), int(sizes.sum())

    def loss(theta: FloatArray) -> float:
        a = _logistic(float(theta[0]))
        return -likelihood(counted, a, float(np.exp(theta[1])) - a) / people

    starts = [(x, np.log(t)) for x in (-2.0, 0.0, 2.0) for t in (1.0, 0.2 * sizes.size + 1)]
    bounds = [(-12.0, 12.0), (-6.0, 30.0)]
    tried = [minimize(loss, start, method="L-BFGS-B", bounds=bounds) for start in starts]
    best = min(tried, key=lambda one: float(one.fun))
    a = _logistic(float(best.x[0]))
    return a, float(np.exp(best.x[1]) - a)


def likelihood(counted: FloatArray, a: float, t: float) -> float:
    """The logarithm of Pitman's sampling formula, where `counted[j]` classes have j people (a > 0, t > −a)."""
    from scipy.special import gammaln

    classes = float(counted.sum())
    people = float((np.arange(counted.size) * counted).sum())
    size = np.flatnonzero(counted)
    made = (classes - 1) * np.log(a) + gammaln(t / a + classes) - gammaln(t / a + 1)
    placed = gammaln(t + people) - gammaln(t + 1)
    grown = counted[size] * (gammaln(size - a) - gammaln(1 - a))
    return float(made - placed + grown.sum())


def expected_alone(a: float, t: float, people: float) -> float:
    """The expected classes of one person in Pitman's partition of so many people."""
    from scipy.special import gammaln

    logarithm = gammaln(t + 1) + gammaln(t + a + people - 1) - gammaln(t + a) - gammaln(t + people)
    return float(people * np.exp(logarithm))


def estimate(view: AdversaryView, params: PopulationUniques) -> Success:
    """The estimated share of people who are in the data and unique in the population."""
    sizes = view.shown.people.counts()
    sizes = sizes[sizes > 0]
    models = {"pitman": pitman, "zayatz": zayatz, "snb": snb}
    found = {name: model(sizes, params.fraction) for name, model in models.items()}
    targets = max(view.targets, int(sizes.sum()))
    shares = {name: hits / max(targets, 1) for name, hits in found.items()}
    return success(found[params.model], targets, 0.0, **shares)


ATTACK = TableAttack(
    title="Population uniques",
    params=PopulationUniques,
    run=estimate,
    needs="the published classes and the sampling fraction",
    gives="the estimated share of people who are unique in the whole population",
    paper="https://doi.org/10.1186/1472-6947-12-66",
    example=PopulationUniques(),
    knowledge="the quasi-identifiers of somebody in the population, not whether the person is in the data",
    story="The adversary finds one record that fits and estimates how likely nobody else in the population fits it.",
    means="Success means that a target is estimated to be the only one in the whole population with these values.",
    sees="table",
    fraction_parameter="fraction",
)
