"""Types of columns are told in words."""

from pathlib import Path

import pyarrow
import pytest

import tacit
from tacit.inspection.type_names import type_in_words


@pytest.mark.parametrize(
    ("sql", "words"),
    [
        ("VARCHAR", "text"),
        ("BIGINT", "whole number"),
        ("UTINYINT", "whole number"),
        ("INTEGER", "whole number"),
        ("DECIMAL(18,3)", "number"),
        ("DOUBLE", "number"),
        ("BOOLEAN", "yes or no"),
        ("DATE", "date"),
        ("TIMESTAMP WITH TIME ZONE", "date and time"),
        ("BLOB", "blob"),
    ],
)
def test_types_are_told_in_words(sql: str, words: str) -> None:
    assert type_in_words(sql) == words


def test_an_inspection_shows_no_sql(tmp_path: Path) -> None:
    path = tmp_path / "people.csv"
    path.write_text("name,age\nann,31\nbob,40\n", encoding="utf-8")
    page = tacit.inspect(path)._repr_html_()
    assert "VARCHAR" not in page
    assert "BIGINT" not in page
    assert ">text<" in page
    assert ">number<" in page


def test_a_frame_knows_whole_numbers() -> None:
    page = tacit.inspect(pyarrow.table({"age": [31, 40]}))._repr_html_()
    assert ">whole number<" in page
