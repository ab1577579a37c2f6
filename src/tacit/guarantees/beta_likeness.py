"""β-likeness (Cao and Karras 2012): in no class is a sensitive value much likelier than in the input.

The adversary's relative gain on a value of frequency q that has frequency p > q in a class is (p − q)/q. Basic: it is
at most β for every value. Enhanced: at most min(β, −ln q), which tightens the limit for frequent values, so that no
class makes a value certain. Rare values are protected as strictly as they need, unlike under t-closeness; a value
that becomes less likely does not count.

Measured is the largest gain; for the enhanced kind each gain is scaled by β / min(β, −ln q), so that it exceeds β
exactly when it exceeds its own limit. A value that the input lacks has an infinite gain.

Monotone by table: p ≤ q (1 + limit) is a linear condition for each value, and a merged class has a mean of its parts'
distributions. Not by class: merging with a class that breaks it may break it.
"""

from typing import TYPE_CHECKING, Annotated, ClassVar, Literal

import numpy as np
from pydantic import Field

from tacit.arrays import FloatArray
from tacit.data.tables.classes import Classes
from tacit.guarantees._bounds import because
from tacit.guarantees._limits import ClassLimits, ShareLimits
from tacit.guarantees._sensitive import ADDED_BY_A_CLASS
from tacit.guarantees._sql import LIKENESS, InSql
from tacit.guarantees.guarantee import Monotone, PeopleOrRows, SecretGuarantee, Side, TableGuarantee


class BetaLikeness(SecretGuarantee):
    """The relative gain in belief about any sensitive value is at most beta."""

    name: ClassVar[str] = "beta-likeness"
    title: ClassVar[str] = "β-likeness"
    paper: ClassVar[str] = "https://doi.org/10.14778/2350229.2350255"
    sql: ClassVar[InSql] = LIKENESS
    open: ClassVar[tuple[str, ...]] = (
        "A belief that falls is not bounded, only one that rises.",
        ADDED_BY_A_CLASS,
    )
    compared_with: ClassVar[str | None] = "the distribution of the input"

    if TYPE_CHECKING:
        # What an editor and a type checker see; `Guarantee` reads the values.
        def __init__(
            self, beta: float, *, kind: Literal["basic", "enhanced"] = "enhanced", column: str | None = None
        ) -> None: ...

    beta: Annotated[
        float,
        Field(gt=0, description="the largest relative gain (p − q)/q of a value's frequency in a class"),
        because("it must be above 0; at 0 every class would have to equal the input"),
    ]
    kind: Annotated[
        Literal["basic", "enhanced"], Field(description="enhanced also limits each gain to −ln q, for frequent values")
    ] = "enhanced"

    @property
    def form(self) -> str:
        """Its kind."""
        return self.kind

    @property
    def monotone(self) -> Monotone:
        """The limit of each value is linear in the distribution, which merging averages."""
        return "table"

    @property
    def side(self) -> Side:
        """At most beta."""
        return "at most"

    @property
    def bound(self) -> float:
        """The largest gain."""
        return self.beta

    def promise(self, of: PeopleOrRows = "people") -> str:
        """What is promised, as a clause."""
        limit = f"{self.beta:g}" if self.kind == "basic" else f"{self.beta:g} (less for frequent values)"
        what = f"value of {self.secret}"
        return f"in no class does the frequency of a {what} exceed the input's by a factor of more than 1 + {limit}"

    def measure(self, classes: Classes) -> FloatArray:
        """The largest gain of each class, scaled to its limit where the kind is enhanced."""
        cells = self.cells(classes)
        expected = cells.expected
        with np.errstate(divide="ignore"):
            gain = np.maximum(cells.shares - expected, 0.0) / expected
            if self.kind == "enhanced":
                limit = np.minimum(-np.log(expected), self.beta)
                # A gain of 0 stays 0, even where the limit is: a value that everybody has in the input.
                gain = np.divide(gain * self.beta, limit, out=gain, where=gain > 0)
        return np.maximum.reduceat(gain, cells.starts)

    def found(self, worst: float, of: PeopleOrRows = "people") -> str:
        """What was measured, as a phrase."""
        if np.isinf(worst):
            return "a class has a value that the input lacks"
        return f"the largest {'gain' if self.kind == 'basic' else 'gain, scaled to its limit,'} is {worst:.4g}"

    def limits(self) -> ClassLimits:
        """No share exceeds the input's by more than the gain that is allowed for its value."""
        return ClassLimits(shares=self._shares, gain=1 + self.beta)

    def _shares(self, expected: FloatArray) -> ShareLimits:
        with np.errstate(divide="ignore"):
            gain = np.minimum(-np.log(expected), self.beta) if self.kind == "enhanced" else self.beta
        return ShareLimits(np.zeros(expected.size), expected * (1 + gain))


GUARANTEE: type[TableGuarantee] = BetaLikeness
