"""Population uniques: the parts of each model exactly, on small cases; the whole by simulation."""

from collections import Counter
from fractions import Fraction
from math import comb, exp, lgamma, log, sqrt

import numpy as np
import pytest

from tacit.attacks.tables.population_uniques import (
    expected_alone,
    fit_pitman,
    fit_snb,
    likelihood,
    pitman,
    snb,
    snb_chances,
    unique_if_sample_unique,
    zayatz,
)

ERROR = 1e-9
Z = 6.11
"""The two-sided normal quantile of the error rate."""


def test_zayatz_by_hand() -> None:
    # Sizes 1, 1, 2 at fraction 1/2: h = (2/3, 1/3); seen once 2/3 · 1/2 and 1/3 · 2 · 1/2 · 1/2 = 1/6: chance 2/3.
    assert zayatz(np.array([1, 1, 2]), 0.5) == pytest.approx(2 * 2 / 3)
    assert zayatz(np.array([1, 1, 3]), 1.0) == 2
    assert zayatz(np.array([], dtype=np.int64), 0.5) == 0


def test_a_sample_unique_is_a_population_unique_as_often_as_said() -> None:
    random, shares, fraction = np.random.default_rng(3), np.array([0.4, 0.1, 0.2, 0.3]), 0.3
    population = random.choice([1, 2, 3, 4], size=200_000, p=shares)
    sample = random.binomial(population, fraction)
    once = population[sample == 1]
    share, tolerance = float((once == 1).mean()), sqrt(log(2 / ERROR) / (2 * once.size))
    assert abs(unique_if_sample_unique(shares, fraction) - share) < tolerance
    for wrong in (0.8 * fraction, 1.2 * fraction):
        assert abs(unique_if_sample_unique(shares, wrong) - share) > tolerance


def negative_binomial(x: int, size: float, chance: float) -> float:
    return exp(lgamma(x + size) - lgamma(size) - lgamma(x + 1) + x * log(1 - chance) + size * log(chance))


@pytest.mark.parametrize(("size", "chance", "fraction"), [(0.7, 0.2, 0.1), (2.0, 0.5, 0.3), (1.0, 0.9, 0.5)])
def test_slide_negative_binomial_chances_are_sums_over_sizes(size: float, chance: float, fraction: float) -> None:
    shares = {1 + x: negative_binomial(x, size, chance) for x in range(400)}
    once = sum(p * n * fraction * (1 - fraction) ** (n - 1) for n, p in shares.items())
    seen = sum(p * (1 - (1 - fraction) ** n) for n, p in shares.items())
    mean = sum(p * n for n, p in shares.items())
    assert snb_chances(size, chance, fraction) == pytest.approx((once, seen, mean), rel=1e-9)


def test_slide_negative_binomial_is_found_from_its_expectations() -> None:
    classes, size, chance, fraction = 5000, 0.7, 0.2, 0.1
    once, seen, mean = snb_chances(size, chance, fraction)
    found = fit_snb(classes * once, classes * seen, classes * mean * fraction, fraction)
    assert found == pytest.approx(classes * chance**size, rel=1e-3)


@pytest.mark.slow
def test_slide_negative_binomial_by_simulation() -> None:
    classes, size, chance, fraction = 100_000, 1.5, 0.3, 0.4
    random = np.random.default_rng(5)
    sample = random.binomial(1 + random.negative_binomial(size, chance, classes), fraction)
    parts = np.stack([sample == 1, sample > 0, sample]).astype(float)
    sums = parts.sum(axis=1)

    def estimate(values: np.ndarray, told: float = fraction) -> float:
        found = fit_snb(values[0], values[1], values[2], told)
        assert found is not None
        return found

    # The delta method: the estimate moves with the three sums, whose covariance is that of a class times their number.
    steps = 1e-3 * sums
    slope = np.array([(estimate(sums + e) - estimate(sums - e)) / (2 * e.sum()) for e in np.diag(steps)])
    tolerance = Z * sqrt(float(slope @ (classes * np.cov(parts)) @ slope))
    truth = classes * chance**size
    assert tolerance < 0.2 * truth
    assert abs(estimate(sums) - truth) < tolerance
    assert abs(estimate(sums, told=0.25) - truth) > tolerance


def partitions(people: int, a: float, t: float) -> Counter[tuple[int, ...]]:
    """The sizes of the classes in Pitman's partition with their probabilities, one person after the other."""
    now: dict[tuple[int, ...], float] = {(1,): 1.0}
    for there in range(1, people):
        then: Counter[tuple[int, ...]] = Counter()
        for sizes, chance in now.items():
            then[tuple(sorted((*sizes, 1)))] += chance * (t + a * len(sizes)) / (t + there)
            for i, size in enumerate(sizes):
                grown = tuple(sorted((*sizes[:i], size + 1, *sizes[i + 1 :])))
                then[grown] += chance * (size - a) / (t + there)
        now = dict(then)
    return Counter(now)


@pytest.mark.parametrize(("a", "t"), [(0.5, 2.0), (0.2, 0.1), (0.9, 30.0), (0.5, -0.2)])
def test_pitmans_formula_is_the_partitions_probability(a: float, t: float) -> None:
    for people in range(1, 8):
        exact = partitions(people, a, t)
        alone = sum(chance * sizes.count(1) for sizes, chance in exact.items())
        assert expected_alone(a, t, people) == pytest.approx(alone)
        for sizes, chance in exact.items():
            assert ways(sizes) * exp(likelihood(np.bincount(sizes).astype(float), a, t)) == pytest.approx(chance)


def ways(sizes: tuple[int, ...]) -> int:
    """In how many ways people can be put into classes of these sizes."""
    left, number = sum(sizes), Fraction(1)
    for size in sizes:
        number *= comb(left, size)
        left -= size
    for same in Counter(sizes).values():
        number /= Fraction(int(np.prod(range(1, same + 1))))
    return int(number)


@pytest.mark.slow
def test_pitmans_parameters_are_found() -> None:
    a, t, people = 0.5, 40.0, 8000
    random = np.random.default_rng(11)
    where, sizes = [0], [1]
    for there in range(1, people):
        if random.random() < (t + a * len(sizes)) / (t + there):
            where.append(len(sizes))
            sizes.append(1)
            continue
        # A class of size s is joined with chance (s - a)/…: a random neighbour's class, refused with chance a/s.
        while True:
            class_ = where[random.integers(there)]
            if random.random() >= a / sizes[class_]:
                break
        where.append(class_)
        sizes[class_] += 1
    found = fit_pitman(np.array(sizes))
    counted = np.bincount(sizes).astype(float)

    def at(x: float, y: float) -> float:
        return likelihood(counted, found[0] + x, found[1] + y)

    h = np.array([1e-3, 0.5])
    xx = (at(h[0], 0) - 2 * at(0, 0) + at(-h[0], 0)) / h[0] ** 2
    yy = (at(0, h[1]) - 2 * at(0, 0) + at(0, -h[1])) / h[1] ** 2
    xy = (at(h[0], h[1]) - at(h[0], -h[1]) - at(-h[0], h[1]) + at(-h[0], -h[1])) / (4 * h[0] * h[1])
    tolerance = Z * sqrt(np.linalg.inv(-np.array([[xx, xy], [xy, yy]]))[0, 0])
    assert abs(found[0] - a) < tolerance
    assert abs(found[0] - 0.7) > tolerance


@pytest.mark.slow
@pytest.mark.parametrize("model", [pitman, snb, zayatz])
def test_a_whole_population_has_its_own_uniques(model: object) -> None:
    sizes = np.array([1, 1, 1, 2, 5, 9])
    assert model(sizes, 1.0) == 3  # type: ignore[operator]
    assert model(np.array([2, 3]), 0.1) == 0  # type: ignore[operator]
    assert 0 <= model(sizes, 0.1) <= 3  # type: ignore[operator]
