"""Postal codes: prefixes nest, forms of one country meet, leading zeros come back.

Covers hierarchies/postal.
"""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacit.data.tables.hierarchies import build_hierarchy, parse_spec
from tacit.data.tables.hierarchies.postal import place_postal
from tacit.errors import BadParameter

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def built(values, **options):
    return build_hierarchy("x", parse_spec("x", {"postal": "prefix", **options}), values, Path())


@pytest.mark.parametrize(
    ("value", "path"),
    [
        ("10115", ("1011*", "101**", "10***", "1****")),
        ("02139-4307", ("02139", "0213*", "021**", "02***", "0****")),
        ("021394307", ("02139", "0213*", "021**", "02***", "0****")),
        ("8001", ("800*", "80**", "8***")),
        ("1012 AB", ("1012", "101*", "10**", "1***")),
        ("1012ab", ("1012", "101*", "10**", "1***")),
        ("00-950", ("00-95*", "00-9**", "00-***", "0*-***")),
        ("110 00", ("110 0*", "110 **", "11* **", "1** **")),
        ("D-10115", ("D-1011*", "D-101**", "D-10***", "D-1****", "D-*****")),
        ("SW1A 1AA", ("SW1A 1**", "SW1A ***", "SW*")),
        ("sw1a1aa", ("SW1A 1**", "SW1A ***", "SW*")),
        ("M1 1AE", ("M1 1**", "M1 ***", "M*")),
        ("EC1A", ("EC1A ***", "EC*")),
        ("K1A 0B1", ("K1A ***", "K*")),
        ("D02 X285", ("D02 ***", "D*")),
        ("10115.0", ("1011*", "101**", "10***", "1****")),
    ],
)
def test_forms(value, path):
    assert place_postal(value) == path


@pytest.mark.parametrize("value", ["", "12", "Berlin", "10115 Berlin", "1-2", "12345678901", "SW1A 1A"])
def test_what_has_another_form_has_no_place(value):
    assert place_postal(value) is None


@given(st.lists(st.from_regex(r"[0-9]{5}", fullmatch=True), min_size=1, max_size=30, unique=True))
def test_five_figures_share_a_label_exactly_where_they_share_a_prefix(values):
    hierarchy = built(values)
    assert hierarchy.height == 5
    for level in range(5):
        labels = dict(zip(hierarchy.leaves, hierarchy.labels_at(level), strict=True))
        for one in values:
            for other in values:
                assert (labels[one] == labels[other]) == (one[: 5 - level] == other[: 5 - level])


@given(
    st.lists(
        st.from_regex(
            r"([0-9]{4,6}|[0-9]{5}-[0-9]{4}|[0-9]{4} [A-Z]{2}|[A-Z]{1,2}[0-9][A-Z]? [0-9][A-Z]{2})", fullmatch=True
        ),
        min_size=1,
        unique=True,
    )
)
def test_forms_mix_in_one_tree(values):
    assert set(built(values).leaves) == set(values)


def test_what_is_longer_meets_what_is_shorter():
    hierarchy = built(["02139-4307", "02139", "02138"])
    assert hierarchy.labels_at(1) == ["02139", "02139", "02138"]


def test_lost_zeros_come_back():
    hierarchy = built(["1067", "1067.0", "10115"], digits=5)
    assert hierarchy.labels_at(1) == ["01067", "01067", "10115"]
    assert built(["1067", "10115"]).labels_at(1) == ["1067", "1011*"]


def test_digits_are_bounded():
    with pytest.raises(BadParameter, match="digits"):
        parse_spec("x", {"postal": "prefix", "digits": 2})
