"""A simple random sample without replacement: every set of so many rows is equally likely to be the one kept.

Whoever is not known to be in the sample can't be singled out with certainty: a row that is alone in the sample is
alone in the table only with some probability. That weakens an adversary, it does not bind him: members of the sample
are as exposed as before to whoever knows that they are in it. The draw is exact. Rows keep their order. Every total
must be scaled up by rows / size, and a count of c in the sample has the variance of a hypergeometric number.
"""

from fractions import Fraction
from typing import Annotated

import numpy as np
from pydantic import Field, model_validator

from tacit.accounting.exact import exact
from tacit.card import Method
from tacit.data.columns import Columns
from tacit.errors import BadParameter
from tacit.params import Params
from tacit.randomness.stream import RandomBits
from tacit.randomness.uniform import sample


class Sample(Params):
    """How many rows are kept."""

    share: Annotated[float | None, Field(gt=0, le=1, description="of all rows, rounded down; at least one")] = None
    size: Annotated[int | None, Field(ge=1, description="instead of `share`: the number of rows")] = None

    @model_validator(mode="after")
    def _one(self) -> "Sample":
        """Exactly one of the two is given."""
        if (self.share is None) == (self.size is None):
            raise ValueError("give either `share` or `size`")
        return self


def draw_sample(columns: Columns, params: Sample, bits: RandomBits) -> Columns:
    """The kept rows of every column, in their order."""
    size = params.size or max(1, int(exact(params.share or Fraction(0)) * columns.rows))
    if size > columns.rows:
        raise BadParameter(f"a sample of {size} rows is asked, but there are {columns.rows}")
    return columns.taken(np.sort(sample(columns.rows, size, bits)))


METHOD = Method(
    title="Simple random sample",
    params=Sample,
    run=draw_sample,
    needs="columns of any kind",
    gives="a random selection of the rows, each set of that size equally likely",
    guarantees=(),
    kind="columns",
    paper="https://doi.org/10.1007/978-1-4613-0121-9",
    example=Sample(share=0.5),
)
