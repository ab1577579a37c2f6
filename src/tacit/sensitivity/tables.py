"""Sensitivities of questions about a table (W18): counts, histograms, sums, means, order statistics, variance.

Values lie within declared bounds [low, high] to which data are clamped. Where an answer is undefined for no rows (mean,
median), the mechanism answers some fixed number within the bounds. `least_rows` is a public fact: every dataset, or the
larger of two neighbours, has at least that many.
"""

from fractions import Fraction

from tacit.accounting.exact import whole
from tacit.sensitivity.neighbours import Neighbours, known_relation
from tacit.sensitivity.sensitivity import Bounds, Sensitivity, scalar, vector
from tacit.spelling import many

ONE = Fraction(1)


def count(neighbours: Neighbours = "add-remove") -> Sensitivity:
    """The number of rows with a property: 1."""
    return scalar("count", ONE, "a row has the property or not", known_relation(neighbours))


def counts(questions: int, neighbours: Neighbours = "add-remove") -> Sensitivity:
    """Several counts whose properties may overlap: one row can move them all."""
    number = whole("questions", questions)
    return vector("counts", [ONE] * number, f"one row may have all {number} properties", known_relation(neighbours))


def histogram(neighbours: Neighbours = "add-remove", bins_of_unit: int = 1) -> Sensitivity:
    """Counts of disjoint bins, of a unit in at most `bins_of_unit` different bins with one row each."""
    bins = whole("bins_of_unit", bins_of_unit)
    if known_relation(neighbours) == "add-remove":
        return vector("histogram", [ONE] * bins, f"a unit is in at most {many(bins, 'bin')}", neighbours)
    return vector(
        "histogram", [ONE] * 2 * bins, f"a replaced unit leaves {many(bins, 'bin')} and enters {bins}", neighbours
    )


def total(ends: Bounds, neighbours: Neighbours = "add-remove") -> Sensitivity:
    """The sum of values: the largest absolute value, or the width where a row is replaced."""
    if known_relation(neighbours) == "add-remove":
        return scalar("sum", ends.size, "a row adds at most the largest absolute value", neighbours)
    return scalar("sum", ends.width, "a replaced value moves by at most the width of its bounds", neighbours)


def mean(
    ends: Bounds,
    least_rows: int | None = None,
    output: Bounds | None = None,
    neighbours: Neighbours = "add-remove",
) -> Sensitivity:
    """The mean: width / least_rows, or the whole width; never above the width of a clamped output."""
    relation = known_relation(neighbours)
    rows = 1 if least_rows is None else whole("least_rows", least_rows)
    amount, why = ends.width / rows, f"one of at least {rows} rows moves the mean by at most the width / {rows}"
    if least_rows is None:
        why = "with few rows one of them may move the mean from one bound to the other"
    if output is not None and output.width < amount:
        amount, why = output.width, "the answer is clamped to a narrower range"
    return scalar("mean", amount, why, relation)


def order_statistic(ends: Bounds, neighbours: Neighbours = "add-remove") -> Sensitivity:
    """Minimum, maximum, median or any quantile: the whole width, however many rows there are."""
    why = "all rows may lie at the two bounds, and one row decides between them"
    return scalar("order statistic", ends.width, why, known_relation(neighbours))


def variance(ends: Bounds, least_rows: int | None = None, neighbours: Neighbours = "add-remove") -> Sensitivity:
    """The population variance: width² (n − 1)/n² for n rows, at most width²/4."""
    relation = known_relation(neighbours)
    rows = max(2, 1 if least_rows is None else whole("least_rows", least_rows))
    why = f"one of n rows moves the variance by at most width² (n − 1)/n², here with n = {rows}"
    return scalar("variance", ends.width**2 * Fraction(rows - 1, rows * rows), why, relation)


def mode_score(neighbours: Neighbours = "add-remove") -> Sensitivity:
    """The score of a category (its count) for a selection: each moves by at most 1, however many there are."""
    return scalar("score of a category", ONE, "a row counts for one category", known_relation(neighbours))
