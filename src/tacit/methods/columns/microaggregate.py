"""Microaggregation: similar rows form groups of at least k, and each row is published as its group's middle.

Numbers become the group's mean, categories its commonest value. Groups are found by MDAV or V-MDAV (`_mdav.py`) and
then, for numbers alone, improved by local search (`_refine.py`). Mixed data uses Gower's distance (`_space.py`) and is
not refined.

Treated together, the columns are k-anonymous among themselves: whoever knows a row's values finds at least k equal
rows. These may all be one person's, and other columns may tell them apart. A missing cell gets its group's middle too,
for else its row could be told apart. A table of more than `block` rows is cut into pieces first. Deterministic: no
randomness is drawn.
"""

from typing import Annotated, Literal

import numpy as np
from pydantic import Field

from tacit.arrays import FloatArray, IntArray
from tacit.cards.columns import ColumnMethod
from tacit.data.columns import CodedCategories, Column, Columns, Numbers
from tacit.errors import BadData
from tacit.methods.columns._mdav import in_blocks, mdav, v_mdav
from tacit.methods.columns._refine import refine
from tacit.methods.columns._space import Space, space_of
from tacit.params import Params
from tacit.randomness.stream import RandomBits


class Microaggregate(Params):
    """How rows are grouped."""

    k: Annotated[int, Field(ge=2, description="the least number of rows in a group")]
    kind: Annotated[
        Literal["mdav", "v-mdav"], Field(description="groups of k rows, or of k to 2k - 1 as the data suggests")
    ] = "mdav"
    gamma: Annotated[
        float,
        Field(ge=0, le=10, description="v-mdav: how near a row must be to join, relative to its nearest free row"),
    ] = 0.2
    passes: Annotated[
        int, Field(ge=0, le=1000, description="the most passes of local search; 0 gives the plain algorithm")
    ] = 20
    block: Annotated[
        int, Field(ge=100, le=100_000, description="tables with more rows than this are cut into pieces first")
    ] = 5000


def microaggregate(columns: Columns, params: Microaggregate, bits: RandomBits) -> Columns:
    """Every row with its group's middle in place of its own cells."""
    group = groups(columns, params)
    return Columns({name: _middle(column, group) for name, column in columns.items()})


def groups(columns: Columns, params: Microaggregate) -> IntArray:
    """The group of each row, numbered from 0; each has at least k rows."""
    if columns.rows < params.k:
        raise BadData(f"there are {columns.rows} rows; groups of {params.k} need at least as many")

    def grouper(space: Space, k: int) -> IntArray:
        found = mdav(space, k) if params.kind == "mdav" else v_mdav(space, k, params.gamma)
        return refine(space, found, k, params.passes) if space.euclidean else found

    return in_blocks(space_of(columns), params.k, params.block, grouper)


def _middle(column: Column, group: IntArray) -> Column:
    if isinstance(column, CodedCategories):
        return CodedCategories(_commonest(column, group)[group].astype(np.int32), column.values)
    return Numbers(_means(column.values, group)[group])


def _means(values: FloatArray, group: IntArray) -> FloatArray:
    """The mean of each group's cells that are not missing; NaN for a group that has none."""
    there = ~np.isnan(values)
    number = np.bincount(group[there], minlength=int(group.max()) + 1)
    total = np.bincount(group[there], weights=values[there], minlength=number.size)
    return np.asarray(np.divide(total, number, out=np.full(number.size, np.nan), where=number > 0))


def _commonest(column: CodedCategories, group: IntArray) -> IntArray:
    """The commonest code of each group, of equally common ones the lowest."""
    pairs, counts = np.unique(group * len(column.values) + column.codes, return_counts=True)
    order = np.lexsort((pairs, -counts, pairs // len(column.values)))
    first = np.unique((pairs // len(column.values))[order], return_index=True)[1]
    found: IntArray = (pairs % len(column.values))[order][first]
    return found


def propose_groups(values: FloatArray) -> tuple[Microaggregate, ...]:
    """Groups of five, as drafts ask for classes of five, and larger ones for tables where that is not enough."""
    return tuple(Microaggregate(k=k) for k in (5, 20) if values.size >= 2 * k)


METHOD = ColumnMethod(
    title="Microaggregation",
    params=Microaggregate,
    run=microaggregate,
    needs="columns of numbers, or of numbers and categories, that are treated together",
    gives="every row published as the middle of a group of at least k similar rows",
    guarantees=("k-anonymity",),
    proposed=propose_groups,
    about_rows="{method} groups rows, so a group may hold several rows of one person.",
    paper="https://doi.org/10.1109/69.979982",
    example=Microaggregate(k=3),
)
