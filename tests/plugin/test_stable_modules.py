"""The plug-in, and the files that CONTRIBUTING adds, import of ours nothing but the modules that are listed as stable.

Covers the whole package.
"""

import ast
import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest
from tests.plugin.brought import HERE, PACKAGE

PAGE = HERE.parents[1] / "CONTRIBUTING.md"
ADDED = re.compile(r"<!-- add: (\S+) -->\n```python\n(.*?)```", re.DOTALL)


def listed() -> list[str]:
    """The names in the list, as they are written there."""
    block = PAGE.read_text(encoding="utf-8").split("<!-- stable -->\n```text\n")[1].split("```")[0]
    return [name for line in block.splitlines() for name in re.split(r"\s{2,}", line)[0].split(", ")]


STABLE = frozenset(listed())
PLUGIN = {str(path.relative_to(HERE)): path for path in [*sorted(PACKAGE.rglob("*.py")), HERE / "contract.py"]}
WRITTEN = dict(ADDED.findall(PAGE.read_text(encoding="utf-8")))


def is_stable(module: str) -> bool:
    folder, _, name = module.rpartition(".")
    return module in STABLE or (f"{folder}.*" in STABLE and not name.startswith("_"))


def imports(source: str) -> Iterator[tuple[str, str | None]]:
    """The modules of ours that are imported, wherever in the file, and the names that are taken from them."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from ((alias.name, None) for alias in node.names if alias.name.split(".")[0] == "tacit")
        elif isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "tacit":
            yield from ((node.module or "", alias.name) for alias in node.names)


def offences(source: str) -> list[str]:
    """What is imported that is not promised to stay; a module may be taken from its folder by name."""
    found = []
    for module, name in imports(source):
        taken = module if name is None else f"{module}.{name}"
        public = name is None or not name.startswith("_")
        if not (is_stable(module) and public) and not is_stable(taken):
            found.append(taken)
    return found


@pytest.mark.parametrize("name", PLUGIN)
def test_the_plug_in_imports_stable_modules_only(name: str) -> None:
    assert offences(PLUGIN[name].read_text(encoding="utf-8")) == []


@pytest.mark.parametrize("name", WRITTEN)
def test_the_files_of_the_page_import_stable_modules_only(name: str) -> None:
    assert offences(WRITTEN[name]) == []


def test_all_of_them_are_looked_at() -> None:
    assert len(WRITTEN) == 6
    assert "ballots/tacit_ballots/kind.py" in PLUGIN
    found = {module for path in PLUGIN.values() for module, _ in imports(path.read_text(encoding="utf-8"))}
    assert {"tacit.runs.kind", "tacit.evidence.page", "tacit.testing"} <= found


@pytest.mark.parametrize("module", sorted(STABLE))
def test_each_is_there_and_says_what_it_is(module: str) -> None:
    folder = module.removesuffix(".*")
    assert (import_module(folder).__doc__ or "").strip()
    assert folder == module or any(Path(import_module(folder).__file__ or "").parent.glob("[a-z]*.py"))


@pytest.mark.parametrize(
    ("source", "offence"),
    [
        ("from tacit.runs.tables.count import count", ["tacit.runs.tables.count.count"]),
        ("import tacit.scratch", ["tacit.scratch"]),
        ("from tacit.guarantees import _sql", ["tacit.guarantees._sql"]),
        ("from tacit.cards.card import _hidden", ["tacit.cards.card._hidden"]),
        ("from tacit.methods.statistics._map import x", ["tacit.methods.statistics._map.x"]),
        ("def f():\n    from tacit.ledger import ledger", ["tacit.ledger.ledger"]),
        ("from tacit.errors import BadData\nimport tacit\nfrom tacit.runs import kind\nimport numpy", []),
        ("from tacit_ballots.ballots import Ballots", []),
    ],
)
def test_what_is_not_promised_is_found(source: str, offence: list[str]) -> None:
    assert offences(source) == offence
