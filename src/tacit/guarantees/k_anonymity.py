"""k-anonymity (Samarati and Sweeney 1998): each class has at least k people.

An adversary who knows a person's quasi-identifiers finds at least k people that fit, so picks the right record with
probability at most 1/k. Nothing is promised about sensitive values: all k may share one (W4).

Monotone by class: a merged class has all the people of each part.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, ClassVar

import numpy as np
from pydantic import Field

from tacit.arrays import FloatArray
from tacit.data.tables.classes import Classes
from tacit.guarantees._bounds import because
from tacit.guarantees._limits import ClassLimits
from tacit.guarantees._sql import CLASS_SIZES, InSql
from tacit.guarantees.guarantee import Guarantee, Monotone, PeopleOrRows, TableGuarantee


class KAnonymity(TableGuarantee):
    """Each class has at least k people."""

    name: ClassVar[str] = "k-anonymity"
    title: ClassVar[str] = "k-anonymity"
    paper: ClassVar[str] = "https://doi.org/10.1142/S0218488502001648"
    sql: ClassVar[InSql] = CLASS_SIZES
    open: ClassVar[tuple[str, ...]] = (
        "It says nothing about sensitive values: if all people in a class share one, belonging to the class gives it "
        "away (homogeneity).",
        "It does not protect against somebody who knows more than the columns that are named as quasi-identifiers.",
    )

    if TYPE_CHECKING:
        # What an editor and a type checker see; `Guarantee` reads the values.
        def __init__(self, k: int) -> None: ...

    k: Annotated[
        int,
        Field(ge=2, description="the least number of people in a class; 1 would protect nobody"),
        because("it must be at least 2, since 1-anonymity protects nobody"),
    ]

    @property
    def bound(self) -> float:
        """The least number of people."""
        return self.k

    def promise(self, of: PeopleOrRows = "people") -> str:
        """What is promised, as a clause."""
        return f"each class has at least {self.k} {of}"

    @property
    def monotone(self) -> Monotone:
        """A merged class has all the people of each part."""
        return "class"

    def measure(self, classes: Classes) -> FloatArray:
        """The people of each class."""
        return classes.sizes.astype(np.float64)

    def found(self, worst: float, of: PeopleOrRows = "people") -> str:
        """What was measured, as a phrase."""
        return f"the smallest has {worst:g}"

    def limits(self) -> ClassLimits:
        """Nothing but people."""
        return ClassLimits(people=self.k)

    @classmethod
    def suggested(cls, secrets: Mapping[str, int]) -> tuple[Guarantee, ...]:
        """Five people in each class, a usual choice to begin with."""
        return (cls(k=5),)


GUARANTEE: type[TableGuarantee] = KAnonymity
