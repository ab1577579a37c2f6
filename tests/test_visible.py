"""Characters that act on a terminal or deceive a reader are shown as escapes; words of every script stay."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacit.visible import visible


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("age", "age"),
        ("\x1b]0;owned\x07\x1b[2Jx", r"\x1b]0;owned\x07\x1b[2Jx"),
        ("two\nlines\r", r"two\nlines\r"),
        ("\u202egnp.exe\u2066", r"\u202egnp.exe\u2066"),
        ("a\u2028b\x85c\u200bd\ufeff", r"a\u2028b\x85c\u200bd\ufeff"),
        ("Straße, 年齢, العمر, عمر\u200cها, 👩\u200d⚕", "Straße, 年齢, العمر, عمر\u200cها, 👩\u200d⚕"),
        ("\udcff\U000e0041", r"\udcff\U000e0041"),
    ],
)
def test_what_acts_is_written_as_an_escape(text: str, shown: str) -> None:
    assert visible(text) == shown


@given(st.text(st.characters()))
def test_nothing_that_acts_is_left(text: str) -> None:
    found = visible(text)
    acting = {one for one in found if unicodedata.category(one) in ("Cc", "Cf", "Zl", "Zp")}
    assert acting <= set("\u200c\u200d")
    assert visible(found) == found
    assert visible(text, keep="\n").count("\n") == text.count("\n")
