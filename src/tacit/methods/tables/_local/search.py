"""The search as a whole: units, a start, sweeps, repair; what comes out are pieces of combinations in classes."""

import numpy as np

from tacit.arrays import IntArray
from tacit.data.table import Table
from tacit.data.tally import Tally
from tacit.guarantees.guarantee import Guarantee
from tacit.guarantees.k_anonymity import KAnonymity
from tacit.guarantees.l_diversity import LDiversity
from tacit.methods.tables._local.freeze import start
from tacit.methods.tables._local.partition import Partition, link, release, settle
from tacit.methods.tables._local.paths import Paths, path_heights, trace
from tacit.methods.tables._local.pieces import Pieces, pieces_of
from tacit.methods.tables._local.repair import repair
from tacit.methods.tables._local.threads import Team
from tacit.methods.tables._local.units import (
    MOST_VALUES,
    Need,
    Units,
    dense_combinations,
    split_rows,
    whole_combinations,
)
from tacit.methods.tables._local.walk import dissolvable, keys_at, random_levels, walk_of
from tacit.methods.tables.local import Local, counts_rows_only
from tacit.request import Request

LARGEST_SWEPT = 20
"""Where classes must have more people than this, a board of 64 units holds too few classes for sweeps to gain."""


def search_pieces(table: Table, request: Request, params: Local) -> list[Pieces]:
    """Classes of little loss that keep the guarantees wherever the whole table does; none where nothing suffices."""
    paths = trace(table)
    need, column = needs(table.tally, request.guarantees)
    rows = table.tally.rows
    alone = counts_rows_only(request.guarantees)
    if alone:
        units = split_rows(rows, dense_combinations(rows, paths, need), need)
    else:
        units = whole_combinations(table.tally, column)
    where = _search(table, (paths, units, need), request, params)
    if where is None:
        return []
    if alone:
        return [pieces_of(rows, units.combination, where)]
    return [Pieces(units.combination, repair(table.tally, paths, request.guarantees, where), rows)]


def needs(tally: Tally, guarantees: tuple[Guarantee, ...]) -> tuple[Need, str | None]:
    """The people and distinct values that every class must have, and the sensitive column that these are counted in."""
    implied = [known for guarantee in guarantees for known in guarantee.implied()]
    people = max((known.k for known in implied if isinstance(known, KAnonymity)), default=1)
    diverse = max((known for known in implied if isinstance(known, LDiversity)), key=lambda d: d.l, default=None)
    if diverse is None:
        return Need(people, 0), None
    column = diverse.column or next(iter(tally.sensitive))
    if len(tally.sensitive[column].values) > MOST_VALUES:
        return Need(people, 0), None
    return Need(people, int(diverse.l)), column


def _search(table: Table, task: tuple[Paths, Units, Need], request: Request, params: Local) -> IntArray | None:
    """A class for each unit (-1: at home), each with people and values enough; None where all are too few."""
    paths, units, need = task
    if not units.weight.size:
        return np.empty(0, dtype=np.int64)
    where = start(paths, units, need, path_heights(table), params.seed)
    part: Partition = link(paths, units, where)
    lonely = np.flatnonzero((where < 0) & ~units.homely)
    if lonely.size and where.max() < 0:
        return None
    settle(paths, units, part, lonely)
    if need.people <= LARGEST_SWEPT:
        _sweep(table, (paths, units, need, part), request, params)
    dissolve_roots(paths, units, part, float(table.weights.sum()))
    return part.where


def _sweep(table: Table, task: tuple[Paths, Units, Need, Partition], request: Request, params: Local) -> None:
    """The classes after all sweeps, in place; how many threads take part makes no difference."""
    paths, units, _, part = task
    heights = path_heights(table)
    generator = np.random.default_rng(params.seed)
    keys = generator.integers(0, 2**63, size=paths.loss.size, dtype=np.uint64)
    with Team(task, params.tries) as team:
        for turn in range(params.sweeps):
            classes = dissolvable(part)
            if not classes.size:
                break
            key = keys_at(paths, random_levels(paths, units, heights, keys, generator), keys)
            team.sweep(walk_of(units, part, classes, key, generator))
            loss = float((part.loss * part.weight).sum()) / table.number_of_rows
            request.progress(f"sweep {turn + 1} of {params.sweeps}: loss {loss:.5f}")


def dissolve_roots(paths: Paths, units: Units, part: Partition, most: float) -> None:
    """Classes that lose everything are gone where others can take their members: they may read like suppressed rows."""
    for q in np.flatnonzero((part.number > 0) & (part.loss >= most * (1 - 1e-12))).tolist():
        if (part.number > 0).sum() < 2:
            return
        members = np.flatnonzero(part.where == q)
        release(part, q)
        settle(paths, units, part, members)
