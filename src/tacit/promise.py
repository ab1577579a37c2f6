"""Promises of a release: `Measured` in what was written, or `Proven` of the way in which it was made.

A guarantee about classes can be measured in a file. Differential privacy is a property of the mechanism: no single
answer shows whether it holds, so it is proven beforehand, and its price is told by accounting (`AccountedLoss`).
"""

from typing import Annotated, Any, Literal

from pydantic import Field

from tacit.accounted_loss import Neighbours
from tacit.fact import Fact, Number

Side = Literal["at least", "at most", "below"]
"""On which side of the bound a measure keeps the promise."""

PeopleOrRows = Literal["people", "rows"]
"""What sentences speak of: people, or rows where people can't be told apart."""


class WorstPart(Fact):
    """A part of the data, such as a class, that comes closest to the bound or fails it; without a cell of the data."""

    people: int
    rows: int
    measured: Number
    published: dict[str, str] = Field(default_factory=dict, repr=False)


class Measured(Fact):
    """What a check found: the bound, the measured value, whether it holds and where it is worst; `says` says it.

    The guarantee was measured on `parts` of the data, which `counted` names (`classes` of a table); `failing` of them,
    with `failing_people` in them, break it. `title` is what reports call the guarantee, `form` the word that tells its
    forms apart, and `side` the side of the bound that is safe: all are told here, for readers who do not know it.
    """

    sort: Literal["measured"] = "measured"
    name: str
    title: str = ""
    form: str = ""
    side: Side
    column: str | None = None
    parameters: dict[str, float | int | str | None]
    bound: Number
    measured: Number
    holds: bool
    says: str = ""
    counted: str = "classes"
    parts: int
    failing: int
    failing_people: int
    compared_with: str | None = None
    worst: tuple[WorstPart, ...] = ()
    worst_positions: tuple[int, ...] = ()


class Proven(Fact):
    """What was proven of the way in which the release was made, and charged for before it ran.

    `title` is what reports call the guarantee. `unit` names whom it protects (a column, or `row`), `neighbours` what
    may change about one unit, and `events` the privacy events in JSON from which epsilon and delta were accounted.
    """

    sort: Literal["proven"] = "proven"
    name: str
    title: str = ""
    epsilon: Number
    delta: Number
    unit: str
    neighbours: Neighbours
    contributions: int = 1
    says: str = ""
    events: tuple[dict[str, Any], ...] = ()

    @property
    def holds(self) -> bool:
        """A proof does not depend on what came out."""
        return True


Promise = Annotated[Measured | Proven, Field(discriminator="sort")]
