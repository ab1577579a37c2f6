"""What all cards of differential privacy say: what an answer spends, how far off it is, and how it can be audited.

`spends` needs no data, so that a charge can come before the question. From `error`, the parameters that keep a given
error are found in one place for all cards.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from tacit.cards.card import P
from tacit.cards.least_epsilon import Dial, with_least
from tacit.cards.method import Method
from tacit.errors import BadParameter

if TYPE_CHECKING:
    from tacit.accounting.events import Event
    from tacit.noise.private_answer import PrivateAnswer
    from tacit.randomness.stream import RandomBits
    from tacit.sensitivity.pair import Pair


def epsilon_to_100(params: Any) -> Dial:
    """The usual dial: epsilon, up to 100."""
    return Dial()


@dataclass(frozen=True, kw_only=True)
class PrivateMethod(Method[P]):
    """A method whose outputs are differentially private.

    `run` takes its input, the parameters and the random bits. `spends` is the event of an answer, known before it is
    given. `neighbours` are pairs of inputs, invented from the parameters alone, that differ by one unit of privacy; the
    auditor tries to distinguish the outputs on them. `error` bounds the error of an answer, if it is known beforehand,
    and `dial` is the parameter that makes it smaller. `delta` names the parameter that is a delta, None if there is
    none; while that parameter is 0 or None, no delta is promised.
    """

    run: "Callable[[Any, P, RandomBits], PrivateAnswer]"
    spends: "Callable[..., Event]"
    neighbours: "Callable[[P], Sequence[Pair]]"
    error: Callable[..., float] | None = None
    dial: Callable[[P], Dial] = epsilon_to_100
    delta: str | None = None
    guarantees: tuple[str, ...] | Literal["any"] = ("answers",)

    def spends_on(self, given: Any, params: P) -> "Event":
        """The event of an answer about this input. It depends on the public shape of the input, never on its values."""
        return self.spends(params)

    def prices(self, params: P) -> tuple[str, ...]:
        """The parameters that say what is spent: that of the dial, and the delta where one is promised."""
        loss = self.dial(params).name
        return (loss,) if self.delta is None or not self.promised_delta(params) else (loss, self.delta)

    def promised_delta(self, params: P) -> float:
        """The delta that the parameters promise, 0 if they promise none."""
        return 0.0 if self.delta is None else getattr(params, self.delta) or 0.0

    def for_error(self, most: float, params: P, *known: Any, **more: Any) -> P:
        """The parameters with the least privacy loss at which the error is at most `most`.

        `known` and `more` are what `error` takes beside the parameters, such as the number of rows and the level.
        """
        error = self.error
        if error is None:
            raise BadParameter(f"the error of {self.title} is not known beforehand; give an epsilon instead")
        return with_least(params, most, lambda asked: error(asked, *known, **more), self.dial(params))
