"""Imports run down only: read from the syntax tree of every file, wherever in it an import stands.

Covers the whole package, verbs/engine.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "src" / "tacit"

ROOT = PACKAGE.parents[1]


def layers() -> list[list[list[str]]]:
    """The layers of ARCHITECTURE.md from the top: on each, the groups that are siblings of each other."""
    page = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    block = page.split("<!-- layers -->\n```text\n")[1].split("```")[0]
    names = [re.split(r"\s{2,}", line)[0] for line in block.splitlines()]
    return [[group.split(", ") for group in line.split(" | ")] for line in names]


PLACE = {
    name: (depth, sibling)
    for depth, layer in enumerate(layers())
    for sibling, group in enumerate(layer)
    for name in group
}
FILES = sorted(path for path in PACKAGE.rglob("*.py") if path != PACKAGE / "__init__.py")


def part_of(path: Path) -> str:
    """The part of the package that a file belongs to."""
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imports_of(tree: ast.AST, here: tuple[str, ...]) -> Iterator[tuple[int, str]]:
    """The line and the dotted name of everything of the package that is imported; `here` is the file's own package."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names if alias.name.split(".")[0] == "tacit")
        elif isinstance(node, ast.ImportFrom):
            base = [*here[: len(here) - node.level + 1]] if node.level else []
            module = ".".join([*base, *([node.module] if node.module else [])])
            if module == "tacit":
                yield from ((node.lineno, f"tacit.{alias.name}") for alias in node.names)
            elif module.startswith("tacit."):
                yield node.lineno, module


def offences(path: Path, source: str) -> list[str]:
    """The imports that do not run down, each with its line."""
    depth, sibling = PLACE[part_of(path)]
    here = ("tacit", *path.relative_to(PACKAGE).parent.parts)
    found = []
    for line, name in imports_of(ast.parse(source), here):
        part = name.split(".")[1]
        if part in PLACE and PLACE[part] != (depth, sibling) and PLACE[part][0] <= depth:
            found.append(f"{path.relative_to(PACKAGE)}:{line} imports {name}, which is not below it")
    return found


def test_every_part_of_the_package_has_a_layer() -> None:
    assert sorted({part_of(path) for path in FILES} - set(PLACE)) == []


@pytest.mark.parametrize("part", sorted({part_of(path) for path in FILES}))
def test_imports_run_down_only(part: str) -> None:
    files = [path for path in FILES if part_of(path) == part]
    assert [offence for path in files for offence in offences(path, path.read_text(encoding="utf-8"))] == []


@pytest.mark.parametrize(
    ("file", "source"),
    [
        ("data/source.py", "from tacit.engines.duckdb import DuckDB"),
        ("data/source.py", "import tacit.plan.load"),
        ("data/source.py", "def f():\n    from tacit import plan"),
        ("methods/tables/lattice.py", "from tacit.metrics.tables.loss import METRIC"),
        ("metrics/loss.py", "from tacit.attacks import linkage"),
        ("accounting/renyi.py", "from tacit.randomness.stream import RandomBits"),
        ("data/hierarchies/tree.py", "from ...engines import engine"),
        ("errors.py", "from tacit.arrays import IntArray"),
        ("evidence/page.py", "if TYPE_CHECKING:\n    from tacit.runs.job import Job"),
    ],
)
def test_an_import_that_runs_up_or_aside_is_found(file: str, source: str) -> None:
    assert len(offences(PACKAGE / file, source)) == 1


def test_imports_within_a_part_and_down_are_fine() -> None:
    fine = (
        "from tacit.data.tables.tally import Tally\nfrom tacit.errors import BadData\nimport numpy\nfrom . import files"
    )
    assert offences(PACKAGE / "data" / "source.py", fine) == []


def borrowed(path: Path, source: str) -> list[str]:
    """The private modules that a file imports from outside the folder that they stand in."""
    here = ("tacit", *path.relative_to(PACKAGE).parent.parts)
    found = []
    for line, name in imports_of(ast.parse(source), here):
        private = re.match(r"(tacit(?:\.\w+)*?)\._[a-z]", name)
        if private and private[1] != ".".join(here[: private[1].count(".") + 1]):
            found.append(f"{path.relative_to(PACKAGE)}:{line} imports {name}, which is private")
    return found


@pytest.mark.slow
def test_a_private_module_serves_its_own_folder() -> None:
    """What another folder needs, and so what a plug-in may need, is public and stands in a layer below."""
    assert [offence for path in FILES for offence in borrowed(path, path.read_text(encoding="utf-8"))] == []


@pytest.mark.parametrize(
    ("file", "module", "offends"),
    [
        ("methods/synthesize/independent.py", "tacit.methods.statistics._box", True),
        ("verbs/ask.py", "tacit.attacks.tables._beliefs", True),
        ("methods/statistics/mean.py", "tacit.methods.statistics._box", False),
        ("methods/statistics/_logistic/noise.py", "tacit.methods.statistics._box", False),
        ("methods/statistics/quantiles.py", "tacit.methods.statistics._quantiles.ranked", False),
    ],
)
def test_a_private_module_of_another_folder_is_found(file: str, module: str, offends: bool) -> None:
    assert bool(borrowed(PACKAGE / file, f"from {module} import something")) is offends


FACES_MAY_IMPORT = ("cli", "service", "verbs", "errors", "request", "params", "usual", "visible", "distribution")
"""The application and what has no knowledge of it: errors, parameters, how progress is told, what is usual."""


def reached_below(source: str) -> list[str]:
    """What a face imports of the package that is below the application."""
    names = (name for _, name in imports_of(ast.parse(source), ("tacit", "cli")))
    return [name for name in names if name.split(".")[1] not in FACES_MAY_IMPORT]


def test_faces_call_the_application_and_nothing_below() -> None:
    files = [path for path in FILES if part_of(path) in ("cli", "service")]
    assert len(files) > 5
    assert {path.name: found for path in files if (found := reached_below(path.read_text(encoding="utf-8")))} == {}
    assert reached_below("def f():\n    from tacit.plan.load import load_plan") == ["tacit.plan.load"]


def test_the_engine_is_chosen_in_one_place() -> None:
    above = [path for path in FILES if PLACE[part_of(path)][0] < PLACE["engines"][0]]
    choosing = [str(path.relative_to(PACKAGE)) for path in above if "DuckDB(" in path.read_text(encoding="utf-8")]
    assert choosing == ["verbs/engine.py"]
