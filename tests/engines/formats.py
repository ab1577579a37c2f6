"""Files of every format, written and read by other libraries than the engine's own."""

import csv
import sqlite3
from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from tacit.data.sources.source import Source, file_source
from tacit.data.tables.recoding import Recoding
from tacit.data.tables.tally import Tally
from tacit.engines.engine import Engine, Target

Cells = dict[str, Any]


def write_csv(path: Path, rows: Sequence[Cells], delimiter: str = ",", encoding: str = "utf-8") -> Path:
    with path.open("w", encoding=encoding, newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]), delimiter=delimiter, lineterminator="\n")
        writer.writeheader()
        writer.writerows([{name: "" if cell is None else cell for name, cell in row.items()} for row in rows])
    return path


def write_parquet(path: Path, rows: Sequence[Cells]) -> Path:
    pq.write_table(pa.Table.from_pylist(list(rows)), path)
    return path


def quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def write_sqlite(path: Path, rows: Sequence[Cells], types: dict[str, str] | None = None, table: str = "people") -> Path:
    names = list(rows[0])
    with closing(sqlite3.connect(path)) as database, database:
        columns = ", ".join(f"{quoted(name)} {(types or {}).get(name, 'TEXT')}" for name in names)
        database.execute(f"CREATE TABLE {quoted(table)} ({columns})")
        places = ", ".join("?" for _ in names)
        database.executemany(
            f"INSERT INTO {quoted(table)} VALUES ({places})", [tuple(row[name] for name in names) for row in rows]
        )
    return path


def write_file(path: Path, rows: Sequence[Cells]) -> Path:
    """A file of the format that the ending stands for."""
    return {".csv": write_csv, ".parquet": write_parquet, ".sqlite": write_sqlite}[path.suffix](path, rows)


def read_file(path: Path, delimiter: str = ",") -> list[Cells]:
    """The rows of a CSV, Parquet or SQLite file, in order; null is None, and so is an empty cell of a CSV file."""
    if path.suffix == ".parquet":
        return pq.read_table(path).to_pylist()
    if path.suffix == ".sqlite":
        with closing(sqlite3.connect(path)) as database:
            database.row_factory = sqlite3.Row
            return [dict(row) for row in database.execute("SELECT * FROM release ORDER BY rowid")]
    with path.open(encoding="utf-8", newline="") as file:
        return [{name: cell or None for name, cell in row.items()} for row in csv.DictReader(file, delimiter=delimiter)]


def counted(engine: Engine, source: Source | Path, *columns: str, **options: Any) -> Counter[tuple[str, ...]]:
    """The engine's tally of the columns."""
    table = engine.tally(file_source(source, **options) if isinstance(source, Path) else source, columns)
    cells = [table.column(c).to_pylist() for c in range(table.num_columns)]
    found = {key: rows for *key, rows in zip(*cells, strict=True) for key in [tuple(key)]}
    assert len(found) == table.num_rows
    return Counter(found)


def write_recoded(engine: Engine, source: Source, tally: Tally, recoding: Recoding, target: Target) -> None:
    """The recoded rows in the target's file."""
    engine.write(engine.recoded(source, tally, recoding, target.stars), target)
