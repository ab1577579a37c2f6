"""Dates: days and moments generalise to calendar periods: 1984-03, 1984-Q1, 1984, 1980s, 1900s, then `*`.

Values are ISO 8601 dates or timestamps (or follow a given `strptime` format); a moment counts for the date that is
written, whatever its time zone. Each period lies within one period of every coarser kind, so any of them in rising
order form a tree. Weeks are absent: one may lie in two months.
"""

import re
from collections.abc import Callable, Sequence
from datetime import date, datetime
from typing import ClassVar, Literal, Self

from pydantic import Field, field_validator, model_validator

from tacit.data.tables.hierarchy import SUPPRESSED, Hierarchy, show_shapes
from tacit.errors import BadData
from tacit.params import Params

Period = Literal["day", "month", "quarter", "year", "decade", "century"]

LABELS: dict[Period, Callable[[date], str]] = {
    "day": lambda day: day.isoformat(),
    "month": lambda day: f"{day.year:04d}-{day.month:02d}",
    "quarter": lambda day: f"{day.year:04d}-Q{(day.month + 2) // 3}",
    "year": lambda day: f"{day.year:04d}",
    "decade": lambda day: f"{day.year // 10 * 10:04d}s",
    "century": lambda day: f"{day.year // 100 * 100:04d}s",
}
PERIODS: tuple[Period, ...] = tuple(LABELS)
_MOMENT = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}(?:[T ][0-9]{2}:[0-9]{2}.*)?", re.ASCII)


class DateSpec(Params):
    """Calendar periods, fine to coarse."""

    kind: ClassVar[str] = "dates"

    dates: tuple[Period, ...] = Field(
        description="periods, fine to coarse: " + ", ".join(PERIODS), examples=[["month", "year", "decade"]]
    )
    format: str | None = Field(default=None, min_length=1, description="how dates are written, as strptime has it")

    @field_validator("dates")
    @classmethod
    def _rising(cls, periods: tuple[Period, ...]) -> tuple[Period, ...]:
        if not periods:
            raise ValueError("no period is given; write at least one, such as dates: [month, year, decade]")
        right = tuple(period for period in PERIODS if period in periods)
        if periods != right:
            raise ValueError(f"periods go from fine to coarse, each once: write [{', '.join(right)}]")
        return periods

    @model_validator(mode="after")
    def _sufficient(self) -> Self:
        if self.format is not None and not _keeps(self.format, self.dates):
            finest = "year" if self.dates[0] in ("decade", "century") else self.dates[0]
            raise ValueError(f"the format {self.format!r} does not give the {finest}; write one such as '%d.%m.%Y'")
        return self


def _keeps(form: str, periods: tuple[Period, ...]) -> bool:
    """Whether a date that is written and read in this format stays in its periods."""
    # A date that differs from 1900-01-01, which strptime assumes for what a format leaves out, in every period.
    probe = datetime(2047, 11, 23, 21, 43, 57)
    try:
        again = datetime.strptime(probe.strftime(form), form).date()
    except (ValueError, re.error):
        return False
    return all(LABELS[period](again) == LABELS[period](probe.date()) for period in periods)


def read_date(text: str) -> date | None:
    """The day of an ISO date or timestamp, None where the text is neither."""
    stripped = text.strip()
    if not _MOMENT.fullmatch(stripped):
        return None
    try:
        return date.fromisoformat(stripped) if len(stripped) == 10 else datetime.fromisoformat(stripped).date()
    except ValueError:
        return None


def build_dates(column: str, spec: DateSpec, values: Sequence[str]) -> Hierarchy:
    """The hierarchy of the spec over the observed values (none missing), in the order of time."""
    days = [read_date(value) if spec.format is None else _read_format(value, spec.format) for value in values]
    strange = [value for value, day in zip(values, days, strict=True) if day is None]
    if strange:
        written = "ISO dates such as 1984-03-05" if spec.format is None else f"dates of the format {spec.format!r}"
        raise BadData(
            f"column {column!r}: {len(strange)} value(s) are not {written}: {show_shapes(strange)}; "
            "clean them, or state the `format` they have"
        )
    dated = sorted((day, value) for day, value in zip(days, values, strict=True) if day is not None)
    known = list(dict.fromkeys(day for day, _ in dated))
    levels = [[value for _, value in dated]]
    for period in spec.dates:
        label = {day: LABELS[period](day) for day in known}
        levels.append([label[day] for day, _ in dated])
    return Hierarchy.from_levels(column, [*levels, [SUPPRESSED] * len(values)])


def _read_format(text: str, form: str) -> date | None:
    try:
        return datetime.strptime(text.strip(), form).date()
    except ValueError:
        return None
