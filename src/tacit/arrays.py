"""Names for the array types that the whole package passes around."""

import numpy as np
from numpy.typing import NDArray

IntArray = NDArray[np.int64]
CodeArray = NDArray[np.int32]
FloatArray = NDArray[np.float64]
BoolArray = NDArray[np.bool_]
