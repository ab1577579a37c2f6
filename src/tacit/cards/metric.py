"""Metrics: what a release cost, or what it still reveals."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar, Literal

from tacit.cards.card import Card, P

if TYPE_CHECKING:
    from tacit.data.published import Published


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
    """A measure of a release; `better` says in which direction to hope."""

    kind: ClassVar[str] = "tables"

    run: "Callable[[Published, P], MetricValue]"
    better: Literal["lower", "higher"] = "lower"
