"""Losses that are composed by convolution, and how much of delta the rounding of that can amount to.

The library convolves by Fourier transforms of floats. Let X be the transform of the chances of one loss on a grid, all
of absolute value at most 1, and let each value be off by e. The n-th power is then off by n e |X|^(n − 1). By
Parseval's identity the chances after the transform back are off, in the Euclidean norm, by n e sqrt(C(n − 1)), where
C(j) is the sum of the squared chances of j losses together. All L chances together are off by at most sqrt(L) times
that (Cauchy and Schwarz), and so is delta, which adds up a part of them with weights of at most 1.

Sums of even powers are log-convex in the power, so C(n − 1) <= C(n) (C(1)/C(n))^(1/(n − 1)); both are known.
Two different losses are off by e (sqrt(C) + sqrt(C')) in the same norm. A convolution with chances makes an error that
is there already no larger in sum, so errors add up.

In a transform of m numbers e is about 0.6 sqrt(log2 m) roundings of 2^−53 (Schatzman 1996), and a power of a complex
number adds up to 5 n roundings; `COEFFICIENT` is 16 of them.
"""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

COEFFICIENT = 2.0**-49


@dataclass(frozen=True, eq=False)
class ComposedLosses:
    """A loss distribution of the library, and what its delta may be off by."""

    distribution: Any
    rounding: float = 0.0

    def times(self, count: int) -> "ComposedLosses":
        """This number of such losses together."""
        if count == 1:
            return self
        whole = self.distribution.self_compose(count)
        added = max(
            math.sqrt(_size(after) * _before_last(_squares(one), _squares(after), count))
            for one, after in zip(_orders(self.distribution), _orders(whole), strict=True)
        )
        return ComposedLosses(whole, count * (self.rounding + COEFFICIENT * added))

    def beside(self, other: "ComposedLosses") -> "ComposedLosses":
        """These losses and others together."""
        whole = self.distribution.compose(other.distribution)
        added = max(
            math.sqrt(_size(after)) * (math.sqrt(_squares(first)) + math.sqrt(_squares(second)))
            for first, second, after in zip(
                _orders(self.distribution), _orders(other.distribution), _orders(whole), strict=True
            )
        )
        return ComposedLosses(whole, self.rounding + other.rounding + COEFFICIENT * added)


def _before_last(one: float, all_of_them: float, count: int) -> float:
    """A bound of C(count − 1), from C(1) and C(count)."""
    return all_of_them * math.pow(one / all_of_them, 1 / (count - 1))


def _orders(distribution: Any) -> tuple[Any, ...]:
    """The chances in both orders of the two datasets, or in one where they are symmetric."""
    both = distribution._pmf_remove, distribution._pmf_add
    return both[:1] if distribution._symmetric else both


def _chances(masses: Any) -> Any:
    from dp_accounting.pld.pld_pmf import SparsePLDPmf

    return masses._get_losses_probs()[1] if isinstance(masses, SparsePLDPmf) else masses._probs


def _size(masses: Any) -> int:
    return len(_chances(masses))


def _squares(masses: Any) -> float:
    """The sum of the squared chances, no less than those of chances that are all alike."""
    chances = np.asarray(_chances(masses), dtype=np.float64)
    # Without a copy, and without the threads that a dot product starts.
    return max(float(np.einsum("i,i->", chances, chances)), 1 / chances.size)
