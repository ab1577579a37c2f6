"""Mechanisms: noise on an exact answer, or a choice by exact scores, whose sensitivity the caller knows."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, TypeVar

from tacit.cards.card import P
from tacit.cards.private import PrivateMethod
from tacit.params import Params

if TYPE_CHECKING:
    from tacit.accounting.events import Event

Q = TypeVar("Q", bound=Params, contravariant=True)


@dataclass(frozen=True)
class AnswerShape:
    """The public part of an exact answer: how many numbers it has, and whether their type is whole."""

    numbers: int = 1
    whole: bool = False

    @classmethod
    def of(cls, answer: Any) -> "AnswerShape":
        """The shape of a number or a vector."""
        import numpy as np

        values = np.asarray(answer)
        return cls(values.size, values.dtype.kind != "f")


ONE_NUMBER = AnswerShape()


class Spends(Protocol[Q]):
    """The privacy event of an answer of this shape.

    A vector is rounded to the grid number by number, so the event may depend on how many there are; it never depends on
    what they are.
    """

    def __call__(self, params: Q, shape: AnswerShape = ONE_NUMBER, /) -> "Event":
        """The event, known before anything runs."""
        ...


@dataclass(frozen=True, kw_only=True)
class Mechanism(PrivateMethod[P]):
    """Makes one exact answer private.

    `copies` gives the parameters with which many copies of a whole-number answer, given as one vector, get independent
    noise of the law that one copy would get; it is None, or gives None, where there are no such parameters.
    """

    kind: ClassVar[str] = "mechanisms"

    spends: Spends[P]
    copies: Callable[[P], P | None] | None = None

    def spends_on(self, given: Any, params: P) -> "Event":
        """The event of an answer of this shape."""
        return self.spends(params, AnswerShape.of(given))
