"""The demo begins again in its own folder, and touches nothing in anybody else's.

Covers runs/demo, demo/files, cli/demo.
"""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from bench.killing import accesses, killed_at
from tests.cli.commands import run_child, run_here

from tacit.accounting.budget import Budget
from tacit.accounting.events import Laplace
from tacit.demo import write_demo
from tacit.demo.files import DATA_FILE, LEDGER_FILE, PLAN_FILE
from tacit.errors import BadParameter, PolicyRefused
from tacit.ledger.ledger import open_ledger, read_ledger
from tacit.ledger.terms import Terms
from tacit.release.fingerprints import sha256_of
from tacit.runs.demo import begin_demo
from tacit.verbs.ask import ask_plan
from tacit.verbs.plans import demo, inspect_file, protect_plan


def contents(folder: Path) -> dict[str, bytes]:
    """Every file in the folder, hidden ones too."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.fixture(scope="module")
def bare(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which the demo is about to begin."""
    return write_demo(tmp_path_factory.mktemp("bare") / "demo").parent


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which the demo was run, and its plan was then asked once more."""
    folder = tmp_path_factory.mktemp("shown") / "demo"
    demo(folder)
    ask_plan(folder / PLAN_FILE)
    return folder


@pytest.mark.slow
def test_the_demo_runs_again_in_its_folder(tmp_path: Path, shown: Path) -> None:
    shutil.copytree(shown, tmp_path / "here")
    assert len(read_ledger(tmp_path / "here" / LEDGER_FILE).entries()) == 13, "three were asked once more"
    done = run_child("demo", "-o", "here", "--json", folder=tmp_path)
    assert (done.code, done.complaints) == (0, [])
    answers = json.loads(done.out)["answers"]
    assert (answers["spent"]["epsilon"], answers["left"]["epsilon"]) == (1, 2)
    assert len(read_ledger(tmp_path / "here" / LEDGER_FILE).entries()) == 7, "opened, three charged, three answered"


@pytest.mark.slow
def test_what_an_earlier_run_made_is_removed(tmp_path: Path, shown: Path, bare: Path) -> None:
    folder = shutil.copytree(shown, tmp_path / "demo")
    (folder / "mine.csv").write_text("stays")
    assert set(contents(folder)) > {*contents(bare), LEDGER_FILE, "hospital.answers.json", "hospital.release.csv"}
    assert begin_demo(folder) == folder / PLAN_FILE
    assert contents(folder) == {**contents(bare), "mine.csv": b"stays"}


def refuses(folder: Path, *names: str) -> None:
    """The demo names these files and no others, and everything is as it was."""
    before = contents(folder)
    with pytest.raises(PolicyRefused, match="but did not write or that were edited") as caught:
        begin_demo(folder)
    told = str(caught.value).split(": ", 1)[1].split(";")[0]
    assert set(told.split(", ")) == set(names)
    assert "another folder with -o" in str(caught.value)
    assert contents(folder) == before


@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    [DATA_FILE, PLAN_FILE, LEDGER_FILE, "hierarchies/sex.csv", "hospital.release.csv", "hospital.answers.report.html"],
)
def test_a_file_of_somebody_is_refused(tmp_path: Path, shown: Path, name: str) -> None:
    """In a folder of their own, and, edited or put there, in that of the demo."""
    place = tmp_path / "theirs" / name
    place.parent.mkdir(parents=True)
    place.write_text("real")
    refuses(tmp_path / "theirs", name)
    if "report" not in name:
        folder = shutil.copytree(shown, tmp_path / "demo")
        (folder / name).write_bytes((folder / name).read_bytes() + b"\n")
        (folder / name).write_text("real") if name == LEDGER_FILE else None
        refuses(folder, name)


@pytest.mark.slow
def test_the_command_refuses_a_real_register(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / DATA_FILE).write_text("name,ill\na,flu\n")
    done = run_here(capsys, "demo", "-o", tmp_path)
    assert done.code == 5
    assert DATA_FILE in done.complaints[0]
    assert contents(tmp_path) == {DATA_FILE: b"name,ill\na,flu\n"}
    with pytest.raises(BadParameter, match="is a file; name a folder"):
        begin_demo(tmp_path / DATA_FILE)
    with pytest.raises(PolicyRefused, match=DATA_FILE):
        write_demo(tmp_path)


def terms_there(folder: Path) -> Terms:
    return read_ledger(folder / LEDGER_FILE).terms


def charge(path: Path, terms: Terms, data: str) -> None:
    open_ledger(path, terms).charge_all([(Laplace(1.0), "how many?")], data=data)


LEDGERS: dict[str, tuple[Callable[[Terms], Terms], bool]] = {
    "other terms": (lambda terms: Terms(Budget(terms.budget.epsilon * 2), dataset="hospital"), True),
    "other rows": (lambda terms: terms, False),
}


@pytest.mark.slow
@pytest.mark.parametrize("sort", LEDGERS)
def test_a_ledger_of_other_terms_or_other_rows_is_kept(tmp_path: Path, shown: Path, sort: str) -> None:
    folder = shutil.copytree(shown, tmp_path / "demo")
    change, same_rows = LEDGERS[sort]
    terms = change(terms_there(folder))
    (folder / LEDGER_FILE).unlink()
    charge(folder / LEDGER_FILE, terms, sha256_of(folder / DATA_FILE) if same_rows else "0" * 64)
    refuses(folder, LEDGER_FILE)


@pytest.mark.slow
def test_a_ledger_that_would_keep_the_demo_from_asking_is_told_at_once(tmp_path: Path, shown: Path) -> None:
    """One about the same rows or the same dataset; one about others does not matter."""
    folder = shutil.copytree(shown, tmp_path / "demo")
    budget, rows = terms_there(folder).budget, sha256_of(folder / DATA_FILE)
    charge(folder / "others.ledger", Terms(budget, dataset="others"), "0" * 64)
    (folder / "broken.ledger").write_text("no ledger")
    charge(folder / "named.ledger", Terms(budget, dataset="hospital"), "0" * 64)
    charge(folder / "rows.ledger", Terms(budget, dataset="others"), rows)
    refuses(folder, "named.ledger", "rows.ledger")


@pytest.mark.slow
def test_a_ledger_beside_no_demo_is_not_its_own(tmp_path: Path, shown: Path) -> None:
    shutil.copy(shown / LEDGER_FILE, tmp_path)
    refuses(tmp_path, LEDGER_FILE)


@pytest.mark.slow
def test_what_an_edited_plan_made_is_kept(tmp_path: Path, shown: Path) -> None:
    folder = shutil.copytree(shown, tmp_path / "demo")
    evidence = json.loads((folder / "hospital.release.evidence.json").read_text())
    evidence["plan"]["sha256"] = "0" * 64
    (folder / "hospital.release.evidence.json").write_text(json.dumps(evidence))
    refuses(folder, *(f"hospital.release.{ending}" for ending in ("csv", "evidence.json", "report.html")))


def begin(folder: Path) -> None:
    begin_demo(folder)


def laid_out(folder: Path, source: Path | None) -> Path:
    shutil.rmtree(folder, ignore_errors=True)
    return shutil.copytree(source, folder) if source else folder


@pytest.mark.slow
@pytest.mark.parametrize("begun", ["again", "in a new folder"])
def test_a_kill_at_any_step_leaves_a_folder_in_which_the_demo_begins(
    tmp_path: Path, shown: Path, bare: Path, begun: str
) -> None:
    """While an earlier run is removed, which is done last, and while the files of a new folder are written."""
    source, folder = shown if begun == "again" else None, tmp_path / "demo"
    steps = accesses(begin, (laid_out(folder, source),))
    assert contents(folder) == contents(bare)
    chosen = range(steps - 6, steps + 1, 2) if source else range(steps // 6, steps + 1, steps // 6)
    for step in chosen:
        assert killed_at(step, begin, (laid_out(folder, source),))
        assert contents(folder) != contents(bare)
        begin_demo(folder)
        assert contents(folder) == contents(bare)


@pytest.mark.slow
def test_a_kill_before_the_last_evidence_is_removed(tmp_path: Path, shown: Path, bare: Path) -> None:
    """What is left of each part, in the order in which it goes, is still known to be the demo's."""
    for gone in range(1, 4):
        folder = shutil.copytree(shown, tmp_path / str(gone))
        for ending in ("csv", "report.html", "evidence.json")[:gone]:
            (folder / f"hospital.release.{ending}").unlink()
        begin_demo(folder)
        assert contents(folder) == contents(bare)


@pytest.mark.slow
def test_the_demo_and_a_draft_of_its_data_lose_little(tmp_path: Path, shown: Path) -> None:
    """The shipped plan under 18 %, the unedited draft under 25 %; generalising whole columns they lost 41 and 63 %."""
    shipped = json.loads((shown / "hospital.release.evidence.json").read_text(encoding="utf-8"))
    assert shipped["body"]["metrics"]["loss"] < 0.18
    register = shutil.copy(shown / "hospital.csv", tmp_path)
    drafted = protect_plan(inspect_file(Path(register), {}).plan).release
    assert drafted.holds
    assert drafted.body.metrics["loss"] < 0.25
