from decimal import Decimal, localcontext
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacit.randomness.enclosure import enclose, exp_minus

exponents = st.fractions(min_value=0, max_value=300, max_denominator=10**12)


def _exp_minus(exponent: Fraction, digits: int) -> Fraction:
    """exp(-exponent) by the decimal module, right in `digits` digits."""
    with localcontext() as context:
        context.prec = digits + 20
        return Fraction((-Decimal(exponent.numerator) / Decimal(exponent.denominator)).exp())


@given(exponents, st.integers(8, 320))
def test_the_value_lies_within_and_the_enclosure_is_narrow(exponent, precision):
    found = exp_minus(exponent, precision)
    value = _exp_minus(exponent, 300) * 2**precision
    assert found.low <= value + Fraction(1, 10**100)
    assert value - Fraction(1, 10**100) <= found.high
    assert 0 <= found.high - found.low <= 2
    assert found.precision == precision


@pytest.mark.slow
@given(exponents, exponents, st.integers(64, 128))
def test_products_and_complements_enclose(first, second, precision):
    one, two = exp_minus(first, precision), exp_minus(second, precision)
    both = one.times(two)
    value = _exp_minus(first + second, 200) * 2**precision
    assert both.low <= value <= both.high
    rest = one.complement()
    assert rest.low <= 2**precision - _exp_minus(first, 200) * 2**precision <= rest.high


@given(st.fractions(min_value=0, max_value=5), st.integers(1, 100), st.integers(1, 100))
def test_a_rational_is_enclosed_at_any_precision(value, fine, coarse):
    found = enclose(value, fine)
    assert found.low <= value * 2**fine <= found.high <= found.low + 1
    moved = found.at(coarse)
    assert moved.low <= value * 2**coarse <= moved.high


def test_exp_of_zero_is_one():
    found = exp_minus(Fraction(0), 64)
    assert found.low <= 2**64 <= found.high
