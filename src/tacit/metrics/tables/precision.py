"""Precision: how far below the roots the published labels stay (Sweeney 2002, metric Prec).

Prec = 1 − the mean over cells of level / height, with the weighted mean over the columns. A suppressed cell has the
precision 0, even where the hierarchy has no level above its leaves; any other cell of such a column has precision 1.
The level of a label is the least at which the hierarchy has it.
"""

from tacit.cards.metric import Metric, MetricValue
from tacit.data.tables.view import Comparison, weighted
from tacit.params import Params


def measure_precision(compared: Comparison, params: Params) -> MetricValue:
    """The precision of table and columns."""
    after, per_column = compared.after, {}
    for c, column in enumerate(after.columns):
        lifted = after.levels[c] / max(after.hierarchies[c].height, 1)
        lifted[-1] = 1.0
        per_column[column] = 1 - float((after.label_rows[c] * lifted).sum()) / max(after.total, 1)
    return MetricValue(weighted(compared, per_column), per_column)


METRIC = Metric(
    title="Precision",
    params=Params,
    run=measure_precision,
    needs="the hierarchies of the quasi-identifiers and their weights",
    gives="1 if nothing was generalised, 0 if all is suppressed",
    standard=("release", "comparison", "two tables"),
    is_share=True,
    paper="https://doi.org/10.1142/S021848850200165X",
    example=Params(),
    better="higher",
)
