"""δ-presence (Nergiz, Atzori and Clifton 2007): from a class, nobody learns whether a person is in the data.

The adversary knows the population. In each class, the share of its people that are in the data, |class| / |class in the
population|, is the probability that a given one of them is; it lies between `minimum` and `maximum`. A class of the
population with nobody in the data has share 0, so with a minimum above 0 one of those breaks the promise for the
whole table: every class then measures 0, since leaving classes out only adds more. So suppressing rows does not help
to keep a minimum: whoever is suppressed leaves people of the population without a class. Only generalisation helps.

Monotone by table: the share of a merged class, Σ a / Σ b, lies between the least and the largest of its parts a / b,
and merging can't make a class of the population absent. Not by class: a part outside the bounds may pull it out.
"""

from typing import TYPE_CHECKING, Annotated, ClassVar, Self

import numpy as np
from pydantic import Field, model_validator

from tacit.arrays import BoolArray, FloatArray
from tacit.data.tables.classes import Classes
from tacit.guarantees._bounds import at_least, at_most, because, refusal
from tacit.guarantees._population import AS_GOOD_AS_THE_FIGURES, population_of
from tacit.guarantees._sql import PRESENCE, InSql
from tacit.guarantees.guarantee import GuaranteeSubject, Monotone, PeopleOrRows, Side, TableGuarantee


class DeltaPresence(TableGuarantee):
    """The share of the population's people that are in the data lies within bounds in each class."""

    name: ClassVar[str] = "delta-presence"
    title: ClassVar[str] = "δ-presence"
    paper: ClassVar[str] = "https://doi.org/10.1145/1247480.1247554"
    subject: ClassVar[GuaranteeSubject | None] = "population"
    sql: ClassVar[InSql] = PRESENCE
    needs_population: ClassVar[bool] = True
    open: ClassVar[tuple[str, ...]] = (
        "It says nothing about sensitive values.",
        "Somebody who can rule out a part of the population may be surer than it says.",
        AS_GOOD_AS_THE_FIGURES,
    )

    if TYPE_CHECKING:
        # What an editor and a type checker see; `Guarantee` reads the values.
        def __init__(self, maximum: float, *, minimum: float = 0.0) -> None: ...

    minimum: Annotated[
        float,
        Field(ge=0, le=1, description="the least share of a class's people in the population that are in the data"),
        because("it is a share, so it must lie between 0 and 1"),
    ] = 0.0
    maximum: Annotated[
        float,
        Field(gt=0, le=1, description="the largest share of a class's people in the population that are in the data"),
        because("it is a share, so it must lie above 0, where nobody is in the data, and at most at 1"),
    ]

    @model_validator(mode="after")
    def _promises_something(self) -> Self:
        if self.minimum > self.maximum:
            raise refusal("minimum", f"{self.minimum:g}", f"it must not exceed maximum, which is {self.maximum:g}")
        if self.minimum == 0 and self.maximum == 1:
            raise refusal("maximum", f"{self.maximum:g}", "with minimum 0 that promises nothing; lower it")
        return self

    @property
    def monotone(self) -> Monotone:
        """The share of a merged class lies between those of its parts."""
        return "table"

    @property
    def side(self) -> Side:
        """At most the maximum or, where that is 1, at least the minimum."""
        return "at most" if self.maximum < 1 else "at least"

    @property
    def absence_fails(self) -> bool:
        """With a minimum above 0, people who fit no class would be known to be absent."""
        return self.minimum > 0

    @property
    def advice(self) -> str:
        """With a minimum above 0, that only generalisation helps."""
        if self.minimum == 0:
            return ""
        return (
            "suppressing rows does not help to keep a minimum, since people of the population whose class is "
            "suppressed are known to be absent; allow coarser levels, lower the minimum or leave it out"
        )

    @property
    def bound(self) -> float:
        """The largest share or, where that is 1, the least."""
        return self.maximum if self.maximum < 1 else self.minimum

    def missed(self, measured: float) -> float:
        """The bound on the side of which it lies."""
        return self.minimum if measured < self.minimum else self.maximum

    def promise(self, of: PeopleOrRows = "people") -> str:
        """What is promised, as a clause."""
        return (
            f"of the people in the population that a class fits, between {self.minimum:.4g} and {self.maximum:.4g} "
            "are in the data"
        )

    def measure(self, classes: Classes) -> FloatArray:
        """The share of each class; infinite where the population lacks the class."""
        population = population_of(self.name, classes)
        if self.minimum > 0 and classes.absent > 0:
            return np.zeros(classes.number)
        share = np.full(classes.number, np.inf)
        np.divide(classes.sizes, population, out=share, where=population > 0)
        return share

    def satisfied(self, measured: FloatArray) -> BoolArray:
        """Between minimum and maximum."""
        return at_least(measured, self.minimum) & at_most(measured, self.maximum)

    def margin(self, measured: FloatArray) -> FloatArray:
        """The distance to the nearer bound."""
        above, below = measured - self.minimum, self.maximum - measured
        if self.minimum == 0:
            return below
        # No share of a true population exceeds 1, so with that maximum only the minimum can be near.
        return np.where(below < 0, below, above) if self.maximum == 1 else np.minimum(above, below)

    def worst(self, measured: FloatArray) -> float:
        """The share furthest outside or nearest to a bound; of no class, 0: nobody is in the data."""
        return float(measured[np.argmin(self.margin(measured))]) if measured.size else 0.0

    def found(self, worst: float, of: PeopleOrRows = "people") -> str:
        """What was measured, as a phrase."""
        if np.isinf(worst):
            return "a class has people whom the population lacks"
        if worst == 0:
            return "some class of the population has nobody in the data"
        return f"the share nearest to a limit, or furthest beyond, is {worst:.4g}"


GUARANTEE: type[TableGuarantee] = DeltaPresence
