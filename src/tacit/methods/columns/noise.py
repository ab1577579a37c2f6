"""Additive noise: a normal number is added to each cell, its variance a given share of the column's own.

Independent: each column gets noise of variance a s**2, where s**2 is the column's variance and a the share. Means stay
unbiased, covariances too, but variances grow to (1 + a) s**2 and correlations shrink by 1 / (1 + a). Correlated (Kim
1986; Tendick 1991): the noise has the covariance a C of the data itself, so all covariances grow by the same factor
1 + a and correlations are kept. With `rescale` (correlated only) the noisy number y becomes m + (y - m) / sqrt(1 + a)
around the mean m, after which means and covariances are those of the data in expectation. Without it
`covariance_before` undoes the growth: (1 + a) is known, so the estimate is unbiased.

This promises nothing by itself: how close a noisy number is to the truth is public, an outlier stays an outlier, and
means of repeated releases wear the noise off. For a promise, use the mechanisms of differential privacy. The normal
numbers are exact draws on a grid of 2**-20 deviations; with `step` the published numbers are multiples of that.
Missing cells stay missing; means and covariances are those of the rows without one.
"""

from math import sqrt
from typing import Annotated

import numpy as np
from pydantic import Field

from tacit.arrays import FloatArray
from tacit.cards.columns import ColumnMethod
from tacit.data.columns import Columns, Numbers
from tacit.errors import BadParameter
from tacit.methods.columns._ranks import complete, matrix_of, normal_numbers, root_of
from tacit.methods.columns.rounding import multiples
from tacit.params import Params
from tacit.randomness.stream import RandomBits


class AddedNoise(Params):
    """How much noise, and of what shape."""

    share: Annotated[float, Field(gt=0, le=100, description="variance of the noise divided by that of the column")]
    correlated: Annotated[bool, Field(description="whether the noise has the covariance of the columns")] = False
    rescale: Annotated[
        bool, Field(description="shrink correlated noisy numbers to the mean, so that covariances are kept")
    ] = False
    step: Annotated[
        float | None,
        Field(gt=0, le=1e100, description="published numbers are multiples of this; by default they are not rounded"),
    ] = None


def add_noise(columns: Columns, params: AddedNoise, bits: RandomBits) -> Columns:
    """Every number with its noise."""
    if params.rescale and not params.correlated:
        raise BadParameter(
            "rescale is on and correlated is off; independent noise changes variances only, so rescaling would "
            "spoil the covariances: use `covariance_before`, or correlated noise"
        )
    matrix = matrix_of(list(columns.numbers("noise").values()))
    there = matrix[complete(matrix, "noise")]
    noisy = matrix + params.share**0.5 * _noise(there, matrix.shape[0], params, bits)
    if params.rescale:
        mean = there.mean(axis=0)
        noisy = mean + (noisy - mean) / sqrt(1 + params.share)
    if params.step is not None:
        noisy = multiples(np.floor(noisy / params.step + 0.5), params.step)
    return Columns({name: Numbers(column.copy()) for name, column in zip(columns, noisy.T, strict=True)})


def _noise(there: FloatArray, rows: int, params: AddedNoise, bits: RandomBits) -> FloatArray:
    """Normal numbers with the variances, or the covariance, of the rows that are there."""
    drawn = normal_numbers(rows, there.shape[1], bits)
    if params.correlated:
        return np.asarray(drawn @ root_of(np.cov(there, rowvar=False).reshape(there.shape[1], -1)))
    return np.asarray(drawn * there.std(axis=0, ddof=1))


def covariance_before(published: Columns, params: AddedNoise) -> FloatArray:
    """An unbiased estimate of the covariance before the noise, from the noisy columns and the public share."""
    matrix = matrix_of(list(published.numbers("noise").values()))
    found = np.cov(matrix[complete(matrix, "a covariance")], rowvar=False).reshape(matrix.shape[1], -1)
    if params.rescale:
        return np.asarray(found)
    if params.correlated:
        return np.asarray(found / (1 + params.share))
    return np.asarray(found - np.diag(np.diag(found)) * (params.share / (1 + params.share)))


METHOD = ColumnMethod(
    title="Additive noise",
    params=AddedNoise,
    run=add_noise,
    needs="columns of numbers; correlated noise treats them together",
    gives="numbers with normal noise of a given share of their variance",
    cells="numbers",
    conceals=True,
    paper="https://doi.org/10.1007/3-540-47804-3_8",
    example=AddedNoise(share=0.1),
)
