"""Exact laws of noise to the measure of the data, and of answers that reach a threshold.

Each case gives the name of a card, pairs of losses and their event; `weaker` makes the noise less than it is.
"""

import math
from itertools import product

import numpy as np
from tests.accounting.answered import BITS, FAR, parsed
from tests.accounting.exact_laws import laplace_law, laplace_pair, laplace_upto, pair
from tests.accounting.laws_of_choices import moved

from tacit.methods.mechanisms import bounded_laplace, propose_test_release, smooth_sensitivity, sparse_vector
from tacit.methods.mechanisms._robust import Limits, order_statistic
from tacit.methods.statistics import clipping
from tacit.randomness.stream import RandomBits


def proposed(weaker):
    params = parsed(
        "mechanisms/propose-test-release", epsilon=1.0, delta=0.02, lower=0.0, upper=4.0, bound=1.0, reach=30, grid=0
    )
    half = 0.5
    threshold = propose_test_release.passing_threshold(params.epsilon / 2, params.delta)

    def law(data):
        robust = order_statistic(np.array(data), 0.5, Limits.of(0.0, 4.0, bounded_laplace.Grid(0)), 30)
        passes = 1 - float(laplace_upto(half * weaker, threshold - propose_test_release.distance(robust, 1)))
        released = laplace_law(half * weaker, FAR - robust.value)
        return np.append(passes * released / released.sum(), 1 - passes)

    for (size, jump), low in product(((3, 4.0), (12, 4.0), (40, 1.0)), range(40)):
        if low < size:
            data = [0.0] * low + [jump] * (size - low)
            other = [0.0] * (low + 1) + [jump] * (size - low - 1)
            event = propose_test_release.propose_test_release(data, params, BITS).event
            yield "mechanisms/propose-test-release", [pair(law(data), law(other))], event


def smooth(weaker):
    params = parsed("mechanisms/smooth-sensitivity", epsilon=1.0, delta=0.02, lower=0.0, upper=4.0, grid=0)
    used = smooth_sensitivity.setting(params)
    limits = Limits.of(0.0, 4.0, used.grid)
    points = np.arange(-3000, 3001)

    def width(data):
        robust = order_statistic(np.array(data), 0.5, limits, 30)
        return robust.value, smooth_sensitivity.smooth_sensitivity(robust, used.beta)

    def law(data):
        value, wide = width(data)
        chances = laplace_law(float(used.answer) / (2 * wide) * weaker, points - value)
        return chances / chances.sum()

    for size in (3, 12):
        for low in range(size):
            sides = [0.0] * low + [4.0] * (size - low), [0.0] * (low + 1) + [4.0] * (size - low - 1)
            steps = [math.floor(math.log(width(side)[1]) / used.step + 0.5) for side in sides]
            told = laplace_pair(float(used.spread_rate) * weaker, abs(steps[0] - steps[1]))
            pairs = [pair(*map(law, sides)), told]
            event = smooth_sensitivity.smooth_order_statistic(sides[0], params, BITS).event
            yield "mechanisms/smooth-sensitivity", pairs, event


def first_above(questions, used, weaker):
    """The place of the first answer that reaches the threshold, or none: summed over the threshold's noise."""
    bars = laplace_law(float(used.for_threshold.rate) * weaker, FAR)
    rate = float(used.for_answer.rate) * weaker
    below = [laplace_upto(rate, used.threshold + FAR - question - 1) for question in questions]
    chances, none_yet = [], np.ones(FAR.size)
    for part in below:
        chances.append(float((bars * none_yet * (1 - part)).sum()))
        none_yet = none_yet * part
    return np.append(chances, 1 - sum(chances))


def thresholds(weaker):
    for monotonic in (False, True):
        params = parsed("mechanisms/sparse-vector", epsilon=0.5, threshold=2.0, grid=0, monotonic=monotonic)
        used = sparse_vector.setting(params)
        for first, second in moved(monotonic):
            laws = (first_above(questions, used, weaker) for questions in (first, second))
            yield "mechanisms/sparse-vector", [pair(*laws)], sparse_vector.spends(params)


def clipped(weaker):
    for neighbours, other in (("add-remove", [1.0, 3.0, 3.0, 0.5]), ("replace", [1.0, 3.0, 0.5])):
        params = parsed("statistics/clipping", epsilon=0.5, bounds=(1.0, 2.0, 3.0), share=0.5, neighbours=neighbours)
        used = sparse_vector.setting(clipping.sparse_vector(params))
        for rows in ([1.0, 3.0, 3.0], [3.0, 3.0, 3.0]):
            later = [*rows, other[-1]] if neighbours == "add-remove" else [*rows[:-1], other[-1]]
            laws = (first_above(clipping.questions(data, params), used, weaker) for data in (rows, later))
            event = clipping.clipping(rows, params, RandomBits.from_seed(1)).event
            yield "statistics/clipping", [pair(*laws)], event
