"""Consistency of noisy counts: not below 0, and with a total that is public. Post-processing, so it is free.

With a known total the nearest vector (in squares) that is not negative and has this sum is taken: all counts are
lowered by one number and those below 0 set to 0 (Duchi, Shalev-Shwartz, Singer and Chandra 2008).
"""

import numpy as np

from tacit.arrays import FloatArray, IntArray


def not_negative(values: IntArray | FloatArray) -> FloatArray:
    """The counts with 0 for what is below."""
    return np.maximum(values.astype(np.float64), 0.0)


def with_total(values: IntArray | FloatArray, total: float) -> FloatArray:
    """The nearest counts that are not negative and add up to `total`."""
    counts = values.astype(np.float64)
    falling = np.sort(counts)[::-1]
    excess = (np.cumsum(falling) - total) / np.arange(1, counts.size + 1)
    kept = int(np.flatnonzero(falling - excess >= 0)[-1]) if total > 0 else 0
    return np.maximum(counts - excess[kept], 0.0) if total > 0 else np.zeros_like(counts)
