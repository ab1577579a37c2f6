"""Non-uniform entropy: the bits missing to guess each value from its label (Gionis and Tassa 2009).

A cell with the value v under the label B costs log2(f(B)/f(v)) bits, where f counts rows of the input: its own value,
and all values that B covers (de Waal and Willenborg 1999). A suppressed cell costs as much as the root. The value is
normalised: a column's bits divided by the bits of a column that is suppressed throughout (rows times the entropy of
the column), weighted over the columns; it lies in [0, 1]. A column with one value has nothing to lose and counts 0.
`bits` is the plain sum over all cells, without weights.

Assumption: the reader of the release knows how often each value occurs in the input.
"""

import numpy as np

from tacit.arrays import FloatArray
from tacit.cards.metric import Metric, MetricValue
from tacit.data.tables.view import Comparison, leaf_rows, paired, weighted
from tacit.params import Params


def measure_entropy(compared: Comparison, params: Params) -> MetricValue:
    """The normalised entropy of table and columns."""
    per_column, bits = {}, 0.0
    for c, column in enumerate(compared.before.columns):
        of_leaf = leaf_rows(compared, c)
        missing = _missing_bits(compared, c)
        possible = float((of_leaf * (np.log2(max(compared.before.total, 1)) - _log2(of_leaf))).sum())
        per_column[column] = min(missing / possible, 1.0) if possible > 0 else 0.0
        bits += missing
    return MetricValue(weighted(compared, per_column), per_column, {"bits": bits})


def _missing_bits(compared: Comparison, column: int) -> float:
    # By portion and not by label: equal counts cancel exactly, so an untouched column costs 0 and not 1e-16.
    of_label = _log2(compared.after.covers[column].total(leaf_rows(compared, column)))
    of_leaf = _log2(leaf_rows(compared, column))
    leaf = compared.before.codes[column].take(paired(compared).origin)
    cells = of_label[compared.after.codes[column]] - of_leaf[leaf]
    return float((compared.after.rows * cells).sum())


def _log2(counts: FloatArray) -> FloatArray:
    return np.log2(np.maximum(counts, 1.0))


METRIC = Metric(
    title="Non-uniform entropy",
    params=Params,
    run=measure_entropy,
    needs_pairs=True,
    needs="the hierarchies of the quasi-identifiers, their weights and how often each value occurs",
    gives="the share of the columns' information that is lost: 0 if none, 1 if all",
    standard=("release", "comparison"),
    is_share=True,
    paper="https://doi.org/10.1109/TKDE.2008.129",
    example=Params(),
)
