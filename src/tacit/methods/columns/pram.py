"""PRAM, the post-randomisation method: categories are changed at random by a known matrix, as in randomised response.

Nobody's published value is surely true, and totals can still be estimated (Gouweleeuw, Kooiman, Willenborg and de Wolf
1998). Give an `epsilon` for the symmetric matrix that keeps most truth under that promise, or a `matrix` of your own
(`_transition.py` has its epsilon, the feasible region, the estimate of the true shares). Draws are exact: no
probability is rounded. The promise is local differential privacy of one cell; two treated columns of a person add up,
and so do T releases, each of which then may spend epsilon / T. It needs the `categories` from outside the data: a value
that is not among them is refused, and so is a missing one unless the empty text is a category.

With `invariant`, a second stage draws from the Bayes reversal of the first, made from the data's own shares: published
shares are then unbiased as they are, but the matrix depends on the data, so no epsilon is promised.
"""

from collections.abc import Sequence
from fractions import Fraction
from typing import Annotated

import numpy as np
from pydantic import Field, model_validator

from tacit.accounting.exact import exact
from tacit.arrays import IntArray
from tacit.cards.columns import ColumnMethod
from tacit.data.columns import CodedCategories, Columns
from tacit.errors import BadData
from tacit.methods.columns._transition import (
    Corner,
    Matrix,
    Proportions,
    epsilon_of,
    estimate,
    exact_matrix,
    feasible_corners,
    invariant_matrix,
    is_feasible,
    reversal,
    symmetric_matrix,
)
from tacit.params import Params
from tacit.randomness.enclosure import Enclosure, enclose, exp_minus
from tacit.randomness.stream import RandomBits
from tacit.randomness.table import CellTable, Weights, WeightsAt
from tacit.spelling import many

__all__ = [
    "METHOD",
    "Corner",
    "Pram",
    "Proportions",
    "epsilon_of",
    "estimate",
    "feasible_corners",
    "invariant_matrix",
    "is_feasible",
    "randomise",
    "symmetric_matrix",
]


class Pram(Params):
    """With which probabilities categories change."""

    categories: Annotated[
        tuple[str, ...], Field(min_length=2, description="all values that a cell may have, known without the data")
    ]
    epsilon: Annotated[
        float | None, Field(gt=0, le=1e3, description="the privacy loss of one cell, for the symmetric matrix")
    ] = None
    matrix: Annotated[
        tuple[tuple[float, ...], ...] | None,
        Field(
            description="instead of `epsilon`: a row for each true category, with the probability of publishing each"
        ),
    ] = None
    invariant: Annotated[
        bool, Field(description="add a second stage so that published shares are unbiased; promises no epsilon")
    ] = False

    @model_validator(mode="after")
    def _one(self) -> "Pram":
        """One law is given, for categories that are told apart."""
        if (self.epsilon is None) == (self.matrix is None):
            raise ValueError("give either `epsilon` or `matrix`")
        if len(set(self.categories)) < len(self.categories):
            raise ValueError("a category is named twice")
        if self.matrix is not None and {len(self.matrix), *map(len, self.matrix)} != {len(self.categories)}:
            raise ValueError(f"the matrix must have {len(self.categories)} rows and columns, one for each category")
        return self


def randomise(columns: Columns, params: Pram, bits: RandomBits) -> Columns:
    """Every cell drawn anew with the probabilities of its true category."""
    found = columns.categories("PRAM")
    return Columns({name: _randomised(name, column, params, bits) for name, column in found.items()})


def _randomised(name: str, column: CodedCategories, params: Pram, bits: RandomBits) -> CodedCategories:
    truth = _declared(name, column, params)
    if params.epsilon is not None and not params.invariant:
        published = symmetric_draws(truth, len(params.categories), exact(params.epsilon), bits)
        return CodedCategories(published.astype(np.int32), params.categories)
    matrix = transition(params)
    published = matrix_draws(truth, matrix, bits)
    if params.invariant:
        counts = tuple(int(count) for count in np.bincount(truth, minlength=len(params.categories)))
        published = matrix_draws(published, reversal(matrix, counts), bits)
    return CodedCategories(published.astype(np.int32), params.categories)


def transition(params: Pram) -> Matrix:
    """The matrix of these parameters; that of an epsilon has irrational entries, which are rounded here."""
    if params.matrix is not None:
        return exact_matrix(params.matrix)
    return exact_matrix(symmetric_matrix(len(params.categories), params.epsilon or 0.0))


def _declared(name: str, column: CodedCategories, params: Pram) -> IntArray:
    """The cells as positions in the declared categories."""
    position = {value: code for code, value in enumerate(params.categories)}
    code = np.array([position.get(value, -1) for value in column.values], dtype=np.int64)
    truth: IntArray = code[column.codes] if column.rows else np.empty(0, dtype=np.int64)
    unknown = np.unique(column.codes[truth < 0]).size
    if unknown:
        raise BadData(
            f"column {name!r} has {many(unknown, 'value that is', 'values that are')} not among the {len(position)} "
            "declared categories; declare all that can occur (the empty text for missing ones), or the change would "
            "reveal who has them"
        )
    return truth


def symmetric_draws(truth: IntArray, categories: int, epsilon: Fraction, bits: RandomBits) -> IntArray:
    """The truth with weight 1, every other category with weight exp(-epsilon), exactly."""

    def weights(precision: int) -> Weights:
        lie = exp_minus(epsilon, precision)
        return Weights((Enclosure(1 << precision, 1 << precision, precision), *[lie] * (categories - 1)))

    return (truth + CellTable(weights).draw(truth.size, bits)) % categories


def matrix_draws(truth: IntArray, matrix: Matrix, bits: RandomBits) -> IntArray:
    """A category for each row, drawn with exactly the probabilities in its truth's row of the matrix."""
    published = np.empty_like(truth)
    for category, row in enumerate(matrix):
        rows = np.flatnonzero(truth == category)
        possible = [j for j, probability in enumerate(row) if probability > 0]
        if len(possible) == 1:
            published[rows] = possible[0]
            continue
        table = CellTable(_rational([row[j] for j in possible]))
        published[rows] = np.array(possible, dtype=np.int64)[table.draw(rows.size, bits)]
    return published


def _rational(probabilities: Sequence[Fraction]) -> WeightsAt:
    return lambda precision: Weights(tuple(enclose(probability, precision) for probability in probabilities))


METHOD = ColumnMethod(
    title="Post-randomisation (PRAM)",
    params=Pram,
    run=randomise,
    needs="columns of categories, all of them declared, and an epsilon or a matrix",
    gives="categories changed at random by a known matrix, from which true shares can be estimated",
    guarantees=("local-differential-privacy",),
    cells="texts",
    conceals=True,
    paper="https://doi.org/10.1007/978-1-4613-0121-9",
    example=Pram(categories=("no", "yes"), epsilon=1.0),
)
