"""A docstring that names a file, a folder or a module of the package names one that is there.

Names are read in backquotes (`lots.py`, `_mdav`, `steps/`, `accounting.runs`), pages of the documentation without. The
reference quotes docstrings, so names that are out of date mislead its readers too.

Covers the whole package.
"""

import ast
import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "src" / "tacit"
FILES = {path.relative_to(PACKAGE).as_posix() for path in PACKAGE.rglob("*.py")}
FOLDERS = {path.relative_to(PACKAGE).as_posix() for path in PACKAGE.rglob("*") if path.is_dir()}
MODULES = {name.removesuffix(".py") for name in FILES}
ENTRY_POINTS = {f"tacit.{group}" for group in ("methods", "metrics", "attacks", "guarantees", "kinds", "steps")}


def docstrings(text: str) -> Iterator[str]:
    """Every text that stands by itself: docstrings, and what is said below a constant."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            yield node.value.value


def is_there(name: str) -> bool:
    """Whether the name is the end of a path of a file or folder, or can be imported from the package."""
    if name in ENTRY_POINTS:
        return True
    if name.startswith("docs/"):
        return (PACKAGE.parent.parent / name).is_file()
    if re.fullmatch(r"[a-z_]+(\.\w+)+", name) and not name.endswith(".py"):
        return is_importable(name.removeprefix("tacit."))
    return any(f"/{path}".endswith(f"/{name.strip('/')}") for path in FILES | FOLDERS | MODULES)


def is_importable(name: str) -> bool:
    """Whether the dotted name is a module, or something that a module has."""
    parts = name.split(".")
    for length in range(len(parts), -1, -1):
        if length == 0 or "/".join(parts[:length]) in MODULES | FOLDERS:
            module = import_module(".".join(["tacit", *parts[:length]]))
            return length == len(parts) or hasattr(module, parts[length])
    return False


def named_in(text: str) -> Iterator[str]:
    """The names in backquotes that look like a file, a folder, a private module or a dotted module."""
    for name in re.findall(r"`([^`\s]+)`", text):
        dotted = re.fullmatch(r"(\w+)(\.\w+)+(?<!\.json)", name)
        is_ours = dotted is not None and (dotted[1] == "tacit" or dotted[1] in FOLDERS)
        if is_ours or re.fullmatch(r"[\w/]+\.py|_[a-z_]+(/[a-z_]+)*|[a-z_]+(/[a-z_]*)+", name):
            yield name
    yield from re.findall(r"\bdocs/[\w/-]+\.md", text)


@pytest.mark.slow
def test_every_named_file_is_there() -> None:
    found = {
        (path.relative_to(PACKAGE).as_posix(), name)
        for path in PACKAGE.rglob("*.py")
        for text in docstrings(path.read_text(encoding="utf-8"))
        for name in named_in(text)
    }
    assert len(found) > 20
    assert [(file, name) for file, name in sorted(found) if not is_there(name)] == []


@pytest.mark.parametrize(
    "name",
    [
        *("`no_such_file.py`", "`_no_such_module`", "`methods/no_such_folder`", "`accounting.no_such_module`"),
        "docs/explanation/no-such-page.md",
    ],
)
def test_a_name_of_nothing_is_found(name: str) -> None:
    """The twin that must fail."""
    (found,) = named_in(f"It is explained elsewhere ({name}).")
    assert not is_there(found)


@pytest.mark.parametrize(
    "name", ["lots.py", "_mdav", "steps/", "accounting.runs", "tacit.PrivacyBudget", "tacit.runs.kind.Kind"]
)
def test_a_name_of_something_is_accepted(name: str) -> None:
    assert list(named_in(f"It is explained elsewhere (`{name}`).")) == [name]
    assert is_there(name)
