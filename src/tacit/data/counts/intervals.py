"""What a reader can deduce about suppressed cells: the least and the most that each can be.

A reader knows the published cells, that every sum is that of its parts, that counts are whole, and that a suppressed
cell is at least 1 where empty ones are always published (at least 0 elsewhere, and at least 1 for the total of a name
that is known to occur). All that fits is possible, so a cell lies between the least and the most of it over all tables
that fit: two linear programmes a cell. In tables of two axes, one of them flat, these have whole solutions (they are
networks), so real numbers will do; elsewhere whole ones are asked for.
"""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from tacit.arrays import BoolArray, FloatArray, IntArray
from tacit.data.counts.margins import Margins
from tacit.data.discreet import Discreet
from tacit.errors import BadParameter, TacitError

if TYPE_CHECKING:
    from scipy.sparse import csr_array


INFEASIBLE = 2


@dataclass(frozen=True, eq=False)
class Intervals:
    """`lower[i]` and `upper[i]` bound the cell at the flat position `cells[i]`."""

    cells: IntArray = field(repr=False)
    lower: FloatArray = field(repr=False)
    upper: FloatArray = field(repr=False)

    def protect(self, counts: IntArray, known: IntArray, protection: int) -> bool:
        """Whether each reaches `protection` beyond its count, below no further than to what readers know at least."""
        count, least = counts.reshape(-1)[self.cells], known.reshape(-1)[self.cells]
        low, high = np.maximum(count - protection, least), count + protection
        return bool((self.lower <= low).all() and (self.upper >= high).all())


def deduced(
    margins: Margins, suppressed: BoolArray, cells: BoolArray | None = None, *, zeros: bool = False
) -> Intervals:
    """What can be deduced of some suppressed cells, by default of all; the grand total must be published.

    `zeros` says whether suppressed cells may be empty for all that readers know.
    """
    hidden = np.flatnonzero(suppressed)
    if suppressed.reshape(-1)[-1]:
        raise BadParameter("the grand total is suppressed; it bounds all other cells and must be published")
    asked = hidden if cells is None else np.flatnonzero(cells & suppressed)
    counts = margins.counts.reshape(-1).astype(np.float64)
    part = margins.equations[:, hidden]
    lines = np.flatnonzero(np.asarray(abs(part).sum(axis=1)).reshape(-1) > 0)
    right = -(margins.equations @ np.where(suppressed.reshape(-1), 0.0, counts))[lines]
    known = margins.least(zeros).reshape(-1)[hidden].astype(np.float64)
    reader = _Reader(part[lines], right, known, float(counts[-1]), not margins.is_network)
    place = np.searchsorted(hidden, asked)
    ends = [(reader.least(at, 1), -reader.least(at, -1)) for at in place.tolist()]
    bounds = np.array(ends, dtype=np.float64).reshape(asked.size, 2)
    return Intervals(asked, bounds[:, 0], bounds[:, 1])


@dataclass(frozen=True, eq=False, repr=False)
class _Reader(Discreet):
    """What is known of the hidden cells: `matrix` times them is `right`, and all lie between `known` and `most`."""

    matrix: "csr_array"
    right: FloatArray
    known: FloatArray
    most: float
    whole: bool

    def least(self, position: int, sign: int) -> float:
        """The least of `sign` times a hidden cell over all tables that fit."""
        from scipy.optimize import Bounds, LinearConstraint, milp

        size = self.matrix.shape[1]
        goal = np.zeros(size)
        goal[position] = sign
        fits = LinearConstraint(self.matrix, self.right, self.right)
        bounds = Bounds(self.known, np.maximum(self.known, self.most))
        found = milp(goal, constraints=fits, bounds=bounds, integrality=np.full(size, int(self.whole)))
        if found.status == INFEASIBLE:
            raise BadParameter(
                "no table fits the published cells; they contradict each other, or an empty cell is suppressed that "
                "readers would believe to be at least 1 (set zeros if empty cells may be suppressed)"
            )
        if found.status != 0:
            raise TacitError(f"the bounds of a suppressed cell could not be found: {found.message}")
        return float(np.round(found.fun, 6))
