"""The metrics of a released table in words, each written as people think of it: a share in percent."""

from dataclasses import dataclass
from functools import cache

from markupsafe import Markup

from tacit.catalogue import find_metric
from tacit.errors import BadParameter
from tacit.evidence.figures import part, plain_number
from tacit.release.tables import TableRelease


@dataclass(frozen=True)
class MeasureInWords:
    """One metric: its name, what it means, its value, and whether it is about risk rather than loss."""

    name: str
    about: str
    value: Markup
    of_risk: bool


@dataclass(frozen=True)
class _MetricWords:
    title: str
    gives: str
    is_share: bool
    of_risk: bool


def measures(release: TableRelease) -> tuple[MeasureInWords, ...]:
    """All metrics, in the order of the evidence."""
    return tuple(_measure(name, value) for name, value in release.body.metrics.items())


def is_share(name: str) -> bool:
    """Whether the metric is written in percent."""
    return _words(name).is_share


def title_of(name: str) -> str:
    """What people call the metric."""
    return _words(name).title


def _measure(name: str, value: float) -> MeasureInWords:
    words = _words(name)
    return MeasureInWords(
        words.title, words.gives, part(value) if words.is_share else plain_number(value), words.of_risk
    )


@cache
def _words(name: str) -> _MetricWords:
    """What the card says; of a part of a metric or a column's own value, only whether it is about risk."""
    base = name.partition("[")[0].partition(".")[0]
    try:
        card = find_metric(base, "tables")
    except BadParameter:
        return _MetricWords(name, "", False, False)
    if base != name:
        return _MetricWords(name, "", False, card.of_risk)
    return _MetricWords(card.title, card.gives, card.is_share, card.of_risk)
