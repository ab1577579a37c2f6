"""How DuckDB writes a relation: which columns, how they are spelt, in which order.

Rows keep their order, or take that of a keyed hash of their positions (SHA-256 with a secret key in front), which
without the key can't be told from a random order.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tacit.data.sql import identifier, literal, unused
from tacit.data.tables.hierarchy import MISSING
from tacit.engines.duckdb.excel import write_sheet
from tacit.engines.duckdb.reading import text_of
from tacit.engines.duckdb.sqlite import write_sqlite
from tacit.engines.engine import Target
from tacit.errors import BadParameter
from tacit.spreadsheet import FORMULA_STARTS

if TYPE_CHECKING:
    import duckdb

BATCH_ROWS = 65_536
HASH_DIGITS = 16
"""Of the hash that orders shuffled rows: two rows alike in 64 bits, which would keep their order, are not to be met."""
PLAIN = re.compile(r"U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?|FLOAT|DOUBLE|DECIMAL\(.*\)|BOOLEAN|DATE|TIME.*")
"""Types whose values never look like a formula with a command in it."""


@dataclass(frozen=True)
class ColumnContents:
    """What the columns of a relation are: their types, and the kinds of values that they hold.

    They differ only where numbers or dates are written as text, so that `*` can stand beside them.
    """

    types: Mapping[str, str]
    kinds: Mapping[str, str]


def place_in(held: ColumnContents, target: Target) -> str | None:
    """The column that must number the rows, where their order is to be another."""
    return None if target.shuffle_key is None else unused("tacit_place", held.types)


def written_query(relation: str, held: ColumnContents, target: Target) -> str:
    """The columns of the relation as the target shows them, in its order."""
    cells = ", ".join(f"{_cell(name, held, target)} as {identifier(name)}" for name in target.columns)
    place = place_in(held, target)
    if place is None or target.shuffle_key is None:
        return f"select {cells} from {relation}"
    key = f"sha256({literal(target.shuffle_key)} || {identifier(place)})"
    return f"select {cells} from {relation} order by left({key}, {HASH_DIGITS})"


def _cell(name: str, held: ColumnContents, target: Target) -> str:
    """The expression of one column: as it was counted where that is asked of text files, and no formula."""
    value = identifier(name)
    if target.format == "excel" or (name in target.starred and target.format in ("csv", "sqlite")):
        value = f"nullif({text_of(name, held.types[name])}, {literal(MISSING)})"
    if target.guard and not PLAIN.fullmatch(held.kinds[name]):
        starts = ", ".join(literal(character) for character in FORMULA_STARTS)
        value = f"cast({value} as varchar)"
        value = f"case when left({value}, 1) in ({starts}) then '''' || {value} else {value} end"
    return value


def write(connection: "duckdb.DuckDBPyConnection", query: str, target: Target, declared: Mapping[str, str]) -> None:
    """Runs the query into the target file; `declared` are the types of columns of a database, where they are known.

    An OSError where the file can't be written.
    """
    import duckdb

    if target.path is None or target.format not in ("csv", "parquet", "sqlite", "excel"):
        raise BadParameter(f"a release can be written as csv, parquet, sqlite or excel, not as {target.format}")
    try:
        if target.format == "sqlite":
            rows = connection.sql(query).to_arrow_reader(BATCH_ROWS)
            write_sqlite(rows, target.path, target.table, declared)
        elif target.format == "excel":
            write_sheet(connection.sql(query).to_arrow_table(), target.path, target.table)
        else:
            connection.execute(f"copy ({query}) to {literal(str(target.path.absolute()))} ({_options(target)})")
    except duckdb.IOException as error:
        if target.path.name not in str(error):
            raise
        raise OSError(0, _cause(str(error))) from None


def _options(target: Target) -> str:
    if target.format == "parquet":
        return "format parquet"
    return f"format csv, header true, delimiter {literal(target.delimiter)}"


def _cause(message: str) -> str:
    """What the system said, which DuckDB quotes last."""
    known = re.search(r"No space left on device|File too large|Permission denied|Read-only file system", message)
    return known.group(0) if known else "the file can't be written"
