"""Clusters as an answer: centres, and how they are used."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from numpy.typing import ArrayLike

from tacit.accounting.events import Event
from tacit.arrays import FloatArray, IntArray
from tacit.noise.private_answer import Publishable
from tacit.noise.values import as_matrix


@dataclass(frozen=True)
class Clusters(Publishable):
    """Centres in the columns' own units, the noisy number of rows of each, and what they cost."""

    centres: FloatArray
    sizes: FloatArray
    event: Event
    seeded: bool = False

    def told(self) -> Mapping[str, Any]:
        """The centres, and the noisy number of rows of each."""
        return {"values": self.centres, "sizes": self.sizes}

    def labels(self, columns: Sequence[str]) -> list[list[str]]:
        """The centre and the column of each number."""
        return [[f"centre {place + 1}, {column}" for column in columns] for place in range(len(self.centres))]

    def assign(self, rows: ArrayLike) -> IntArray:
        """The nearest centre of each row."""
        return nearest(as_matrix(rows, self.centres.shape[1]), self.centres)


def nearest(points: FloatArray, centres: FloatArray) -> IntArray:
    """The nearest centre of each point; exact, and so the same whatever other points there are, in whole numbers."""
    square = (centres**2).sum(axis=1) - 2 * points @ centres.T
    owner: IntArray = square.argmin(axis=1)
    return owner


def mean_square(points: FloatArray, centres: FloatArray) -> float:
    """The mean square distance of points to their nearest centre; private unless the points are public."""
    gaps = points - centres[nearest(points, centres)]
    return float((gaps**2).sum(axis=1).mean())
