"""A sensitivity: the most that one step between neighbours moves an answer, in three norms, with the reason.

L1 calibrates Laplace and geometric noise, L2 Gaussian noise, the maximum norm selection. All are exact rationals;
where a root is irrational it is rounded up. Many rows of one unit move an answer at most that many times as far
(triangle inequality).
"""

from dataclasses import dataclass
from fractions import Fraction

from tacit.accounting.exact import RealNumber, exact, root_up
from tacit.errors import BadParameter
from tacit.sensitivity.neighbours import Neighbours, Unit


@dataclass(frozen=True)
class Sensitivity:
    """How far an answer moves, and why; true for `neighbours` where that is not None, else for its own notion."""

    title: str
    l1: Fraction
    l2: Fraction
    linf: Fraction
    why: str
    neighbours: Neighbours | None = None

    def for_unit(self, unit: Unit) -> "Sensitivity":
        """The sensitivity when all rows of the unit change at once.

        Between `replace` neighbours each of its rows becomes another: the number of rows stays, since it is public.
        Where a person may be replaced by one with more or fewer rows, take `add-remove` and count both.
        """
        if unit.steps == 1:
            return self
        why = f"{self.why}; {unit.steps} rows of one {unit.kind} change at once"
        steps = unit.steps
        return Sensitivity(self.title, steps * self.l1, steps * self.l2, steps * self.linf, why, self.neighbours)


def scalar(title: str, amount: Fraction, why: str, neighbours: Neighbours | None = None) -> Sensitivity:
    """The sensitivity of one number: all norms agree."""
    return Sensitivity(title, amount, amount, amount, why, neighbours)


def vector(title: str, moves: list[Fraction], why: str, neighbours: Neighbours | None = None) -> Sensitivity:
    """The sensitivity of a vector whose entries move by these amounts in the worst case."""
    square = sum((move * move for move in moves), Fraction(0))
    return Sensitivity(title, sum(moves, Fraction(0)), root_up(square), max(moves), why, neighbours)


@dataclass(frozen=True)
class Bounds:
    """Declared limits of a value; data are clamped to them."""

    low: Fraction
    high: Fraction

    @property
    def width(self) -> Fraction:
        """From end to end."""
        return self.high - self.low

    @property
    def size(self) -> Fraction:
        """The largest absolute value."""
        return max(abs(self.low), abs(self.high))


def bounds(low: RealNumber | None, high: RealNumber | None) -> Bounds:
    """Declared bounds; missing, infinite or reversed ones are refused."""
    if low is None or high is None:
        raise BadParameter(
            "bounds are missing; declare the least and greatest possible value, never read them from data"
        )
    ends = Bounds(exact(low), exact(high))
    if ends.low >= ends.high:
        raise BadParameter(f"bounds are {low} to {high}; the first must be below the second")
    return ends
