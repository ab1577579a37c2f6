"""DuckDB inside the process: one pass counts distinct combinations, one pass recodes.

Values are compared as text: numbers without a trailing `.0`, dates in ISO form, null and empty text as the missing
value. The recoding joins each row with its combination; a row whose combination was not counted is suppressed, so a
file that changes between the passes can't leak (`recoding.py`).
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from pathlib import Path
from secrets import token_hex
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self, TypeVar
from weakref import WeakKeyDictionary, finalize

from tacit.arrays import BoolArray
from tacit.data.aggregates.aggregate import Aggregate
from tacit.data.aggregates.people import People
from tacit.data.columns import Columns
from tacit.data.sources.header import read_header
from tacit.data.sources.profile import ColumnProfile
from tacit.data.sources.repeats import DerivedKey, Repeats
from tacit.data.sources.source import Source, shown_names
from tacit.data.sql import identifier, literal
from tacit.data.tables.recoding import Recoding
from tacit.data.tables.tally import Tally
from tacit.engines.duckdb import reading, writing
from tacit.engines.duckdb.cells import require_one_notation, told_texts
from tacit.engines.duckdb.interrupt import interruptible
from tacit.engines.duckdb.positions import DRAWN, TREATED, drawing_query, drawn_table, replacing_query, treated_table
from tacit.engines.duckdb.profile import EXACT_ROWS, count_rows, profile_columns, profile_texts
from tacit.engines.duckdb.reading import (
    EXACT_WHOLES,
    cell_by_cell,
    counting_query,
    expression,
    text_of,
    texts_of_risky,
)
from tacit.engines.duckdb.recoding import RecodedRows, portions_table
from tacit.engines.duckdb.repeats import found_repeats, groups_query, repeats_queries
from tacit.engines.duckdb.spellings import spellings_query
from tacit.engines.duckdb.sqlite import sqlite_columns
from tacit.engines.duckdb.writing import ColumnContents, place_in, written_query
from tacit.engines.engine import Stars, Target
from tacit.errors import BadData
from tacit.scratch import scratch
from tacit.spelling import many

if TYPE_CHECKING:
    import duckdb
    import pyarrow as pa

R = TypeVar("R")
QueryWatch = Callable[[str, float], None]
"""Told what is under way, and which share of it is done; an empty text says that it has ended."""

SETTINGS = (
    # How far a query is can be asked for, and is not printed.
    "enable_progress_bar = true",
    "enable_progress_bar_print = false",
    # A text must not depend on where the machine stands.
    "TimeZone = 'UTC'",
    # Nothing is fetched from outside, no variable of the caller is taken for a table.
    "autoinstall_known_extensions = false",
    "python_enable_replacements = false",
    # Else a recoding with more entries than the file has rows would be scanned first, and the order of the rows lost.
    "disabled_optimizers = 'build_side_probe_side'",
)


class DuckDB:
    """An engine in this process; use it in a `with` block, which removes its spill files.

    What it spills or copies holds raw rows, so it stands in a private folder (`tacit.scratch`). While a query takes
    long, `watch` is told now and then which share of it is done.
    """

    def __init__(self, threads: int | None = None, memory: str | None = None, watch: QueryWatch | None = None) -> None:
        stack = ExitStack()
        self._watch = watch
        self._folder = stack.enter_context(scratch())
        self._remove_folder = finalize(self, stack.close)
        self._origins: dict[Path | None, Source] = {}
        self._types: dict[bytes, dict[str, str]] = {}
        self._in_notation: WeakKeyDictionary[Source, set[str]] = WeakKeyDictionary()
        settings: dict[str, Any] = {"temp_directory": str(self._folder)}
        settings |= {"threads": threads} if threads else {}
        settings |= {"memory_limit": memory} if memory else {}
        self.connection = interruptible(None, lambda: _connected(settings))

    def __enter__(self) -> Self:
        """Opens nothing: the connection is there."""
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        """Closes the connection and removes the spill files."""
        import duckdb

        # A second interrupt may leave a query that is still ending; the process will end it.
        try:
            with suppress(duckdb.Error):
                interruptible(None, self.connection.close)
        finally:
            self._remove_folder()

    def columns(self, source: Source) -> dict[str, str]:
        """The columns with their types, in order."""
        if source.format == "sqlite":
            return dict.fromkeys(sqlite_columns(source), "VARCHAR")
        if source.format == "csv":
            return dict.fromkeys(read_header(source).columns, "VARCHAR")
        if source.format != "frame":
            return self._described(source)
        with reading.explained(source):
            schema = source.arrow.schema.serialize().to_pybytes()
        if schema not in self._types:
            # The types of an Arrow table follow from its schema, so one look is enough for all tables that share it.
            self._types[schema] = self._described(source)
        return dict(self._types[schema])

    def _described(self, source: Source) -> dict[str, str]:
        with self._reads(source) as relation:
            query = f"describe select * from {relation}"
            described = self._run(lambda: self.connection.sql(query).fetchall())
            return {str(row[0]): str(row[1]) for row in described}

    def profile(self, source: Source) -> tuple[ColumnProfile, ...]:
        """What one look at each column tells."""
        types = self.columns(source)
        if set(types.values()) == {"VARCHAR"} and source.format != "sqlite":
            with self._reads(source) as relation:
                query = f"select * from {relation}"
                if self._run(lambda: count_rows(self.connection, query)) <= EXACT_ROWS:
                    told = partial(told_texts, source=source)
                    tell = self._tell_column
                    return self._run(lambda: profile_texts(self.connection, query, tuple(types), told, tell), False)
        with self._reads(source, types) as relation:
            query = f"select * from {relation}"
            if source.format != "sqlite":
                return self._run(lambda: self._profiled(query, types), False)
            # A database is read through a stream, which can be read once only.
            self._run(lambda: self.connection.execute(f"create or replace temp table tacit_rows as {query}"))
            try:
                return self._run(lambda: self._profiled("select * from tacit_rows", types), False)
            finally:
                self._run(lambda: self.connection.execute("drop table temp.tacit_rows"))

    def _profiled(self, query: str, types: Mapping[str, str]) -> tuple[ColumnProfile, ...]:
        return profile_columns(self.connection, query, tuple(types), self._tell_column)

    def repeats(self, source: Source, columns: Sequence[str], first: int | None = None) -> tuple[Repeats, ...]:
        """How often the values of these columns come again, in all rows or in the first ones."""
        types = self.columns(source)
        require_columns(source.name, columns, types)
        asked = {name: types[name] for name in columns}
        figures: list[Any] = []
        for place in range(len(repeats_queries("", asked, first))):
            # A stream, such as that of a database, can be read once only.
            with self._reads(source, types) as relation:
                figures += self._one_row(repeats_queries(relation, asked, first)[place])
        return found_repeats(columns, figures, first is None)

    def _one_row(self, query: str) -> tuple[Any, ...]:
        row: tuple[Any, ...] = self._run(lambda: self.connection.sql(query).fetchall())[0]
        return row

    def spellings(self, source: Source, column: str) -> int:
        """How many values a column has if those count once that differ only in spelling."""
        types = self.columns(source)
        require_columns(source.name, (column,), types)
        with self._reads(source, types) as relation:
            return int(self._one_row(spellings_query(relation, column, types[column]))[0])

    def groups(self, source: Source, keys: Mapping[str | DerivedKey, int], columns: Sequence[str]) -> "pa.Table":
        """The columns as text (missing is empty), then for each key whether the row's value of it was drawn.

        One in so many values of a key is drawn, by hash; rows are there in which a value of some key was.
        """
        types = self.columns(source)
        named = [name for key in keys for name in ((key,) if isinstance(key, str) else key.columns)]
        require_columns(source.name, (*named, *columns), types)
        with self._reads(source, types) as relation:
            query = groups_query(relation, types, keys, columns)
            return self._run(lambda: self.connection.sql(query).to_arrow_table())

    def tally(self, source: Source, columns: Sequence[str]) -> "pa.Table":
        """Each distinct combination of the columns as text (missing is empty); the last column has its rows."""
        types = self.columns(source)
        require_columns(source.name, columns, types)
        with self._reads(source, {name: types[name] for name in columns}) as relation:
            query = counting_query(relation, {name: types[name] for name in columns})
            table = self._run(lambda: self.connection.sql(query).to_arrow_table())
            table.validate(full=True)
        if table.num_rows == 0:
            raise BadData(f"{source.name} has no rows, only column names")
        return table

    def cells(self, source: Source, columns: Sequence[str]) -> "pa.Table":
        """The columns as text (missing is empty), row by row in the order of the source."""
        types = self.columns(source)
        require_columns(source.name, columns, types)
        texts = ", ".join(f"coalesce({text_of(name, types[name])}, '') as {identifier(name)}" for name in columns)
        with self._reads(source, {name: types[name] for name in columns}) as relation:
            table = self._run(lambda: self.connection.sql(f"select {texts} from {relation}").to_arrow_table())
            table.validate(full=True)
        if table.num_rows == 0:
            raise BadData(f"{source.name} has no rows, only column names")
        return table

    def aggregates(self, source: Source, wanted: Aggregate[R], people: People | None = None) -> R:
        """What is wanted about all rows, exactly; with `people`, about so many rows of each person only."""
        asked: Aggregate[R] = people.of(wanted) if people else wanted
        source = cell_by_cell(source, asked.columns)
        types = self.columns(source)
        require_columns(source.name, asked.columns, types)
        with self._reads(source, types) as relation:
            query = asked.query(relation, expression(types))
            return asked.found(self._run(lambda: self.connection.sql(query).fetchall()))

    def held(self, source: Source, columns: Sequence[str], named: Sequence[str] = ()) -> Source:
        """The rows with these columns, every cell found to be readable; cells of `named` tell people or groups apart.

        Files are read once, as any row of them may be unreadable, and kept in the engine's folder. Data frames stay
        where they are, but for columns of a type of which not every value has a text: these are texts from here on.
        """
        source = cell_by_cell(source, columns)
        types = self.columns(source)
        require_columns(source.name, columns, types)
        texts = texts_of_risky({name: types[name] for name in columns})
        for name in dict.fromkeys(named):
            self._require_told_apart(source, types, name)
        if source.path is None and not texts:
            self._require_texts(source, columns)
            return source
        cells = ", ".join(texts.get(name, identifier(name)) for name in columns or [next(iter(types))])
        path = None if source.path is None else self._copy_path(source)
        with self._reads(source, types) as relation:
            query = f"select {cells} from {relation}"
            if path is None:
                table = self._run(lambda: self.connection.sql(query).to_arrow_table())
                table.validate(full=True)
                return Source("frame", frame=table)
            self._run(lambda: self.connection.execute(f"copy ({query}) to {literal(str(path))} (format parquet)"))
        return Source("parquet", path)

    def _require_texts(self, source: Source, columns: Sequence[str]) -> None:
        """The texts of a data frame are valid Unicode; DuckDB looks only when it hands them over."""
        with reading.explained(source):
            for name in columns:
                source.arrow[name].validate(full=True)

    def _require_told_apart(self, source: Source, types: Mapping[str, str], column: str) -> None:
        """Refuse names that are floating-point numbers and not exact, such as a missing cell makes of long ones.

        The type of a data frame's column follows from its cells: refusing all numbers of that type would refuse
        everybody where one name is missing.
        """
        exact = EXACT_WHOLES.get(types[column])
        if exact is None:
            return
        with self._reads(source, types) as relation:
            name = identifier(column)
            query = f"select 1 from {relation} where isfinite({name}) and abs({name}) >= {exact} limit 1"
            if self._run(lambda: self.connection.sql(query).fetchall()):
                raise BadData(
                    f"the column {column!r} tells people or groups apart, but it holds floating-point numbers of "
                    f"{exact} or more, each of which may stand for several whole ones; a missing cell turns long whole "
                    "numbers into these. Read it again as text, or as whole numbers that may be missing (`Int64` in "
                    "pandas)"
                )

    def replaced(self, source: Source, columns: Columns) -> Source:
        """The same rows with these columns in place of their own, as a file in the engine's folder."""
        return self._copied(
            source, (TREATED, treated_table(columns)), lambda rows, types: replacing_query(rows, types, columns)
        )

    def drawn(self, source: Source, rows: BoolArray) -> Source:
        """The rows whose place is true, as a file in the engine's folder."""
        return self._copied(source, (DRAWN, drawn_table(rows)), drawing_query)

    def _copied(
        self, source: Source, beside: "tuple[str, pa.Table]", query: Callable[[str, Mapping[str, str]], str]
    ) -> Source:
        """What the query over the source and the table beside it gives, as a file of the same name."""
        path, types = self._copy_path(source), self.columns(source)
        with reading.registered(self.connection, *beside), self._reads(source, types) as relation:
            copy = f"copy ({query(relation, types)}) to {literal(str(path))} (format parquet)"
            self._run(lambda: self.connection.execute(copy))
        self._origins[path] = self._origin(source)
        return Source("parquet", path)

    def _copy_path(self, source: Source) -> Path:
        """A new file of the same name in the engine's folder."""
        folder = self._folder / f"copy-{token_hex(8)}"
        folder.mkdir()
        return folder / source.name

    def recoded(self, source: Source, tally: Tally, recoding: Recoding, stars: Stars) -> Source:
        """The same rows with the labels that were decided; nothing is read before somebody reads it."""
        held = self._held(source)
        require_columns(source.name, recoding.columns, held.types)
        kinds = {**held.kinds, **dict.fromkeys(recoding.columns, "VARCHAR")}
        rows = RecodedRows(source, held.types, kinds, recoding, portions_table(tally, recoding), stars)
        return Source("relation", source.path, frame=rows)

    def write(self, source: Source, target: Target) -> None:
        """Writes the rows into the target's file."""
        declared = _declared(self._origin(source), target)
        with self._written(source, target) as query:
            self._run(lambda: writing.write(self.connection, query, target, declared))

    def frame(self, source: Source, target: Target) -> "pa.Table":
        """The rows in memory, as the target shows them."""
        with self._written(source, target) as query:
            return self._run(lambda: self.connection.sql(query).to_arrow_table())

    @contextmanager
    def _written(self, source: Source, target: Target) -> Iterator[str]:
        held = self._held(source)
        require_columns(source.name, target.columns, held.types)
        with self._reads(source, held.types, place_in(held, target)) as relation:
            yield written_query(relation, held, target)

    def _held(self, source: Source) -> ColumnContents:
        types = self.columns(source)
        return ColumnContents(types, source.frame.kinds if source.format == "relation" else types)

    def _origin(self, source: Source) -> Source:
        """What the user gave: declared types of a database are known there only."""
        while source.format == "relation":
            source = source.frame.origin
        return self._origins.get(source.path, source)

    def _run(self, work: Callable[[], R], is_one_query: bool = True) -> R:
        """What the work gives; how far it is can be told if it is one query."""
        watch = self._watch
        if watch is None or not is_one_query:
            return interruptible(self.connection, work)
        told: list[float] = []

        def tell() -> None:
            percent = self.connection.query_progress()
            if percent > 0:
                told.append(percent)
                watch("this query", percent / 100)

        found = interruptible(self.connection, work, tell)
        if told:
            watch("", 0.0)
        return found

    def _tell_column(self, done: int, columns: int) -> None:
        """How many columns have been looked at."""
        if self._watch is not None:
            self._watch(f"{done:,} of {many(columns, 'column')}", done / columns)

    @contextmanager
    def _reads(self, source: Source, types: Mapping[str, str] | None = None, place: str | None = None) -> Iterator[str]:
        """What to select from; errors of the reader become BadData without a cell of the data.

        Missing words become null where the types are given. If `place` is given, a column of that name counts them.
        """
        if source.format == "relation":
            with self._reads_recoded(source.frame, place) as relation:
                yield relation
            return
        with (
            reading.explained(source),
            reading.relation(self.connection, source, self._folder) as relation,
        ):
            told = relation if types is None else self._told(relation, source, types)
            yield told if place is None else f"(select *, row_number() over () as {identifier(place)} from {told})"

    def _told(self, relation: str, source: Source, types: Mapping[str, str]) -> str:
        """The relation with cells as the source says, whose columns were found, once, to be in its notation."""
        known = self._in_notation.setdefault(source, set())
        new = {name: kind for name, kind in types.items() if name not in known}
        if new and not source.notation.is_plain and source.format != "sqlite":
            self._run(lambda: require_one_notation(self.connection, relation, source, new))
            known |= set(new)
        return reading.told(relation, source, types)

    @contextmanager
    def _reads_recoded(self, rows: RecodedRows, place: str | None) -> Iterator[str]:
        with (
            reading.registered(self.connection, rows.name, rows.portions),
            self._reads(rows.origin, rows.types, place or rows.place) as relation,
        ):
            yield f"({rows.query(relation, place)})"


def _connected(settings: dict[str, Any]) -> "duckdb.DuckDBPyConnection":
    """A connection to a database in memory, set up."""
    import duckdb

    connection = duckdb.connect(config=settings)
    for setting in SETTINGS:
        connection.execute(f"set {setting}")
    return connection


def require_columns(where: str, wanted: Sequence[str], there: Mapping[str, str]) -> None:
    """All wanted columns are there."""
    lacking = [name for name in wanted if name not in there]
    if lacking:
        raise BadData(f"{where} has no column {shown_names(lacking)}; it has {shown_names(list(there))}")


def _declared(source: Source, target: Target) -> dict[str, str]:
    """The declared types of the columns that go unchanged from a database into a database."""
    if source.format != "sqlite" or target.format != "sqlite":
        return {}
    return {name: kind for name, kind in sqlite_columns(source).items() if name not in target.starred}
