"""Exact enclosures of exp(-x): whole numbers below and above, as close as asked for.

A sampler compares a uniform number, of which more bits can always be drawn, with a probability that is known between
two whole numbers over 2**precision. While the comparison is open, both sides are refined; so the outcome has exactly
the intended probability although exp(-x) is irrational. All steps round outwards in whole-number arithmetic.
"""

from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True)
class Enclosure:
    """A number known to lie between `low` and `high`, both over 2**precision."""

    low: int
    high: int
    precision: int

    def times(self, other: "Enclosure") -> "Enclosure":
        """The product of two numbers that are not negative, rounded outwards."""
        shift = other.precision
        return Enclosure(self.low * other.low >> shift, -(-self.high * other.high >> shift), self.precision)

    def complement(self) -> "Enclosure":
        """One minus the number."""
        one = 1 << self.precision
        return Enclosure(one - self.high, one - self.low, self.precision)

    def at(self, precision: int) -> "Enclosure":
        """The same number over 2**precision, rounded outwards where that is coarser."""
        shift = self.precision - precision
        if shift <= 0:
            return Enclosure(self.low << -shift, self.high << -shift, precision)
        return Enclosure(self.low >> shift, -(-self.high >> shift), precision)


def enclose(value: Fraction, precision: int) -> Enclosure:
    """A rational number that is not negative, within one unit of 2**-precision."""
    scaled = value.numerator << precision
    return Enclosure(scaled // value.denominator, -(-scaled // value.denominator), precision)


def exp_minus(exponent: Fraction, precision: int) -> Enclosure:
    """exp(-exponent) for an exponent >= 0, within 2 units of 2**-precision (even where it is smaller than that).

    The exponent is halved until it is at most 1/2; the alternating power sum brackets the value there by two
    neighbouring partial sums (Leibniz), and as many squarings undo the halvings. Each squaring at most doubles the
    width and adds a unit, so 64 guard bits and two for each halving keep the promise.
    """
    if exponent > precision:
        return Enclosure(0, 1, precision)
    halvings = max(0, int(2 * exponent).bit_length())
    working = precision + 64 + 2 * halvings
    result = _alternating_sum(enclose(exponent / 2**halvings, working))
    for _ in range(halvings):
        result = result.times(result)
    return result.at(precision)


def _alternating_sum(y: Enclosure) -> Enclosure:
    one = Enclosure(1 << y.precision, 1 << y.precision, y.precision)
    term, low, high, order = one, one.low, one.high, 0
    while term.high > 1:
        order += 1
        product = term.times(y)
        term = Enclosure(product.low // order, -(-product.high // order), y.precision)
        sign = -1 if order % 2 else 1
        low, high = low + min(sign * term.low, sign * term.high), high + max(sign * term.low, sign * term.high)
    return Enclosure(max(0, low - term.high), min(one.high, high + term.high), y.precision)
