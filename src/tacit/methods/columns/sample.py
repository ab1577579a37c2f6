"""A simple random sample without replacement: every set of that many rows is equally likely to be kept.

Whoever is not known to be in the sample can't be singled out with certainty: a row that is alone in the sample is
alone in the table only with some probability. That weakens an adversary but binds nobody: members of the sample
are as exposed as before to whoever knows that they are in it. The draw is exact. Rows keep their order. Every total
must be scaled up by rows / size, and a count of c in the sample has the variance of a hypergeometric number.

In a plan it stands as `sample` below `release` and comes before anything else; where the plan names a unit, people are
drawn with all their rows. Each person then is drawn with chance size / people, and so is each row, so the same weight,
people / size, scales totals of people and of rows up (Horvitz and Thompson 1952).
"""

from fractions import Fraction
from typing import TYPE_CHECKING, Annotated

import numpy as np
from pydantic import Field, model_validator

from tacit.arrays import BoolArray
from tacit.cards.columns import SamplingMethod
from tacit.errors import BadParameter
from tacit.params import Params

if TYPE_CHECKING:
    from tacit.data.columns import Columns
    from tacit.randomness.stream import RandomBits


class Sample(Params):
    """How many rows are kept; how many people, where a plan names the column that tells them apart."""

    share: Annotated[
        float | None,
        Field(gt=0, le=1, description="the share of rows or people that is drawn, rounded down; at least one"),
    ] = None
    size: Annotated[int | None, Field(ge=1, description="instead of `share`: the number of rows or people")] = None

    @model_validator(mode="after")
    def _one(self) -> "Sample":
        """Exactly one of the two is given."""
        if (self.share is None) == (self.size is None):
            raise ValueError("give either `share` or `size`")
        return self


def sample_size(params: Sample, number: int, what: str = "rows") -> int:
    """How many of `number` rows (or `what` they are) are drawn; a BadParameter where there are fewer."""
    from tacit.accounting.exact import exact

    size = params.size or max(1, int(exact(params.share or Fraction(0)) * number))
    if size > number:
        raise BadParameter(
            f"a sample of {size} {what} is asked for, but there are only {number}; ask for fewer, or for a share"
        )
    return size


def draw(number: int, params: Sample, bits: "RandomBits", what: str = "rows") -> BoolArray:
    """Which of `number` rows (or `what` they are) are drawn."""
    from tacit.randomness.uniform import sample

    drawn = np.zeros(number, dtype=np.bool_)
    drawn[sample(number, sample_size(params, number, what), bits)] = True
    return drawn


def draw_sample(columns: "Columns", params: Sample, bits: "RandomBits") -> "Columns":
    """The kept rows of every column, in their order."""
    return columns.taken(np.flatnonzero(draw(columns.rows, params, bits)))


METHOD = SamplingMethod(
    title="Simple random sample",
    params=Sample,
    run=draw_sample,
    needs="columns of any kind",
    gives="a random selection of the rows, each set of that size equally likely",
    size=sample_size,
    chances="every set of that size was equally likely",
    paper="https://doi.org/10.1007/978-1-4613-0121-9",
    example=Sample(share=0.5),
)
