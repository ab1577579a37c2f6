"""A package with one guarantee of a test's own, installed as pip would, so that plans know it by name."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

PACKAGE = "brought_package"


@contextmanager
def installed(kind: type, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The package is in the folder, and Python finds it, until the block ends."""
    place = folder / PACKAGE
    place.mkdir(parents=True)
    (place / "__init__.py").write_text("", encoding="utf-8")
    text = f"from {kind.__module__} import {kind.__name__}\n\nGUARANTEE = {kind.__name__}\n"
    (place / "brought.py").write_text(text, encoding="utf-8")
    info = folder / f"{PACKAGE}-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {PACKAGE}\nVersion: 1\n", encoding="utf-8")
    (info / "entry_points.txt").write_text(f"[tacit.guarantees]\nbrought = {PACKAGE}\n", encoding="utf-8")
    monkeypatch.syspath_prepend(folder)
    yield
    for name in [name for name in sys.modules if name.partition(".")[0] == PACKAGE]:
        del sys.modules[name]
