"""Kullback–Leibler divergence: the bits that a reader of the release pays for its distributions (1951).

Σ p log2(p/q) over the leaves, p the shares of the input and q those of the release, where a published label is spread
evenly over the leaves that it covers and a suppressed row over all leaves. A label covers its own value, so q is never
0 where p is not: the divergence is finite. 0 where no share changed. The value is the weighted mean over the columns
or, where asked, the mean over the pairs of columns. Pairs with a joint domain of more than twenty million cells are
left out.
"""

from tacit.cards.metric import Metric, MetricValue
from tacit.data.published import Published
from tacit.metrics._distances import kullback_leibler
from tacit.metrics.total_variation import Compared, compare


def measure_divergence(published: Published, params: Compared) -> MetricValue:
    """The divergence of columns or pairs, in bits."""
    return compare(published, params, kullback_leibler)


METRIC = Metric(
    title="Kullback–Leibler divergence",
    params=Compared,
    run=measure_divergence,
    needs="the hierarchies of the quasi-identifiers and their weights",
    gives="bits lost for a row by taking the release's distribution for the input's; 0 where none moved",
    paper="https://doi.org/10.1214/aoms/1177729694",
    example=Compared(),
)
