"""Jobs (runs/job): every file that a run reads is in its evidence and watched; keys are neither.

Covers runs/job, verbs/calls.
"""

import shutil
from collections.abc import Callable
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import pytest
from tests.runs.baskets import BasketsKind, BasketsProcess
from tests.runs.planned import PEOPLE, ROLES, form_of, names_in, write_data, write_plan
from tests.runs.test_kinds import LINES

import tacit
from tacit.errors import BadData, PolicyRefused
from tacit.plan.load import Plan
from tacit.release.fingerprints import sha256_of
from tacit.runs import evidence_kinds
from tacit.runs.run import Process
from tacit.runs.tables.process import TableProcess
from tacit.verbs import plans
from tacit.verbs.ask import ask_plan

TREATED = [{"method": "columns/pseudonym", "columns": ["name"], "parameters": {"key_file": "secret.txt"}}]


@pytest.fixture
def plan(tmp_path: Path) -> Path:
    """A plan with a population, with a hierarchy that two columns share, and with a key."""
    (tmp_path / "steps").mkdir()
    (tmp_path / "steps" / "age.csv").write_text("30;*\n31;*\n32;*\n")
    (tmp_path / "secret.txt").write_text("ab" * 32)
    (tmp_path / "secret.txt").chmod(0o600)
    write_data(tmp_path / "all.csv", PEOPLE * 2)
    shared = {"hierarchy": "steps/age.csv"}
    columns = {**ROLES, "age": {**ROLES["age"], **shared}, "n": {**ROLES["n"], **shared}}
    release = {"guarantees": [{"k-map": {"k": 3}}], "treatments": TREATED}
    return write_plan(tmp_path, form_of(columns, release, population={"path": "all.csv"}))


def changing(monkeypatch: pytest.MonkeyPatch, process: type[Process[Any, Any, Any, Any]], path: Path) -> None:
    """After the release is made, the file is another: one of the same size and content."""
    make: Callable[..., Any] = process.make

    def change(self: Any, *given: Any) -> Any:
        made = make(self, *given)
        shutil.copy(path, path.with_name("copy"))
        path.with_name("copy").replace(path)
        return made

    monkeypatch.setattr(process, "make", change)


@pytest.mark.slow
def test_all_files_are_told_the_data_first_and_no_key(plan: Path) -> None:
    """Each goes by its path below the folder of the plan, so that a check finds it again; a hash of a key is a hint."""
    made = plans.protect_plan(plan)
    release = made.release
    assert [file.name for file in release.inputs] == ["people.csv", "all.csv", "steps/age.csv"]
    assert [file.sha256 for file in release.inputs] == [sha256_of(plan.parent / file.name) for file in release.inputs]
    assert (release.input.name, release.input.rows) == ("people.csv", 12)
    assert sha256_of(plan.parent / "secret.txt") not in release.model_dump_json()
    found = plans.check_evidence(made.evidence)
    assert {file.name: file.state for file in found.files if file.part == "input"} == {
        "people.csv": "unchanged",
        "all.csv": "unchanged",
        "steps/age.csv": "unchanged",
    }
    (plan.parent / "steps" / "age.csv").write_text("30;*\n31;*\n32;*\n33;*\n")
    assert not plans.check_evidence(made.evidence).holds


@pytest.mark.slow
@pytest.mark.parametrize("name", ["people.csv", "all.csv", "steps/age.csv"])
def test_nothing_is_published_if_one_of_them_changes_meanwhile(
    name: str, plan: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = names_in(plan.parent)
    changing(monkeypatch, TableProcess, plan.parent / name)
    with pytest.raises(BadData, match=rf"{Path(name).name} changed while it was read, so nothing is published"):
        plans.protect_plan(plan)
    assert names_in(plan.parent) == before


@pytest.mark.slow
@pytest.mark.parametrize("name", ["people.csv", "all.csv", "steps/age.csv", "secret.txt"])
def test_nothing_takes_the_place_of_one_of_them(name: str, plan: Path) -> None:
    with pytest.raises(PolicyRefused, match="the original must stay as it is"):
        plans.protect_plan(plan, plan.parent / name)


@pytest.mark.slow
def test_a_call_in_python_names_its_files_and_frames_too(plan: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import pandas as pd

    monkeypatch.chdir(plan.parent)
    roles = {**ROLES, "age": {**ROLES["age"], "hierarchy": "steps/age.csv"}}
    frame = pd.DataFrame(PEOPLE)
    made = tacit.protect(tacit.read(frame, roles, population=pd.DataFrame(PEOPLE * 2)), [tacit.KMap(k=3)])
    assert [file.name for file in made.release.inputs] == ["data frame", "steps/age.csv", "population"]
    made = tacit.protect(tacit.read("people.csv", roles, population="all.csv"), [tacit.KMap(k=3)])
    assert [file.name for file in made.release.inputs] == ["people.csv", "all.csv", "steps/age.csv"]
    changing(monkeypatch, TableProcess, plan.parent / "steps" / "age.csv")
    with pytest.raises(BadData, match=r"age\.csv changed"):
        tacit.protect(tacit.read(frame, roles), [tacit.KAnonymity(k=3)])


@pytest.mark.slow
def test_private_answers_tell_the_name_of_their_data_alone(plan: Path) -> None:
    """They read no other file; one that is gone does not matter."""
    (plan.parent / "steps" / "age.csv").unlink()
    columns = {**ROLES, "age": {**ROLES["age"], "hierarchy": "steps/age.csv"}}
    form = form_of(columns, privacy={"budget": {"epsilon": 1}}, questions=[{"statistics/count": {"epsilon": 0.5}}])
    (told,) = ask_plan(write_plan(plan.parent, form)).release.inputs
    assert told.model_dump(exclude_none=True) == {"name": "people.csv"}


class StockedKind(BasketsKind):
    """Baskets of a shop whose shelves stand in a second file."""

    def inputs(self, plan: Plan) -> tuple[Path, ...]:
        return (self.dataset(plan), plan.folder / "shop.shelves")


KIND = StockedKind()


@pytest.mark.slow
def test_a_second_file_of_another_kind_is_told_and_watched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    point = EntryPoint("baskets", f"{__name__}:KIND", evidence_kinds.GROUP)
    monkeypatch.setattr(
        evidence_kinds, "entry_points_of", lambda group: (point,) if group == evidence_kinds.GROUP else ()
    )
    (tmp_path / "shop.baskets").write_text("\n".join(LINES) + "\n")
    (tmp_path / "shop.shelves").write_text("bread left\nmilk right\n")
    planned = plans.inspect_file(tmp_path / "shop.baskets", {}).plan
    assert [file.name for file in plans.protect_plan(planned).release.inputs] == ["shop.baskets", "shop.shelves"]
    changing(monkeypatch, BasketsProcess, tmp_path / "shop.shelves")
    with pytest.raises(BadData, match=r"shop\.shelves changed while it was read"):
        plans.protect_plan(planned)
