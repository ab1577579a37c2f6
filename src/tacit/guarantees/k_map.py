"""k-map (Sweeney 2001): each published class fits at least k people of the population.

For an adversary who does not know whether a person is in the data, only in the population that it was drawn from: the
classes may be small as long as the population's are not. The population is counted by the same quasi-identifiers,
generalised alike. Classes of the population that the data lacks need no protection.

Monotone by class: a merged class fits everybody whom one of its parts fits.
"""

from typing import Annotated, ClassVar

import numpy as np
from pydantic import Field

from tacit.arrays import FloatArray
from tacit.data.tables.classes import Classes
from tacit.guarantees.bounds import because
from tacit.guarantees.guarantee import Guarantee
from tacit.guarantees.least_people import LeastPeople
from tacit.guarantees.population import population_of


class KMap(LeastPeople):
    """Each class fits at least k people of the population."""

    name: ClassVar[str] = "k-map"
    title: ClassVar[str] = "k-map"
    paper: ClassVar[str] = "https://dspace.mit.edu/handle/1721.1/8589"

    k: Annotated[
        int,
        Field(ge=2, description="the least number of people of the population that a class fits"),
        because("it must be at least 2, since a class that fits one person of the population names that person"),
    ]

    @property
    def promise(self) -> str:
        """In words."""
        return f"each class fits at least {self.k} people of the population"

    def measure(self, classes: Classes) -> FloatArray:
        """The people of the population that each class fits."""
        return population_of(self.name, classes).astype(np.float64)

    def found(self, worst: float) -> str:
        """In words."""
        return f"the rarest fits {worst:g}"

    def implied(self) -> tuple[Guarantee, ...]:
        """Itself."""
        return (self,)


GUARANTEE: type[Guarantee] = KMap
