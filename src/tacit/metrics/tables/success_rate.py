"""Success rate: how often the best guess of somebody who knows a person's class is right (Wagner and Eckhoff 2018).

Of identity: one of the s people of a class is picked, right with chance 1/s, so the rate is the number of classes
divided by the people. Of a secret: the most frequent value of the class is guessed. `baseline` is the rate of somebody
who does not see the release: one of all people; the most frequent value of the input. `highest` is the rate in the
class where it is highest. It is a Bayes rate: no guess does better on average, if nothing else is known.

Suppressed people are one class of look-alikes as to identity. Of their secrets the adversary guesses the most frequent
value of the input. The adversary knows one row of a person, so somebody with rows in several classes counts in each:
what is averaged over are pairs of a person and a class, and of a person and a value.
"""

import numpy as np

from tacit.cards.metric import Metric, MetricValue
from tacit.data.tables.view import Comparison
from tacit.metrics.tables._secrets import TINY, Secrets, crowd_sizes, secrets_of
from tacit.metrics.tables.adversary_entropy import SoughtSecret


def measure_success(compared: Comparison, params: SoughtSecret) -> MetricValue:
    """The rate for identity, or for the secret that is sought; a column's is that for its secret."""
    found = {each.known.column: each for each in secrets_of(compared, params.column)}
    per_column = {name: _rate(each) for name, each in found.items()}
    if params.column is None:
        return _identity(compared, per_column)
    secrets = found[params.column]
    baseline = float(secrets.prior.max(initial=0.0))
    details = {"highest": float(secrets.share.max(initial=0.0)), "baseline": baseline}
    return MetricValue(per_column[params.column], per_column, details)


def _rate(secrets: Secrets) -> float:
    most = np.zeros(secrets.totals.size)
    np.maximum.at(most, secrets.class_, secrets.count)
    hidden = float(secrets.suppressed[int(np.argmax(secrets.prior))]) if secrets.prior.size else 0.0
    return (float(most.sum()) + hidden) / max(secrets.entries, TINY)


def _identity(compared: Comparison, per_column: dict[str, float]) -> MetricValue:
    sizes = crowd_sizes(compared)
    total = max(float(sizes.sum()), 1.0)
    details = {"highest": float((1 / sizes).max(initial=0.0)), "baseline": 1 / total}
    return MetricValue(sizes.size / total, per_column, details)


METRIC = Metric(
    title="Adversary's success rate",
    params=SoughtSecret,
    run=measure_success,
    needs_pairs=True,
    needs="the published classes, and for secrets a sensitive column",
    gives="the share of people whose record, or whose secret, is guessed correctly; a person in several classes "
    "counts in each",
    is_share=True,
    of_risk=True,
    paper="https://doi.org/10.1145/3168389",
    example=SoughtSecret(),
)
