"""Relative entropy: how far the secrets of a class are from those of the whole input, in bits (Kullback, Leibler 1951).

KL(p ‖ q) = Σ p log2(p/q), p the shares of the values in a class and q those of the input: the bits that somebody gains
who comes with the whole input's distribution and finds the class. The value is that of the furthest class, `mean` the
mean over all people, suppressed ones with 0. The mean is the leaked information; this metric is about the worst off.
At most log2 of the entries divided by those of the rarest value. Where no column is sensitive it is 0.
"""

from tacit.cards.metric import Metric, MetricValue
from tacit.data.tables.view import Comparison
from tacit.metrics.tables._secrets import secrets_of
from tacit.metrics.tables.leaked_information import Secret


def measure_divergence(compared: Comparison, params: Secret) -> MetricValue:
    """The bits of the furthest class; a column's are those of its secret."""
    found = secrets_of(compared, params.column)
    furthest = {each.known.column: float(each.divergences().max(initial=0.0)) for each in found}
    if not found:
        return MetricValue(0.0, {}, {"mean": 0.0})
    worst = max(found, key=lambda each: furthest[each.known.column])
    return MetricValue(furthest[worst.known.column], furthest, {"mean": worst.mean(worst.divergences(), 0.0)})


METRIC = Metric(
    title="Relative entropy",
    params=Secret,
    run=measure_divergence,
    needs_pairs=True,
    needs="the published classes and a sensitive column",
    gives="the bits that the class furthest from the whole table reveals about its people; 0 if all look like it",
    of_risk=True,
    paper="https://doi.org/10.1214/aoms/1177729694",
    example=Secret(),
)
