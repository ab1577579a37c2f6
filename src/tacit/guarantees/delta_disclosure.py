"""δ-disclosure privacy (Brickell and Shmatikov 2008): a class changes the odds of no sensitive value much, either way.

For every value of the input and every class |ln(p/q)| < δ, strictly, with frequency p in the class and q in the input.
As in the paper, a value that a class lacks has p = 0 and breaks the promise: its absence tells something too. So
every class has every value; with more than a few values that is a demanding promise.

Monotone by table: q e^(−δ) < p < q e^δ is an interval for each value, and a merged class has a mean of its parts'
distributions. Not by class: merging with a class that breaks it may break it.
"""

from typing import Annotated, ClassVar

import numpy as np
from pydantic import Field

from tacit.arrays import BoolArray, FloatArray
from tacit.data.tables.classes import Classes
from tacit.guarantees.bounds import because, below
from tacit.guarantees.guarantee import Guarantee, Monotone
from tacit.guarantees.sensitive import cells_of
from tacit.params import Params


class DeltaDisclosure(Params):
    """The log-ratio of a sensitive value's frequency in a class and in the input stays below delta."""

    name: ClassVar[str] = "delta-disclosure"
    title: ClassVar[str] = "δ-disclosure privacy"
    paper: ClassVar[str] = "https://doi.org/10.1145/1401890.1401904"
    monotone: ClassVar[Monotone] = "table"
    compared_with: ClassVar[str] = "the distribution of the input"

    delta: Annotated[
        float,
        Field(gt=0, description="what |ln(p/q)| stays below, for every value and class"),
        because("it must be above 0, since |ln(p/q)| is never below 0"),
    ]
    column: Annotated[str | None, Field(description="the sensitive column; may be left out where there is one")] = None

    @property
    def bound(self) -> float:
        """What the log-ratio stays below."""
        return self.delta

    @property
    def promise(self) -> str:
        """In words."""
        factor = np.exp(self.delta)
        what = f"value of {self.column or 'the sensitive column'}"
        return f"in each class every {what} is less than {factor:.4g} times as frequent or as rare as in the input"

    def measure(self, classes: Classes) -> FloatArray:
        """The largest |ln(p/q)| of each class; infinite where it lacks a value of the input or has another."""
        cells = cells_of(self.name, self.column, classes)
        with np.errstate(divide="ignore"):
            ratio = np.abs(np.log(cells.shares / cells.expected))
        measured = np.maximum.reduceat(ratio, cells.starts)
        # A value that the input lacks makes the ratio infinite already, so counting all values finds those missing.
        measured[cells.distinct() < np.count_nonzero(cells.frequencies.reference)] = np.inf
        return measured

    def satisfied(self, measured: FloatArray) -> BoolArray:
        """Below delta."""
        return below(measured, self.delta)

    def margin(self, measured: FloatArray) -> FloatArray:
        """Below delta."""
        return self.delta - measured

    def worst(self, measured: FloatArray) -> float:
        """The largest log-ratio."""
        return float(measured.max(initial=0.0))

    def found(self, worst: float) -> str:
        """In words."""
        if np.isinf(worst):
            return "a class lacks a value of the input, or has one that the input lacks"
        return f"the largest factor is {np.exp(worst):.4g}"

    def unkeepable(self, measured: FloatArray) -> FloatArray:
        """Nothing is known beyond the guarantees that it implies."""
        return np.zeros(measured.size)

    def implied(self) -> tuple[Guarantee, ...]:
        """None: it needs all values of the input in each class, and how many those are is not known here."""
        return ()


GUARANTEE: type[Guarantee] = DeltaDisclosure
