"""No module of the package imports another that imports it, at the top of a file or inside a function.

Python lets an import inside a function hide a cycle; a reader still has to understand both files at once, and what both
share belongs below them. Only imports for the type checker are left out: they run nothing, and a base class and the
function that does the work of one of its methods (`Kind.attack`, `attack_views`) name each other's types.

Covers the whole package.
"""

import ast
from collections.abc import Iterator, Mapping
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

SRC = Path(__file__).parents[1] / "src"


def _modules(root: Path) -> dict[str, Path]:
    """The files below `root` by their dotted names; a package goes by the name of its folder."""
    files = {path.relative_to(root).with_suffix(""): path for path in sorted(root.rglob("*.py"))}
    return {".".join(name.parts).removesuffix(".__init__"): path for name, path in files.items()}


def _running(node: ast.AST) -> Iterator[ast.AST]:
    """All nodes below this one, without what only the type checker reads."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.If) and ast.unparse(child.test).endswith("TYPE_CHECKING"):
            for other in child.orelse:
                yield from (other, *_running(other))
        else:
            yield from (child, *_running(child))


def _imported(path: Path, name: str) -> Iterator[str]:
    """The dotted names that a file imports, with what it takes from them: `a.b.c` for `from a.b import c`."""
    package = name.split(".") if path.name == "__init__.py" else name.split(".")[:-1]
    for node in _running(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            yield from (".".join([*base, *filter(None, [node.module]), alias.name]) for alias in node.names)


def _graph(root: Path) -> Mapping[str, set[str]]:
    """The modules that each module imports. A name taken from a module counts as an import of that module."""
    files = _modules(root)
    graph: dict[str, set[str]] = {}
    for name, path in files.items():
        found = {full if full in files else full.rpartition(".")[0] for full in _imported(path, name)}
        graph[name] = (found & files.keys()) - {name}
    return graph


def _cycle(root: Path) -> list[str]:
    """A cycle of imports, each module imported by the next; empty where there is none."""
    try:
        TopologicalSorter(_graph(root)).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


@pytest.mark.slow
def test_no_imports_run_in_a_circle() -> None:
    graph = _graph(SRC)
    assert "tacit.errors" in graph["tacit.plan.load"]
    assert _cycle(SRC) == []


@pytest.mark.parametrize(
    ("first", "second", "found"),
    [
        ("from own.b import g", "from own.a import f", True),
        ("from own.b import g", "def g():\n    from own.a import f", True),
        ("from own import b", "def g():\n    import own.a", True),
        ("from .b import g", "from . import a", True),
        ("from own.b import g", "if TYPE_CHECKING:\n    from own.a import F", False),
        ("from own.b import g", "if TYPE_CHECKING:\n    pass\nelse:\n    from own.a import F", True),
        ("from own.b import g", "import json", False),
    ],
)
def test_a_circle_is_found(tmp_path: Path, first: str, second: str, found: bool) -> None:
    (tmp_path / "own").mkdir()
    for name, text in {"__init__": "", "a": first, "b": second}.items():
        (tmp_path / "own" / f"{name}.py").write_text(text + "\n", encoding="utf-8")
    assert bool(_cycle(tmp_path)) is found
