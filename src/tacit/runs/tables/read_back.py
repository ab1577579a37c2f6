"""Reading a release back: its classes, its suppressed rows, and whether it is what was decided.

A row with `*` in every quasi-identifier and every sensitive column is suppressed and belongs to no class. If there is
no sensitive column and every row reads like that, the rows are one class, that of full generalisation.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from tacit.arrays import IntArray
from tacit.data.sources.arrow import from_numbers
from tacit.data.sources.source import Source
from tacit.data.tables.counting import TallyRequest, rows_of, starred_rows, tally_from
from tacit.data.tables.grouping import add_up, group_by, pack
from tacit.data.tables.hierarchy import SUPPRESSED
from tacit.data.tables.linkage import Linkage
from tacit.data.tables.published import PublishedTable
from tacit.data.tables.tally import SensitiveTally, Tally
from tacit.engines.engine import Engine, Target
from tacit.errors import BadData, TacitError
from tacit.spreadsheet import guarded
from tacit.verification.case import Case

if TYPE_CHECKING:
    import pyarrow as pa


@dataclass(frozen=True, eq=False)
class ReadBack:
    """A release as it was read back: the tally of its classes, and the rows that are suppressed in it.

    `distinct` are the rows as the engine read them by `reading`; None for raw data, which nobody wrote.
    """

    tally: Tally
    suppressed_rows: int
    distinct: "pa.Table | None" = None
    reading: TallyRequest | None = None

    def rows_of(self, column: int) -> dict[str, int]:
        """How many rows show each value of a quasi-identifier."""
        counted = np.bincount(
            self.tally.codes[column], weights=self.tally.rows, minlength=len(self.tally.values[column])
        )
        return {value: int(rows) for value, rows in zip(self.tally.values[column], counted, strict=True)}


def read_back(
    engine: Engine, source: Source, reading: TallyRequest, original: Mapping[str, SensitiveTally]
) -> ReadBack:
    """The release in `source`; its sensitive values are compared with those of the `original` input."""
    distinct = engine.tally(source, reading.columns)
    starred = starred_rows(distinct, reading)
    rows = rows_of(distinct)
    tally = tally_from(distinct.filter(from_numbers(~starred)), reading)
    sensitive = {name: aligned(part, original[name]) for name, part in tally.sensitive.items() if name in original}
    counted = replace(tally, sensitive={**tally.sensitive, **sensitive})
    return ReadBack(counted, int(rows[starred].sum()), distinct, reading)


def case_of(released: ReadBack, population: Tally | None = None, linkage: Linkage | None = None) -> Case:
    """What a second opinion is given: the rows as they were read, and the raw table if it was compared."""
    assert released.distinct is not None
    assert released.reading is not None
    return Case(released.distinct, released.reading, released.tally.sensitive, population, linkage)


def with_own_reference(released: ReadBack, columns: Collection[str]) -> ReadBack:
    """The release with the distributions of these sensitive columns compared with the release itself.

    A treated column is published with new values, so the input's values are no reference for it.
    """
    own = {
        name: replace(part, reference=part.census.merged(part.value, len(part.values)).counts())
        for name, part in released.tally.sensitive.items()
        if name in columns
    }
    return replace(released, tally=replace(released.tally, sensitive={**released.tally.sensitive, **own}))


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


def require_tellable(published: PublishedTable) -> None:
    """No row that is kept reads like a suppressed one, with `*` in every protected column."""
    stars = [labels.index(SUPPRESSED) if SUPPRESSED in labels else -1 for labels in published.recoding.labels]
    decided = published.released_rows
    starred = (decided.codes == np.array(stars, dtype=np.int64)[:, None]).all(axis=0)
    sensitive = published.table.tally.sensitive.values()
    if not starred.any() or any(SUPPRESSED not in part.values for part in sensitive):
        return
    if sensitive or decided.combinations > 1:
        raise BadData(
            "rows would be published with * in every protected column, like suppressed rows, and could not be told "
            "from them; leave rows that were suppressed earlier out of the input, or rename the value or label '*'"
        )


def require_as_decided(released: ReadBack, published: PublishedTable, target: Target) -> None:
    """The file says what the method decided: as many suppressed rows, and the same rows in each class."""
    suppressed = 0 if target.suppressed == "omit" else published.suppressed_rows
    if released.suppressed_rows != suppressed or not _same_classes(
        released.tally, published.released_rows, target.guard
    ):
        raise TacitError(
            "the written release is not what was decided; did the input change meanwhile? Nothing is published"
        )


def _same_classes(released: Tally, decided: Tally, guard: bool) -> bool:
    """Whether both have the same classes with the same numbers of rows."""
    codes, sizes = [], []
    for c in range(len(decided.columns)):
        shown = [guarded(label) if guard else label for label in decided.values[c]]
        position = {label: code for code, label in enumerate(dict.fromkeys(shown))}
        if not all(value in position for value in released.values[c]):
            return False
        texts = (shown, decided.codes[c]), (released.values[c], released.codes[c])
        codes.append(np.concatenate([_positions(values, position)[column] for values, column in texts]))
        sizes.append(len(position))
    keys = pack(codes, sizes, decided.combinations + released.combinations)
    ours = group_by(keys.key[: decided.combinations], keys.span)
    theirs = group_by(keys.key[decided.combinations :], keys.span)
    return np.array_equal(keys.key[ours.first], keys.key[decided.combinations :][theirs.first]) and np.array_equal(
        add_up(ours.group, decided.rows, ours.number), add_up(theirs.group, released.rows, theirs.number)
    )


def _positions(values: Sequence[str], position: Mapping[str, int]) -> IntArray:
    return np.fromiter((position[value] for value in values), dtype=np.int64, count=len(values))
