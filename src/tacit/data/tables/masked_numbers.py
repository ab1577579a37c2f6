"""Numbers before and after they were masked, row by row."""

from dataclasses import dataclass

import numpy as np

from tacit.arrays import FloatArray
from tacit.data.discreet import Discreet
from tacit.errors import BadData


@dataclass(frozen=True, eq=False, repr=False)
class MaskedNumbers(Discreet):
    """`original[row, column]` became `masked[row, column]`; the rows stand in the same order."""

    original: FloatArray
    masked: FloatArray

    def __post_init__(self) -> None:
        """Both must be tables of finite numbers of the same shape."""
        if self.original.ndim != 2 or self.original.shape != self.masked.shape:
            raise BadData(
                f"original and masked numbers have the shapes {self.original.shape} and {self.masked.shape}; both must "
                "be rows by columns, and the same"
            )
        if not (np.isfinite(self.original).all() and np.isfinite(self.masked).all()):
            raise BadData("a number is missing or infinite; leave such rows out on both sides")

    @property
    def rows(self) -> int:
        """How many rows there are."""
        return int(self.original.shape[0])
