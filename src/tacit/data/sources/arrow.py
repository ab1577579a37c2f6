"""Between Arrow and NumPy by their buffers: Arrow's own conversions import pandas wherever it is installed."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    import pyarrow as pa


def to_numbers(column: "pa.Array | pa.ChunkedArray", kind: type[np.generic]) -> NDArray[Any]:
    """The numbers of a column without nulls; `kind` is the NumPy type that they have in Arrow."""
    import pyarrow as pa

    array = column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
    if isinstance(array, pa.ChunkedArray):
        return np.concatenate([to_numbers(chunk, kind) for chunk in array.chunks])
    if not len(array):
        return np.empty(0, dtype=kind)
    return np.frombuffer(array.buffers()[1], dtype=kind, count=len(array) + array.offset)[array.offset :]


def from_numbers(numbers: NDArray[Any]) -> "pa.Array":
    """The numbers as an Arrow array; flags become a byte each before they become bits."""
    import pyarrow as pa

    if numbers.dtype == np.bool_:
        return from_numbers(numbers.astype(np.uint8)).cast(pa.bool_())
    kinds = {"int32": pa.int32(), "int64": pa.int64(), "uint8": pa.uint8(), "float64": pa.float64()}
    whole = np.ascontiguousarray(numbers)
    return pa.Array.from_buffers(kinds[whole.dtype.name], whole.size, [None, pa.py_buffer(whole)])


def from_texts(texts: Sequence[str]) -> "pa.Array":
    """The texts as an Arrow array."""
    import pyarrow as pa

    encoded = [text.encode("utf-8", errors="surrogatepass") for text in texts]
    ends = np.cumsum([0, *map(len, encoded)], dtype=np.int64)
    buffers = [None, pa.py_buffer(ends), pa.py_buffer(b"".join(encoded))]
    return pa.Array.from_buffers(pa.large_string(), len(encoded), buffers)
