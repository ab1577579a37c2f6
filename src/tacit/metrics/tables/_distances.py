"""Distances between two distributions over the same outcomes: P before, Q after.

- Total variation: ½ Σ|p − q|, the largest difference in the probability of any event (Gibbs and Su 2002).
- Kullback–Leibler: Σ p log2(p/q) in bits, infinite where Q lacks what P has (1951). Pinsker: 2·TV² ≤ KL · ln 2.
- Wasserstein (earth mover's): the least mass times distance that turns P into Q. On a line Σ|P(x) − Q(x)|·Δx over the
  cumulative shares (Vallender 1974); on a tree Σ over edges of length times |p − q| below the edge.
- Cramér's V of a joint distribution: √(χ²/n / (min(rows, columns) − 1)), rows and columns without mass left out (1946).
"""

import numpy as np

from tacit.arrays import CodeArray, FloatArray


def total_variation(before: FloatArray, after: FloatArray) -> float:
    """½ Σ|p − q|."""
    return min(float(np.abs(before - after).sum()) / 2, 1.0)


def kullback_leibler(before: FloatArray, after: FloatArray) -> float:
    """Σ p log2(p/q)."""
    there = before > 0
    with np.errstate(divide="ignore"):
        terms = before[there] * np.log2(before[there] / after[there])
    # Rounding may leave a sum of positive and negative terms just below zero, where no divergence can be.
    return max(float(terms.sum()), 0.0)


def wasserstein_on_line(before: FloatArray, after: FloatArray, places: FloatArray) -> float:
    """Σ|P(x) − Q(x)|·Δx; the outcomes may come in any order of their places."""
    order = np.argsort(places, kind="stable")
    gap = np.abs(np.cumsum((before - after)[order]))[:-1]
    return float((gap * np.diff(places[order])).sum())


def wasserstein_on_tree(before: FloatArray, after: FloatArray, codes: CodeArray) -> float:
    """The mean over the levels below the root of the total variation of the nodes; `codes[level, leaf]`."""
    below = codes[:-1]
    if not len(below):
        return 0.0
    change = before - after
    return sum(float(np.abs(np.bincount(level, change)).sum()) / 2 for level in below) / len(below)


def cramers_v(joint: FloatArray) -> float:
    """The association of rows and columns of a joint distribution; 0 where either has one outcome."""
    rows, columns = joint.sum(axis=1), joint.sum(axis=0)
    joint, rows, columns = joint[rows > 0][:, columns > 0], rows[rows > 0], columns[columns > 0]
    freedom = min(rows.size, columns.size) - 1
    if freedom < 1:
        return 0.0
    total = float(joint.sum())
    expected = np.outer(rows, columns) / total
    square = float(((joint - expected) ** 2 / expected).sum()) / total
    return min(float(np.sqrt(max(square, 0.0) / freedom)), 1.0)
