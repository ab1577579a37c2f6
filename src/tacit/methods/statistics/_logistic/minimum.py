"""The minimum of a regularised logistic loss, in steps whose number depends only on the number of rows and the penalty.

J_m(w) = sum_i ln(1 + exp(-y_i w · x_i)) + (m / 2) |w|**2 with |x_i| <= 1. With g the gradient and H the second
derivative, s = sqrt(g' H**-1 g / m) measures the way to the minimum. The search begins with w = 0 and m = 2.5 n, where
s <= 0.2. At the minimum |w| <= B with B**2 = 0.2785 n / m. Each step divides m by a = 1 + 0.299 / (B + 0.4232), which
takes s to at most 0.499, and takes one Newton step, which takes s back below 0.2 (Bach 2010). So all of about
3.5 sqrt(n / r) steps to the declared penalty r succeed, whatever the rows are, and a few more square s until the
gradient, at most s sqrt(r (n / 4 + r)) long, is at most 2**-21. (The steps are those of Nesterov and Nemirovskii 1994.)
A search that ended as soon as the gradient is small would tell by its time how well the rows can be told apart.

The proof of each bound is in docs/explanation/logistic-regression.md.
"""

import math

import numpy as np

from tacit.arrays import FloatArray

GRADIENT = 2.0**-21
"""How long the gradient is where the search ends, at most."""

_FIRST = 2.5
_LONGEST = 0.2785


def penalties(rows: int, last: float) -> list[float]:
    """The penalty of each Newton step, falling to the last one."""
    falling, penalty = [], max(_FIRST * rows, last)
    while penalty > last:
        penalty = max(last, penalty / (1 + 0.299 / (math.sqrt(_LONGEST * rows / penalty) + 0.4232)))
        falling.append(penalty)
    short = 0.2
    while short * math.sqrt(last * (rows / 4 + last)) > GRADIENT:
        short = math.exp(short / 2) * (math.expm1(short) - short)
        falling.append(last)
    return falling


def minimum(rows: FloatArray, signs: FloatArray, regularisation: float) -> FloatArray:
    """The weights at which the gradient of J is at most 2**-21 long; secret."""
    weights = np.zeros(rows.shape[1])
    for penalty in penalties(len(rows), regularisation):
        miss = 1 / (1 + np.exp(np.clip(signs * (rows @ weights), -700, 700)))
        slope = penalty * weights - rows.T @ (signs * miss)
        curve = (rows.T * (miss * (1 - miss))) @ rows + penalty * np.eye(weights.size)
        weights = weights - np.linalg.solve(curve, slope)
    return weights
