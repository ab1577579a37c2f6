"""What a guarantee is: parameters, a measure of each class, and the side of the bound that is safe."""

from typing import Any, ClassVar, Literal, Protocol

import numpy as np

from tacit.arrays import BoolArray, FloatArray
from tacit.data.classes import Classes
from tacit.data.tally import Tally
from tacit.promise import Measured, WorstPart

Monotone = Literal["class", "table", "no"]
"""What merging classes can't spoil. `class`: a class that satisfies the bound still does after merging with any other.
`table`: if all classes satisfy it, all do after merging (the reference distribution stays the input's). `no`: neither.

A claim of `table` takes for granted that a person stands in one class only, so that counts add up when classes merge;
see `monotone_on`."""


class Guarantee(Protocol):
    """A promise with its parameters (a frozen `Params`). The arrays have one entry for each class."""

    name: ClassVar[str]
    title: ClassVar[str]
    paper: ClassVar[str]

    @property
    def monotone(self) -> Monotone:
        """What merging classes can't spoil."""
        ...

    @property
    def bound(self) -> float:
        """The number that is promised."""
        ...

    @property
    def promise(self) -> str:
        """What holds, in plain words, as a half-sentence."""
        ...

    def measure(self, classes: Classes) -> FloatArray:
        """What each class reaches, in the unit of the bound."""
        ...

    def satisfied(self, measured: FloatArray) -> BoolArray:
        """Which of these measures keep the promise."""
        ...

    def margin(self, measured: FloatArray) -> FloatArray:
        """How far each measure lies on the safe side of the bound; the lowest margin is the worst class."""
        ...

    def worst(self, measured: FloatArray) -> float:
        """The measure furthest on the unsafe side; of no class at all, the measure of an empty release."""
        ...

    def found(self, worst: float) -> str:
        """What the worst class reaches, in plain words, as a half-sentence."""
        ...

    def unkeepable(self, measured: FloatArray) -> FloatArray:
        """The share of the people of each class that fails however the class is split; 0 where that is not known.

        It holds where each person stands in one class with one value, so that a class is a mixture of its parts. It
        is a share of the rows only where nobody has several.
        """
        ...

    def implied(self) -> "tuple[Guarantee, ...]":
        """Guarantees monotone by class that follow from this one; a search prunes with them."""
        ...

    def model_dump(self) -> dict[str, Any]:
        """The parameters by name."""
        ...


def monotone_on(guarantee: Guarantee, tally: Tally) -> Monotone:
    """What merging classes can't spoil on this data.

    Where a person stands in several combinations, a merged class has fewer people than its parts together, its
    distribution is no mean of theirs, and a claim about tables is lost. Claims about classes rest on sets that only
    grow, so they stay.
    """
    spread = tally.people.spread_key.size > 0
    return "no" if spread and guarantee.monotone == "table" else guarantee.monotone


def check(guarantee: Guarantee, classes: Classes, most: int = 5) -> Measured:
    """What `guarantee` measures on `classes`, with the `most` worst of them by position."""
    measured = guarantee.measure(classes)
    satisfied = guarantee.satisfied(measured)
    worst = guarantee.worst(measured)
    holds = bool(satisfied.all() and guarantee.satisfied(np.array([worst])).all())
    failing = int((~satisfied).sum())
    order = np.argsort(guarantee.margin(measured), kind="stable")[:most]
    parameters = guarantee.model_dump()
    return Measured(
        name=guarantee.name,
        column=_column(parameters, classes),
        parameters=parameters,
        bound=guarantee.bound,
        measured=worst,
        holds=holds,
        says=_say(guarantee, worst, holds, (failing, classes.number)),
        parts=classes.number,
        failing=failing,
        failing_people=int(classes.sizes[~satisfied].sum()),
        compared_with=getattr(guarantee, "compared_with", None),
        worst=tuple(_describe(classes, measured, int(i)) for i in order),
        worst_positions=tuple(int(i) for i in order),
    )


def _column(parameters: dict[str, Any], classes: Classes) -> str | None:
    """The column that was measured: the given one or, where a guarantee has one and it is left out, the only one."""
    if "column" not in parameters:
        return None
    given: str | None = parameters["column"]
    return next(iter(classes.sensitive), None) if given is None else given


def _describe(classes: Classes, measured: FloatArray, i: int) -> WorstPart:
    return WorstPart(people=int(classes.sizes[i]), rows=int(classes.rows[i]), measured=float(measured[i]))


def _say(guarantee: Guarantee, worst: float, holds: bool, failing: tuple[int, int]) -> str:
    number, classes = failing
    found = guarantee.found(worst) if classes else "no class is published"
    if holds:
        return f"{guarantee.promise}; {found}"
    breaks = "breaks" if number == 1 else "break"
    return f"{number} of {classes} classes {breaks} the promise that {guarantee.promise}; {found}"
