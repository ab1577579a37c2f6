"""A minimum or maximum that one row can't decide: the outermost candidate that about `depth` rows lie beyond.

The true extreme is one person's value and moves by the whole width. Here the score of a candidate is minus the
distance of the number of rows beyond it from a public depth, which one row moves by at most 1, and the exponential
mechanism chooses (McSherry and Talwar 2007). By default the depth is the bound of the mechanism's own error at 95 %,
2 ln(candidates / 0.05) contributions / epsilon rows: then, wherever candidates lie close enough, some rows lie beyond
the chosen value, but not more than twice the depth.
"""

import math
from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np
from numpy.typing import ArrayLike
from pydantic import Field

from tacit.accounting.events import Event
from tacit.arrays import IntArray
from tacit.card import Method
from tacit.methods.mechanisms.exponential import Exponential, choose
from tacit.methods.mechanisms.exponential import error as regret
from tacit.methods.statistics._candidates import Candidates
from tacit.methods.statistics._fields import Bounded, Resolution
from tacit.randomness.stream import RandomBits


class Extremes(Bounded):
    """The least or the greatest value, up to a public number of rows."""

    which: Annotated[Literal["minimum", "maximum"], Field(description="the lower or the upper end")] = "maximum"
    resolution: Resolution = 1000
    depth: Annotated[
        int | None, Field(ge=0, le=1 << 40, description="how many rows should lie beyond; by default the error itself")
    ] = None


@dataclass(frozen=True)
class ExtremeAnswer:
    """The chosen candidate, how many rows were to lie beyond it, and what it cost."""

    value: float
    depth: int
    event: Event


def selection(params: Extremes) -> Exponential:
    """How the candidate is chosen."""
    return Exponential(epsilon=params.epsilon, sensitivity=float(params.contributions), grid=0)


def error(params: Extremes, level: float = 0.95) -> float:
    """How far the number of rows beyond is from the depth, at most, with probability `level`, if that can be had."""
    return regret(selection(params), params.resolution + 1, level)


def depth(params: Extremes) -> int:
    """How many rows should lie beyond the answer; public."""
    return math.ceil(error(params)) if params.depth is None else params.depth


def extremes(values: ArrayLike, params: Extremes, bits: RandomBits) -> ExtremeAnswer:
    """A candidate that about `depth` rows lie beyond."""
    held = Candidates(params.lower, params.upper, params.resolution)
    choice = choose(-distances(held.places(values), params), selection(params), bits)
    place = held.resolution - choice.chosen if params.which == "minimum" else choice.chosen
    return ExtremeAnswer(float(held.points(place)[0]), depth(params), choice.event)


def distances(places: IntArray, params: Extremes) -> IntArray:
    """How far the number of rows beyond each candidate, from the inner end outwards, is from the depth; secret."""
    counts = np.bincount(places, minlength=params.resolution + 1)
    inner = counts[::-1] if params.which == "minimum" else counts
    gaps: IntArray = np.abs(inner.sum() - np.cumsum(inner) - depth(params))
    return gaps


METHOD = Method(
    title="Minimum and maximum",
    params=Extremes,
    run=extremes,
    needs="a number for each row, declared bounds and the number of candidates between them",
    gives="a value that only a public number of rows, more or less, lie beyond",
    guarantees=("differential-privacy",),
    kind="answer",
    paper="https://doi.org/10.1109/FOCS.2007.66",
    example=Extremes(epsilon=1.0, lower=0.0, upper=100.0),
)
