"""Writing aside: a file is made beside its place and takes it in one step, so the old one stays whole until then."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tacit.errors import BadData, BadParameter


@contextmanager
def aside(path: Path) -> Iterator[Path]:
    """A path beside `path`, with the same ending; its file takes its place if all goes well, else it is removed."""
    if path.is_dir():
        raise BadParameter(f"the output {path} is a folder; name a file")
    partial = path.with_name(f".partial-{os.getpid()}-{path.name}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        yield partial
        partial.replace(path)
    except OSError as error:
        raise BadData(f"can't write {path}: {error.strerror or type(error).__name__}") from None
    finally:
        partial.unlink(missing_ok=True)
