"""Loss: the share of its column's domain that each published cell hides in (Iyengar 2002, metric LM).

A cell that covers m of a column's n leaves loses (m − 1)/(n − 1); a suppressed cell loses 1, even where the column has
one leaf. A column's loss is the mean over all rows, the table's the weighted mean over the columns. It lies in [0, 1].

It measures how coarse cells are, not whether they are true: a value that the hierarchy lacks (a number with noise, a
value that was made up) counts as one leaf and loses nothing. Distances between distributions tell how far values moved.
"""

import numpy as np

from tacit.cards.metric import Metric, MetricValue
from tacit.data.tables.view import Comparison, weighted
from tacit.params import Params


def measure_loss(compared: Comparison, params: Params) -> MetricValue:
    """The loss of table and columns; `total` is the sum over rows of their weighted means."""
    after, per_column = compared.after, {}
    for c, column in enumerate(after.columns):
        others = max(after.domain[c] - 1, 1)
        cell = np.append((after.leaves[c] - 1) / others, 1.0)
        per_column[column] = float((after.label_rows[c] * cell).sum()) / max(after.total, 1)
    value = weighted(compared, per_column)
    return MetricValue(value, per_column, {"total": value * after.total})


METRIC = Metric(
    title="Loss",
    params=Params,
    run=measure_loss,
    needs="the hierarchies of the quasi-identifiers and their weights",
    gives="the mean share of a column's values that a cell could stand for: 0 if all are unchanged, 1 if all are "
    "suppressed",
    standard=("release", "comparison", "two tables"),
    is_share=True,
    paper="https://doi.org/10.1145/775047.775089",
    example=Params(),
)
