"""Private answers: what all of them have in common.

Every answer says what it spent (`event`), whether its noise came from a seed and so may not be published (`seeded`),
bounds of the truth (`interval`), and what may be published of it as plain values for JSON (`published`). All its fields
are noisy, or public: nothing exact is kept in an answer.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import wraps
from typing import Any, ClassVar, Protocol, Self, TypeVar, cast

import numpy as np

from tacit.accounting.events import Event, in_scope
from tacit.accounting.scope import Scope
from tacit.arrays import FloatArray
from tacit.randomness.stream import RandomBits

UNKNOWN = (
    "Nothing is known here: the noise is about as large as what it hides, and the interval holds every number that is "
    "possible. Ask with a larger epsilon, about more rows, or about fewer columns."
)
"""What an answer remarks that says nothing; it is seen in what is published."""


@dataclass(frozen=True)
class Interval:
    """Bounds that contain the true answers."""

    lower: FloatArray
    upper: FloatArray


class PrivateAnswer(Protocol):
    """What runs, reports and auditors may ask of any private answer."""

    @property
    def event(self) -> Event:
        """What was spent."""
        ...

    @property
    def seeded(self) -> bool:
        """Whether whoever knows the seed can take the noise out again; such an answer may not be published."""
        ...

    def interval(self, level: float = 0.95) -> Interval | None:
        """Bounds that hold the true values with probability `level`; None where none can be given."""
        ...

    def published(self, level: float = 0.95) -> dict[str, Any]:
        """What may be published, as values for JSON: `values`, their `lower` and `upper` bounds, and what else is told.

        A bound that is infinite is null.
        """
        ...

    def labels(self, columns: Sequence[str]) -> Any:
        """What each of the values is, in the shape of the values, for a question about these columns.

        None where there is one value, or where the values need no names.
        """
        ...

    def remarks(self) -> tuple[str, ...]:
        """What whoever asked should know about the answer, in sentences; computed only from what is published."""
        ...


class Publishable:
    """What answers share: each says in `told` what it publishes, `values` first."""

    public: ClassVar[frozenset[str]] = frozenset({"event", "seeded"})
    """Fields that depend on parameters alone, so that an auditor need not look at them."""

    def told(self) -> Mapping[str, Any]:
        """What is published: `values`, and whatever else there is."""
        return {}

    def interval(self, level: float = 0.95) -> Interval | None:
        """None: there are no bounds that hold the truth."""
        return None

    def labels(self, columns: Sequence[str]) -> Any:
        """None: the values need no names."""
        return None

    def remarks(self) -> tuple[str, ...]:
        """Nothing is remarked."""
        return ()

    def published(self, level: float = 0.95) -> dict[str, Any]:
        """What may be published, as values for JSON."""
        ends, told = self.interval(level), dict(self.told())
        bounds = {"lower": None, "upper": None} if ends is None else {"lower": ends.lower, "upper": ends.upper}
        seeded = cast(PrivateAnswer, self).seeded
        found = {"values": told.pop("values"), **bounds, "level": level, **told, "seeded": seeded}
        return {name: plain(part) for name, part in found.items()}

    def marked(self, seeded: bool, scope: Scope | None = None) -> Self:
        """The answer with where its noise came from, and with the scope of its event."""
        event = cast(PrivateAnswer, self).event
        changed = replace(cast(Any, self), seeded=seeded, event=event if scope is None else in_scope(event, scope))
        return cast(Self, changed)


class DerivedAnswer(Publishable):
    """An answer computed from another one, its field `source`: it has the same cost and the same noise."""

    source: ClassVar[str] = "noisy"

    @property
    def event(self) -> Event:
        """What was spent."""
        return cast(Event, getattr(self, self.source).event)

    @property
    def seeded(self) -> bool:
        """Whether the noise came from a seed."""
        return bool(getattr(self, self.source).seeded)

    def marked(self, seeded: bool, scope: Scope | None = None) -> Self:
        """The answer with where its noise came from, and with the scope of its event."""
        source = getattr(self, self.source).marked(seeded, scope)
        return cast(Self, replace(cast(Any, self), **{self.source: source}))


def plain(value: Any) -> Any:
    """The value as JSON holds it: arrays and tuples as lists, what is not finite as null."""
    if isinstance(value, np.ndarray | np.generic):
        value = value.tolist()
    if isinstance(value, Mapping):
        return {str(name): plain(part) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [plain(part) for part in value]
    if isinstance(value, Fraction):
        value = float(value)
    return None if isinstance(value, float) and not math.isfinite(value) else value


class ScopedQuestion(Protocol):
    """Parameters that say whom an answer protects."""

    @property
    def scope(self) -> Scope:
        """Between which datasets answers are alike."""
        ...


X = TypeVar("X")
P = TypeVar("P")
S = TypeVar("S", bound=ScopedQuestion)
A = TypeVar("A", bound=Publishable)


def marked(run: Callable[[X, P, RandomBits], A]) -> Callable[[X, P, RandomBits], A]:
    """A mechanism whose answers say whether they were seeded."""

    @wraps(run)
    def of_bits(given: X, params: P, bits: RandomBits) -> A:
        return run(given, params, bits).marked(bits.seeded)

    return of_bits


def scoped(answer: Callable[[X, S, RandomBits], A]) -> Callable[[X, S, RandomBits], A]:
    """A statistic whose answers say whether they were seeded, and whose events say whom they are about."""

    @wraps(answer)
    def of_scope(given: X, params: S, bits: RandomBits) -> A:
        return answer(given, params, bits).marked(bits.seeded, params.scope)

    return of_scope
