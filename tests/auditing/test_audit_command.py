"""`tacit audit`: what it prints for a claim that stands and for one that is refuted, and how it ends.

Covers cli/audit, verbs/auditing.
"""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from tacit.cli import tacit
from tacit.errors import BadParameter

MINE = """
def plus_ten(rows, bits):
    return len(rows) + 10

def nothing(rows, bits):
    return 0

def mean(rows, bits, size):
    return [1 / len(rows)] * size

def sometimes(rows, bits, size):
    if len(rows) == 1 and any(bits.words(size) < 2**62):
        raise KeyError("a row")
    return [0.0] * size

def never(rows, bits, size):
    raise KeyError("a row")

def total(rows, bits):
    return sum(row["a"] + len(row["b"]) for row in rows)
"""


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):  # type: ignore[no-untyped-def]
    (tmp_path / "functions_of_mine.py").write_text(MINE)
    monkeypatch.chdir(tmp_path)
    return lambda *words: CliRunner().invoke(tacit, ["audit", *words])


def test_a_refuted_claim_ends_with_1_and_a_counterexample(run) -> None:  # type: ignore[no-untyped-def]
    done = run("functions_of_mine:plus_ten", "--domain", '["a", "b"]', "--seed", "1", "--json")
    assert done.exit_code == 1
    found = json.loads(done.stdout)
    assert found["refuted"]
    assert found["epsilon_claimed"] == 1
    assert found["epsilon_at_least"] > 5
    assert found["confidence"] == pytest.approx(1 - 1e-6)
    assert found["counterexample"]["share"] == 1
    assert found["counterexample"]["d"].startswith("{")


@pytest.mark.parametrize("function", ["mean", "sometimes"])
def test_an_error_of_a_function_of_many_runs_is_an_output(run, function: str) -> None:  # type: ignore[no-untyped-def]
    """One divides by the number of rows, the other fails in a quarter of its runs on one row and in none on others."""
    done = run(f"functions_of_mine:{function}", "--most", "1", "--seed", "1", "--draws", "3000", "--json")
    assert done.exit_code == 1, done.output
    assert json.loads(done.stdout)["epsilon_at_least"] > 3


def test_a_function_of_many_runs_that_always_fails_is_refused(run) -> None:  # type: ignore[no-untyped-def]
    done = run("functions_of_mine:never", "--draws", "300", "--seed", "1")
    assert isinstance(done.exception, BadParameter)
    assert "every run ended with an error of type KeyError" in str(done.exception)


def test_a_claim_that_stands_ends_with_0(run) -> None:  # type: ignore[no-untyped-def]
    done = run("functions_of_mine:nothing", "--seed", "1", "--epsilon", "0.1", "--neighbours", "replace")
    assert done.exit_code == 0
    assert "the claim was not refuted" in done.stdout
    card = run("mechanisms/laplace", "--set", "epsilon=0.5", "--seed", "1", "--draws", "5000", "--json")
    assert card.exit_code == 0
    assert json.loads(card.stdout)["epsilon_claimed"] == 0.5


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (("mechanisms/laplace", "--epsilon", "1"), "--set epsilon=VALUE"),
        (("mechanisms/laplace", "--set", "epsilon"), "NAME=VALUE"),
        (("statistics/sum", "--domain", "[0, 1]"), "--set lower=VALUE"),
        (("statistics/sum", "--most", "3"), "--set contributions=VALUE"),
        (("statistics/sum", "--neighbours", "add-remove"), "--set neighbours=VALUE"),
        (("functions_of_mine:nothing", "--set", "a=1"), "--set is for methods"),
        (("functions_of_mine:nothing", "--domain", "a"), "is not a JSON list"),
    ],
)
def test_wrong_usage_is_told(run, words: tuple[str, ...], text: str) -> None:  # type: ignore[no-untyped-def]
    done = run(*words)
    assert done.exit_code == 2
    assert text in done.output


def test_rows_may_be_objects(run) -> None:  # type: ignore[no-untyped-def]
    rows = '[{"b": [1, {"c": null}], "a": 1}, {"a": 2, "b": []}]'
    done = run("functions_of_mine:total", "--domain", rows, "--most", "1", "--draws", "300", "--seed", "1")
    assert done.exit_code == 1, done.output
    assert "{'a': 2, 'b': ()}" in done.output or "{'a': 1, 'b': (1, {'c': None})}" in done.output
    twice = run("functions_of_mine:total", "--domain", '[{"a": 1, "b": []}, {"b": [], "a": 1}]')
    assert "names a row twice" in str(twice.exception)


def test_evidence_and_report_are_written_where_told(run) -> None:  # type: ignore[no-untyped-def]
    done = run("functions_of_mine:nothing", "--draws", "300", "-o", "mine.audit.json", "--json")
    assert done.exit_code == 0
    told = json.loads(done.stdout)
    assert (told["evidence"], told["report"]) == ("mine.audit.json", "mine.audit.report.html")
    assert json.loads(Path("mine.audit.json").read_text())["kind"] == "audit"
    assert "The claim stands" in Path("mine.audit.report.html").read_text()
    refuted = run("functions_of_mine:plus_ten", "--draws", "300", "-o", "mine.audit.json")
    assert refuted.exit_code == 1
    assert "report in mine.audit.report.html" in refuted.stdout
    assert "The claim is refuted" in Path("mine.audit.report.html").read_text()


def test_a_wrong_place_is_refused_before_anything_runs(run) -> None:  # type: ignore[no-untyped-def]
    done = run("functions_of_mine:never", "-o", "mine.csv")
    assert isinstance(done.exception, BadParameter)
    assert "ends in .json" in str(done.exception)


def test_a_check_without_a_plan_needs_evidence(run) -> None:  # type: ignore[no-untyped-def]
    run("functions_of_mine:plus_ten", "--draws", "300", "-o", "mine.audit.json")
    done = CliRunner().invoke(tacit, ["check", "mine.audit.json"])
    assert done.exit_code == 1
    assert "The claim is refuted" in done.stdout
    assert "same   functions_of_mine.py (input)" in done.stdout
    other = CliRunner().invoke(tacit, ["check", "people.csv"])
    assert other.exit_code == 2
    assert "--plan" in other.output


@pytest.mark.slow
@pytest.mark.parametrize(
    "words",
    [
        ("mechanisms/laplace", "--set", "sensitivity=1e100"),
        ("mechanisms/laplace", "--set", "grid=100"),
        ("mechanisms/truncated-laplace", "--set", "sensitivity=1e100"),
        ("mechanisms/gaussian", "--set", "sensitivity=1e100"),
        ("mechanisms/finite-laplace", "--set", "epsilon=1000"),
    ],
)
def test_extreme_parameters_are_audited(run, words: tuple[str, ...]) -> None:  # type: ignore[no-untyped-def]
    done = run(*words, "--draws", "200", "--seed", "1")
    assert done.exit_code == 0, done.exception
    assert "the claim was not refuted" in done.stdout


@pytest.mark.parametrize("target", ["statistics", "statistics/poll"])
def test_an_attack_refuses_a_seed_below_0(target: str) -> None:
    done = CliRunner().invoke(tacit, ["attack", target, "--seed", "-1"])
    assert done.exit_code == 2
    assert "--seed" in done.output
