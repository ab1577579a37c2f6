"""Killing: work is done in a process of its own, which is ended by SIGKILL at some moment or before some step.

Processes are forked from a server that has imported what they need, so that a kill costs milliseconds.
"""

import os
import random
import signal
import sys
from collections.abc import Callable, Iterator
from itertools import count
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from time import sleep
from typing import Any

FORKED = get_context("forkserver")
FORKED.set_forkserver_preload(["bench.warm"])


def killed(work: Callable[..., None], arguments: tuple[Any, ...], seconds: float) -> None:
    """The work is begun and its process killed after so many seconds."""
    process = FORKED.Process(target=work, args=arguments)
    process.start()
    sleep(seconds)
    process.kill()
    process.join()
    process.close()


def killed_at(step: int, work: Callable[..., None], arguments: tuple[Any, ...]) -> bool:
    """The work on a folder is begun and its process kills itself before its n-th access to it; whether it came to that.

    The folder is the first of the arguments.
    """
    process = FORKED.Process(target=_until, args=(step, work, arguments))
    process.start()
    process.join()
    code = process.exitcode
    process.close()
    if code not in (0, -signal.SIGKILL):
        raise SystemExit(f"the work ended with {code} by itself")
    return code == -signal.SIGKILL


def accesses(work: Callable[..., None], arguments: tuple[Any, ...]) -> int:
    """How many times the work on a folder comes to it; the work must end well. The folder is the first argument."""
    receiver, sender = FORKED.Pipe(duplex=False)
    process = FORKED.Process(target=_counted, args=(sender, work, arguments))
    process.start()
    process.join()
    code = process.exitcode
    process.close()
    if code != 0:
        raise SystemExit(f"the work ended with {code}")
    return int(receiver.recv())


def _until(step: int, work: Callable[..., None], arguments: tuple[Any, ...]) -> None:
    """The work, until its n-th access."""

    def end_at(number: int) -> None:
        if number == step:
            os.kill(os.getpid(), signal.SIGKILL)

    _heed(str(arguments[0]), end_at)
    work(*arguments)


def _counted(sender: Connection, work: Callable[..., None], arguments: tuple[Any, ...]) -> None:
    """The work, and then the number of its last access."""
    found = [0]
    _heed(str(arguments[0]), found.append)
    try:
        work(*arguments)
    finally:
        sender.send(max(found))


def _heed(folder: str, tell: Callable[[int], None]) -> None:
    """Python tells of every opening, renaming, removing and making of files before it is done; they are numbered."""
    numbers = count(start=1)

    def heed(event: str, about: tuple[Any, ...]) -> None:
        if event.startswith(("open", "os.")) and any(folder in str(part) for part in about):
            tell(next(numbers))

    sys.addaudithook(heed)


def is_readable(path: Path, root: Path) -> bool:
    """Whether other users could read the file: no permission and no folder on the way below the root keeps them out."""
    return all(_is_open(part, root) for part in (path, *path.parents))


def _is_open(part: Path, root: Path) -> bool:
    """Whether others may read the file or enter the folder; folders above the root are taken to be open."""
    return part == root or root not in part.parents or bool(part.stat().st_mode & (0o011 if part.is_dir() else 0o044))


def moments(number: int, most: float, seed: int | None = None) -> Iterator[float]:
    """Seconds until each kill, evenly spread."""
    generator = random.Random(seed)
    return (generator.uniform(0.0, most) for _ in range(number))
