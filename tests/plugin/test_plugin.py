"""A package outside `src` brings a kind of data, and every command works with it without an edit in `src`.

Each command runs in a process of its own with the package on its search path, as a user would have it.

Covers runs/kind, runs/kinds, runs/compare, runs/attack, runs/check.
"""

import json
from pathlib import Path
from typing import Any

import pytest
from tests.plugin.brought import HERE, PACKAGE, SOURCE, Shell, install, write_ballots

pytestmark = pytest.mark.slow

LIAR = """
from tacit_ballots.cards import BallotsMethod
from tacit_ballots.methods.ballots.prefixes import METHOD, Prefixes

METHOD = BallotsMethod(
    title="As it is",
    params=Prefixes,
    run=lambda ballots, k, params: ballots,
    needs="nothing",
    gives="the ballots as they are, though it says that they are protected",
    guarantees=METHOD.guarantees,
    paper=METHOD.paper,
    example=Prefixes(),
)
"""


@pytest.fixture(scope="module")
def shell(tmp_path_factory: pytest.TempPathFactory) -> Shell:
    """A folder with ballots, their draft plan and their release."""
    found = Shell(tmp_path_factory.mktemp("election"))
    write_ballots(found.folder / "x.ballots")
    printed = found.run("inspect", "x.ballots", "-o", "plan.yaml")
    # One voter ranked Cid first; nobody else is alone.
    assert "23 ballots with 7 different rankings; 1 voters are alone with theirs" in printed
    assert found.json("protect", "plan.yaml")["holds"]
    return found


def evidence(shell: Shell) -> Any:
    return json.loads((shell.folder / "x.release.evidence.json").read_text(encoding="utf-8"))


def test_inspect_tells_what_it_found_as_json(shell: Shell) -> None:
    found = shell.json("inspect", "x.ballots", "-o", "other.yaml")
    assert (found["voters"], found["rankings"], found["alone"]) == (23, 7, 1)
    plans = [(shell.folder / name).read_text(encoding="utf-8") for name in ("plan.yaml", "other.yaml")]
    assert plans[0] == plans[1]
    (shell.folder / "other.yaml").unlink()


def test_the_release_loses_as_little_as_can_be(shell: Shell) -> None:
    """By hand, k = 5: the six, the five and all seven of `Bob > Ann` stay where 5 share them, and nobody is with Dee.

    `Ann > Bob > Dee` has two voters. To stay at `Ann > Bob` they would need three of the six, who would leave three
    behind; all eight there lose 8 positions. Left out they lose 6, so does each way through `Ann`: 4 and three others
    with 2 or 1 more each. So they are left out.
    """
    printed = shell.run("protect", "plan.yaml")
    assert "ballot-anonymity                              at least 5            5  holds" in printed
    released = (shell.folder / "x.release.ballots").read_text(encoding="utf-8").splitlines()
    assert released == [*["Ann > Bob > Cid"] * 6, *["Ann > Cid"] * 5, *["Bob > Ann"] * 7]
    body = evidence(shell)["body"]
    # Lost: 6 of `Ann > Bob > Dee`, 8 and 3 of those who begin with Bob, 4 of Cid's voter and 2 of Dee's.
    assert (body["positions_before"], body["positions_before"] - body["positions"]) == (65, 23)
    assert (body["left_out"], body["lengths_before"], body["lengths"]) == (5, [2, 5, 11, 5], [0, 12, 6, 0])


def test_no_voter_is_named_in_anything_that_is_published(shell: Shell) -> None:
    for name in ("x.release.ballots", "x.release.evidence.json", "x.release.report.html"):
        assert "voter 1" not in (shell.folder / name).read_text(encoding="utf-8")
    assert "voter 1:" in (shell.folder / "x.ballots").read_text(encoding="utf-8")


def test_raw_ballots_fail_the_check_and_released_ones_pass(shell: Shell) -> None:
    raw = shell.json("check", "x.ballots", "--plan", "plan.yaml", code=1)
    (promise,) = raw["guarantees"]
    # Five rankings have fewer than five voters: 2, 4, 3, 1 and 2 of them.
    assert (promise["measured"], promise["failing"], promise["failing_people"]) == (1, 5, 12)
    assert "holds  each published ranking is shared by at least 5 voters; the rarest is shared by 5" in shell.run(
        "check", "x.release.ballots", "--plan", "plan.yaml"
    )


def test_attacks_are_told_and_come_into_the_evidence(shell: Shell) -> None:
    board = shell.json("attack", "plan.yaml")
    (result,) = board["attacks"]
    assert (result["attack"], result["raw"]["hits"], result["raw"]["targets"]) == ("ballots/first-choices", 1, 23)
    assert (result["release"]["hits"], result["release"]["targets"]) == (0, 18)
    # Of at least five voters with each published ranking none is alone.
    assert (result["bound"], result["bound_from"]) == (0, "ballot-anonymity")
    assert evidence(shell)["body"]["attacks"] == board["attacks"]
    assert "First choices" in shell.run("attack", "plan.yaml")


def test_a_release_that_breaks_the_promise_has_no_bound(shell: Shell) -> None:
    (result,) = shell.json("attack", "plan.yaml", "--release", "x.ballots")["attacks"]
    assert result["release"]["hits"] == 1
    assert (result["bound"], result["bound_from"]) == (None, None)


def test_methods_are_compared(shell: Shell) -> None:
    found = shell.json("compare", "plan.yaml", "--set", "ballot-anonymity.k=2,5", "--set", "prefixes.longest=1,4")
    lost = {(row["settings"]["ballot-anonymity.k"], row["settings"]["prefixes.longest"]): row for row in found["rows"]}
    assert len(lost) == 4
    assert lost[5, 4]["metrics"]["positions-lost"] == pytest.approx(23 / 65)
    # With k = 2 only the one who begins with Cid is left out; of nobody else anything is cut.
    assert lost[2, 4]["metrics"]["positions-lost"] == pytest.approx(4 / 65)
    assert [lost[2, 4]["keeps_plan"], lost[5, 4]["keeps_plan"]] == [False, True]
    assert found["best"] == lost[5, 4]["name"]
    page = (shell.folder / "x.compare.html").read_text(encoding="utf-8")
    assert "positions lost" in page
    printed = shell.run("compare", "plan.yaml", "--vary")
    assert "ballots/prefixes k=3" in printed
    assert "has the lowest positions lost, " in printed
    assert "among those that keep the plan's guarantees" in printed


def test_only_named_metrics_are_measured_and_unknown_ones_refused(shell: Shell) -> None:
    for name in ("positions-lost", "ballots/positions-lost"):
        assert list(shell.json("compare", "plan.yaml", "--metrics", name)["rows"][0]["metrics"]) == [
            "positions-lost",
            "attacks/ballots/first-choices",
        ]
    for name in ("nothing", "tables/loss"):
        said = shell.run("compare", "plan.yaml", "--metrics", name, code=3)
        assert f"there is no measure {name!r} on ballots; the known ones are: positions-lost" in said


def test_all_that_the_package_brings_is_listed(shell: Shell) -> None:
    names = ["ballots/prefixes", "ballot-anonymity", "metrics/ballots/positions-lost", "attacks/ballots/first-choices"]
    listed = shell.run("methods")
    assert [name for name in names if f"  {name} " not in listed] == []
    assert {entry["name"] for entry in shell.json("methods")["entries"]} > set(names)
    assert "longest: the most choices of a ranking" in shell.run("methods", "ballots/prefixes")


def test_without_the_package_its_files_are_refused_with_a_reason(shell: Shell) -> None:
    without = Shell(shell.folder, ())
    assert "there is no kind of data 'ballots'" in without.run("protect", "plan.yaml", code=3)
    said = without.run("check", "x.release.evidence.json", code=3)
    assert "its kind comes from the package tacit-ballots 1.0, not installed here; install it" in said


def test_the_evidence_names_the_package_and_what_it_brought(shell: Shell) -> None:
    shell.run("attack", "plan.yaml")
    parts = ["attacks/ballots/first-choices", "guarantees/ballot-anonymity", "kinds/ballots"]
    told = {"name": "tacit-ballots", "version": "1.0", "brought": [*parts, "methods/ballots/prefixes"]}
    assert evidence(shell)["packages"] == [told]
    printed = shell.run("check", "x.release.evidence.json")
    assert "note   made with the package tacit-ballots 1.0, installed here" in printed


def test_the_report_shows_the_section_of_the_package(shell: Shell) -> None:
    shell.run("attack", "plan.yaml")
    page = (shell.folder / "x.release.report.html").read_text(encoding="utf-8")
    for part in (
        "What was cut",
        "<title>Ballots by number of choices</title>",
        "k-anonymity of ballots",
        "First choices",
    ):
        assert part in page
    assert "rankings of the same voters in another may tell them apart" in page
    assert "<script" not in page


def test_the_evidence_can_be_read_back(shell: Shell) -> None:
    code = (
        "from pathlib import Path; from tacit.verbs.plans import read_evidence;"
        "found = read_evidence(Path('x.release.evidence.json'));"
        "print(type(found.body).__name__, found.body.left_out, found.holds)"
    )
    assert shell.python("-c", code).stdout.split() == ["BallotsBody", "5", "True"]


def test_a_method_that_lies_is_refused(shell: Shell, tmp_path: Path) -> None:
    """Another package brings a method for ballots, which publishes them as they are."""
    said = _brings(shell, tmp_path, LIAR).run("protect", "plan.yaml", code=1)
    assert "does not keep its promise, so it is not published" in said
    assert sorted(path.name for path in tmp_path.iterdir()) == ["plan.yaml", "site", "x.ballots"]


def test_a_method_that_fails_is_the_defect_of_its_package(shell: Shell, tmp_path: Path) -> None:
    """The error is neither blamed on Tacit nor told with its message, which could hold a ballot."""
    failing = LIAR.replace("params: ballots,", "params: int('Ann > Bob'),")
    said = _brings(shell, tmp_path, failing).run("protect", "plan.yaml", code=70)
    assert "internal error: ValueError in tacit_liar.methods.ballots.as_is:" in said
    assert "a defect in the package tacit_liar, which extends Tacit; please report it" in said
    assert "Ann" not in said


def _brings(shell: Shell, folder: Path, method: str) -> Shell:
    """Ballots, a plan that asks for `ballots/as-is`, and a package that brings this method under that name."""
    modules = {"tacit_liar/__init__.py": "", "tacit_liar/methods/ballots/as_is.py": method}
    modules["tacit_liar/methods/__init__.py"] = ""
    site = install(folder / "site", "tacit_liar", modules, "[tacit.methods]\nliar = tacit_liar.methods\n")
    write_ballots(folder / "x.ballots")
    plan = (shell.folder / "plan.yaml").read_text(encoding="utf-8")
    (folder / "plan.yaml").write_text(plan.replace("ballots/prefixes", "ballots/as-is"), encoding="utf-8")
    return Shell(folder, (PACKAGE, site))


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"k: 5": "k: 1"}, "k: it must be at least 2"),
        ({"ballot-anonymity": "k-anonymity"}, "k-anonymity is a guarantee about tables, not about ballots"),
        ({"ballots/prefixes": "tables/lattice"}, "works on tables, not on ballots"),
        ({"ballots/prefixes": "ballots/prefix"}, "did you mean 'ballots/prefixes'"),
    ],
)
def test_plans_that_cant_be_meant_are_refused(
    shell: Shell, tmp_path: Path, change: dict[str, str], complaint: str
) -> None:
    text = (shell.folder / "plan.yaml").read_text(encoding="utf-8")
    for old, new in change.items():
        assert old in text
        text = text.replace(old, new)
    (tmp_path / "plan.yaml").write_text(text, encoding="utf-8")
    write_ballots(tmp_path / "x.ballots")
    assert complaint in Shell(tmp_path).run("protect", "plan.yaml", code=3)


def test_the_tests_of_the_package_pass(shell: Shell) -> None:
    """They are a file of a few lines, run as its author would run it: without anything of our tests."""
    done = shell.python("-m", "pytest", "-p", "no:cacheprovider", str(HERE / "contract.py"))
    assert done.returncode == 0, done.stdout + done.stderr
    assert "6 passed" in done.stdout


def test_nothing_in_the_package_knows_of_ballots() -> None:
    found = [path.name for path in SOURCE.rglob("*.py") if "ballot" in path.read_text(encoding="utf-8").lower()]
    assert found == []
