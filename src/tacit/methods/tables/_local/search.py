"""The whole search: units, a start, sweeps, repair; the result is pieces of combinations in classes."""

from time import perf_counter

import numpy as np

from tacit.arrays import IntArray
from tacit.data.tables.table import Table
from tacit.data.tables.tally import Tally
from tacit.guarantees.guarantee import SecretGuarantee, TableGuarantee
from tacit.methods.tables._local.ahead import compile_ahead
from tacit.methods.tables._local.bystanders import sent_home
from tacit.methods.tables._local.freeze import start
from tacit.methods.tables._local.params import Local, may_split, share_of_search
from tacit.methods.tables._local.partition import Partition, link, release, settle
from tacit.methods.tables._local.paths import Paths, path_heights, trace
from tacit.methods.tables._local.pieces import Pieces, pieces_of
from tacit.methods.tables._local.repair import repair
from tacit.methods.tables._local.sweep import Terrain
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
from tacit.request import Stage, TableRequest
from tacit.spelling import percent

LARGEST_SWEPT = 20
"""Where classes must have more people than this, a board of 64 units holds too few classes for sweeps to gain."""


def search_pieces(table: Table, request: TableRequest, params: Local) -> list[Pieces]:
    """Classes of little loss that keep the guarantees wherever the whole table does; none where nothing suffices."""
    paths = trace(table)
    need, column = needs(table.tally, request.guarantees)
    rows = table.tally.rows
    splitting = may_split(table, request.guarantees)
    if splitting:
        units = split_rows(rows, dense_combinations(rows, paths, need), need)
    else:
        units = whole_combinations(table.tally, need, column)
    where = _search(table, (paths, units, need), request, params)
    if where is None:
        return []
    if splitting:
        return [pieces_of(rows, units.combination, where)]
    class_ = where.size + np.arange(rows.size)
    class_[units.combination[where >= 0]] = where[where >= 0]
    return [Pieces(np.arange(rows.size), repair(table.tally, paths, request.guarantees, class_), rows)]


def needs(tally: Tally, guarantees: tuple[TableGuarantee, ...]) -> tuple[Need, str | None]:
    """What every class must have, and the sensitive column that its distinct values are counted in."""
    implied = [known for guarantee in guarantees for known in guarantee.implied()]
    limits = [(known, limits) for known in implied if (limits := known.limits()) is not None]
    people = max((one.people for _, one in limits), default=1)
    fitted = max((one.population for _, one in limits), default=0)
    diverse = [(one.values, known) for known, one in limits if one.values > 1]
    values, about = max(diverse, key=lambda pair: pair[0], default=(0, None))
    if about is None:
        return Need(people, 0, fitted), None
    named = about.column if isinstance(about, SecretGuarantee) else None
    column = named or next(iter(tally.sensitive))
    if len(tally.sensitive[column].values) > MOST_VALUES:
        return Need(people, 0, fitted), None
    return Need(people, values, fitted), column


def _search(table: Table, task: tuple[Paths, Units, Need], request: TableRequest, params: Local) -> IntArray | None:
    """A class for each unit (-1: at home), each of which suffices; None where all together are too few."""
    paths, units, need = task
    if not units.weight.size:
        return np.empty(0, dtype=np.int64)
    where = start(paths, units, need, path_heights(table), params.seed)
    part: Partition = link(paths, units, where)
    lonely = np.flatnonzero((where < 0) & ~units.homely)
    if lonely.size and where.max() < 0:
        return None
    if lonely.size:
        settle(paths, units, part, lonely)
    if units.population.size:
        part = link(paths, units, sent_home(paths, units, need, part.where))
    if is_swept(units, need):
        compile_ahead()
        _sweep(table, Terrain(paths, units, need, part), request, params)
    dissolve_roots(paths, units, part, float(table.weights.sum()))
    return sent_home(paths, units, need, part.where) if units.population.size else part.where


def is_swept(units: Units, need: Need) -> bool:
    """Whether a class has few enough units."""
    fitted = need.population / max(float(units.population.mean()), 1.0) if units.population.size else 0.0
    return max(need.people, fitted) <= LARGEST_SWEPT


def _sweep(table: Table, task: Terrain, request: TableRequest, params: Local) -> None:
    """The classes after all sweeps, in place; how many threads take part makes no difference."""
    paths, units, _, part = task
    heights = path_heights(table)
    generator = np.random.default_rng(params.seed)
    keys = generator.integers(0, 2**63, size=paths.loss.size, dtype=np.uint64)
    begin = perf_counter()
    with Team(task, params.tries) as team:
        for turn in range(params.sweeps):
            classes = dissolvable(part)
            if not classes.size or (params.seconds is not None and perf_counter() - begin > params.seconds):
                break
            key = keys_at(paths, random_levels(paths, units, heights, keys, generator), keys)
            team.sweep(walk_of(units, part, classes, key, generator))
            loss = float((part.loss * part.weight).sum()) / table.number_of_rows
            # The first turn may have been compiled, which says nothing about the next.
            begin = begin if turn else perf_counter()
            done = share_of_search(params, (turn + 1) / params.sweeps, perf_counter() - begin)
            request.progress(Stage(f"sweep {turn + 1} of {params.sweeps}, loss {percent(loss)}", done))


def dissolve_roots(paths: Paths, units: Units, part: Partition, most: float) -> None:
    """Classes that lose everything are gone where others can take their members: they may read like suppressed rows."""
    for q in np.flatnonzero((part.number > 0) & (part.loss >= most * (1 - 1e-12))).tolist():
        if (part.number > 0).sum() < 2:
            return
        members = np.flatnonzero((part.where == q) & (units.weight > 0))
        # So rarely asked for that it is not compiled for this call.
        release.py_func(part, q)
        settle(paths, units, part, members)
