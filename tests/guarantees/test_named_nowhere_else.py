"""No module outside `guarantees/` names a guarantee, so a new one is one file.

The syntax tree of every module is searched for the name of a guarantee as a text of its own, for its class and for an
import of its file. Sentences for people may mention one: nothing depends on them. Two places are left out:

- the list of exports of the package itself, which exists to name things;
- the field `guarantees=` where a card of a method is made, in which a method that gives one particular guarantee says
  which one. It is data about the method, it is read through `is_given`, and no other guarantee is treated differently
  for it. A call of anything else that has an argument of that name is searched.

Covers guarantees/catalogue.
"""

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import TypeGuard

import pytest

import tacit
from tacit.cards.method import Method
from tacit.catalogue import methods
from tacit.guarantees.catalogue import guarantees, proven

ROOT = Path(tacit.__file__).parent
KINDS = guarantees() | proven()
CLASSES = {kind.__name__ for kind in KINDS.values()}
FILES = {kind.__module__ for kind in KINDS.values()}
EXEMPT = {ROOT / "__init__.py"}
MODULES = sorted(path for path in ROOT.rglob("*.py") if ROOT / "guarantees" not in path.parents and path not in EXEMPT)


CARDS = {kind.__name__ for card in methods().values() for kind in type(card).__mro__ if issubclass(kind, Method)}


def is_card(node: ast.AST) -> TypeGuard[ast.Call]:
    """Whether the card of a method is made here."""
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in CARDS


def part_of(path: Path) -> str:
    """The folder or file of the package that the module belongs to."""
    return path.relative_to(ROOT).parts[0]


def named(tree: ast.AST) -> Iterator[str]:
    """Every way in which a guarantee is named."""
    for node in ast.walk(tree):
        if is_card(node):
            for one in node.keywords:
                if one.arg == "guarantees" and isinstance(one.value, ast.Tuple):
                    one.value.elts.clear()
        elif isinstance(node, ast.Constant) and node.value in KINDS:
            yield f"the name {node.value!r}"
        elif isinstance(node, ast.Name) and node.id in CLASSES:
            yield f"the class {node.id}"
        elif isinstance(node, ast.Attribute) and node.attr in CLASSES:
            yield f"the class {node.attr}"
        elif isinstance(node, ast.Import):
            yield from (f"an import of {alias.name}" for alias in node.names if alias.name in FILES)
        elif isinstance(node, ast.ImportFrom):
            whole = {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
            yield from (f"an import of {name}" for name in sorted(whole & FILES))


@pytest.mark.parametrize("part", sorted({part_of(path) for path in MODULES}))
def test_no_module_names_a_guarantee(part: str) -> None:
    own = [path for path in MODULES if part_of(path) == part]
    found = {path: list(named(ast.parse(path.read_text(encoding="utf-8")))) for path in own}
    told = [f"{path}: {', '.join(ways)}" for path, ways in found.items() if ways]
    assert not told, f"let the guarantee say it of itself: {'; '.join(told)}"


@pytest.mark.parametrize(
    "text",
    [
        "if guarantee.name == 'k-anonymity': pass",
        "LIMITS = {'t-closeness': 1}",
        "isinstance(guarantee, LDiversity)",
        "isinstance(guarantee, tacit.LDiversity)",
        "from tacit.guarantees.k_map import KMap",
        "from tacit.guarantees import k_map",
        "import tacit.guarantees.k_map",
        "METHOD = Method(names=('k-anonymity',))",
        "METHOD = TableMethod(names=('k-anonymity',))",
        "request = TableRequest(guarantees=('k-anonymity',))",
        "section = ReleaseSection(guarantees=({'k-anonymity': {'k': 2}},))",
        "parsed(guarantees=('k-anonymity',))",
    ],
)
def test_every_way_of_naming_one_is_noticed(text: str) -> None:
    assert list(named(ast.parse(text)))


@pytest.mark.parametrize(
    "text",
    [
        "METHOD = Method(guarantees=('k-anonymity',))",
        "METHOD = ColumnMethod(title='x', guarantees=('k-anonymity',))",
        "raise BadParameter('promise k-anonymity instead')",
    ],
)
def test_cards_and_sentences_may_mention_one(text: str) -> None:
    assert not list(named(ast.parse(text)))


def test_all_modules_are_searched() -> None:
    searched = {path.relative_to(ROOT).parts[0] for path in MODULES}
    assert {"attacks", "auditing", "evidence", "methods", "plan", "verification", "cli", "verbs"} <= searched


def private(tree: ast.AST) -> Iterator[str]:
    """The files of the folder that are nobody else's, wherever they are imported."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        else:
            continue
        yield from (name for name in names if name.startswith("tacit.guarantees._"))


@pytest.mark.slow
def test_private_files_stay_in_the_folder() -> None:
    found = {path: list(private(ast.parse(path.read_text(encoding="utf-8")))) for path in MODULES}
    told = {str(path.relative_to(ROOT)): names for path, names in found.items() if names}
    assert told == {}, "import it from tacit.guarantees.guarantee, or move it to where others may have it"


@pytest.mark.parametrize(
    "text",
    [
        "from tacit.guarantees._sql import InSql",
        "def f():\n    from tacit.guarantees import _sql",
        "import tacit.guarantees._sql",
    ],
)
def test_a_private_import_is_noticed(text: str) -> None:
    assert list(private(ast.parse(text)))
    assert not list(private(ast.parse(text.replace("_sql", "guarantee"))))


def test_public_files_are_guarantees() -> None:
    """A listing of the folder is a table of contents."""
    public = {path.stem for path in (ROOT / "guarantees").glob("[a-z]*.py")}
    assert public == {module.rpartition(".")[2] for module in FILES} | {"guarantee", "catalogue"}
