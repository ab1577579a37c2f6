"""Kernels: compiled loops, of which none takes memory.

What a compiler spends on a loop over arrays is mostly the counting of references to them, which only code that takes
or gives back memory needs. So room is made by whoever calls, in plain Python, and kernels work in it: they compile in
a third of the time, and run alike. What only other kernels call needs no door to Python either.

`compiled` is called from Python, and lets other threads run meanwhile; `inner` is called from kernels, `inlined` too and
becomes part of the caller. Machine code is kept beside the source or, where that folder can't be written, in the
user's cache folder; NUMBA_CACHE_DIR names another.
"""

from numba import njit

_LEAN = {"cache": True, "_nrt": False, "no_cfunc_wrapper": True}

compiled = njit(nogil=True, **_LEAN)
inner = njit(no_cpython_wrapper=True, **_LEAN)
inlined = njit(inline="always", no_cpython_wrapper=True, **_LEAN)
