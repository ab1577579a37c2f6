"""Accountants: each reads a case and gives, for every delta, an epsilon that the case does not exceed."""

from collections.abc import Callable
from fractions import Fraction
from typing import Protocol

from tacit.accounting.atoms import EventCase

Curve = Callable[[Fraction], float]
"""For a delta in [0, 1) an upper bound on epsilon; infinity where the accountant has none."""


class Accountant(Protocol):
    """One way to add up. The bound never lies below the truth, falls as delta grows, and is 0 for the empty case."""

    @property
    def name(self) -> str:
        """The method's name in `Spending`."""
        ...

    def curve(self, case: EventCase) -> Curve:
        """The bound as a function of delta; what does not depend on delta is computed once."""
        ...
