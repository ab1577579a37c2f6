"""Recoding as SQL: each row is joined with its combination and takes the labels that were decided for it.

A row whose combination was not counted finds no partner and is suppressed. Where a combination was split, its rows are
numbered in the order of the file and dealt out to the portions in the given numbers. Rows keep their order, or take
that of a keyed hash of their positions (SHA-256 with a secret key in front), which without the key can't be told from a
random order.
"""

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from tacit.arrays import CodeArray, IntArray
from tacit.data.sources.arrow import from_numbers, from_texts
from tacit.data.tables.hierarchy import MISSING, SUPPRESSED
from tacit.data.tables.recoding import Recoding
from tacit.data.tables.tally import Tally
from tacit.engines._reading import text_of
from tacit.engines._sql import identifier, literal, unused
from tacit.engines.engine import Target
from tacit.spreadsheet import FORMULA_STARTS

if TYPE_CHECKING:
    import pyarrow as pa

RECODING = "tacit_recoding"
HASH_DIGITS = 16
"""Of the hash that orders shuffled rows: two rows alike in 64 bits, which would keep their order, are not to be met."""
PLAIN = re.compile(r"U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?|FLOAT|DOUBLE|DECIMAL\(.*\)|BOOLEAN|DATE|TIME.*")
"""Types whose values never look like a formula with a command in it."""


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


def recoding_query(relation: str, types: Mapping[str, str], recoding: Recoding, target: Target) -> str:
    """The release as a query over the relation and the registered portions."""
    position = {name: c for c, name in enumerate(recoding.columns)}
    cells = ", ".join(_cell(name, types[name], position.get(name), target) for name in target.columns)
    texts = [f"coalesce({text_of(name, types[name])}, '')" for name in recoding.columns]
    keys = [f"coalesce({text_of(name, types[name], 't.')}, '') = r.key{c}" for c, name in enumerate(recoding.columns)]
    place, number = identifier(unused("tacit_place", types)), identifier(unused("tacit_number", types))
    rows, order = relation, ""
    if target.shuffle_key is not None or is_split(recoding):
        rows = f"(select *, row_number() over () as {place} from {relation})"
        order = f" order by t.{place}"
    if is_split(recoding):
        rows = (
            f"(select *, row_number() over (partition by {', '.join(texts)} order by {place}) as {number} from {rows})"
        )
        keys += [f"t.{number} > r.after", f"t.{number} <= r.last"]
    if target.shuffle_key is not None:
        order = f" order by left(sha256({literal(target.shuffle_key)} || t.{place}), {HASH_DIGITS})"
    kept = " where not coalesce(r.suppressed, true)" if target.suppressed == "omit" else ""
    return f"select {cells} from {rows} t left join {RECODING} r on {' and '.join(keys)}{kept}{order}"


def _cell(name: str, kind: str, position: int | None, target: Target) -> str:
    """The expression of one published column.

    A protected column is text where `*` may stand in it, and in files that would write its values in another form.
    """
    value = f"t.{identifier(name)}"
    text = not PLAIN.fullmatch(kind)
    if position is not None:
        value, text = f"nullif(cast(r.label{position} as varchar), {literal(MISSING)})", True
    elif name in target.starred and (target.suppressed == "star" or target.format in ("csv", "sqlite")):
        value = f"nullif({text_of(name, kind, 't.')}, {literal(MISSING)})"
    if name in target.starred and target.suppressed == "star":
        value = f"case when coalesce(r.suppressed, true) then {literal(SUPPRESSED)} else {value} end"
    if target.guard and text:
        starts = ", ".join(literal(character) for character in FORMULA_STARTS)
        value = f"cast({value} as varchar)"
        value = f"case when left({value}, 1) in ({starts}) then '''' || {value} else {value} end"
    return f"{value} as {identifier(name)}"
