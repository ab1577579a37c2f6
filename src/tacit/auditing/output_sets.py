"""Sets of outputs: where to put the thresholds, chosen on some runs so that they can be tested on others.

A `Rule` points to one of two neighbours: to the first where a feature lies on one side of a bound, to the second where
it lies on one side of another. At delta 0 both ends count as guesses; with a delta only one of them is counted. The
rule that promises the highest bound, counted on the runs of the search at a strict error rate, is kept.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from tacit.arrays import BoolArray, FloatArray, IntArray
from tacit.auditing.bounds import loss_by_guesses, loss_by_outputs
from tacit.auditing.features import FeatureSide, OutputFeature, features_of

SEARCH_ALPHA = 1e-4
"""So strict that the best of many cuts is seldom best by luck."""

MOST_CUTS = 200


@dataclass(frozen=True)
class OutputBound:
    """One side of a bound."""

    side: FeatureSide
    bound: float

    def holds(self, values: FloatArray) -> BoolArray:
        """Where the values lie on that side."""
        found: BoolArray = values <= self.bound if self.side == "at most" else values >= self.bound
        return found


@dataclass(frozen=True)
class Rule:
    """Which outputs point to the first neighbour and which to the second; `promise` is the bound that it gave."""

    feature: OutputFeature
    to_first: OutputBound | None
    to_second: OutputBound | None
    promise: float = float("-inf")

    def points(self, rows: FloatArray) -> IntArray:
        """1 for the first, -1 for the second, 0 for neither."""
        values = self.feature.of(rows)
        found = np.zeros(len(rows), dtype=np.int64)
        if self.to_second is not None:
            found[self.to_second.holds(values)] = -1
        if self.to_first is not None:
            found[self.to_first.holds(values)] = 1
        return found


@dataclass(frozen=True)
class OutputCounts:
    """How often outputs of each neighbour pointed to the first and to the second, and how many runs there were."""

    first: tuple[int, int]
    second: tuple[int, int]
    runs: tuple[int, int]

    def loss(self, delta: float, alpha: float) -> float:
        """The bound of epsilon: from all guesses at delta 0, else from the outputs that point to one neighbour."""
        if delta == 0:
            right = self.first[0] + self.second[1]
            return float(loss_by_guesses(right, right + self.first[1] + self.second[0], alpha))
        if self.first[0] + self.second[0]:
            return float(loss_by_outputs(self.first[0], self.second[0], self.runs, delta, alpha))
        return float(loss_by_outputs(self.second[1], self.first[1], self.runs[::-1], delta, alpha))


def tally(rule: Rule, first: FloatArray, second: FloatArray) -> OutputCounts:
    """The counts of a rule on runs of both neighbours."""
    here, there = rule.points(first), rule.points(second)
    return OutputCounts(
        (int((here == 1).sum()), int((here == -1).sum())),
        (int((there == 1).sum()), int((there == -1).sum())),
        (len(first), len(second)),
    )


def best_rule(first: FloatArray, second: FloatArray, delta: float) -> Rule | None:
    """The rule that promises most, from runs of both neighbours: a third to fit features, the rest to cut them."""
    fitting = len(first) // 3, len(second) // 3
    parts = first[fitting[0] :], second[fitting[1] :]
    rules = (
        rule
        for feature in features_of(first[: fitting[0]], second[: fitting[1]])
        for rule in _rules(feature, *parts, delta)
    )
    return max(rules, key=lambda rule: round(rule.promise, 2), default=None)


def _rules(feature: OutputFeature, first: FloatArray, second: FloatArray, delta: float) -> Iterator[Rule]:
    here, there = feature.of(first), feature.of(second)
    cuts = np.unique(np.quantile(np.concatenate([here, there]), np.linspace(0, 1, MOST_CUTS), method="lower"))
    if cuts.size == 1:
        return
    to_first, to_second = _cut(here, there, cuts, delta), _cut(there, here, cuts, delta)
    # Of rules that promise alike the one with two ends is taken: it guesses more often, so more runs help it more.
    both = [Rule(feature, to_first, to_second)] if delta == 0 else []
    for rule in [*both, Rule(feature, to_first, None), Rule(feature, None, to_second)]:
        yield replace(rule, promise=tally(rule, first, second).loss(delta, SEARCH_ALPHA))


def _cut(likely: FloatArray, unlikely: FloatArray, cuts: FloatArray, delta: float) -> OutputBound:
    """The side of a bound that tells most for `likely` against `unlikely`."""
    below = [np.searchsorted(np.sort(part), cuts, side="right") for part in (likely, unlikely)]
    above = [part.size - np.searchsorted(np.sort(part), cuts, side="left") for part in (likely, unlikely)]
    hits, others = (np.concatenate(pair) for pair in zip(below, above, strict=True))
    if delta == 0:
        losses = loss_by_guesses(hits, hits + others, SEARCH_ALPHA)
    else:
        losses = loss_by_outputs(hits, others, (likely.size, unlikely.size), delta, SEARCH_ALPHA)
    best = int(losses.argmax())
    return OutputBound("at most" if best < cuts.size else "at least", float(cuts[best % cuts.size]))
