"""Numbers with decimal commas and marks between thousands, against a parser that reads them digit by digit.

Covers data/sources/notation, duckdb/cells.
"""

import re
from decimal import Decimal

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.examples import examples

from tacit.data.sources.notation import THOUSANDS, NumberNotation
from tacit.data.sources.source import Source
from tacit.engines.duckdb import DuckDB
from tacit.errors import BadData, BadParameter

NOTATIONS = [
    NumberNotation(decimal, thousands)
    for decimal in ".,"
    for thousands in (None, *THOUSANDS)
    if thousands != decimal and (decimal, thousands) != (".", None)
]
CELLS = st.text(alphabet="0123456789.,' \u202f+-eEa", max_size=12)


def parsed(text: str, notation: NumberNotation) -> Decimal | None:
    """The number that a cell with a mark is, read by hand; None where it is none of the notation."""
    body = text[1:] if text[:1] in ("+", "-") else text
    power = 0
    exponent = max(body.find("e"), body.find("E"))
    if exponent >= 0:
        body, tail = body[:exponent], body[exponent + 1 :]
        digits = tail[1:] if tail[:1] in ("+", "-") else tail
        if notation.decimal != "," or not 1 <= len(digits) <= 3 or not all(c in "0123456789" for c in digits):
            return None
        power = int(tail)
    whole, mark, fraction = body.partition(notation.decimal)
    if mark and (not fraction or any(c not in "0123456789" for c in fraction)):
        return None
    groups = [whole]
    if notation.thousands is not None:
        for character in THOUSANDS[notation.thousands]:
            groups = [part for group in groups for part in group.split(character)]
    if any(c not in "0123456789" for group in groups for c in group):
        return None
    if len(groups) > 1:
        if exponent >= 0 or not 1 <= len(groups[0]) <= 3 or any(len(group) != 3 for group in groups[1:]):
            return None
    elif notation.decimal == "." or not mark:
        return None
    sign = "-" if text.startswith("-") else ""
    return Decimal(f"{sign}{''.join(groups) or '0'}.{fraction or '0'}E{power}")


@given(CELLS, st.sampled_from(NOTATIONS))
def test_a_cell_is_the_number_that_a_parser_reads_or_stays(text: str, notation: NumberNotation) -> None:
    number = parsed(text, notation)
    if number is None:
        assert notation.plain(text) == text
    else:
        assert Decimal(notation.plain(text)) == number
        assert not set(notation.plain(text)) & set(",' \u202f")


@given(st.decimals(-(10**12), 10**12, places=3), st.sampled_from(NOTATIONS))
def test_what_is_written_in_a_notation_is_read_back(number: Decimal, notation: NumberNotation) -> None:
    written = f"{number:,.3f}".replace(",", "T").replace(".", notation.decimal)
    assert Decimal(notation.plain(written.replace("T", notation.thousands or ""))) == number


@examples(30)
@given(st.lists(CELLS, min_size=1, max_size=20), st.sampled_from(NOTATIONS), st.booleans())
@pytest.mark.slow
def test_the_engine_reads_cells_as_python_does(cells: list[str], notation: NumberNotation, trim: bool) -> None:
    told = {"decimal": notation.decimal, "thousands": notation.thousands, "trim": trim, "missing": ("a", "-")}
    with DuckDB() as engine:
        source = Source("frame", frame=pa.table({"x": pa.array(cells, pa.string())}), **told)
        bare = [cell.strip() if trim else cell for cell in cells]
        expected = ["" if cell in ("a", "-") else notation.plain(cell) for cell in bare]
        marked = [re.fullmatch(notation.marked, cell, re.ASCII) is not None for cell in bare]
        other = [re.fullmatch(notation.foreign, cell, re.ASCII) is not None for cell in bare]
        if any(marked) and any(o and not m for o, m in zip(other, marked, strict=True)):
            with pytest.raises(BadData, match="as stated"):
                engine.cells(source, ["x"])
        else:
            assert engine.cells(source, ["x"])["x"].to_pylist() == expected


@pytest.mark.parametrize(
    ("text", "notation", "plain"),
    [
        ("1.234,56", NumberNotation(",", "."), "1234.56"),
        ("0.123,45", NumberNotation(",", "."), "123.45"),
        ("78,1", NumberNotation(","), "78.1"),
        ("1\u202f234,5", NumberNotation(",", " "), "1234.5"),
        ("1'234.5", NumberNotation(".", "'"), "1234.5"),
        ("08.02.1983", NumberNotation(",", "."), "08.02.1983"),
        ("01067", NumberNotation(",", "."), "01067"),
        ("I10.90", NumberNotation(",", "."), "I10.90"),
        ("132/99", NumberNotation(",", "."), "132/99"),
    ],
)
def test_cells_of_a_hospital(text: str, notation: NumberNotation, plain: str) -> None:
    assert notation.plain(text) == plain


def test_a_column_in_two_notations_is_refused_by_its_name_and_shows_no_cell() -> None:
    frame = pa.table({"weight": ["78,1", "66,25", "71.5"], "version": ["1.5", "2.25", "3.1"]})
    with (
        DuckDB() as engine,
        pytest.raises(BadData, match=r"column 'weight' has 2 numbers .*decimal ','.*1 with a") as no,
    ):
        engine.tally(Source("frame", frame=frame, decimal=",", thousands="."), ["weight", "version"])
    assert not any(cell in str(no.value) for cell in ("78", "66", "71"))


@pytest.mark.parametrize(
    ("told", "message"),
    [
        ({"decimal": ";"}, "decimal is ';'; it must be"),
        ({"thousands": "_"}, "thousands is '_'; it must be one of"),
        ({"thousands": "."}, "both '.', so numbers can't be read: should decimal be ','"),
    ],
)
def test_marks_that_can_not_be(told: dict[str, str], message: str) -> None:
    with pytest.raises(BadParameter, match=message.replace("(", r"\(")):
        Source("frame", **told)
