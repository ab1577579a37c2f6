"""Data frames of any library as Arrow tables, and Arrow tables as data frames of the same kind.

Narwhals knows the libraries; what it does not know may still speak the Arrow PyCapsule interface.
"""

from typing import TYPE_CHECKING, Any

from tacit.data.sources.pandas_frames import index_names, with_index
from tacit.errors import BadData, BadParameter

if TYPE_CHECKING:
    import pyarrow as pa


def as_arrow(frame: Any) -> "pa.Table":
    """The data frame as an Arrow table; an error never shows a cell of it."""
    import narwhals as nw
    import pyarrow as pa

    if isinstance(frame, pa.Table):
        return frame
    native = known_frame(frame)
    try:
        if isinstance(native, nw.LazyFrame):
            return native.collect(backend="pyarrow").to_arrow()
        if isinstance(native, nw.DataFrame):
            return native.to_arrow()
    except (pa.ArrowException, OverflowError, TypeError, UnicodeError) as error:
        raise BadData(
            f"the data frame can't be read as an Arrow table ({type(error).__name__}): is a column sparse, or does it "
            "hold values of several types? Convert such a column to text or to a dense column"
        ) from None
    return _by_capsule(frame)


def known_frame(frame: Any) -> Any:
    """The data frame as Narwhals knows it, itself where it does not; the named index of a pandas frame is a column."""
    import narwhals as nw

    native = _known(frame)
    if isinstance(native, nw.LazyFrame) and native.implementation.is_dask():
        native = native.collect(backend="pandas")
    if isinstance(native, nw.DataFrame) and native.implementation.is_pandas_like():
        return nw.from_native(with_index(native.to_native()))
    return native


def _known(frame: Any) -> Any:
    """The data frame as Narwhals knows it; a name that two columns have is refused."""
    import narwhals as nw

    try:
        return nw.from_native(frame, pass_through=True)
    except nw.exceptions.DuplicateError:
        raise BadData("the data frame has a column name twice; every column needs its own name") from None


def index_of(frame: Any) -> list[str]:
    """The names of the columns that are an index in a pandas frame."""
    import narwhals as nw

    native = _known(frame)
    is_pandas = isinstance(native, nw.DataFrame) and native.implementation.is_pandas_like()
    return index_names(native.to_native()) if is_pandas else []


def column_names(frame: Any) -> list[str]:
    """The names of the columns; cells are looked at only where a library tells no names without."""
    import narwhals as nw

    native = known_frame(frame)
    if isinstance(native, nw.DataFrame):
        return [str(name) for name in native.columns]
    names: list[str] = as_arrow(frame).column_names
    return names


def _by_capsule(frame: Any) -> "pa.Table":
    """The table of something that speaks the Arrow PyCapsule interface."""
    import pyarrow as pa

    if any(hasattr(frame, name) for name in ("__arrow_c_stream__", "__arrow_c_array__")):
        try:
            return pa.table(frame)
        except pa.ArrowException:
            pass
    raise BadParameter(f"{type(frame).__name__} is not a data frame: pass a path, or a pandas, Polars or Arrow table")


def like(frame: Any, table: "pa.Table") -> Any:
    """The table as the same kind of data frame as `frame`; itself where Arrow tables can't become that kind."""
    import narwhals as nw
    import pyarrow as pa

    kind = None if frame is None or isinstance(frame, pa.Table) else _known(frame)
    if isinstance(kind, nw.DataFrame):
        return nw.from_arrow(table, backend=kind.implementation).to_native()
    if isinstance(kind, nw.LazyFrame):
        eager = nw.from_arrow(table, backend="pyarrow")
        try:
            return eager.lazy(backend=kind.implementation).to_native()
        except ValueError:
            return table
    return table
