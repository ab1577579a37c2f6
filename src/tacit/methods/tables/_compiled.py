"""What methods with a compiled search refuse: other objectives, and tables too large for its keys.

The search keeps levels in bytes and knows a combination and a number of rows by one key of 62 bits.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from tacit.data.tables.grouping import LARGEST_KEY
from tacit.data.tables.table import Table
from tacit.errors import BadParameter, CannotGuarantee
from tacit.request import TableRequest

MOST_LEVELS = 100


def require_loss(name: str, request: TableRequest) -> None:
    """The objective is the one that the search knows."""
    if request.objective != "loss":
        raise BadParameter(
            f"{name} has one objective, loss, but {request.objective} is asked for; take objective: loss, or "
            "tables/mondrian, which has all objectives"
        )


def require_fitting(name: str, table: Table) -> None:
    """The table has the form and the size that the search can take."""
    heights = tuple(hierarchy.height for hierarchy in table.hierarchies)
    combinations = table.tally.combinations
    if not table.number_of_rows:
        raise CannotGuarantee("the table has no rows, so there is nobody to protect")
    if any(table.least) or table.most != heights:
        raise BadParameter(
            f"{name} chooses the level of every cell by itself and keeps no minimum or maximum level; leave them out, "
            "or take tables/mondrian or tables/lattice, which keep them"
        )
    if not heights or max(heights) > MOST_LEVELS or combinations * (table.number_of_rows + 1) >= LARGEST_KEY:
        raise BadParameter(
            f"{name} needs a column, at most {MOST_LEVELS} levels above the leaves and keys of at most 62 bits; found "
            f"{len(heights)} columns, {max(heights, default=0)} levels, {combinations:,} combinations; take "
            "tables/mondrian"
        )


STARTING = "starting the search"
FIRST_RUN = f"{STARTING}, which the first run compiles"
"""Whether something is left to compile is not always known; this is true of every run."""


@contextmanager
def compiling(name: str) -> Iterator[None]:
    """Imports of compiled code work inside, or the message says what to do."""
    try:
        yield
    except RuntimeError as error:
        # What numba says when it finds no folder for what it compiles.
        raise BadParameter(
            f"{name} compiles its search and found no folder that it may write to; set NUMBA_CACHE_DIR to one, or take "
            "tables/mondrian"
        ) from error
