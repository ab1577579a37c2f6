"""Compiling ahead: the first time, two processes compile the kernels side by side, which takes half the time.

numba compiles one function at a time in a process, and keeps what it compiled in files. So each process calls half of
the kernels on a few rows that mean nothing, and the search finds their code in these files, as every later run does.
Where that fails, as in a program that can't start another Python, the search compiles what is missing by itself.
"""

import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np

from tacit.methods.tables._local.board import UNITS, new_board, set_board
from tacit.methods.tables._local.cover import best_cover, new_cover
from tacit.methods.tables._local.freeze import freeze, start
from tacit.methods.tables._local.partition import Partition, link, release, settle
from tacit.methods.tables._local.paths import Paths
from tacit.methods.tables._local.regions import find_regions
from tacit.methods.tables._local.repair import class_levels
from tacit.methods.tables._local.sweep import Terrain, new_desk, rebuild, sweep
from tacit.methods.tables._local.threads import processors
from tacit.methods.tables._local.units import Need, split_rows
from tacit.methods.tables._local.walk import walk_of

ROWS = 4
NEED = Need(2, 0)
NOTHING = np.uint64(0)


def compile_ahead() -> None:
    """All kernels that most searches need are compiled, or nothing was done where that would not help."""
    if processors() < len(HALVES) or all(is_kept(kernel) for kernel in (freeze, set_board, find_regions, best_cover)):
        return
    processes: list[subprocess.Popen[bytes]] = []
    silent: dict[str, Any] = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.DEVNULL)
    try:
        # Where one can't be started, the search compiles by itself.
        with suppress(OSError):
            for half in HALVES:
                processes.append(subprocess.Popen([sys.executable, "-m", __name__, half], **silent))
            for process in processes:
                process.wait()
    finally:
        for process in processes:
            process.kill()
            process.wait()


def is_kept(kernel: Any) -> bool:
    """Whether numba has a file with code of the kernel as it is written now."""
    code = kernel.py_func.__code__
    source = Path(code.co_filename)
    kept = Path(kernel.stats.cache_path).glob(f"{source.stem}.{code.co_qualname}-{code.co_firstlineno}.py*.nbi")
    return any(index.stat().st_mtime >= source.stat().st_mtime for index in kept)


def begin_classes() -> None:
    """The kernels that make the first classes and choose a cover are compiled."""
    task = made_up()
    part = link(task.paths, task.units, start(task.paths, task.units, NEED, np.array([1]), 0))
    release(part, int(part.where[0]))
    lonely = np.flatnonzero(part.where < 0)
    settle(task.paths, task.units, part, lonely)
    class_levels(task.paths.node, np.arange(ROWS), np.zeros(ROWS, np.int64), lonely)
    board, best, state = new_board(1, 2), new_cover(), np.ones(1, np.uint64)
    words, prices = np.empty(0, np.uint64), np.empty(0, np.float64)
    choice = (words, prices, NOTHING, NOTHING, NOTHING, board.floor)
    best_cover(board.sums, choice, NEED._replace(plain=True), (best, new_cover()), (0, 0.0, state))
    rebuild(task.paths, task.units, task.part, (best, 0), np.empty(UNITS, np.int64)[:0])


def sweep_boards() -> None:
    """The kernels that fill boards and find their regions are compiled, and whatever else a sweep calls."""
    task = made_up()
    generator = np.random.default_rng(0)
    walk = walk_of(task.units, task.part, np.array([0, 2]), np.zeros(ROWS, np.uint64), generator)
    sweep(task, walk, (0, walk.begins.size - 1), 1, new_desk(1, 2))


def made_up() -> Terrain:
    """Four rows in two classes, made without a kernel."""
    leaf, root = np.arange(ROWS), np.full(ROWS, ROWS)
    paths = Paths(np.stack([leaf, root], axis=1).astype(np.int32)[:, None, :], np.array([0.0] * ROWS + [1.0]))
    units = split_rows(np.ones(ROWS, np.int64), np.zeros(ROWS, np.bool_), NEED)
    size = np.array([2, 0, 2, 0])
    part = Partition(
        where=np.array([0, 0, 2, 2]),
        loss=np.array([1.0, 0.0, 1.0, 0.0]),
        weight=size,
        number=size.copy(),
        first=np.array([0, -1, 2, -1]),
        following=np.array([1, -1, 3, -1]),
        level=np.ones((ROWS, 1), np.int8),
    )
    return Terrain(paths, units, NEED, part)


HALVES = {"classes": begin_classes, "boards": sweep_boards}

if __name__ == "__main__":
    HALVES[sys.argv[1]]()
