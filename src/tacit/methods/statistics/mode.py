"""The mode of declared categories: the commonest, chosen by permute-and-flip (McKenna and Sheldon 2020).

The score of a category is its count, which one row moves by at most 1. Where a row is added all scores move in one
direction, which halves the noise. Only the name is released, not its count. The error bounds, whatever the counts are,
how far the chosen count stays below the largest. A set of names that surely holds the mode would need every count: ask
a histogram.
"""

from collections.abc import Sequence
from typing import Self

import numpy as np
from numpy.typing import ArrayLike
from pydantic import model_validator

from tacit.accounting.events import Event, in_scope
from tacit.arrays import IntArray
from tacit.cards.asked import any_rows
from tacit.cards.statistics import Statistic
from tacit.cards.takes import CategoryColumn
from tacit.data.aggregates.cells import CellCounts, Cells
from tacit.data.aggregates.scale import Reading, require_columns
from tacit.errors import BadData
from tacit.methods.mechanisms.permute_and_flip import PermuteAndFlip, choose, worst_chance
from tacit.methods.mechanisms.permute_and_flip import spends as choice_spends
from tacit.methods.statistics._named_choice import NamedChoice, named
from tacit.noise.axes import Categories, count_cells
from tacit.noise.private_answer import scoped
from tacit.noise.scores import loss_steps
from tacit.noise.statistic_params import NameList, StatisticParams
from tacit.randomness.stream import RandomBits
from tacit.sensitivity import tables
from tacit.sensitivity.neighbouring_datasets import of_names
from tacit.sensitivity.neighbours import user


class Mode(StatisticParams):
    """The commonest of declared categories."""

    categories: NameList

    @model_validator(mode="after")
    def _once_each(self) -> Self:
        if len(set(self.categories)) != len(self.categories):
            raise ValueError("a category is declared twice")
        return self


def selection(params: Mode) -> PermuteAndFlip:
    """How the category is chosen."""
    move = tables.mode_score(params.neighbours).for_unit(user(params.contributions))
    together = params.neighbours == "add-remove"
    return PermuteAndFlip(epsilon=params.epsilon, sensitivity=float(move.linf), monotonic=together, grid=0)


def mode(values: ArrayLike, params: Mode, bits: RandomBits) -> NamedChoice:
    """The commonest category, or one that is nearly as common."""
    return from_counts(count_cells([values], (Categories(names=params.categories),)), params, bits)


@scoped
def from_counts(counts: IntArray, params: Mode, bits: RandomBits) -> NamedChoice:
    """The same, where an engine has counted the declared categories."""
    if np.shape(counts) != (len(params.categories),):
        raise BadData(f"there are {np.size(counts)} counts; give one for each of {len(params.categories)} categories")
    return named(choose(counts, selection(params), bits), params.categories)


def wanted(columns: Sequence[str], params: Mode) -> Cells:
    """What an engine must count: the rows of each declared category."""
    require_columns(columns, 1)
    return Cells((Reading(columns[0], Categories(names=params.categories).scale),))


def from_aggregates(found: CellCounts, params: Mode, bits: RandomBits) -> NamedChoice:
    """The private answer, computed from the aggregates that an engine found."""
    kept = found.of(wanted(["value"], params), params.contributions)
    return from_counts(kept.dense(len(params.categories)), params, bits)


def spends(params: Mode) -> Event:
    """What the choice costs."""
    return in_scope(choice_spends(selection(params)), params.scope)


def error(params: Mode, level: float = 0.95) -> float:
    """What the chosen count stays below the largest by, at most, with probability `level`."""
    return float(loss_steps(worst_chance, selection(params), len(params.categories), level))


METHOD = Statistic(
    title="Mode",
    params=Mode,
    run=mode,
    takes=CategoryColumn(),
    wanted=wanted,
    answer=from_aggregates,
    spends=spends,
    error=any_rows(error),
    neighbours=lambda params: of_names(params.categories, params),
    needs="a category for each row; the categories are declared",
    gives="the name of the most common category, or of one nearly as common",
    paper="https://arxiv.org/abs/2010.12603",
    example=Mode(epsilon=0.5, categories=("Russian", "American", "Japanese", "Indian")),
)
