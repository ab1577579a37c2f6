"""Suppression: the share of rows that are published without any quasi-identifier (Samarati 2001)."""

from tacit.cards.metric import Metric, MetricValue
from tacit.data.tables.view import Comparison
from tacit.params import Params


def measure_suppression(compared: Comparison, params: Params) -> MetricValue:
    """The suppressed share of all rows."""
    suppressed = compared.after.suppressed_rows
    return MetricValue(suppressed / max(compared.after.total, 1), details={"rows": float(suppressed)})


METRIC = Metric(
    title="Suppressed share",
    params=Params,
    run=measure_suppression,
    needs="which rows are suppressed",
    gives="0 if every row is published, 1 if none is",
    standard=("release", "two tables"),
    is_share=True,
    paper="https://doi.org/10.1109/69.971193",
    example=Params(),
)
