"""Distortion: how many levels cells were lifted, all added up (Samarati 2001; metric MD, W6).

Each cell counts one unit for each level between its value and its published label; a suppressed cell counts the height
of its hierarchy. The value is the sum over all cells, without weights; `per_row` divides it by the rows, `weighted` is
the weighted mean over the columns of their units for each row. The level of a label is the least at which the hierarchy
has it, so a value that reads the same one level up is not distorted. A label that is no node counts the least level at
which one node covers all of it.
"""

from tacit.cards.metric import Metric, MetricValue
from tacit.data.tables.view import Comparison, weighted
from tacit.params import Params


def measure_distortion(compared: Comparison, params: Params) -> MetricValue:
    """The units of distortion of table and columns."""
    after = compared.after
    per_column = {
        column: float((after.label_rows[c] * after.levels[c]).sum()) for c, column in enumerate(after.columns)
    }
    total, rows = sum(per_column.values()), max(after.total, 1)
    return MetricValue(total, per_column, {"per_row": total / rows, "weighted": weighted(compared, per_column) / rows})


METRIC = Metric(
    title="Distortion",
    params=Params,
    run=measure_distortion,
    needs="the hierarchies of the quasi-identifiers",
    gives="0 if nothing was generalised, at most rows times the sum of the hierarchies' heights",
    standard=("release", "comparison", "two tables"),
    paper="https://doi.org/10.1109/69.971193",
    example=Params(),
)
