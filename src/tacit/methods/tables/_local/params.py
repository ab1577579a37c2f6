"""Parameters of the search of `tables/local`, and whether rows of one combination may be split."""

from typing import Annotated, Literal

from pydantic import Field

from tacit.cards.timed import TimedParams
from tacit.data.tables.table import Table
from tacit.guarantees.guarantee import TableGuarantee
from tacit.methods.tables._partition.partition import people_only

Labels = Literal["nodes", "sets"]

MOST_NODES = 20_000
CHAINS = 60
"""A lattice of at most so many nodes is walked whole; a larger one along so many chains."""


class Local(TimedParams):
    """How long to search, and what is published."""

    sweeps: Annotated[
        int,
        Field(
            ge=0,
            le=10_000,
            description="how many times all classes are dissolved and rebuilt, and how long exchange lasts",
        ),
    ] = 10
    tries: Annotated[int, Field(ge=1, le=100_000, description="how many covers are tried for neighbouring classes")] = (
        50
    )
    seconds: Annotated[
        float | None,
        Field(gt=0, description="sweeps and exchange stop after this time each, the first turn not counted"),
    ] = None
    seed: Annotated[int, Field(ge=0, lt=2**32, description="the seed of the random choices of the search")] = 0
    labels: Annotated[
        Labels, Field(description="what is published: nodes of the hierarchies, or the sets of values of each class")
    ] = "nodes"


def share_of_search(params: Local, turns: float, seconds: float) -> float:
    """The share of a search that is over after this share of its turns and these seconds, whichever ends it first."""
    return max(turns, 0.0 if params.seconds is None else seconds / params.seconds)


def may_split(table: Table, guarantees: tuple[TableGuarantee, ...]) -> bool:
    """Whether rows of one combination may go to several classes: only rows count, and there is no population."""
    return people_only(guarantees) and table.tally.one_row_each and table.tally.population is None
