"""Matrices of misclassification: what they promise, which are best, and how to undo them on average.

`matrix[i][j]` is the probability that the true category i is published as j (rows sum to 1). The published shares are
o = M^T pi on average, so (M^T)^-1 o estimates the true ones pi without bias, with covariance
(M^T)^-1 Cov(o) M^-1 and Cov(o) = (diag(o) - o o^T) / n for n independent people. Whoever sees j gains odds of at most
e**epsilon between any two truths, epsilon = ln max M_ij / M_kj (infinite where a zero stands against another number):
local differential privacy (W43). Among all matrices of c categories with that epsilon the symmetric one with
e**epsilon / (c - 1 + e**epsilon) on the diagonal keeps most people's truth. Several releases of one person add up.

Invariant: the Bayes reversal Q_jk = pi_k M_kj / o_j of a matrix, applied after it, gives R = M Q with R^T pi = pi
(Gouweleeuw and others 1998), so that published shares are unbiased as they are; but R is made from the data.
"""

from dataclasses import dataclass
from fractions import Fraction
from math import exp, inf, log

import numpy as np
from numpy.typing import ArrayLike

from tacit.accounting.exact import exact
from tacit.arrays import FloatArray
from tacit.errors import BadData, BadParameter

Matrix = tuple[tuple[Fraction, ...], ...]
_SUM_SLACK = Fraction(1, 10**9)


@dataclass(frozen=True, eq=False)
class Proportions:
    """Estimated shares of the true categories, and their standard errors; an estimate may lie outside 0 to 1."""

    shares: FloatArray
    errors: FloatArray


@dataclass(frozen=True)
class Corner:
    """A matrix of two categories: the probabilities that 0 and that 1 are published as they are."""

    p00: float
    p11: float


def exact_matrix(rows: ArrayLike) -> Matrix:
    """The matrix in exact fractions, square, none negative, every row with the sum 1 (to 1e-9, then exactly)."""
    table = np.array(rows, dtype=np.float64)
    if table.ndim != 2 or table.shape[0] != table.shape[1] or table.shape[0] < 2:
        raise BadParameter(f"the matrix has the shape {table.shape}; it must be square, with a row for each category")
    if not np.isfinite(table).all() or table.min() < 0:
        raise BadParameter("the matrix has an entry that is negative or not finite; entries are probabilities")
    entries = [[exact(float(entry)) for entry in row] for row in table]
    for number, row in enumerate(entries):
        total = sum(row, Fraction(0))
        if abs(total - 1) > _SUM_SLACK:
            raise BadParameter(f"row {number + 1} of the matrix adds up to {float(total):g}; each row must add up to 1")
    return tuple(tuple(entry / sum(row, Fraction(0)) for entry in row) for row in entries)


def epsilon_of(matrix: ArrayLike) -> float:
    """The privacy loss of one published value: the log of the largest ratio within a column."""
    table = exact_matrix(matrix)
    worst = Fraction(1)
    for column in zip(*table, strict=True):
        if max(column) > 0 and min(column) == 0:
            return inf
        if max(column) > 0:
            worst = max(worst, max(column) / min(column))
    return log(worst)


def symmetric_matrix(categories: int, epsilon: float) -> FloatArray:
    """The matrix of this epsilon that publishes the truth most often, the same for every category."""
    if categories < 2 or not 0 <= epsilon < inf:
        raise BadParameter(
            f"categories is {categories} and epsilon {epsilon:g}; there must be at least 2 categories, and epsilon "
            "must be at least 0"
        )
    lie = exp(-epsilon)
    matrix = np.full((categories, categories), lie)
    np.fill_diagonal(matrix, 1.0)
    return np.asarray(matrix / (1 + (categories - 1) * lie))


def is_feasible(corner: Corner, epsilon: float) -> bool:
    """Whether the two-category matrix with these truths on its diagonal promises epsilon.

    p00 <= (1 - p11) e**epsilon, p11 <= (1 - p00) e**epsilon, 1 - p00 <= p11 e**epsilon, 1 - p11 <= p00 e**epsilon.
    """
    p00, p11, odds = corner.p00, corner.p11, exp(epsilon)
    if not (0 <= p00 <= 1 and 0 <= p11 <= 1):
        return False
    return p00 <= (1 - p11) * odds and p11 <= (1 - p00) * odds and 1 - p00 <= p11 * odds and 1 - p11 <= p00 * odds


def feasible_corners(epsilon: float) -> tuple[Corner, Corner, Corner, Corner]:
    """The corners of the region for two categories, in order round it; the third keeps most truth."""
    truth = 1 / (1 + exp(-epsilon))
    return Corner(1 - truth, 1 - truth), Corner(1.0, 0.0), Corner(truth, truth), Corner(0.0, 1.0)


def estimate(counts: ArrayLike, matrix: ArrayLike) -> Proportions:
    """The unbiased estimate of the true shares from the counts of the published categories."""
    table = np.array(exact_matrix(matrix), dtype=np.float64)
    observed = np.asarray(counts, dtype=np.float64)
    if observed.shape != (table.shape[0],) or not (observed.min() >= 0 and observed.sum() > 0):
        raise BadData(f"there must be one count, not negative, for each of the {table.shape[0]} categories, and people")
    if np.linalg.matrix_rank(table) < table.shape[0]:
        raise BadParameter("the matrix has no inverse: different truths give the same published shares")
    shares = observed / observed.sum()
    back = np.linalg.inv(table.T)
    spread = back @ ((np.diag(shares) - np.outer(shares, shares)) / observed.sum()) @ back.T
    return Proportions(back @ shares, np.sqrt(np.maximum(np.diag(spread), 0.0)))


def reversal(matrix: Matrix, counts: tuple[int, ...]) -> Matrix:
    """Q_jk, the probability that what was published as j had been k, given the counts of the truth."""
    size = len(counts)
    rows = []
    for j in range(size):
        weights = [counts[k] * matrix[k][j] for k in range(size)]
        total = sum(weights)
        stays = tuple(Fraction(int(k == j)) for k in range(size))
        rows.append(tuple(weight / total for weight in weights) if total else stays)
    return tuple(rows)


def invariant_matrix(matrix: ArrayLike, counts: ArrayLike) -> FloatArray:
    """R = M Q, which leaves the shares of these counts unchanged on average."""
    table = exact_matrix(matrix)
    whole = tuple(int(count) for count in np.asarray(counts))
    if len(whole) != len(table) or min(whole) < 0:
        raise BadData(f"there must be one count, not negative, for each of the {len(table)} categories")
    back = np.array(reversal(table, whole), dtype=np.float64)
    return np.asarray(np.array(table, dtype=np.float64) @ back)
