"""The population that a table was drawn from, as some guarantees need it."""

from tacit.arrays import IntArray
from tacit.data.tables.classes import Classes
from tacit.errors import BadParameter

AS_GOOD_AS_THE_FIGURES = "It is only as good as the population figures that it was measured with."


def population_of(name: str, classes: Classes) -> IntArray:
    """The people of the population in each class; an error where guarantee `name` was given none."""
    if classes.population is None:
        raise BadParameter(
            f"{name} compares the data with the population that it was drawn from, and none was given; "
            "name a file of the population with the same quasi-identifiers in the plan"
        )
    return classes.population
