"""Invented rows in a file: written, compared with what was made, and tried before anything is charged.

Numbers with digits after the point are compared as numbers, since a file may spell 44 as 44.0 and 0.00001 as 1e-05; all
other cells are compared as text.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from tacit.arrays import FloatArray
from tacit.data.dataset import DeclaredColumn
from tacit.data.sources.source import Source
from tacit.engines.engine import Engine, Target
from tacit.randomness.stream import RandomBits
from tacit.runs.synthesis.cells import table_of_codes

if TYPE_CHECKING:
    import pyarrow as pa


def reads_as(engine: Engine, written: Source, frame: "pa.Table", guard: bool) -> bool:
    """Whether the file holds the rows of the frame, cell by cell, with formulas guarded if that is asked for."""
    of = tuple(frame.column_names)
    shown = engine.frame(Source("frame", frame=frame), Target(of, (), guard=guard))
    found, decided = engine.cells(written, of), engine.cells(Source("frame", frame=shown), of)
    return found.num_rows == decided.num_rows and all(
        _same(found[name], decided[name], frame.schema.field(name).type) for name in of
    )


def specimen(declared: Mapping[str, DeclaredColumn], sizes: Sequence[int]) -> "pa.Table":
    """Rows in which each declared cell of each column occurs at least once, and an empty one; nobody's data."""
    rows = np.arange(max(sizes) + 1)
    codes = np.column_stack([rows % (size + 1) for size in sizes])
    return table_of_codes(declared, codes, sizes, RandomBits.from_seed(0))


def _same(found: "pa.ChunkedArray", decided: "pa.ChunkedArray", kind: Any) -> bool:
    import pyarrow as pa

    if not pa.types.is_floating(kind):
        return bool(found.equals(decided))
    try:
        return np.array_equal(_numbers(found), _numbers(decided), equal_nan=True)
    except pa.ArrowInvalid:
        return False


def _numbers(cells: "pa.ChunkedArray") -> FloatArray:
    """The texts as numbers, an empty one as none."""
    import pyarrow as pa
    import pyarrow.compute as pc

    numbers: FloatArray = pc.if_else(pc.equal(cells, ""), None, cells).cast(pa.float64()).to_numpy()
    return numbers
