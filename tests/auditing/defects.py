"""Planted defects in functions and mechanisms, each with what is wrong; and sound functions.

Those of the cards, which are broken from beneath, are in `twins.py`.
"""

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np

from tacit.accounting.gaussian import gaussian_sigma
from tacit.auditing.cards import subject_of_method
from tacit.auditing.functions import subject_of_function
from tacit.auditing.subject import Subject, claimed
from tacit.catalogue import find_method
from tacit.methods.mechanisms._robust import Limits, order_statistic
from tacit.noise.grid import Grid
from tacit.randomness.gaussian import discrete_gaussian
from tacit.randomness.geometric import discrete_laplace, geometric
from tacit.randomness.selection import exponential_choice
from tacit.randomness.stream import RandomBits
from tacit.randomness.uniform import uniform_integers
from tacit.sensitivity.exploration import World
from tacit.sensitivity.pair import Pair

BITS = World((0, 1), most=3)
LETTERS = World(("a", "b"), most=3)
ONE = Fraction(1)
EXPONENTIAL = find_method("mechanisms/exponential")
SPARSE = find_method("mechanisms/sparse-vector")
SMOOTH = find_method("mechanisms/smooth-sensitivity")


def card(name: str, run: Callable[..., Any] | None = None, inputs: Any = None, **changes: Any) -> Subject:
    """The card with another `run`; its claim stays that of the card."""
    method = find_method(name)
    params = method.params.parse(name, {**method.example.model_dump(), **changes})
    if run is None:
        return subject_of_method(method, params, name)
    events: dict[int, Any] = {}

    def broken(given: Any, params: Any, bits: RandomBits) -> Any:
        size = np.size(given)
        if size not in events:
            events[size] = method.run(given, params, RandomBits.from_seed(0)).event
        return replace(run(given, params, bits), event=events[size])

    neighbours = method.neighbours if inputs is None else (lambda _: [Pair(*sides) for sides in inputs])
    return subject_of_method(replace(method, run=broken, neighbours=neighbours), params, name)


def scaled(name: str, factor: float, **changes: Any) -> Subject:
    """The card with the noise of `factor` times its epsilon."""
    method = find_method(name)

    def run(given: Any, params: Any, bits: RandomBits) -> Any:
        return method.run(given, params.model_copy(update={"epsilon": params.epsilon * factor}), bits)

    return card(name, run, **changes)


def function(run: Callable[..., Any], world: World = BITS, epsilon: float = 1.0, delta: float = 0.0) -> Subject:
    return subject_of_function(run, world, claimed(epsilon, delta))


def noise(rate: Fraction, size: int, bits: RandomBits) -> Any:
    return discrete_laplace(rate, size, bits)


def float_laplace(size: int, bits: RandomBits) -> Any:
    """The textbook sampler in floats: minus sign times ln(1 - 2 |u|) of a uniform float."""
    u = (bits.words(size) >> np.uint64(11)).astype(np.float64) * 2.0**-53 - 0.5
    return -np.sign(u) * np.log1p(-2 * np.abs(u) + 2.0**-60)


def count(rows: Any, bits: RandomBits, size: int) -> Any:
    return len(rows) + noise(ONE, size, bits)


def clamped_sum(rows: Any, bits: RandomBits, size: int) -> Any:
    return sum(min(row, 1) for row in rows) + noise(ONE, size, bits)


def two_counts(rows: Any, bits: RandomBits, size: int) -> Any:
    exact = np.array([rows.count(0), rows.count(1)])
    return exact + noise(ONE, 2 * size, bits).reshape(size, 2)


SOUND: dict[str, Callable[[], Subject]] = {
    "a noisy count": lambda: function(count),
    "a sum of clamped rows": lambda: function(clamped_sum, World((0, 1, 9), 2)),
    "a histogram": lambda: function(two_counts),
}


def unclamped_sum(rows: Any, bits: RandomBits, size: int) -> Any:
    return sum(rows) + noise(ONE, size, bits)


def sum_clamped_too_late(rows: Any, bits: RandomBits, size: int) -> Any:
    return min(sum(rows), 10) + noise(ONE, size, bits)


def mean_within_its_own_bounds(rows: Any, bits: RandomBits) -> Any:
    if not rows:
        return 0.0
    width = max(rows) - min(rows)
    mean = Fraction(sum(rows), len(rows))
    steps = round(mean * 1024)
    return steps / 1024 + (float(noise(ONE * len(rows) / (width * 1024), 1, bits)[0]) / 1024 if width else 0)


def same_noise_twice(rows: Any, bits: RandomBits, size: int) -> Any:
    exact = np.array([rows.count(0), rows.count(1)])
    return exact + noise(ONE, size, bits)[:, None]


def float_noise(rows: Any, bits: RandomBits, size: int) -> Any:
    return len(rows) + float_laplace(size, bits)


def rounded_towards_zero(rows: Any, bits: RandomBits, size: int) -> Any:
    return len(rows) + np.trunc(float_laplace(size, bits))


def two_answers_for_one(rows: Any, bits: RandomBits, size: int) -> Any:
    return len(rows) + noise(ONE, 2 * size, bits).reshape(size, 2)


def mean_of_ten_answers(rows: Any, bits: RandomBits, size: int) -> Any:
    return len(rows) + noise(ONE, 10 * size, bits).reshape(size, 10).mean(axis=1)


def overlapping_bins(rows: Any, bits: RandomBits, size: int) -> Any:
    exact = np.array([len(rows), rows.count(1)])
    return exact + noise(ONE, 2 * size, bits).reshape(size, 2)


def fixed_seed(rows: Any, bits: RandomBits) -> Any:
    return len(rows) + int(noise(ONE, 1, RandomBits.from_seed("always the same"))[0])


def seeded_by_data(rows: Any, bits: RandomBits) -> Any:
    return len(rows) + int(noise(ONE, 1, RandomBits.from_seed(str(rows)))[0])


def only_groups_that_exist(rows: Any, bits: RandomBits) -> Any:
    return {row: rows.count(row) + int(noise(ONE, 1, bits)[0]) for row in set(rows)}


def small_counts_hidden(rows: Any, bits: RandomBits) -> Any:
    return None if len(rows) < 2 else len(rows) + int(noise(ONE, 1, bits)[0])


def one_sided(rows: Any, bits: RandomBits, size: int) -> Any:
    return len(rows) + geometric(ONE, size, bits)


def flat_noise(rows: Any, bits: RandomBits, size: int) -> Any:
    return len(rows) + uniform_integers(7, size, bits) - 3


def somebody(rows: Any, bits: RandomBits) -> Any:
    return rows[int(uniform_integers(len(rows), 1, bits)[0])] if rows else None


def error_on_nothing(rows: Any, bits: RandomBits) -> Any:
    return round(sum(rows) / len(rows)) + int(noise(ONE, 1, bits)[0])


def scale_upside_down(rows: Any, bits: RandomBits, size: int) -> Any:
    return 2 * len(rows) + noise(Fraction(2), size, bits)


def gaussian_without_delta(rows: Any, bits: RandomBits, size: int) -> Any:
    sigma = Fraction(gaussian_sigma(1.0, 0.01))
    return len(rows) + discrete_gaussian(sigma**2, size, bits)


def twice(rows: Any, bits: RandomBits, size: int) -> Any:
    return np.stack([len(rows) + noise(ONE, size, bits), np.full(size, len(rows) // 2)], axis=1)


def redrawn_into_range(rows: Any, bits: RandomBits, size: int) -> Any:
    kept = np.empty(0, dtype=np.int64)
    while kept.size < size:
        drawn = len(rows) + noise(ONE, size, bits)
        kept = np.concatenate([kept, drawn[(drawn >= 0) & (drawn <= 3)]])
    return kept[:size]


def full_weight_choice(scores: Any, params: Any, bits: RandomBits) -> Any:
    """e**(epsilon u / s) although scores move in both directions."""
    steps = np.asarray(scores * 1024).astype(np.int64)
    chosen = exponential_choice(steps.max() - steps, Fraction(params.epsilon) / 1024, 1, bits)
    return replace(EXPONENTIAL.run(scores, params, bits), chosen=chosen)


def quiet_answers(answers: Any, params: Any, bits: RandomBits) -> Any:
    """Noise on the threshold only."""
    bar = params.threshold + float(noise(ONE, 1, bits)[0])
    return replace(SPARSE.run(answers, params, bits), above=np.flatnonzero(answers >= bar)[:1], asked=0)


def exact_values(answers: Any, params: Any, bits: RandomBits) -> Any:
    """The answers found above are published as they are."""
    found = SPARSE.run(answers, params, bits)
    return replace(found, values=np.asarray(answers)[found.above])


def untested_release(data: Any, params: Any, bits: RandomBits) -> Any:
    """The bound is proposed, not tested."""
    from tacit.methods.mechanisms.laplace import LaplaceMechanism, laplace

    grid = Grid(-10)
    median = order_statistic(data, params.quantile, Limits.of(params.lower, params.upper, grid), 1).value / 1024
    return laplace(median, LaplaceMechanism(epsilon=params.epsilon / 2, sensitivity=params.bound), bits)


def local_noise(data: Any, params: Any, bits: RandomBits) -> Any:
    """Noise to the local sensitivity instead of the smooth one."""
    grid = Grid(-10)
    robust = order_statistic(data, params.quantile, Limits.of(params.lower, params.upper, grid), 1)
    spread = Fraction(max(int(robust.local[0]), 1))
    value = robust.value + int(noise(Fraction(params.epsilon) / (2 * spread), 1, bits)[0])
    return replace(SMOOTH.run(data, params, bits), value=value / 1024)


_MIDDLE = np.array([0.0] * 4 + [50.0] * 3 + [100.0] * 4)
_MOVED = np.array([0.0] * 5 + [50.0] * 2 + [100.0] * 4)

DEFECTS: dict[str, Callable[[], Subject]] = {
    "2 % too little noise": lambda: scaled("mechanisms/laplace", 1.02),
    "noise for half the sensitivity": lambda: function(lambda rows, bits, size: 2 * len(rows) + noise(ONE, size, bits)),
    "scale upside down": lambda: function(scale_upside_down, epsilon=0.5),
    "no noise": lambda: function(lambda rows, bits: len(rows) + 10, LETTERS),
    "unclamped rows": lambda: function(unclamped_sum, World((0, 1, 9), 2)),
    "clamped too late": lambda: function(sum_clamped_too_late, World((0, 1, 9), 2)),
    "bounds from data": lambda: function(mean_within_its_own_bounds, World((0, 50, 100), 2)),
    "same noise twice": lambda: function(same_noise_twice),
    "float noise": lambda: function(float_noise),
    "rounded towards zero": lambda: function(rounded_towards_zero),
    "two answers for the price of one": lambda: function(two_answers_for_one),
    "mean of ten answers": lambda: function(mean_of_ten_answers),
    "overlapping bins counted once": lambda: function(overlapping_bins),
    "fixed seed": lambda: function(fixed_seed),
    "seed from data": lambda: function(seeded_by_data),
    "only groups that exist": lambda: function(only_groups_that_exist, LETTERS),
    "small counts hidden": lambda: function(small_counts_hidden),
    "one-sided noise": lambda: function(one_sided),
    "flat noise": lambda: function(flat_noise),
    "a random row": lambda: function(somebody, LETTERS),
    "an error on no rows": lambda: function(error_on_nothing),
    "delta ignored": lambda: function(gaussian_without_delta),
    "an exact number beside a noisy one": lambda: function(twice),
    "redrawn into range": lambda: function(redrawn_into_range),
    "full weight choice": lambda: card("mechanisms/exponential", full_weight_choice, epsilon=1.0),
    "sparse vector without noise on answers": lambda: card("mechanisms/sparse-vector", quiet_answers),
    "sparse vector with exact values": lambda: card("mechanisms/sparse-vector", exact_values),
    "propose and release without test": lambda: card("mechanisms/propose-test-release", untested_release),
    "noise to local sensitivity": lambda: card(
        "mechanisms/smooth-sensitivity", local_noise, inputs=[(_MIDDLE, _MOVED)]
    ),
}
FEW_DRAWS = 1000
DRAWS = {
    "2 % too little noise": 1_000_000,
    "noise to local sensitivity": FEW_DRAWS,
    "propose and release without test": FEW_DRAWS,
    "sparse vector without noise on answers": FEW_DRAWS,
    "sparse vector with exact values": FEW_DRAWS,
    "overlapping bins counted once": FEW_DRAWS,
    "full weight choice": 1500,
    "mean of ten answers": FEW_DRAWS,
    "two answers for the price of one": FEW_DRAWS,
}
"""Runs on each neighbour: more where the usual number is too small, few where the defect gives nearly all away."""
