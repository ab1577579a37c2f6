"""Rows of one person that are spread over disjoint blocks, such as the groups of a question.

Each block is answered by itself, and its event is stated for one row added or removed. One row is in one block, so for
a row the blocks are parallel (McSherry 2009). Adding or removing a person with at most r rows is r such steps, wherever
the rows are: the whole costs `Group(Parallel(...), r)`, which is never more than if all r rows were in one block.
Nothing is composed over the blocks. Under `replace` the rows of one person go and those of another come, up to 2 r
steps in all, and no pair of them need share a block.
"""

from itertools import count
from math import comb

from tacit.accounting.cases import MOST_CASES, gathers
from tacit.accounting.events import Event, Group, Parallel
from tacit.accounting.exact import whole
from tacit.accounting.scope import Neighbours

_ENOUGH = next(number for number in count(1) if comb(2 * number - 1, number) > MOST_CASES)
"""From so many blocks and steps on, accountants take one bound for all ways in which the steps can fall."""


def over_blocks(event: Event, rows: int, blocks: int | None, neighbours: Neighbours) -> Event:
    """What a person with so many rows spends on `blocks` blocks, each of which costs `event` for one row more or less.

    `blocks` is None where their number is not known.
    """
    steps = whole("rows", rows) * (1 if neighbours == "add-remove" else 2)
    needed = min(steps, _ENOUGH) if blocks is None else min(steps, _ENOUGH, whole("blocks", blocks))
    parallel = Parallel((event,) * (1 if gathers(event) else needed), neighbours)
    return parallel if rows == 1 else Group(parallel, rows)
