"""A first line that is a row of data is not taken for the names of the columns.

Covers examine, inspection/names.
"""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacit.data.sources.profile import ColumnProfile
from tacit.data.sources.source import file_source
from tacit.engines.duckdb import DuckDB
from tacit.errors import BadData
from tacit.inspection.examine import examine
from tacit.inspection.names import sign_of

ROWS = "33,M,flu\n41,F,hiv\n35,M,none\n29,F,flu\n41,M,hiv\n30,F,none\n"


def inspected(folder: Path, text: str) -> tuple[str, ...]:
    """The names that the file is found to have."""
    path = folder / "people.csv"
    path.write_text(text, encoding="utf-8")
    with DuckDB() as engine:
        return tuple(profile.name for profile in examine(engine, file_source(path)).profiles)


@pytest.mark.parametrize("first", ["33,M,flu\n", "40,F,hiv\n", "200,F,hiv\n"])
def test_a_file_without_names_is_refused_and_shows_no_cell(tmp_path: Path, first: str) -> None:
    with pytest.raises(BadData, match="looks like a row of data") as refusal:
        inspected(tmp_path, first + ROWS)
    assert not any(cell in str(refusal.value) for cell in first.strip().split(","))


@pytest.mark.parametrize(
    "first",
    ["age,sex,illness\n", "age,M,flu\n", "33,sex,flu\n", "2019,2020,2021\n"],
)
def test_one_name_that_can_be_no_value_suffices(tmp_path: Path, first: str) -> None:
    assert ",".join(inspected(tmp_path, first + ROWS)) + "\n" == first


@pytest.mark.slow
def test_a_wide_table_of_years_keeps_its_names(tmp_path: Path) -> None:
    assert inspected(tmp_path, "country,2019,2020\n" + "a,1000,3000\nb,2500,1800\n" * 3) == ("country", "2019", "2020")


@given(st.sampled_from(["flu", "asthma", "7", "50", "-3", ""]), st.booleans())
def test_the_sign_of_a_name_is_what_the_values_allow(name: str, numeric: bool) -> None:
    values = ("1", "7", "12") if numeric else ("flu", "hiv", "none")
    profile = ColumnProfile(
        name, "VARCHAR", 3, 0, 3, 3, 1, 4, float(numeric), minimum=values[0], maximum=values[-1], examples=values
    )
    if name in values:
        expected = "value"
    elif numeric:
        expected = {"50": "nothing", "-3": "nothing"}.get(name, "name")
    else:
        expected = "name"
    assert sign_of(profile) == expected


def test_a_column_of_more_values_than_were_seen_tells_nothing() -> None:
    seen = ColumnProfile("eve", "VARCHAR", 9, 0, 9, 9, 1, 4, 0.0, examples=("ann", "bob"))
    assert sign_of(seen) == "nothing"
