"""Exact laws of choices among three candidates.

Each case gives the name of a card, pairs of losses and their event; `weaker` makes the noise less than it is.
"""

from itertools import product

import numpy as np
from tests.accounting.answered import FAR, parsed
from tests.accounting.exact_laws import flips, from_laws, laplace_law, laplace_upto, pair, softmax

from tacit.methods.mechanisms import exponential, noisy_max, permute_and_flip, top_k
from tacit.noise.scores import score_rate


def moved(monotonic):
    """Scores and those of a neighbour."""
    ways = (0, 1) if monotonic else (-1, 0, 1)
    for scores in ((0, 0, 0), (0, 1, 2), (3, 1, 0)):
        for change in product(ways, repeat=3):
            yield np.array(scores), np.array(scores) + change


def chosen_once(weaker):
    laws = {
        "mechanisms/exponential": (exponential, lambda scores, rate: softmax(scores.max() - scores, rate)),
        "mechanisms/permute-and-flip": (permute_and_flip, lambda scores, rate: flips(scores.max() - scores, rate)),
        "mechanisms/noisy-max": (noisy_max, noisy_largest),
    }
    for (name, (module, law)), monotonic in product(laws.items(), (False, True)):
        params = parsed(name, epsilon=0.5, monotonic=monotonic, grid=0)
        rate = float(score_rate(params)) * weaker
        for first, second in moved(monotonic):
            yield name, [pair(law(first, rate), law(second, rate))], module.spends(params)


def noisy_largest(scores, rate):
    """The first of the largest: those before must be less, those after at most as much."""
    chances = []
    for place, score in enumerate(scores):
        others = [
            laplace_upto(rate, FAR - other - (rank < place)) for rank, other in enumerate(scores) if rank != place
        ]
        chances.append(float((laplace_law(rate, FAR - score) * np.prod(others, axis=0)).sum()))
    return np.array(chances) / sum(chances)


def chosen_in_order(weaker):
    for way, monotonic in product(("peeling", "one-shot"), (False, True)):
        params = parsed("mechanisms/top-k", epsilon=0.5, monotonic=monotonic, grid=0, k=2, way=way)
        rate = float(score_rate(params, 2)) * weaker
        law = peeled if way == "peeling" else largest_two
        for first, second in moved(monotonic):
            yield "mechanisms/top-k", [from_laws(law(first, rate), law(second, rate))], top_k.spends(params)


def peeled(scores, rate):
    law = {}
    for first, chance in enumerate(softmax(-scores, rate)):
        left = [place for place in range(3) if place != first]
        for second, next_chance in zip(left, softmax(-scores[left], rate), strict=True):
            law[first, second] = chance * next_chance
    return law


NEAR = np.arange(-150, 151)


def largest_two(scores, rate):
    """Noisy scores v of the first, w <= v of the second (less where it stands before), and the third below both."""
    law = {}
    v, w = NEAR[:, None], NEAR[None, :]
    for first, second in product(range(3), repeat=2):
        if first == second:
            continue
        third = 3 - first - second
        order = w <= v - (second < first)
        below = laplace_upto(rate, w - scores[third] - (third < second))
        weights = laplace_law(rate, v - scores[first]) * laplace_law(rate, w - scores[second]) * order * below
        law[first, second] = float(weights.sum())
    total = sum(law.values())
    return {output: chance / total for output, chance in law.items()}
