"""t-closeness (Li, Li and Venkatasubramanian 2007): each class is distributed nearly like the input.

What an adversary learns from a class beyond the published distribution of the whole table is at most a distance of
t. Which distance matters (W2, W3): `equal` treats all values alike, `ordered` counts how far apart they are in order,
`hierarchical` how far up the hierarchy they meet; these are earth mover's distances between 0 and 1. `variational` is
another name of `equal`; `kl` is the Kullback–Leibler divergence in nats, without an upper end. The order is the one
that the plan states, with all of its values: those that nobody has keep the others as far apart as they were declared.

The reference distribution is the input's, so it does not move when rows are suppressed. Monotone by table: all these
distances are convex in the distribution of the class, and a merged class has a mean of its parts' (W8). Not by class:
merging with a distant class may spoil it.
"""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Annotated, ClassVar, Literal, Self

import numpy as np
from pydantic import Field, model_validator

from tacit.arrays import FloatArray
from tacit.data.tables.classes import Classes
from tacit.guarantees._bounds import because, excess, refusal
from tacit.guarantees._distances import hierarchical, kullback_leibler, ordered, variational
from tacit.guarantees._limits import ClassLimits, DistributionLimit, LimitForm, ShareLimits
from tacit.guarantees._sensitive import ADDED_BY_A_CLASS, SensitiveCells
from tacit.guarantees._sql import CLOSENESS, InSql
from tacit.guarantees.guarantee import Monotone, PeopleOrRows, SecretGuarantee, Side, TableGuarantee

Distance = Literal["variational", "kl", "equal", "ordered", "hierarchical"]

DISTANCES: Mapping[Distance, Callable[[SensitiveCells], FloatArray]] = {
    "variational": variational,
    "kl": kullback_leibler,
    "equal": variational,
    "ordered": ordered,
    "hierarchical": hierarchical,
}

FORMS: Mapping[Distance, LimitForm] = {
    "variational": "equal",
    "kl": "kl",
    "equal": "equal",
    "ordered": "ordered",
    "hierarchical": "hierarchical",
}


class TCloseness(SecretGuarantee):
    """The distribution of a sensitive column in each class is within t of the input's."""

    name: ClassVar[str] = "t-closeness"
    title: ClassVar[str] = "t-closeness"
    paper: ClassVar[str] = "https://doi.org/10.1109/ICDE.2007.367856"
    sql: ClassVar[InSql] = CLOSENESS
    open: ClassVar[tuple[str, ...]] = (
        "It does not hide who is in which class: k-anonymity does that.",
        "It bounds a distance between distributions, not how sure somebody may become of one value.",
        ADDED_BY_A_CLASS,
    )
    compared_with: ClassVar[str | None] = "the distribution of the input"

    if TYPE_CHECKING:
        # What an editor and a type checker see; `Guarantee` reads the values.
        def __init__(self, t: float, *, distance: Distance = "equal", column: str | None = None) -> None: ...

    t: Annotated[
        float,
        Field(ge=0, description="the largest distance between a class and the input; at most 1, except for kl"),
        because("a distance is not negative, so it must be at least 0"),
    ]
    distance: Annotated[Distance, Field(description="how two distributions are compared")] = "equal"

    @model_validator(mode="after")
    def _fits_distance(self) -> Self:
        if self.distance != "kl" and self.t > 1:
            reason = f"distance {self.distance!r} never exceeds 1, so it must be at most 1 (1 promises nothing)"
            raise refusal("t", f"{self.t:g}", reason)
        if self.distance == "kl" and self.t == 0:
            raise refusal(
                "t", "0", "it must be above 0 for distance 'kl'; for equal distributions take distance 'equal'"
            )
        return self

    @property
    def monotone(self) -> Monotone:
        """The distances are convex, and a merged class has a mean of its parts' distributions."""
        return "table"

    @property
    def side(self) -> Side:
        """At most t."""
        return "at most"

    @property
    def bound(self) -> float:
        """The largest distance."""
        return self.t

    def promise(self, of: PeopleOrRows = "people") -> str:
        """What is promised, as a clause."""
        within = f"within {self.t:g} of the input's ({self.distance} distance)"
        return f"the distribution of {self.secret} in each class is {within}"

    def measure(self, classes: Classes) -> FloatArray:
        """The distance of each class from the input."""
        return DISTANCES[self.distance](self.cells(classes))

    def found(self, worst: float, of: PeopleOrRows = "people") -> str:
        """What was measured, as a phrase."""
        return f"the most distant is {worst:.4g} away"

    def unkeepable(self, measured: FloatArray) -> FloatArray:
        """Distances up to 1 are convex: of a class at distance m, at least (m - t)/(1 - t) must go."""
        return excess(measured, self.t, 1.0) if self.distance != "kl" else np.zeros(measured.size)

    def limits(self) -> ClassLimits:
        """A distance from the input; where all values are alike, no share differs by more than t."""
        alike = self.distance in ("equal", "variational")
        form = FORMS[self.distance]
        return ClassLimits(
            shares=(lambda expected: ShareLimits(expected - self.t, expected + self.t)) if alike else None,
            distribution=DistributionLimit(form, self.t),
        )


GUARANTEE: type[TableGuarantee] = TCloseness
