"""(α, k)-anonymity (Wong, Li, Fu and Wang 2006): classes of at least k people, no value with more than α of them.

The general form: the limit holds for every value of the sensitive column. Measured is the largest share of the people
of a class that have one value, infinite where the class has fewer than k people, so one number tells both.

Monotone by table: the share of a value in a merged class is a mean of its shares in the parts, and people only add up.
Not by class, unless α = 1: merging with a class of one value may spoil the share.
"""

from typing import TYPE_CHECKING, Annotated, ClassVar

import numpy as np
from pydantic import Field

from tacit.arrays import FloatArray
from tacit.data.tables.classes import Classes
from tacit.guarantees._bounds import because, excess, whole_at_least
from tacit.guarantees._limits import ClassLimits, at_most_share
from tacit.guarantees._sql import ALPHA_SHARE, InSql
from tacit.guarantees.guarantee import Monotone, PeopleOrRows, SecretGuarantee, Side, TableGuarantee
from tacit.guarantees.k_anonymity import KAnonymity
from tacit.guarantees.l_diversity import LDiversity


class AlphaKAnonymity(SecretGuarantee):
    """Each class has at least k people, and no sensitive value belongs to more than a share alpha of them."""

    name: ClassVar[str] = "alpha-k-anonymity"
    title: ClassVar[str] = "(α, k)-anonymity"
    paper: ClassVar[str] = "https://doi.org/10.1145/1150402.1150499"
    sql: ClassVar[InSql] = ALPHA_SHARE
    open: ClassVar[tuple[str, ...]] = (
        "A value below the allowed share may still be far more frequent in a class than in the whole table (skewness).",
    )

    if TYPE_CHECKING:
        # What an editor and a type checker see; `Guarantee` reads the values.
        def __init__(self, alpha: float, k: int, *, column: str | None = None) -> None: ...

    alpha: Annotated[
        float,
        Field(gt=0, le=1, description="the largest share of the people of a class that may have one value"),
        because("it is a share, so it must lie above 0 and at most at 1"),
    ]
    k: Annotated[
        int,
        Field(ge=2, description="the least number of people in a class; 1 would protect nobody"),
        because("it must be at least 2, since 1-anonymity protects nobody"),
    ]

    @property
    def monotone(self) -> Monotone:
        """By table; with alpha = 1 it is k-anonymity, and by class."""
        return "class" if self.alpha == 1 else "table"

    @property
    def side(self) -> Side:
        """At most alpha."""
        return "at most"

    @property
    def bound(self) -> float:
        """The largest share."""
        return self.alpha

    def promise(self, of: PeopleOrRows = "people") -> str:
        """What is promised, as a clause."""
        what = f"value of {self.secret}"
        return f"each class has at least {self.k} {of}, and no {what} belongs to more than {self.alpha:g} of them"

    def measure(self, classes: Classes) -> FloatArray:
        """The share of the most frequent value; infinite in a class of fewer than k people."""
        cells = self.cells(classes)
        share = np.maximum.reduceat(cells.count, cells.starts) / classes.sizes
        return np.where(classes.sizes >= self.k, share, np.inf)

    def found(self, worst: float, of: PeopleOrRows = "people") -> str:
        """What was measured, as a phrase."""
        return "the smallest class has fewer" if np.isinf(worst) else f"the largest share is {worst:.4g}"

    def unkeepable(self, measured: FloatArray) -> FloatArray:
        """If a value has the share m > alpha, at least (m - alpha)/(1 - alpha) must go."""
        return excess(measured, self.alpha, 1.0)

    def limits(self) -> ClassLimits:
        """People, and the share of a value; everybody has a value, so there are at least 1/alpha."""
        return ClassLimits(
            people=self.k,
            values=whole_at_least(1 / self.alpha),
            shares=lambda expected: at_most_share(expected, self.alpha),
        )

    def implied(self) -> tuple[TableGuarantee, ...]:
        """k-anonymity; and at least 1/alpha values, since everybody has one and none is had by more than alpha."""
        least = whole_at_least(1 / self.alpha)
        people = KAnonymity(k=self.k)
        return (people, LDiversity(l=least, kind="distinct", column=self.column)) if least >= 2 else (people,)


GUARANTEE: type[TableGuarantee] = AlphaKAnonymity
