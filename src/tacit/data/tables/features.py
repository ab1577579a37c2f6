"""Features: the columns of a table as numbers that a model takes, the same for the input and for the release.

A column of numbers is one feature, any other an indicator for each of its values; where it has too many of them, for
each node of the lowest level of its hierarchy that has few enough. In the input a row has the features of its leaves.
In the release it has their expectation where every label is spread evenly over the leaves that it covers: the mean of
the numbers, the share of the leaves. A missing number counts as the mean of the domain's.
"""

from dataclasses import dataclass, replace

import numpy as np

from tacit.arrays import FloatArray
from tacit.data.discreet import Discreet
from tacit.data.tables.hierarchy import Hierarchy
from tacit.data.tables.spread import read_numbers
from tacit.data.tables.tally import SensitiveTally
from tacit.data.tables.view import Comparison


@dataclass(frozen=True, eq=False, repr=False)
class Feature(Discreet):
    """`values[outcome, j]`: the features of each leaf of a quasi-identifier, or of each value of a sensitive column.

    `place` is the position of the quasi-identifier, None for a sensitive column.
    """

    column: str
    values: FloatArray
    numeric: bool
    place: int | None = None

    @property
    def width(self) -> int:
        """How many features the column has."""
        return int(self.values.shape[1])

    def without(self, outcome: int) -> "Feature":
        """The same without the indicator of one node, which then is what the others are compared with."""
        return replace(self, values=np.delete(self.values, outcome, axis=1))


def quasi_feature(compared: Comparison, place: int, most_categories: int) -> Feature:
    """The feature of a quasi-identifier."""
    hierarchy = compared.before.hierarchies[place]
    numbers = as_numbers(hierarchy.leaves)
    if numbers is not None:
        return Feature(hierarchy.column, numbers, True, place)
    return category_feature(compared, place, most_categories)


def category_feature(compared: Comparison, place: int, most_categories: int) -> Feature:
    """The indicators of a quasi-identifier, even where its values are numbers."""
    hierarchy = compared.before.hierarchies[place]
    level = few_enough(hierarchy, most_categories)
    return Feature(hierarchy.column, np.eye(len(hierarchy.labels[level]))[hierarchy.codes[level]], False, place)


def few_enough(hierarchy: Hierarchy, most: int) -> int:
    """The lowest level with at most so many nodes."""
    return min(
        (level for level, labels in enumerate(hierarchy.labels) if len(labels) <= most), default=hierarchy.height
    )


def secret_number(part: SensitiveTally) -> Feature | None:
    """The feature of a sensitive column of numbers; None where it has others."""
    numbers = as_numbers(part.values)
    return None if numbers is None else Feature(part.column, numbers, True)


def as_numbers(values: tuple[str, ...]) -> FloatArray | None:
    """`[value, 1]`: the numbers that the values spell; None where one spells none."""
    numbers = read_numbers(values)
    if numbers is None:
        return None
    return np.where(np.isnan(numbers), np.nanmean(numbers), numbers)[:, None]


def label_means(compared: Comparison, feature: Feature) -> FloatArray:
    """`[label, j]`: the features of each label of a quasi-identifier, the root's in the last row."""
    assert feature.place is not None
    cover = compared.after.covers[feature.place]
    means: FloatArray = cover.total(feature.values) / np.maximum(cover.sizes, 1)[:, None]
    return means
