"""Invented rows, as codes along declared axes, with the noisy counts that they were drawn from."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tacit.arrays import IntArray
from tacit.noise.answer import NoisyAnswer
from tacit.noise.private_answer import DerivedAnswer


@dataclass(frozen=True)
class SyntheticRows(DerivedAnswer):
    """One code for each row and axis; the code `size` of an axis stands for no value.

    `noisy` holds the counts that were measured with noise. Everything else is computed from them and from public
    parameters, so that it costs nothing more. `measured` says which axes each table of counts is about, in the order
    in which the tables stand in `noisy`, the last axis running quickest.
    """

    noisy: NoisyAnswer
    codes: IntArray
    sizes: tuple[int, ...]
    measured: tuple[tuple[int, ...], ...]

    def told(self) -> Mapping[str, Any]:
        """The codes of all rows."""
        return {"values": self.codes}
