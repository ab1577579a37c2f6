"""No module outside `methods/` names a method, and no run looks for a parameter by its name: the card says it.

The syntax tree of every module is searched for the name of a method as a text of its own, and for an import of its
file. Sentences for people and examples may mention one: nothing depends on them. `STATED` are the methods that are
taken where nobody names one, each in one place. The runs are searched for parameters of methods, too, that are looked
up by name, as `getattr(question.params, "axes", ())` does, or as an attribute of what is called `params`; not for those
that all methods of a kind share.

Covers tacit/catalogue, tacit/usual.
"""

import ast
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

import tacit
from tacit.catalogue import methods

ROOT = Path(tacit.__file__).parent
NAMES = set(methods())
FILES = {f"tacit.methods.{name.replace('/', '.').replace('-', '_')}" for name in NAMES}

SHARED = {
    field
    for card in methods().values()
    for kind in card.params.__mro__
    if kind.__module__.startswith("tacit.cards.")
    for field in getattr(kind, "model_fields", {})
}
"""Parameters of a class in `cards/`, which all methods of a kind share: a type says that they are there."""
FIELDS = {field for card in methods().values() for field in card.params.model_fields} - SHARED
STATED = {
    "plan/schema.py": {"auto", "columns/sample"},
    "usual.py": {"counts/suppression", "statistics/partition-selection"},
}
MODULES = {
    path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8")
    for path in sorted(ROOT.rglob("*.py"))
    if ROOT / "methods" not in path.parents
}
RUNS = {path: text for path, text in MODULES.items() if path.startswith("runs/")}


def is_example(node: ast.AST) -> bool:
    """Whether a class gives its example here, which is tried and shown, and decides nothing."""
    return isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.target.id == "example"


def named(tree: ast.AST) -> Iterator[str]:
    """The methods that are named, or whose files are imported."""
    shown = {part for node in ast.walk(tree) if is_example(node) for part in ast.walk(node)}
    for node in ast.walk(tree):
        if node in shown:
            continue
        if isinstance(node, ast.Constant) and node.value in NAMES:
            yield node.value
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in FILES)
        elif isinstance(node, ast.ImportFrom):
            whole = {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
            yield from sorted(whole & FILES)


def looked_for(tree: ast.AST) -> Iterator[str]:
    """The parameters that are looked up by name."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("getattr", "hasattr"):
            yield from (one.value for one in node.args[1:2] if isinstance(one, ast.Constant) and one.value in FIELDS)
        elif isinstance(node, ast.Attribute) and node.attr in FIELDS and _is_params(node.value):
            yield node.attr


def _is_params(node: ast.expr) -> bool:
    return (isinstance(node, ast.Attribute) and node.attr == "params") or (
        isinstance(node, ast.Name) and node.id == "params"
    )


@pytest.mark.parametrize("part", sorted({path.partition("/")[0] for path in MODULES}))
def test_no_module_names_a_method(part: str) -> None:
    own = {path: text for path, text in MODULES.items() if path.partition("/")[0] == part}
    found = {path: Counter(named(ast.parse(text))) for path, text in own.items()}
    told = {path: names - Counter(STATED.get(path, ())) for path, names in found.items()}
    assert {path: dict(names) for path, names in told.items() if names} == {}, "let the card say it of its method"


def test_what_is_stated_is_there_once() -> None:
    for path, names in STATED.items():
        assert Counter(named(ast.parse(MODULES[path]))) == Counter(names)


@pytest.mark.slow
def test_no_run_looks_for_a_parameter_by_its_name() -> None:
    found = {path: list(looked_for(ast.parse(text))) for path, text in RUNS.items()}
    assert {path: fields for path, fields in found.items() if fields} == {}, "let the card say what it is called"


@pytest.mark.parametrize(
    "text",
    [
        "if release.recipe.method == 'synthesize/independent': pass",
        "LIMITS = {'tables/mondrian': 1}",
        "class Treatments(Step):\n    usual: ClassVar = 'columns/rounding'",
        "from tacit.methods.statistics.mean import METHOD",
        "from tacit.methods.statistics import mean",
        "def f():\n    import tacit.methods.tables.lattice",
    ],
)
def test_every_way_of_naming_one_is_noticed(text: str) -> None:
    assert list(named(ast.parse(text)))


@pytest.mark.parametrize(
    "text",
    [
        "getattr(question.params, 'axes', ())",
        "hasattr(axis, 'lower')",
        "most = getattr(params, 'most')",
        "most = question.params.most",
        "axes = params.axes",
    ],
)
def test_every_way_of_looking_for_a_parameter_is_noticed(text: str) -> None:
    assert list(looked_for(ast.parse(text)))


@pytest.mark.parametrize(
    "text",
    [
        "raise BadParameter('take another method, such as tables/lattice')",
        "class Treatments(Step):\n    example: ClassVar = [{'method': 'columns/rounding'}]",
        "card.takes.unread_as(question.of, question.params)",
        "getattr(params, name)",
        "params.model_dump()",
        "getattr(module, 'STEP', None)",
    ],
)
def test_sentences_and_fields_of_cards_are_fine(text: str) -> None:
    assert not list(named(ast.parse(text)))
    assert not list(looked_for(ast.parse(text)))
