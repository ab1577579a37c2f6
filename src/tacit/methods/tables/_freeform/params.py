"""Parameters of the search of `tables/freeform`."""

from typing import Annotated

from pydantic import Field

from tacit.methods.tables._local.params import Labels
from tacit.params import Params


class Freeform(Params):
    """How long to search, and what is published."""

    turns: Annotated[int, Field(ge=0, le=10_000, description="how many times a slot of all rows is reassigned")] = 40
    sweeps: Annotated[
        int,
        Field(ge=0, le=10_000, description="how many sweeps of tables/local come first; ignored if labels are sets"),
    ] = 10
    seed: Annotated[
        int, Field(ge=0, lt=2**32, description="the seed of the random choices of the search, not of the release")
    ] = 0
    labels: Annotated[
        Labels, Field(description="what is published: nodes of the hierarchies, or sets of the covered values")
    ] = "nodes"
