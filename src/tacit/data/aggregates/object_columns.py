"""Columns of Python objects in a data frame, read cell by cell before an engine sees them, as arrays of objects are.

What an engine, or Arrow on the way to it, makes of a column of objects follows from all its cells: whole numbers until
one is too large for them, texts until one is none, an error where they do not fit together. Type and error would then
reveal something about a row. So each cell gets its text, its number and whether it is true by the rules of
`array_cells`, and the column becomes one of these three together, whatever it holds. Other columns have a type that no
cell decides.
"""

from collections.abc import Container
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from tacit.data.aggregates.array_cells import as_numbers, as_truths, text_cells
from tacit.data.dataset import Dataset
from tacit.data.sources.frames import as_arrow, known_frame

if TYPE_CHECKING:
    import pyarrow as pa

TEXT, NUMBER, TRUTH = "tacit_text", "tacit_number", "tacit_truth"


def with_cells_read(frame: Any, columns: Container[str]) -> Any:
    """The data frame as an Arrow table in which these columns, where they hold objects, are read cell by cell and other
    columns of objects are empty; the frame itself where it has no column of objects."""
    import pyarrow as pa

    held = _objects(frame)
    if not held:
        return frame
    native = known_frame(frame)
    others = [name for name in native.columns if str(name) not in held]
    typed = as_arrow(native.select(others).to_native()) if others else pa.table({})
    read = {name: read_cells(cells) if name in columns else pa.nulls(cells.size) for name, cells in held.items()}
    return pa.table([*typed.columns, *read.values()], names=[*typed.column_names, *read])


def _objects(frame: Any) -> "dict[str, np.ndarray[Any, np.dtype[np.object_]]]":
    """The cells of each column of objects, by name."""
    import narwhals as nw

    native = known_frame(frame)
    if not isinstance(native, nw.DataFrame):
        return {}
    table, names = nw.to_native(native), native.columns
    if native.implementation.is_pandas_like():
        kinds = {name: table[name].dtype for name in names}
        return {str(name): np.asarray(table[name], dtype=object) for name, kind in kinds.items() if _is_object(kind)}
    return {name: _cells(native[name].to_list()) for name in names if native.schema[name] == nw.Object}


def _is_object(kind: Any) -> bool:
    """Objects, what Arrow would make something else of (periods, intervals), or categories that are either."""
    held = kind.categories.dtype if hasattr(kind, "categories") and kind.categories is not None else kind
    return bool(held == np.dtype(object)) or type(held).__name__ in ("PeriodDtype", "IntervalDtype")


def _cells(cells: list[Any]) -> "np.ndarray[Any, np.dtype[np.object_]]":
    """A list of cells of any type as one column: lists among them are cells, no rows."""
    column = np.empty(len(cells), dtype=object)
    column[:] = cells
    return column


def read_cells(cells: "np.ndarray[Any, np.dtype[np.object_]]") -> "pa.StructArray":
    """The text, the number and the truth of each cell."""
    import pyarrow as pa

    texts = pa.array(text_cells(cells), pa.large_string())
    numbers = pa.array(as_numbers(cells).astype(np.float64), pa.float64(), from_pandas=False)
    truths = pa.array(as_truths(cells), pa.bool_())
    return pa.StructArray.from_arrays([texts, numbers, truths], names=[TEXT, NUMBER, TRUTH])


def cells_read(dataset: Dataset, columns: Container[str]) -> Dataset:
    """The dataset, where it is a data frame with these columns of objects read cell by cell."""
    source = dataset.source
    if source.format != "frame":
        return dataset
    return replace(dataset, source=replace(source, frame=with_cells_read(source.frame, columns)))
