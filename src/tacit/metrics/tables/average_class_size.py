"""Average class size: rows per published class (LeFevre, DeWitt and Ramakrishnan 2006, metric C_AVG).

All rows are divided by the number of classes; the suppressed rows, if there are any, count as one more class. The paper
divides by the k of k-anonymity as well, so that 1 is the best that any method can reach: give `k` to have that.
"""

from typing import Annotated

from pydantic import Field

from tacit.cards.metric import Metric, MetricValue
from tacit.data.tables.view import Comparison
from tacit.params import Params


class Normalisation(Params):
    """What to divide by."""

    k: Annotated[int, Field(ge=1, description="the class size that was asked for; 1 leaves the average as it is")] = 1


def measure_class_size(compared: Comparison, params: Normalisation) -> MetricValue:
    """The average number of rows in a class, in units of k."""
    classes = compared.after.classes.combinations + (compared.after.suppressed_rows > 0)
    value = compared.after.total / max(classes, 1) / params.k
    return MetricValue(value, details={"classes": float(compared.after.classes.combinations)})


METRIC = Metric(
    title="Average class size",
    params=Normalisation,
    run=measure_class_size,
    needs="the published classes",
    gives="rows per class, divided by k if it is given",
    standard=("release", "comparison", "two tables"),
    paper="https://doi.org/10.1109/ICDE.2006.101",
    example=Normalisation(),
)
