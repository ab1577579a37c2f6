"""Numbers as they are written.

Covers evidence/numerals.
"""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacit.evidence.numerals import (
    NARROW,
    against,
    chosen,
    clean,
    count,
    file_size,
    listed,
    many,
    measure,
    moment,
    seconds,
    share,
    within,
)
from tacit.visible import visible

MARKS = "\u061c\u200b\ufeff\xad\u180e\U000e0041"
"""What stands in a text unseen: a mark of direction, spaces without width, a soft hyphen, a tag."""


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0 %"),
        (1.0, "100 %"),
        (0.5, "50.0 %"),
        (1 / 6, "16.7 %"),
        (0.0004, "0.04 %"),
        (0.99996, "99.996 %"),
        (1e-9, "1.0e-07 %"),
        (float("inf"), "∞"),
    ],
)
def test_share(value: float, text: str) -> None:
    assert share(value) == text.replace(" ", NARROW)


@given(st.floats(0, 1, exclude_min=True, exclude_max=True))
def test_a_share_reads_as_nothing_or_all_only_where_it_is(value: float) -> None:
    number = float(share(value).rstrip(f"%{NARROW}"))
    assert number > 0
    assert number < 100 or 100 * value == 100
    assert number == pytest.approx(100 * value, abs=0.05)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (5.0, "5"),
        (3.1184, "3.118"),
        (8_114_236.0, "8,114,236"),
        (1234.56, "1,234.6"),
        (float("-inf"), "−∞"),
        (0.0, "0"),
    ],
)
def test_measure(value: float, text: str) -> None:
    assert measure(value) == text


def test_a_measure_that_is_not_a_number_says_so() -> None:
    assert measure(float("nan")) == "undefined"


def test_a_measure_never_reads_like_a_bound_that_it_misses() -> None:
    assert against(0.20001, 0.2) == "0.20001"
    assert against(0.2, 0.2) == "0.2"
    assert against(0.19437, 0.2) == "0.1944"


@pytest.mark.parametrize(("value", "text"), [(0.02, "2 %"), (0.2, "20 %"), (0.125, "12.5 %"), (0.0, "0 %")])
def test_chosen(value: float, text: str) -> None:
    assert chosen(value) == text.replace(" ", NARROW)


@pytest.mark.parametrize(("value", "text"), [(0.0042, "4.2 ms"), (1.274, "1.27 s"), (185.0, "3 min 5 s")])
def test_seconds(value: float, text: str) -> None:
    assert seconds(value).replace(NARROW, " ") == text


@pytest.mark.parametrize(("value", "text"), [(999, "999 bytes"), (1_500, "1.5 kB"), (2 * 10**12, "2.0 TB")])
def test_file_size(value: int, text: str) -> None:
    assert file_size(value).replace(NARROW, " ") == text


def test_words_around_numbers() -> None:
    assert count(1_234_567) == "1,234,567"
    assert many(1, "row", "rows") == "1 row"
    assert many(0, "row", "rows") == "0 rows"
    assert [listed(list(words)) for words in ("", "a", "ab", "abc")] == ["", "a", "a and b", "a, b and c"]


@pytest.mark.parametrize(
    ("created", "text"),
    [
        ("2026-02-11T09:42:17+00:00", "11 February 2026, 09:42 UTC"),
        ("2026-12-01T23:05:00+02:00", "1 December 2026, 23:05 UTC+02:00"),
        ("2026-02-11T09:42:17", "11 February 2026, 09:42"),
        ("some day", "some day"),
    ],
)
def test_moment(created: str, text: str) -> None:
    assert moment(created) == text


@given(st.text())
def test_clean_text_can_be_encoded_and_drives_no_terminal(text: str) -> None:
    cleaned = clean(text)
    cleaned.encode("utf-8")
    assert not {sign for sign in cleaned if ord(sign) < 32} - {"\t", "\n"}
    assert visible(cleaned, keep="\t\n") == cleaned


def test_clean_shows_what_it_took() -> None:
    assert clean("\x1b[31m\n") == "\\x1b[31m\n"
    assert clean("a\u202eb\ud800") == r"a\u202eb\ud800"
    assert clean(MARKS) == r"\u061c\u200b\ufeff\xad\u180e\U000e0041"


@pytest.mark.parametrize(
    ("value", "width", "text"),
    [
        (169.97712, 0.04, "169.977"),
        (-0.000012361, 0.0000002, "-0.00001236"),
        (1420921620.44, 3e6, "1,420,921,620.4"),
        (3.5, 0.0, "3.5"),
        (2.0, 1e-9, "2"),
        (1.25, math.inf, "1.25"),
    ],
)
def test_a_number_has_the_digits_that_its_interval_allows(value: float, width: float, text: str) -> None:
    assert within(value, width) == text


@pytest.mark.parametrize(
    ("value", "text"), [(3e-6, "0.000003"), (-1.23456e-5, "-0.00001235"), (2e-7, "0.0000002"), (5e-12, "5e-12")]
)
def test_a_small_number_is_written_out(value: float, text: str) -> None:
    assert measure(value) == text
