"""The layers of ARCHITECTURE.md are those of the code: imports run down only, siblings never import each other."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from docs.blocks import ROOT, blocks_of

PACKAGE = ROOT / "src" / "tacit"
OWN = "__init__"


def layers() -> list[list[list[str]]]:
    """The layers from the top: on each, the groups that are siblings of each other."""
    (block,) = [block for block in blocks_of(ROOT / "ARCHITECTURE.md") if block.mark == "layers"]
    names = [re.split(r"\s{2,}", line)[0] for line in block.text.splitlines()]
    return [[group.split(", ") for group in line.split(" | ")] for line in names]


PLACES = {
    name: (depth, sibling)
    for depth, layer in enumerate(layers())
    for sibling, group in enumerate(layer)
    for name in group
}


def imported(path: Path) -> Iterator[str]:
    """The parts of the package that a file imports, wherever in it."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("tacit."):
            yield node.module.split(".")[1]
        elif isinstance(node, ast.ImportFrom) and node.module == "tacit":
            yield from (alias.name for alias in node.names if alias.name in PLACES)
        elif isinstance(node, ast.Import):
            yield from (alias.name.split(".")[1] for alias in node.names if alias.name.startswith("tacit."))


def may_import(importer: str, other: str) -> bool:
    """Down, or within the same group."""
    above, below = PLACES[importer], PLACES[other]
    return above == below or above[0] < below[0]


def parts() -> dict[str, list[Path]]:
    """The files of each part of the package."""
    found: dict[str, list[Path]] = {}
    for path in PACKAGE.rglob("*.py"):
        name = path.relative_to(PACKAGE).parts[0].removesuffix(".py")
        found.setdefault(name, []).append(path)
    del found[OWN]
    return found


def test_every_part_of_the_package_has_a_layer() -> None:
    assert not set(parts()) - set(PLACES), "name it in the layers of ARCHITECTURE.md"


@pytest.mark.parametrize("name", sorted(set(parts()) & set(PLACES)))
def test_imports_run_down_only(name: str) -> None:
    wrong = [
        f"{path.relative_to(PACKAGE)} imports {other}"
        for path in parts()[name]
        for other in imported(path)
        if not may_import(name, other)
    ]
    assert not wrong


def test_a_wrong_import_is_noticed() -> None:
    assert may_import("cli", "data")
    assert not may_import("data", "cli")
    assert not may_import("methods", "metrics")
