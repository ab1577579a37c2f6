"""Parameters that several mechanisms share, described once."""

from typing import Annotated, Self

import numpy as np
from pydantic import BeforeValidator, Field, model_validator

from tacit.params import Params


def number_itself(value: object) -> object:
    """The value, unless it is a truth value or a text: neither `True` nor "1" is taken for an epsilon of 1."""
    if isinstance(value, bool | np.bool_ | str | bytes):
        raise ValueError("give a number, not a text or a truth value")
    return value


Itself = BeforeValidator(number_itself)
"""Put beside a number's bounds: neither texts nor truth values are taken for it."""

Epsilon = Annotated[
    float,
    Field(gt=0, le=1e6, description="the privacy loss: the odds of any outcome change by at most e**epsilon"),
    Itself,
]
Delta = Annotated[
    float, Field(gt=0, lt=1, description="the probability with which the loss may exceed epsilon"), Itself
]
SensitivityField = Annotated[
    float, Field(gt=0, le=1e100, description="the most by which one unit of privacy can change the answer"), Itself
]
WholeSensitivity = Annotated[
    int,
    Field(gt=0, le=1 << 40, description="the most by which one unit of privacy can change the whole-number answer"),
    Itself,
]
GridPower = Annotated[
    int | None,
    Field(
        ge=-400,
        le=400,
        description="answers are multiples of 2 to this power; by default so fine that it costs nothing",
    ),
    Itself,
]
Monotonic = Annotated[
    bool, Field(description="whether a neighbour moves all scores in one direction (counts, where a row is added)")
]
Limit = Annotated[
    float, Field(ge=-1e100, le=1e100, description="a public limit of the answer, never read from the data"), Itself
]
WholeLimit = Annotated[
    int, Field(ge=-(1 << 60), le=1 << 60, description="a public limit of the answer, never read from the data"), Itself
]


class LimitsQuestion(Params):
    """An epsilon, and public limits in order."""

    epsilon: Epsilon
    lower: Limit
    upper: Limit

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        if self.lower >= self.upper:
            raise ValueError(f"lower is {self.lower} and upper {self.upper}; lower must be below upper")
        return self
