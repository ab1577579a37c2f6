"""Special uniques: people whom a few columns single out (Elliot and Manning's SUDA; Manning, Haglin and Keane 2008).

A *minimal sample unique* of a person is a set of columns on which nobody else has the same values, while on each
smaller part of it somebody has. The fewer columns it takes and the more such sets a person has, the more likely the
person is unique in the population too. With A columns and sets of up to M < A columns, a set of s columns scores
(A − s)(A − s − 1) … (A − M), the number of ways to lengthen it to M + 1 columns; a person's score is the sum.

Data intrusion simulation (Skinner and Elliot 2002) tells how likely a unique match is correct: with n1 people alone
and n2 pairs on all columns and the sampling fraction f, about f n1 / (f n1 + 2 (1 − f) n2). DIS-SUDA shares out this
file-level figure, times n1, among people in proportion to their scores, at most 1 each.

The adversary knows up to M columns of a person, any of them. Success is being singled out by them; without the release
nobody is, so the baseline is 0. Sets are counted while sets × combinations stay within LIMIT, smaller sets first.
"""

from dataclasses import dataclass
from itertools import combinations
from math import comb, prod
from typing import Annotated

import numpy as np
from pydantic import Field

from tacit.arrays import BoolArray, FloatArray, IntArray
from tacit.attacks._success import success
from tacit.cards.attack import TableAttack
from tacit.data.tables.adversary_view import AdversaryView
from tacit.data.tables.grouping import group_by, pack
from tacit.data.tables.tally import Tally
from tacit.params import Params
from tacit.release.attacks import Success

LIMIT = 100_000_000

ColumnSet = tuple[int, ...]


class SpecialUniques(Params):
    """How much of a person is known, and of how many people the data is a sample."""

    most: Annotated[int, Field(ge=1, le=6, description="the most columns of a person that are known")] = 3
    fraction: Annotated[float, Field(gt=0, le=1, description="the share of the population that is in the data")] = 0.1


@dataclass(frozen=True, eq=False)
class Uniques:
    """For each combination: the score of its person, how many minimal sets there are, the columns of the smallest.

    `smallest` is 0 where nothing singles the combination out. `most` is the largest number of columns that was tried.
    """

    score: FloatArray
    sets: IntArray
    smallest: IntArray
    most: int


def find_uniques(tally: Tally, most: int) -> Uniques:
    """The minimal sample uniques of up to `most` columns."""
    width, number = len(tally.columns), tally.combinations
    depth = _depth(width, number, most)
    score, sets = np.zeros(number), np.zeros(number, dtype=np.int64)
    smallest = np.zeros(number, dtype=np.int64)
    before: dict[ColumnSet, BoolArray] = {}
    for size in range(1, depth + 1):
        weight = prod(width - i for i in range(size, min(depth, width - 1) + 1))
        now: dict[ColumnSet, BoolArray] = {}
        for columns in combinations(range(width), size):
            parts = [before[part] for part in combinations(columns, size - 1)] if size > 1 else []
            already = np.logical_or.reduce(parts) if parts else np.zeros(number, dtype=np.bool_)
            now[columns] = already if already.all() else _alone(tally, columns)
            minimal = now[columns] & ~already
            sets += minimal
            score += weight * minimal
            smallest[minimal & (smallest == 0)] = size
        before = now
    return Uniques(score, sets, smallest, depth)


def _depth(width: int, number: int, most: int) -> int:
    depth = 1
    while depth < min(most, width) and sum(comb(width, s) for s in range(1, depth + 2)) * number <= LIMIT:
        depth += 1
    return min(depth, width)


def _alone(tally: Tally, columns: ColumnSet) -> BoolArray:
    """Which combinations are those of one person with values that nobody else has in the columns."""
    keys = pack([tally.codes[c] for c in columns], [len(tally.values[c]) for c in columns], tally.combinations)
    groups = group_by(keys.key, keys.span)
    people = tally.people.merged(groups.group, groups.number).counts()
    return np.asarray((people[groups.group] == 1) & (tally.rows > 0))


def match_is_correct(alone: int, pairs: int, fraction: float) -> float:
    """The chance that a unique match is correct, by data intrusion simulation."""
    expected = fraction * alone + 2 * (1 - fraction) * pairs
    return fraction * alone / expected if expected else 0.0


def find_special(view: AdversaryView, params: SpecialUniques) -> Success:
    """The share of people whom up to `most` columns single out."""
    shown, people = view.shown, view.shown.people.counts()
    found = find_uniques(shown, params.most)
    alone, pairs = int((people == 1).sum()), int((people == 2).sum())
    correct = match_is_correct(alone, pairs, params.fraction)
    total = float(found.score.sum())
    risk = np.minimum(correct * alone * found.score / total, 1.0) if total else np.zeros(found.score.size)
    return success(
        int((found.smallest > 0).sum()),
        max(view.targets, int(people.sum())),
        0.0,
        columns=found.most,
        highest_score=float(found.score.max(initial=0.0)),
        match_correct=correct,
        highest_dis_suda=float(risk.max(initial=0.0)),
    )


ATTACK = TableAttack(
    title="Special uniques",
    params=SpecialUniques,
    run=find_special,
    needs="the published classes",
    gives="the share of people whom a few columns single out",
    paper="https://doi.org/10.1007/s10618-007-0078-6",
    example=SpecialUniques(),
    knowledge="a few quasi-identifiers of a person, any of them",
    story="The adversary looks for people with a combination of a few values that nobody else in the data has.",
    means="Success means that a few values of a target occur only once in the data.",
    sees="table",
    fraction_parameter="fraction",
)
