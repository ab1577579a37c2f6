"""Recoding as SQL: each row is joined with its combination and takes the labels that were decided for it.

A row whose combination was not counted finds no partner and is suppressed. Where a combination was split, its rows are
numbered in the order of the file and dealt out to the portions in the given numbers. Rows keep their order.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from secrets import token_hex
from typing import TYPE_CHECKING

import numpy as np

from tacit.arrays import CodeArray, IntArray
from tacit.data.sources.arrow import from_numbers, from_texts
from tacit.data.sources.source import Source
from tacit.data.sql import identifier, literal, unused
from tacit.data.tables.hierarchy import MISSING, SUPPRESSED
from tacit.data.tables.recoding import Recoding
from tacit.data.tables.tally import Tally
from tacit.engines.duckdb.reading import text_of
from tacit.engines.engine import Stars

if TYPE_CHECKING:
    import pyarrow as pa


@dataclass(frozen=True, eq=False)
class RecodedRows:
    """The rows of `origin` with the labels that were decided for them; nothing is read before somebody reads it.

    `types` are those of the origin's columns, `kinds` what the columns hold here: a number may be written as text, so
    that `*` can stand beside it, and is still no text that somebody typed. `name` is that of the registered portions.
    """

    origin: Source
    types: Mapping[str, str]
    kinds: Mapping[str, str]
    recoding: Recoding
    portions: "pa.Table"
    stars: Stars
    name: str = field(default_factory=lambda: f"tacit_recoding_{token_hex(8)}")

    @property
    def place(self) -> str:
        """The column that numbers the origin's rows: numbered rows go through the join one after the other."""
        return unused("tacit_place", self.types)

    def query(self, relation: str, place: str | None = None) -> str:
        """The rows as a query over the relation of the origin and the registered portions.

        The relation has the column `place` where it is given, and so do the rows, which then stand in any order.
        """
        columns, types = self.recoding.columns, self.types
        cells = [f"{self._cell(name)} as {identifier(name)}" for name in types]
        keys = [f"coalesce({text_of(name, types[name], 't.')}, '') = r.key{c}" for c, name in enumerate(columns)]
        numbered, order = place or self.place, ""
        kept = ["not coalesce(r.suppressed, true)"] if self.stars.rows == "omit" else []
        if is_split(self.recoding):
            texts = ", ".join(f"coalesce({text_of(name, types[name])}, '')" for name in columns)
            number = identifier(unused("tacit_number", types))
            parts = f"partition by {texts} order by {identifier(numbered)}"
            relation = f"(select *, row_number() over ({parts}) as {number} from {relation})"
            keys += [f"t.{number} > r.after", f"t.{number} <= r.last"]
            order = "" if place else f" order by t.{identifier(numbered)}"
        elif not place:
            # Several threads would give the rows back in any order; a number that is asked for keeps it, unsorted.
            kept.append(f"t.{identifier(numbered)} is not null")
        cells += [f"t.{identifier(place)}"] if place else []
        join = f"{relation} t left join {self.name} r on {' and '.join(keys)}"
        where = f" where {' and '.join(kept)}" if kept else ""
        return f"select {', '.join(cells)} from {join}{where}{order}"

    def _cell(self, name: str) -> str:
        """The expression of one column, which is text where `*` may stand in it."""
        value = f"t.{identifier(name)}"
        starred = name in self.stars.columns and self.stars.rows == "star"
        if name in self.recoding.columns:
            label = f"r.label{self.recoding.columns.index(name)}"
            value = f"nullif(cast({label} as varchar), {literal(MISSING)})"
        elif starred:
            value = f"nullif({text_of(name, self.types[name], 't.')}, {literal(MISSING)})"
        return (
            f"case when coalesce(r.suppressed, true) then {literal(SUPPRESSED)} else {value} end" if starred else value
        )


def portions_table(tally: Tally, recoding: Recoding) -> "pa.Table":
    """One row for each portion: the values of its combination, its labels, whether it is suppressed, which rows."""
    import pyarrow as pa

    columns: dict[str, pa.Array] = {}
    for c in range(len(recoding.columns)):
        columns[f"key{c}"] = _texts(tally.codes[c][recoding.combination], tally.values[c])
        columns[f"label{c}"] = _texts(recoding.codes[c], recoding.labels[c])
    columns["suppressed"] = from_numbers(recoding.suppressed)
    if is_split(recoding):
        last = _last_rows(recoding)
        columns |= {"after": from_numbers(last - recoding.rows), "last": from_numbers(last)}
    return pa.Table.from_arrays(list(columns.values()), names=list(columns))


def is_split(recoding: Recoding) -> bool:
    """Whether rows of one combination are published in different ways."""
    return bool(np.bincount(recoding.combination, minlength=1).max() > 1)


def _last_rows(recoding: Recoding) -> IntArray:
    """The number, within its combination, of the last row of each portion."""
    order = np.argsort(recoding.combination, kind="stable")
    total = np.cumsum(recoding.rows[order])
    starts = np.flatnonzero(np.diff(recoding.combination[order], prepend=-1))
    sizes = np.diff(np.append(starts, order.size))
    before = np.repeat(total[starts] - recoding.rows[order][starts], sizes)
    last = np.empty(order.size, dtype=np.int64)
    last[order] = total - before
    return last


def _texts(codes: CodeArray, values: Sequence[str]) -> "pa.DictionaryArray":
    import pyarrow as pa

    return pa.DictionaryArray.from_arrays(from_numbers(codes.astype(np.int32, copy=False)), from_texts(values))
