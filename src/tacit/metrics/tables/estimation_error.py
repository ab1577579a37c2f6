"""Estimation error: how far from the truth the best guess of a secret stays on average (Shokri et al. 2011).

The adversary knows a person's class, takes its shares p for chances and guesses g with the least expected distance
Σ_v p(v) d(g, v); no guess does better on average if nothing else is known. Distances lie in [0, 1]:

- equal: 1 for every other value. The best guess is the most frequent one, the error 1 − max p.
- numeric: |g − v| divided by the span of the input's numbers. The best guess is a median.
- ordered: |i − j|/(m − 1) for the i-th and j-th of m values in the stated order. The best guess is a median.
- hierarchical: (level of the lowest common ancestor)/(height). It is the mean over the levels below the root of
  "another node", so the error of g is 1 − the mean over the levels of p(node of g); the best guess is in the class.

For suppressed people the guess is what is best for the whole input. `baseline` is the error of somebody who does not
see the release, `lowest` that of the class where it is least. Where several columns are sensitive the value is that of
the column where it is least beside its baseline; where none is, there is nothing to guess and the error is 1.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np
from pydantic import Field

from tacit.arrays import FloatArray, IntArray
from tacit.cards.metric import Metric, MetricValue
from tacit.data.tables.hierarchies.numerals import read_numeral
from tacit.data.tables.hierarchy import MISSING
from tacit.data.tables.tally import SensitiveTally
from tacit.data.tables.view import Comparison
from tacit.errors import BadParameter
from tacit.metrics.tables._secrets import TINY, Secrets, secrets_of
from tacit.params import Params

GuessDistance = Literal["equal", "numeric", "ordered", "hierarchical"]


class Guess(Params):
    """Which secret is guessed, and what an error counts."""

    column: Annotated[
        str | None, Field(description="the sensitive column; by default the one that is guessed best")
    ] = None
    distance: Annotated[GuessDistance, Field(description="how the distance of a wrong guess is measured")] = "equal"


@dataclass(frozen=True, eq=False)
class Guesses:
    """For each class the best guess and its expected error."""

    value: IntArray
    error: FloatArray


@dataclass(frozen=True, eq=False)
class _Errors:
    """The mean error for one column, without the release, and in the class where it is least."""

    mean: float
    baseline: float
    lowest: float


def measure_error(compared: Comparison, params: Guess) -> MetricValue:
    """The mean error of the best guess of the secret; a column's is that of its secret."""
    found = {each.known.column: _errors(each, params.distance) for each in secrets_of(compared, params.column)}
    if not found:
        return MetricValue(1.0, {}, {"baseline": 1.0, "lowest": 1.0})
    worst = min(found.values(), key=lambda errors: errors.mean / max(errors.baseline, TINY))
    per_column = {name: errors.mean for name, errors in found.items()}
    return MetricValue(worst.mean, per_column, {"baseline": worst.baseline, "lowest": worst.lowest})


def _errors(secrets: Secrets, distance: GuessDistance) -> _Errors:
    best = _best_guesser(secrets.known, distance)
    guesses = best(secrets.class_, secrets.value, secrets.share)
    values = np.flatnonzero(secrets.prior > 0)
    blind = best(np.zeros(values.size, dtype=np.int64), values, secrets.prior[values])
    if not blind.value.size:
        return _Errors(0.0, 0.0, 0.0)
    hidden = secrets.suppressed / max(float(secrets.suppressed.sum()), TINY)
    of_suppressed = float((hidden * _distances(secrets.known, distance, int(blind.value[0]))).sum())
    mean = secrets.mean(guesses.error, of_suppressed)
    return _Errors(mean, float(blind.error[0]), float(guesses.error.min(initial=float(blind.error[0]))))


def _best_guesser(
    known: SensitiveTally, distance: GuessDistance
) -> Callable[[IntArray, IntArray, FloatArray], Guesses]:
    """What finds the best guess of each class from its cells: class, value and share, sorted by class."""
    if distance == "equal":
        return _highest
    if distance == "hierarchical":
        nodes = _nodes(known)
        return lambda class_, value, share: _central_leaves(nodes, class_, value, share)
    places = _places(known, distance)
    return lambda class_, value, share: _medians(places, class_, value, share)


def _highest(class_: IntArray, value: IntArray, score: FloatArray) -> Guesses:
    """The value of the highest score in each class; its error is 1 − the score."""
    order = np.lexsort((value, -score, class_))
    first = order[_beginnings(class_)]
    return Guesses(value[first], np.maximum(1 - score[first], 0.0))


def _central_leaves(nodes: IntArray, class_: IntArray, value: IntArray, share: FloatArray) -> Guesses:
    """The leaf whose nodes hold most of the class, on the mean over the levels."""
    score = np.zeros(share.size)
    for level in nodes:
        width = int(level.max(initial=0)) + 1
        _, cell = np.unique(class_ * width + level[value], return_inverse=True)
        score += np.bincount(cell, share)[cell] if cell.size else 0.0
    return _highest(class_, value, score / max(len(nodes), 1))


def _medians(places: FloatArray, class_: IntArray, value: IntArray, share: FloatArray) -> Guesses:
    """The least place with at least half of the class at or below it."""
    order = np.lexsort((places[value], class_))
    class_, value, share = class_[order], value[order], share[order]
    begin = _beginnings(class_)
    lengths = np.diff(np.append(begin, class_.size))
    running = np.cumsum(share)
    # Shares of a class sum to one, up to rounding: a median that is missed by it costs the same.
    inside = running - np.repeat(running[begin] - share[begin], lengths)
    half = np.minimum(0.5, inside[begin + lengths - 1]) if begin.size else np.empty(0)
    below = inside < np.repeat(half, lengths) - 1e-12
    median = value[begin + np.add.reduceat(below.astype(np.int64), begin)] if begin.size else value
    far = np.abs(places[value] - np.repeat(places[median], lengths))
    return Guesses(median, np.add.reduceat(share * far, begin) if begin.size else np.empty(0))


def _beginnings(class_: IntArray) -> IntArray:
    return np.flatnonzero(np.append(True, class_[1:] != class_[:-1])) if class_.size else np.empty(0, dtype=np.int64)


def _distances(known: SensitiveTally, distance: GuessDistance, guess: int) -> FloatArray:
    """From the guess to every value."""
    if distance == "equal":
        return np.where(np.arange(len(known.values)) == guess, 0.0, 1.0)
    if distance == "hierarchical":
        nodes = _nodes(known)
        return np.asarray((nodes != nodes[:, guess][:, None]).sum(axis=0) / max(len(nodes), 1))
    places = _places(known, distance)
    return np.asarray(np.abs(places - places[guess]))


def _places(known: SensitiveTally, distance: GuessDistance) -> FloatArray:
    """Where each value stands between 0 and 1."""
    if distance == "ordered":
        if not known.ordered:
            raise BadParameter(
                f"distance 'ordered' needs an order of the values of column {known.column!r}: declare it in the plan "
                "(below the column, as in `order: [low, middle, high]`; numbers have theirs), or take 'equal'"
            )
        return np.arange(len(known.values)) / max(len(known.values) - 1, 1)
    if not all(read_numeral(value) for value in known.values):
        missing = " (a missing value is none)" if MISSING in known.values else ""
        raise BadParameter(
            f"distance 'numeric' needs numbers, and not all values of column {known.column!r} are{missing}; "
            "take distance 'ordered' or 'equal'"
        )
    numbers = np.array([float(value) for value in known.values])
    span = float(np.ptp(numbers)) if numbers.size else 0.0
    if not np.isfinite(span):
        raise BadParameter(f"the numbers of column {known.column!r} are too large to compare; take distance 'ordered'")
    placed: FloatArray = (numbers - numbers.min(initial=np.inf)) / (span or 1.0)
    return placed


def _nodes(known: SensitiveTally) -> IntArray:
    """`[level, value]`: the node of each value at each level below the root."""
    hierarchy = known.hierarchy
    if hierarchy is None:
        raise BadParameter(
            f"distance 'hierarchical' needs a hierarchy of the values of column {known.column!r}: declare it in the "
            "plan (below the column, as in `hierarchy: file.csv`), or take 'equal'"
        )
    if MISSING in known.values:
        hierarchy = hierarchy.with_missing()
    return hierarchy.codes[:-1, hierarchy.place(known.values)].astype(np.int64)


METRIC = Metric(
    title="Expected estimation error",
    params=Guess,
    run=measure_error,
    needs_pairs=True,
    needs="the published classes and a sensitive column, with order or hierarchy for some distances",
    gives="the mean distance between a person's secret and the adversary's best guess; 0 if all are known",
    of_risk=True,
    paper="https://doi.org/10.1109/SP.2011.18",
    example=Guess(),
    better="higher",
)
