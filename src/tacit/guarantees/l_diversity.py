"""l-diversity (Machanavajjhala, Kifer, Gehrke and Venkitasubramaniam 2006): each class has l well-represented values.

Against an adversary who finds a person's class and reads the sensitive value off it (W4). With p the distribution of
the column in a class and r1 ≥ r2 ≥ … its counts, "well represented" means:

- distinct: at least l values, however rare.
- entropy: exp(−Σ p ln p) ≥ l; the left side is the effective number of values, and l may be fractional.
- recursive (c, l): r1 / (r_l + … + r_m) < c, infinite with fewer than l values (W1).
- probabilistic: no value belongs to more than 1/l of the people of the class (Xiao and Tao 2006).

The last three imply at least l values. None looks at how likely a value was beforehand (W9). Monotone (W8): distinct by
class, a merged class having all values of its parts; the others by table, since the merged distribution is a mean of
its parts' and each condition names a convex set: entropy is concave; r1 + c (r1 + … + r_(l−1)) − c, sums of largest
shares, is convex, and so is the largest share. By class they are not: a class of one value may spoil them.
"""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Annotated, ClassVar, Literal, Self

import numpy as np
from pydantic import Field, model_validator

from tacit.arrays import FloatArray
from tacit.data.tables.classes import Classes
from tacit.guarantees._bounds import SLACK, because, excess, refusal, whole_at_least
from tacit.guarantees._limits import ClassLimits, DistributionLimit, at_most_share
from tacit.guarantees._sensitive import SensitiveCells
from tacit.guarantees._sql import DIVERSITY, InSql
from tacit.guarantees.guarantee import Guarantee, Monotone, PeopleOrRows, SecretGuarantee, Side, TableGuarantee
from tacit.guarantees.k_anonymity import KAnonymity

DiversityKind = Literal["distinct", "entropy", "recursive", "probabilistic"]


class LDiversity(SecretGuarantee):
    """Each class has at least l well-represented values of a sensitive column."""

    name: ClassVar[str] = "l-diversity"
    title: ClassVar[str] = "l-diversity"
    paper: ClassVar[str] = "https://doi.org/10.1145/1217299.1217302"
    sql: ClassVar[InSql] = DIVERSITY
    open: ClassVar[tuple[str, ...]] = (
        "Rare and frequent values count alike: where a value is rare in the whole table, a class may still raise the "
        "belief in it many times over (skewness), and different values may mean much the same (similarity).",
    )

    if TYPE_CHECKING:
        # What an editor and a type checker see; `Guarantee` reads the values.
        def __init__(
            self,
            l: float,  # noqa: E741 - the field's own symbol
            *,
            kind: DiversityKind = "entropy",
            c: float | None = None,
            column: str | None = None,
        ) -> None: ...

    l: Annotated[  # noqa: E741 - the field's own symbol
        float,
        Field(gt=1, description="the least number of well-represented values; whole for distinct and recursive"),
        because("it must be above 1, since a class with one value gives that value away"),
    ]
    kind: Annotated[DiversityKind, Field(description="what well represented means")] = "entropy"
    c: Annotated[
        float | None,
        Field(gt=0, description="recursive only: the most frequent value stays below c times the tail"),
        because("it must be above 0, since every class has a most frequent value"),
    ] = None

    @model_validator(mode="after")
    def _fits_kind(self) -> Self:
        if self.kind in ("distinct", "recursive") and not self.l.is_integer():
            raise refusal("l", f"{self.l:g}", f"{self.kind} l-diversity counts values, so it must be a whole number")
        if self.kind == "recursive" and self.c is None:
            raise refusal("c", "missing", "recursive (c, l)-diversity needs it; 3 or 4 are usual")
        if self.kind != "recursive" and self.c is not None:
            raise refusal(
                "c", f"{self.c:g}", f"only recursive l-diversity has it, and kind is {self.kind}; leave it out"
            )
        return self

    @property
    def form(self) -> str:
        """Its kind."""
        return self.kind

    @property
    def monotone(self) -> Monotone:
        """By class for distinct, by table for the others."""
        return "class" if self.kind == "distinct" else "table"

    @property
    def side(self) -> Side:
        """At least l, or below c where the kind is recursive."""
        return "at least" if self.c is None else "below"

    @property
    def bound(self) -> float:
        """l, or c where the kind is recursive."""
        return self.l if self.c is None else self.c

    def promise(self, of: PeopleOrRows = "people") -> str:
        """What is promised, as a clause."""
        values = f"values of {self.secret}"
        if self.kind == "probabilistic":
            return f"each of the {values} belongs to at most {1 / self.l:.4g} of the {of} of a class"
        if self.c is not None:
            tail = f"{values} at rank {self.l:g} and below"
            return f"in each class the most frequent value has fewer than {self.c:g} times the {of} of the {tail}"
        return f"each class has at least {self.l:g} {'' if self.kind == 'distinct' else 'effective '}{values}"

    def measure(self, classes: Classes) -> FloatArray:
        """Number of values, effective number of values, r1 over the tail, or 1 over the largest frequency."""
        return _MEASURES[self.kind](self, self.cells(classes), classes)

    def found(self, worst: float, of: PeopleOrRows = "people") -> str:
        """What was measured, as a phrase."""
        if self.kind == "probabilistic":
            return f"the largest share is {1 / worst:.4g}"
        if self.kind == "recursive":
            few = f"a class has fewer than {self.l:g} values"
            return few if np.isinf(worst) else f"the largest multiple is {worst:.4g}"
        return f"the least diverse has {worst:.4g}"

    def unkeepable(self, measured: FloatArray) -> FloatArray:
        """Entropy is concave: of a class with entropy h, at least 1 - h/log(l) must go; shares are linear."""
        reached = self.l * (1 - 2 * SLACK)
        if self.kind == "entropy" and reached > 1:
            kept: FloatArray = np.log(np.maximum(measured, 1.0)) / np.log(reached)
            return np.clip(1 - kept, 0.0, 1.0)
        if self.kind == "probabilistic":
            return excess(1 / np.maximum(measured, 1.0), 1 / self.l, 1.0)
        return np.zeros(measured.size)

    def limits(self) -> ClassLimits:
        """The share of a value where the kind is probabilistic, a form of the distribution otherwise."""
        values = whole_at_least(self.l)
        if self.kind == "probabilistic":
            return ClassLimits(values=values, shares=lambda expected: at_most_share(expected, 1 / self.l))
        return ClassLimits(values=values, distribution=DistributionLimit(self.kind, self.bound, int(self.l)))

    @classmethod
    def suggested(cls, secrets: Mapping[str, int]) -> tuple[Guarantee, ...]:
        """Three different values of each sensitive column in each class, or as many as it has."""
        return tuple(
            cls(l=min(3, number), kind="distinct", column=name) for name, number in secrets.items() if number > 1
        )

    def implied(self) -> tuple[TableGuarantee, ...]:
        """At least l values; for probabilistic also l people, since a share of at most 1/l is at least one person."""
        least = whole_at_least(self.l)
        if least < 2:
            return ()
        distinct = LDiversity(l=least, kind="distinct", column=self.column)
        return (distinct, KAnonymity(k=least)) if self.kind == "probabilistic" else (distinct,)


def _distinct(_: LDiversity, cells: SensitiveCells, __: Classes) -> FloatArray:
    return cells.distinct().astype(np.float64)


def _entropy(_: LDiversity, cells: SensitiveCells, __: Classes) -> FloatArray:
    # −Σ p ln p = ln n − Σ c ln c / n: one logarithm a cell and no division.
    weighted = cells.sums(np.log(cells.count) * cells.count)
    effective = np.exp(np.log(cells.totals) - weighted / cells.totals)
    # Values that are equally frequent are as many as there are, which logarithms miss by their last digit.
    alike = np.maximum.reduceat(cells.count, cells.starts) == np.minimum.reduceat(cells.count, cells.starts)
    return np.where(alike, cells.distinct(), effective)


def _recursive(guarantee: LDiversity, cells: SensitiveCells, _: Classes) -> FloatArray:
    count, class_ = cells.count, cells.frequencies.class_
    span = int(count.max(initial=0)) + 1
    # Class and falling count packed into one number, so that a plain sort orders the counts of each class.
    falling = span - 1 - np.sort(class_ * span + (span - 1 - count)) % span
    running = np.concatenate(([0], np.cumsum(falling)))
    ends = cells.ends
    tail = running[ends] - running[np.minimum(cells.starts + int(guarantee.l) - 1, ends)]
    ratio = np.full(tail.size, np.inf)
    np.divide(falling[cells.starts], tail, out=ratio, where=tail > 0)
    return ratio


def _probabilistic(_: LDiversity, cells: SensitiveCells, classes: Classes) -> FloatArray:
    return classes.sizes / np.maximum.reduceat(cells.count, cells.starts)


_MEASURES: Mapping[DiversityKind, Callable[[LDiversity, SensitiveCells, Classes], FloatArray]] = {
    "distinct": _distinct,
    "entropy": _entropy,
    "recursive": _recursive,
    "probabilistic": _probabilistic,
}

GUARANTEE: type[TableGuarantee] = LDiversity
