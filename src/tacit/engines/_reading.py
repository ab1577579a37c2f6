"""How DuckDB reads each kind of source."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tacit.data.source import Source, read_header, require_names
from tacit.engines._sql import literal
from tacit.errors import BadData, BadParameter, MissingExtra

if TYPE_CHECKING:
    import duckdb
    import pyarrow as pa

BATCH_ROWS = 65_536


@contextmanager
def relation(connection: "duckdb.DuckDBPyConnection", source: Source, folder: Path) -> Iterator[str]:
    """What to put after FROM to read the source once."""
    if source.format == "csv":
        yield _csv(source, folder)
    elif source.format == "parquet":
        yield f"read_parquet({_path(source.path)})"
    elif source.format == "sqlite":
        with _sqlite(source) as reader:
            yield from _registered(connection, reader)
    else:
        table = _excel(source) if source.format == "excel" else as_arrow(source.frame)
        require_names(source.name, tuple(table.column_names))
        yield from _registered(connection, table)


@contextmanager
def explained(source: Source) -> Iterator[None]:
    """Turns errors of the reader into BadData that names the file and the line, never a cell."""
    import duckdb

    try:
        yield
    except (duckdb.InvalidInputException, duckdb.ConversionException, duckdb.IOException) as error:
        text = str(error)
        line = re.search(r"[Ll]ine:? (\d+)", text)
        place = f", line {line.group(1)}" if line else ""
        if "unicode" in text.lower() or "utf-8" in text.lower():
            raise BadData(
                f"{source.name}{place} is not {source.encoding} text; give its encoding, such as latin-1"
            ) from None
        if source.format == "csv" and not isinstance(error, duckdb.IOException):
            raise BadData(
                f"{source.name}{place}: a row does not fit the header: too many or too few cells, or a quote "
                "that does not close; check delimiter and quoting"
            ) from None
        if source.format == "parquet":
            raise BadData(f"{source.name} is not a Parquet file, or it is damaged") from None
        raise BadData(f"{source.name} can't be read or written: {type(error).__name__}") from None


def _csv(source: Source, folder: Path) -> str:
    header = read_header(source)
    path = source.path if source.encoding.lower() in ("utf-8", "utf8", "utf-8-sig") else _transcoded(source, folder)
    names = ", ".join(f"{literal(name)}: 'VARCHAR'" for name in header.columns)
    missing = ", ".join(literal(word) for word in ("", *source.missing))
    return (
        f"read_csv({_path(path)}, auto_detect = false, header = true, columns = {{{names}}}, "
        f"delim = {literal(header.delimiter)}, quote = {literal(source.quote)}, escape = {literal(source.quote)}, "
        f"nullstr = [{missing}], null_padding = false, strict_mode = true)"
    )


def _transcoded(source: Source, folder: Path) -> Path:
    """The file in UTF-8, made once in the engine's own folder."""
    assert source.path is not None
    stat = source.path.stat()
    copy = folder / f"{stat.st_ino}-{stat.st_mtime_ns}.csv"
    if not copy.exists():
        partial = copy.with_suffix(".partial")
        try:
            with (
                source.path.open(encoding=source.encoding, newline="") as old,
                partial.open("w", encoding="utf-8", newline="") as new,
            ):
                while block := old.read(1 << 20):
                    new.write(block)
        except UnicodeDecodeError as error:
            raise BadData(
                f"{source.name} is not {source.encoding} text (byte {error.start}); give its encoding"
            ) from None
        partial.rename(copy)
    return copy


@contextmanager
def _sqlite(source: Source) -> Iterator[Any]:
    import adbc_driver_sqlite.dbapi as sqlite

    table, columns = sqlite_columns(source)
    cells = ", ".join('CAST("{0}" AS TEXT) AS "{0}"'.format(name.replace('"', '""')) for name in columns)
    with sqlite.connect(f"file:{source.path}?mode=ro") as connection, connection.cursor() as cursor:
        cursor.execute(f'SELECT {cells} FROM "{table}"')
        yield cursor.fetch_record_batch()


def sqlite_columns(source: Source) -> tuple[str, dict[str, str]]:
    """The table that is read, and its columns with their declared types."""
    import sqlite3

    connection = sqlite3.connect(f"file:{source.path}?mode=ro", uri=True)
    try:
        listed = connection.execute("SELECT name FROM sqlite_master WHERE type IN ('table', 'view') ORDER BY name")
        tables = [row[0] for row in listed if not row[0].startswith("sqlite_")]
        table = source.table or (tables[0] if len(tables) == 1 else None)
        if table is None or table not in tables:
            named = f"no table {table!r}" if table else f"{len(tables)} tables"
            raise BadParameter(f"{source.name} has {named}; set `table` to one of: {', '.join(tables) or 'none'}")
        quoted = table.replace('"', '""')
        info = connection.execute(f'PRAGMA table_info("{quoted}")').fetchall()
        return quoted, {row[1]: row[2] for row in info}
    except sqlite3.DatabaseError:
        raise BadData(f"{source.name} is not an SQLite database, or it is damaged") from None
    finally:
        connection.close()


def _excel(source: Source) -> "pa.Table":
    try:
        import fastexcel
    except ImportError:
        raise MissingExtra("fastexcel", "excel", "reading an Excel file") from None
    import pyarrow as pa

    try:
        sheet = fastexcel.read_excel(str(source.path)).load_sheet(source.sheet or 0, dtypes="string")
        return pa.Table.from_batches([sheet.to_arrow()])
    except fastexcel.FastExcelError:
        raise BadData(f"{source.name} is not an Excel workbook, or it lacks the sheet {source.sheet!r}") from None


def as_arrow(frame: Any) -> "pa.Table":
    """A data frame of any library as an Arrow table."""
    import pyarrow as pa

    if isinstance(frame, pa.Table):
        return frame
    import narwhals as nw

    try:
        native = nw.from_native(frame)
    except TypeError:
        if hasattr(frame, "__arrow_c_stream__"):
            return pa.table(frame)
        raise BadParameter(
            f"{type(frame).__name__} is no data frame: pass a path, or a pandas, Polars or Arrow table"
        ) from None
    eager = native.collect() if isinstance(native, nw.LazyFrame) else native
    return eager.to_arrow()


def _registered(connection: "duckdb.DuckDBPyConnection", rows: Any) -> Iterator[str]:
    connection.register("tacit_source", rows)
    try:
        yield "tacit_source"
    finally:
        connection.unregister("tacit_source")


def _path(path: Path | None) -> str:
    """The path as SQL text, its wildcards taken literally."""
    return literal(re.sub(r"([*?\[])", r"[\1]", str(path)))
