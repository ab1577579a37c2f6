"""Dates: days and moments generalise to calendar periods: 1984-03, 1984-Q1, 1984, 1980s, 1900s, then `*`.

Values are ISO 8601 dates or timestamps (or follow a given `strptime` format, or one of several); a moment counts for
the date that is written, whatever its time zone. Of several formats the first that fits counts, so the one that most
values have is named first: it decides what 03/04/2020 means. A year of two digits lies within the hundred years up to
the `latest` year, by default the latest that another value of the column writes in full. Each period lies within one
period of every coarser kind, so any of them in rising order form a tree. Weeks are absent: one may lie in two months.
"""

import re
from collections.abc import Callable, Sequence
from datetime import date, datetime
from typing import Annotated, ClassVar, Literal, Self

from pydantic import Field, field_validator, model_validator

from tacit.data.tables.hierarchy import SUPPRESSED, Hierarchy, show_shapes
from tacit.errors import BadData
from tacit.params import Params
from tacit.places import Notation
from tacit.spelling import many

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
    format: str | None = Field(
        default=None, min_length=1, description="how dates are written, in the notation of strptime"
    )
    formats: Annotated[tuple[Annotated[str, Field(min_length=1)], ...] | None, Notation('["%d.%m.%Y", "%Y-%m-%d"]')] = (
        Field(
            default=None,
            min_length=1,
            description="if dates are written in several ways, each of them in the notation of strptime; the first "
            "that fits is used",
        )
    )

    latest: Annotated[int, Field(ge=1, le=9999)] | None = Field(
        default=None,
        description="the latest year that two digits may mean; by default the latest that another value writes in full",
    )

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
        if self.format is not None and self.formats is not None:
            raise ValueError("write `format` or `formats`, not both")
        for form in self.written:
            if not _keeps(form, self.dates):
                finest = "year" if self.dates[0] in ("decade", "century") else self.dates[0]
                raise ValueError(f"the format {form!r} does not give the {finest}; write one such as '%d.%m.%Y'")
        return self

    @property
    def written(self) -> tuple[str, ...]:
        """The formats that values may have, in the order in which they are tried; none for ISO dates."""
        return self.formats or (() if self.format is None else (self.format,))


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
    days = read_days(values, spec.written, spec.latest) if spec.written else [read_date(value) for value in values]
    strange = [value for value, day in zip(values, days, strict=True) if day is None]
    if strange:
        forms = " or ".join(map(repr, spec.written))
        written = f"a date of the format {forms}" if forms else "an ISO date such as 1984-03-05"
        raise BadData(
            f"column {column!r}: {many(len(strange), 'value does', 'values do')} not read as {written}: "
            f"{show_shapes(strange)}; clean them, or state the `format` that they have, or the `formats`"
        )
    dated = sorted((day, value) for day, value in zip(days, values, strict=True) if day is not None)
    known = list(dict.fromkeys(day for day, _ in dated))
    levels = [[value for _, value in dated]]
    for period in spec.dates:
        label = {day: LABELS[period](day) for day in known}
        levels.append([label[day] for day, _ in dated])
    return Hierarchy.from_levels(column, [*levels, [SUPPRESSED] * len(values)])


def read_days(values: Sequence[str], forms: Sequence[str], latest: int | None = None) -> list[date | None]:
    """The day of each value by the first of the formats that fits it; None where none does."""
    read = [_first_fitting(value, forms) for value in values]
    latest = latest or max((day.year for day, form in read if day is not None and not _is_short(form)), default=None)
    return [_moved(day, latest) if _is_short(form) else day for day, form in read]


def _first_fitting(text: str, forms: Sequence[str]) -> tuple[date | None, str]:
    for form in forms:
        day = _read_format(text, form)
        if day is not None:
            return day, form
    return None, ""


def _is_short(form: str) -> bool:
    """Whether the format has years of two digits."""
    return "%y" in form.replace("%%", "")


def _moved(day: date | None, latest: int | None) -> date | None:
    """The day in the hundred years up to the latest."""
    if day is None or latest is None:
        return day
    year = day.year - (day.year - latest + 99) // 100 * 100 if day.year > latest else day.year
    try:
        return day.replace(year=year)
    except ValueError:  # The 29th of February of 1900, which had none.
        return None


def _read_format(text: str, form: str) -> date | None:
    try:
        return datetime.strptime(text.strip(), form).date()
    except ValueError:
        return None
