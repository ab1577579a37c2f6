"""Promises of a release: `Measured` in what was written, or `Proven` of the way in which it was made.

A guarantee about classes can be measured in a file. Differential privacy is a property of the mechanism: no single
answer shows whether it holds, so it is proven beforehand, and its price is told by accounting. What accounting tells is
`AccountedLoss`; a guarantee says whether that proves it.
"""

from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import Field

from tacit.fact import Fact, Number

Side = Literal["at least", "at most", "below"]
"""On which side of the bound a measure keeps the promise."""

Counted = Literal["people", "rows"]
"""What sentences speak of: people, or rows where people can't be told apart."""

Neighbours = Literal["add-remove", "replace"]
"""What may change about one unit of privacy: it comes or goes, or another takes its place."""

ROW = "row"
"""What the unit is called where each row is a person of its own."""


class WorstPart(Fact):
    """A part of the data, such as a class, that comes closest to the bound or fails it; without a cell of the data."""

    people: int
    rows: int
    measured: Number
    published: dict[str, str] = Field(default_factory=dict)


class Measured(Fact):
    """What a check found: the bound, the measured value, whether it holds and where it is worst; `says` says it.

    The guarantee was measured on `parts` of the data, which `counted` names (`classes` of a table); `failing` of them,
    with `failing_people` in them, break it. `title` is what reports call the guarantee, `form` the word that tells its
    forms apart, and `side` the side of the bound that is safe: all are told here, so that a reader need not know it.
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


@dataclass(frozen=True)
class AccountedLoss:
    """What the privacy events of a run cost together, and between which datasets: all that a run can prove.

    For neighbours D and D' and every set S of outcomes Pr[M(D) in S] <= e**epsilon Pr[M(D') in S] + delta. `unit` is
    the column that names people, of whose rows so many count (`contributions`); None where each row is one person.
    `events` are what was accounted, in JSON.
    """

    epsilon: float
    delta: float
    neighbours: Neighbours
    unit: str | None = None
    contributions: int = 1
    events: tuple[dict[str, Any], ...] = ()


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
