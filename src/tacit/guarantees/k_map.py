"""k-map (Sweeney 2001): each published class fits at least k people of the population.

For an adversary who does not know whether a person is in the data, only in the population that it was drawn from: the
classes may be small as long as the population's are not. The population is counted by the same quasi-identifiers,
generalised alike. Classes of the population that the data lacks need no protection.

Monotone by class: a merged class fits everybody whom one of its parts fits.
"""

from typing import TYPE_CHECKING, Annotated, ClassVar

import numpy as np
from pydantic import Field

from tacit.arrays import FloatArray
from tacit.data.tables.classes import Classes
from tacit.guarantees._bounds import because
from tacit.guarantees._limits import ClassLimits
from tacit.guarantees._population import AS_GOOD_AS_THE_FIGURES, population_of
from tacit.guarantees._sql import POPULATION, InSql
from tacit.guarantees.guarantee import Monotone, PeopleOrRows, TableGuarantee


class KMap(TableGuarantee):
    """Each class fits at least k people of the population."""

    name: ClassVar[str] = "k-map"
    title: ClassVar[str] = "k-map"
    paper: ClassVar[str] = "https://dspace.mit.edu/handle/1721.1/8589"
    sql: ClassVar[InSql] = POPULATION
    needs_population: ClassVar[bool] = True
    open: ClassVar[tuple[str, ...]] = (
        "It assumes that nobody knows who is in the data; against somebody who does, the classes of the data count, "
        "and they may be smaller.",
        "It says nothing about sensitive values.",
        AS_GOOD_AS_THE_FIGURES,
    )

    if TYPE_CHECKING:
        # What an editor and a type checker see; `Guarantee` reads the values.
        def __init__(self, k: int) -> None: ...

    k: Annotated[
        int,
        Field(ge=2, description="the least number of people of the population that a class fits"),
        because("it must be at least 2, since a class that fits one person of the population names that person"),
    ]

    @property
    def bound(self) -> float:
        """The least number of people of the population."""
        return self.k

    def promise(self, of: PeopleOrRows = "people") -> str:
        """What is promised, as a clause."""
        return f"each class fits at least {self.k} people of the population"

    @property
    def monotone(self) -> Monotone:
        """A merged class fits everybody whom one of its parts fits."""
        return "class"

    def measure(self, classes: Classes) -> FloatArray:
        """The people of the population that each class fits."""
        return population_of(self.name, classes).astype(np.float64)

    def found(self, worst: float, of: PeopleOrRows = "people") -> str:
        """What was measured, as a phrase."""
        return f"the rarest fits {worst:g}"

    def limits(self) -> ClassLimits:
        """Nothing but people of the population."""
        return ClassLimits(population=self.k)


GUARANTEE: type[TableGuarantee] = KMap
