"""δ-disclosure privacy (Brickell and Shmatikov 2008): a class changes the odds of no sensitive value much, either way.

For every value of the input and every class |ln(p/q)| < δ, strictly, with frequency p in the class and q in the input.
As in the paper, a value that a class lacks has p = 0 and breaks the promise: its absence tells something too. So
every class has every value; with more than a few values that is a demanding promise.

Monotone by table: q e^(−δ) < p < q e^δ is an interval for each value, and a merged class has a mean of its parts'
distributions. Not by class: merging with a class that breaks it may break it.
"""

from typing import TYPE_CHECKING, Annotated, ClassVar

import numpy as np
from pydantic import Field

from tacit.arrays import FloatArray
from tacit.data.tables.classes import Classes
from tacit.guarantees._bounds import SLACK, because
from tacit.guarantees._limits import ClassLimits, ShareLimits
from tacit.guarantees._sensitive import ADDED_BY_A_CLASS
from tacit.guarantees._sql import DISCLOSURE, InSql
from tacit.guarantees.guarantee import Monotone, PeopleOrRows, SecretGuarantee, Side, TableGuarantee


class DeltaDisclosure(SecretGuarantee):
    """The log-ratio of a sensitive value's frequency in a class and in the input stays below delta."""

    name: ClassVar[str] = "delta-disclosure"
    title: ClassVar[str] = "δ-disclosure privacy"
    paper: ClassVar[str] = "https://doi.org/10.1145/1401890.1401904"
    sql: ClassVar[InSql] = DISCLOSURE
    open: ClassVar[tuple[str, ...]] = ("It does not hide who is in which class.", ADDED_BY_A_CLASS)
    compared_with: ClassVar[str | None] = "the distribution of the input"

    if TYPE_CHECKING:
        # What an editor and a type checker see; `Guarantee` reads the values.
        def __init__(self, delta: float, *, column: str | None = None) -> None: ...

    delta: Annotated[
        float,
        Field(gt=0, description="the bound below which |ln(p/q)| stays, for every value and class"),
        because("it must be above 0, since |ln(p/q)| is never below 0"),
    ]

    @property
    def monotone(self) -> Monotone:
        """An interval for the share of each value, and merging averages shares."""
        return "table"

    @property
    def side(self) -> Side:
        """Strictly below delta."""
        return "below"

    @property
    def bound(self) -> float:
        """What the log-ratio stays below."""
        return self.delta

    def promise(self, of: PeopleOrRows = "people") -> str:
        """What is promised, as a clause."""
        factor = np.exp(self.delta)
        what = f"value of {self.secret}"
        return f"in each class every {what} is less than {factor:.4g} times as frequent or as rare as in the input"

    def measure(self, classes: Classes) -> FloatArray:
        """The largest |ln(p/q)| of each class; infinite where it lacks a value of the input or has another."""
        cells = self.cells(classes)
        with np.errstate(divide="ignore"):
            ratio = np.abs(np.log(cells.shares / cells.expected))
        measured = np.maximum.reduceat(ratio, cells.starts)
        # A value that the input lacks makes the ratio infinite already, so counting all values finds those missing.
        measured[cells.distinct() < np.count_nonzero(cells.frequencies.reference)] = np.inf
        return measured

    def found(self, worst: float, of: PeopleOrRows = "people") -> str:
        """What was measured, as a phrase."""
        if np.isinf(worst):
            return "a class lacks a value of the input, or has one that the input lacks"
        return f"the largest factor is {np.exp(worst):.4g}"

    def limits(self) -> ClassLimits:
        """No share differs from the input's by a factor of e to the delta, either way."""
        return ClassLimits(shares=self._shares, gain=float(np.exp(self.delta * (1 - SLACK))))

    def _shares(self, expected: FloatArray) -> ShareLimits:
        # Strictly below, so the slack is taken off twice.
        factor = np.exp(self.delta * (1 - 2 * SLACK))
        return ShareLimits(expected / factor, expected * factor)


GUARANTEE: type[TableGuarantee] = DeltaDisclosure
