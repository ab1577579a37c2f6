"""Widths of intervals that read well and nest: 1, 2 or 5 times a power of ten, then always twice the last.

For a column that spans s the first width is at least s/50 and the last at most s/2, so the finest level has at most
about fifty intervals and the coarsest more than two. Doubling costs few levels and leaves no gap between them in which
a column would lose much more than it must.
"""

from decimal import Decimal

FINEST = 50
NARROW_SPAN = 20


def nested_widths(span: float, whole: bool) -> tuple[int | float, ...]:
    """Widths for numbers that span `span`, narrow to wide; none where the span is too small to be cut."""
    if not 0 < span < float("inf"):
        return ()
    least, most = Decimal(repr(span)) / FINEST, Decimal(repr(span)) / 2
    if whole:
        least = max(least, Decimal(2 if span < NARROW_SPAN else 5))
    first = next(width for step in (1, 2, 5, 10) if (width := Decimal(step).scaleb(least.adjusted())) >= least)
    return tuple(_plain(first * 2**power) for power in range(FINEST.bit_length()) if first * 2**power <= most)


def _plain(width: Decimal) -> int | float:
    return int(width) if width == width.to_integral_value() else float(width)
