"""Kullback–Leibler divergence: the bits that a reader loses by using the release's distributions (1951).

Σ p log2(p/q) over the leaves, p the shares of the input and q those of the release, where a published label is spread
evenly over the leaves that it covers and a suppressed row over all leaves. A label covers its own value, so q is never
0 where p is not: the divergence is finite. 0 where no share changed. A table of other rows may lack a value, so half a
row for each outcome is added to it (Krichevsky and Trofimov 1981). The value is the weighted mean over the columns or,
where asked, the mean over the pairs of columns. Pairs with a joint domain of more than twenty million cells are left
out.
"""

from tacit.cards.metric import Metric, MetricValue
from tacit.data.tables.view import Comparison
from tacit.metrics.tables._distances import kullback_leibler
from tacit.metrics.tables.total_variation import ComparedColumns, compare


def measure_divergence(compared: Comparison, params: ComparedColumns) -> MetricValue:
    """The divergence of columns or pairs, in bits."""
    if compared.pairing is not None:
        return compare(compared, params, kullback_leibler)
    rows = compared.after.total
    return compare(compared, params, lambda p, q: kullback_leibler(p, (q * rows + 0.5) / (rows + 0.5 * q.size)))


METRIC = Metric(
    title="Kullback–Leibler divergence",
    params=ComparedColumns,
    run=measure_divergence,
    needs="the hierarchies of the quasi-identifiers and their weights",
    gives="the bits lost per row by using the release's distribution instead of the input's; 0 if none changed",
    standard=("two tables",),
    paper="https://doi.org/10.1214/aoms/1177729694",
    example=ComparedColumns(),
)
