"""How numbers are written: counts, shares, measures, times and sizes, in one way everywhere.

Rounding never hides a truth: a share is written 0 % or 100 % only where it is exactly that, and a measure never reads
like the bound that it misses.
"""

import math
from collections.abc import Mapping
from datetime import datetime

from tacit.spelling import many as many
from tacit.spelling import percent
from tacit.visible import visible

NARROW = "\u202f"
MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
_MOST_DECIMALS = 15
_LEAST = 1e-9


def clean(text: str) -> str:
    """The text with an escape for each character that acts or has no picture; tabs and line breaks are ours."""
    return visible(text, keep="\t\n")


def count(value: int) -> str:
    """A whole number with its thousands marked."""
    return f"{value:,}"


def share(value: float) -> str:
    """A share in percent."""
    return percent(value).replace(" ", NARROW) if math.isfinite(100 * value) else measure(value)


def chosen(value: float) -> str:
    """A share that somebody chose, such as a limit, in percent and without needless digits."""
    return f"{100 * value:.6g}{NARROW}%"


def measure(value: float) -> str:
    """A number without a unit, to four significant digits; written out unless it is very small."""
    if math.isnan(value):
        return "undefined"
    if math.isinf(value):
        return "∞" if value > 0 else "−∞"
    if value == int(value) and abs(value) < 1e15:
        return count(int(value))
    if 1000 <= abs(value) < 1e15:
        return f"{value:,.1f}"
    if _LEAST <= abs(value) < 1e-4:
        return f"{value:.{3 - math.floor(math.log10(abs(value)))}f}".rstrip("0")
    return f"{value:.4g}"


def within(value: float, width: float) -> str:
    """A number that is known to this width: with so many decimals that two digits of the width are seen, and never
    fewer than `measure` shows."""
    text = measure(value)
    if not (math.isfinite(value) and math.isfinite(width)) or width <= 0 or value == int(value):
        return text
    decimals = min(1 - math.floor(math.log10(width)), _MOST_DECIMALS)
    shown = len(text.partition(".")[2]) if "e" not in text else 0
    return text if decimals <= shown else f"{value:,.{decimals}f}"


def against(value: float, bound: float) -> str:
    """A measure beside its bound: written out in full where four digits would make the two look alike."""
    text = measure(value)
    return repr(value) if value != bound and text == measure(bound) else text


def exact(value: float) -> str:
    """The number with all its digits, for machines and for quotation."""
    return repr(value)


def seconds(value: float) -> str:
    """A duration."""
    if value >= 60:
        return f"{int(value // 60)}{NARROW}min {value % 60:.0f}{NARROW}s"
    return f"{value:.2f}{NARROW}s" if value >= 0.1 else f"{1000 * value:.1f}{NARROW}ms"


def file_size(value: int) -> str:
    """A number of bytes in the unit that suits it."""
    size, unit = float(value), "bytes"
    for larger in ("kB", "MB", "GB", "TB"):
        if size < 1000:
            break
        size, unit = size / 1000, larger
    return f"{size:.0f}{NARROW}{unit}" if unit == "bytes" else f"{size:.1f}{NARROW}{unit}"


def listed(words: list[str]) -> str:
    """The words as a list in a sentence: `a, b and c`."""
    return " and ".join([", ".join(words[:-1]), words[-1]]) if len(words) > 1 else "".join(words)


def worded(value: object) -> str:
    """A parameter in words: `yes` and `no`, lists with commas, `not given` for nothing; never as Python writes it."""
    if value is None:
        return "not given"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {worded(part)}" for name, part in value.items()) or "none"
    if isinstance(value, list | tuple | set | frozenset):
        return ", ".join(map(worded, value)) or "none"
    return f"{value:.12g}" if isinstance(value, float) else str(value)


def moment(created: str) -> str:
    """An ISO 8601 time in words; any other text as it is."""
    try:
        when = datetime.fromisoformat(created)
    except ValueError:
        return created
    zone = when.strftime("%Z") if when.tzinfo else ""
    return f"{when.day} {MONTHS[when.month - 1]} {when.year}, {when:%H:%M} {zone}".rstrip()
