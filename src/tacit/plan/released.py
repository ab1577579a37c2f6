"""Reading a release back: its classes, its suppressed rows, and whether it is what was decided.

A row with `*` in every quasi-identifier and every sensitive column is suppressed: it is no class. Where there is no
sensitive column and every row reads so, the rows are one class, the one of full generalisation.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from tacit.arrays import IntArray
from tacit.data.arrow import from_numbers, to_numbers
from tacit.data.counting import ROWS, Reading, encode, tally_from
from tacit.data.hierarchy import SUPPRESSED
from tacit.data.published import Published
from tacit.data.source import Source
from tacit.data.tally import SensitiveTally, Tally
from tacit.engines.engine import Engine
from tacit.errors import TacitError
from tacit.formulas import guarded

if TYPE_CHECKING:
    import pyarrow as pa


@dataclass(frozen=True, eq=False)
class Released:
    """A release as it was read back: the tally of its classes, and the rows that are suppressed in it."""

    tally: Tally
    suppressed_rows: int

    def rows_of(self, column: int) -> dict[str, int]:
        """How many rows show each value of a quasi-identifier."""
        counted = np.bincount(
            self.tally.codes[column], weights=self.tally.rows, minlength=len(self.tally.values[column])
        )
        return {value: int(rows) for value, rows in zip(self.tally.values[column], counted, strict=True)}


def read_back(engine: Engine, source: Source, reading: Reading, original: Mapping[str, SensitiveTally]) -> Released:
    """The release in `source`; its sensitive values are compared with those of the `original` input."""
    distinct = engine.tally(source, reading.columns)
    starred = _starred(distinct, reading)
    rows = to_numbers(distinct.column(ROWS), np.int64)
    tally = tally_from(distinct.filter(from_numbers(~starred)), reading)
    sensitive = {name: aligned(part, original[name]) for name, part in tally.sensitive.items() if name in original}
    return Released(replace(tally, sensitive={**tally.sensitive, **sensitive}), int(rows[starred].sum()))


def _starred(distinct: "pa.Table", reading: Reading) -> "np.ndarray[tuple[int], np.dtype[np.bool_]]":
    mask = np.ones(distinct.num_rows, dtype=np.bool_)
    for name in (*reading.quasi_identifiers, *reading.sensitive):
        column = encode(distinct.column(name))
        mask &= column.codes == (column.values.index(SUPPRESSED) if SUPPRESSED in column.values else -1)
    return np.zeros_like(mask) if mask.all() and not reading.sensitive else mask


def aligned(part: SensitiveTally, original: SensitiveTally) -> SensitiveTally:
    """The same cells with the codes, the order and the reference of the original; unknown values come last."""
    position = {value: code for code, value in enumerate(original.values)}
    position |= {guarded(value): code for value, code in list(position.items()) if guarded(value) not in position}
    unknown = [value for value in part.values if value not in position]
    position |= {value: len(original.values) + i for i, value in enumerate(unknown)}
    code = np.array([position[value] for value in part.values], dtype=np.int64)
    reference: IntArray = np.concatenate([original.reference, np.zeros(len(unknown), dtype=np.int64)])
    moved = code[part.value] if part.value.size else part.value
    order = np.lexsort((moved, part.combination))
    rank = np.empty(order.size, dtype=np.int64)
    rank[order] = np.arange(order.size)
    return replace(
        part,
        values=(*original.values, *unknown),
        combination=part.combination[order],
        value=moved[order],
        census=part.census.merged(rank, order.size),
        reference=reference,
        ordered=original.ordered and not unknown,
        hierarchy=original.hierarchy if not unknown else None,
    )


def require_as_decided(released: Released, published: Published, omitted: bool) -> None:
    """The file says what the method decided: as many suppressed rows, the same classes, the same values."""
    decided = published.released
    suppressed = 0 if omitted else published.suppressed_rows
    same = (
        released.suppressed_rows == suppressed
        and decided.combinations == released.tally.combinations
        and np.array_equal(np.sort(decided.rows), np.sort(released.tally.rows))
        and all(_same_values(released, published, c) for c in range(len(published.columns)))
    )
    if not same:
        raise TacitError(
            "the written release is not what was decided; did the input change meanwhile? Nothing is published"
        )


def _same_values(released: Released, published: Published, column: int) -> bool:
    labels, rows = published.recoding.labels[column], published.label_rows[column]
    decided: dict[str, int] = {}
    for label, number in zip(labels, rows[:-1], strict=True):
        if number:
            shown = label if label in released.tally.values[column] else guarded(label)
            decided[shown] = decided.get(shown, 0) + int(number)
    return decided == {value: number for value, number in released.rows_of(column).items() if number}
