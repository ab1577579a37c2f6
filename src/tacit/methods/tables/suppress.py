"""Cell suppression: cells of single rows are replaced by `*`, in unimportant columns first; no cell is coarsened.

Every row is published without some of its columns, so that all rows that read alike keep the guarantees together. The
number of suppressed cells, each weighted by the importance of its column, is to be small; with equal levels this is the
loss. The least number is NP-hard to find (Meyerson and Williams 2004), so patterns of suppressed columns are taken from
the cheapest to the dearest and give a class to every row that they can (`_suppress/greedy.py`), the few rows left over
widen a class (`_suppress/leftover.py`), and parts of the table are solved again in other orders
(`_suppress/refine.py`). The classes of Mondrian compete. Of up to twelve columns all patterns are tried.

For k-anonymity with one row a person, rows of one combination may be published differently; otherwise a combination is
published as a whole. For k-map a class counts the people of the population that it was given, never more than fit it.
`*` is a value of its own here, and a class has no fewer matches where `*` is read as any value. A column that the plan
does not let rise to its root is not suppressed. No optimum is claimed, and no promise rests on the chance that guides
the search. More: docs/how-to/suppress-cells.md, docs/benchmarks.md.
"""

import math
from dataclasses import replace
from typing import Annotated

import numpy as np
from pydantic import Field

from tacit.arrays import BoolArray, FloatArray, IntArray
from tacit.cards.tables import TableMethod
from tacit.data.tables.hierarchy import Hierarchy
from tacit.data.tables.recoding import Recoding
from tacit.data.tables.table import Table
from tacit.errors import BadParameter, CannotGuarantee
from tacit.methods.tables._local.verdict import loss_of, read_classes, read_suppressed
from tacit.methods.tables._partition.division import SUPPRESSED, Division
from tacit.methods.tables._partition.partition import (
    Ground,
    ground_of,
    keeping,
    people_only,
    plain,
    regrouped,
    require_of_classes,
    selected,
)
from tacit.methods.tables._partition.recoding import Labeller, LabelRuns, Labels, by_nodes, recoding_of
from tacit.methods.tables._suppress.greedy import OrderNoise, choose_greedily
from tacit.methods.tables._suppress.leftover import joined
from tacit.methods.tables._suppress.problem import LEFT, Portions, Problem, patterns_of
from tacit.methods.tables._suppress.refine import refined
from tacit.methods.tables.mondrian import Mondrian, partition
from tacit.params import Params
from tacit.request import TableDecision, TableRequest
from tacit.spelling import many

LEAST_WEIGHT = 1e-6
MOST_COLUMNS = 62
SMALL = 50_000
RESTARTS = 4


class Suppress(Params):
    """What is kept longest, and how long to search."""

    importance: dict[str, Annotated[float, Field(ge=0)]] = Field(
        default_factory=dict,
        description="what a suppressed cell of a column costs; by default the weight that the plan gives it",
    )
    rounds: Annotated[
        int, Field(ge=0, le=100_000, description="how many times parts of the table are solved again")
    ] = 40
    seed: Annotated[int, Field(ge=0, lt=2**32, description="the seed of the random choices of the search")] = 0


def suppress_cells(table: Table, request: TableRequest, params: Suppress) -> TableDecision:
    """The recoding of fewest suppressed cells that the search finds; CannotGuarantee where none keeps the promises."""
    _require_able(table, request)
    flat = replace(flattened(table), weights=importances(table, params))
    problem = problem_of(ground_of(flat, request.guarantees))
    portions = _searched(problem, request, params)
    found = [_recoding(problem, portions)] if (portions.pattern >= 0).any() else []
    reason: CannotGuarantee | None = None
    try:
        found.append(partition(flat, request, Mondrian()).recoding)
    except CannotGuarantee as error:
        reason = error
    judged = [recoding for each in found if (recoding := _judged(flat, request, each)) is not None]
    if not judged:
        raise reason or CannotGuarantee("no suppression of cells was found that keeps all guarantees; allow more rows")
    best = min(judged, key=lambda recoding: loss_of(flat, recoding))
    return TableDecision(best, cost=loss_of(table, best))


def flattened(table: Table) -> Table:
    """The same table with nothing between the least level of each column and its root."""
    hierarchies = [_flat(h, least) for h, least in zip(table.hierarchies, table.least, strict=True)]
    closed = zip(table.hierarchies, table.least, table.most, strict=True)
    most = tuple(2 if high == h.height > low else 1 for h, low, high in closed)
    return replace(table, hierarchies=tuple(hierarchies), least=(1,) * len(most), most=most)


def _flat(hierarchy: Hierarchy, least: int) -> Hierarchy:
    root = [hierarchy.labels[-1][0]] * len(hierarchy.leaves)
    return Hierarchy.from_levels(hierarchy.column, [hierarchy.labels_at(0), hierarchy.labels_at(least), root])


def importances(table: Table, params: Suppress) -> FloatArray:
    """What a suppressed cell of each column costs; none is free, so that no cell is suppressed for nothing."""
    columns = table.tally.columns
    unknown = sorted(set(params.importance) - set(columns))
    if unknown:
        raise BadParameter(f"importance names {unknown}; the quasi-identifiers are {list(columns)}")
    scale = table.weights * len(columns)
    given = np.array([params.importance.get(name, w) for name, w in zip(columns, scale.tolist(), strict=True)])
    if not given.any():
        raise BadParameter("importance is 0 for every column; give one that should be kept a number above 0")
    costs: FloatArray = np.maximum(given / given.sum(), LEAST_WEIGHT)
    return costs


def problem_of(ground: Ground) -> Problem:
    """The choice of patterns on a ground of flat hierarchies."""
    table = ground.table
    alone = counts_rows_only(ground)
    codes = [h.codes[1][leaf].astype(np.int64) for h, leaf in zip(table.hierarchies, ground.leaves, strict=True)]
    return Problem(
        ground=ground,
        codes=np.array(codes).reshape(len(codes), ground.atoms),
        sizes=tuple(len(hierarchy.labels[1]) for hierarchy in table.hierarchies),
        weights=table.weights,
        open_=tuple(c for c, high in enumerate(table.most) if high == 2 and len(np.unique(codes[c])) > 1),
        people=int(max(guarantee.bound for guarantee in ground.guarantees)) if alone else 0,
        barred=ground.roots_read_suppressed,
    )


def counts_rows_only(ground: Ground) -> bool:
    """Whether nothing but numbers of rows matters, so that it is no matter which rows of a combination go where."""
    tally = ground.table.tally
    return tally.one_row_each and tally.population is None and people_only(ground.guarantees)


def _searched(problem: Problem, request: TableRequest, params: Suppress) -> Portions:
    """A pattern for every row, LEFT where it is to be suppressed, and for what only the population has."""
    generator = np.random.default_rng(params.seed)
    patterns = patterns_of(problem, problem.open_, generator)
    request.progress(f"trying {patterns.size:,} sets of columns to suppress")
    limit = int(np.floor(request.suppression * problem.ground.table.number_of_rows + 1e-9))
    whole = _started(problem, patterns, limit, generator)
    request.progress(f"refining in {many(params.rounds, 'round')}")
    return refined(problem, whole, params.rounds, generator)


def _started(problem: Problem, patterns: IntArray, limit: int, generator: np.random.Generator) -> Portions:
    """The greedy choice; where it leaves rows over in a small table, the best of some in other orders."""
    rows = problem.ground.tally.rows
    everything = Portions(np.arange(rows.size), rows, np.zeros_like(rows))
    first = choose_greedily(problem, everything, patterns, OrderNoise())
    starts = [joined(problem, first, patterns, limit)]
    small = max(problem.ground.atoms, 100) * patterns.size <= SMALL
    for _ in range(RESTARTS if small and (first.pattern == LEFT).any() else 0):
        again = choose_greedily(problem, everything, patterns, OrderNoise(generator, 1.0, 1.0))
        starts.append(joined(problem, again, patterns, limit))
    return min(starts, key=lambda portions: _cost(problem, portions, limit))


def _cost(problem: Problem, portions: Portions, limit: int) -> float:
    """What the portions cost; up to `limit` rows without a class are suppressed whole."""
    left = portions.pattern == LEFT
    gone = int(portions.rows[left].sum())
    kept = float(problem.cost(portions.part(~left)).sum())
    return kept + (gone * float(problem.weights.sum()) if gone <= limit else math.inf)


def _recoding(problem: Problem, portions: Portions) -> Recoding:
    """The recoding of a choice of patterns; rows of one pattern that agree elsewhere are one class."""
    ground = problem.ground
    codes = [np.where(portions.pattern >> c & 1, -1, codes[portions.atom]) for c, codes in enumerate(problem.codes)]
    keys = np.array([portions.pattern, *codes])
    parts, part = np.unique(keys, axis=1, return_inverse=True)
    part = np.where(portions.pattern < 0, SUPPRESSED, part.reshape(-1))
    # Only where joining can't spoil a class may one that needs a pattern less be read like another.
    labeller = by_nodes if problem.people else _by_patterns(parts[0][parts[0] >= 0])
    return recoding_of(ground, Division(portions.atom, portions.rows, part), labeller)


def _by_patterns(patterns: IntArray) -> Labeller:
    """The root in the columns of each part's pattern, the value itself elsewhere."""

    def label(ground: Ground, column: int, runs: LabelRuns) -> Labels:
        hierarchy = ground.table.hierarchies[column]
        values = hierarchy.labels[1]
        code = hierarchy.codes[1][ground.leaves[column][runs.atom[runs.starts]]]
        return Labels(
            (*values, hierarchy.labels[-1][0]),
            np.append(hierarchy.leaves_under(1), len(hierarchy.leaves)),
            np.where(patterns >> column & 1, len(values), code).astype(np.int32),
        )

    return label


def _judged(table: Table, request: TableRequest, recoding: Recoding) -> Recoding | None:
    """The recoding with failing classes suppressed as well; None where these are more than the limit, or all."""
    shown = np.flatnonzero(~recoding.suppressed)
    failing = recoding.suppressed.copy()
    if shown.size:
        failing[shown] = _failing(table, request, _part(recoding, shown))
    limit = np.floor(request.suppression * table.number_of_rows + 1e-9)
    if failing.all() or recoding.rows[failing].sum() > limit:
        return None
    return replace(recoding, suppressed=failing)


def _part(recoding: Recoding, portions: IntArray) -> Recoding:
    return replace(
        recoding,
        codes=recoding.codes[:, portions],
        combination=recoding.combination[portions],
        rows=recoding.rows[portions],
        suppressed=recoding.suppressed[portions],
    )


def _failing(table: Table, request: TableRequest, recoding: Recoding) -> BoolArray:
    """Which portions stand in a class that fails a guarantee, or that could be taken for suppressed rows."""
    classes = read_classes(recoding)
    split = np.unique(recoding.combination).size < recoding.combination.size
    # Combinations are split for k-anonymity only, with one row a person.
    tally = plain(recoding.rows) if split else selected(table.tally, recoding.combination)
    failing = ~keeping(request.guarantees, regrouped(tally, classes.group, classes.number))
    if classes.number > 1 or recoding.rows.sum() < table.number_of_rows:
        failing |= read_suppressed(table, recoding)[classes.first]
    result: BoolArray = failing[classes.group]
    return result


def _require_able(table: Table, request: TableRequest) -> None:
    """What is promised can be kept by classes whose labels overlap, of a table of this size."""
    require_of_classes("tables/suppress", request)
    if not table.number_of_rows:
        raise CannotGuarantee("the table has no rows, so there is nobody to protect")
    if len(table.hierarchies) > MOST_COLUMNS:
        raise BadParameter(
            f"tables/suppress takes at most {MOST_COLUMNS} quasi-identifiers, found {len(table.hierarchies)}; take "
            "tables/mondrian"
        )


METHOD = TableMethod(
    title="Cell suppression",
    params=Suppress,
    run=suppress_cells,
    needs="quasi-identifiers, and what a cell of each is worth",
    gives="rows that are unchanged except for single suppressed cells, in the least important columns first",
    guarantees=("class",),
    paper="https://doi.org/10.1145/1055558.1055591",
    example=Suppress(),
)
