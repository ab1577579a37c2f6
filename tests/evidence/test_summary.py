"""The summary: aligned, within 80 columns, harmless to a terminal.

Covers evidence/summary, tables/summary.
"""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.evidence.example_release import altered, broken_release, example_release
from tests.examples import examples

from tacit.evidence.tables.summary import summary_lines
from tacit.promise import Measured


def columns(line: str) -> int:
    """The columns of a line on a terminal, by the Unicode tables."""
    wide = sum(unicodedata.east_asian_width(sign) in ("W", "F") for sign in line if not unicodedata.combining(sign))
    return wide + sum(not unicodedata.combining(sign) for sign in line)


def test_it_tells_promised_found_lost_and_written() -> None:
    lines = summary_lines(example_release(), {"report": "out/report.html", "evidence": "out/evidence.json"})
    rows = {line.split("  ")[1]: line.split() for line in lines if line.startswith("  ")}
    assert rows["k-anonymity"][-4:] == ["least", "5", "6", "holds"]
    assert rows["t-closeness of occupation"][-4:] == ["most", "0.2", "0.1944", "holds"]
    assert rows["highest risk"][-4:] == ["100", "%", "16.7", "%"]
    assert rows["unique people"][-2:] == ["16,011", "0"]
    assert rows["loss of detail in quasi-identifiers"][-2:] == ["31.4", "%"]
    assert rows["suppressed: 543 rows (at most 2 % allowed)"][-2:] == ["1.8", "%"]
    assert rows["report"][-1] == "out/report.html"
    assert lines[-1] == "This release keeps its promises."


def test_a_broken_promise_stands_out() -> None:
    lines = summary_lines(broken_release())
    assert sum(line.endswith("FAILS") for line in lines) == 1
    assert lines[-1] == "This release does NOT keep its promises."
    assert "written" not in lines


def test_a_release_from_a_seed_says_so_last() -> None:
    release = example_release()
    seeded = altered(release, {"seeded": True})
    *same, kept = summary_lines(release)
    assert kept == "This release keeps its promises."
    may_not = ["Do not publish this release.", "It was made from a seed, so it may not be published."]
    assert summary_lines(seeded) == [*same, *may_not]


def of_columns(number: int, measured: float = 2.0) -> tuple[Measured, ...]:
    """A promise of so many columns whose names differ at their end; the last comes closest to its bound."""
    first = example_release().measured[0].model_copy(update={"bound": 1.0, "side": "at least"})
    return tuple(
        first.model_copy(update={"column": f"lab_value_of_some_thing_{i}", "measured": number - i + measured - 1})
        for i in range(number)
    )


def test_many_promises_that_are_alike_stand_on_one_line() -> None:
    lines = summary_lines(altered(example_release(), {"promises": of_columns(20)}))
    assert lines[3].split() == ["k-anonymity", "of", "20", "columns", "at", "least", "1", "2", "holds"]
    assert lines[4] == ""


def test_one_that_fails_is_not_hidden_among_many_that_hold() -> None:
    *others, last = of_columns(20)
    broken = last.model_copy(update={"measured": 0.5, "holds": False})
    lines = summary_lines(altered(example_release(), {"promises": (*others, broken)}))
    assert lines[3].split()[:4] == ["k-anonymity", "of", "19", "columns"]
    assert lines[4].endswith("FAILS")
    assert "thing_19" in lines[4]


def test_names_that_differ_at_their_end_stay_distinct() -> None:
    lines = summary_lines(altered(example_release(), {"promises": of_columns(3)}))
    assert [line[:44].rstrip()[-12:] for line in lines[3:6]] == [f"some_thing_{i}" for i in range(3)]


def test_numbers_of_a_block_end_in_one_column() -> None:
    lines = summary_lines(example_release())
    start = next(i for i, line in enumerate(lines) if line.startswith("found"))
    assert len({len(line) for line in lines[start : start + 6]}) == 1


def test_its_own_words_are_ascii() -> None:
    assert all(line.isascii() for line in summary_lines(example_release()))


def test_nothing_promised_and_no_loss_measured() -> None:
    release = altered(example_release(), {"promises": (), "metrics": {}})
    lines = summary_lines(release)
    assert lines[2:4] == ["promised", "  nothing"]
    assert not any("loss" in line for line in lines)


@given(text=st.text(min_size=1, max_size=120), measured=st.floats(allow_nan=False), bound=st.floats(0, 1e9))
@examples(100)
def test_no_name_and_no_number_breaks_the_lines(text: str, measured: float, bound: float) -> None:
    release = example_release()
    first = release.measured[0].model_copy(update={"column": text, "measured": measured, "bound": bound})
    lines = summary_lines(altered(release, {"title": text, "promises": (first,)}))
    assert all(columns(line) <= 80 for line in lines)
    assert not any(ord(sign) < 32 or 127 <= ord(sign) < 160 for line in lines for sign in line)


@pytest.mark.parametrize("length", [10, 200])
def test_a_path_is_never_cut(length: int) -> None:
    path = "x" * length
    assert summary_lines(example_release(), {"report": path})[-3] == f"  report  {path}"
