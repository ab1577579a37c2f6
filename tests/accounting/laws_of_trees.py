"""Exact laws of keys that are selected, of trees, and of the best of several runs.

Each case gives the name of a card, pairs of losses and their event; `weaker` makes the noise less than it is.
"""

import math
from itertools import product

import numpy as np
from tests.accounting.answered import BITS, parsed
from tests.accounting.exact_laws import from_laws, laplace_pair, laplace_upto, pair, softmax
from tests.methods.statistics.paths import log_chances

from tacit.catalogue import find_method
from tacit.methods.statistics import best_candidate, partition_selection, privtree
from tacit.randomness.stream import RandomBits


def selected(weaker):
    for neighbours in ("add-remove", "replace"):
        params = parsed("statistics/partition-selection", epsilon=1.0, delta=0.02, most=2, neighbours=neighbours)
        noise = partition_selection.noise(params)

        def law(people, noise=noise):
            """Not published, or the noisy count."""
            points = np.arange(-noise.most, noise.most + 1)
            chances = softmax(np.abs(points), float(noise.rate) * weaker)
            values = {int(value): chance for value, chance in zip(points + people, chances, strict=True)}
            shown = {value: chance for value, chance in values.items() if value > noise.most}
            return {None: 1 - sum(shown.values()), **shown}

        event = partition_selection.partition_selection([[], []], params, BITS).event
        for people in (0, 1, noise.most):
            comes = from_laws(law(people), law(people + 1))
            goes = from_laws(law(people + 1), law(people))
            yield "statistics/partition-selection", [comes] * 2 + [goes] * 2 * (neighbours == "replace"), event


def trees(weaker):
    """The depth at which the path of a row ends, and the noisy count of the leaf there; where a row is replaced, two
    such paths below a root that keeps its count."""
    for neighbours in ("add-remove", "replace"):
        params = parsed("statistics/privtree", epsilon=0.5, depth=3, neighbours=neighbours)
        used, leaf = privtree.splitting(params), privtree.leaf_setting(params)
        if weaker != 1.0:
            used = privtree.Splitting(used.scale / int(weaker), used.lowered)
        counted = laplace_pair(float(leaf.noise.rate) * weaker, 1)

        def path(counts, first, used=used):
            """The chances to end at each depth, from `first` on; the deepest cells are not split."""
            chances, left = [], 1.0
            for depth, count in enumerate(counts[:-1], start=first):
                splits, stays = (math.exp(part) for part in log_chances(count, depth, used))
                chances.append(left * stays)
                left *= splits
            return np.array([*chances, left])

        for crowd in (1, 3, 12):
            counts = np.full(4, crowd)
            down, up = pair(path(counts, 0), path(counts - 1, 0)), pair(path(counts, 1), path(counts + 1, 1))
            below = pair(path(counts, 1), path(counts - 1, 1))
            event = find_method("statistics/privtree").run(np.zeros((crowd, 2)), params, RandomBits.from_seed(1)).event
            pairs = [down, counted] if neighbours == "add-remove" else [below, up, counted, counted]
            yield "statistics/privtree", pairs, event


def best_of_runs(weaker):
    """The published candidate and score, in sixteenths of a score's width, equal ones in the order of names.

    Each run ends in one of these, and they have an order, so Pr[best is at most o] is G(Pr[one run is at most o]), G
    the generating function of the number of runs; no run at all is an output of its own. A card that rounds scores so
    before it compares them has the same event. Where a row is replaced one candidate may gain what the other loses.
    """
    for law, neighbours in product(("geometric", "logarithmic", "poisson"), ("add-remove", "replace")):
        params = parsed("statistics/best-candidate", epsilon=0.5, runs=5.0, law=law, neighbours=neighbours)
        width = best_candidate.score_range(params).width
        runs, rate = best_candidate.law_of(params), float(best_candidate.used(params).noise.rate) * weaker
        cuts = np.arange(-60 * 16, 60 * 16) * (width // 16)

        def outputs(sums, runs=runs, rate=rate, cuts=cuts):
            cells = [np.diff(np.concatenate([[0.0], laplace_upto(rate, cuts - total), [1.0]])) for total in sums]
            upto = np.minimum(np.cumsum(np.column_stack(cells).ravel() / len(sums)), 1.0)
            upto[-1] = 1.0
            none = runs.all_within(0.0)
            return np.diff([0.0, none, *(runs.all_within(float(part)) for part in upto)])

        event = best_candidate.best_candidate(np.zeros((1, 2)), params, RandomBits.from_seed(1)).event
        moved = [((0, 0), (1, 1)), ((0, 4), (1, 4)), ((0, 0), (0, 1))]
        moved += [((0, 1), (1, 0)), ((4, 0), (3, 1)), ((0, 4), (1, 3))] if neighbours == "replace" else []
        for before, after in moved:
            laws = (outputs([width * score for score in scores]) for scores in (before, after))
            yield "statistics/best-candidate", [pair(*laws)], event
