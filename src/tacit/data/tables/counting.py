"""From the engine's distinct rows to a tally: values become codes, rows become people.

The engine hands over one Arrow table: each distinct combination of quasi-identifiers, sensitive columns and, where a
unit of privacy is named, the unit; its last column is the number of rows. Everything after that is arithmetic on codes.
People without a name for themselves (the unit is missing) count as one person, so that k is never overstated.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import isnan
from typing import TYPE_CHECKING

import numpy as np

from tacit.arrays import BoolArray, CodeArray, IntArray
from tacit.data.discreet import Discreet
from tacit.data.sources.arrow import to_numbers
from tacit.data.tables.grouping import add_up, group_by, pack
from tacit.data.tables.hierarchy import MISSING, SUPPRESSED, Hierarchy
from tacit.data.tables.tally import Census, SensitiveTally, Tally

if TYPE_CHECKING:
    import pyarrow as pa

ROWS = "rows"
"""What the last column is called, unless a column of the data has that name."""


@dataclass(frozen=True, eq=False, repr=False)
class EncodedColumn(Discreet):
    """One column as codes into its sorted distinct values."""

    values: tuple[str, ...]
    codes: CodeArray


@dataclass(frozen=True)
class TallyRequest:
    """Which columns a tally counts, and what is known of the sensitive ones."""

    quasi_identifiers: tuple[str, ...]
    sensitive: tuple[str, ...] = ()
    unit: str | None = None
    orders: Mapping[str, Sequence[str]] = field(default_factory=dict)
    hierarchies: Mapping[str, Hierarchy] = field(default_factory=dict)

    @property
    def columns(self) -> tuple[str, ...]:
        """All columns that the engine must group by."""
        return (*self.quasi_identifiers, *self.sensitive, *([self.unit] if self.unit else []))


def tally_from(distinct: "pa.Table", reading: TallyRequest) -> Tally:
    """The tally of the engine's distinct rows."""
    rows = rows_of(distinct)
    columns = [encode(distinct.column(name)) for name in reading.quasi_identifiers]
    keys = pack([column.codes for column in columns], [len(column.values) for column in columns], rows.size)
    grouping = group_by(keys.key, keys.span)
    combination, number = grouping.group, grouping.number
    person = person_numbers(distinct.column(reading.unit)) if reading.unit else None
    people = Census(add_up(combination, rows, number)) if person is None else _census(combination, person, number)
    return Tally(
        columns=reading.quasi_identifiers,
        values=tuple(column.values for column in columns),
        codes=np.array([column.codes[grouping.first] for column in columns], dtype=np.int32).reshape(
            len(columns), number
        ),
        rows=add_up(combination, rows, number),
        people=people,
        sensitive={
            name: _sensitive(name, scaled(encode(distinct.column(name)), name, reading), combination, (rows, person))
            for name in reading.sensitive
        },
    )


def rows_of(distinct: "pa.Table") -> IntArray:
    """How many rows share each combination."""
    return to_numbers(distinct.column(distinct.num_columns - 1), np.int64)


def encode(column: "pa.ChunkedArray") -> EncodedColumn:
    """A text column as codes; null is the missing value, the values are sorted."""
    dictionary = _dictionary(column)
    values = dictionary.dictionary.to_pylist()
    order = sorted(range(len(values)), key=values.__getitem__)
    rank = np.empty(len(values), dtype=np.int32)
    rank[order] = np.arange(len(values), dtype=np.int32)
    codes = to_numbers(dictionary.indices, np.int32)
    return EncodedColumn(tuple(values[i] for i in order), rank[codes] if len(values) else codes.astype(np.int32))


def person_numbers(column: "pa.ChunkedArray") -> IntArray:
    """A number for each person; nobody's name becomes a Python object."""
    return to_numbers(_dictionary(column).indices, np.int32).astype(np.int64)


def _dictionary(column: "pa.ChunkedArray") -> "pa.DictionaryArray":
    import pyarrow as pa
    import pyarrow.compute as pc

    filled = pc.fill_null(column, MISSING) if column.null_count else column
    # Wide offsets, since all chunks together may hold more than 2 GiB of text.
    return filled.cast(pa.large_string()).combine_chunks().dictionary_encode()


def ordered(column: EncodedColumn, name: str, reading: TallyRequest) -> tuple[EncodedColumn, bool]:
    """The column with its values in a meaningful order, and whether there is one: declared, or by number."""
    declared = reading.orders.get(name)
    if declared is not None:
        rank = {value: position for position, value in enumerate(declared)}
        known = [value in rank or value == MISSING for value in column.values]
        order = sorted(range(len(column.values)), key=lambda i: rank.get(column.values[i], -1))
        return _rearranged(column, order), all(known)
    numbers = [_number(value) for value in column.values]
    if any(number is None for number in numbers):
        return column, False
    order = sorted(range(len(numbers)), key=lambda i: numbers[i] or 0.0)
    return _rearranged(column, order), True


def scaled(column: EncodedColumn, name: str, reading: TallyRequest) -> tuple[EncodedColumn, bool]:
    """The column in its order, and whether it has one; a declared order is the whole scale, also where nobody stands.

    Values i and j of a scale of m are |i − j|/(m − 1) apart whichever of the m occur: a scale that shrank to the
    values of a file would call values of another file nearer or further than they were declared to be.
    """
    found, is_ordered = ordered(column, name, reading)
    declared = reading.orders.get(name)
    if declared is None or not is_ordered:
        return found, is_ordered
    missing = (MISSING,) if MISSING in found.values and MISSING not in declared else ()
    scale = {value: place for place, value in enumerate((*missing, *declared))}
    place = np.array([scale[value] for value in found.values], dtype=np.int32)
    return EncodedColumn(tuple(scale), place[found.codes] if place.size else found.codes), True


def _rearranged(column: EncodedColumn, order: Sequence[int]) -> EncodedColumn:
    rank = np.empty(len(order), dtype=np.int32)
    rank[np.asarray(order, dtype=np.int64)] = np.arange(len(order), dtype=np.int32)
    return EncodedColumn(tuple(column.values[i] for i in order), rank[column.codes])


def _number(text: str) -> float | None:
    if text == MISSING:
        return float("-inf")
    try:
        number = float(text)
    except ValueError:
        return None
    return None if isnan(number) else number


def _census(key: IntArray, person: IntArray, keys: int, trait: IntArray | None = None) -> Census:
    """The census of (key, person) pairs; with a trait, a person counts once for each key and trait."""
    who = person if trait is None else person * (int(trait.max(initial=0)) + 1) + trait
    _, who = np.unique(who, return_inverse=True)
    people = int(who.max(initial=-1)) + 1
    pairs = np.unique(key * people + who)
    pair_key, pair_who = pairs // people, pairs % people
    alone = np.bincount(pair_who, minlength=people)[pair_who] == 1
    settled = np.bincount(pair_key[alone], minlength=keys).astype(np.int64)
    return Census(settled, pair_key[~alone], pair_who[~alone])


def _sensitive(
    name: str, column: tuple[EncodedColumn, bool], combination: IntArray, counted: tuple[IntArray, IntArray | None]
) -> SensitiveTally:
    (encoded, is_ordered), (rows, person) = column, counted
    width = max(len(encoded.values), 1)
    value = encoded.codes.astype(np.int64)
    keys, cell = np.unique(combination * width + value, return_inverse=True)
    if person is None:
        census = Census(add_up(cell, rows, keys.size))
        reference = add_up(value, rows, width)
    else:
        census = _census(cell, person, keys.size, value)
        people = int(person.max(initial=0)) + 1
        reference = np.bincount(np.unique(value * people + person) // people, minlength=width).astype(np.int64)
    return SensitiveTally(name, encoded.values, keys // width, keys % width, census, reference, is_ordered)


def starred_rows(distinct: "pa.Table", reading: TallyRequest) -> BoolArray:
    """Which of the distinct rows read like suppressed ones."""
    mask = np.ones(distinct.num_rows, dtype=np.bool_)
    for name in (*reading.quasi_identifiers, *reading.sensitive):
        column = encode(distinct.column(name))
        mask &= column.codes == (column.values.index(SUPPRESSED) if SUPPRESSED in column.values else -1)
    return np.zeros_like(mask) if mask.all() and not reading.sensitive else mask
