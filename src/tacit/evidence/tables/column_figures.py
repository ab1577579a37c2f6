"""Columns as figures: what was done to each, what it cost, and its values before and after suppression."""

from dataclasses import dataclass

from markupsafe import Markup

from tacit.evidence import charts
from tacit.evidence.figures import Bar, part, plain_number, whole
from tacit.evidence.numerals import count, many, share
from tacit.evidence.svg import SvgWords
from tacit.evidence.tables.measured import MeasureInWords, measures
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
    remark: str = ""


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
    """The columns that have a loss, those that lost most first."""
    found = [one for one in release.body.columns if _has_cost(one)]
    return tuple(_cost(column) for column in sorted(found, key=lambda one: -(one.loss or 0.0)))


def _has_cost(column: ColumnReport) -> bool:
    return column.loss is not None or column.level is not None


@dataclass(frozen=True)
class ColumnsWithoutLoss:
    """Columns of one role to which the same was done and which have no loss."""

    role: str
    action: str
    columns: tuple[str, ...]


def uncosted(release: TableRelease) -> tuple[ColumnsWithoutLoss, ...]:
    """The columns without a loss: removed, kept or treated."""
    groups: dict[tuple[str, str], list[str]] = {}
    for one in release.body.columns:
        if not _has_cost(one):
            groups.setdefault((one.role, one.action), []).append(_with_values(one))
    return tuple(ColumnsWithoutLoss(role, action, tuple(names)) for (role, action), names in groups.items())


def _with_values(column: ColumnReport) -> str:
    """The column, with how many values it had and has and its hierarchy, as far as that is known."""
    before, after = column.distinct_before, column.distinct_after
    told = [] if before is None else [many(before, "value")]
    told += [] if after is None or after == before else [f"now {count(after)}"]
    if column.hierarchy is not None:
        levels = "" if column.height is None else f", {many(column.height, 'level')}"
        told.append(f"hierarchy {column.hierarchy}{levels}")
    return f"{column.name} ({'; '.join(told)})" if told else column.name


def _cost(column: ColumnReport) -> Cost:
    level, ladder, bar, loss = "", None, None, "not measured"
    if column.height is not None:
        level = f"up to {column.height}" if column.level is None else f"{column.level} of {column.height}"
    if column.level is not None and column.height:
        words = SvgWords(f"Level of {column.name}", f"published at level {level}")
        ladder = charts.ladder(column.level, column.height, words)
    if column.loss is not None:
        loss = part(column.loss)
        bar = charts.bar(column.loss, SvgWords(f"Loss of {column.name}", share(column.loss)))
    return Cost(column, ladder, level, bar, loss, _remark(column))


def _remark(column: ColumnReport) -> str:
    """Why a column that was kept has a loss."""
    kept = column.level == 0 or column.action.startswith("kept as")
    return "The loss is that of suppressed rows." if kept and column.loss else ""


def cost_table(release: TableRelease) -> tuple[tuple[str, ...], ...]:
    """Name, weight, distortion, precision, entropy of each column that has one of them."""
    rows = []
    for column in release.body.columns:
        plain, shares = (column.weight, column.distortion), (column.precision, column.entropy)
        if any(number is not None for number in (*plain, *shares)):
            cells = [*((one, plain_number) for one in plain), *((one, part) for one in shares)]
            rows.append((column.name, *("none" if one is None else shown(one) for one, shown in cells)))
    return tuple(rows)


def whole_table(release: TableRelease) -> Cost | None:
    """The loss of the whole table, where it was measured."""
    loss = release.body.metrics.get("loss")
    if loss is None:
        return None
    return _cost(ColumnReport(name="whole table", role="weighted mean", action="", loss=loss))


def loss_measures(release: TableRelease) -> tuple[MeasureInWords, ...]:
    """The metrics that say what was lost."""
    return tuple(one for one in measures(release) if not one.of_risk)


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
