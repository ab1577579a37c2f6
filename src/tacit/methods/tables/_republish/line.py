"""A column laid out on a line: its leaves in an order in which every node of the hierarchy is an interval.

The least common ancestor of some leaves is then that of the first and the last of them.
"""

from dataclasses import dataclass

import numpy as np

from tacit.arrays import CodeArray, FloatArray, IntArray
from tacit.data.tables.hierarchy import Hierarchy


@dataclass(frozen=True, eq=False)
class Line:
    """`place[person]` is on the line; `codes[level, place]` is the node there, `loss[level, place]` what it costs."""

    place: IntArray
    codes: CodeArray
    loss: FloatArray

    @classmethod
    def of(cls, hierarchy: Hierarchy, leaves: IntArray, weight: float) -> "Line":
        """The line of a column whose people have these leaves."""
        order = np.lexsort(hierarchy.codes)
        rank = np.empty(order.size, dtype=np.int64)
        rank[order] = np.arange(order.size)
        return cls(rank[leaves], hierarchy.codes[:, order], weight * hierarchy.cell_loss[:, order])

    def meet(self, low: IntArray, high: IntArray) -> IntArray:
        """The least level at which one node covers both places."""
        return np.asarray((self.codes[:, low] != self.codes[:, high]).sum(axis=0), dtype=np.int64)

    def cost(self, low: IntArray, high: IntArray) -> FloatArray:
        """What a label costs that covers both places."""
        cost: FloatArray = self.loss[self.meet(low, high), low]
        return cost
