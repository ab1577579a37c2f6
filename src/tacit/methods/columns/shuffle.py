"""Data shuffling (Muralidhar and Sarathy 2006): a model reassigns the column's own numbers to the rows.

The model says how the shuffled columns X depend on given columns S that stay as they are. Both are taken to normal
scores of their ranks (a Gaussian copula); X is regressed on S; new scores are the regression's prediction plus fresh
normal noise with the covariance of its residuals. Then the row with the i-th lowest new score gets the column's i-th
lowest number. So the column's distribution is exactly kept, rank correlations among X and with S are kept as far as
the model goes, and given S the published numbers of a row are independent of its true ones: whoever sees them learns
no more about a row than S and the model already tell. The model is fitted to the data, though, so this is no formal
promise about one person, and with S that determine X the shuffled numbers are near the true ones.

Categories among the given columns enter as indicators of their values. Missing numbers of X stay missing; rows with a
missing number of S are placed by the mean score.
"""

from typing import Annotated

import numpy as np
from pydantic import Field

from tacit.arrays import FloatArray
from tacit.cards.columns import ColumnMethod
from tacit.data.columns import CodedCategories, Column, Columns, Numbers
from tacit.errors import BadData, BadParameter
from tacit.methods.columns._ranks import complete, matrix_of, normal_numbers, normal_scores, random_ranks, root_of
from tacit.params import Params
from tacit.randomness.stream import RandomBits


class Shuffle(Params):
    """What the shuffled columns depend on."""

    given: Annotated[
        tuple[str, ...],
        Field(description="columns that steer the shuffling and stay as they are; all others are shuffled"),
    ] = ()


def shuffle(columns: Columns, params: Shuffle, bits: RandomBits) -> Columns:
    """The columns with all but the given ones shuffled."""
    lacking = [name for name in params.given if name not in columns]
    if lacking:
        raise BadParameter(
            f"given names {lacking[0]!r}, which is not one of the columns {', '.join(map(repr, columns))}"
        )
    moved = Columns({name: column for name, column in columns.items() if name not in params.given})
    if not moved:
        raise BadParameter("every column is given, so none is left to shuffle")
    matrix = matrix_of(list(moved.numbers("shuffling").values()))
    known = _known([columns[name] for name in params.given], columns.rows)
    scores = _new_scores(matrix, known, bits)
    dealt = [_dealt(values, scores[:, c], bits) for c, values in enumerate(matrix.T)]
    return columns.changed({name: Numbers(values) for name, values in zip(moved, dealt, strict=True)})


def _known(given: list[Column], rows: int) -> FloatArray:
    """The given columns as regressors, the constant first."""
    parts: list[FloatArray] = [np.ones((rows, 1))]
    for column in given:
        if isinstance(column, CodedCategories):
            parts.append((column.codes[:, None] == np.arange(1, len(column.values))).astype(np.float64))
        else:
            there = ~np.isnan(column.values)
            score = np.zeros(rows)
            score[there] = normal_scores(column.values[there])
            parts.append(score[:, None])
    return np.concatenate(parts, axis=1)


def _new_scores(matrix: FloatArray, known: FloatArray, bits: RandomBits) -> FloatArray:
    """Scores with the law that the model gives them, of which the true ones are one draw."""
    there = complete(matrix, "shuffling")
    if there.sum() <= known.shape[1]:
        raise BadData(
            f"{int(there.sum())} complete rows are too few for {known.shape[1]} regressors; give fewer columns"
        )
    scores = np.array([normal_scores(column) for column in matrix[there].T]).T
    slopes = np.linalg.lstsq(known[there], scores, rcond=None)[0]
    residuals = scores - known[there] @ slopes
    spread = residuals.T @ residuals / (int(there.sum()) - known.shape[1])
    return np.asarray(known @ slopes + normal_numbers(matrix.shape[0], matrix.shape[1], bits) @ root_of(spread))


def _dealt(values: FloatArray, scores: FloatArray, bits: RandomBits) -> FloatArray:
    """The numbers that are there, dealt out in the order of the scores."""
    there = ~np.isnan(values)
    dealt = values.copy()
    dealt[there] = np.sort(values[there])[random_ranks(scores[there], bits)]
    return dealt


METHOD = ColumnMethod(
    title="Data shuffling",
    params=Shuffle,
    run=shuffle,
    needs="columns of numbers, and columns that they may depend on",
    gives="the same numbers in other rows, assigned by a model of how they depend on the given columns",
    cells="numbers",
    reads=lambda params: params.given,
    conceals=True,
    paper="https://doi.org/10.1287/mnsc.1050.0503",
    example=Shuffle(),
)
