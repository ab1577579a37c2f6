"""Exchange: classes refined by moves and swaps of combinations, for promises about how secrets are distributed.

The covering search (`search`) knows people and distinct values. Under other promises it has to merge what fails, and a
union of classes is close to the input only where it is large. So classes are also dealt in the input's proportions
(`deal`), and the better ones are improved by annealing (`steps`): combinations that a random lattice
node makes alike move between their classes or change places, at a temperature that falls. Every step keeps all limits
(`limits`). The nodes are coarse and fine in turn: steps between unlike combinations seldom pay.

Limits add people up. Where somebody has several rows that is no more than a guide: classes that fail by the guarantees'
own measures are merged in the end, as after the covering search.
"""

from dataclasses import replace
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from tacit.arrays import FloatArray, IntArray
from tacit.data.tables.table import Table
from tacit.data.tables.tally import Tally
from tacit.guarantees.guarantee import SecretGuarantee, TableGuarantee
from tacit.methods.tables._local.exchange.deal import Stock, deal, keys_of, sampled, stock_of
from tacit.methods.tables._local.exchange.limits import Limits, knows, limits_of
from tacit.methods.tables._local.exchange.steps import ExchangeClasses, all_fit, classes_in, exchange
from tacit.methods.tables._local.params import Local, share_of_search
from tacit.methods.tables._local.paths import Paths, path_heights, trace
from tacit.methods.tables._local.pieces import Pieces
from tacit.methods.tables._local.repair import repair
from tacit.methods.tables._local.walk import alike
from tacit.request import Stage, TableRequest
from tacit.spelling import percent

STAGES = 16
"""Temperatures for each sweep that is asked for."""

STEPS = 8
"""Steps of a stage for each combination."""

MOST_STEPS = 200_000
HEAT, HOTTEST, COOLING = 0.025, 0.3, 0.1
"""The first temperature: a share of what a class loses on average, at most so many rows that lose everything; and the
last one, as a share of the first."""

GROUPS = (100, 300, 1_000, 5_000)
"""How many rows are alike at the nodes that are drawn in turn."""

MOST_CELLS = 10_000_000


def is_covered(guarantee: TableGuarantee) -> bool:
    """Whether the covering search knows all that is promised."""
    limits = guarantee.limits()
    return limits is not None and limits.counts_values


def may_exchange(table: Table, guarantees: tuple[TableGuarantee, ...]) -> bool:
    """Whether something is promised that the covering search does not know, and limits do; and memory suffices."""
    if all(map(is_covered, guarantees)) or not knows(guarantees):
        return False
    tally = spoken_of(table.tally, guarantees)
    values = sum(len(part.values) for part in tally.sensitive.values())
    return table.number_of_rows > 0 and tally.combinations * values <= MOST_CELLS


def spoken_of(tally: Tally, guarantees: tuple[TableGuarantee, ...]) -> Tally:
    """The tally with those sensitive columns only that a guarantee speaks of."""
    named = {guarantee.column for guarantee in guarantees if isinstance(guarantee, SecretGuarantee)}
    kept = {name: part for name, part in tally.sensitive.items() if None in named or name in named}
    return replace(tally, sensitive=kept)


def exchanged(table: Table, request: TableRequest, starts: list[Pieces], params: Local) -> list[Pieces]:
    """The best of some classes and of dealt ones after an exchange; none where none keeps the limits."""
    if not may_exchange(table, request.guarantees):
        return []
    request.progress("dealing sensitive values out to classes")
    tally, paths = spoken_of(table.tally, request.guarantees), trace(table)
    stock, limits = stock_of(tally), limits_of(tally, request.guarantees)
    dealt = deal(paths, stock, limits, path_heights(table), params.seed)
    given = [class_of_each(pieces) for pieces in starts if pieces.combination.size == table.tally.combinations]
    made = [linked(paths, stock, limits, where) for where in (dealt, *given)]
    valid = [classes for classes in made if all_fit(limits, classes)]
    if not valid:
        return []
    best = min(valid, key=total_loss)
    before, loss = best.where.copy(), total_loss(best)
    anneal(table, (paths, stock, limits, best), request, params)
    found = best.where if total_loss(best) < loss else before
    where = repair(table.tally, paths, request.guarantees, found)
    return [Pieces(np.arange(where.size), where, table.tally.rows)]


def class_of_each(pieces: Pieces) -> IntArray:
    """The class of each combination; none is in two."""
    where = np.empty(pieces.combination.size, dtype=np.int64)
    where[pieces.combination] = pieces.class_
    return where


def linked(paths: Paths, stock: Stock, limits: Limits, where: IntArray) -> ExchangeClasses:
    """The classes of combinations, with all that steps need."""
    _, number = np.unique(where, return_inverse=True)
    made: ExchangeClasses = classes_in(paths, stock, number, limits.shares.shape[1])
    return made


def total_loss(classes: ExchangeClasses) -> float:
    """The loss of all rows together."""
    return float((classes.loss * classes.sums[:, 1]).sum())


def anneal(
    table: Table, task: tuple[Paths, Stock, Limits, ExchangeClasses], request: TableRequest, params: Local
) -> None:
    """The classes after all stages, in place."""
    paths, stock, limits, classes = task
    generator = np.random.default_rng(params.seed)
    keys = generator.integers(0, 2**63, size=paths.loss.size, dtype=np.uint64)
    state = generator.integers(1, 2**63, size=1, dtype=np.uint64)
    begin = perf_counter()
    stages, steps = STAGES * params.sweeps, min(STEPS * stock.rows.size, MOST_STEPS)
    first = min(HEAT * total_loss(classes) / len(classes.loss), HOTTEST * float(table.weights.sum()))
    for stage, temperature in enumerate(first * np.geomspace(1.0, COOLING, stages)):
        levels = random_levels(paths, stock, keys, GROUPS[stage % len(GROUPS)], generator)
        walk = neighbourhoods(keys_of(paths, keys, np.arange(stock.rows.size), levels))
        exchange(paths, stock, limits, classes, (*walk, steps, temperature, state))
        loss = total_loss(classes) / table.number_of_rows
        # The first stage may have been compiled, which says nothing about the next.
        begin = begin if stage else perf_counter()
        done = share_of_search(params, (stage + 1) / stages, perf_counter() - begin)
        request.progress(Stage(f"exchange {stage + 1} of {stages}, loss {percent(loss)}", done))
        if params.seconds is not None and perf_counter() - begin > params.seconds:
            return


def random_levels(
    paths: Paths, stock: Stock, keys: NDArray[np.uint64], rows: int, generator: np.random.Generator
) -> IntArray:
    """A lattice node at which about so many rows are alike, as seen by a row; cheap steps are likelier."""
    sample = sampled(stock, generator)
    mean: FloatArray = paths.loss[paths.node[sample]].mean(axis=0)
    levels = np.zeros(mean.shape[0], dtype=np.int64)
    while True:
        open_ = np.flatnonzero(levels < mean.shape[1] - 1)
        if not open_.size or alike(keys_of(paths, keys, sample, levels)) * stock.rows.sum() >= rows:
            return levels
        step = mean[open_, levels[open_] + 1] - mean[open_, levels[open_]]
        odds = 1 / (step + 0.02) ** 2
        levels[generator.choice(open_, p=odds / odds.sum())] += 1


def neighbourhoods(key: NDArray[np.uint64]) -> tuple[IntArray, IntArray, IntArray]:
    """The group of each combination, the combinations in order of their groups, and where each group begins."""
    _, group, size = np.unique(key, return_inverse=True, return_counts=True)
    return group, np.argsort(group, kind="stable"), np.concatenate([[0], np.cumsum(size)])
