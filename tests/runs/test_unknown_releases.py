"""A republication whose history is gone, or is an old copy, publishes nothing.

Covers republication/unknown_releases, republication/process.
"""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from tests.runs.planned import protected, write_plan
from tests.runs.republished import EVERYBODY, STATES, form, run_all

from tacit.cli import tacit as command
from tacit.errors import PolicyRefused

HISTORY = "private/people.history"


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def refuses(folder: Path, plan: Path, message: str, output: Path | None = None) -> None:
    """Nothing is published, and every file is as it was."""
    before = contents(folder)
    with pytest.raises(PolicyRefused, match=message):
        protected(plan, output)
    assert contents(folder) == before


@pytest.mark.slow
def test_nothing_is_published_without_the_history(tmp_path: Path) -> None:
    plan = run_all(tmp_path, STATES[:2])
    (tmp_path / HISTORY).rename(tmp_path / "moved away")
    refuses(tmp_path, plan, r"there is no such file\): people\.release-1\.csv, people\.release-2\.csv\. .*restore the")
    refuses(tmp_path, plan, "does not contain", tmp_path / "elsewhere.csv")
    refuses(tmp_path, plan, "does not contain", tmp_path / "people.release-1.csv")
    done = CliRunner().invoke(command, ["protect", str(plan)])
    assert isinstance(done.exception, PolicyRefused)
    assert done.exception.exit_code == 5
    (tmp_path / "moved away").rename(tmp_path / HISTORY)
    assert protected(plan).output.name == "people.release-3.csv"


@pytest.mark.slow
def test_an_old_copy_of_the_history_is_refused(tmp_path: Path) -> None:
    run_all(tmp_path, STATES[:1])
    old = (tmp_path / HISTORY).read_bytes()
    plan = run_all(tmp_path, STATES[1:2])
    latest = (tmp_path / HISTORY).read_bytes()
    (tmp_path / HISTORY).write_bytes(old)
    refuses(tmp_path, plan, r"is release 1\): people\.release-2\.csv\. ")
    (tmp_path / HISTORY).write_bytes(latest)
    assert protected(plan).output.name == "people.release-3.csv"


@pytest.mark.slow
def test_another_history_does_not_begin_anew(tmp_path: Path) -> None:
    run_all(tmp_path, STATES[:1])
    other = write_plan(tmp_path, form(parameters={"history": "new.history"}), STATES[1])
    refuses(tmp_path, other, r"new\.history does not contain .*people\.release-1\.csv")


@pytest.mark.slow
def test_releases_with_names_of_their_own_are_found_by_their_history(tmp_path: Path) -> None:
    """Beside the plan, under another name of the plan too; and in the folder to which the next one goes."""
    plan, shown = write_plan(tmp_path, form(), STATES[0]), tmp_path / "shown"
    protected(plan, tmp_path / "spring.csv")
    protected(plan, shown / "summer.csv")
    (tmp_path / HISTORY).unlink()
    refuses(tmp_path, plan.rename(tmp_path / "renamed.yaml"), r"no such file\): spring\.csv\. ")
    for name in ("spring.csv", "spring.evidence.json"):
        (tmp_path / name).unlink()
    plan = write_plan(tmp_path, form(), STATES[1])
    refuses(tmp_path, plan, r"no such file\): summer\.csv\. ", shown / "autumn.csv")


@pytest.mark.slow
def test_all_begins_anew_once_the_old_releases_are_moved_away(tmp_path: Path) -> None:
    plan = run_all(tmp_path, STATES[:1])
    (tmp_path / HISTORY).unlink()
    (tmp_path / "old").mkdir()
    for path in tmp_path.glob("people.release-1.*"):
        path.rename(tmp_path / "old" / path.name)
    assert protected(plan).output.name == "people.release-1.csv"


@pytest.mark.slow
def test_a_file_in_the_place_of_the_next_release_is_not_replaced(tmp_path: Path) -> None:
    """The evidence of the release is gone, so only its name tells of it."""
    plan = run_all(tmp_path, STATES[:1])
    (tmp_path / HISTORY).unlink()
    (tmp_path / "people.release-1.evidence.json").unlink()
    refuses(tmp_path, plan, r"people\.release-1\.csv already exists, and no release of this history has that name")


@pytest.mark.slow
def test_releases_of_others_in_the_folder_do_not_matter(tmp_path: Path) -> None:
    """Other republications, other kinds, and files that are no evidence."""
    run_all(tmp_path, STATES[:1])
    (tmp_path / "broken.evidence.json").write_text("{")
    (tmp_path / "list.evidence.json").write_text("[]")
    evidence = json.loads((tmp_path / "people.release-1.evidence.json").read_text())
    evidence["outputs"][0] |= {"name": "people.release-9.csv", "sha256": "0" * 64}
    (tmp_path / "table.evidence.json").write_text(json.dumps({**evidence, "kind": "tables"}))
    other = form(parameters={"history": "others.history"}, output="others.csv")
    assert protected(write_plan(tmp_path, other, EVERYBODY)).output.name == "others-1.csv"
    assert protected(write_plan(tmp_path, form(), STATES[1])).output.name == "people.release-2.csv"
    (tmp_path / "same.evidence.json").write_text(json.dumps(evidence))
    refuses(tmp_path, tmp_path / "plan.yaml", r"is release 2\): people\.release-9\.csv\. ")
