"""How DuckDB profiles the columns of a relation.

The cells of many columns are stacked into one, beside the number of their column, and grouped at once: what a query
costs to plan grows with its columns, so that a table of 10,000 columns would be planned for minutes and read in a
second. One grouping gives lengths, extremes, the number of distinct values, of values seen once, and a sample of them.

A table of more than `EXACT_ROWS` rows is not held in memory. One pass over all columns gives sizes, lengths and
extremes, and each column is grouped by itself; one with more than `EXACT_DISTINCT` values by the engine's estimate
(HyperLogLog, Flajolet et al. 2007) is not grouped in full: only the values whose hash is divisible by m are, and the
numbers of distinct values and of values seen once are m times what was found (`estimated` says so). All rows of a value
have one hash, so this is an unbiased sample of the values, with a relative error of about 1/√`EXACT_DISTINCT`.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from tacit.data.sources.arrow import from_numbers
from tacit.data.sources.notation import SPACES
from tacit.data.sources.profile import MISSING_WORDS, MOST_EXAMPLES, ColumnProfile
from tacit.data.sources.source import shown_names
from tacit.data.sql import identifier, literal
from tacit.errors import BadData

if TYPE_CHECKING:
    import duckdb
    import pyarrow as pa

EXACT_ROWS = 1_000_000
EXACT_DISTINCT = 100_000
KEPT = "tacit_profiled"
STACK = "tacit_stack"
CELLS_AT_ONCE = 8_000_000
COLUMNS_AT_ONCE = 20_000
CASTS_AT_ONCE = 500
"""Columns of types other than text, of which each needs an expression of its own."""
EXAMPLES_IN_ALL = 60_000
FEWEST_EXAMPLES = 30
"""Of a column of a very wide table, of which `EXAMPLES_IN_ALL` are looked at."""
Tell = Callable[[int, int], None]
"""Told how many columns of how many have been looked at."""
TextReading = Callable[[str], str]
"""A relation of texts, to the same relation with the texts as they are read."""

_FINITE = "CASE WHEN isfinite(TRY_CAST(v AS DOUBLE)) THEN TRY_CAST(v AS DOUBLE) END"
_NOTHING: Mapping[str, Any] = dict.fromkeys(
    ("minimum", "maximum", "least", "most", "first", "last", "examples", "blanks")
) | dict.fromkeys(("present", "numbers", "grouped", "values", "once", "shortest", "longest", "padded"), 0)
_NUMBER = re.compile(r"U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?|FLOAT|DOUBLE|DECIMAL\(.*\)")
_PLAIN = re.compile(rf"{_NUMBER.pattern}|BOOLEAN|DATE|TIME(STAMP.*)?|UUID")


def profile_columns(
    connection: "duckdb.DuckDBPyConnection", relation_sql: str, columns: Sequence[str], tell: Tell = lambda *_: None
) -> tuple[ColumnProfile, ...]:
    """The profile of each of `columns` in a relation: a query, or the name of a table or view."""
    types = _types(connection, relation_sql)
    unknown = [column for column in columns if column not in types]
    if unknown:
        raise BadData(f"no column is called {unknown[0]!r}; the columns are {shown_names(list(types))}")
    fields = [_Field(column, types[column]) for column in columns]
    rows = count_rows(connection, relation_sql)
    if rows > EXACT_ROWS:
        return _counted(_each_by_itself(connection, relation_sql, fields), len(fields), tell)
    return _counted(_stacked(connection, relation_sql, fields, rows), len(fields), tell)


def _counted(profiles: "Iterator[ColumnProfile]", columns: int, tell: Tell) -> tuple[ColumnProfile, ...]:
    """All profiles, with each of them told when it is there."""
    found: list[ColumnProfile] = []
    tell(0, columns)
    for profile in profiles:
        found.append(profile)
        tell(len(found), columns)
    return tuple(found)


def profile_texts(
    connection: "duckdb.DuckDBPyConnection",
    relation_sql: str,
    columns: Sequence[str],
    told: TextReading,
    tell: Tell = lambda *_: None,
) -> tuple[ColumnProfile, ...]:
    """The profile of every column of a relation that fits into memory and has texts alone.

    `told` says how the texts of a stack are read; one expression for all columns takes no time to plan.
    """
    fields = [_Field(column, "VARCHAR") for column in columns]
    stacked = _stacked(connection, relation_sql, fields, count_rows(connection, relation_sql), told)
    return _counted(stacked, len(fields), tell)


def count_rows(connection: "duckdb.DuckDBPyConnection", relation_sql: str) -> int:
    """How many rows the relation has."""
    return int(connection.sql(f"SELECT count(*) FROM ({relation_sql})").fetchall()[0][0])


def _each_by_itself(
    connection: "duckdb.DuckDBPyConnection", relation_sql: str, fields: "Sequence[_Field]"
) -> "Iterator[ColumnProfile]":
    """The profiles of a large table, which is read once and once more for each column."""
    totals = _one_row(connection, _totals_query(relation_sql, fields))
    for position, asked in enumerate(fields):
        found = {name: totals[f"{name}_{position}"] for name in asked.totals()}
        every = _every(totals["rows"], found["distinct"])
        found |= _one_row(connection, _groups_query(relation_sql, asked, every))
        yield _profile(asked, totals["rows"], every, found)


def _stacked(
    connection: "duckdb.DuckDBPyConnection",
    relation_sql: str,
    fields: "Sequence[_Field]",
    rows: int,
    told: TextReading = str,
) -> "Iterator[ColumnProfile]":
    """The profiles of a table that fits into memory: so many columns at once that their cells do."""
    texts = all(asked.type == "VARCHAR" for asked in fields)
    at_once = max(1, min(CELLS_AT_ONCE // max(rows, 1), COLUMNS_AT_ONCE if texts else CASTS_AT_ONCE))
    query = _stack_query(max(FEWEST_EXAMPLES, min(MOST_EXAMPLES, EXAMPLES_IN_ALL // max(len(fields), 1))), told)
    with _kept(connection, relation_sql, len(fields) > at_once) as kept_sql:
        for first in range(0, len(fields), at_once):
            part = fields[first : first + at_once]
            cells = ", ".join(f"{asked.text()} AS {identifier(asked.name)}" for asked in part)
            table = connection.sql(f"SELECT {cells} FROM ({kept_sql})").to_arrow_table()
            table.validate(full=True)
            found = _stack_groups(connection, _stack(table), query)
            for position, asked in enumerate(part):
                yield _profile(asked, rows, 1, found.get(position, _NOTHING))


def _stack(table: "pa.Table") -> "pa.Table":
    """The cells of all columns under one another, each beside the number of its column."""
    import pyarrow as pa

    numbers = from_numbers(np.repeat(np.arange(table.num_columns, dtype=np.int32), table.num_rows))
    chunks = [chunk.cast(pa.large_string()) for column in table.columns for chunk in column.chunks]
    return pa.table({"i": numbers, "v": pa.chunked_array(chunks, pa.large_string()).combine_chunks()})


def _stack_groups(connection: "duckdb.DuckDBPyConnection", stack: "pa.Table", query: str) -> dict[int, dict[str, Any]]:
    """What the distinct values of each column of the stack tell, by its number."""
    connection.register(STACK, stack)
    try:
        listed = connection.sql(query).to_arrow_table().to_pylist()
    finally:
        connection.unregister(STACK)
    return {row["i"]: row for row in listed}


@contextmanager
def _kept(connection: "duckdb.DuckDBPyConnection", relation_sql: str, several: bool) -> Iterator[str]:
    """The relation in memory if it is read several times, so that a text file is parsed twice and not once a column."""
    if not several:
        yield relation_sql
        return
    connection.sql(f"CREATE OR REPLACE TEMP TABLE {KEPT} AS SELECT * FROM ({relation_sql})")
    try:
        yield f"SELECT * FROM {KEPT}"
    finally:
        connection.sql(f"DROP TABLE temp.{KEPT}")


@dataclass(frozen=True)
class _Field:
    """A column as SQL: plain types are counted as they are, all others as text; empty text is missing."""

    name: str
    type: str

    @property
    def is_number(self) -> bool:
        return _NUMBER.fullmatch(self.type) is not None

    @property
    def is_text(self) -> bool:
        return _PLAIN.fullmatch(self.type) is None

    def value(self) -> str:
        quoted = '"' + self.name.replace('"', '""') + '"'
        return f"nullif(CAST({quoted} AS VARCHAR), '')" if self.is_text else quoted

    def text(self) -> str:
        """The value as text."""
        return identifier(self.name) if self.type == "VARCHAR" else f"CAST({identifier(self.name)} AS VARCHAR)"

    def totals(self) -> dict[str, str]:
        """Aggregates over all rows, by name."""
        value = self.value()
        return {
            "present": f"count({value})",
            "distinct": f"approx_count_distinct({value})",
            "shortest": f"min(length({value}))" if self.is_text else "0",
            "longest": f"max(length({value}))" if self.is_text else "0",
            "minimum": f"CAST(min({value}) AS VARCHAR)",
            "maximum": f"CAST(max({value}) AS VARCHAR)",
        }

    def number(self) -> str:
        """The finite number that the value `v` spells, or null."""
        return _FINITE if self.is_number or self.is_text else "CAST(NULL AS DOUBLE)"


def _every(rows: int, distinct: int) -> int:
    """One value in how many is grouped."""
    return 1 if rows <= EXACT_ROWS or distinct <= EXACT_DISTINCT else -(-distinct // EXACT_DISTINCT)


def _profile(asked: _Field, rows: int, every: int, found: Mapping[str, Any]) -> ColumnProfile:
    present, numbers = found["present"], found["numbers"] or 0
    # Text is ordered by its characters; where all of it is numbers, their order is what is asked for.
    spelt = (asked.is_text or "first" in found) and 0 < numbers == found["grouped"]
    minimum, maximum = (found["minimum"], found["maximum"])
    if spelt:
        minimum, maximum = (
            (_spell(found["least"]), _spell(found["most"])) if asked.is_text else (found["first"], found["last"])
        )
    examples = tuple(found["examples"] or ())
    lengths = [len(text) for text in (minimum, maximum, *examples) if text is not None and not asked.is_text]
    return ColumnProfile(
        name=asked.name,
        type=asked.type,
        rows=rows,
        missing=rows - present,
        distinct=min(found["values"] * every, present),
        unique=min(found["once"] * every, present),
        shortest=min(lengths, default=found["shortest"] or 0),
        longest=max(lengths, default=found["longest"] or 0),
        numeric=numbers / found["grouped"] if found["grouped"] else 0.0,
        estimated=every > 1,
        minimum=minimum,
        maximum=maximum,
        examples=examples,
        padded=found["padded"] or 0,
        blanks=tuple(sorted(found["blanks"] or ())),
    )


def _types(connection: "duckdb.DuckDBPyConnection", relation_sql: str) -> dict[str, str]:
    described = connection.sql(f"DESCRIBE SELECT * FROM ({relation_sql})").to_arrow_table()
    names, types = (described[name].to_pylist() for name in ("column_name", "column_type"))
    return dict(zip(names, types, strict=True))


def _one_row(connection: "duckdb.DuckDBPyConnection", query: str) -> dict[str, Any]:
    row: dict[str, Any] = connection.sql(query).to_arrow_table().to_pylist()[0]
    return row


def _totals_query(relation_sql: str, fields: Sequence[_Field]) -> str:
    parts = ["count(*) AS rows"]
    for position, asked in enumerate(fields):
        parts += [f"{aggregate} AS {name}_{position}" for name, aggregate in asked.totals().items()]
    return f"SELECT {', '.join(parts)} FROM ({relation_sql})"


def _groups_query(relation_sql: str, asked: _Field, every: int) -> str:
    """What the distinct values tell, or those of them whose hash `every` divides."""
    chosen = f" AND hash(v) % {every} = 0" if every > 1 else ""
    return f"""
        SELECT count(*) AS "values", count(*) FILTER (n = 1) AS once, CAST(sum(n) AS BIGINT) AS grouped,
            CAST(sum(n) FILTER (x IS NOT NULL) AS BIGINT) AS numbers, min(x) AS least, max(x) AS most,
            -- Another hash than the one that chose the values: theirs are multiples of a number.
            arg_min(CAST(v AS VARCHAR), hash(v, 1), {MOST_EXAMPLES}) AS examples,
            {_oddities("CAST(v AS VARCHAR)")}
        FROM (
            SELECT v, n, {asked.number()} AS x FROM (
                SELECT v, count(*) AS n FROM (SELECT {asked.value()} AS v FROM ({relation_sql}))
                WHERE v IS NOT NULL{chosen} GROUP BY v
            )
        )"""


def _stack_query(examples: int, told: TextReading) -> str:
    """The same of every column of the stack, and what the totals tell of one column."""
    return f"""
        SELECT i, count(*) AS "values", count(*) FILTER (n = 1) AS once, CAST(sum(n) AS BIGINT) AS grouped,
            CAST(sum(n) AS BIGINT) AS present, CAST(sum(n) FILTER (x IS NOT NULL) AS BIGINT) AS numbers,
            min(x) AS least, max(x) AS most, arg_min(v, x) AS first, arg_max(v, x) AS last,
            min(length(v)) AS shortest, max(length(v)) AS longest, min(v) AS minimum, max(v) AS maximum,
            arg_min(v, hash(v, 1), {examples}) AS examples, {_oddities("v")}
        FROM (
            SELECT i, v, n, {_FINITE} AS x
            FROM (
                SELECT i, v, CAST(sum(n) AS BIGINT) AS n
                FROM {told(f"(SELECT i, v, count(*) AS n FROM {STACK} GROUP BY i, v)")}
                WHERE v <> '' GROUP BY i, v
            )
        ) GROUP BY i"""


def _oddities(text: str) -> str:
    """How many values have spaces around them, and which are words that often stand for a missing value."""
    bare = f"trim({text}, {literal(SPACES)})"
    words = ", ".join(map(literal, sorted(MISSING_WORDS)))
    return f"""count(*) FILTER ({text} <> {bare}) AS padded,
            list(DISTINCT {bare}) FILTER (lower({bare}) IN ({words})) AS blanks"""


def _spell(number: float | None) -> str | None:
    if number is None:
        return None
    return str(int(number)) if number.is_integer() else repr(number)
