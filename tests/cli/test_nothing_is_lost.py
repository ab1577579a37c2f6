"""Plans for one file do not take each other's places, and evidence is held against the plan that made it.

Covers verbs/plans, runs/attack, runs/demo, cli/attack, cli/check, evidence/files.
"""

from pathlib import Path

import pytest
from tests.cli.commands import run_here

from tacit.evidence import files
from tacit.evidence.files import write_whole

PEOPLE = "zip,age,ill\n" + "".join(f"{1000 + i % 2},{30 + i % 3},{'ab'[i % 2]}\n" for i in range(24))
PLAN = """
version: 1
data: {path: people.csv}
columns: {zip: {role: quasi-identifier}, age: {role: quasi-identifier}, ill: {role: sensitive}}
release: {guarantees: [k-anonymity: {k: 3}]}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "people.csv").write_text(PEOPLE, encoding="utf-8")
    (tmp_path / "good.plan.yaml").write_text(PLAN, encoding="utf-8")
    (tmp_path / "other.plan.yaml").write_text(PLAN.replace("k: 3", "k: 2"), encoding="utf-8")
    return tmp_path


@pytest.mark.slow
def test_an_attack_with_another_plan_leaves_the_evidence_as_it_was(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The review's reproduction: two plans for one file, the second attacks what the first made."""
    assert run_here(capsys, "protect", folder / "good.plan.yaml").code == 0
    assert run_here(capsys, "attack", folder / "good.plan.yaml").code == 0
    before = {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}
    assert "good.release.evidence.json" in before
    alone = run_here(capsys, "attack", folder / "other.plan.yaml")
    assert alone.code == 3
    assert "there is no release" in alone.err
    named = run_here(capsys, "attack", folder / "other.plan.yaml", "--release", folder / "good.release.csv")
    assert named.code == 5
    assert "was made by another plan than other.plan.yaml" in named.err
    assert {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()} == before


@pytest.mark.slow
def test_a_check_with_another_plan_says_so(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run_here(capsys, "protect", folder / "good.plan.yaml").code == 0
    own, other = (
        run_here(capsys, "check", folder / "good.release.csv", "--plan", folder / f"{name}.plan.yaml")
        for name in ("good", "other")
    )
    said = "the evidence beside good.release.csv belongs to good.plan.yaml, not to"
    assert said not in own.out
    assert other.code == 0
    assert f"note   {said} other.plan.yaml" in other.out


@pytest.mark.slow
def test_a_demo_keeps_a_plan_that_was_edited(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run_here(capsys, "demo", "-o", tmp_path / "demo").code == 0
    plan = tmp_path / "demo" / "hospital.plan.yaml"
    plan.write_text(plan.read_text(encoding="utf-8") + "# mine\n", encoding="utf-8")
    edited = plan.read_bytes()
    refused = run_here(capsys, "demo", "-o", tmp_path / "demo")
    assert refused.code == 5
    assert "hospital.plan.yaml" in refused.err
    assert plan.read_bytes() == edited


def test_a_page_is_made_where_only_its_owner_may_look_and_the_next_one_sweeps(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A page that a killed run left half made is nobody's to read, and gone with the next one."""
    page, left = tmp_path / "a.compare.html", tmp_path / ".a.compare.html.publishing" / "new"
    left.mkdir(mode=0o700, parents=True)
    (left / page.name).write_text("half")
    seen: list[int] = []
    publication = files.publication

    def watched(paths: tuple[Path, ...]):  # type: ignore[no-untyped-def]
        made = publication(paths)
        seen.append(1)
        return made

    monkeypatch.setattr(files, "publication", watched)
    write_whole(page, "whole")
    assert seen
    assert page.read_text() == "whole"
    assert [path.name for path in tmp_path.iterdir()] == [page.name]
