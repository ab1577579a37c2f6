"""Hierarchy files: what is written is read again, ARX's form is read, a refusal names file, column and line.

Covers hierarchies/files.
"""

import contextlib
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tacit.data.tables.hierarchies import read_hierarchy, write_hierarchy
from tacit.data.tables.hierarchies.files import DELIMITERS
from tacit.data.tables.hierarchy import Hierarchy
from tacit.errors import BadData, BadParameter, TacitError


@pytest.fixture(scope="module")
def path() -> Iterator[Path]:
    with TemporaryDirectory() as folder:
        yield Path(folder) / "hierarchy.csv"


def same(one: Hierarchy, other: Hierarchy) -> bool:
    return one.labels == other.labels and one.codes.tolist() == other.codes.tolist()


labels = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1, max_size=6)
awkward = st.text(st.sampled_from('ab;,\t|"\r\n \ufeff*'), min_size=1, max_size=6)


@st.composite
def hierarchies(draw: st.DrawFn) -> Hierarchy:
    """Trees grown from the root: each level refines the one above."""
    leaves = draw(st.lists(labels | awkward | st.just(""), min_size=1, max_size=8, unique=True))
    parents = [draw(labels | awkward)] * len(leaves)
    levels = [parents]
    for _ in range(draw(st.integers(0, 2))):
        cut = draw(st.lists(st.sampled_from(["p", "q"]), min_size=len(leaves), max_size=len(leaves)))
        parents = [above + mark for above, mark in zip(parents, cut, strict=True)]
        levels.insert(0, parents)
    return Hierarchy.from_levels("x", [leaves, *levels])


@given(hierarchies(), st.sampled_from([*DELIMITERS, ":"]), st.booleans())
@example(Hierarchy.from_paths("x", [["0", ";0"]]), ",", False)
def test_what_is_written_is_read_again(path: Path, hierarchy: Hierarchy, delimiter: str, told: bool) -> None:
    write_hierarchy(hierarchy, path, delimiter)
    given_delimiter = delimiter if told or delimiter not in DELIMITERS else None
    assert same(read_hierarchy(path, "x", given_delimiter), hierarchy)


def test_the_single_leaf_that_is_its_own_root_survives(path: Path) -> None:
    for leaf in ("", "a", "a;b", "\ufeff"):
        hierarchy = Hierarchy.from_paths("x", [[leaf]])
        write_hierarchy(hierarchy, path)
        assert same(read_hierarchy(path, "x"), hierarchy)


def test_the_form_is_that_of_arx(path: Path) -> None:
    write_hierarchy(Hierarchy.from_paths("age", [["1", "0-4", "*"], ["5", "[5, 9)", "*"]]), path)
    assert path.read_text(encoding="utf-8") == '1;0-4;*\n5;"[5, 9)";*\n'


@pytest.mark.parametrize(
    "text",
    [
        "a;x;*\nb;x;*\n",
        "a;x;*\r\nb;x;*\r\n",
        "a;x;*\rb;x;*",
        "\n\na;x;*\n\nb;x;*\n\n",
        "\ufeffa;x;*\nb;x;*",
        "a,x,*\nb,x,*",
        "a\tx\t*\nb\tx\t*",
        "a|x|*\nb|x|*",
        '"a";"x";"*"\n"b";x;*',
        "a;x;*\nb;x;*\na;x;*\n",
    ],
)
def test_the_same_tree_in_many_spellings(path: Path, text: str) -> None:
    path.write_bytes(text.encode())
    hierarchy = read_hierarchy(path, "x")
    assert hierarchy.labels == (("a", "b"), ("x",), ("*",))


@pytest.mark.parametrize(
    ("text", "label"), [("1;[1, 3);*\n2;[1, 3);*\n", "[1, 3)"), ("1,one;two,*\n2,one;two,*\n", "one;two")]
)
def test_a_delimiter_inside_labels_does_not_mislead(path: Path, text: str, label: str) -> None:
    path.write_text(text, encoding="utf-8")
    assert read_hierarchy(path, "x").labels == (("1", "2"), (label,), ("*",))


def test_an_empty_first_field_is_the_missing_value(path: Path) -> None:
    path.write_text(";unknown;*\na;known;*\n", encoding="utf-8")
    assert read_hierarchy(path, "x").leaves == ("", "a")


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        (b"", ["is empty"]),
        (b"\xef\xbb\xbf \r\n\n", ["is empty"]),
        (b"a;*\nb\x00;*\n", ["binary", "line 2"]),
        (b"a;*\nb;*\n\xfc;*\n", ["not UTF-8", "line 3", "save it as UTF-8"]),
        ("a;*".encode("utf-16"), ["UTF-16", "save it as UTF-8"]),
        (b"a\nb\n", ["no delimiter", "leaf;level 1"]),
        (b"a;x;*\nb;*\nc;x;*\n", ["unequal", "line 2", "'b'", "3 levels"]),
        (b"a;x;*\n\nb;x;*\na;y;*\n", ["duplicate leaf", "'a'", "line 4"]),
        (b"a;x;*\nb;y;-\n", ["2 roots", "'*', '-'", "line 2"]),
        (b"a;p;x;*\nb;p;y;*\n", ["'p' at level 1", "two parents", "'x' and 'y'", "line 2"]),
        (b"a;x;*;\nb;x;*;\n", ["empty label at level 3", "line 1"]),
        (b'a;"x";*\nb;"x"y;*\n', ["line 2", "quotes"]),
        (b'a;*\nb;"*\n', ["quotes"]),
    ],
)
def test_a_refusal_says_file_column_and_line(path: Path, raw: bytes, words: list[str]) -> None:
    path.write_bytes(raw)
    with pytest.raises(BadData) as refusal:
        read_hierarchy(path, "colour")
    for word in ["'colour'", path.name, *words]:
        assert word in str(refusal.value)


def test_a_path_that_is_no_file(path: Path) -> None:
    with pytest.raises(BadData, match=r"'colour'.*nowhere.csv' does not exist; paths are relative to the plan"):
        read_hierarchy("nowhere.csv", "colour")
    with pytest.raises(BadData, match=r"'colour'.*is a directory; name a file in it"):
        read_hierarchy(path.parent, "colour")
    with pytest.raises(BadData, match=r"'colour'.*can't be read"):
        read_hierarchy("nul\0byte", "colour")


def test_a_wrong_delimiter_is_refused(path: Path) -> None:
    path.write_text("a;*\nb;*\n", encoding="utf-8")
    with pytest.raises(BadData, match="no delimiter ',' in hierarchy file"):
        read_hierarchy(path, "x", ",")
    for delimiter in ("", ";;", '"', "\n"):
        with pytest.raises(BadParameter, match="must be one character"):
            read_hierarchy(path, "x", delimiter)
        with pytest.raises(BadParameter, match="must be one character"):
            write_hierarchy(Hierarchy.from_paths("x", [["a"]]), path, delimiter)


def test_what_a_file_cannot_hold_is_not_written(path: Path) -> None:
    path.write_text("before", encoding="utf-8")
    for label, word in (("a\0", "NUL"), ("\ud800", "Unicode")):
        with pytest.raises(BadData, match=word):
            write_hierarchy(Hierarchy.from_paths("x", [[label, "*"]]), path)
    assert path.read_text(encoding="utf-8") == "before"
    with pytest.raises(BadData, match="can't be written"):
        write_hierarchy(Hierarchy.from_paths("x", [["a"]]), path.parent / "absent" / "h.csv")


@given(st.binary(max_size=200) | st.text(st.sampled_from('ab;,\t|"\r\n\ufeff'), max_size=60).map(str.encode))
@example(b'"' + b"x" * 140_000)
def test_no_bytes_break_the_reader(path: Path, raw: bytes) -> None:
    path.write_bytes(raw)
    for delimiter in (None, ";", "x"):
        with contextlib.suppress(TacitError):
            assert len(read_hierarchy(path, "x", delimiter).labels[-1]) == 1
