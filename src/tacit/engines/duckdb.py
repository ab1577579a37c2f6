"""DuckDB inside the process: one pass counts distinct combinations, one pass recodes.

Values are compared as text: numbers without a trailing `.0`, dates in ISO form, null and empty text as the missing
value. The recoding joins each row with its combination; a row whose combination was not counted is suppressed, so a
file that changes between the passes can't leak.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from tacit.arrays import CodeArray
from tacit.data.arrow import from_numbers, from_texts
from tacit.data.hierarchy import MISSING, SUPPRESSED
from tacit.data.profile import ColumnProfile, profile_columns
from tacit.data.recoding import Recoding
from tacit.data.source import Source
from tacit.data.tally import Tally
from tacit.engines import _reading, _writing
from tacit.engines._sql import identifier, literal
from tacit.engines.engine import Target
from tacit.errors import BadData
from tacit.formulas import FORMULA_STARTS

if TYPE_CHECKING:
    import pyarrow as pa

FLOATING = ("FLOAT", "DOUBLE", "DECIMAL")


class DuckDB:
    """An engine in this process; use it in a `with` block, which removes its spill files."""

    def __init__(self, threads: int | None = None, memory: str | None = None) -> None:
        import tempfile

        import duckdb

        self._folder = tempfile.TemporaryDirectory(prefix="tacit-")
        settings: dict[str, Any] = {"temp_directory": self._folder.name}
        settings |= {"threads": threads} if threads else {}
        settings |= {"memory_limit": memory} if memory else {}
        self.connection: duckdb.DuckDBPyConnection = duckdb.connect(config=settings)
        self.connection.execute("set enable_progress_bar = false")

    def __enter__(self) -> Self:
        """Opens nothing: the connection is there."""
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        """Closes the connection and removes the spill files."""
        self.connection.close()
        self._folder.cleanup()

    def columns(self, source: Source) -> dict[str, str]:
        """The columns with their types, in order."""
        with self._reads(source) as relation:
            described = self.connection.sql(f"describe select * from {relation}").fetchall()
            return {str(row[0]): str(row[1]) for row in described}

    def profile(self, source: Source) -> tuple[ColumnProfile, ...]:
        """What one look at each column tells."""
        columns = tuple(self.columns(source))
        with self._reads(source) as relation:
            if source.format != "sqlite":
                return profile_columns(self.connection, f"select * from {relation}", columns)
            # A database is read through a stream, which can be read once only.
            self.connection.execute(f"create or replace temp table tacit_rows as select * from {relation}")
            try:
                return profile_columns(self.connection, "select * from tacit_rows", columns)
            finally:
                self.connection.execute("drop table temp.tacit_rows")

    def tally(self, source: Source, columns: Sequence[str]) -> "pa.Table":
        """Each distinct combination of the columns as text (missing is empty), with its number of `rows`."""
        types = self.columns(source)
        require_columns(source.name, columns, types)
        names = ", ".join(identifier(name) for name in columns)
        texts = ", ".join(f"{_text(name, types[name], source)} as {identifier(name)}" for name in columns)
        with self._reads(source) as relation:
            distinct = f"select {names}, count(*) as tacit_rows from {relation} group by all"
            query = f"select {texts}, sum(tacit_rows)::bigint as rows from ({distinct}) group by all"
            table = self.connection.sql(query).to_arrow_table()
        if table.num_rows == 0:
            raise BadData(f"{source.name} has no rows, only column names")
        return table

    def write(self, source: Source, tally: Tally, recoding: Recoding, target: Target) -> None:
        """Writes the release into the target's file."""
        with self._recoded(source, tally, recoding, target) as query:
            _writing.write(self.connection, query, target)

    def frame(self, source: Source, tally: Tally, recoding: Recoding, target: Target) -> "pa.Table":
        """The release in memory."""
        with self._recoded(source, tally, recoding, target) as query:
            return self.connection.sql(query).to_arrow_table()

    @contextmanager
    def _reads(self, source: Source) -> Iterator[str]:
        """What to select from; errors of the reader become BadData without a cell of the data."""
        with (
            _reading.relation(self.connection, source, Path(self._folder.name)) as relation,
            _reading.explained(source),
        ):
            yield relation

    @contextmanager
    def _recoded(self, source: Source, tally: Tally, recoding: Recoding, target: Target) -> Iterator[str]:
        types = self.columns(source)
        self.connection.register("tacit_recoding", _replacements(tally, recoding))
        try:
            with self._reads(source) as relation:
                cells, join = _cells(types, recoding, target), _join(source, types, recoding, target)
                yield f"select {cells} from {relation} t {join}"
        finally:
            self.connection.unregister("tacit_recoding")


def require_columns(where: str, wanted: Sequence[str], there: dict[str, str]) -> None:
    """All wanted columns are there."""
    lacking = [name for name in wanted if name not in there]
    if lacking:
        raise BadData(f"{where} has no column {', '.join(map(repr, lacking))}; it has {', '.join(map(repr, there))}")


def _text(name: str, kind: str, source: Source, prefix: str = "") -> str:
    """A column as text in which equal values look alike."""
    column = prefix + identifier(name)
    text = column if kind == "VARCHAR" else f"cast({column} as varchar)"
    if kind.startswith(FLOATING):
        text = f"regexp_replace({text}, '\\.0+$', '')"
    if source.missing and source.format != "csv":
        words = ", ".join(literal(word) for word in source.missing)
        text = f"case when {text} in ({words}) then '' else {text} end"
    return f"coalesce({text}, '')"


def _replacements(tally: Tally, recoding: Recoding) -> "pa.Table":
    """One row for each portion: the values of its combination, its labels, whether it is suppressed."""
    import pyarrow as pa

    columns: dict[str, pa.Array] = {}
    for c in range(len(recoding.columns)):
        columns[f"key{c}"] = _texts(tally.codes[c][recoding.combination], tally.values[c])
        columns[f"label{c}"] = _texts(recoding.codes[c], recoding.labels[c])
    columns["suppressed"] = from_numbers(recoding.suppressed)
    return pa.Table.from_arrays(list(columns.values()), names=list(columns))


def _texts(codes: CodeArray, values: Sequence[str]) -> "pa.DictionaryArray":
    import pyarrow as pa

    return pa.DictionaryArray.from_arrays(from_numbers(codes.astype(np.int32, copy=False)), from_texts(values))


def _cells(types: dict[str, str], recoding: Recoding, target: Target) -> str:
    position = {name: c for c, name in enumerate(recoding.columns)}
    return ", ".join(_cell(name, types[name], position.get(name), target) for name in target.columns)


def _join(source: Source, types: dict[str, str], recoding: Recoding, target: Target) -> str:
    keys = [f"{_text(name, types[name], source, 't.')} = r.key{c}" for c, name in enumerate(recoding.columns)]
    kept = " where not coalesce(r.suppressed, true)" if target.suppressed == "omit" else ""
    order = " order by uuid()" if target.shuffled else ""
    return f"left join tacit_recoding r on {' and '.join(keys)}{kept}{order}"


def _cell(name: str, kind: str, position: int | None, target: Target) -> str:
    """The expression of one published column."""
    label = f"nullif(cast(r.label{position} as varchar), {literal(MISSING)})"
    value = f"t.{identifier(name)}" if position is None else label
    text = position is not None or kind == "VARCHAR"
    if name in target.starred and target.suppressed == "star":
        value = value if text else f"cast({value} as varchar)"
        value = f"case when coalesce(r.suppressed, true) then {literal(SUPPRESSED)} else {value} end"
    if target.guard and text:
        starts = ", ".join(literal(character) for character in FORMULA_STARTS)
        value = f"case when left({value}, 1) in ({starts}) then '''' || {value} else {value} end"
    return f"{value} as {identifier(name)}"
