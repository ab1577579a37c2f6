"""Writing aside: a file is made beside its place and takes it in one step, so the old one stays whole until then."""

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
        if path.is_dir():
            raise BadParameter(f"the output {path} is a folder; name a file")
        if path.parent.exists() and not path.parent.is_dir():
            raise BadParameter(f"the output {path} can't be written: {path.parent} is no folder")
        path.parent.mkdir(parents=True, exist_ok=True)
        yield partial
        partial.replace(path)
    except OSError as error:
        raise BadData(f"can't write {path}: {error.strerror or type(error).__name__}") from None
    finally:
        _remove(partial)


def _remove(partial: Path) -> None:
    """The file is gone, and what a database keeps beside it; a failure must not hide the error that led here."""
    for path in (partial, *(partial.with_name(f"{partial.name}{ending}") for ending in ("-journal", "-wal", "-shm"))):
        try:
            path.unlink(missing_ok=True)
        except OSError:
            continue
