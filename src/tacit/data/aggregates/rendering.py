"""Scales as plain SQL, bit for bit what arrays give: every operation is one that no engine may round differently.

Doubles are added, multiplied and divided as IEEE 754 says, one operation at a time and in the order of the arrays'
code; literals are exact (`double`). Rounding is written with `floor` and comparisons, as engines disagree on `round`.
Clamping comes before scaling, so nothing overflows, and numbers next to 0 count as 0 where that changes nothing, since
some engines refuse a quotient that underflows: an error would reveal something about a row. A NaN is neither above nor
below its own negative, whether the engine takes it for unequal to itself (IEEE) or for the greatest number (PostgreSQL,
DuckDB).

Used are `cast` to `double precision`, `bigint` and `varchar`, `case`, `floor`, `%` of whole numbers that are not
negative, comparisons, and nested selects.
"""

from collections.abc import Callable, Sequence

from tacit.data.aggregates.scale import (
    Borders,
    GridSteps,
    Names,
    Numeric,
    PresentCells,
    Ranks,
    ReadAs,
    Reading,
    Shares,
    Truth,
)
from tacit.data.sql import double, identifier
from tacit.errors import BadParameter

Express = Callable[[str, ReadAs], str]
"""How an engine reads a column as a number, a text or a truth value; null where it can't.

What comes out may depend on the cell alone, not on what else is in its column."""

_NEXT_TO_NOTHING = 2.0**-599
_NARROWEST = 2.0**-400
_MOST_BORDERS = 4096


def plain(column: str, read_as: ReadAs) -> str:
    """The column in an unknown engine; texts that should be numbers must be cast before."""
    name = identifier(column)
    if read_as == "number":
        return f"cast({name} as double precision)"
    return f"cast({name} as varchar)" if read_as in ("text", "identity") else name


def coded(readings: Sequence[Reading], relation: str, express: Express, by: Sequence[str] = ()) -> str:
    """A select of the whole number (the text, for names) of each reading: k0, k1, …, after the columns in `by`."""
    rows, cleaned, scaled, codes = [], [], [], []
    for place, reading in enumerate(readings):
        value = express(reading.column, reading.read_as)
        kept, size = f"c{place}", f"s{place}"
        if isinstance(reading.scale, Names):
            stages = (f"v{place}", kept, size)
        else:
            require_renderable(reading.scale)
            stages = _clean(reading.scale, f"v{place}"), _scaled(reading.scale, kept), _code(reading.scale, kept, size)
        rows.append(f"{value} as v{place}")
        cleaned.append(f"{stages[0]} as {kept}")
        scaled.append(f"{kept}, {stages[1]} as {size}")
        codes.append(f"{stages[2]} as k{place}")
    query = f"{relation} as tacit_rows"
    for name, cells in (("v", rows), ("c", cleaned), ("s", scaled), ("k", codes)):
        query = f"(select {', '.join([*by, *cells])} from {query}) as tacit_{name}"
    return query


def grouped(by: Sequence[str]) -> str:
    """The end of a select that has a row for each group; without groups it has one row."""
    return f" group by {', '.join(by)}" if by else ""


def require_renderable(scale: Numeric) -> None:
    """The scale's numbers are doubles, far enough apart to be exact."""
    if isinstance(scale, GridSteps) and not -1000 <= scale.power <= 900:
        raise BadParameter(f"the grid is 2**{scale.power}; a database can keep 2**-1000 to 2**900")
    if isinstance(scale, Borders) and len(scale.rising) > _MOST_BORDERS:
        raise BadParameter(f"there are {len(scale.rising)} bounds; a database compares at most {_MOST_BORDERS}")
    if not isinstance(scale, Shares | Ranks):
        return
    width, size = scale.upper - scale.lower, max(abs(scale.lower), abs(scale.upper))
    if width < _NARROWEST:
        raise BadParameter(f"the bounds {scale.lower:g} and {scale.upper:g} are too close for a database")
    # Then a division finds the place of a value but for one point, and comparing it with three points settles it.
    if isinstance(scale, Ranks) and 10 * 2.0**-53 * size * scale.parts > width:
        raise BadParameter(
            f"{scale.parts} steps between {scale.lower:g} and {scale.upper:g} are too fine for a database; take fewer"
        )


def _clean(scale: Numeric, value: str) -> str:
    """The number clamped, and 0 for what is none."""
    if isinstance(scale, Truth):
        return f"case when {value} then 1 else 0 end"
    if isinstance(scale, PresentCells):
        return f"case when {value} > -{value} or {value} < -{value} or {value} = {double(0)} then 1 else 0 end"
    if isinstance(scale, Borders):
        return f"case when {value} > -{value} or {value} < -{value} then {value} else {double(0)} end"
    if isinstance(scale, Ranks):
        apart, low, high = 0.0, scale.lower, scale.upper
    elif isinstance(scale, Shares):
        apart, low, high = _NEXT_TO_NOTHING, scale.lower, scale.upper
    else:
        step = 2.0**scale.power
        apart, low, high = step / 4, scale.low * step, scale.high * step
    near, zero = double(apart), double(min(max(0.0, low), high))
    there = f"{value} > {near} - {value} or {value} < -{near} - {value}"
    clamped = f"case when {value} >= {double(high)} then {double(high)} "
    clamped += f"when {value} <= {double(low)} then {double(low)} else {value} end"
    return f"case when {there} then {clamped} else {zero} end"


def _scaled(scale: Numeric, value: str) -> str:
    """Half steps of a grid, parts of the way from bound to bound, or the first guess of a rank."""
    if isinstance(scale, GridSteps):
        return f"floor({value} / {double(2.0 ** (scale.power - 1))})"
    if not isinstance(scale, Shares | Ranks):
        return value
    near = double(_NEXT_TO_NOTHING)
    if isinstance(scale, Ranks):
        value = f"case when {value} > {near} or {value} < -{near} then {value} else {double(0)} end"
    share = f"({value} - {double(scale.lower)}) / {double(scale.upper - scale.lower)} * {double(scale.parts)}"
    return share if isinstance(scale, Shares) else f"floor({share})"


def _code(scale: Numeric, value: str, size: str) -> str:
    """The whole number."""
    if isinstance(scale, GridSteps):
        nearest = f"cast(floor(({size} + {double(1)}) / {double(2)}) as bigint)"
        return f"{scale.high} - {nearest}" if scale.falling else f"{nearest} - ({scale.low})"
    if isinstance(scale, Shares):
        if scale.rounded == "nearest":
            return f"cast(floor({size} + {double(0.5)}) as bigint)"
        last = f"when {size} >= {double(scale.parts)} then {scale.parts - 1}"
        return f"case {last} else cast(floor({size}) as bigint) end"
    if isinstance(scale, Ranks):
        return _rank(scale, value, size)
    return _below(scale.rising, value, 0, len(scale.rising)) if isinstance(scale, Borders) else value


def _rank(scale: Ranks, value: str, guess: str) -> str:
    """The rank from a guess that is at most one point off."""
    last = double(scale.parts - 1)
    place = f"case when {guess} > {last} then {last} else {guess} end"

    def point(more: int) -> str:
        way = f"({place} + {double(more)}) * {double(scale.upper - scale.lower)}"
        return f"{double(scale.lower)} + {way} / {double(scale.parts)}"

    twice = f"2 * cast({place} as bigint)"
    return (
        f"case when {value} >= {double(scale.upper)} then {2 * scale.parts} "
        f"when {value} < {point(0)} then case when {value} > {point(-1)} then {twice} - 1 else {twice} - 2 end "
        f"when {value} = {point(0)} then {twice} "
        f"when {guess} >= {last} or {value} < {point(1)} then {twice} + 1 "
        f"when {value} = {point(1)} then {twice} + 2 else {twice} + 3 end"
    )


def _below(rising: Sequence[float], value: str, first: int, last: int) -> str:
    """How many of the borders lie below the value, by halving, where at least `first` and at most `last` do."""
    if first == last:
        return str(first)
    middle = (first + last) // 2
    above, upto = _below(rising, value, middle + 1, last), _below(rising, value, first, middle)
    return f"case when {value} > {double(rising[middle])} then {above} else {upto} end"
