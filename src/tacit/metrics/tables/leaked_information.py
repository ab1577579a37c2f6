"""Leaked information: the bits about a secret that a person's class gives away (Shannon 1948; Wagner and Eckhoff 2018).

Without suppression it is the mutual information of class and secret: I = H(S) − H(S | class) = Σ_c P(c) · KL(p_c ‖ q),
with p_c the shares of the values in class c and q those of the input. Suppressed rows show no secret and leak nothing:
they count with 0 bits. It lies between 0 and the entropy of the column; `share` is the part of that entropy that leaks.

Small classes leak by chance: s rows drawn from q at random differ from it by about (m − 1)/(2 s ln 2) bits for m
values (Miller 1955), and an adversary can't tell those bits from others. People with rows in several classes count in
each. Where no column is sensitive nothing can leak.
"""

from typing import Annotated

from pydantic import Field

from tacit.cards.metric import Metric, MetricValue
from tacit.data.tables.view import Comparison
from tacit.metrics.tables._secrets import secrets_of
from tacit.params import Params


class Secret(Params):
    """Which secret is looked at."""

    column: Annotated[str | None, Field(description="the sensitive column; by default the one that leaks most")] = None


def measure_leak(compared: Comparison, params: Secret) -> MetricValue:
    """The bits that leak on average of the secret that is looked at; a column's are those of its secret."""
    found = secrets_of(compared, params.column)
    per_column = {each.known.column: each.mean(each.divergences(), 0.0) for each in found}
    if not found:
        return MetricValue(0.0, {}, {"share": 0.0, "entropy": 0.0})
    worst = max(found, key=lambda each: per_column[each.known.column])
    leaked, entropy = per_column[worst.known.column], worst.entropy
    details = {"share": leaked / entropy if entropy > 0 else 0.0, "entropy": entropy}
    return MetricValue(leaked, per_column, details)


METRIC = Metric(
    title="Leaked information",
    params=Secret,
    run=measure_leak,
    needs_pairs=True,
    needs="the published classes and a sensitive column",
    gives="the bits about the secret that a class gives away on average; 0 if classes look like the whole table",
    of_risk=True,
    paper="https://doi.org/10.1145/3168389",
    example=Secret(),
)
