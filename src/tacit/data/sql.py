"""SQL text: quoting, names that nothing else has, and numbers that every engine reads as the same double.

A decimal literal is an exact decimal in one engine, a double in the next, and not rounded correctly in a third. Here a
double is written as a whole number of at most 53 bits, multiplied or divided by powers of two, which no engine rounds.
"""

from collections.abc import Iterable
from math import frexp

_CHUNK = 62


def identifier(name: str) -> str:
    """A column or table name, quoted."""
    return '"' + name.replace('"', '""') + '"'


def literal(text: str) -> str:
    """A text value, quoted."""
    return "'" + text.replace("'", "''") + "'"


def unused(name: str, taken: Iterable[str]) -> str:
    """The name, lengthened until none of those taken is the same but for capitals."""
    lowered = {other.lower() for other in taken}
    while name.lower() in lowered:
        name += "_"
    return name


def missing_last(expression: str) -> str:
    """What to order by so that missing values come last; engines disagree on where they come."""
    return f"case when {expression} is null then 1 else 0 end, {expression}"


def double(value: float) -> str:
    """An expression that is exactly this finite double."""
    mantissa, power = frexp(value)
    whole, power = int(mantissa * 2**53), power - 53
    while whole and whole % 2 == 0:
        whole, power = whole // 2, power + 1
    if whole == 0:
        return _whole(0)
    if power >= 0 and (abs(whole) << power) < 1 << _CHUNK:
        return _whole(whole << power)
    sign, left, parts = "*" if power > 0 else "/", abs(power), [_whole(whole)]
    while left:
        parts.append(_whole(1 << min(left, _CHUNK)))
        left -= min(left, _CHUNK)
    return f"({f' {sign} '.join(parts)})"


def _whole(number: int) -> str:
    return f"cast({number} as double precision)"
