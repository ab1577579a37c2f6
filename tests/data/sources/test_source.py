"""Sources: what a file is, by its name and by what is said of it; names of columns in messages.

Covers data/sources/header.
"""

from pathlib import Path

import pytest

from tacit.data.sources.header import read_header
from tacit.data.sources.source import SUFFIXES, Source, file_source, format_of, require_names, shown_names
from tacit.errors import BadData, BadParameter


@pytest.mark.parametrize("ending", SUFFIXES)
def test_the_ending_names_the_format(ending: str) -> None:
    assert format_of(Path(f"a.b{ending}")) == SUFFIXES[ending]
    assert format_of(Path(f"a.b{ending.upper()}")) == SUFFIXES[ending]


@pytest.mark.parametrize("name", ["a", "a.json", "csv", ".csv", "a.gz", "a.xlsx.gz", "a.csv.rar"])
def test_another_ending_names_none(name: str) -> None:
    with pytest.raises(BadParameter, match=r"is not a known format; use one of .csv"):
        format_of(Path(name))


def test_the_format_may_be_given(tmp_path: Path) -> None:
    path = tmp_path / "a.dat"
    path.write_text("a;b\n1;2\n")
    source = file_source(path, format="csv")
    assert read_header(source).columns == ("a", "b")
    assert source.name == "a.dat"
    assert Source("frame").name == "the data frame"


def test_files_that_are_not_there(tmp_path: Path) -> None:
    for path, message in (
        (tmp_path / "none.csv", "there is no file"),
        (tmp_path, "is a folder; name a file in it"),
        (tmp_path / "a" / "b.csv", "there is no file"),
        (tmp_path / "x\0.csv", "not a file name|no file"),
    ):
        with pytest.raises(BadData, match=message):
            file_source(path)
    (tmp_path / "empty.csv").touch()
    with pytest.raises(BadData, match=r"is empty"):
        file_source(tmp_path / "empty.csv")
    (tmp_path / "loop.csv").symlink_to(tmp_path / "loop.csv")
    with pytest.raises(BadData, match=r"loop.csv"):
        file_source(tmp_path / "loop.csv")


def test_an_unknown_option_is_named_with_the_closest(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("a\n1\n")
    with pytest.raises(BadParameter, match=r"no option 'delimeter'.*did you mean 'delimiter'"):
        file_source(path, delimeter=";")
    with pytest.raises(BadParameter, match=r"no option 'sep'.*the known ones are: format, delimiter"):
        file_source(path, sep=";")


def test_names_are_shown_cut_and_counted() -> None:
    assert shown_names(["a", "b'c"]) == "'a', \"b'c\""
    assert shown_names(["x" * 100]) == repr("x" * 59 + "…")
    assert shown_names([str(i) for i in range(25)]).endswith("'19' and 5 more")


def test_every_column_needs_a_name_of_its_own() -> None:
    require_names("t", ["a", "b"])
    with pytest.raises(BadData, match=r"^t has no columns"):
        require_names("t", [])
    for names in ([""], ["a", ""], ["a", "a"], ["a", "A"]):
        with pytest.raises(BadData, match=r"^t: column"):
            require_names("t", names)


@pytest.mark.parametrize(
    ("line", "columns"),
    [
        ("a,b;c,d", ("a", "b;c", "d")),
        ("a;b,c;d", ("a", "b,c", "d")),
        ("only", ("only",)),
        ('"a,b",c', ("a,b", "c")),
        ('"a\nb",c', ("a b", "c")),
        (" a , b ", ("a", "b")),
        ("a\tb|c\td", ("a", "b|c", "d")),
    ],
)
def test_the_first_line_names_the_columns(tmp_path: Path, line: str, columns: tuple[str, ...]) -> None:
    path = tmp_path / "a.csv"
    for ending in ("\n", "\r\n", "\r", ""):
        path.write_bytes((line + ending).encode())
        assert read_header(file_source(path)).columns == columns
