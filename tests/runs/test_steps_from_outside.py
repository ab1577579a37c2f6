"""Steps that an installed package brings: found by name, run in their place, and refused where two have one name.

Covers brought, tables/step, testing/steps.
"""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from tests.plugin.brought import install

import tacit
from tacit.errors import TacitError
from tacit.runs.tables.step import Step, all_steps
from tacit.testing import check, check_step, installed
from tacit.testing import steps as of_steps

FIRST_ROWS = """
from dataclasses import replace

import numpy as np

from tacit.runs.tables.step import Step, StepFacts


class FirstRows(Step):
    \"\"\"Only the first rows are published.\"\"\"

    name = "first-rows"
    place = 5

    def apply(self, rows, task, engine):
        cells = engine.cells(rows.dataset.source, list(rows.dataset.columns)[:1])
        kept = np.arange(cells.num_rows) < task.section.steps[self.name]["number"]
        return replace(rows, dataset=replace(rows.dataset, source=engine.drawn(rows.dataset.source, kept)))

    def tell(self, released, task, engine):
        return StepFacts(notes=(f"The first {released.published.rows} rows were kept.",))


STEP = FirstRows()
"""
PLACE = "outside_steps/steps/first_rows.py"
PEOPLE = tacit.read(
    pa.table({"town": list("aabbab"), "pay": ["1", "2", "3", "4", "5", "6"]}),
    {"town": "quasi-identifier", "pay": "sensitive"},
)


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A package with one step, installed as pip would."""
    modules = {"outside_steps/__init__.py": "", "outside_steps/steps/__init__.py": "", PLACE: FIRST_ROWS}
    modules["outside_steps/steps/_private.py"] = "raise RuntimeError"
    site = install(tmp_path / "site", "outside_steps", modules, "[tacit.steps]\nown = outside_steps.steps\n")
    monkeypatch.syspath_prepend(site)
    yield site
    for name in [name for name in sys.modules if name.partition(".")[0] == "outside_steps"]:
        del sys.modules[name]


@pytest.mark.slow
def test_a_step_of_a_package_is_asked_for_by_name(site: Path) -> None:
    assert next(step.name for step in all_steps()) == "first-rows"
    asked: dict[str, Any] = {"steps": {"first-rows": {"number": 4}}}
    made = tacit.protect(PEOPLE, [tacit.KAnonymity(k=2)], **asked)
    assert made.release.output.rows == 4
    assert "The first 4 rows were kept." in made.release.notes
    assert tacit.protect(PEOPLE, [tacit.KAnonymity(k=2)]).release.output.rows == 6


def test_without_the_package_there_is_none() -> None:
    with pytest.raises(tacit.BadParameter, match="there is no step 'first-rows'"):
        tacit.protect(PEOPLE, [tacit.KAnonymity(k=2)], steps={"first-rows": {"number": 4}})


def test_it_is_listed_and_held_to_the_contract(site: Path) -> None:
    (entry,) = installed("outside_steps")
    assert str(entry) == "steps/first-rows"
    check(entry)
    ours = [str(entry) for entry in installed("tacit") if entry.group == "steps"]
    assert ours == ["steps/sample", "steps/treatments", "steps/weights", "steps/population", "steps/unit"]


@pytest.mark.parametrize("name", ["sample", "first-rows"])
def test_two_of_one_name_are_refused(site: Path, name: str) -> None:
    text = FIRST_ROWS.replace('name = "first-rows"', f'name = "{name}"')
    (site / PLACE).with_name("last_rows.py").write_text(text, encoding="utf-8")
    with pytest.raises(TacitError, match=f"two steps are called '{name}', one in .*outside_steps"):
        all_steps()


def test_a_file_without_a_step_is_told(site: Path) -> None:
    (site / PLACE).write_text("", encoding="utf-8")
    with pytest.raises(TacitError, match=r"outside_steps\.steps\.first_rows defines no STEP"):
        all_steps()


def test_one_that_cant_be_imported_is_told(site: Path) -> None:
    (site / PLACE).write_text("import surely_missing\n", encoding="utf-8")
    assert "sample" in {step.name for step in all_steps()}, "a broken package breaks nothing else"
    broken = r"no step 'first-rows'.*the steps of outside_steps\.steps\.first_rows can't be imported: .*surely"
    with pytest.raises(tacit.BadParameter, match=broken):
        tacit.protect(PEOPLE, [tacit.KAnonymity(k=2)], steps={"first-rows": {}})


class Idle(Step):
    """Does nothing."""

    name = "idle"


class Nameless(Step):
    """Its name is no name."""

    name = "Not a name"

    def tell(self, *given: object) -> Any:
        return None


class Everywhere(Nameless):
    """Comes unasked."""

    name = "everywhere"

    def is_asked(self, *given: object) -> bool:
        return True


class Placeless(Nameless):
    """Has no place."""

    name = "placeless"
    place = 1.5  # type: ignore[assignment]


class Silent(Nameless):
    name = "silent"


@pytest.mark.parametrize(
    ("step", "complaint"),
    [
        (Idle(), "it does nothing"),
        (Nameless(), "in small letters"),
        (Everywhere(), "a plan that does not ask for it gets it"),
        (Placeless(), "must be a whole number"),
        (Silent(), "its docstring says what it does"),
    ],
)
def test_a_step_that_breaks_its_contract_is_found(step: Step, complaint: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(of_steps, "all_steps", lambda: (step,))
    with pytest.raises(AssertionError, match=f"steps/{step.name}: .*{complaint}"):
        check_step(step.name)


def test_a_step_with_a_field_of_its_own_is_not_left_out_in_silence() -> None:
    with pytest.raises(tacit.BadParameter, match="the step 'sample' has a field of its own"):
        tacit.protect(PEOPLE, [tacit.KAnonymity(k=2)], steps={"sample": {"share": 0.5}})
