"""What was promised and what was measured, ready to be set: one entry for each guarantee, and those alike as a group.

Guarantees are alike where they differ in their column only. A group is shown by its weakest member, the one that comes
closest to its bound or misses it by most; the others are listed below it.
"""

from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

from tacit.evidence import charts
from tacit.evidence.figures import datum, plain_number, whole
from tacit.evidence.numerals import against, count
from tacit.evidence.promises import PromiseInWords, alike, key_of, margin, promise_of
from tacit.promise import WorstPart
from tacit.release.release import Release


@dataclass(frozen=True)
class Weak:
    """One of the weakest classes of a finding."""

    people: Markup
    rows: Markup
    measured: Markup
    published: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class PromiseRow:
    """One guarantee: its words, its bound, what was measured before and after, and its weakest classes."""

    promise: PromiseInWords
    bound: Markup
    before: Markup | None
    measured: Markup
    gauge: Markup
    weakest: tuple[Weak, ...]


@dataclass(frozen=True)
class PromiseGroup:
    """Guarantees that differ in their column only, the weakest first."""

    title: str
    rows: tuple[PromiseRow, ...]
    columns: tuple[str, ...] = ()
    """The columns that it is about, as the plan has them in order."""

    @property
    def first(self) -> PromiseRow:
        """The weakest."""
        return self.rows[0]

    @property
    def others(self) -> tuple[PromiseRow, ...]:
        """All but the weakest."""
        return self.rows[1:]

    @property
    def holds(self) -> bool:
        """Whether all of them hold."""
        return all(row.promise.finding.holds for row in self.rows)


def promise_groups(release: Release[Any]) -> tuple[PromiseGroup, ...]:
    """What was promised and what was measured, in groups."""
    groups: dict[object, list[PromiseRow]] = {}
    for row in measured_promises(release):
        groups.setdefault(alike(row.promise.finding), []).append(row)
    return tuple(_group(rows) for rows in groups.values())


def measured_promises(release: Release[Any]) -> tuple[PromiseRow, ...]:
    """What was promised and what was measured."""
    earlier = {key_of(finding): finding.measured for finding in release.measured_before}
    return tuple(_measured(promise_of(one), earlier.get(key_of(one))) for one in release.measured)


@dataclass(frozen=True)
class OpenLimits:
    """What guarantees of one sort leave open."""

    title: str
    paper: str | None
    open: tuple[str, ...]


def limits(release: Release[Any]) -> tuple[OpenLimits, ...]:
    """What each sort of guarantee leaves open, once, however many columns it is promised of."""
    found: dict[object, list[PromiseInWords]] = {}
    for promise in map(promise_of, release.measured):
        found.setdefault((promise.finding.name, promise.finding.form, promise.open), []).append(promise)
    return tuple(
        OpenLimits(same[0].title if len(same) == 1 else _several(same[0], len(same)), same[0].paper, same[0].open)
        for same in found.values()
    )


def _group(rows: list[PromiseRow]) -> PromiseGroup:
    columns = tuple(row.promise.finding.column or "" for row in rows)
    rows.sort(key=lambda row: (row.promise.finding.holds, margin(row.promise.finding)))
    first = rows[0].promise
    return PromiseGroup(first.title if len(rows) == 1 else _several(first, len(rows)), tuple(rows), columns)


def _several(promise: PromiseInWords, number: int) -> str:
    bare = promise.title.removesuffix(f" of {promise.finding.column}") if promise.finding.column else promise.title
    return f"{bare} of {count(number)} columns"


def _measured(promise: PromiseInWords, before: float | None) -> PromiseRow:
    finding = promise.finding
    return PromiseRow(
        promise=promise,
        bound=datum(finding.bound, promise.bound),
        before=None if before is None else plain_number(before),
        measured=datum(finding.measured, against(finding.measured, finding.bound)),
        gauge=charts.gauge(finding.measured, finding.bound, before, finding.side == "at least"),
        weakest=tuple(_weak(one, finding.bound) for one in finding.worst),
    )


def _weak(one: WorstPart, bound: float) -> Weak:
    return Weak(
        people=whole(one.people),
        rows=whole(one.rows),
        measured=datum(one.measured, against(one.measured, bound)),
        published=tuple(one.published.items()),
    )
