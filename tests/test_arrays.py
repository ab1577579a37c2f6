"""Masks are found, and nobody who has none pays for them."""

import subprocess
import sys

import numpy as np
import pytest

from tacit.arrays import is_masked

MEAN = """
import sys
import numpy as np
from tacit.methods.statistics.mean import METHOD
from tacit.randomness.stream import RandomBits
values, params = np.arange(10.0), METHOD.params(epsilon=1, lower=0, upper=9)
METHOD.run(values, params, RandomBits.from_seed(1))
unused = ("numpy.ma", "json", "tacit.noise.gaussian_setting")
print([name for name in unused if name in sys.modules])
METHOD.run(np.ma.MaskedArray(values, mask=values > 5), params, RandomBits.from_seed(1))
print([name for name in unused if name in sys.modules])
"""


def test_masked_arrays_are_told_from_others() -> None:
    assert is_masked(np.ma.MaskedArray([1, 2], mask=[True, False]))
    assert is_masked(np.ma.MaskedArray([1, 2]))
    assert is_masked(np.ma.masked)
    assert not is_masked(np.array([1, 2]))
    assert not is_masked([1, None])


@pytest.mark.slow
def test_a_mean_of_plain_values_imports_nothing_that_it_does_not_use() -> None:
    done = subprocess.run([sys.executable, "-c", MEAN], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == ["[]", "['numpy.ma']"]
