"""The codebook of a released table, counted in the written file alone.

Whatever it says a recipient could count too, so it tells nothing of the rows before.
"""

from collections.abc import Iterator, Sequence
from math import isfinite

import numpy as np

from tacit.data.sources.source import Source
from tacit.data.tables.counting import TallyRequest, rows_of, starred_rows
from tacit.data.tables.hierarchy import MISSING, SUPPRESSED
from tacit.engines.engine import Engine
from tacit.release.codebook import Codebook, CodebookColumn, CodeCount

MOST_VALUES = 50
MOST_CELLS = 5_000_000
"""How many cells are in memory at once."""


def codebook_of(engine: Engine, source: Source, reading: TallyRequest) -> Codebook:
    """What the file in `source` holds; `reading` says which columns show `*` in a suppressed row."""
    distinct = engine.tally(source, (*reading.quasi_identifiers, *reading.sensitive))
    rows = rows_of(distinct)
    number = int(rows.sum())
    columns = tuple(_columns(engine, source, max(MOST_CELLS // number, 1)))
    return Codebook(rows=number, suppressed=int(rows[starred_rows(distinct, reading)].sum()), columns=columns)


def _columns(engine: Engine, source: Source, at_once: int) -> Iterator[CodebookColumn]:
    """The columns, so many of them read at once: a file of a thousand columns is not read a thousand times."""
    names = list(engine.columns(source))
    for begin in range(0, len(names), at_once):
        part = names[begin : begin + at_once]
        cells = engine.cells(source, part)
        for name in part:
            counted = cells.column(name).value_counts()
            yield _column(name, counted.field("values").to_pylist(), counted.field("counts").to_pylist())


def _column(name: str, values: Sequence[str], rows: Sequence[int]) -> CodebookColumn:
    """The column, from its distinct values with their rows."""
    found = sorted(zip(values, rows, strict=True), key=lambda one: (-one[1], one[0]))
    shown = [(value, number) for value, number in found if value != SUPPRESSED]
    numbers = [_number(value) for value, _ in shown if value != MISSING]
    known = np.array([number for number in numbers if number is not None], dtype=np.float64)
    is_number = known.size == len(numbers) > 0
    return CodebookColumn(
        name=name,
        distinct=len(shown),
        values=tuple(CodeCount(value=value, rows=number) for value, number in shown[:MOST_VALUES]),
        hidden=sum(number for value, number in found if value == SUPPRESSED),
        least=float(known.min()) if is_number else None,
        greatest=float(known.max()) if is_number else None,
    )


def _number(text: str) -> float | None:
    """The finite number that the text spells, if it spells one."""
    try:
        value = float(text)
    except ValueError:
        return None
    return value if isfinite(value) else None
