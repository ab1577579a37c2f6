"""The minimum of a regularised logistic loss, in a number of steps that only the number of rows and the penalty decide.

J_m(w) = sum_i ln(1 + exp(-y_i w · x_i)) + (m / 2) |w|**2 with |x_i| <= 1. A step u moves each logit by at most |u|, and
the second derivative of the logistic function by a factor within e**-|u| to e**|u| (Bach 2010). So H(w + u), the second
derivative of J_m, lies between e**-|u| H(w) and e**|u| H(w). With g the gradient, let s = |g|_(1/H) / sqrt(m), where
|g|_(1/H)**2 = g' H**-1 g. Then, since H >= m:

1. Newton's step u = -H**-1 g is no longer than s. Afterwards the gradient is the integral of (H(w + t u) - H(w)) u over
   t, so s becomes at most s e**(s/2) (e**s - 1 - s) / s: a step from s <= 0.5 ends at s < 0.2, and small s are squared.
2. The minimum of J_m is at most -ln(1 - s) away from w, as the gradient grows along the way there by at least (1 -
   e**-t) / t times H, t the distance.
3. At the minimum m |w|**2 = sum_i z_i / (1 + e**z_i), z_i = y_i w · x_i, so |w| <= B with B**2 = 0.2785 n / m.
4. A smaller penalty m / a takes s to at most a s + (a - 1) |w|.

The search begins with w = 0 and m = 2.5 n, where s <= n / (2 m) = 0.2. Each step divides m by
a = 1 + 0.299 / (B + 0.4232) and takes one Newton step: by 2, 3 and 4 s is then at most
0.2 a + (a - 1) (B + 0.2232) = 0.499 before it, and by 1 below 0.2 after it. (What is left to 0.5 is far more than
rounding takes.) So all of about 3.5 sqrt(n / r) steps to the declared penalty r succeed, whatever the rows are, and a
few more square s until the gradient, at most s sqrt(r (n / 4 + r)) long, is at most 2**-21. (The steps are those of
Nesterov and Nemirovskii 1994, who follow the path of minima.) A search that ended as soon as the gradient is small
would tell by its time how well the rows can be told apart.
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
