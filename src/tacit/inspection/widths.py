"""Widths of intervals that read well and nest: 1, 2 or 5 times a power of ten, then always twice the last.

For a column that spans s the first width is at least s/50 and the last at most s/2, so the finest level has at most
about fifty intervals and the coarsest more than two. Doubling costs few levels and leaves no gap between them in which
a column would lose much more than it must. A width that is no wider than the usual gap between neighbouring values
would leave nearly every value alone in its interval, so such widths are left out.
"""

from decimal import Decimal

FINEST = 50
NARROW_SPAN = 20


def nested_widths(span: float, whole: bool, gap: float = 0.0) -> tuple[int | float, ...]:
    """Widths for numbers that span `span` with a usual `gap` between neighbours, narrow to wide; maybe none."""
    if not 0 < span < float("inf"):
        return ()
    least, most = Decimal(repr(span)) / FINEST, Decimal(repr(span)) / 2
    if whole:
        least = max(least, Decimal(2 if span < NARROW_SPAN else 5))
    first = next(width for step in (1, 2, 5, 10) if (width := Decimal(step).scaleb(least.adjusted())) >= least)
    widths = [first * 2**power for power in range(FINEST.bit_length())]
    return tuple(_plain(width) for width in widths if gap < width <= most)


def _plain(width: Decimal) -> int | float:
    return int(width) if width == width.to_integral_value() else float(width)
