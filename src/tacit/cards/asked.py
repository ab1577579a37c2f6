"""Private methods that an engine can serve: what the engine must find, what it found, and the noise added to that.

From arrays such a method is one call of `run`. From an engine it is three steps: `wanted` says what the engine must
find, the engine finds it, `answer` adds the noise. `spends` is the event of either, known before; `takes` says which
columns are read and which parameters follow from what a plan declares of them.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from tacit.cards.card import P
from tacit.cards.private import PrivateMethod
from tacit.params import Params

if TYPE_CHECKING:
    from tacit.accounting.events import Event
    from tacit.cards.takes import Takes
    from tacit.data.aggregates.aggregate import Groupable
    from tacit.noise.private_answer import PrivateAnswer
    from tacit.randomness.stream import RandomBits

Q = TypeVar("Q", bound=Params, contravariant=True)


class RowsError(Protocol[Q]):
    """The error that an answer about this number of rows does not exceed, with probability `level`."""

    def __call__(self, params: Q, rows: int, level: float = 0.95) -> float:
        """In the unit of the answer; `rows` is a public guess."""
        ...


def any_rows(error: Callable[[P, float], float]) -> RowsError[P]:
    """An error that is the same for any number of rows, as a card takes it."""

    def of_any(params: P, rows: int, level: float = 0.95) -> float:
        return error(params, level)

    return of_any


@dataclass(frozen=True, kw_only=True)
class AskedMethod(PrivateMethod[P]):
    """Answers from what an engine finds in rows.

    `asks` names what the parameters ask for, if the title is more general than that. `wanted` and `answer` are None if
    one pass over the rows is not enough; such a method runs on arrays only.
    """

    takes: "Takes"
    spends: "Callable[[P], Event]"
    wanted: "Callable[[Sequence[str], P], Groupable[Any]] | None" = None
    answer: "Callable[[Any, P, RandomBits], PrivateAnswer] | None" = None
    error: RowsError[P] | None = None
    asks: Callable[[P], str] | None = None

    @property
    def filled_in(self) -> frozenset[str]:
        """The names of its parameters that a plan fills in from what it says elsewhere; they are not written again."""
        return self.takes.filled & frozenset(self.params.model_fields)

    @property
    def written(self) -> tuple[str, ...]:
        """The names of its parameters that somebody writes."""
        return tuple(name for name in self.params.model_fields if name not in self.filled_in)
