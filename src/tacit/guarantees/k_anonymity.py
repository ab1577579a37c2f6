"""k-anonymity (Samarati and Sweeney 1998): each class has at least k people.

An adversary who knows a person's quasi-identifiers finds at least k people that fit, so picks the right record with
probability at most 1/k. Nothing is promised about sensitive values: all k may share one (W4).
"""

from typing import Annotated, ClassVar

import numpy as np
from pydantic import Field

from tacit.arrays import BoolArray, FloatArray
from tacit.data.classes import Classes
from tacit.guarantees.guarantee import Guarantee, Monotone
from tacit.params import Params


class KAnonymity(Params):
    """Each class has at least k people."""

    name: ClassVar[str] = "k-anonymity"
    title: ClassVar[str] = "k-anonymity"
    paper: ClassVar[str] = "https://doi.org/10.1142/S0218488502001648"
    monotone: ClassVar[Monotone] = "class"

    k: Annotated[int, Field(ge=2, description="the least number of people in a class; 1 would protect nobody")]

    @property
    def bound(self) -> float:
        """The least class size."""
        return self.k

    def measure(self, classes: Classes) -> FloatArray:
        """The people of each class."""
        return classes.sizes.astype(np.float64)

    def satisfied(self, measured: FloatArray) -> BoolArray:
        """At least k."""
        return measured >= self.k

    def worst(self, measured: FloatArray) -> float:
        """The smallest class."""
        return float(measured.min(initial=np.inf))

    def implied(self) -> tuple[Guarantee, ...]:
        """Itself."""
        return (self,)


GUARANTEE = KAnonymity
