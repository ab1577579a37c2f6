"""What counts of runs prove about a privacy loss, at a stated error rate.

A share of k in n runs lies above `least_share` but for an error of alpha (Clopper and Pearson 1934). At delta 0 each
run takes one of two neighbours by a fair coin, and an adversary, who may abstain, guesses the coin from the output.
Under epsilon each guess is right with probability at most e**epsilon / (1 + e**epsilon), whatever the output was, so
the number of right guesses is at most binomial (Kairouz, Oh and Viswanath 2015; Steinke, Nasr and Jagielski 2023), and
a lower bound of that probability is one of epsilon. With a delta, P(S) <= e**epsilon Q(S) + delta for each set S of
outputs, with half of alpha for each of the two shares.

How small an excess shows: with N runs of Laplace noise at epsilon = 1, a share 1/2 + e**-1 / 2 = 0.684 of them leads
to a guess, right with probability p = 0.731, so the bound has the standard deviation 1 / sqrt(0.684 N p (1 - p)) =
2.73 / sqrt(N). An alpha of 1e-6 is 4.75 of these. An excess of 2 % is 9.5 of them at N = 1.7 million (of a million
runs on each neighbour, what the search leaves): it is missed less often than once in 500,000 audits.
"""

import numpy as np
from numpy.typing import ArrayLike

from tacit.arrays import FloatArray

_TINY = 1e-12


def least_share(hits: ArrayLike, runs: ArrayLike, alpha: float) -> FloatArray:
    """A lower bound of the probability of a hit, wrong with probability at most alpha."""
    from scipy.special import betaincinv

    k, n = np.asarray(hits, dtype=np.float64), np.asarray(runs, dtype=np.float64)
    found: FloatArray = np.where(k > 0, betaincinv(np.maximum(k, 1.0), np.maximum(n - k, 0.0) + 1, alpha), 0.0)
    return found


def greatest_share(hits: ArrayLike, runs: ArrayLike, alpha: float) -> FloatArray:
    """An upper bound of the probability of a hit, wrong with probability at most alpha."""
    return 1 - least_share(np.asarray(runs) - np.asarray(hits), runs, alpha)


def loss_by_guesses(right: ArrayLike, guesses: ArrayLike, alpha: float) -> FloatArray:
    """A lower bound of the loss at delta 0, from guesses of a fair coin; below 0 it proves nothing."""
    share = np.maximum(least_share(right, guesses, alpha), _TINY)
    found: FloatArray = np.log(share) - np.log1p(-share)
    return found


def loss_by_outputs(
    hits: ArrayLike, others: ArrayLike, runs: tuple[int, int], delta: float, alpha: float
) -> FloatArray:
    """A lower bound of the loss at delta, from how often the output of two neighbours was in a set.

    Below 0 it proves nothing.
    """
    likely = np.maximum(least_share(hits, runs[0], alpha / 2) - delta, _TINY)
    found: FloatArray = np.log(likely) - np.log(greatest_share(others, runs[1], alpha / 2))
    return found
