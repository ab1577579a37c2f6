"""Private statistics: how often 95 % intervals hold, and errors against theory and against OpenDP at equal epsilon."""

import csv
import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from time import perf_counter, process_time
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from bench.section import Section
from tacit.arrays import FloatArray
from tacit.methods.mechanisms import propose_test_release, smooth_sensitivity
from tacit.methods.statistics import (
    adaptive_grid,
    best_candidate,
    best_choice,
    count,
    covariance,
    extremes,
    histogram,
    histogram_mean,
    k_means,
    linear_regression,
    logistic_regression,
    mean,
    mode,
    partition_selection,
    privtree,
    quantiles,
    ranges,
    textbook_k_means,
    truncated_mean,
    uniform_grid,
    variance,
)
from tacit.methods.statistics import sum as sums
from tacit.methods.statistics._clusters import mean_square
from tacit.methods.statistics._estimate import Estimate
from tacit.methods.statistics._logistic.minimum import minimum
from tacit.noise.answer import Interval, NoisyAnswer
from tacit.randomness.stream import RandomBits

RUNS = 20_000
OTHER_RUNS = 10_000
ROWS = 2_000
E = 0.5
LOW, HIGH = 0.0, 100.0
RELATIONS: tuple[Literal["add-remove", "replace"], ...] = ("add-remove", "replace")
HEADER = (
    "statistic",
    "neighbours",
    "95 % intervals that hold",
    "on the hardest rows",
    "error (rms)",
    "by theory",
    "OpenDP's",
    "ms a run",
)
REMARK = (
    f"Ages of the first {ROWS:,} people of Adult, bounds 0 to 100, epsilon {E:g}, {RUNS:,} runs each. The error is "
    "against the exact answer on the clamped rows. Theory: the standard deviation of the noise, to first order where "
    "the statistic is not linear in it. Whole-number noise can't reach exactly 95 %: above epsilon 0.51 a count's "
    f"least interval may hold more than 97 %. OpenDP's errors are from {OTHER_RUNS:,} runs and have a standard error "
    "of 1 %. Order statistics are of the ages spread evenly over their year. Maps and centres of clusters claim no "
    "interval. Intervals of order statistics and of the best score must hold on any rows; the fourth column is their "
    "coverage on the hardest rows known: a median alone between two crowds, all rows at one bound, two candidates 20 "
    "rows apart."
)
FREE = (
    "it must hold where all rows lie at one bound, and no interval made from the same answer can hold on all rows and "
    "less often on these (see the method's page)"
)
SMOOTH = "on smooth rows several borders lie near the median and the tests at all of them must miss, on the hardest two"


@dataclass(frozen=True)
class Hard:
    """The same question about rows on which its interval holds least."""

    ask: Callable[[RandomBits], Any]
    truth: float


@dataclass(frozen=True)
class Case:
    """A statistic, the exact answer to it, the standard deviation that theory gives for its noise, and why its interval
    holds more often than it says, where it does."""

    title: str
    neighbours: str
    ask: Callable[[RandomBits], Any]
    truth: float | FloatArray
    theory: float | None = None
    other: float | None = None
    reason: str = ""
    hard: Hard | None = None


@dataclass(frozen=True)
class Asked:
    """A published number with its interval, where an answer has several."""

    value: float
    ends: Interval

    def interval(self, level: float) -> Interval:
        """The interval, which was asked for 95 %."""
        return self.ends


def measure(data: Path) -> Section | None:
    """Every statistic that claims an interval, then the median, maps and clusters side by side, a million cells."""
    path = data / "tables" / "adult" / "adult.csv"
    if not path.exists():
        return None
    with path.open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file, delimiter=";"))[:ROWS]
    ages = np.array([float(row["age"]) for row in rows])
    cases = [*_counts(ages), *_means(ages), *_spreads(ages), *_models(ages), *_orders(ages), *_selections(ages)]
    reasons = {case.reason: "" for case in cases if case.reason}
    starred = [f"* {reason}: {', '.join(c.title for c in cases if c.reason == reason)}." for reason in reasons]
    remarks = (REMARK, "", *starred, "", _median(ages), "", _choices(ages), "", _maps(), "", _clusters(), "", _cells())
    return Section(
        "statistics", "Private statistics: intervals and errors", HEADER, [_row(case) for case in cases], remarks
    )


def _row(case: Case) -> list[str]:
    begin = perf_counter()
    found = _asked(case)
    took = (perf_counter() - begin) / RUNS * 1000
    assert 0.94 <= found.holds <= (1.0 if case.reason else 0.97), (case.title, found.holds)
    numbers = [f"{value:.4g}" if value is not None else "" for value in (case.theory, case.other)]
    held = f"{found.holds:.2%}{' *' if case.reason else ''}"
    return [case.title, case.neighbours, held, _hardest(case), f"{found.error:.4g}", *numbers, f"{took:.2f}"]


def _hardest(case: Case) -> str:
    if case.hard is None:
        return ""
    found = _asked(case.hard)
    assert 0.94 <= found.holds <= 0.97, (case.title, "hardest", found.holds)
    return f"{found.holds:.2%}"


@dataclass(frozen=True)
class _Found:
    """How often intervals held, and the root of the mean square error."""

    holds: float
    error: float


def _asked(case: Case | Hard) -> _Found:
    bits, inside, square = RandomBits.from_os(), [], []
    for _ in range(RUNS):
        answer = case.ask(bits)
        ends = answer.interval(0.95)
        inside.append(np.mean((ends.lower <= case.truth) & (case.truth <= ends.upper)))
        square.append(np.mean((_values(answer) - case.truth) ** 2))
    return _Found(float(np.mean(inside)), math.sqrt(float(np.mean(square))))


def _values(answer: Any) -> Any:
    match answer:
        case Estimate():
            return answer.centre
        case histogram.HistogramAnswer():
            return answer.noisy.values
        case logistic_regression.Classifier():
            return answer.weights
        case linear_regression.FittedLine():
            return answer.coefficients
        case covariance.CovarianceAnswer():
            return answer.values
    return answer.value


def _counts(ages: FloatArray) -> list[Case]:
    grain = math.exp(-E)
    one = math.sqrt(2 * grain) / (1 - grain)
    old = ages > 40
    how_many = partial(count.count, old, count.Count(epsilon=E))
    added = partial(sums.noisy_sum, ages, sums.Sum(epsilon=E, lower=LOW, upper=HIGH))
    params = histogram.Histogram(epsilon=E, axes=(histogram.Bins(lower=LOW, upper=HIGH, bins=10),))
    cells = np.bincount(np.minimum(ages // 10, 9).astype(int), minlength=10).astype(np.float64)
    return [
        Case("count", "add-remove", how_many, float(old.sum()), one, _opendp_count(int(old.sum()))),
        Case("sum", "add-remove", added, float(ages.sum()), HIGH * 2**0.5 / E, _opendp_sum(ages)),
        Case("histogram, 10 cells", "add-remove", partial(histogram.histogram, [ages], params), cells, one),
    ]


def _means(ages: FloatArray) -> list[Case]:
    truth, cases = float(ages.mean()), []
    for relation in RELATIONS:
        params = mean.Mean(epsilon=E, neighbours=relation, lower=LOW, upper=HIGH)
        theory = mean.standard_error(params, ages.size, truth / HIGH)
        other = _opendp_mean(ages) if relation == "replace" else None
        cases.append(Case("mean", relation, partial(mean.mean, ages, params), truth, theory, other))
    least = truncated_mean.TruncatedMean(epsilon=E, least_rows=ROWS, lower=LOW, upper=HIGH)
    ask = partial(truncated_mean.truncated_mean, ages, least)
    cases.append(Case("truncated mean", "add-remove", ask, truth, HIGH * 2**0.5 / E / ROWS))
    binned = histogram_mean.HistogramMean(epsilon=E, bins=10, lower=LOW, upper=HIGH)
    middles = np.minimum(ages // 10, 9) * 10 + 5
    from_cells = partial(histogram_mean.histogram_mean, ages, binned)
    cases.append(_estimated("mean of 10 cells", "add-remove", from_cells, float(middles.mean())))
    return cases


def _spreads(ages: FloatArray) -> list[Case]:
    cases = []
    for relation in RELATIONS:
        params = variance.Variance(epsilon=E, neighbours=relation, lower=LOW, upper=HIGH)
        cases.append(_estimated("variance", relation, partial(variance.variance, ages, params), float(ages.var())))
        tree = ranges.Ranges(epsilon=E, neighbours=relation, lower=LOW, upper=HIGH, bins=100, branching=10)
        truth = float(((ages >= 25) & (ages < 65)).sum())
        cases.append(_estimated("range of 40 in 100 bins", relation, partial(_range, ages, tree), truth))
    return cases


def _range(ages: FloatArray, params: ranges.Ranges, bits: RandomBits) -> Estimate:
    return ranges.ranges(ages, params, bits).between(25, 65)


def _estimated(title: str, neighbours: str, ask: Callable[[RandomBits], Estimate], truth: float) -> Case:
    """A case whose theory is in its own answers: the scales of the Laplace noises that reach it."""
    scales = [ask(RandomBits.from_seed(seed)).scales for seed in range(20)]
    theory = float(np.mean([math.sqrt(2 * sum(scale**2 for scale in found)) for found in scales]))
    return Case(title, neighbours, ask, truth, theory)


def _models(ages: FloatArray) -> list[Case]:
    table = np.column_stack([ages, HIGH - ages[::-1]])
    cases = []
    for delta in (0.0, 1e-6):
        params = covariance.Covariance(epsilon=E, delta=delta, lower=(LOW, LOW), upper=(HIGH, HIGH))
        ask = partial(covariance.covariance, table, params)
        cases.append(Case(f"covariance, delta {delta:g}", "add-remove", ask, np.cov(table.T, bias=True)))
    rows = np.column_stack([ages[:500], ages[:500] > 40])
    model = logistic_regression.LogisticRegression(epsilon=E, lower=(LOW,), upper=(HIGH,), regularisation=20.0)
    signs = np.where(rows[:, 1] > 0.5, 1.0, -1.0)
    truth = minimum(logistic_regression.scaled(rows[:, :1], model.box), signs, 20.0)
    fitted = partial(logistic_regression.logistic_regression, rows, model)
    declared = Case("logistic regression, regularisation 20", "add-remove", fitted, truth, 2 / 20 / E)
    return [*cases, *_lines(ages), declared, _by_rounds(ages)]


def _by_rounds(ages: FloatArray) -> Case:
    """Yes or no by chance, the more likely the older; the penalty that suits the noise hardly differs between runs."""
    yes = np.random.default_rng(10).random(ages.size) < 1 / (1 + np.exp(-(ages - 40) / 8))
    model = logistic_regression.LogisticRegression(epsilon=5.0, lower=(LOW,), upper=(HIGH,))
    ask = partial(logistic_regression.logistic_regression, np.column_stack([ages, yes]), model)
    penalty = ask(RandomBits.from_seed(1)).regularisation
    signs = np.where(yes, 1.0, -1.0)
    truth = minimum(logistic_regression.scaled(ages[:, None], model.box), signs, penalty)
    return Case("logistic regression, epsilon 5", "add-remove", ask, truth)


def _lines(ages: FloatArray) -> list[Case]:
    """A line through ages and ages of others, shuffled and mixed."""
    mixed = 0.5 * ages + 0.3 * np.random.default_rng(8).permutation(ages)
    rows = np.column_stack([ages, mixed])
    whole = np.column_stack([ages, np.ones(ages.size)])
    truth = np.linalg.lstsq(whole, mixed, rcond=None)[0].astype(np.float64)
    cases = []
    for delta in (0.0, 1e-6):
        params = linear_regression.LinearRegression(epsilon=2.0, delta=delta, lower=(LOW, LOW), upper=(HIGH, HIGH))
        ask = partial(linear_regression.linear_regression, rows, params)
        cases.append(Case(f"linear regression, epsilon 2, delta {delta:g}", "add-remove", ask, truth))
    return cases


def _spread(ages: FloatArray) -> FloatArray:
    """The ages spread evenly over their year, the same on every run."""
    spread: FloatArray = np.clip(ages + np.random.default_rng(9).uniform(0, 1, ages.size), LOW, HIGH)
    return spread


def _orders(ages: FloatArray) -> list[Case]:
    rows, bounds = _spread(ages), {"epsilon": E, "lower": LOW, "upper": HIGH}
    truth, middle = float(np.median(rows)), float(np.sort(rows)[rows.size // 2 - 1])
    asked, tree = quantiles.Quantiles(**bounds, interval_share=0.5), ranges.Ranges(**bounds, bins=1000, branching=32)
    crowds = np.repeat([49.95, 50.05, 50.15], [ROWS // 2, 1, ROWS // 2])
    points = np.repeat([49.875, 49.9375, 50.0625], [ROWS // 2, 1, ROWS // 2])
    alone = quantiles.Quantiles(**bounds, resolution=800, interval_share=0.5)
    lone = Hard(partial(quantiles.quantiles, points, alone), 49.9375)
    binned, between = partial(_tree_median, rows, tree), Hard(partial(_tree_median, crowds, tree), 50.05)
    smooth = smooth_sensitivity.SmoothSensitivity(**{**bounds, "epsilon": 2.0}, delta=1e-6, reach=100)
    bound = propose_test_release.ProposeTestRelease(**bounds, delta=1e-3, bound=2.0, reach=100)
    noise, smoothly = 2 * 2**0.5 * bound.bound / E, partial(smooth_sensitivity.smooth_order_statistic, rows, smooth)
    return [
        Case("median", "add-remove", partial(quantiles.quantiles, rows, asked), truth, hard=lone),
        Case("median from 1,000 bins", "add-remove", binned, truth, reason=SMOOTH, hard=between),
        *_extremes(rows, bounds),
        Case("median, smooth, epsilon 2", "replace", smoothly, middle),
        Case("median, proposed bound", "replace", partial(_tested, rows, bound), middle, noise),
    ]


def _extremes(rows: FloatArray, bounds: dict[str, float]) -> list[Case]:
    cases = []
    for which, truth, end in (("maximum", float(rows.max()), LOW), ("minimum", float(rows.min()), HIGH)):
        params = extremes.Extremes(**bounds, resolution=100, which=which)
        alike = Hard(partial(extremes.extremes, np.full(rows.size, end), params), end)
        ask = partial(extremes.extremes, rows, params)
        cases.append(Case(which, "add-remove", ask, truth, reason=FREE, hard=alike))
    return cases


def _tree_median(rows: FloatArray, params: ranges.Ranges, bits: RandomBits) -> Asked:
    answer = ranges.ranges(rows, params, bits)
    return Asked(answer.quantile(0.5), answer.quantile_interval(0.5))


def _tested(rows: FloatArray, params: propose_test_release.ProposeTestRelease, bits: RandomBits) -> NoisyAnswer:
    """An answer that passed its test; the noise of the answer does not depend on that of the test."""
    while True:
        answer = propose_test_release.propose_test_release(rows, params, bits)
        if isinstance(answer, NoisyAnswer):
            return answer


def _selections(ages: FloatArray) -> list[Case]:
    decades = np.minimum(ages // 10, 9).astype(int).astype(str)
    keys = partition_selection.PartitionSelection(epsilon=E, delta=1e-6)
    log = [np.arange(ages.size), decades]
    far, near = (partial(_scored, np.arange(ages.size)[:, None] < sums) for sums in ((ages.size, 0), (1020, 1000)))
    grain, thirties = math.exp(-E), float((decades == "3").sum())
    deviation = math.sqrt(2 * grain) / (1 - grain)
    return [
        Case("people with a found key", "add-remove", partial(_found, log, keys), thirties, deviation),
        Case("score of the best of runs", "add-remove", far, 0.0, hard=Hard(near, 0.0)),
    ]


def _found(log: list[Any], params: partition_selection.PartitionSelection, bits: RandomBits) -> Asked:
    answer = partition_selection.partition_selection(log, params, bits)
    place, ends = answer.keys.index("3"), answer.counts.interval()
    return Asked(float(answer.counts.values[place]), Interval(ends.lower[[place]], ends.upper[[place]]))


def _scored(rows: NDArray[np.bool_], bits: RandomBits) -> Asked:
    """What the score of the chosen one of two candidates is off by."""
    params = best_candidate.BestCandidate(epsilon=E, lower=0, upper=1, candidates=("0", "1"))
    answer = best_candidate.best_candidate(rows.astype(np.float64), params, bits)
    truth, ends = float(rows[:, int(answer.name or 0)].sum()), answer.interval(0.95)
    return Asked(answer.score - truth, Interval(ends.lower - truth, ends.upper - truth))


def _choices(ages: FloatArray) -> str:
    """How often a choice loses no more than it says for 95 %, where one is best and all others lie just further behind;
    and the two ways to choose a model beside each other."""
    bits, names = RandomBits.from_os(), tuple(map(str, range(10)))
    plain = mode.Mode(epsilon=E, categories=names)
    behind = np.full(10, 1000 - int(mode.error(plain)) - 1)
    behind[3] = 1000
    kept = np.mean([mode.from_counts(behind, plain, bits).index == 3 for _ in range(4000)])
    models = best_choice.BestChoice(epsilon=E, lower=0, upper=1, candidates=names)
    runs = best_candidate.BestCandidate(**models.model_dump(), runs=200)
    rows = (ages[:, None] > np.arange(10, 60, 5)).astype(np.float64)
    sums = rows.sum(axis=0)
    asks = (partial(best_choice.best_choice, rows, models), partial(best_candidate.best_candidate, rows, runs))
    lost = [np.mean([sums.max() - sums[int(ask(bits).name or 0)] for _ in range(300)]) for ask in asks]
    return (
        f"Mode of ten categories, one best and all others just further behind than the error at 95 %: {kept:.1%} of "
        f"4,000 choices are right. The best of ten models at epsilon {E:g}: the choice loses {lost[0]:.2f} rows in the "
        f"mean (said for 95 %: {best_choice.error(models):.0f}), the best of 200 expected private runs {lost[1]:.2f} "
        f"(said: {best_candidate.error(runs):.0f}) and tells its score too."
    )


def _opendp_count(truth: int) -> float:
    import opendp.prelude as dp

    dp.enable_features("contrib")
    noisy = dp.m.make_laplace(dp.atom_domain(T=int), dp.absolute_distance(T=int), 1 / E)
    return float(np.std([noisy(truth) for _ in range(OTHER_RUNS)]))


def _opendp_sum(ages: FloatArray) -> float:
    import opendp.prelude as dp

    total = dp.t.make_sum(dp.vector_domain(dp.atom_domain(bounds=(int(LOW), int(HIGH)))), dp.symmetric_distance())
    noisy = dp.binary_search_chain(lambda scale: total >> dp.m.then_laplace(scale), 1, E)
    rows = ages.astype(int).tolist()
    return float(np.std([noisy(rows) for _ in range(OTHER_RUNS)]))


def _opendp_mean(ages: FloatArray) -> float:
    import opendp.prelude as dp

    space = dp.vector_domain(dp.atom_domain(bounds=(LOW, HIGH), nan=False), size=ages.size)
    middle = dp.t.make_mean(space, dp.symmetric_distance())
    noisy = dp.binary_search_chain(lambda scale: middle >> dp.m.then_laplace(scale), 2, E)
    rows = ages.tolist()
    return float(np.std([noisy(rows) for _ in range(OTHER_RUNS)]))


def _median(ages: FloatArray) -> str:
    params = quantiles.Quantiles(epsilon=E, resolution=100, lower=LOW, upper=HIGH)
    bits, ordered = RandomBits.from_os(), np.sort(ages)
    found = np.array([quantiles.quantiles(ages, params, bits).value for _ in range(2000)])
    below, upto = np.searchsorted(ordered, found, side="left"), np.searchsorted(ordered, found, side="right")
    off = np.maximum(np.maximum(below - ages.size / 2, ages.size / 2 - upto), 0)
    few, scarce = ages[:1000], quantiles.Quantiles(epsilon=0.1, resolution=73, lower=17, upper=90)
    years = np.array([quantiles.quantiles(few, scarce, bits).value for _ in range(2000)]) - np.median(few)
    return (
        f"Median: {np.quantile(off, 0.95):.0f} ranks off at most in 95 % of 2,000 runs; the bound says "
        f"{quantiles.error(params):.0f}. Of 1,000 ages in whole years, at epsilon 0.1, the root mean square error is "
        f"{np.sqrt((years**2).mean()):.2f} years."
    )


@dataclass(frozen=True)
class Towns:
    """Invented places around twelve towns of the unit square."""

    middles: FloatArray
    rows: FloatArray

    @classmethod
    def drawn(cls) -> "Towns":
        """The same on every run."""
        generator = np.random.default_rng(5)
        middles = generator.uniform(0.1, 0.9, (12, 2))
        rows = middles[generator.integers(0, 12, 50_000)] + generator.normal(0, 0.02, (50_000, 2))
        return cls(middles, np.clip(rows, 0, 1))


def _maps() -> str:
    """The mean relative error of 300 random squares, for each way to draw a map."""
    rows, low, high, guess = Towns.drawn().rows, (0.0, 0.0), (1.0, 1.0), 50_000
    corners = np.random.default_rng(6).uniform(0, 0.85, (300, 2))
    truth = np.array([((rows >= corner) & (rows < corner + 0.15)).all(axis=1).sum() for corner in corners])
    equal = uniform_grid.UniformGrid(epsilon=E, lower=low, upper=high, guess=guess)
    adapted = adaptive_grid.AdaptiveGrid(epsilon=E, lower=low, upper=high, guess=guess)
    tree = privtree.PrivTree(epsilon=E, lower=low, upper=high)
    bits, parts = RandomBits.from_os(), []
    for name, drawn in (
        ("uniform grid", uniform_grid.uniform_grid(rows, equal, bits)),
        ("adaptive grid", adaptive_grid.adaptive_grid(rows, adapted, bits)),
        ("PrivTree", privtree.privtree(rows, tree, bits)),
    ):
        found = np.array([drawn.count_in((x, y), (x + 0.15, y + 0.15)) for x, y in corners])
        error = np.mean(np.abs(found - truth) / np.maximum(truth, 50))
        parts.append(f"{name} {error:.1%} ({len(drawn.counts):,} cells)")
    return f"Maps of 50,000 places in twelve towns, mean relative error of 300 squares: {', '.join(parts)}."


def _clusters() -> str:
    towns, bits = Towns.drawn(), RandomBits.from_os()
    rounds = textbook_k_means.TextbookKMeans(epsilon=E, k=12, lower=(0.0, 0.0), upper=(1.0, 1.0))
    grid = k_means.KMeans(epsilon=E, k=12, guess=50_000, lower=(0.0, 0.0), upper=(1.0, 1.0))
    asks = (partial(textbook_k_means.textbook_k_means, towns.rows, rounds), partial(k_means.k_means, towns.rows, grid))
    found = [np.median([mean_square(towns.rows, ask(bits).centres) for _ in range(9)]) for ask in asks]
    best = mean_square(towns.rows, towns.middles)
    return (
        f"k-means of the same places, 12 clusters, mean square distance to the centre (median of nine): by rounds "
        f"{found[0]:.5f}, on a grid {found[1]:.5f}, to the towns themselves {best:.5f}."
    )


def _cells() -> str:
    params = histogram.Histogram(epsilon=E, axes=(histogram.Bins(lower=0, upper=1, bins=1_000_000),))
    rows = np.random.default_rng(7).uniform(0, 1, 1_000_000)
    begin, before = perf_counter(), process_time()
    histogram.histogram([rows], params, RandomBits.from_os())
    wall, used = perf_counter() - begin, process_time() - before
    assert wall < 2
    return f"A histogram of 1,000,000 cells from 1,000,000 rows: {wall:.2f} s ({used:.2f} CPU s)."
