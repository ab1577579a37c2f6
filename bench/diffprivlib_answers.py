"""diffprivlib's answers to the questions of `bench.peers`; runs in an environment of its own, without Tacit.

`python diffprivlib_answers.py WORLD.npz`: prints, as JSON, for each question the answers of all runs. diffprivlib warns
where bounds are missing; here all are given, so what is left of its warnings is about scikit-learn.
"""

import json
import sys
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
from diffprivlib import models, tools  # type: ignore[import-not-found]


def main(path: str) -> None:
    """Asks every question as often as the world says."""
    warnings.simplefilter("ignore")
    world = dict(np.load(path))
    bounds = (0.0, 100.0)
    values, epsilon, runs, fits = world["values"], float(world["epsilon"]), int(world["runs"]), int(world["fits"])
    simple: dict[str, Callable[[], Any]] = {
        "count": lambda: tools.count_nonzero(values > 40, epsilon=epsilon),
        "sum": lambda: tools.sum(values, epsilon=epsilon, bounds=bounds),
        "mean": lambda: tools.mean(values, epsilon=epsilon, bounds=bounds),
        "variance": lambda: tools.var(values, epsilon=epsilon, bounds=bounds),
        "median": lambda: tools.median(values, epsilon=epsilon, bounds=bounds),
        "quantile": lambda: tools.quantile(values, 0.9, epsilon=epsilon, bounds=bounds),
        "histogram": lambda: tools.histogram(values, epsilon=epsilon, bins=10, range=bounds)[0].tolist(),
    }
    found = {name: [ask() for _ in range(runs)] for name, ask in simple.items()}
    fitted = {"line": _line, "classifier": _classifier, "penalised": _penalised, "clusters": _clusters}
    found |= {name: [fit(world, epsilon) for _ in range(fits)] for name, fit in fitted.items()}
    json.dump(found, sys.stdout, default=float)


def _line(world: dict[str, Any], epsilon: float) -> list[float]:
    """Slope and intercept."""
    rows = world["rows"]
    model = models.LinearRegression(epsilon=epsilon, bounds_X=(0.0, 100.0), bounds_y=(0.0, 100.0))
    model.fit(rows[:, :1], rows[:, 1])
    return [float(model.coef_.ravel()[0]), float(np.ravel(model.intercept_)[0])]


def _classifier(world: dict[str, Any], epsilon: float, inverse: float = 1.0) -> list[float]:
    """Weight and intercept for the feature scaled to [-1, 1], with the default regularisation."""
    centred = world["rows"][:, :1] / 50 - 1
    model = models.LogisticRegression(epsilon=epsilon, data_norm=1.0, C=inverse)
    model.fit(centred, world["yes"].astype(int))
    return [float(model.coef_.ravel()[0]), float(np.ravel(model.intercept_)[0])]


def _penalised(world: dict[str, Any], epsilon: float) -> list[float]:
    """The same with the regularisation of Tacit's model."""
    return _classifier(world, epsilon, 1 / float(world["regularisation"]))


def _clusters(world: dict[str, Any], epsilon: float) -> list[list[float]]:
    """The centres."""
    model = models.KMeans(n_clusters=int(world["clusters"]), epsilon=epsilon, bounds=(0.0, 1.0))
    centres: list[list[float]] = model.fit(world["places"]).cluster_centers_.tolist()
    return centres


if __name__ == "__main__":
    main(sys.argv[1])
