from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacit.data.tables.hierarchies.numerals import align, numerals_of, read_numeral, read_numerals, spell
from tacit.errors import BadData

numerals = st.decimals(allow_nan=False, allow_infinity=False, min_value=-(10**20), max_value=10**20).map(str)


@pytest.mark.slow
@given(st.lists(numerals, min_size=1))
def test_numbers_are_exact(texts: list[str]) -> None:
    numbers = align(read_numerals("x", texts))
    assert [Fraction(unit, 10**numbers.digits) for unit in numbers.units.tolist()] == [Fraction(text) for text in texts]


@given(st.integers(), st.integers(0, 30))
def test_spelling_is_exact_and_short(units: int, digits: int) -> None:
    text = spell(units, digits)
    assert Fraction(text) == Fraction(units, 10**digits)
    assert not ("." in text and text.endswith(("0", ".")))
    assert "e" not in text.lower()


@given(st.decimals(allow_nan=False, allow_infinity=False, min_value=-(10**9), max_value=10**9))
def test_numbers_of_a_plan_are_exact(number: Decimal) -> None:
    (numeral,) = numerals_of([number])
    assert Fraction(numeral.mantissa) * Fraction(10) ** numeral.exponent == Fraction(number)


@pytest.mark.parametrize("text", ["1", "-2", "+3", "1.", ".5", "1.50", "1e5", "1E-5", " 7 ", "007", "1e400"])
def test_numbers_are_recognised(text: str) -> None:
    numeral = read_numeral(text)
    assert numeral is not None
    assert Fraction(numeral.mantissa) * Fraction(10) ** numeral.exponent == Fraction(text.strip().rstrip("."))


@pytest.mark.parametrize(
    "text", ["", ".", "-", "e5", "1_000", "1,5", "nan", "inf", "4e", "0x10", "1e401", "1e999999999", "１２", "9" * 401]
)
def test_what_is_no_number_is_none(text: str) -> None:
    assert read_numeral(text) is None


def test_of_values_that_are_no_numbers_the_shapes_are_shown() -> None:
    with pytest.raises(BadData, match=r"'age': 2 values are not numbers: 'aaaa aaa 9999-999', '9a'") as refusal:
        read_numerals("age", ["34", "Jane Doe 0171-555", "7f"])
    assert "Jane" not in str(refusal.value)
