"""Compiling ahead: the first time, two processes compile the kernels side by side, which takes half the time.

numba compiles one function at a time in a process, and keeps what it compiled in files. So each process calls half of
the kernels on a few rows that mean nothing, and the search finds their code in these files, as every later run does. An
empty file beside them says which kernels they are, so that no process is started again.
The processes begin before the table is read. The search waits for the kernels that it starts with, and begins while the
others are still being compiled. Where that fails, as in a program that can't start another Python, the search compiles
what is missing by itself.

`python -m tacit.methods.tables._local.ahead` compiles everything and waits for it, as a set-up may do.
"""

import atexit
import gc
import os
import subprocess
import sys
from contextlib import suppress
from functools import cache
from hashlib import sha256
from pathlib import Path
from time import sleep
from typing import Any

import numba
import numpy as np
from llvmlite.binding import get_host_cpu_name

from tacit.methods.tables._local.cover import best_cover
from tacit.methods.tables._local.freeze import freeze, start
from tacit.methods.tables._local.partition import Partition
from tacit.methods.tables._local.paths import Paths
from tacit.methods.tables._local.sweep import Terrain, add_names, bring_near, find_choice, new_desk, rebuild
from tacit.methods.tables._local.threads import processors
from tacit.methods.tables._local.units import Need, split_rows
from tacit.methods.tables._local.walk import walk_of

NAME = "tacit.methods.tables._local.ahead"
ROWS = 4
NEED = Need(2, 0)
NOTHING = np.uint64(0)
PAUSE = 0.01
QUICK = {"NUMBA_OPT": "1", "NUMBA_LOOP_VECTORIZE": "0", "NUMBA_SLP_VECTORIZE": "0"}
"""How numba compiles: the search runs no faster with more, and takes a tenth longer to compile."""


def begin_compiling() -> None:
    """Compile what most searches need, without waiting for it; nothing happens where that would not help."""
    if _running or processors() < len(HALVES) or is_all_compiled():
        return
    silent: dict[str, Any] = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.DEVNULL)
    # Where one can't be started, the search compiles by itself.
    with suppress(OSError):
        for half in HALVES:
            _running.append(subprocess.Popen([sys.executable, "-m", NAME, *half], env=os.environ | QUICK, **silent))


def await_first() -> None:
    """What a search starts with is compiled, or nobody is compiling it."""
    begin_compiling()
    while _running and _running[0].poll() is None and not is_compiled(HALVES[0][0]):
        sleep(PAUSE)


def compile_ahead() -> None:
    """What most searches need is compiled, or nothing was done where that would not help."""
    begin_compiling()
    try:
        for process in _running:
            process.wait()
    finally:
        stop_compiling()


def stop_compiling() -> None:
    """No process goes on; what it compiled so far is kept."""
    while _running:
        process = _running.pop()
        process.kill()
        process.wait()


_running: list[subprocess.Popen[bytes]] = []
# A run that is refused or interrupted meanwhile leaves no process behind.
atexit.register(stop_compiling)


def is_compiled(part: str) -> bool:
    """Whether a process compiled this part of the kernels as they are written now, for this machine."""
    return mark_of(part).exists()


def is_all_compiled() -> bool:
    """Whether nothing is left of what most searches need."""
    return all(is_compiled(part) for part in PARTS)


def mark_of(part: str) -> Path:
    """The empty file beside the compiled code that says so."""
    return Path(freeze.stats.cache_path) / f"ahead-{part}-{fingerprint()}"


@cache
def fingerprint() -> str:
    """What the code is compiled from, by what, and for what."""
    here = Path(__file__).parent
    sources = [path.read_bytes() for path in (*sorted(here.glob("*.py")), here.parent / "_kernels.py")]
    versions = (numba.__version__, sys.version, get_host_cpu_name())
    return sha256(b"\0".join([*sources, *(text.encode() for text in versions)])).hexdigest()[:16]


def make_classes() -> None:
    """The kernels that make the first classes are compiled."""
    task = made_up()
    start(task.paths, task.units, NEED, np.array([1]), 0)


def cover_boards() -> None:
    """The kernels that bring classes to a board, choose a cover and rebuild classes are compiled."""
    task = made_up()
    walk = walk_of(task.units, task.part, np.array([0, 2]), np.zeros(ROWS, np.uint64), np.random.default_rng(0))
    desk = new_desk(1, 2)
    desk.names[:2] = walk.classes
    bring_near(task, (walk, 0), (0, 2), desk)
    words, prices = np.empty(0, np.uint64), np.empty(0, np.float64)
    choice = (words, prices, NOTHING, NOTHING, NOTHING, desk.board.floor)
    search = (0, 0.0, np.ones(1, np.uint64))
    best_cover(desk.board.sums, choice, NEED._replace(plain=True), (desk.best, desk.trial), search)
    units = (task.units.combination, task.units.weight)
    rebuild(task.paths, units, task.part, (desk.best, 0), desk.member[:0])
    add_names(task.part.where, (desk.names, 0), desk.member[:0], walk.fresh)


def fill_boards() -> None:
    """The other kernels of a sweep are compiled: those that fill boards and find their regions."""
    task, desk = made_up(), new_desk(1, 2)
    desk.member[:ROWS] = np.arange(ROWS)
    find_choice(task, desk, ROWS, 1.0)


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


PARTS = {"classes": make_classes, "covers": cover_boards, "boards": fill_boards}
HALVES = (("classes", "covers"), ("boards",))
"""The parts that each process compiles; a search starts with the first."""

if __name__ == "__main__":
    # What a compiler makes stays, so there is little garbage to look for.
    gc.disable()
    for name in sys.argv[1:]:
        PARTS[name]()
        mark_of(name).touch()
    if len(sys.argv) == 1:
        compile_ahead()
    # All is in files; taking apart what a compiler made takes a quarter of a second.
    os._exit(0)
