"""CSV files: every cell arrives as it was written, and what can't be read is refused by line, never by cell.

Covers engines/duckdb, data/sources/source, data/sources/header, duckdb/csv.
"""

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from tests.engines.formats import counted
from tests.examples import examples

from tacit.data.sources.source import file_source
from tacit.engines.engine import Engine
from tacit.errors import BadData, BadParameter

SECRET = "Xq7-planted"
ENCODINGS = {"utf-8": "utf-8", "utf-8-sig": "utf-8", "latin-1": "latin-1", "cp1252": "cp1252", "utf-16": "utf-16"}

cells = st.text(st.sampled_from([*"ab1 ,;\t|\"'\n\r#=\\é€{}*-"]), max_size=4)
tables = st.integers(1, 3).flatmap(
    lambda width: st.lists(st.lists(cells, min_size=width, max_size=width), min_size=1, max_size=6)
)


def written(rows: list[list[str]], delimiter: str = ",", ending: str = "\n", always: bool = False) -> str:
    """By hand: Python's writer leaves a carriage return unquoted where lines end otherwise."""
    special = {delimiter, '"', "\r", "\n"}

    def shown(cell: str, alone: bool) -> str:
        needed = always or special & set(cell) or (alone and not cell)
        return '"' + cell.replace('"', '""') + '"' if needed else cell

    return "".join(delimiter.join(shown(cell, len(row) == 1) for cell in row) + ending for row in rows)


@pytest.mark.slow
@given(
    rows=tables,
    delimiter=st.sampled_from(";,\t|"),
    ending=st.sampled_from(["\n", "\r\n"]),
    always=st.booleans(),
    encoding=st.sampled_from(sorted(ENCODINGS)),
    ends=st.booleans(),
)
@example([["a\r\nb", 'x"y']], ",", "\r\n", False, "utf-8", False)
@settings(examples(100), suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_the_tally_is_a_plain_count(
    engine: Engine,
    tmp_path: Path,
    rows: list[list[str]],
    delimiter: str,
    ending: str,
    always: bool,
    encoding: str,
    ends: bool,
) -> None:
    names = [f"c{i}" for i in range(len(rows[0]))]
    if encoding == "latin-1":
        rows = [[cell.replace("€", "x") for cell in row] for row in rows]
    text = written([names, *rows], delimiter, ending, always)
    path = tmp_path / "t.csv"
    path.write_bytes((text if ends else text.removesuffix(ending)).encode(encoding))
    found = counted(engine, path, *names, delimiter=delimiter, encoding=ENCODINGS[encoding])
    assert found == Counter(map(tuple, rows))


@pytest.mark.parametrize("delimiter", [";", ",", "\t", "|"])
def test_the_delimiter_is_guessed_outside_of_quotes(engine: Engine, tmp_path: Path, delimiter: str) -> None:
    path = tmp_path / "t.csv"
    path.write_text(f'"a;b,c|d\te;f,g"{delimiter}b\n1{delimiter}2\n')
    assert counted(engine, path, "a;b,c|d\te;f,g", "b") == {("1", "2"): 1}


def test_names_are_taken_as_they_are(engine: Engine, tmp_path: Path) -> None:
    names = [
        'a"b',
        "c{d}",
        "sel ect",
        "select",
        "größe",
        "rows",
        "tacit_rows",
        "rows_",
        "key0",
        "a'b",
        "%s",
        "t",
    ]
    path = tmp_path / "t.csv"
    path.write_text(written([names, [str(i) for i in range(len(names))]]))
    assert counted(engine, path, *names) == {tuple(str(i) for i in range(len(names))): 1}
    assert list(engine.columns(file_source(path))) == names


def test_blanks_around_names_are_no_part_of_them(engine: Engine, tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("a, b\n x ,y\n")
    assert counted(engine, path, "a", "b") == {(" x ", "y"): 1}


def test_missing_words_quoted_or_not_are_the_missing_value(engine: Engine, tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text('a,b\nNA,1\n"NA",1\n"",1\n,1\n?,1\nNAN,1\n')
    assert counted(engine, path, "a", "b", missing=("NA", "?")) == {("", "1"): 5, ("NAN", "1"): 1}


def test_blank_lines_are_rows_only_where_there_is_one_column(engine: Engine, tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("a,b\n1,2\n\n3,4\n\n")
    assert counted(engine, path, "a", "b") == {("1", "2"): 1, ("3", "4"): 1}
    path.write_text("a\n1\n\n2\n")
    assert counted(engine, path, "a") == {("1",): 1, ("",): 1, ("2",): 1}


def test_another_quote(engine: Engine, tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("a,b\n'x,y','it''s'\n")
    assert counted(engine, path, "a", "b", quote="'") == {("x,y", "it's"): 1}


@pytest.mark.parametrize("name", ["we*i[r]d?.csv", "{a,b}' x.csv", "a\\b.csv", "~.csv", "größe.csv", "a%20b#.csv"])
def test_the_name_of_the_file_is_no_pattern(engine: Engine, tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("a\n1\n")
    (tmp_path / "weXi.csv").write_text("a\n2\n")
    assert counted(engine, tmp_path / name, "a") == {("1",): 1}


def test_a_byte_order_mark_is_no_part_of_the_first_name_in_a_large_file(engine: Engine, tmp_path: Path) -> None:
    """The first part of the file ends within a character."""
    path = tmp_path / "t.csv"
    for shift in range(3):
        path.write_text("\ufeffa,b\n" + "x" * shift + "€,1\n" * 200_000, encoding="utf-8")
        assert list(engine.columns(file_source(path))) == ["a", "b"]


def test_utf_16_without_a_mark_and_with_a_superfluous_one(engine: Engine, tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    for mark in ("", "\ufeff"):
        path.write_bytes((mark + "a,b\né,1\n").encode("utf-16-le"))
        assert counted(engine, path, "a", "b", encoding="utf-16-le") == {("é", "1"): 1}


RAGGED = {
    "too many cells": (f"a,b\n1,2\n{SECRET},2,3\n", "line 3.*3 cells.*header has 2"),
    "too few cells": (f"a,b\n{SECRET}\n1,2\n", "line 2: the row has 1 cell, the header has 2"),
    "open quote": (f'a,b\n1,2\n"{SECRET},2\n', "line 3.*quote does not close"),
    "text after a quote": (f'a,b\n"1"{SECRET},2\n', "line 2.*quote does not close"),
    "two line ends": (f"a,b\n{SECRET},2\r\n3,4\n", "lines end in more than one way"),
    "not utf-8": (f"a,b\n{SECRET},2\n".encode() + b"\xff,1\n", "not utf-8 text.*such as latin-1"),
    "not utf-8, far down": (b"a,b\n" + b"1,2\n" * 300_000 + SECRET.encode() + b"\xff,1\n", "line 300002 is not utf-8"),
    "utf-8 in the ragged row": (f"a,b\n{SECRET} Invalid unicode utf-8\n", "line 2"),
    "zero bytes": (SECRET.encode() + b"\0\0\n", "not a text file"),
    "a row without end": ("a,b\n" + SECRET * 300_000 + ",2\n", "line 2"),
}


@pytest.mark.parametrize("case", RAGGED)
def test_what_can_not_be_read_is_refused_by_line_never_by_cell(engine: Engine, tmp_path: Path, case: str) -> None:
    content, message = RAGGED[case]
    path = tmp_path / "t.csv"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(BadData, match=message) as caught:
        counted(engine, path, "a", "b")
    assert SECRET not in str(caught.value)
    assert "t.csv" in str(caught.value)


HEADERS = {
    "two names alike": ("a,b,a\n1,2,3\n", "used twice: 'a'"),
    "alike but for capitals": ("a,b,A\n1,2,3\n", "used twice: 'A', 'a'"),
    "no name": ("a,,c\n1,2,3\n", "column 2 has no name"),
    "blank name": ("a, ,c\n1,2,3\n", "column 2 has no name"),
    "blank line": ("\na,b\n1,2\n", "first line is blank"),
    "no line at all": ("x" * 20_000 + "\n", "does not look like column names"),
}


@pytest.mark.parametrize("case", HEADERS)
def test_a_header_that_names_no_columns_is_refused(engine: Engine, tmp_path: Path, case: str) -> None:
    content, message = HEADERS[case]
    path = tmp_path / "t.csv"
    path.write_text(content)
    with pytest.raises(BadData, match=message):
        engine.columns(file_source(path))


def test_a_file_with_names_only_has_no_rows(engine: Engine, tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    for content in ("a,b\n", "a,b", "a,b\r\n", "\ufeffa,b\n\n"):
        path.write_text(content, encoding="utf-8")
        with pytest.raises(BadData, match=r"has no rows, only column names"):
            counted(engine, path, "a", "b")


def test_an_absent_column_is_named(engine: Engine, tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("a,b\n1,2\n")
    with pytest.raises(BadData, match=r"t.csv has no column 'c'; it has 'a', 'b'"):
        counted(engine, path, "c")


@pytest.mark.parametrize("encoding", ["utf8", "UTF_8", "u8", "utf16", "UTF-16", "utf_32", "latin1", "l1", "utf/16"])
def test_encodings_have_many_names(engine: Engine, tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes("a,b\né,1\n".encode(encoding))
    assert counted(engine, path, "a", "b", encoding=encoding) == {("é", "1"): 1}


@pytest.mark.parametrize("encoding", ["ascii", "cp1252", "utf-16", "utf-32"])
def test_another_encoding_than_was_said(engine: Engine, tmp_path: Path, encoding: str) -> None:
    """CP 1252 has no byte 0x9D; UTF-16 and UTF-32 need whole units."""
    path = tmp_path / "t.csv"
    path.write_bytes(b"a,b\n" + b"\x9d" + SECRET.encode() + b",2\n1")
    with pytest.raises(BadData, match=f"not {encoding} text") as caught:
        counted(engine, path, "a", "b", encoding=encoding)
    assert SECRET not in str(caught.value)


def test_another_encoding_far_down(engine: Engine, tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes(b"a,b\n" + b"1,2\n" * 300_000 + b"\x9d,2\n")
    with pytest.raises(BadData, match=r"not cp1252 text"):
        counted(engine, path, "a", "b", encoding="cp1252")


@pytest.mark.parametrize("option", [{"delimiter": "é"}, {"delimiter": "¦"}, {"delimiter": " "}, {"delimiter": "a"}])
def test_an_odd_delimiter_separates_too(engine: Engine, tmp_path: Path, option: dict[str, str]) -> None:
    path = tmp_path / "t.csv"
    path.write_text(f"x{option['delimiter']}y\n1{option['delimiter']}2\n", encoding="utf-8")
    assert counted(engine, path, "x", "y", **option) == {("1", "2"): 1}


@pytest.mark.parametrize(
    "option",
    [
        {"delimiter": "||"},
        {"delimiter": "\n"},
        {"delimiter": ""},
        {"delimiter": '"'},
        {"quote": ","},
        {"quote": ""},
        {"quote": "aa"},
        {"quote": "é"},
        {"quote": "\r"},
        {"encoding": "no-such"},
        {"encoding": "hex"},
        {"encoding": "\0"},
        {"missing": "NA"},
        {"missing": (1,)},
        {"format": "frame"},
        {"format": "json"},
        {"delimeter": ";"},
    ],
    ids=str,
)
def test_an_option_that_can_not_be_is_refused(tmp_path: Path, option: dict[str, object]) -> None:
    path = tmp_path / "t.csv"
    path.write_text("a,b\n1,2\n")
    with pytest.raises(BadParameter, match=next(iter(option))):
        file_source(path, **{"delimiter": ",", **option} if "quote" in option else option)
