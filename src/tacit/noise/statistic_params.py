"""Parameters that several statistics share, described once."""

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from tacit.accounting.scope import Scope
from tacit.noise.fields import Epsilon, Itself
from tacit.params import Params

NeighboursField = Annotated[
    Literal["add-remove", "replace"],
    Field(
        description="whether neighbours differ by one row more or fewer (the number of rows is then secret), or by one "
        "row replaced"
    ),
]
Contributions = Annotated[
    int, Field(ge=1, le=1 << 20, description="the most rows of one person; bound them before you ask"), Itself
]
OptionalDelta = Annotated[
    float,
    Field(
        ge=0,
        lt=1,
        description="0 for Laplace noise; above 0, Gaussian noise whose loss may exceed epsilon with this probability",
    ),
    Itself,
]
Lower = Annotated[
    float,
    Field(ge=-1e100, le=1e100, description="values below it count as this; declared, never read from the data"),
    Itself,
]
Upper = Annotated[
    float,
    Field(ge=-1e100, le=1e100, description="values above it count as this; declared, never read from the data"),
    Itself,
]
Resolution = Annotated[
    int, Field(ge=1, le=1_000_000, description="how many equal steps of candidates lie between the bounds"), Itself
]
NameList = Annotated[
    tuple[str, ...],
    Field(
        min_length=1,
        max_length=1_000_000,
        description="the declared categories; a row with any other value is not counted",
    ),
]
ValueGrid = Annotated[
    int | None,
    Field(
        ge=-400, le=400, description="values are rounded to multiples of 2 to this power; by default 2**28 to a width"
    ),
    Itself,
]


class StatisticParams(Params):
    """What every statistic is asked with.

    A replaced person may have a different number of rows, so several rows per person are allowed only with
    `add-remove`.
    """

    epsilon: Epsilon
    neighbours: NeighboursField = "add-remove"
    contributions: Contributions = 1

    @property
    def scope(self) -> Scope:
        """Between which datasets answers are alike."""
        return Scope(self.neighbours, self.contributions)

    @model_validator(mode="after")
    def _one_row_to_replace(self) -> Self:
        if self.neighbours == "replace" and self.contributions > 1:
            raise ValueError(
                f"contributions is {self.contributions} and neighbours 'replace'; a person with several rows who is "
                "replaced may change the number of rows: ask with 'add-remove' and half of epsilon"
            )
        return self


class BoundedQuestion(StatisticParams):
    """A question about values between declared bounds."""

    lower: Lower
    upper: Upper

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        if self.lower >= self.upper:
            raise ValueError(f"lower is {self.lower} and upper {self.upper}; lower must be below upper")
        return self
