"""How DuckDB profiles the columns of a relation.

One pass over all columns gives sizes, lengths and extremes; one grouping for each column gives the number of distinct
values, of values seen once, and a sample of them. In a table of more than `EXACT_ROWS` rows, a column with more than
`EXACT_DISTINCT` values by the engine's estimate (HyperLogLog, Flajolet et al. 2007) is not grouped in full: only the
values whose hash is divisible by m are, and the numbers of distinct values and of values seen once are m times what was
found (`estimated` says so). All rows of a value have one hash, so this is an unbiased sample of the values, with a
relative error of about 1/√`EXACT_DISTINCT`.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tacit.data.sources.profile import MOST_EXAMPLES, ColumnProfile
from tacit.errors import BadData

if TYPE_CHECKING:
    import duckdb

EXACT_ROWS = 1_000_000
EXACT_DISTINCT = 100_000
KEPT = "tacit_profiled"

_NUMBER = re.compile(r"U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?|FLOAT|DOUBLE|DECIMAL\(.*\)")
_PLAIN = re.compile(rf"{_NUMBER.pattern}|BOOLEAN|DATE|TIME(STAMP.*)?|UUID")


def profile_columns(
    connection: "duckdb.DuckDBPyConnection", relation_sql: str, columns: Sequence[str]
) -> tuple[ColumnProfile, ...]:
    """The profile of each of `columns` in a relation: a query, or the name of a table or view."""
    types = _types(connection, relation_sql)
    unknown = [column for column in columns if column not in types]
    if unknown:
        raise BadData(f"no column is called {unknown[0]!r}; the columns are {', '.join(map(repr, types))}")
    fields = [_Field(column, types[column]) for column in columns]
    totals = _one_row(connection, _totals_query(relation_sql, fields))
    profiles = []
    with _kept(connection, relation_sql, totals["rows"]) as kept_sql:
        for position, asked in enumerate(fields):
            found = {name: totals[f"{name}_{position}"] for name in asked.totals()}
            every = _every(totals["rows"], found["distinct"])
            found |= _one_row(connection, _groups_query(kept_sql, asked, every))
            profiles.append(_profile(asked, totals["rows"], every, found))
    return tuple(profiles)


@contextmanager
def _kept(connection: "duckdb.DuckDBPyConnection", relation_sql: str, rows: int) -> Iterator[str]:
    """The relation in memory while it is small, so that a text file is parsed twice and not once a column."""
    if rows > EXACT_ROWS:
        yield relation_sql
        return
    connection.sql(f"CREATE OR REPLACE TEMP TABLE {KEPT} AS SELECT * FROM ({relation_sql})")
    try:
        yield KEPT
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
        if not (self.is_number or self.is_text):
            return "CAST(NULL AS DOUBLE)"
        return "CASE WHEN isfinite(TRY_CAST(v AS DOUBLE)) THEN TRY_CAST(v AS DOUBLE) END"


def _every(rows: int, distinct: int) -> int:
    """One value in how many is grouped."""
    return 1 if rows <= EXACT_ROWS or distinct <= EXACT_DISTINCT else -(-distinct // EXACT_DISTINCT)


def _profile(asked: _Field, rows: int, every: int, found: Mapping[str, Any]) -> ColumnProfile:
    present, numbers = found["present"], found["numbers"] or 0
    # Text is ordered by its characters; where all of it is numbers, their order is what is asked for.
    spelt = asked.is_text and 0 < numbers == found["grouped"]
    minimum, maximum = (
        (_spell(found["least"]), _spell(found["most"])) if spelt else (found["minimum"], found["maximum"])
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
            arg_min(CAST(v AS VARCHAR), hash(v, 1), {MOST_EXAMPLES}) AS examples
        FROM (
            SELECT v, n, {asked.number()} AS x FROM (
                SELECT v, count(*) AS n FROM (SELECT {asked.value()} AS v FROM ({relation_sql}))
                WHERE v IS NOT NULL{chosen} GROUP BY v
            )
        )"""


def _spell(number: float | None) -> str | None:
    if number is None:
        return None
    return str(int(number)) if number.is_integer() else repr(number)
