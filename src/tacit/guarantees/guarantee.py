"""What a guarantee is: parameters, a measure of each class, and the side of the bound that is safe."""

from typing import ClassVar, Literal, Protocol

import numpy as np
from pydantic import BaseModel, ConfigDict

from tacit.arrays import BoolArray, FloatArray
from tacit.data.classes import Classes

Monotone = Literal["class", "table", "no"]
"""What merging classes can't spoil. `class`: a class that satisfies the bound still does after merging with any other.
`table`: if all classes satisfy it, all do after merging. `no`: neither."""


class Guarantee(Protocol):
    """A promise with its parameters (a frozen `Params`). The arrays have one entry for each class."""

    name: ClassVar[str]
    title: ClassVar[str]
    paper: ClassVar[str]
    monotone: ClassVar[Monotone]

    @property
    def bound(self) -> float:
        """The number that is promised."""
        ...

    def measure(self, classes: Classes) -> FloatArray:
        """What each class reaches, in the unit of the bound."""
        ...

    def satisfied(self, measured: FloatArray) -> BoolArray:
        """Which of these measures keep the promise."""
        ...

    def worst(self, measured: FloatArray) -> float:
        """The measure furthest on the unsafe side."""
        ...

    def implied(self) -> "tuple[Guarantee, ...]":
        """Guarantees monotone by class that follow from this one; a search prunes with them."""
        ...


class WorstClass(BaseModel):
    """A class that comes closest to the bound or fails it, without a cell of the data."""

    model_config = ConfigDict(frozen=True)

    people: int
    rows: int
    measured: float
    published: dict[str, str] = {}


class Finding(BaseModel):
    """What a check found: the bound, the measured value, whether it holds and where it is worst."""

    model_config = ConfigDict(frozen=True, ser_json_inf_nan="strings")

    name: str
    column: str | None = None
    parameters: dict[str, float | int | str | None]
    bound: float
    measured: float
    holds: bool
    classes: int
    failing_classes: int
    failing_people: int
    compared_with: str | None = None
    worst: tuple[WorstClass, ...] = ()
    worst_positions: tuple[int, ...] = ()


def check(guarantee: Guarantee, classes: Classes, most: int = 5) -> Finding:
    """The finding of `guarantee` on `classes`, naming the `most` worst of them by position."""
    measured = guarantee.measure(classes)
    satisfied = guarantee.satisfied(measured)
    order = np.argsort(measured if is_floor(guarantee) else -measured, kind="stable")[:most]
    worst = [
        WorstClass(people=int(classes.sizes[i]), rows=int(classes.rows[i]), measured=float(measured[i])) for i in order
    ]
    parameters = guarantee.model_dump()  # type: ignore[attr-defined]
    return Finding(
        name=guarantee.name,
        column=parameters.get("column"),
        parameters=parameters,
        bound=guarantee.bound,
        measured=guarantee.worst(measured),
        holds=bool(satisfied.all()),
        classes=classes.number,
        failing_classes=int((~satisfied).sum()),
        failing_people=int(classes.sizes[~satisfied].sum()),
        compared_with=getattr(guarantee, "compared_with", None),
        worst=tuple(worst),
        worst_positions=tuple(int(i) for i in order),
    )


def is_floor(guarantee: Guarantee) -> bool:
    """Whether larger measures are safer."""
    return bool(guarantee.worst(np.array([0.0, 1.0])) == 0.0)
