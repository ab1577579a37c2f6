"""Widths of intervals that read well and nest: 1, 5, 10, 50, 100, … times a power of ten, each a multiple of the last.

For a column that spans s the widths between s/100 and s/2 are taken, so that the finest level has at most about a
hundred intervals and the coarsest more than two.
"""

from decimal import Decimal

NARROW_SPAN = 20


def nested_widths(span: float, whole: bool) -> tuple[int | float, ...]:
    """Widths for numbers that span `span`, narrow to wide; none where the span is too small to be cut."""
    if not 0 < span < float("inf"):
        return ()
    if whole and span < NARROW_SPAN:
        # Fives and tens are too coarse for a handful of numbers.
        return tuple(width for width in (2, 4, 8) if width <= span / 2)
    exponent = Decimal(repr(span)).adjusted()
    chain = [base.scaleb(power) for power in range(exponent - 3, exponent + 1) for base in (Decimal(1), Decimal(5))]
    fitting = [width for width in chain if Decimal(span) / 100 <= width <= Decimal(span) / 2]
    return tuple(_plain(width) for width in fitting if not whole or width > 1)


def _plain(width: Decimal) -> int | float:
    return int(width) if width == width.to_integral_value() else float(width)
