"""Adversary's entropy: the bits still missing to somebody who knows a person's class (Díaz et al. 2002; Shannon 1948).

About identity: in a class of s people each is equally likely, so log2 s bits are missing. About a secret: Σ p log2(1/p)
over the shares p of its values in the class. The value is the mean over all people; `lowest` is that of the class in
which least is missing, `baseline` what is missing to somebody who does not see the release: log2 of all people, the
entropy of the column in the input.

Suppressed people are one class of look-alikes as to identity. Of their secrets the adversary knows what the whole input
says. The adversary knows one row of a person, so somebody with rows in several classes counts in each: what is averaged
over are pairs of a person and a class, and of a person and a value.
"""

from typing import Annotated

import numpy as np
from pydantic import Field

from tacit.cards.metric import Metric, MetricValue
from tacit.data.tables.view import Comparison
from tacit.metrics.tables._secrets import bits, crowd_sizes, secrets_of
from tacit.params import Params


class SoughtSecret(Params):
    """What the adversary is after."""

    column: Annotated[
        str | None, Field(description="the sensitive column to guess; by default the person's identity")
    ] = None


def measure_entropy(compared: Comparison, params: SoughtSecret) -> MetricValue:
    """The mean entropy about identity, or about the secret that is sought; a column's is that about its secret."""
    found = {each.known.column: each for each in secrets_of(compared, params.column)}
    per_column = {name: each.mean(each.sums(bits(each.share)), each.entropy) for name, each in found.items()}
    if params.column is None:
        return _identity(compared, per_column)
    secrets = found[params.column]
    lowest = float(secrets.sums(bits(secrets.share)).min(initial=secrets.entropy))
    return MetricValue(per_column[params.column], per_column, {"lowest": lowest, "baseline": secrets.entropy})


def _identity(compared: Comparison, per_column: dict[str, float]) -> MetricValue:
    sizes = crowd_sizes(compared)
    missing = np.log2(sizes)
    total = max(float(sizes.sum()), 1.0)
    details = {"lowest": float(missing.min(initial=np.log2(total))), "baseline": float(np.log2(total))}
    return MetricValue(float((sizes * missing).sum()) / total, per_column, details)


METRIC = Metric(
    title="Adversary's entropy",
    params=SoughtSecret,
    run=measure_entropy,
    needs_pairs=True,
    needs="the published classes, and for secrets a sensitive column",
    gives="the bits missing on average to identify a record, or to know a person's secret; 0 if all is known",
    of_risk=True,
    paper="https://doi.org/10.1007/3-540-36467-6_5",
    example=SoughtSecret(),
    better="higher",
)
