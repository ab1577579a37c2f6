"""Steps that an installed package brings: found by name, run in their place, and refused where two have one name.

Covers brought, tables/describe, tables/prepare, tables/step, testing/steps.
"""

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from tests.cli.commands import run_here
from tests.plugin.brought import install
from tests.runs.planned import PEOPLE as PEOPLE_ROWS
from tests.runs.planned import form_of, write_plan

import tacit
from tacit.arrays import FloatArray
from tacit.data.columns import Columns, Numbers, columns_of
from tacit.engines.engine import Engine
from tacit.errors import BadPackage, TacitError
from tacit.params import Params
from tacit.runs.tables import task
from tacit.runs.tables.step import (
    ChangedColumns,
    CountedRows,
    KeptRows,
    NoParameters,
    Step,
    StepEffects,
    StepFacts,
    all_steps,
)
from tacit.testing import check, check_step, installed
from tacit.testing import steps as of_steps
from tacit.verbs.plans import attack_plan, check_plan, protect_plan

FIRST_ROWS = """
from typing import Annotated

import numpy as np
from pydantic import Field

from tacit.params import Params
from tacit.runs.tables.step import KeptRows, Step


class RowLimit(Params):
    number: Annotated[int, Field(ge=1, description="how many rows are kept")]


class FirstRows(Step[RowLimit]):
    \"\"\"Publishes the first rows only.\"\"\"

    name = "first-rows"
    place = 5
    params = RowLimit
    example = RowLimit(number=40)

    def keep(self, rows, task, engine):
        kept = np.arange(rows.number) < self.given.number
        return KeptRows(kept, notes=(f"The first {kept.sum()} of {rows.number} rows were kept.",))


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
    assert made.release.input.rows == made.release.body.risk_before.people == 6, "before is the whole file"
    assert "The first 4 of 6 rows were kept." in made.release.notes
    assert any("before the release are about the whole file" in note for note in made.release.notes)
    assert tacit.protect(PEOPLE, [tacit.KAnonymity(k=2)]).release.output.rows == 6


@pytest.mark.parametrize(
    ("given", "complaint"),
    [
        ({}, "the step first-rows: number: it is missing; write it, because it has no default"),
        ({"nmber": 2}, "the step first-rows: nmber: there is no such key; did you mean 'number'?"),
        ({"number": 2, "x": 1}, "the step first-rows: x: there is no such key"),
        ({"number": "two"}, "the step first-rows: number: it must be a whole number"),
        ({"number": 0}, "the step first-rows: number: it must be at least 1"),
    ],
)
def test_parameters_are_refused_with_what_to_write(site: Path, given: dict[str, Any], complaint: str) -> None:
    with pytest.raises(tacit.BadParameter, match=re.escape(complaint)):
        tacit.protect(PEOPLE, [tacit.KAnonymity(k=2)], steps={"first-rows": given})


def test_a_wrong_parameter_in_a_plan_ends_with_exit_code_3(
    site: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plan = write_plan(tmp_path, form_of(release={"steps": {"first-rows": {"number": "two"}}}))
    ended = run_here(capsys, "protect", plan)
    assert ended.code == 3
    assert "first-rows: number: it must be a whole number" in ended.err


@pytest.mark.slow
@pytest.mark.parametrize("suppressed", ["star", "omit"])
def test_a_release_without_some_rows_is_checked_as_it_was_promised(
    site: Path, tmp_path: Path, suppressed: str, capsys: pytest.CaptureFixture[str]
) -> None:
    release = {"steps": {"first-rows": {"number": 9}}, "suppressed": suppressed, "suppression": 0.8}
    plan = write_plan(tmp_path, form_of(release=release))
    made = protect_plan(plan)
    assert made.release.holds
    assert made.release.input.rows == len(PEOPLE_ROWS) > 9
    checked = check_plan(plan, made.output)
    assert [remark.says for remark in checked.remarks if remark.fails] == []
    assert checked.holds
    assert run_here(capsys, "check", made.output, "--plan", plan).code == 0


@pytest.mark.slow
def test_a_release_without_some_rows_is_attacked_as_a_sample(site: Path, tmp_path: Path) -> None:
    plan = write_plan(tmp_path, form_of(release={"steps": {"first-rows": {"number": 9}}, "suppression": 0.8}))
    protect_plan(plan)
    board = attack_plan(plan)
    targets = {one.attack: one.release.targets for one in board.results if one.release is not None}
    assert targets["linkage"] <= 9, "only who is in the release is a target"
    assert any("rows were left out" in reason for reason in board.skipped.values())


@pytest.mark.slow
def test_a_comparison_knows_the_whole_file(site: Path) -> None:
    asked: dict[str, Any] = {"steps": {"first-rows": {"number": 4}}}
    found = tacit.compare(PEOPLE, [tacit.KAnonymity(k=2)], methods=["tables/lattice"], **asked)
    assert found.input.rows == found.before.people == 6
    assert any("before the release are about the whole file" in note for note in found.notes)


def test_without_the_package_there_is_none() -> None:
    with pytest.raises(tacit.BadParameter, match="there is no step 'first-rows'"):
        tacit.protect(PEOPLE, [tacit.KAnonymity(k=2)], steps={"first-rows": {"number": 4}})


@pytest.mark.slow
def test_it_is_listed_and_held_to_the_contract(site: Path) -> None:
    (entry,) = installed("outside_steps")
    assert str(entry) == "steps/first-rows"
    check(entry)
    ours = [str(entry) for entry in installed("tacit") if entry.group == "steps"]
    assert ours == ["steps/sample", "steps/treatments", "steps/survey", "steps/population", "steps/unit"]


@pytest.mark.parametrize("name", ["sample", "first-rows"])
def test_two_of_one_name_are_refused(site: Path, name: str) -> None:
    text = FIRST_ROWS.replace('name = "first-rows"', f'name = "{name}"')
    (site / PLACE).with_name("last_rows.py").write_text(text, encoding="utf-8")
    with pytest.raises(BadPackage, match=f"two steps are called '{name}', one in .*outside_steps"):
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


class Idle(Step[NoParameters]):
    """Does nothing."""

    name = "idle"


class Nameless(Step[NoParameters]):
    """Its name is no name."""

    name = "Not a name"

    def tell(self, *given: object) -> Any:
        return None


class Everywhere(Nameless):
    """Comes unasked."""

    name = "everywhere"

    def asked(self, *given: object) -> Any:
        return self


class Placeless(Nameless):
    """Has no place."""

    name = "placeless"
    place = 1.5  # type: ignore[assignment]


class Silent(Nameless):
    name = "silent"


class Mumbled(Params):
    number: int


class Undescribed(Nameless):
    """Does not say what its parameter is."""

    name = "undescribed"
    params = Mumbled  # type: ignore[assignment]


class Greedy(Step[NoParameters]):
    """Leaves no row."""

    name = "greedy"

    def keep(self, rows: CountedRows, *given: object) -> KeptRows:
        return KeptRows(np.zeros(rows.number, dtype=np.bool_))


class Short(Step[NoParameters]):
    """Does not say of each row whether it is kept."""

    name = "short"

    def keep(self, *given: object) -> KeptRows:
        return KeptRows(np.ones(3, dtype=np.bool_))


class Inventive(Step[NoParameters]):
    """Tells something that evidence on tables has no field for."""

    name = "inventive"

    def tell(self, *given: object) -> StepFacts:
        return StepFacts(body={"rubbish": 3})


class Secretive(Step[NoParameters]):
    """Changes a column without saying so before."""

    name = "secretive"
    column = "pay"

    def change(self, rows: CountedRows, task: object, engine: Engine) -> ChangedColumns:
        cells = engine.cells(rows.dataset.source, [self.column]).num_rows
        return ChangedColumns(columns_of({self.column: np.ones(cells)}))


class Spoiling(Secretive):
    """Changes a quasi-identifier."""

    name = "spoiling"
    column = "age"

    def effects(self, *given: object) -> StepEffects:
        return StepEffects(changed=frozenset({"age"}))


class Raising(Secretive):
    """Raises every pay by one, and says so before; those below give wrong cells instead."""

    name = "raising"

    def effects(self, *given: object) -> StepEffects:
        return StepEffects(changed=frozenset({self.column}))

    def change(self, rows: CountedRows, task: object, engine: Engine) -> ChangedColumns:
        cells = engine.cells(rows.dataset.source, ["pay"])["pay"].to_numpy()
        return ChangedColumns(self.given_instead(cells.astype(np.float64) + 1))

    def given_instead(self, pay: FloatArray) -> Columns:
        return columns_of({self.column: pay})


class Shortening(Raising):
    """Gives fewer cells than there are rows."""

    name = "shortening"

    def given_instead(self, pay: FloatArray) -> Columns:
        return columns_of({"pay": pay[:5]})


class Lengthening(Raising):
    """Gives more cells than there are rows."""

    name = "lengthening"

    def given_instead(self, pay: FloatArray) -> Columns:
        return columns_of({"pay": np.append(pay, pay[:2])})


class Ragged(Raising):
    """Gives columns of different lengths."""

    name = "ragged"

    def effects(self, *given: object) -> StepEffects:
        return StepEffects(changed=frozenset({"pay", "weight"}))

    def given_instead(self, pay: FloatArray) -> Columns:
        return Columns({"pay": Numbers(pay), "weight": Numbers(pay[:7])})


class ShorteningTheRest(Shortening):
    """Leaves rows out, and gives fewer cells than are left."""

    name = "shortening-the-rest"

    def keep(self, rows: CountedRows, *given: object) -> KeptRows:
        return KeptRows(np.arange(rows.number) < 40)


class Adding(Raising):
    """Gives a column that the table lacks."""

    name = "adding"
    column = "payment"


class Shuffling(Raising):
    """Draws at random without saying so."""

    name = "shuffling"

    def given_instead(self, pay: FloatArray) -> Columns:
        return columns_of({"pay": np.random.default_rng().permutation(pay)})


class Seedless(Shuffling):
    """Says that it draws at random, and draws from no seed."""

    name = "seedless"
    is_random = True


class Seeded(Raising):
    """Draws at random from the seed of the plan."""

    name = "seeded"
    is_random = True

    def change(self, rows: CountedRows, task: Any, engine: Engine) -> ChangedColumns:
        pay = engine.cells(rows.dataset.source, ["pay"])["pay"].to_numpy().astype(np.float64)
        return ChangedColumns(columns_of({"pay": np.random.default_rng(task.section.seed).permutation(pay)}))


class Telling(Raising):
    """Changes nothing, and notes that."""

    name = "telling"

    def change(self, *given: object) -> ChangedColumns:
        return ChangedColumns(Columns({}), notes=("Nothing had to be changed.",))


class Deaf(Step[NoParameters]):
    """Takes whatever it is given."""

    name = "deaf"

    def asked(self, dataset: object, section: Any) -> Any:
        return self if section is not None and self.name in section.steps else None

    def tell(self, *given: object) -> StepFacts:
        return StepFacts()


class Promising(Step[NoParameters]):
    """Says that all rows are left, and leaves some out."""

    name = "promising"

    def keep(self, rows: CountedRows, *given: object) -> KeptRows:
        return KeptRows(np.arange(rows.number) % 2 == 0)

    def share(self, *given: object) -> float:
        return 1.0


class Modest(Promising):
    """Says that few rows are left, and keeps half of them."""

    name = "modest"

    def share(self, *given: object) -> float:
        return 0.1


@pytest.mark.slow
@pytest.mark.parametrize(
    ("step", "complaint"),
    [
        (Idle(), "it does nothing"),
        (Nameless(), "in small letters"),
        (Everywhere(), "a plan that does not ask for it gets it"),
        (Placeless(), "must be a whole number"),
        (Silent(), "its docstring says what it does"),
        (Undescribed(), "'number' has no description"),
        (Deaf(), "an unknown parameter is silently accepted"),
        (Promising(), "a check of it fails: .*suppressed or left out"),
        (Modest(), r"`share` says that 0\.1 of 48 rows are left, and 24 are"),
        (Shortening(), "no release is made with its example: the step shortening gives 5 cells"),
        (Lengthening(), "no release is made with its example: the step lengthening gives 50 cells"),
        (Adding(), "no release is made with its example: the step adding names 'payment'"),
        (Shuffling(), "two runs of the same plan give different releases; if it draws at random, it must say so"),
        (Seedless(), "two runs of the same plan give different releases; it does not draw everything from the seed"),
    ],
)
def test_a_step_that_breaks_its_contract_is_found(
    step: Step[Any], complaint: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    only(step, monkeypatch)
    with pytest.raises(AssertionError, match=f"steps/{step.name}: .*{complaint}"):
        check_step(step.name)


@pytest.mark.slow
@pytest.mark.parametrize("step", [Raising(), Seeded(), Telling()], ids=lambda step: step.name)
def test_a_step_that_changes_every_cell_or_none_keeps_its_contract(
    step: Step[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    only(step, monkeypatch)
    check_step(step.name)


def only(step: Step[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """Afterwards there is no other step."""
    for module in (of_steps, task):
        monkeypatch.setattr(module, "all_steps", lambda: (step,))


@pytest.mark.parametrize(
    ("step", "complaint"),
    [
        (Greedy(), "the step greedy leaves no row of people.csv, so nothing is published"),
        (Short(), "the step short must say for each of 48 rows whether it is kept"),
        (Inventive(), "a step reports `rubbish` about the release, but evidence on tables has no such field"),
        (Secretive(), "the step secretive changes 'pay', which its `effects` do not name"),
        (Spoiling(), "the step spoiling changes 'age', a quasi-identifier"),
        (Shortening(), "the step shortening gives 5 cells for 'pay', and the table has 48 rows"),
        (Lengthening(), "the step lengthening gives 50 cells for 'pay', and the table has 48 rows"),
        (Ragged(), "the step ragged gives columns of 7, 48 rows; each must have a cell for each row of the table"),
        (ShorteningTheRest(), "the step shortening-the-rest gives 5 cells for 'pay', and the table has 40 rows"),
        (Adding(), "the step adding names 'payment' in its `effects`, and the table has no such column"),
    ],
)
def test_a_step_that_would_spoil_the_evidence_is_refused(
    step: Step[Any], complaint: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    only(step, monkeypatch)
    plan = of_steps.write_example(tmp_path, step, {})
    with pytest.raises(TacitError, match=complaint):
        protect_plan(plan)
    assert not (tmp_path / "release.csv").exists()


def test_a_step_with_a_field_of_its_own_is_not_left_out_in_silence() -> None:
    with pytest.raises(tacit.BadParameter, match="the step 'sample' has a field of its own"):
        tacit.protect(PEOPLE, [tacit.KAnonymity(k=2)], steps={"sample": {"share": 0.5}})
