"""The final check of a candidate: what its classes keep, as a reader sees them, and what must be suppressed."""

from dataclasses import replace

import numpy as np

from tacit.arrays import BoolArray
from tacit.data.tables.grouping import EntryGroups, group_by, pack
from tacit.data.tables.hierarchy import SUPPRESSED
from tacit.data.tables.recoding import Recoding
from tacit.data.tables.table import Table
from tacit.methods.tables._partition.partition import keeping, plain, regrouped, selected
from tacit.request import TableRequest


def read_classes(recoding: Recoding) -> EntryGroups:
    """The portions grouped by the texts of their labels: a reader can't tell labels apart that read alike."""
    codes, sizes = [], []
    for labels, code in zip(recoding.labels, recoding.codes, strict=True):
        position = {text: i for i, text in enumerate(dict.fromkeys(labels))}
        codes.append(np.array([position[text] for text in labels], dtype=np.int64)[code])
        sizes.append(len(position))
    keys = pack(codes, sizes, recoding.rows.size)
    return group_by(keys.key, keys.span)


def kept(table: Table, request: TableRequest, recoding: Recoding) -> Recoding | None:
    """The recoding with failing classes suppressed; None where these are more than the limit, or all.

    What belongs to no class with rows is suppressed too, which costs nothing: it is in the population only.
    """
    failing = failing_portions(table, request, recoding)
    if not failing.any():
        return recoding
    limit = np.floor(request.suppression * table.number_of_rows + 1e-9)
    if failing[recoding.rows > 0].all() or recoding.rows[failing].sum() > limit:
        return None
    return replace(recoding, suppressed=failing)


def failing_portions(table: Table, request: TableRequest, recoding: Recoding) -> BoolArray:
    """Which portions stand in a class that fails a guarantee, has no rows, or could be taken for suppressed rows."""
    classes = read_classes(recoding)
    if np.array_equal(recoding.combination, np.arange(table.tally.combinations)):
        tally = table.tally
    elif recoding.combination.size == table.tally.combinations:
        tally = selected(table.tally, recoding.combination)
    else:
        # Combinations are split for k-anonymity only, with one row a person.
        tally = plain(recoding.rows)
    merged = regrouped(tally, classes.group, classes.number)
    failing: BoolArray = ~keeping(request.guarantees, merged) | (merged.rows == 0)
    if np.count_nonzero(merged.rows) > 1:
        failing |= read_suppressed(table, recoding)[classes.first]
    return failing[classes.group]


def read_suppressed(table: Table, recoding: Recoding) -> BoolArray:
    """Which portions are published with nothing but stars, where rows with their sensitive values could be too."""
    starred = np.ones(recoding.rows.size, dtype=np.bool_)
    if any(SUPPRESSED not in part.values for part in table.tally.sensitive.values()):
        return ~starred
    for labels, code in zip(recoding.labels, recoding.codes, strict=True):
        starred &= np.array([text == SUPPRESSED for text in labels])[code]
    return starred


def loss_of(table: Table, recoding: Recoding) -> float:
    """The loss of a recoding: the weighted mean over all cells, 1 for a suppressed one."""
    total = 0.0
    for column, hierarchy in enumerate(table.hierarchies):
        cell = (recoding.leaves[column] - 1) / max(len(hierarchy.leaves) - 1, 1)
        lost = np.where(recoding.suppressed, 1.0, cell[recoding.codes[column]])
        total += float(table.weights[column]) * float((lost * recoding.rows).sum())
    return total / (float(table.weights.sum()) * table.number_of_rows)
