"""The body of a table of counts.

It may be published with the table, so it holds nothing that a reader could not count. Which cells are small, how many
they are, and what the choice of the other cells cost would be further equations for somebody who tries to solve the
table.
"""

from typing import Annotated, Literal

from pydantic import Field

from tacit.release.release import Body, Release


class CountsBody(Body):
    """What was counted, and how many cells were left out."""

    by: Annotated[tuple[str, ...], Field(description="the sides of the table, COLUMN or COLUMN@LEVEL")]
    counted: Literal["people", "rows"]
    total: Annotated[int, Field(description="how many were counted")]
    cells: Annotated[int, Field(description="the cells of the table, including sums")]
    left_out: Annotated[int, Field(description="cells that are not published")]


CountsRelease = Release[CountsBody]
"""A published table of counts."""
