"""No module outside `attacks/` names an attack or looks at the names of its parameters, so a new one is one file.

The syntax tree of every module is searched for the name of an attack as a text of its own and for an import of its
file. Sentences for people may mention one: nothing depends on them. A metric and an attack may have one short name; the
modules that run attacks have no business with metrics, and elsewhere the metric is meant.

In the modules that run and show attacks, a parameter must not be named either: not as a text, not as an attribute of
parameters, and nobody asks which fields there are. What a guarantee is about is a question to the guarantee.

Covers cards/attack, tacit/catalogue, runs/attack, runs/statistics_attacks, runs/tables/attack/*.
"""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import tacit
from tacit.catalogue import attacks, metrics

ROOT = Path(tacit.__file__).parent
MODULES = sorted(path for path in ROOT.rglob("*.py") if ROOT / "attacks" not in path.parents)
RUNNERS = {
    *("runs/attack.py", "runs/statistics_attacks.py", "verbs/statistics_attacks.py", "cli/attack.py"),
    *("runs/tables/attack/board.py", "runs/tables/attack/inputs.py", "runs/tables/attack/sample.py"),
    "runs/tables/attack/setting.py",
    *("evidence/board.py", "evidence/contest.py"),
}
FULL = {name for path in attacks() for name in (path, f"attacks/{path}")}
SHORT = {path.rpartition("/")[2] for path in attacks()}
OF_METRICS = {path.rpartition("/")[2] for path in metrics()}
FILES = {f"tacit.attacks.{path.replace('/', '.').replace('-', '_')}" for path in attacks()}
PARAMETERS = {name for card in attacks().values() for name in card.params.model_fields}


def part_of(path: Path) -> str:
    """The folder or file of the package that the module belongs to."""
    return path.relative_to(ROOT).parts[0]


def is_runner(path: Path) -> bool:
    return path.relative_to(ROOT).as_posix() in RUNNERS


def named(tree: ast.AST, runs_attacks: bool) -> Iterator[str]:
    """Every way in which an attack is named."""
    names = FULL | (SHORT if runs_attacks else SHORT - OF_METRICS)
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and node.value in names:
            yield f"the name {node.value!r}"
        elif isinstance(node, ast.Import):
            yield from (f"an import of {alias.name}" for alias in node.names if alias.name in FILES)
        elif isinstance(node, ast.ImportFrom):
            whole = {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
            yield from (f"an import of {name}" for name in sorted(whole & FILES, key=str))


def parameters_named(tree: ast.AST) -> Iterator[str]:
    """Every way in which a runner looks at the names of parameters."""
    asking = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and _asks_a_guarantee(node)]
    exempt = {id(argument) for node in asking for argument in node.args}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and node.value in PARAMETERS and id(node) not in exempt:
            yield f"the parameter {node.value!r}"
        elif isinstance(node, ast.Attribute) and node.attr == "model_fields":
            yield "a look at the fields"
        elif isinstance(node, ast.Attribute) and node.attr in PARAMETERS and _is_params(node.value):
            yield f"the parameter {node.attr!r}"


def _asks_a_guarantee(node: ast.Call) -> bool:
    function, first = node.func, node.args[0] if node.args else None
    is_getattr = isinstance(function, ast.Name) and function.id == "getattr"
    return is_getattr and isinstance(first, ast.Name) and first.id == "guarantee"


def _is_params(node: ast.AST) -> bool:
    name = node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""
    return name in ("params", "example")


@pytest.mark.parametrize("part", sorted({part_of(path) for path in MODULES}))
def test_no_module_names_an_attack(part: str) -> None:
    own = [path for path in MODULES if part_of(path) == part]
    found = {path: list(named(ast.parse(path.read_text(encoding="utf-8")), is_runner(path))) for path in own}
    told = [f"{path}: {', '.join(ways)}" for path, ways in found.items() if ways]
    assert not told, f"let the card say it: {'; '.join(told)}"


@pytest.mark.parametrize("runner", sorted(RUNNERS))
def test_no_runner_names_a_parameter(runner: str) -> None:
    tree = ast.parse((ROOT / runner).read_text(encoding="utf-8"))
    assert not list(parameters_named(tree)), "let the card say which of its parameters that is"


@pytest.mark.slow
def test_all_that_runs_attacks_is_searched() -> None:
    """Whoever calls `run` of an attack imports a class of card, or takes the cards from one that does."""
    importing = {
        path.relative_to(ROOT).as_posix()
        for path in MODULES
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ImportFrom) and node.module == "tacit.cards.attack"
    }
    # The catalogue hands cards out. The contract tests look whether a parameter is there that a card names, and which
    # attacks invent people of their own.
    assert importing - RUNNERS == {"catalogue.py", "testing/cards.py", "testing/installed.py"}


@pytest.mark.parametrize(
    "text",
    [
        "if name != 'linkage': pass",
        "NEEDS_PEOPLE = ('singling-out',)",
        "find_attack('tables/inference')",
        "from tacit.attacks.tables.linkage import ATTACK",
        "from tacit.attacks.tables import linkage",
        "import tacit.attacks.statistics.poll",
    ],
)
def test_every_way_of_naming_one_is_noticed(text: str) -> None:
    assert list(named(ast.parse(text), runs_attacks=True))


@pytest.mark.parametrize(
    "text",
    [
        "'column' in card.params.model_fields",
        "given['noise']",
        "card.params.model_fields",
        "getattr(params, 'column', None)",
        "params.fraction * share",
        "card.example.epsilon",
    ],
)
def test_every_way_of_naming_a_parameter_is_noticed(text: str) -> None:
    assert list(parameters_named(ast.parse(text)))


@pytest.mark.parametrize("text", ["raise BadParameter('linkage needs people')", "singling_out(tally)"])
def test_sentences_may_mention_one(text: str) -> None:
    assert not list(named(ast.parse(text), runs_attacks=True))


def test_a_guarantee_may_be_asked_what_it_is_about() -> None:
    assert not list(parameters_named(ast.parse("getattr(guarantee, 'column', None)")))
    assert not list(named(ast.parse("metrics['singling-out']"), runs_attacks=False))
