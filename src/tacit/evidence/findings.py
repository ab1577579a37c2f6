"""What was promised and what was measured, ready to be set: one entry for each guarantee of a release.

A published label is shown only where its column was generalised: at level 0 a label is a cell of the data.
"""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

from tacit.evidence import charts
from tacit.evidence.figures import datum, plain_number, whole
from tacit.evidence.numerals import against
from tacit.evidence.promises import PromiseInWords, promise_of
from tacit.promise import Measured, WorstPart
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


def measured_promises(release: Release[Any], shown: Collection[str] = ()) -> tuple[PromiseRow, ...]:
    """What was promised and what was measured; labels of the columns in `shown` may be told."""
    earlier = {_key(finding): finding.measured for finding in release.measured_before}
    return tuple(_measured(promise_of(one), earlier.get(_key(one)), shown) for one in release.measured)


def _key(finding: Measured) -> tuple[str, str | None, tuple[tuple[str, object], ...]]:
    return finding.name, finding.column, tuple(sorted(finding.parameters.items()))


def _measured(promise: PromiseInWords, before: float | None, shown: Collection[str]) -> PromiseRow:
    finding = promise.finding
    return PromiseRow(
        promise=promise,
        bound=datum(finding.bound, promise.bound),
        before=None if before is None else plain_number(before),
        measured=datum(finding.measured, against(finding.measured, finding.bound)),
        gauge=charts.gauge(finding.measured, finding.bound, before, finding.side == "at least"),
        weakest=tuple(_weak(one, finding.bound, shown) for one in finding.worst),
    )


def _weak(one: WorstPart, bound: float, shown: Collection[str]) -> Weak:
    return Weak(
        people=whole(one.people),
        rows=whole(one.rows),
        measured=datum(one.measured, against(one.measured, bound)),
        published=tuple((name, label) for name, label in one.published.items() if name in shown),
    )
