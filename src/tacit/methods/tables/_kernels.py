"""Kernels: compiled loops, of which none takes memory.

What a compiler spends on a loop over arrays is mostly the counting of references to them, which only code that takes
or gives back memory needs. So room is made by whoever calls, in plain Python, and kernels work in it: they compile in
a third of the time, and run alike. What only other kernels call needs no door to Python either.

`compiled` is called from Python, and lets other threads run meanwhile; `inner` is called from kernels, and so is
`inlined`, which becomes part of the caller. Machine code is kept beside the source or, where that folder can't be
written, in the user's cache folder; NUMBA_CACHE_DIR names another.
"""

from functools import partial
from typing import Any

from numba import njit

_LEAN: dict[str, Any] = {"cache": True, "_nrt": False, "no_cfunc_wrapper": True}
_lean: Any = partial(njit, **_LEAN)

compiled = _lean(nogil=True)
inner = _lean(no_cpython_wrapper=True)
inlined = _lean(no_cpython_wrapper=True, inline="always")
