"""Data frames of any library as Arrow tables, and Arrow tables as data frames of the same kind.

Narwhals knows the libraries; what it does not know may still speak the Arrow PyCapsule interface.
"""

from typing import TYPE_CHECKING, Any

from tacit.data.sources.pandas_frames import index_names, with_index, with_texts
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
            return _in_arrow(native)
    except _errors():
        raise BadData(_unreadable(native)) from None
    return _by_capsule(frame)


def _in_arrow(native: Any) -> "pa.Table":
    """The table, without types that pandas alone knows."""
    import narwhals as nw

    told = nw.from_native(with_texts(native.to_native())) if native.implementation.is_pandas_like() else native
    return told.to_arrow()


def _errors() -> tuple[type[Exception], ...]:
    """What a column may fail with that has no form in Arrow."""
    import pyarrow as pa

    return (pa.ArrowException, OverflowError, TypeError, UnicodeError)


def _unreadable(native: Any) -> str:
    """Which column Arrow can't hold, why, and what to do; no cell of it."""
    import narwhals as nw

    if not isinstance(native, nw.DataFrame):
        return "the data frame can't be read as an Arrow table; convert columns of unusual types to text"
    for name in native.columns:
        try:
            _in_arrow(native.select(name))
        except _errors():
            kind = str(native.to_native()[name].dtype)
            return f"the column {str(name)!r} of the data frame can't be read: {_why(kind)}"
    return "the data frame can't be read as an Arrow table"


def _why(kind: str) -> str:
    """What is wrong with a column of a type that Arrow can't hold, and what to do."""
    if kind.lower().startswith("sparse"):
        return "it is sparse; make it dense with .sparse.to_dense()"
    if kind.startswith("complex"):
        return "it holds complex numbers; give their parts as columns of their own"
    return (
        "it holds values of several types, numbers that are too large, or objects; convert it to text or to numbers of "
        "one type"
    )


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
