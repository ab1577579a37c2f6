"""One word, one meaning: a public type of the shared layers has a name that nothing else in the package has.

Covers the whole package.
"""

import ast
from collections import defaultdict
from pathlib import Path

import pytest

SRC = Path(__file__).parent.parent / "src" / "tacit"

# The folders of cards. A name that two files in here share is allowed: each is read beside its own algorithm only.
CARDS = ("attacks", "methods", "metrics")

# Both name what the literature calls so, and the module path tells which is meant: the noise that was added
# (accounting/events) or the parameters of the mechanism that adds it (methods/mechanisms).
ALLOWED = {"DiscreteGaussian", "Exponential", "Gaussian", "Laplace"}


def _places(root: Path) -> dict[str, list[str]]:
    """The files that define each public class or other name of a type, by name."""
    places: dict[str, list[str]] = defaultdict(list)
    for path in sorted(root.rglob("*.py")):
        for name in (name for node in ast.parse(path.read_text()).body for name in _types(node)):
            places[name].append(path.relative_to(root).as_posix())
    return places


def _types(node: ast.stmt) -> list[str]:
    """The names of types that a statement defines; those of one letter stand for any type, and capitals for values."""
    names = [node.name] if isinstance(node, ast.ClassDef) else []
    if isinstance(node, ast.Assign):
        names = [target.id for target in node.targets if isinstance(target, ast.Name)]
    if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
        names = [node.target.id]
    return [name for name in names if name[0].isupper() and not name.isupper()]


def _clashes(root: Path) -> dict[str, list[str]]:
    """The names that have several definitions, at least one of them in a shared layer."""
    return {
        name: files
        for name, files in _places(root).items()
        if len(files) > 1 and any(file.split("/")[0] not in CARDS for file in files)
    }


@pytest.mark.slow
def test_no_class_of_a_shared_layer_shares_its_name() -> None:
    assert {name: files for name, files in _clashes(SRC).items() if name not in ALLOWED} == {}


@pytest.mark.slow
def test_every_exception_is_still_needed() -> None:
    assert set(_clashes(SRC)) >= ALLOWED


def test_a_clash_is_found(tmp_path: Path) -> None:
    for file, name in {
        "data/a.py": "Tally",
        "methods/b.py": "Tally",
        "methods/c.py": "Cut",
        "metrics/d.py": "Cut",
    }.items():
        (tmp_path / file).parent.mkdir(exist_ok=True)
        (tmp_path / file).write_text(f"class {name}:\n    pass\n")
    (tmp_path / "runs").mkdir()
    (tmp_path / "runs" / "e.py").write_text("Cut = int\nT = TypeVar('T')\nMOST = 3\n")
    files = ["methods/c.py", "metrics/d.py", "runs/e.py"]
    assert _clashes(tmp_path) == {"Tally": ["data/a.py", "methods/b.py"], "Cut": files}
