"""With `--json` standard output is one JSON object, whatever happens.

Covers cli/stops, cli/terminal, cli/budget, tacit/cli.
"""

import json
from pathlib import Path
from typing import Any

import pytest
from tests.cli.commands import run_here

from tacit.cli import COMMANDS

PLAN = """
version: 1
data: {path: people.csv}
columns: {zip: {role: quasi-identifier}, ill: {role: sensitive}}
release: {guarantees: [k-anonymity: {k: 3}]}
"""


@pytest.fixture
def plan(tmp_path: Path) -> Path:
    (tmp_path / "people.csv").write_text("zip,ill\n" + "1,a\n2,b\n" * 2, encoding="utf-8")
    (tmp_path / "plan.yaml").write_text(PLAN, encoding="utf-8")
    return tmp_path / "plan.yaml"


def error_of(capsys: pytest.CaptureFixture[str], *words: str | Path) -> dict[str, Any]:
    """What the command said as JSON; the same stands on standard error, and the exit code is the one it says."""
    done = run_here(capsys, *words)
    found = json.loads(done.out)
    assert found["json"] == 1
    error: dict[str, Any] = found["error"]
    assert set(error) == {"kind", "message", "exit_code"}
    assert error["exit_code"] == done.code
    assert error["message"].split("\n")[0] in done.err
    return error


def test_bad_input_a_refusal_and_an_impossible_promise_are_json(
    plan: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    missing = error_of(capsys, "protect", tmp_path / "nowhere.yaml", "--json")
    assert (missing["kind"], missing["exit_code"]) == ("BadData", 3)
    refused = error_of(capsys, "inspect", tmp_path / "people.csv", "-o", plan, "--json")
    assert (refused["kind"], refused["exit_code"]) == ("PolicyRefused", 5)
    plan.write_text(PLAN.replace("k: 3", "k: 300"), encoding="utf-8")
    impossible = error_of(capsys, "protect", plan, "--json")
    assert (impossible["kind"], impossible["exit_code"]) == ("CannotGuarantee", 1)


@pytest.mark.parametrize(
    "words",
    [("protect", "--json"), ("protect", "a", "b", "--json"), ("--json", "nothing"), ("inspect", "a", "--json", "--zz")],
)
def test_a_command_line_that_is_not_understood_is_json_too(
    words: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    found = error_of(capsys, *words)
    assert (found["kind"], found["exit_code"]) == ("Usage", 2)


def test_every_command_that_prints_json_says_so_when_it_fails(capsys: pytest.CaptureFixture[str]) -> None:
    for command in COMMANDS:
        if command not in ("demo",):
            assert error_of(capsys, command, "--json", "--no-such-option")["kind"] == "Usage"


def test_an_interrupt_and_a_defect_are_json(
    plan: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop(*given: Any, **named: Any) -> None:
        raise KeyboardInterrupt

    def fail(*given: Any, **named: Any) -> None:
        raise ZeroDivisionError("a cell")

    monkeypatch.delenv("TACIT_DEBUG", raising=False)
    monkeypatch.setattr("tacit.verbs.plans.protect_plan", stop)
    stopped = error_of(capsys, "protect", plan, "--json")
    assert (stopped["kind"], stopped["exit_code"]) == ("Interrupted", 130)
    monkeypatch.setattr("tacit.verbs.plans.protect_plan", fail)
    failed = error_of(capsys, "protect", plan, "--json")
    assert (failed["kind"], failed["exit_code"]) == ("Internal", 70)
    assert "a cell" not in failed["message"]


def test_a_command_that_printed_its_findings_prints_no_second_object(
    plan: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    done = run_here(capsys, "check", plan.parent / "people.csv", "--plan", plan, "--json")
    assert done.code == 1
    assert "error" not in json.loads(done.out)


def test_without_json_standard_output_stays_empty(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    done = run_here(capsys, "protect", tmp_path / "nowhere.yaml")
    assert (done.code, done.out) == (3, "")
    after = run_here(capsys, "protect", tmp_path / "nowhere.yaml", "--", "--json")
    assert (after.code, after.out) == (2, "")
