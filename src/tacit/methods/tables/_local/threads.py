"""Threads that sweep the groups of a walk side by side; kernels need no lock, since groups share nothing."""

import os
from concurrent.futures import ThreadPoolExecutor
from typing import Self

import numpy as np

from tacit.methods.tables._local.sweep import Terrain, new_desk, sweep
from tacit.methods.tables._local.walk import Walk

MOST = 16
SHARES = 4
"""How many shares of a walk each thread takes, one after the other, so that none waits long for another."""


def processors() -> int:
    """How many this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class Team:
    """Threads for the sweeps of one search."""

    def __init__(self, task: Terrain, tries: int, threads: int | None = None) -> None:
        self._task = task
        self._tries = tries
        self._threads = min(threads or processors(), MOST)
        self._pool = ThreadPoolExecutor(self._threads)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._pool.shutdown(cancel_futures=True)

    def sweep(self, walk: Walk) -> None:
        """All groups of the walk are swept."""
        groups = walk.begins.size - 1
        wished = walk.classes.size * np.arange(1, SHARES * self._threads) // (SHARES * self._threads)
        edges = np.unique([0, *np.searchsorted(walk.begins[:-1], wished), groups])
        spans = list(zip(edges[:-1].tolist(), edges[1:].tolist(), strict=True))
        if self._threads == 1 or len(spans) == 1:
            spans = []
            self._sweep(walk, (0, groups))
        for done in [self._pool.submit(self._sweep, walk, span) for span in spans]:
            done.result()

    def _sweep(self, walk: Walk, span: tuple[int, int]) -> None:
        """The groups of the span are swept, at a desk of their own."""
        sweep(self._task, walk, span, self._tries, new_desk(*self._task.paths.node.shape[1:]))
