"""Cards: what a method, a metric or an attack says of itself; every face of it is derived from its card.

Command line, plan file, forms, reference pages and contract tests read the card and nothing else: its title, its
parameters with their bounds, what it needs and gives in words, the paper that it follows and an example that runs.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeVar

from tacit.params import Params

if TYPE_CHECKING:
    from tacit.data.published import Published

P = TypeVar("P", bound=Params)

Kind = Literal["table", "answer"]
"""What a method works on: a table of rows about people, or the exact answer to one query."""


@dataclass(frozen=True, kw_only=True)
class Card(Generic[P]):
    """What all cards say. `needs` and `gives` are half-sentences; `paper` is the address of the source (a DOI)."""

    title: str
    params: type[P]
    needs: str
    gives: str
    paper: str
    example: P


@dataclass(frozen=True, kw_only=True)
class Method(Card[P]):
    """A way to protect data. `guarantees` names those that it can give; what `run` takes depends on the `kind`."""

    run: Callable[..., Any]
    guarantees: tuple[str, ...] | Literal["any"]
    kind: Kind = "table"


@dataclass(frozen=True)
class MetricValue:
    """What a metric found: the number it is known by, its columns' own numbers, and other forms of it by name.

    `per_column` is empty where the metric is about rows.
    """

    value: float
    per_column: Mapping[str, float] = field(default_factory=dict)
    details: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Metric(Card[P]):
    """A measure of what a release cost or still reveals; `better` says in which direction to hope."""

    run: "Callable[[Published, P], MetricValue]"
    better: Literal["lower", "higher"] = "lower"


@dataclass(frozen=True, kw_only=True)
class Attack(Card[P]):
    """A way to challenge a release; what `run` takes depends on the `kind` of data."""

    run: Callable[..., Any]
    kind: Kind = "table"
