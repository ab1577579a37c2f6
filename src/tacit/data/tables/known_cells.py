"""Known cells: the exact cells that a table shows, and how many records an adversary may go after."""

from dataclasses import dataclass

from tacit.data.tables.exact_cells import ExactCells


@dataclass(frozen=True, eq=False)
class KnownCells:
    """The cells of the rows that are shown; `records` counts all rows, those that were left out too."""

    cells: ExactCells
    records: int
