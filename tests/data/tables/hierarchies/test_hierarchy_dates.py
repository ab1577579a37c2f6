"""Dates: every level is read off the text of a date, and what is no date is refused by its shape.

Covers hierarchies/dates.
"""

from datetime import date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacit.data.tables.hierarchies.dates import PERIODS, DateSpec, build_dates, read_date
from tacit.errors import BadData, BadParameter

QUARTERS = {"Q1": ("01", "02", "03"), "Q2": ("04", "05", "06"), "Q3": ("07", "08", "09"), "Q4": ("10", "11", "12")}


@given(st.lists(st.dates() | st.datetimes(), min_size=1, max_size=10, unique_by=str), st.sampled_from(" T"))
def test_labels_can_be_read_off_the_text(moments: list[date], between: str) -> None:
    values = [m.isoformat(between) if isinstance(m, datetime) else m.isoformat() for m in moments]
    hierarchy = build_dates("x", DateSpec(dates=PERIODS), values)
    assert sorted(hierarchy.leaves) == sorted(values)
    assert [leaf[:10] for leaf in hierarchy.leaves] == sorted(value[:10] for value in values)
    for position, leaf in enumerate(hierarchy.leaves):
        day, month, quarter, year, decade, century, root = (
            hierarchy.labels_at(level)[position] for level in range(1, 8)
        )
        assert (day, month, year) == (leaf[:10], leaf[:7], leaf[:4])
        assert (decade, century, root) == (leaf[:3] + "0s", leaf[:2] + "00s", "*")
        assert quarter[:5] == leaf[:4] + "-"
        assert leaf[5:7] in QUARTERS[quarter[5:]]


def test_the_labels_of_one_day() -> None:
    spec = DateSpec(dates=("month", "quarter", "year", "decade", "century"))
    hierarchy = build_dates("birth", spec, ["1984-03-05"])
    assert [names[0] for names in hierarchy.labels] == [
        "1984-03-05",
        "1984-03",
        "1984-Q1",
        "1984",
        "1980s",
        "1900s",
        "*",
    ]


@given(st.sets(st.sampled_from(PERIODS), min_size=1))
def test_any_subset_in_order_is_a_tree(chosen: set[str]) -> None:
    periods = [period for period in PERIODS if period in chosen]
    values = [f"{year}-{month:02d}-01" for year in (1899, 1900, 1999, 2000) for month in (1, 3, 4, 12)]
    assert build_dates("x", DateSpec.parse("x", {"dates": periods}), values).height == len(periods) + 1


def test_a_format_is_followed() -> None:
    hierarchy = build_dates("x", DateSpec(dates=("month",), format="%d.%m.%Y"), ["05.03.1984", "31.12.1983"])
    assert hierarchy.labels == (("31.12.1983", "05.03.1984"), ("1983-12", "1984-03"), ("*",))
    assert build_dates("x", DateSpec(dates=("decade",), format="%Y"), ["1984"]).labels[1] == ("1980s",)


@pytest.mark.parametrize(
    "text",
    ["1984-03-05", " 1984-03-05 ", "1984-03-05T10:00", "1984-03-05 10:00:00.123456789", "1984-03-05 23:59:59+00"],
)
def test_dates_and_moments_are_read(text: str) -> None:
    assert read_date(text) == date(1984, 3, 5)


@pytest.mark.parametrize(
    "text", ["", "1984", "1984-02-30", "19840305", "1984-W10", "1984-03-05 25:00", "05.03.1984", "x"]
)
def test_what_is_no_date_is_none(text: str) -> None:
    assert read_date(text) is None


def test_of_values_that_are_no_dates_the_shapes_are_shown() -> None:
    with pytest.raises(
        BadData,
        match=r"column 'birth': 2 values do not read as an ISO date such as 1984-03-05: '9999-99-99', 'aaaaaaa'",
    ):
        build_dates("birth", DateSpec(dates=("year",)), ["1984-02-30", "1984-02-28", "unknown"])
    with pytest.raises(BadData, match=r"not read as a date of the format '%d.%m.%Y': '9999-99-99'"):
        build_dates("birth", DateSpec(dates=("year",), format="%d.%m.%Y"), ["1984-02-28"])


@pytest.mark.parametrize(
    ("form", "words"),
    [
        ({"dates": []}, "no period is given"),
        ({"dates": ["year", "month"]}, r"from fine to coarse, each once: write \[month, year\]"),
        ({"dates": ["year", "year"]}, r"write \[year\]"),
        ({"dates": ["week"]}, "found 'week'"),
        ({"dates": ["month"], "format": "%Y"}, "'%Y' does not give the month"),
        ({"dates": ["century"], "format": "%H"}, "'%H' does not give the year"),
        ({"dates": ["year"], "format": "%Y %Y"}, "does not give the year"),
        ({"dates": ["year"], "format": "%"}, "does not give the year"),
    ],
)
def test_a_refusal_says_the_right_order_or_format(form: dict[str, object], words: str) -> None:
    with pytest.raises(BadParameter, match=words):
        DateSpec.parse("birth", form)
