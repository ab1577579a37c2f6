"""The largest noisy score; ties go to the earlier position, a rule that does not look at the data."""

import numpy as np

from tacit.arrays import IntArray


def largest(noisy: IntArray, number: int) -> IntArray:
    """The positions of the `number` largest, largest first, equal ones by position."""
    return np.argsort(-noisy, kind="stable")[:number].astype(np.int64, copy=False)
