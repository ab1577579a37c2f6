"""Discernibility: how many rows each row can't be distinguished from (Bayardo and Agrawal 2005, metric DM).

A row of a class of s rows costs s, so a class costs s²; a suppressed row costs as much as all N rows of the table.
It lies between N (all rows differ) and N² (one class, or all suppressed).
"""

import numpy as np

from tacit.cards.metric import Metric, MetricValue
from tacit.data.tables.view import Comparison
from tacit.params import Params


def measure_discernibility(compared: Comparison, params: Params) -> MetricValue:
    """The discernibility cost of the table; `per_row` divides it by the rows."""
    sizes = compared.after.classes.rows.astype(np.float64)
    cost = float((sizes * sizes).sum()) + float(compared.after.suppressed_rows) * compared.after.total
    return MetricValue(cost, details={"per_row": cost / max(compared.after.total, 1)})


METRIC = Metric(
    title="Discernibility",
    params=Params,
    run=measure_discernibility,
    needs="the published classes",
    gives="the sum over rows of the number of rows that look the same",
    standard=("release", "comparison", "two tables"),
    paper="https://doi.org/10.1109/ICDE.2005.42",
    example=Params(),
)
