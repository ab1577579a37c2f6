"""Locks that end with their holder: a folder of one's own, with a file in it that is locked while its holder lives.

The lock is `flock`, which the system lets go of when a process ends in whatever way, so nobody has to guess whether the
holder of a lock that was left behind still lives: process numbers are used again, and mean nothing in another
container. The file goes away with the lock. Whoever waited for it may then hold a lock on a file that is gone, so after
every lock the file is compared with the one that has its name now. Where the system has no `flock` (Windows) nothing is
locked.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from time import monotonic, sleep

LOCK = "lock"
"""The name of the locked file in its folder."""
PAUSE = 0.01
"""Seconds between two looks at a lock that somebody else holds."""
MOST_LOST = 100
"""How often in a row a folder may be gone at once when it is made before that is an error."""
PRIVATE = 0o700


class HeldByAnother(Exception):
    """Another process holds the lock, and still held it when the time to wait was over."""


@contextmanager
def held(folder: Path, seconds: float = 0.0) -> Iterator[None]:
    """The folder is there, for its owner only, and nobody else holds it; afterwards it is gone, if nothing is in it.

    HeldByAnother after so many seconds of waiting; an OSError where the folder can't be made or is another user's.
    """
    handle = _taken(folder, monotonic() + seconds)
    try:
        yield
    finally:
        if _still_there(handle, folder / LOCK):
            remove_held(folder)
        os.close(handle)


def remove_held(folder: Path) -> None:
    """The folder, which this process holds, is gone if nothing else is in it; somebody else may hold a new one now."""
    with suppress(OSError):
        (folder / LOCK).unlink()
        folder.rmdir()


def can_lock() -> bool:
    """Whether this system has locks that end with their holder."""
    try:
        import fcntl  # noqa: F401
    except ImportError:
        return False
    return True


def _taken(folder: Path, deadline: float) -> int:
    """The open file, locked."""
    lost = 0
    while True:
        try:
            # Not exist_ok: that is an error where the folder is there, and then, at the second look, is not.
            with suppress(FileExistsError):
                folder.mkdir(mode=PRIVATE)
            _require_own(folder)
            handle = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT, 0o600)
        except FileNotFoundError:
            # Its holder may have removed it meanwhile, so look again; but some file systems never make it, and say so.
            lost += 1
            if not folder.parent.is_dir() or lost == MOST_LOST:
                raise
            sleep(PAUSE)
            continue
        lost = 0
        if _locked(handle) and _still_there(handle, folder / LOCK):
            return handle
        os.close(handle)
        if monotonic() >= deadline:
            raise HeldByAnother(str(folder))
        sleep(PAUSE)


def _locked(handle: int) -> bool:
    """Whether the lock could be had at once."""
    if not can_lock():
        return True
    import fcntl

    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _still_there(handle: int, path: Path) -> bool:
    """Whether the locked file is the one that has the name."""
    try:
        there = path.stat()
    except FileNotFoundError:
        return False
    mine = os.fstat(handle)
    return (there.st_dev, there.st_ino) == (mine.st_dev, mine.st_ino)


def _require_own(folder: Path) -> None:
    """The folder is no link and belongs to this user: what another one put there is neither believed nor removed."""
    found = folder.lstat()
    if folder.is_symlink() or (os.name != "nt" and found.st_uid != os.geteuid()):
        raise PermissionError(13, f"{folder} belongs to somebody else", str(folder))
