"""Means: how far the mean of a column of numbers moved, in standard deviations of the input.

Winkler (2004) asks that masked files keep means and covariances, since most analyses begin with them. In the release a
published label is spread evenly over the leaves that it covers, and suppressed rows are left out, which moves means
where the people who are suppressed differ from the others. Each quasi-identifier and each sensitive column whose values
all spell numbers is compared. The value is the mean absolute change over these columns; 0 where there is none.
"""

from tacit.cards.metric import Metric, MetricValue
from tacit.data.tables.features import Feature, as_numbers, secret_number
from tacit.data.tables.moments import moments
from tacit.data.tables.view import Comparison
from tacit.params import Params


def measure_means(compared: Comparison, params: Params) -> MetricValue:
    """The mean absolute change of a mean; a column's is its own."""
    per_column: dict[str, float] = {}
    for place, hierarchy in enumerate(compared.before.hierarchies):
        values = as_numbers(hierarchy.leaves)
        if values is not None:
            sides = moments(compared, [Feature(hierarchy.column, values, True, place)])
            per_column[hierarchy.column] = abs(float(sides.after.mean[0] - sides.before.mean[0]))
    for part in compared.before.classes.sensitive.values():
        secret = secret_number(part)
        if secret is not None:
            sides = moments(compared, [secret], part)
            per_column[part.column] = abs(float(sides.after.mean[0] - sides.before.mean[0]))
    changes = list(per_column.values())
    highest = {"highest": max(changes, default=0.0)}
    return MetricValue(sum(changes) / max(len(changes), 1), per_column, highest)


METRIC = Metric(
    title="Mean difference",
    params=Params,
    run=measure_means,
    needs="a column of numbers",
    gives="the mean absolute change of a column's mean, in standard deviations of the input; 0 if no mean moved",
    paper="https://doi.org/10.1007/978-3-540-25955-8_18",
    example=Params(),
)
