"""Scratch: private folders for temporary files that hold raw rows, which are gone with their owner.

A folder is made in the system's temporary folder, or in one that is given; only its owner may enter it, so that no
other user can reach what programs write into it with the permissions they choose. It is locked while the block runs
(`tacit.locks`). A process that is killed leaves its folder behind without the lock, and the `sweep` of the next run
removes it. What is deleted may stay readable on the disk itself: where that matters, put the temporary folder on an
encrypted disk or in memory (`TMPDIR`).

An engine that spills rows to disk is given the folder as its temporary directory, such as `temp_directory` of DuckDB.
"""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from secrets import token_hex
from shutil import rmtree
from tempfile import gettempdir

from tacit.atomic import unwritable
from tacit.locks import LOCK, HeldByAnother, can_lock, held

PREFIX = "tacit-scratch-"


@contextmanager
def scratch(within: Path | None = None) -> Iterator[Path]:
    """A folder that only this user may enter; afterwards it is gone with all that is in it.

    What dead processes left behind is removed first.
    """
    parent = _parent(within)
    sweep(parent)
    folder = parent / f"{PREFIX}{token_hex(8)}"
    with ExitStack() as stack:
        try:
            stack.enter_context(held(folder, seconds=1.0))
        except OSError as error:
            raise unwritable(folder, error) from None
        stack.callback(_empty, folder)
        yield folder


def sweep(within: Path | None = None) -> tuple[Path, ...]:
    """The folders whose owners are dead, which are gone now; what can't be removed is left alone."""
    if not can_lock():
        return ()
    return tuple(folder for folder in sorted(_parent(within).glob(f"{PREFIX}*")) if _removed(folder))


def _removed(folder: Path) -> bool:
    if folder.is_symlink() or not folder.is_dir():
        return False
    with suppress(HeldByAnother, OSError):
        with held(folder):
            _empty(folder)
        return not folder.exists()
    return False


def _empty(folder: Path) -> None:
    """Nothing but the lock is in the folder."""
    for path in folder.iterdir():
        if path.is_dir() and not path.is_symlink():
            rmtree(path, ignore_errors=True)
        elif path.name != LOCK:
            path.unlink(missing_ok=True)


def _parent(within: Path | None) -> Path:
    return (within or Path(gettempdir())).absolute()
