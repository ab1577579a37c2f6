"""Tacit beside OpenDP and diffprivlib: the same data, the same epsilon, the error of each, and what theory says.

diffprivlib needs versions that Tacit's own environment does not have, so it gets one of its own in a temporary folder.
"""

import json
import math
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from bench.section import Section
from tacit.arrays import FloatArray
from tacit.methods.statistics import (
    count,
    histogram,
    k_means,
    linear_regression,
    logistic_regression,
    mean,
    quantiles,
    textbook_k_means,
    variance,
)
from tacit.methods.statistics import sum as sums
from tacit.methods.statistics._clusters import mean_square
from tacit.methods.statistics._logistic.minimum import minimum
from tacit.randomness.stream import RandomBits

PINNED = (
    *("diffprivlib==0.6.6", "scikit-learn==1.7.2", "numpy==2.4.6", "scipy==1.17.1"),
    *("joblib==1.6.0", "threadpoolctl==3.8.0", "cloudpickle==3.1.2"),
)
EPSILON = 0.5
ROWS, PLACES, CLUSTERS = 2_000, 5_000, 4
RUNS, SLOW_RUNS, FITS = 2_000, 300, 51
REGULARISATION = 20.0
TIE = 0.11
"""Three standard errors of the quotient of two: a root mean square of Laplace noise has sqrt(5 / (4 runs)) = 2.5 %."""

LOW, HIGH = 0.0, 100.0
HEADER = ("question", "error", "theory", "Tacit", "OpenDP", "diffprivlib", "least error")
REMARKS = (
    f"{ROWS:,} invented values between 0 and 100, epsilon {EPSILON:g}, delta 0; {RUNS:,} runs each, {SLOW_RUNS} of "
    f"OpenDP's quantiles, {FITS} of each model. Means and variances take the number of rows as public (a row is "
    "replaced), as diffprivlib's do; everything else is for a row added or removed. Root mean square errors are "
    "against the exact answer; a quantile's also in rows between it and the true one. A line is off by the root mean "
    "square of its predictions from those of least squares; a classifier by its mean logarithmic loss beyond that of "
    "the best line, "
    f"first with each library's default penalty, then with one of {REGULARISATION:g}, for which Tacit perturbs the "
    "output (diffprivlib's noise is for a replaced row); k-means by the mean square distance to the nearest of "
    f"{CLUSTERS} centres, less that to the true ones. For models the median is given. All errors within {TIE:.0%} of "
    "the least are marked as least, since the order among them may be chance.",
)


@dataclass(frozen=True)
class World:
    """Invented data: values, pairs of feature and target, yes or no by the feature, places around true centres."""

    values: FloatArray
    rows: FloatArray
    yes: FloatArray
    places: FloatArray
    centres: FloatArray

    @classmethod
    def drawn(cls) -> "World":
        """The same on every run."""
        generator = np.random.default_rng(11)
        feature = generator.uniform(LOW, HIGH, ROWS)
        target = np.clip(20 + 0.6 * feature + generator.normal(0, 8, ROWS), LOW, HIGH)
        yes = (generator.random(ROWS) < 1 / (1 + np.exp(-(feature - 50) / 8))).astype(np.float64)
        centres = np.array([[0.2, 0.2], [0.8, 0.3], [0.3, 0.8], [0.75, 0.75]])
        places = centres[generator.integers(0, CLUSTERS, PLACES)] + generator.normal(0, 0.05, (PLACES, 2))
        values = np.clip(generator.normal(40, 15, ROWS), LOW, HIGH)
        return cls(values, np.column_stack([feature, target]), yes, np.clip(places, 0, 1), centres)


@dataclass(frozen=True)
class Question:
    """What is asked: how an answer's error is measured, what theory says of it, and Tacit's own answers."""

    title: str
    measure: str
    error: Callable[[Sequence[Any]], float]
    answers: Sequence[Any]
    theory: float | None = None


def measure(data: Path) -> Section:
    """A row for each question: the errors side by side, and whose is least."""
    world = World.drawn()
    with TemporaryDirectory(prefix="peers-") as folder:
        theirs = diffprivlib_answers(world, Path(folder))
    opendp = _opendp_answers(world)
    rows = []
    for name, question in {**_simple(world), **_ranked(world), **_models(world)}.items():
        asked = name.split(",")[0]
        errors = {"Tacit": question.error(question.answers)}
        errors |= {
            peer: question.error(found[asked])
            for peer, found in (("OpenDP", opendp), ("diffprivlib", theirs))
            if asked in found
        }
        shown = [f"{errors[peer]:.4g}" if peer in errors else "" for peer in ("Tacit", "OpenDP", "diffprivlib")]
        theory = "" if question.theory is None else f"{question.theory:.4g}"
        least = min(errors.values()) * (1 + TIE)
        rows.append(
            [question.title, question.measure, theory, *shown, ", ".join(p for p in errors if errors[p] <= least)]
        )
    return Section("peers", "Private statistics beside OpenDP and diffprivlib", HEADER, rows, REMARKS)


def diffprivlib_answers(world: World, folder: Path) -> dict[str, list[Any]]:
    """What diffprivlib answers, from an environment that is made in this folder; nothing where that can't be had."""
    subprocess.run([sys.executable, "-m", "venv", folder / "environment"], check=True)
    python = folder / "environment" / "bin" / "python"
    if subprocess.run([python, "-m", "pip", "install", "-q", *PINNED], stderr=subprocess.DEVNULL).returncode:
        print(f"{', '.join(PINNED)} could not be installed; its column stays empty", file=sys.stderr)
        return {}
    numbers = {"epsilon": EPSILON, "runs": RUNS, "fits": FITS, "clusters": CLUSTERS, "regularisation": REGULARISATION}
    arrays: dict[str, Any] = {name: np.array(value) for name, value in {**vars(world), **numbers}.items()}
    np.savez(folder / "world.npz", **arrays)
    script = Path(__file__).with_name("diffprivlib_answers.py")
    done = subprocess.run([python, script, folder / "world.npz"], check=True, capture_output=True, text=True)
    found: dict[str, list[Any]] = json.loads(done.stdout)
    return found


def rms(truth: float | FloatArray) -> Callable[[Sequence[Any]], float]:
    """The root mean square distance of answers from the truth."""
    return lambda answers: math.sqrt(float(np.mean((np.asarray(answers, dtype=np.float64) - truth) ** 2)))


def _asked(ask: Callable[[RandomBits], Any], times: int) -> list[Any]:
    bits = RandomBits.from_os()
    return [ask(bits) for _ in range(times)]


def _simple(world: World) -> dict[str, Question]:
    values, width = world.values, HIGH - LOW
    grain = math.exp(-EPSILON)
    one = math.sqrt(2 * grain) / (1 - grain)
    bounded: dict[str, Any] = {"epsilon": EPSILON, "lower": LOW, "upper": HIGH}
    bins = histogram.Histogram(epsilon=EPSILON, axes=(histogram.Bins(lower=LOW, upper=HIGH, bins=10),))
    spread = width**2 * (ROWS - 1) / ROWS**2 * math.sqrt(2) / EPSILON
    asks: dict[str, tuple[str, Callable[[RandomBits], Any], Any, float]] = {
        "count": ("count", partial(count.count, values > 40, count.Count(epsilon=EPSILON)), (values > 40).sum(), one),
        "sum": (
            "sum",
            partial(sums.noisy_sum, values, sums.Sum(**bounded)),
            values.sum(),
            HIGH * math.sqrt(2) / EPSILON,
        ),
        "mean": (
            "mean",
            partial(mean.mean, values, mean.Mean(neighbours="replace", **bounded)),
            values.mean(),
            width * math.sqrt(2) / EPSILON / ROWS,
        ),
        "variance": (
            "variance",
            partial(variance.variance, values, variance.Variance(neighbours="replace", **bounded)),
            values.var(),
            spread,
        ),
    }
    found = {
        name: Question(title, "rms", rms(float(truth)), [one.value for one in _asked(ask, RUNS)], theory)
        for name, (title, ask, truth, theory) in asks.items()
    }
    cells = np.histogram(values, bins=10, range=(LOW, HIGH))[0].astype(np.float64)
    counted = [one.values for one in _asked(partial(histogram.histogram, [values], bins), RUNS)]
    return {**found, "histogram": Question("histogram, 10 cells", "rms of a cell", rms(cells), counted, one)}


def _ranked(world: World) -> dict[str, Question]:
    """The median and the ninth decile, by value and by rank."""
    found = {}
    for name, share in (("median", 0.5), ("quantile", 0.9)):
        params = quantiles.Quantiles(
            epsilon=EPSILON, lower=LOW, upper=HIGH, quantiles=(share,), resolution=1000, interval_share=0.0
        )
        answers = [one.value for one in _asked(partial(quantiles.quantiles, world.values, params), RUNS)]
        title = f"quantile {share:g}"
        found[name] = Question(title, "rms", rms(float(np.quantile(world.values, share))), answers)
        found[f"{name}, ranks"] = Question(title, "rms in rows", partial(_ranks, world.values, share), answers)
    return found


def _ranks(values: FloatArray, share: float, answers: Sequence[Any]) -> float:
    found = np.searchsorted(np.sort(values), np.asarray(answers, dtype=np.float64))
    return math.sqrt(float(np.mean((found - share * values.size) ** 2)))


def _models(world: World) -> dict[str, Question]:
    line = linear_regression.LinearRegression(epsilon=EPSILON, lower=(LOW, LOW), upper=(HIGH, HIGH))
    fits = _asked(partial(linear_regression.linear_regression, world.rows, line), FITS)
    straight = np.polyfit(world.rows[:, 0], world.rows[:, 1], 1)
    apart = partial(_apart, world.rows[:, 0], straight)
    lines = Question("linear regression", "rms of predictions", apart, [[one.slopes[0], one.intercept] for one in fits])
    low, high = (0.0, 0.0), (1.0, 1.0)
    rounds = textbook_k_means.TextbookKMeans(epsilon=EPSILON, k=CLUSTERS, lower=low, upper=high)
    grid = k_means.KMeans(epsilon=EPSILON, k=CLUSTERS, guess=PLACES, lower=low, upper=high)
    asks = {
        "clusters": ("k-means by rounds", partial(textbook_k_means.textbook_k_means, world.places, rounds)),
        "clusters, grid": ("k-means on a grid", partial(k_means.k_means, world.places, grid)),
    }
    clusters = {
        name: Question(title, "mean square", partial(_beyond, world), [one.centres for one in _asked(ask, FITS)])
        for name, (title, ask) in asks.items()
    }
    return {"line": lines, **_classifiers(world), **clusters}


def _classifiers(world: World) -> dict[str, Question]:
    """Each as it comes, then under one declared regularisation. Weights are those of the feature scaled to [-1, 1].
    Tacit's are for features divided by the root of two, which doubles the penalty; so it is halved."""
    table = np.column_stack([world.rows[:, 0], world.yes])
    signs = np.where(world.yes > 0.5, 1.0, -1.0)
    least = _log_loss(world, minimum(_lines(world), signs, 1e-3))

    def beyond(answers: Sequence[Any]) -> float:
        return float(np.median([_log_loss(world, np.asarray(answer)) - least for answer in answers]))

    def asked(title: str, regularisation: float | None) -> Question:
        params = logistic_regression.LogisticRegression(
            epsilon=EPSILON, lower=(LOW,), upper=(HIGH,), regularisation=regularisation
        )
        fits = _asked(partial(logistic_regression.logistic_regression, table, params), FITS)
        return Question(title, "log loss of a row", beyond, [one.weights / math.sqrt(2) for one in fits])

    declared = f"logistic regression, regularisation {REGULARISATION:g}"
    return {
        "classifier": asked("logistic regression", None),
        "penalised": asked(declared, REGULARISATION / 2),
    }


def _lines(world: World) -> FloatArray:
    return np.column_stack([world.rows[:, 0] / 50 - 1, np.ones(ROWS)])


def _log_loss(world: World, weights: FloatArray) -> float:
    """The mean of -ln of the probability that was given to what happened."""
    told = _lines(world) @ weights * np.where(world.yes > 0.5, -1.0, 1.0)
    return float(np.logaddexp(0.0, told).mean())


def _apart(feature: FloatArray, straight: FloatArray, answers: Sequence[Any]) -> float:
    gaps = [np.polyval(np.asarray(line, dtype=np.float64) - straight, feature) for line in answers]
    return float(np.median([math.sqrt(float(np.mean(gap**2))) for gap in gaps]))


def _beyond(world: World, answers: Sequence[Any]) -> float:
    best = mean_square(world.places, world.centres)
    return float(np.median([mean_square(world.places, np.asarray(centres)) - best for centres in answers]))


def _opendp_answers(world: World) -> Mapping[str, list[Any]]:
    """What OpenDP answers."""
    import opendp.prelude as dp

    dp.enable_features("contrib")
    whole = (dp.vector_domain(dp.atom_domain(T=int)), dp.symmetric_distance())
    real = (dp.vector_domain(dp.atom_domain(bounds=(LOW, HIGH), nan=False)), dp.symmetric_distance())
    sized = (dp.vector_domain(dp.atom_domain(bounds=(LOW, HIGH), nan=False), size=ROWS), dp.symmetric_distance())
    values = world.values.tolist()
    cells = np.minimum(world.values // 10, 9).astype(int).tolist()
    high = world.values[world.values > 40].astype(int).tolist()
    noise = dp.m.then_laplace
    counts = dp.t.make_count_by_categories(*whole, categories=list(range(10)), null_category=False)
    asks: dict[str, tuple[Any, Any, int, list[Any]]] = {
        "count": (dp.t.make_count(*whole), noise, 1, high),
        "sum": (dp.t.make_sum(*real), noise, 1, values),
        "mean": (dp.t.make_mean(*sized), noise, 2, values),
        "histogram": (counts, noise, 1, cells),
    }
    found = {
        name: _repeated(dp.binary_search_chain(partial(_chained, step, then), moves, EPSILON), rows, RUNS)
        for name, (step, then, moves, rows) in asks.items()
    }
    places = np.linspace(LOW, HIGH, 1001).tolist()

    def choose(scale: float) -> Any:
        return dp.m.then_noisy_max(dp.max_divergence(), scale, negate=True)

    any_real = (dp.vector_domain(dp.atom_domain(T=float, nan=False)), dp.symmetric_distance())
    for name, share in (("median", 0.5), ("quantile", 0.9)):
        score = dp.t.make_quantile_score_candidates(*any_real, places, alpha=share)
        chosen = dp.binary_search_chain(partial(_chained, score, choose), 1, EPSILON)
        found[name] = [places[place] for place in _repeated(chosen, values, SLOW_RUNS)]
    return found


def _chained(step: Any, then: Any, scale: float) -> Any:
    return step >> then(scale)


def _repeated(ask: Any, rows: list[Any], times: int) -> list[Any]:
    return [ask(rows) for _ in range(times)]
