"""Dates that a column writes in several ways, against `strptime`.

Covers hierarchies/dates.
"""

from datetime import date, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacit.data.tables.hierarchies.dates import read_days
from tacit.data.tables.hierarchies.spec import build_hierarchy, parse_spec
from tacit.errors import BadData, BadParameter

FORMATS = ("%d.%m.%Y", "%Y-%m-%d", "%m/%d/%Y")


@given(st.lists(st.tuples(st.dates(date(1900, 1, 1)), st.sampled_from(FORMATS)), min_size=1, max_size=20))
def test_every_date_is_read_in_the_way_it_was_written(written: list[tuple[date, str]]) -> None:
    assert read_days([day.strftime(form) for day, form in written], FORMATS) == [day for day, _ in written]


@given(st.lists(st.dates(date(1930, 1, 1), date(2024, 12, 31)), min_size=1, max_size=20))
def test_short_years_end_with_the_latest_long_one(days: list[date]) -> None:
    texts = ["31.12.2024", *(day.strftime("%m/%d/%y") for day in days)]
    assert read_days(texts, ("%d.%m.%Y", "%m/%d/%y")) == [date(2024, 12, 31), *days]


def test_the_first_format_that_fits_counts() -> None:
    assert read_days(["03/04/2020"], ("%d/%m/%Y", "%m/%d/%Y")) == [date(2020, 4, 3)]
    assert read_days(["03/04/2020"], ("%m/%d/%Y", "%d/%m/%Y")) == [date(2020, 3, 4)]
    assert read_days(["12/31/2020"], ("%d/%m/%Y", "%m/%d/%Y")) == [date(2020, 12, 31)]


def test_the_levels_of_several_formats() -> None:
    spec = parse_spec("born", {"dates": ["month", "year"], "formats": ["%d.%m.%Y", "%Y-%m-%d"]})
    values = [(date(1980, 1, 1) + timedelta(days=40 * n)).strftime(("%d.%m.%Y", "%Y-%m-%d")[n % 2]) for n in range(20)]
    built = build_hierarchy("born", spec, values, Path())
    assert built.labels[2] == ("1980", "1981", "1982")
    with pytest.raises(
        BadData, match=r"1 value does not read as a date of the format '%d.%m.%Y' or '%Y-%m-%d': '99/99/99'"
    ):
        build_hierarchy("born", spec, [*values, "01/02/80"], Path())


@pytest.mark.parametrize(
    ("form", "message"),
    [
        ({"format": "%d.%m.%Y", "formats": ["%Y-%m-%d"]}, "`format` or `formats`, not both"),
        ({"formats": ["%Y-%m-%d", "%d.%m."]}, r"'%d.%m.' does not give the year"),
    ],
)
def test_formats_that_can_not_be(form: dict[str, object], message: str) -> None:
    with pytest.raises(BadParameter, match=message):
        parse_spec("born", {"dates": ["year"], **form})


def test_two_digits_mean_no_year_after_the_latest() -> None:
    texts = ["05.10.33", "01.02.99", "29.02.24", "31.12.26"]
    found = read_days(texts, ("%d.%m.%y",), 2026)
    assert found == [date(1933, 10, 5), date(1999, 2, 1), date(2024, 2, 29), date(2026, 12, 31)]
    assert read_days(texts[:1], ("%d.%m.%y",), 2040) == [date(2033, 10, 5)]
    # Without one, the notation of strptime decides.
    assert read_days(texts[:1], ("%d.%m.%y",)) == [date(2033, 10, 5)]
