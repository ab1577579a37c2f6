"""Metrics: what a release cost, or what it still reveals."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

from tacit.cards.card import Card, P

Standard = Literal["release", "comparison", "two tables"]
"""What a metric may be measured of though nobody asks."""


@dataclass(frozen=True)
class MetricValue:
    """What a metric found: the number it is known by, its columns' own numbers, and other forms of it by name.

    `per_column` is empty where the metric is about rows.
    """

    value: float
    per_column: Mapping[str, float] = field(default_factory=dict)
    details: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class Views:
    """What a metric compares that is not about tables: the data as it was, and as it was published."""

    before: Any
    after: Any


@dataclass(frozen=True, kw_only=True)
class Metric(Card[P]):
    """A measure of what publishing cost, or of what is still revealed: it compares data before and after.

    On tables `run` takes a `Comparison`, on another `kind`, which a subclass names, it takes `Views`. `better` says
    which direction is better. A metric that `needs_pairs` follows rows, so it measures only a table with the same rows
    as before: a recoded one. All other metrics also compare sampled or synthetic tables. `standard` says where it is
    measured by default: in every release, for every candidate of a comparison, for any two tables. Such a metric is
    quick, needs no parameters, and in a comparison reads no secrets. A metric that `is_share` is written in percent;
    one `of_risk` says what is still revealed, and stands with the risk rather than with what was lost.
    """

    kind: ClassVar[str] = "tables"

    run: Callable[[Any, P], MetricValue]
    needs_pairs: bool = False
    better: Literal["lower", "higher"] = "lower"
    standard: tuple[Standard, ...] = ()
    is_share: bool = False
    of_risk: bool = False
