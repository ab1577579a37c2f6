"""Names for the array types that the whole package passes around."""

import sys
from typing import Any, TypeGuard

import numpy as np
from numpy.typing import NDArray

IntArray = NDArray[np.int64]
CodeArray = NDArray[np.int32]
FloatArray = NDArray[np.float64]
BoolArray = NDArray[np.bool_]


def is_masked(values: object) -> "TypeGuard[np.ma.MaskedArray[Any, Any]]":
    """Whether the values hide some behind a mask.

    Nothing has a mask before somebody imports `numpy.ma`, so we need not import it to find that out.
    """
    masked = getattr(sys.modules.get("numpy.ma"), "MaskedArray", None)
    return masked is not None and isinstance(values, masked)
