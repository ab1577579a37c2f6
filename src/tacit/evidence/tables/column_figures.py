"""Columns as figures: what was done to each, what it cost, and its values before and after suppression."""

from dataclasses import dataclass
from functools import cache

from markupsafe import Markup

from tacit.catalogue import find_metric
from tacit.errors import BadParameter
from tacit.evidence import charts
from tacit.evidence.figures import Bar, part, plain_number, whole
from tacit.evidence.numerals import count, many, share
from tacit.evidence.svg import SvgWords
from tacit.release.tables import ColumnReport, TableRelease

MOST_SHOWN = 12
MOST_LISTED = 200


@dataclass(frozen=True)
class Cost:
    """One column: what was done to it and what that cost."""

    column: ColumnReport
    ladder: Markup | None
    level: str
    bar: Markup | None
    loss: str


@dataclass(frozen=True)
class FigureValues:
    """The values of one column before and after suppression: the largest as bars, the rest as a table."""

    column: str
    about: str
    bars: tuple[Bar, ...]
    left_out: int
    rows: tuple[tuple[str, ...], ...]
    unlisted: int


def costs(release: TableRelease) -> tuple[Cost, ...]:
    """All columns, the quasi-identifiers that lost most first."""
    order = sorted(release.body.columns, key=lambda one: (one.role != "quasi-identifier", -(one.loss or 0.0)))
    return tuple(_cost(column) for column in order)


def _cost(column: ColumnReport) -> Cost:
    level, ladder, bar, loss = "–", None, None, "–"
    if column.height is not None:
        level = f"{'–' if column.level is None else column.level} of {column.height}"
    if column.level is not None and column.height:
        words = SvgWords(f"Level of {column.name}", f"published at level {level}")
        ladder = charts.ladder(column.level, column.height, words)
    if column.loss is not None:
        loss = part(column.loss)
        bar = charts.bar(column.loss, SvgWords(f"Loss of {column.name}", share(column.loss)))
    return Cost(column, ladder, level, bar, loss)


def cost_table(release: TableRelease) -> tuple[tuple[str, ...], ...]:
    """Name, weight, distortion, precision, entropy of each column that has one of them."""
    rows = []
    for column in release.body.columns:
        numbers = (column.weight, column.distortion, column.precision, column.entropy)
        if any(number is not None for number in numbers):
            rows.append((column.name, *("–" if number is None else plain_number(number) for number in numbers)))
    return tuple(rows)


def whole_table(release: TableRelease) -> Cost | None:
    """The loss of the whole table, where it was measured."""
    loss = release.body.metrics.get("loss")
    if loss is None:
        return None
    return _cost(ColumnReport(name="whole table", role="weighted mean", action="", loss=loss))


def measures(release: TableRelease) -> tuple[tuple[str, str, Markup], ...]:
    """The measures of the whole table: name, meaning, number."""
    return tuple((*_words(name), plain_number(value)) for name, value in release.body.metrics.items())


@cache
def _words(name: str) -> tuple[str, str]:
    try:
        card = find_metric(name, "tables")
    except BadParameter:
        return name, ""
    return card.title, card.gives


def values(release: TableRelease) -> tuple[FigureValues, ...]:
    """The values of each column that has some, the most frequent first."""
    return tuple(_values(column) for column in release.body.columns if column.marginals)


def _values(column: ColumnReport) -> FigureValues:
    order = sorted(column.marginals, key=lambda one: (-max(one.before, one.after), one.label))
    longest = max(max(order[0].before, order[0].after), 1)
    bars = tuple(
        Bar(
            one.label,
            charts.pair(
                one.before / longest,
                one.after / longest,
                SvgWords(
                    f"Rows of {column.name} = {one.label}", f"{count(one.before)} before, {count(one.after)} after"
                ),
            ),
            (whole(one.before), whole(one.after)),
        )
        for one in order[:MOST_SHOWN]
    )
    rows = tuple((one.label, whole(one.before), whole(one.after)) for one in order[:MOST_LISTED])
    about = f"{column.role}, {many(len(order), 'value', 'values')}"
    return FigureValues(
        column.name, about, bars, max(len(order) - MOST_SHOWN, 0), rows, max(len(order) - MOST_LISTED, 0)
    )
