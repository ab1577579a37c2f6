"""Machine-learning utility: how well a model that was trained on the release predicts (LeFevre et al. 2006).

The rows are dealt at random into folds of equal size. For each fold a model is trained on what is *published* of the
rows of all other folds, and tested on the *raw* rows of this one; another is trained on those other rows as they are.
So no row is in training and test at once, and both models face the same test. Suppressed rows can't be learnt from, but
they are tested on. Rows of one person may fall into several folds.

The target is a sensitive column, or a quasi-identifier, whose label is spread evenly over its leaves. The features are
the other quasi-identifiers, which depend on the domains alone: a number between 0 and 1, or an indicator for each
value. Of a published label logistic regression takes the expectation; trees take leaves drawn evenly from those that it
covers.

The value is the accuracy of the model trained on the release, beside `precision`, `recall`, `f1` (means over the
outcomes) and `auc` (one against all others, mean). `raw_` marks scores of the model trained on raw rows, and
`trivial_accuracy` that of guessing the most frequent outcome of the raw training rows. It needs scikit-learn.
"""

from dataclasses import asdict, dataclass
from typing import Annotated

import numpy as np
from pydantic import Field

from tacit.arrays import FloatArray, IntArray
from tacit.cards.metric import Metric, MetricValue
from tacit.data.tables.features import Feature, label_means, quasi_feature
from tacit.data.tables.view import Comparison
from tacit.errors import BadParameter
from tacit.metrics.tables._cases import (
    Cases,
    Examples,
    ShownCases,
    cases_of,
    copied,
    dealt,
    drawn,
    input_examples,
    release_examples,
    shown_of,
)
from tacit.metrics.tables._classifiers import Classifier, LearntExamples, predict, require_scikit_learn, score
from tacit.params import Params

MOST_OUTCOMES = 100


class Learning(Params):
    """What is learnt, and how."""

    target: Annotated[
        str | None,
        Field(description="the column to predict; by default the first sensitive one, else the last quasi-identifier"),
    ] = None
    model: Annotated[Classifier, Field(description="logistic regression, decision tree or random forest")] = "logistic"
    folds: Annotated[int, Field(ge=2, le=20, description="how many parts the rows are divided into")] = 3
    most_categories: Annotated[
        int, Field(ge=2, le=1000, description="columns are generalised to levels with no more values than this")
    ] = 50
    seed: Annotated[int, Field(ge=0, description="the seed that the folds are drawn from")] = 0


def measure_learning(compared: Comparison, params: Learning) -> MetricValue:
    """The accuracy of the model that was trained on the release, and the other scores by name."""
    require_scikit_learn()
    task = _task(compared, params)
    outcomes = len(task.cases.outcomes)
    tested, released, raw, trivial = [], [], [], []
    for fold in dealt(task.cases.number, params.folds, params.seed):
        test = input_examples(compared, task.cases, fold)
        rows = _input_features(task.features, test)
        training = _training(compared, task, task.cases.number - fold, params)
        tested.append(test)
        released.append(predict(params.model, training[0], rows, outcomes, params.seed))
        raw.append(predict(params.model, training[1], rows, outcomes, params.seed))
        trivial.append(np.tile(np.bincount(training[1].outcome, training[1].weight, outcomes), (len(rows), 1)))
    truth = np.concatenate([test.outcome for test in tested])
    weight = np.concatenate([test.weight for test in tested])
    scores = [score(truth, np.concatenate(chances), weight) for chances in (released, raw, trivial)]
    details = {name: number for name, number in asdict(scores[0]).items() if name != "accuracy"}
    details |= {f"raw_{name}": number for name, number in asdict(scores[1]).items()}
    return MetricValue(scores[0].accuracy, {}, {**details, "trivial_accuracy": scores[2].accuracy})


def _task(compared: Comparison, params: Learning) -> "_LearningTask":
    cases = cases_of(compared, params.target)
    if np.unique(cases.outcome).size > MOST_OUTCOMES:
        raise BadParameter(
            f"the target {cases.column!r} has {np.unique(cases.outcome).size} values; at most {MOST_OUTCOMES} can be "
            "told apart: name another target"
        )
    places = [c for c, name in enumerate(compared.before.columns) if name != cases.column]
    features = [_scaled(quasi_feature(compared, c, params.most_categories)) for c in places]
    return _LearningTask(cases, shown_of(compared, cases), features)


def _scaled(feature: Feature) -> Feature:
    """The feature with its numbers between 0 and 1."""
    low, span = feature.values.min(axis=0), np.ptp(feature.values, axis=0)
    scaled = (feature.values - low) / np.where(span > 0, span, 1.0) if feature.numeric else feature.values
    return Feature(feature.column, scaled, feature.numeric, feature.place)


@dataclass(frozen=True, eq=False)
class _LearningTask:
    """What is learnt: the cases, what is published of them, and the features."""

    cases: Cases
    shown: ShownCases
    features: list[Feature]


def _training(
    compared: Comparison, task: _LearningTask, number: IntArray, params: Learning
) -> tuple[LearntExamples, LearntExamples]:
    """The same rows as they are published, and as they are."""
    raw = input_examples(compared, task.cases, number)
    places = tuple(feature.place for feature in task.features if feature.place is not None)
    release = release_examples(compared, task.shown, number, places)
    if params.model == "logistic":
        means = [label_means(compared, feature)[release.codes[feature.place]] for feature in task.features]
        features = _joined(means, release.weight.size)
    else:
        # A forest draws examples, so both sides give as many as there are rows.
        raw, release = copied(raw), drawn(compared, copied(release), params.seed)
        features = _input_features(task.features, release)
    return (
        LearntExamples(features, release.outcome, release.weight),
        LearntExamples(_input_features(task.features, raw), raw.outcome, raw.weight),
    )


def _input_features(features: list[Feature], examples: Examples) -> FloatArray:
    return _joined([feature.values[examples.codes[feature.place]] for feature in features], examples.weight.size)


def _joined(blocks: list[FloatArray], rows: int) -> FloatArray:
    # A model needs a feature, even where there is nothing to go by.
    return np.concatenate([np.zeros((rows, 1)), *blocks], axis=1)


METRIC = Metric(
    title="Machine-learning utility",
    params=Learning,
    run=measure_learning,
    needs="a column to predict, other quasi-identifiers, and scikit-learn (the extra `models`)",
    gives="the share of raw rows that a model trained on the release predicts correctly",
    is_share=True,
    paper="https://doi.org/10.1145/1150402.1150435",
    example=Learning(),
    better="higher",
)
