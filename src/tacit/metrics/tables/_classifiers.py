"""Classifiers and how well they do, on weighted examples; scikit-learn does the work.

Precision, recall and F1 are means over the outcomes that occur in the test, each counted alike (macro). AUC is the mean
over them of one against all others: the chance that a row with the outcome gets a higher score than one without.
"""

import warnings
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from tacit.arrays import BoolArray, FloatArray, IntArray
from tacit.errors import MissingExtra

Classifier = Literal["logistic", "tree", "forest"]


@dataclass(frozen=True, eq=False)
class LearntExamples:
    """Features `[example, feature]`, outcomes and weights."""

    features: FloatArray
    outcome: IntArray
    weight: FloatArray


@dataclass(frozen=True)
class Scores:
    """How well the outcomes of the test were predicted."""

    accuracy: float
    precision: float
    recall: float
    f1: float
    auc: float


def require_scikit_learn() -> None:
    """The optional package is there; otherwise an error that says how to get it."""
    try:
        import sklearn  # noqa: F401
    except ImportError:
        raise MissingExtra("scikit-learn", "models", "the metric machine-learning") from None


def predict(
    classifier: Classifier, training: LearntExamples, features: FloatArray, outcomes: int, seed: int
) -> FloatArray:
    """`[row, outcome]`: the chances that the trained model gives; none where there is nothing to learn from."""
    chances = np.zeros((len(features), outcomes))
    seen = np.unique(training.outcome)
    if not len(features):
        return chances
    if seen.size == 1:
        chances[:, seen[0]] = 1.0
    elif seen.size > 1:
        model = _model(classifier, seed)
        with warnings.catch_warnings():
            # A model that has not settled after its iterations is judged as it is.
            warnings.simplefilter("ignore")
            model.fit(training.features, training.outcome, sample_weight=training.weight)
        chances[:, model.classes_] = model.predict_proba(features)
    return chances


def _model(classifier: Classifier, seed: int) -> Any:
    from sklearn.ensemble import RandomForestClassifier
    from sklearn.linear_model import LogisticRegression
    from sklearn.tree import DecisionTreeClassifier

    if classifier == "logistic":
        return LogisticRegression(max_iter=200, tol=1e-3)
    if classifier == "tree":
        return DecisionTreeClassifier(max_depth=12, min_weight_fraction_leaf=1e-4, random_state=seed)
    return RandomForestClassifier(50, max_depth=16, min_weight_fraction_leaf=1e-4, random_state=seed)


def score(outcome: IntArray, chances: FloatArray, weight: FloatArray) -> Scores:
    """How well the likeliest outcomes, and the chances, fit the true outcomes."""
    # Nobody was predicted anything where there was nothing to learn from: those rows are wrong.
    guess = np.where(chances.max(axis=1, initial=0.0) > 0, chances.argmax(axis=1), -1)
    hits = np.bincount(outcome, weight * (guess == outcome), chances.shape[1])
    true = np.bincount(outcome, weight, chances.shape[1])
    guessed = np.bincount(np.maximum(guess, 0), weight * (guess >= 0), chances.shape[1])
    there = true > 0
    precision = hits[there] / np.where(guessed[there] > 0, guessed[there], 1.0)
    recall = hits[there] / true[there]
    both = true[there] + guessed[there]
    return Scores(
        accuracy=float(hits.sum() / max(true.sum(), 1e-300)),
        precision=_mean(precision),
        recall=_mean(recall),
        f1=_mean(2 * hits[there] / both),
        auc=_mean(np.array([area(outcome == one, chances[:, one], weight) for one in np.flatnonzero(there)])),
    )


def area(positive: BoolArray, chance: FloatArray, weight: FloatArray) -> float:
    """The chance that a positive row scores above another one, ties counted half; ½ where there is only one kind."""
    _, rank = np.unique(chance, return_inverse=True)
    ours = np.bincount(rank, weight * positive)
    others = np.bincount(rank, weight * ~positive)
    pairs = float(ours.sum() * others.sum())
    below = np.cumsum(others) - others / 2
    return float((ours * below).sum()) / pairs if pairs > 0 else 0.5


def _mean(numbers: FloatArray) -> float:
    return float(numbers.mean()) if numbers.size else 0.0
