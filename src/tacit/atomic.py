"""Writing aside: a file is made beside its place and takes it in one step, so the old one stays whole until then.

Several files that belong together take their places as one in `tacit.publication`.
"""

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tacit.errors import BadData, BadParameter


@contextmanager
def aside(path: Path) -> Iterator[Path]:
    """A path beside `path`, with the same ending; its file takes its place if all goes well, else it is removed."""
    partial = path.with_name(f".partial-{secrets.token_hex(4)}-{path.name}")
    try:
        make_room(path)
        yield partial
        partial.replace(path)
    except OSError as error:
        raise unwritable(path, error) from None
    finally:
        _remove(partial)


def make_room(path: Path) -> None:
    """The folder of the file is there; a path that can't be a file is refused."""
    if path.is_dir():
        raise BadParameter(f"the output {path} is a folder; name a file")
    if path.parent.exists() and not path.parent.is_dir():
        raise BadParameter(f"the output {path} can't be written: {path.parent} is not a folder")
    path.parent.mkdir(parents=True, exist_ok=True)


def unwritable(path: Path, error: OSError) -> BadData:
    """The error that says why the file could not be written."""
    return BadData(f"can't write {path}: {error.strerror or type(error).__name__}")


def private_file(path: Path, content: bytes) -> None:
    """A new file that only its owner may read or write, and that is on disk."""
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


def sync(path: Path) -> None:
    """What the file or folder holds is on disk; a system that can't do that for folders is left to its own ways."""
    if path.is_dir() and os.name == "nt":
        return
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _remove(partial: Path) -> None:
    """The file is gone, and what a database keeps beside it; a failure must not hide the error that led here."""
    for path in (partial, *(partial.with_name(f"{partial.name}{ending}") for ending in ("-journal", "-wal", "-shm"))):
        try:
            path.unlink(missing_ok=True)
        except OSError:
            continue
