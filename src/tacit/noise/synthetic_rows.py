"""Invented rows, as codes along declared axes, with the noisy counts that they were drawn from."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from tacit.arrays import IntArray
from tacit.noise.answer import NoisyAnswer
from tacit.noise.private_answer import DerivedAnswer


@dataclass(frozen=True)
class SyntheticRows(DerivedAnswer):
    """One code for each row and axis, from 0; the code `size` of an axis stands for no value.

    `noisy` holds the counts that were measured with noise. Everything else is computed from them and from public
    parameters, so that it costs nothing more. `measured` says which axes each table of counts is about, in the order
    in which the tables stand in `noisy`, the last axis running quickest. An axis has `size + 1` cells in such a table:
    the last counts the rows without a value, or with one that was not declared. Every axis is measured in some table.
    """

    noisy: NoisyAnswer
    codes: IntArray
    sizes: tuple[int, ...]
    measured: tuple[tuple[int, ...], ...]

    @property
    def is_whole(self) -> bool:
        """Whether every axis was measured, and counts and codes are those of the sizes."""
        axes, sizes = len(self.sizes), np.array(self.sizes)
        cells = sum(int(np.prod([self.sizes[axis] + 1 for axis in table])) for table in self.measured)
        every = {axis for table in self.measured for axis in table} == set(range(axes))
        coded = self.codes.shape[1:] == (axes,) and bool(((self.codes >= 0) & (self.codes <= sizes)).all())
        return every and coded and self.noisy.values.shape == (cells,)

    def told(self) -> Mapping[str, Any]:
        """The codes of all rows."""
        return {"values": self.codes}
