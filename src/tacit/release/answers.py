"""The body of private answers: each with its interval and its price, and what is left of the budget."""

from typing import Any

from pydantic import Field

from tacit.fact import Fact, Number
from tacit.release.release import Body, Release


class Amount(Fact):
    """An amount of privacy: epsilon and delta."""

    epsilon: Number
    delta: Number = 0.0


class PublishedAnswer(Fact):
    """One answer: what was asked, by which card with which parameters, and what came out.

    `values` lie between `lower` and `upper` with probability `level` each. Where the answer is grouped, `keys` names
    the group of each entry. `intervals` says whether any bound is a number; if none is, `lower` and `upper` are null.
    Otherwise they have the shape of `values`, and a value without bounds is not known at all. `labels` says what each
    of `values` is, in their shape. `told` holds what else the statistic publishes, and `remarks` are for readers.
    `event` is the privacy event in JSON that was charged, `epsilon` its price alone; `charge` and `receipt` are its
    number and hash in the ledger.
    """

    question: str
    card: str
    parameters: dict[str, Any]
    values: Any
    lower: Any = None
    upper: Any = None
    intervals: bool = False
    level: float | None = None
    keys: tuple[Any, ...] | None = None
    labels: Any = None
    remarks: tuple[str, ...] = ()
    event: dict[str, Any]
    epsilon: Number
    seeded: bool = False
    told: dict[str, Any] = Field(default_factory=dict)
    charge: int = 0
    receipt: str = ""


class AnswersBody(Body):
    """The answers of one run, the budget, what was spent of it before the run and until now, and what is left."""

    answers: tuple[PublishedAnswer, ...]
    budget: Amount
    before: Amount
    spent: Amount
    left: Amount


AnswersRelease = Release[AnswersBody]
"""Private answers that were published together."""
