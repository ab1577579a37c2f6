"""k-anonymity (Samarati and Sweeney 1998): each class has at least k people.

An adversary who knows a person's quasi-identifiers finds at least k people that fit, so picks the right record with
probability at most 1/k. Nothing is promised about sensitive values: all k may share one (W4).

Monotone by class: a merged class has all the people of each part.
"""

from typing import Annotated, ClassVar

import numpy as np
from pydantic import Field

from tacit.arrays import FloatArray
from tacit.data.tables.classes import Classes
from tacit.guarantees.bounds import because
from tacit.guarantees.guarantee import Guarantee
from tacit.guarantees.least_people import LeastPeople


class KAnonymity(LeastPeople):
    """Each class has at least k people."""

    name: ClassVar[str] = "k-anonymity"
    title: ClassVar[str] = "k-anonymity"
    paper: ClassVar[str] = "https://doi.org/10.1142/S0218488502001648"

    k: Annotated[
        int,
        Field(ge=2, description="the least number of people in a class; 1 would protect nobody"),
        because("it must be at least 2, since 1-anonymity protects nobody"),
    ]

    @property
    def promise(self) -> str:
        """In words."""
        return f"each class has at least {self.k} people"

    def measure(self, classes: Classes) -> FloatArray:
        """The people of each class."""
        return classes.sizes.astype(np.float64)

    def found(self, worst: float) -> str:
        """In words."""
        return f"the smallest has {worst:g}"

    def implied(self) -> tuple[Guarantee, ...]:
        """Itself."""
        return (self,)


GUARANTEE: type[Guarantee] = KAnonymity
