"""Events of mechanisms, and of cards whose law is no sum of stages, against their exact laws; see also
`test_events_against_laws`, which says what is checked and how. Together they cover every private card.

Covers accounting/events.
"""

import math
from itertools import product

import numpy as np
import pytest
from tests.accounting import test_events_against_laws
from tests.accounting.claims import LONG, SHORT, check, refuted
from tests.accounting.exact_laws import (
    flips,
    from_laws,
    gaussian_pair,
    laplace_law,
    laplace_pair,
    laplace_upto,
    pair,
    softmax,
)
from tests.methods.statistics.paths import log_chances

from tacit.accounting.events import Pure
from tacit.cards.private import PrivateMethod
from tacit.catalogue import find_method, methods
from tacit.methods.mechanisms import (
    bounded_laplace,
    exponential,
    finite_laplace,
    noisy_max,
    permute_and_flip,
    propose_test_release,
    smooth_sensitivity,
    sparse_vector,
    top_k,
)
from tacit.methods.mechanisms._robust import Limits, order_statistic
from tacit.methods.statistics import best_candidate, clipping, partition_selection, privtree
from tacit.noise.scores import score_rate
from tacit.randomness.stream import RandomBits

FAR = np.arange(-400, 401)
BITS = RandomBits.from_seed(1)


def parsed(name, **changes):
    card = find_method(name)
    return card.params.parse(name, {**card.example.model_dump(), **changes})


def answered(name, answer, **changes):
    """A noisy answer of the card, which tells its noise, its grid and its event."""
    return find_method(name).run(answer, parsed(name, **changes), BITS)


# Noise on numbers. Each case gives pairs of losses with their event; `weaker` makes the noise less than it is.


def plain_laplace(weaker):
    """One number that moves by all of the sensitivity, and two that share it."""
    for name, grid in (("mechanisms/laplace", {"grid": -1}), ("mechanisms/geometric", {})):
        for answer, shifts in ((3, [2]), ([3, 3], [1, 1])):
            given = np.array(answer) if name.endswith("geometric") else np.array(answer, dtype=float)
            found = answered(name, given, epsilon=0.5, sensitivity=2, **grid)
            steps = [int(shift / found.step) for shift in shifts]
            yield name, [laplace_pair(float(found.noise.rate) * weaker, step) for step in steps], found.event


def clamped_laplace(weaker):
    """What leaves the limits lies at them."""
    found = answered("mechanisms/truncated-laplace", 1.0, epsilon=0.5, lower=0.0, upper=3.0, grid=0)
    rate = float(found.noise.rate) * weaker

    def law(truth):
        chances = laplace_law(rate, FAR - truth)
        inner = chances[(FAR > 0) & (FAR < 3)]
        return [chances[FAR <= 0].sum(), *inner, 1 - chances[FAR <= 0].sum() - inner.sum()]

    for truth in range(3):
        yield "mechanisms/truncated-laplace", [pair(law(truth), law(truth + 1))], found.event


def laplace_within_limits(weaker):
    params = parsed("mechanisms/bounded-laplace", epsilon=0.5, lower=0.0, upper=5.0, sensitivity=2.0, grid=0)
    noise = bounded_laplace.setting(params).noise
    points = np.arange(noise.low, noise.high + 1)
    event = find_method("mechanisms/bounded-laplace").run(1.0, params, BITS).event
    for truth in range(noise.low, noise.high - 1):
        laws = (softmax(np.abs(points - here), float(noise.rate) * weaker) for here in (truth, truth + 2))
        yield "mechanisms/bounded-laplace", [pair(*laws)], event


def laplace_of_bounded_size(weaker):
    params = parsed("mechanisms/finite-laplace", epsilon=0.5, delta=1e-3, sensitivity=2.0, grid=0)
    noise = finite_laplace.setting(params).noise
    points = np.arange(-noise.most - 2, noise.most + 3)
    far = [np.abs(points - here) for here in (0, 2)]
    weights = [np.where(part <= noise.most, np.exp(-float(noise.rate) * weaker * part), 0.0) for part in far]
    event = find_method("mechanisms/finite-laplace").run(1.0, params, BITS).event
    yield "mechanisms/finite-laplace", [pair(*(part / part.sum() for part in weights))], event


def gaussians(weaker):
    for name, changes in (
        ("mechanisms/gaussian", {"epsilon": 0.5, "delta": 1e-3, "grid": -2}),
        ("mechanisms/discrete-gaussian", {"rho": 0.1}),
        ("mechanisms/discrete-gaussian", {"rho": None, "epsilon": 0.5, "delta": 1e-3}),
    ):
        found = answered(name, 3 if "discrete" in name else 3.0, **changes)
        yield name, [gaussian_pair(float(found.noise.sigma) / weaker, int(1 / found.step))], found.event


def rounding_at_random(weaker):
    """x is floor(x) or one more, then geometric noise."""
    found = answered("mechanisms/randomised-rounding", 0.0, epsilon=0.5, sensitivity=1.5)
    rate = float(found.noise.rate) * weaker

    def law(x):
        low, share = math.floor(x), x - math.floor(x)
        return (1 - share) * laplace_law(rate, FAR - low) + share * laplace_law(rate, FAR - low - 1)

    for x in (0.0, 0.25, 0.5, 0.75):
        first, second = law(x), law(x + 1.5)
        yield "mechanisms/randomised-rounding", [pair(first / first.sum(), second / second.sum())], found.event


# Choices among three candidates.


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


# Noise to the measure of the data, and thresholds.


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
        used = sparse_vector.setting(clipping.series(params))
        for rows in ([1.0, 3.0, 3.0], [3.0, 3.0, 3.0]):
            later = [*rows, other[-1]] if neighbours == "add-remove" else [*rows[:-1], other[-1]]
            laws = (first_above(clipping.questions(data, params), used, weaker) for data in (rows, later))
            event = clipping.clipping(rows, params, RandomBits.from_seed(1)).event
            yield "statistics/clipping", [pair(*laws)], event


# Keys, trees, and the best of runs.


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
    """The published score, in sixteenths of a score's width: Pr[best <= t] is G(Pr[one run <= t]), G the generating
    function of the number of runs; no run at all is an output of its own."""
    for law in ("geometric", "logarithmic", "poisson"):
        params = parsed("statistics/best-candidate", epsilon=0.5, runs=5.0, law=law)
        width = best_candidate.score_range(params).width
        runs, rate = best_candidate.law_of(params), float(best_candidate.used(params).noise.rate) * weaker
        cuts = np.arange(-60 * 16, 60 * 16) * (width // 16)

        def scores(sums, runs=runs, rate=rate, cuts=cuts):
            one = np.mean([laplace_upto(rate, cuts - total) for total in sums], axis=0)
            none = runs.all_within(0.0)
            upto = np.array([runs.all_within(float(part)) for part in one])
            return np.diff(np.concatenate([[0.0, none], upto, [1.0]]))

        event = best_candidate.best_candidate(np.zeros((1, 2)), params, RandomBits.from_seed(1)).event
        for before, after in (((0, 0), (width, width)), ((0, 4 * width), (width, 4 * width)), ((0, 0), (0, width))):
            yield "statistics/best-candidate", [pair(scores(before), scores(after))], event


LAWS = [
    plain_laplace,
    clamped_laplace,
    laplace_within_limits,
    laplace_of_bounded_size,
    gaussians,
    rounding_at_random,
    chosen_once,
    chosen_in_order,
    proposed,
    smooth,
    thresholds,
    clipped,
    selected,
    trees,
    best_of_runs,
]
WEAKER = {proposed: 3.0, smooth: 8.0, trees: 4.0, best_of_runs: 4.0, clipped: 4.0}
"""By how much noise is made less for cards that spend less than they claim; else it is halved."""


def hardest(law, number):
    """Of each card and event so many pairs of neighbours that are told apart best, with the event."""
    alike = {}
    for name, pairs, event in law(1.0):
        alike.setdefault((name, event), []).append(pairs)
    for (_, event), found in alike.items():
        found.sort(key=lambda pairs: sum(one.there.delta(0.0) for one in pairs))
        yield from ((pairs, event) for pairs in found[-number:])


@pytest.mark.slow
@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__)
def test_events_cover_the_law(law):
    for _, pairs, event in law(1.0):
        check(pairs, event, ((1, 0.0), (1, 1e-3)))
    for pairs, event in hardest(law, 2):
        check(pairs, event, SHORT)


@pytest.mark.soak
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__)
def test_events_cover_the_law_of_many_copies(law):
    for pairs, event in hardest(law, 10):
        check(pairs, event, LONG)


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__)
def test_less_noise_is_refuted(law):
    """For each card at least one pair of neighbours shows it."""
    shown = {}
    for name, pairs, event in law(WEAKER.get(law, 2.0)):
        shown[name] = shown.get(name, False) or refuted(pairs, event, ((1, 0.0), (1, 1e-3), (1, 0.02), (2, 1e-6)))
    assert shown
    assert all(shown.values()), shown


def test_a_claim_that_is_a_hair_too_small_is_refuted():
    assert refuted([laplace_pair(1.0, 1)], Pure(0.99))
    assert not refuted([laplace_pair(1.0, 1)], Pure(1.0))


def test_every_private_card_has_its_law():
    private = {name for name, card in methods().items() if isinstance(card, PrivateMethod)}
    own = {name for law in LAWS for name, _, _ in law(1.0)}
    assert own | set(test_events_against_laws.STAGED) == private
