"""No module outside `steps/` names a step or reads its section of the plan, so a new one is one file.

The syntax tree of every module is searched for imports of the files of steps, for their classes, and, where tables are
run, for the section of a release that is a step's own. What a dataset says of itself (its unit, its population, the
columns of a survey) is no section of a release: a dataset may be read by anybody. Sentences for people may mention a
step: nothing depends on them.

Covers tables/step.
"""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import tacit
from tacit.plan.schema import PlanFile, ReleaseSection
from tacit.runs.tables.step import BY_NAME, all_steps

ROOT = Path(tacit.__file__).parent
FOLDER = ROOT / "runs" / "tables" / "steps"
PACKAGE = "tacit.runs.tables.steps"
MODULES = sorted(path for path in ROOT.rglob("*.py") if FOLDER not in path.parents)
STEPS = [step for step in all_steps() if type(step).__module__.startswith(PACKAGE)]
CLASSES = {type(step).__name__ for step in STEPS}
SECTIONS = {step.key.removeprefix("release.") for step in STEPS if step.key.startswith("release.")}
READERS = ("runs", "verbs", "testing", "evidence", "cli", "inspection")
"""The parts that know the release section of a plan; elsewhere the same word is an attribute of something else."""
FINDER = ROOT / "runs" / "tables" / "step.py"
"""It imports the folder, to find what is in it."""


def named(tree: ast.AST) -> Iterator[str]:
    """Every way in which a step is named."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id in CLASSES:
            yield f"the class {node.id}"
        elif isinstance(node, ast.Attribute) and node.attr in CLASSES:
            yield f"the class {node.attr}"
        elif isinstance(node, ast.Import):
            yield from (f"an import of {alias.name}" for alias in node.names if alias.name.startswith(PACKAGE))
        elif isinstance(node, ast.ImportFrom):
            whole = [f"{node.module}.{alias.name}" for alias in node.names]
            yield from (f"an import of {name}" for name in whole if name.startswith(PACKAGE))


def read(tree: ast.AST) -> Iterator[str]:
    """Every reading of a section that is a step's own."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr in SECTIONS:
            yield f"the section {node.attr}"


def offences(path: Path, text: str) -> list[str]:
    """What a module knows of steps."""
    tree = ast.parse(text)
    found = [way for way in named(tree) if path != FINDER or way != f"an import of {PACKAGE}"]
    return [*found, *read(tree)] if path.relative_to(ROOT).parts[0] in READERS else found


@pytest.mark.slow
def test_no_module_names_a_step() -> None:
    found = {path: offences(path, path.read_text(encoding="utf-8")) for path in MODULES}
    told = [f"{path.relative_to(ROOT)}: {', '.join(ways)}" for path, ways in found.items() if ways]
    assert not told, f"let the step say it of itself: {'; '.join(told)}"


@pytest.mark.parametrize(
    "text",
    [
        "from tacit.runs.tables.steps.sample import share_of",
        "def f():\n    from tacit.runs.tables.steps import sample",
        "import tacit.runs.tables.steps.sample",
        "from tacit.runs.tables import steps",
        "isinstance(step, SampleStep)",
        "isinstance(step, sample.SampleStep)",
        "lacking = 0 if section.sample is None else 1",
        "treated = [entry for entry in plan.release.treatments]",
    ],
)
def test_every_way_of_naming_one_is_noticed(text: str) -> None:
    assert offences(ROOT / "runs" / "tables" / "check.py", text)


@pytest.mark.parametrize("text", ["event.sample", "raise BadParameter('leave `sample` out')", "step.leaves_rows_out"])
def test_other_things_of_the_same_name_are_not(text: str) -> None:
    assert not offences(ROOT / "accounting" / "events.py", text)


def test_a_key_of_its_own_is_a_key_of_the_plan() -> None:
    release = {f"release.{name}" for name in ReleaseSection.model_fields}
    keys = {step.name: step.key for step in STEPS if step.key != BY_NAME}
    assert set(keys.values()) <= release | set(PlanFile.model_fields)
    assert keys["sample"] == "release.sample"
    assert keys["survey"] == "survey"
