"""Rows that were drawn outside, picked from their source by position.

Rows are numbered in the order of the source, as they are where columns are put back (`_replacing.py`). A row that was
not there when the draw was made is never picked.
"""

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from tacit.arrays import BoolArray
from tacit.data.sources.arrow import from_numbers
from tacit.engines._sql import identifier, unused

if TYPE_CHECKING:
    import pyarrow as pa

DRAWN = "tacit_drawn"


def drawn_table(rows: BoolArray) -> "pa.Table":
    """The positions of the drawn rows, from 1."""
    import pyarrow as pa

    return pa.Table.from_arrays([from_numbers(np.flatnonzero(rows).astype(np.int64) + 1)], names=["place"])


def drawing_query(relation: str, columns: Iterable[str]) -> str:
    """The rows of the relation whose positions are in the registered table, in their order."""
    names = tuple(columns)
    place = identifier(unused("tacit_place", names))
    cells = ", ".join(f"t.{identifier(name)}" for name in names)
    rows = f"(select *, row_number() over () as {place} from {relation})"
    return f"select {cells} from {rows} t semi join {DRAWN} x on t.{place} = x.place order by t.{place}"
