"""Suppression: the share of rows that are published without any quasi-identifier (Samarati 2001)."""

from tacit.cards.metric import Metric, MetricValue
from tacit.data.published import Published
from tacit.params import Params


def measure_suppression(published: Published, params: Params) -> MetricValue:
    """The suppressed share of all rows."""
    suppressed = published.suppressed_rows
    return MetricValue(suppressed / max(published.rows, 1), details={"rows": float(suppressed)})


METRIC = Metric(
    title="Suppressed share",
    params=Params,
    run=measure_suppression,
    needs="which rows are suppressed",
    gives="0 where every row is published, 1 where none is",
    paper="https://doi.org/10.1109/69.971193",
    example=Params(),
)
