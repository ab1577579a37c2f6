"""Query error: how wrong counts are when taken from the release (W7; LeFevre et al. 2006, Xiao and Tao 2006).

A query counts the rows whose value lies in given leaves, in each of one to three columns. Of a release it is answered
under uniformity: a row whose label covers m leaves, of which a are asked for, counts a/m, and the shares of several
columns are multiplied. A suppressed row counts as the root of every column. The relative error is
|answer − truth| / max(truth, sanity · rows), so that queries with next to no rows do not drown the others.

The workload is drawn from the domains and a seed alone, never from the rows: some sets of columns, several queries on
each, every query a range of consecutive leaves (in the hierarchy's order) in each column. The ranges are as wide as
makes a query cover the share `selectivity` of its columns' combined domain. The value is the mean relative error.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated

import numpy as np
from pydantic import Field

from tacit.arrays import CodeArray, FloatArray, IntArray
from tacit.cards.metric import Metric, MetricValue
from tacit.data.tables.grouping import pack
from tacit.data.tables.view import Comparison
from tacit.errors import BadParameter
from tacit.params import Params

DENSE_CELLS = 1_000_000
BLOCK = 4096


class Workload(Params):
    """Random counting queries."""

    queries: Annotated[int, Field(ge=1, le=100_000, description="how many queries are asked")] = 240
    column_sets: Annotated[int, Field(ge=1, le=10_000, description="on how many sets of columns they are asked")] = 12
    most_columns: Annotated[int, Field(ge=1, le=3, description="the most columns that a query names")] = 3
    selectivity: Annotated[float, Field(gt=0, le=1, description="the share of the domain that a query covers")] = 0.1
    sanity: Annotated[
        float, Field(gt=0, le=1, description="the least number that an error is divided by, as a share of rows")
    ] = 0.001
    seed: Annotated[int, Field(ge=0, description="the seed that the workload is drawn from")] = 0


@dataclass(frozen=True, eq=False)
class Queries:
    """Queries on the same columns: query q asks for the leaves with `inside[i][leaf, q]` = 1 of column `columns[i]`."""

    columns: tuple[int, ...]
    inside: tuple[FloatArray, ...]


def ask(compared: Comparison, wanted: Mapping[str, Collection[str]]) -> Queries:
    """One query: the rows whose value is among the wanted leaves, in every column that is named."""
    unknown = [name for name in wanted if name not in compared.before.columns]
    if unknown or not wanted:
        raise BadParameter(f"a query names {unknown or 'no column'}; it must name some of {compared.before.columns}")
    columns = tuple(compared.before.columns.index(name) for name in wanted)
    inside = []
    for column, leaves in zip(columns, wanted.values(), strict=True):
        hierarchy = compared.before.hierarchies[column]
        mask = np.zeros((len(hierarchy.leaves), 1))
        mask[hierarchy.place(sorted(set(leaves)))] = 1
        inside.append(mask)
    return Queries(columns, tuple(inside))


def count(compared: Comparison, queries: Queries) -> FloatArray:
    """The true answers, from the input."""
    codes = [compared.before.codes[c] for c in queries.columns]
    return _sum_products(codes, queries.inside, compared.before.rows)


def estimate(compared: Comparison, queries: Queries) -> FloatArray:
    """The answers that the release gives under uniformity."""
    shares = []
    for column, inside in zip(queries.columns, queries.inside, strict=True):
        cover = compared.after.covers[column]
        shares.append(cover.total(inside) / np.maximum(cover.sizes, 1)[:, None])
    after = compared.after
    found = _sum_products([after.codes[c] for c in queries.columns], shares, after.rows)
    # A table with another number of rows tells shares.
    return found if after.total == compared.before.total else found * (compared.before.total / max(after.total, 1))


def measure_query_error(compared: Comparison, params: Workload) -> MetricValue:
    """The mean relative error of the workload; a column's is the mean over the queries that name it."""
    floor = max(params.sanity * compared.before.total, np.finfo(np.float64).tiny)
    errors: list[FloatArray] = []
    named: dict[str, list[FloatArray]] = {column: [] for column in compared.before.columns}
    for queries in draw(compared, params):
        truth = count(compared, queries)
        errors.append(np.abs(estimate(compared, queries) - truth) / np.maximum(truth, floor))
        for column in queries.columns:
            named[compared.before.columns[column]].append(errors[-1])
    all_errors = np.concatenate(errors)
    per_column = {column: float(np.concatenate(parts).mean()) for column, parts in named.items() if parts}
    details = {"median": _median(all_errors), "highest": float(all_errors.max())}
    return MetricValue(float(all_errors.mean()), per_column, details)


def _median(errors: FloatArray) -> float:
    """The value in the middle, or the mean of both; NumPy's own would import masked arrays."""
    middle = np.sort(errors)[(errors.size - 1) // 2 : errors.size // 2 + 1]
    return float(middle.mean())


def draw(compared: Comparison, params: Workload) -> Iterator[Queries]:
    """The workload: sets of one, two, three columns in turn, the queries dealt out evenly among them."""
    random = np.random.default_rng(params.seed)
    sizes = [len(hierarchy.leaves) for hierarchy in compared.before.hierarchies]
    most = min(params.most_columns, len(sizes))
    sets = min(params.column_sets, params.queries)
    for number in range(sets):
        columns = np.sort(random.choice(len(sizes), size=1 + number % most, replace=False))
        queries = len(range(number, params.queries, sets))
        share = params.selectivity ** (1 / columns.size)
        inside = tuple(_ranges(sizes[c], share, queries, random) for c in columns)
        yield Queries(tuple(int(c) for c in columns), inside)


def _ranges(leaves: int, share: float, queries: int, random: np.random.Generator) -> FloatArray:
    width = max(round(leaves * share), 1)
    first = random.integers(0, leaves - width + 1, size=queries)
    position = np.arange(leaves)[:, None]
    return ((position >= first) & (position < first + width)).astype(np.float64)


def _sum_products(codes: Sequence[CodeArray], shares: Sequence[FloatArray], rows: IntArray) -> FloatArray:
    """For each query, the sum over entries of rows times the product of the shares of their codes."""
    order = sorted(range(len(codes)), key=lambda i: -shares[i].shape[0])
    codes, shares = [codes[i] for i in order], [shares[i] for i in order]
    sizes = [share.shape[0] for share in shares]
    if np.prod([float(size) for size in sizes]) <= DENSE_CELLS:
        return _contract(codes, shares, rows)
    total = np.zeros(shares[0].shape[1])
    for first in range(0, rows.size, BLOCK):
        block = slice(first, first + BLOCK)
        product = shares[0][codes[0][block]]
        for code, share in zip(codes[1:], shares[1:], strict=True):
            product = product * share[code[block]]
        total += np.einsum("p,pq->q", rows[block], product)
    return total


def _contract(codes: Sequence[CodeArray], shares: Sequence[FloatArray], rows: IntArray) -> FloatArray:
    # One table of rows by codes serves all queries: its axes are summed away one by one, the largest first. Without
    # BLAS, whose threads cost more than they save on such small tables and make the last digits vary.
    sizes = [share.shape[0] for share in shares]
    keys = pack(codes, sizes, rows.size)
    table = np.bincount(keys.key, rows, int(np.prod(sizes))).reshape(sizes[0], -1)
    rest = np.einsum("qa,ab->qb", np.ascontiguousarray(shares[0].T), table).reshape(-1, *sizes[1:])
    for share in shares[1:]:
        rest = np.einsum("qa...,aq->q...", rest, share)
    answers: FloatArray = rest.reshape(-1)
    return answers


METRIC = Metric(
    title="Query error",
    params=Workload,
    run=measure_query_error,
    needs="the hierarchies of the quasi-identifiers",
    gives="the mean relative error of counting queries on the release; 0 if all answers are exact",
    standard=("release", "comparison", "two tables"),
    is_share=True,
    paper="https://doi.org/10.1109/ICDE.2006.101",
    example=Workload(),
)
