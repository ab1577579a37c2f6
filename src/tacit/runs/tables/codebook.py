"""The codebook of a released table, counted in the written file alone.

Whatever it says a recipient could count too, so it tells nothing of the rows before.
"""

from math import isfinite
from typing import TYPE_CHECKING

import numpy as np

from tacit.data.sources.source import Source
from tacit.data.tables.counting import TallyRequest, rows_of, starred_rows
from tacit.data.tables.hierarchy import MISSING, SUPPRESSED
from tacit.engines.engine import Engine
from tacit.release.codebook import Codebook, CodebookColumn, CodeCount

if TYPE_CHECKING:
    import pyarrow as pa

MOST_VALUES = 50


def codebook_of(engine: Engine, source: Source, reading: TallyRequest) -> Codebook:
    """What the file in `source` holds; `reading` says which columns show `*` in a suppressed row."""
    distinct = engine.tally(source, (*reading.quasi_identifiers, *reading.sensitive))
    rows = rows_of(distinct)
    columns = tuple(_column(name, engine.tally(source, (name,))) for name in engine.columns(source))
    return Codebook(rows=int(rows.sum()), suppressed=int(rows[starred_rows(distinct, reading)].sum()), columns=columns)


def _column(name: str, counted: "pa.Table") -> CodebookColumn:
    """The column, from its distinct values with their rows."""
    rows = rows_of(counted)
    found = sorted(zip(counted.column(name).to_pylist(), rows.tolist(), strict=True), key=lambda one: (-one[1], one[0]))
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
