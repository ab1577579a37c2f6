"""Probabilistic linkage: the auxiliary file has errors, and agreement is weighed (Fellegi and Sunter 1969).

The adversary's quasi-identifiers of a person are wrong with chance `error`, each replaced by the value of a random
person. Each person is held against each published class, column by column: a label agrees if it can stand for the
value. A label that agrees counts ln(m/u), one that does not ln((1 − m)/(1 − u)). u is the chance that it agrees with
somebody else, the share of people whose value it can stand for: to agree on a rare label says more (Newcombe et al.
1959). m is the chance that the person's own record agrees in that column; it is estimated by expectation and
maximisation (Dempster et al. 1977) from up to SAMPLE people, each of whom has one record, any row with odds
exp(weight). Then a row of the best classes is picked. Whole classes score alike, so under k-anonymity the rate is at
most 1/k.

A sample of people is attacked, of a table with many classes a smaller one (people × classes stay within LIMIT, but at
least FEWEST people); the interval accounts for it. A class that fits a person's true values counts as the
person's own: where a local method leaves several that fit, the rate is an upper bound. The baseline picks one of all
rows.
"""

from typing import Annotated

import numpy as np
from pydantic import Field

from tacit.arrays import BoolArray, FloatArray, IntArray
from tacit.attacks._success import success
from tacit.attacks.tables._bounds import one_of_k
from tacit.cards.attack import TableAttack
from tacit.data.tables.adversary_view import AdversaryView
from tacit.params import Params
from tacit.release.attacks import Success

SAMPLE = 100
SAMPLE_CELLS = 2_000_000
LIMIT = 40_000_000
FEWEST = 100
ROUNDS = 100
BLOCK_CELLS = 1_000_000
EDGE = 1e-6
SLACK = 1e-9
STEADY = 1e-4


class ProbabilisticLinkage(Params):
    """How good the auxiliary file is, and how many people are attacked."""

    error: Annotated[float, Field(ge=0, lt=1, description="the chance that a known value is wrong")] = 0.1
    targets: Annotated[int, Field(ge=1, le=1_000_000, description="the most people that are attacked")] = 500
    seed: Annotated[int, Field(ge=0, description="the seed that people and errors are drawn from")] = 0


def link_with_errors(view: AdversaryView, params: ProbabilisticLinkage) -> Success:
    """The expected share of the attacked people whose row is picked."""
    random = np.random.default_rng(params.seed)
    everyone = np.repeat(np.arange(view.known.combinations), view.people)
    affordable = max(LIMIT // max(view.shown.combinations, 1), FEWEST)
    number = min(params.targets, everyone.size, affordable)
    chosen = random.choice(everyone, size=number, replace=False) if number else everyone
    hits = 0.0
    if number and view.shown.combinations:
        believed, chance = _with_errors(view, chosen, params.error, random), _by_chance(view)
        sample = max(min(SAMPLE, SAMPLE_CELLS // view.shown.combinations), 10)
        m = estimate_agreement(_agreement(view, believed[:, :sample]), chance, view.shown.rows)
        height = max(BLOCK_CELLS // view.shown.combinations, 1)
        for first in range(0, number, height):
            block = slice(first, first + height)
            hits += _hits(view, chosen[block], _weights(_agreement(view, believed[:, block]), m, chance))
    return success(hits, number, 1 / max(view.targets, 1), error=params.error)


def _with_errors(view: AdversaryView, chosen: IntArray, error: float, random: np.random.Generator) -> IntArray:
    """What the adversary believes of the chosen people."""
    codes = view.known.codes[:, chosen].astype(np.int64)
    chance = view.people / view.targets
    for c in range(codes.shape[0]):
        wrong = random.random(chosen.size) < error
        others = random.choice(view.known.combinations, size=chosen.size, p=chance)
        codes[c, wrong] = view.known.codes[c, others[wrong]]
    return codes


def _by_chance(view: AdversaryView) -> FloatArray:
    """`[column, class]`: the share of people whose value the label of the class can stand for."""
    chance = np.empty((len(view.shown.columns), view.shown.combinations))
    for c, values in enumerate(view.known.values):
        share: FloatArray = np.bincount(view.known.codes[c], view.people, len(values)) / view.targets
        chance[c] = view.label_totals(c, share)[view.shown.codes[c]]
    return np.clip(chance, EDGE, 1 - EDGE)


def _agreement(view: AdversaryView, codes: IntArray) -> BoolArray:
    """`[column, person, class]`: whether the label can stand for the value."""
    agree = np.empty((*codes.shape, view.shown.combinations), dtype=np.bool_)
    for c in range(codes.shape[0]):
        distinct, position = np.unique(codes[c], return_inverse=True)
        agree[c] = view.matches(c, distinct)[:, view.shown.codes[c]][position]
    return agree


def _weights(agree: BoolArray, m: FloatArray, chance: FloatArray) -> FloatArray:
    """`[person, class]`: the weight of all columns together."""
    against = np.log((1 - m)[:, None] / (1 - chance))
    gained = np.log(m[:, None] / chance) - against
    weight = np.tile(against.sum(axis=0), (agree.shape[1], 1))
    for c in range(agree.shape[0]):
        weight += agree[c] * gained[c]
    return weight


def estimate_agreement(agree: BoolArray, chance: FloatArray, rows: IntArray) -> FloatArray:
    """m of each column, by expectation and maximisation over the people of `agree[column, person, class]`."""
    m = np.full(agree.shape[0], 0.9)
    for _ in range(ROUNDS):
        weight = _weights(agree, m, chance)
        odds = rows * np.exp(weight - weight.max(axis=1, keepdims=True))
        own = odds / odds.sum(axis=1, keepdims=True)
        before = m
        m = np.clip(np.array([(own * column).sum() for column in agree]) / agree.shape[1], EDGE, 1 - EDGE)
        if np.abs(m - before).max(initial=0.0) < STEADY:
            break
    return m


def _hits(view: AdversaryView, chosen: IntArray, weight: FloatArray) -> float:
    """The expected number of people whose row is picked from the best classes."""
    # A population may have combinations that the data lacks: there is no row to pick.
    weight = np.where(view.shown.rows > 0, weight, -np.inf)
    best = weight >= weight.max(axis=1, keepdims=True) - SLACK
    own = _agreement(view, view.known.codes[:, chosen].astype(np.int64)).all(axis=0)
    rows = np.maximum(best @ view.shown.rows, 1)
    each = view.known.rows[chosen] / np.maximum(view.people[chosen], 1)
    return float(np.minimum((best & own).any(axis=1) * each / rows, 1.0).sum())


ATTACK = TableAttack(
    title="Probabilistic linkage",
    params=ProbabilisticLinkage,
    run=link_with_errors,
    needs="the quasi-identifiers of everybody",
    gives="the share of people whose record is picked correctly although the auxiliary file has errors",
    paper="https://doi.org/10.1080/01621459.1969.10501049",
    example=ProbabilisticLinkage(),
    knowledge="everybody's quasi-identifiers, some of them wrong",
    story="The adversary weighs which columns agree and picks a record of the class that is most likely the person's.",
    means="Success means that the record picked is the target's own; the adversary can't tell which picks are right.",
    sees="table",
    bound=one_of_k,
)
