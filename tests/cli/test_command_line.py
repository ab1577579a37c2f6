"""The commands: what they print, where, and how they end.

Covers cli/check, cli/demo, cli/inspect, cli/methods, cli/protect, cli/tabulate, terminal, errors, cli/ask,
cli/budget, tables/look, verbs/listing, verbs/plans.
"""

import io
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from time import sleep
from typing import Any

import click
import pytest
from click.testing import CliRunner
from tests.cli.commands import TACIT, run_child, run_here

from tacit.cli import COMMANDS, tacit
from tacit.cli.terminal import progress
from tacit.errors import BadData

HEAVY = (
    "numpy",
    "duckdb",
    "pyarrow",
    "pydantic",
    "pandas",
    "polars",
    "scipy",
    "jinja2",
    "yaml",
    "adbc_driver_sqlite",
    "dataclasses",
)
PEOPLE = "name,zip,age,ill\n" + "".join(f"planted-{i},{1000 + i % 2},{30 + i % 3},{'ab'[i % 2]}\n" for i in range(12))
PLAN = """
version: 1
data: {path: people.csv}
columns:
  name: {role: identifier}
  zip: {role: quasi-identifier}
  age: {role: quasi-identifier}
  ill: {role: sensitive}
release:
  guarantees:
    - k-anonymity: {k: 3}
"""


@pytest.fixture
def plan(tmp_path: Path) -> Path:
    (tmp_path / "people.csv").write_text(PEOPLE)
    path = tmp_path / "plan.yaml"
    path.write_text(PLAN)
    return path


@pytest.mark.slow
def test_from_a_file_to_a_checked_release(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Inspect, protect what the draft says, check the release: each as its own process would."""
    (tmp_path / "people.csv").write_text(PEOPLE)
    inspected = run_child("inspect", "people.csv", folder=tmp_path)
    assert (inspected.code, inspected.complaints) == (0, [])
    assert "people.csv: 12 rows, 4 columns" in inspected.out
    protected = run_child("protect", "people.plan.yaml", folder=tmp_path)
    assert (protected.code, protected.complaints) == (0, [])
    assert "This release keeps its promises." in protected.out
    assert "planted" not in inspected.out + protected.out
    released = run_here(capsys, "check", tmp_path / "people.release.csv", "--plan", tmp_path / "people.plan.yaml")
    raw = run_here(capsys, "check", tmp_path / "people.csv", "--plan", tmp_path / "people.plan.yaml")
    assert (released.code, raw.code) == (0, 1)
    assert "holds" in released.out
    assert "FAILS" in raw.out


def exit_codes_of(page: str) -> dict[int, str]:
    """The exit codes of the reference page, with their meanings."""
    lines = [line.strip("|").split("|") for line in page.splitlines() if re.match(r"\| \d+ \|", line)]
    return {int(code): meaning.strip() for code, meaning in lines}


def test_the_help_knows_every_exit_code() -> None:
    page = Path(__file__).parents[2] / "docs" / "reference" / "command-line.md"
    known = set(exit_codes_of(page.read_text(encoding="utf-8")))
    told = CliRunner().invoke(tacit, ["--help"]).output.split("Exit codes:")[1].split("\n\n")[0]
    assert {int(code) for code in re.findall(r"\d+", told)} == known >= {0, 1, 2, 3, 4, 5, 70, 130}


@pytest.mark.parametrize("name", COMMANDS)
def test_every_option_has_a_description(name: str) -> None:
    command = tacit.get_command(click.Context(tacit), name)
    assert command is not None
    assert [option.name for option in command.params if isinstance(option, click.Option) and not option.help] == []


@pytest.mark.slow
def test_demo_writes_a_release_and_answers(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    done = run_here(capsys, "demo", "-o", tmp_path / "d", "--json")
    assert (done.code, done.complaints) == (0, [])
    values = json.loads(done.out)
    assert values["holds"] is True
    answers = values["answers"]
    for half in (values, answers):
        for part in ("output", "evidence", "report"):
            assert Path(half[part]).parent == tmp_path / "d"
            assert Path(half[part]).exists()
    assert [answer["keys"] for answer in answers["answers"]] == [["male", "female"], ["male", "female"], None]
    assert sum(answer["epsilon"] for answer in answers["answers"]) == answers["spent"]["epsilon"] == 1
    assert answers["left"]["epsilon"] == 2


@pytest.mark.slow
def test_protect_prints_stable_json(plan: Path, capsys: pytest.CaptureFixture[str]) -> None:
    done = run_here(capsys, "protect", plan, "-o", plan.with_name("out.parquet"), "--json")
    assert (done.code, done.complaints) == (0, [])
    values = json.loads(done.out)
    assert values["json"] == 1
    assert set(values) >= {"output", "guarantees", "metrics", "suppressed", "classes", "seconds", "evidence", "report"}
    assert values["output"] == str(plan.with_name("out.parquet"))
    (guarantee,) = values["guarantees"]
    assert {name: guarantee[name] for name in ("name", "bound", "measured", "holds")} == {
        "name": "k-anonymity",
        "bound": 3,
        "measured": guarantee["measured"],
        "holds": True,
    }
    assert guarantee["measured"] >= 3
    assert 0 <= values["metrics"]["loss"] <= 1
    assert isinstance(values["suppressed"], int)
    assert isinstance(values["classes"], int)
    assert values["seconds"] > 0


def test_check_prints_stable_json(plan: Path, capsys: pytest.CaptureFixture[str]) -> None:
    done = run_here(capsys, "check", plan.with_name("people.csv"), "--plan", plan, "--json")
    assert done.code == 1
    values = json.loads(done.out)
    assert set(values) >= {"json", "data", "holds", "guarantees", "risk", "classes", "suppressed", "counted"}
    assert (values["holds"], values["classes"], values["counted"]) == (False, 6, "rows")
    assert values["guarantees"][0]["measured"] == 2


def test_infinity_is_valid_json(tmp_path: Path, plan: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The zips 1000 and 1001 have one illness each, so a value is gone from a class: delta-disclosure is infinite."""
    plan.write_text(PLAN.replace("k-anonymity: {k: 3}", "delta-disclosure: {delta: 1.0, column: ill}"))
    done = run_here(capsys, "check", tmp_path / "people.csv", "--plan", plan, "--json")
    assert done.code == 1

    def refuse(word: str) -> None:
        raise AssertionError(f"{word} is no JSON")

    values = json.loads(done.out, parse_constant=refuse)
    assert values["guarantees"][0]["measured"] == "Infinity"


def test_inspect_prints_json_and_no_cell(plan: Path, capsys: pytest.CaptureFixture[str]) -> None:
    done = run_here(capsys, "inspect", plan.with_name("people.csv"), "--json")
    values = json.loads(done.out)
    found = {
        "rows",
        "people",
        "unit",
        "columns",
        "unique",
        "singling_out",
        "known_values",
        "notes",
        "reading",
        "reasons",
    }
    assert set(values) == {"json", "plan", "hierarchies", *found}
    assert [column["name"] for column in values["columns"]] == ["name", "zip", "age", "ill"]
    assert "planted" not in done.out + Path(values["plan"]).read_text()


def test_inspect_replaces_nothing_unasked(plan: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = plan.with_name("people.csv")
    refused = run_here(capsys, "inspect", data, "-o", plan)
    assert (refused.code, refused.out) == (5, "")
    assert plan.read_text() == PLAN
    assert run_here(capsys, "inspect", data, "-o", plan, "--force").code == 0
    assert plan.read_text() != PLAN
    assert run_here(capsys, "inspect", data, "-o", data, "--force").code == 5
    plan.with_name("link.yaml").hardlink_to(data)
    assert run_here(capsys, "inspect", data, "-o", plan.with_name("link.yaml"), "--force").code == 5
    assert data.read_text() == PEOPLE


@pytest.mark.slow
def test_a_draft_in_another_folder_finds_its_data(plan: Path, capsys: pytest.CaptureFixture[str]) -> None:
    draft = plan.parent / "plans" / "deep" / "draft.yaml"
    assert run_here(capsys, "inspect", plan.with_name("people.csv"), "-o", draft).code == 0
    assert "../../people.csv" in draft.read_text()
    assert run_here(capsys, "protect", draft).code == 0


@pytest.mark.slow
def test_check_reads_other_encodings_and_tables(plan: Path, capsys: pytest.CaptureFixture[str]) -> None:
    other = plan.with_name("other.csv")
    other.write_bytes("zip;age;ill\n1;1;é\n1;1;y\n1;1;z\n".encode("latin-1"))
    done = run_here(capsys, "check", other, "--plan", plan, "--encoding", "latin-1", "--delimiter", ";")
    assert done.code == 0
    assert run_here(capsys, "protect", plan, "-o", plan.with_name("out.sqlite")).code == 0
    assert run_here(capsys, "check", plan.with_name("out.sqlite"), "--plan", plan, "--table", "release").code == 0
    assert run_here(capsys, "check", plan.with_name("out.sqlite"), "--plan", plan, "--table", "x").code == 3


def test_check_of_a_file_without_protected_columns(plan: Path, capsys: pytest.CaptureFixture[str]) -> None:
    other = plan.with_name("other.csv")
    other.write_text("zip,ill\n1,planted\n")
    done = run_here(capsys, "check", other, "--plan", plan)
    assert (done.code, done.out) == (3, "")
    assert done.complaints == ["tacit: other.csv has no column 'age', which the plan protects"]


def test_check_of_a_file_of_suppressed_rows(plan: Path, capsys: pytest.CaptureFixture[str]) -> None:
    other = plan.with_name("other.csv")
    other.write_text("zip,age,ill\n*,*,*\n*,*,*\n")
    done = run_here(capsys, "check", other, "--plan", plan)
    assert done.code == 1
    assert "0 classes, 2 suppressed rows" in done.out
    assert "  FAILS  2 of 2 rows are suppressed, 100 %; the plan allows 0 %\n" in done.out


@pytest.mark.slow
def test_check_says_what_is_not_as_the_plan_has_it(plan: Path, capsys: pytest.CaptureFixture[str]) -> None:
    other = plan.with_name("other.csv")
    other.write_text("zip,age,ill,hobby\n" + "1000,planted,a,b\n" * 12)
    done = run_here(capsys, "check", other, "--plan", plan)
    assert done.code == 0
    assert "  note   the plan does not name the column 'hobby', so what it reveals was not checked\n" in done.out
    assert "  note   column 'age' has 1 label missing from its hierarchy: 'aaaaaaa' (" in done.out
    assert "planted" not in done.out
    other.write_text("name,zip,age,ill\n" + "planted,1000,30,a\n" * 12)
    named = run_here(capsys, "check", other, "--plan", plan, "--json")
    values = json.loads(named.out)
    assert (named.code, values["holds"], values["guarantees"][0]["holds"]) == (1, False, True)
    (remark,) = values["remarks"]
    assert remark["fails"] is True
    assert "the identifier 'name'" in remark["says"]


@pytest.mark.slow
def test_check_without_the_unit_speaks_of_rows(plan: Path, capsys: pytest.CaptureFixture[str]) -> None:
    plan.write_text(PLAN.replace("columns:", "unit: name\ncolumns:"))
    assert run_here(capsys, "protect", plan, "-o", plan.with_name("out.csv")).code == 0
    done = run_here(capsys, "check", plan.with_name("out.csv"), "--plan", plan)
    assert done.code == 0
    assert re.search(r"  holds  each class has at least 3 rows; the smallest has \d+\n", done.out)
    assert "  note   people can't be counted, since the file has no column 'name'; rows were" in done.out
    assert "hold for people; the evidence of the release does\n" in done.out
    assert re.search(r"  highest risk \d+\.\d % of a row, 0 rows unique\n", done.out)
    values = json.loads(run_here(capsys, "check", plan.with_name("out.csv"), "--plan", plan, "--json").out)
    assert (values["counted"], values["of"]) == ("rows", "rows")


@pytest.mark.slow
def test_a_release_from_a_seed_may_not_be_published(plan: Path, capsys: pytest.CaptureFixture[str]) -> None:
    fresh = json.loads(run_here(capsys, "protect", plan, "--json").out)
    assert (fresh["may_be_published"], fresh["seeded"]) == (True, False)
    plan.write_text(PLAN + "  seed: 7\n  sample: {share: 0.5}\n")
    shown = run_here(capsys, "protect", plan)
    assert shown.code == 0
    assert shown.out.endswith("It was made from a seed, so it may not be published.\n")
    values = json.loads(run_here(capsys, "protect", plan, "--json").out)
    assert (values["holds"], values["may_be_published"], values["seeded"]) == (True, False, True)
    assert any("may not be published" in note for note in values["notes"])
    checked = run_here(capsys, "check", values["output"], "--plan", plan)
    assert "  note   the plan names a seed, and a release made from a seed may not be published\n" in checked.out


@pytest.mark.slow
def test_methods_lists_and_describes(capsys: pytest.CaptureFixture[str]) -> None:
    listed = run_here(capsys, "methods")
    assert listed.code == 0
    for name in ("tables/lattice", "k-anonymity", "metrics/tables/loss"):
        assert name in listed.out
    described = run_here(capsys, "methods", "tables/lattice")
    assert "seconds" in described.out
    entry = json.loads(run_here(capsys, "methods", "k-anonymity", "--json").out)["entries"][0]
    assert (entry["name"], entry["kind"]) == ("k-anonymity", "guarantee")
    unknown = run_here(capsys, "methods", "tables/latice")
    assert unknown.code == 2
    assert "did you mean 'tables/lattice'" in unknown.err


@pytest.mark.parametrize(
    "words", [["nonsense"], ["protect"], ["protect", "--nonsense"], ["check", "x.csv"], ["protect", "a", "b"]]
)
def test_wrong_usage_ends_with_2(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    done = run_here(capsys, *words)
    assert (done.code, done.out) == (2, "")
    assert "Error: " in done.err


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_a_help_that_begins_like_its_line_in_the_list(command: str) -> None:
    shown = CliRunner().invoke(tacit, [command, "--help"])
    assert shown.exit_code == 0
    assert shown.output.startswith(f"Usage: tacit {command}")
    assert COMMANDS[command].endswith((".", "?"))


BAD: dict[str, tuple[str, str, int]] = {
    "no data": (PLAN.replace("people.csv", "none.csv"), "there is no file", 3),
    "unknown field": (PLAN + "  extra: 1\n", "release.extra: there is no such key", 3),
    "no YAML": ("a: [", "not valid YAML", 3),
    "unknown role": (PLAN.replace("role: sensitive", "role: secret"), "columns.ill.role", 3),
    "k = 1": (PLAN.replace("k: 3", "k: 1"), "1-anonymity protects nobody", 3),
    "k above the table": (PLAN.replace("k: 3", "k: 99"), "reaches 12, but 99 is required", 1),
    "output is input": (PLAN + "  output: people.csv\n", "the original must stay as it is", 5),
    "unknown method": (PLAN + "  method: tables/latice\n", "did you mean", 3),
}


@pytest.mark.parametrize("case", BAD)
def test_an_error_is_one_clear_line_without_a_traceback_or_a_cell(
    plan: Path, case: str, capsys: pytest.CaptureFixture[str]
) -> None:
    text, message, code = BAD[case]
    plan.write_text(text)
    done = run_here(capsys, "protect", plan)
    assert (done.code, done.out) == (code, "")
    (line,) = done.complaints
    assert line.startswith("tacit: ")
    assert message in line
    assert "planted" not in line
    assert sorted(path.name for path in plan.parent.iterdir()) == ["people.csv", "plan.yaml"]


def test_an_unforeseen_error_tells_its_kind_and_place_only(
    plan: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*args: Any) -> None:
        raise ZeroDivisionError("planted-cell")

    monkeypatch.setattr("tacit.plan.load.load_plan", fail)
    done = run_here(capsys, "protect", plan)
    assert (done.code, done.out) == (70, "")
    assert "internal error: ZeroDivisionError" in done.err
    assert "planted" not in done.err
    monkeypatch.setenv("TACIT_DEBUG", "1")
    with pytest.raises(ZeroDivisionError, match=r"planted-cell"):
        run_here(capsys, "protect", plan)


def test_an_unforeseen_error_of_the_system_names_the_file(
    plan: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*args: Any) -> None:
        raise PermissionError(13, "Permission denied", "some/file")

    monkeypatch.setattr("tacit.plan.load.load_plan", fail)
    done = run_here(capsys, "protect", plan)
    assert (done.code, done.complaints) == (3, ["tacit: some/file: Permission denied"])


def test_the_codes_of_errors_are_those_of_the_design() -> None:
    from tacit import errors

    codes = {
        "TacitError": 70,
        "BadParameter": 3,
        "BadData": 3,
        "CannotGuarantee": 1,
        "BudgetExceeded": 4,
        "PolicyRefused": 5,
        "MissingExtra": 3,
        "EngineCannot": 3,
    }
    assert {name: getattr(errors, name).exit_code for name in codes} == codes
    assert issubclass(BadData, errors.TacitError)


@pytest.mark.slow
def test_progress_goes_to_standard_error_only(
    plan: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Here at once; otherwise after a second."""
    monkeypatch.setattr("tacit.cli.terminal.QUIET_SECONDS", 0.0)
    monkeypatch.setattr("tacit.verbs.progress_line.TICK_SECONDS", 0.001)
    done = run_here(capsys, "protect", plan, "--json")
    assert (done.code, done.complaints) == (0, [])
    assert json.loads(done.out)["holds"] is True
    assert re.match(r"0\.0 s  \w+", done.err)


def test_a_quick_command_shows_no_progress(capsys: pytest.CaptureFixture[str]) -> None:
    with progress() as tell:
        tell("working")
    assert capsys.readouterr() == ("", "")


class Screen(io.StringIO):
    """A terminal."""

    def isatty(self) -> bool:
        return True


def test_progress_on_a_terminal_wipes_itself_out(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = Screen()
    monkeypatch.setattr("tacit.cli.terminal.QUIET_SECONDS", 0.0)
    monkeypatch.setattr("tacit.verbs.progress_line.TICK_SECONDS", 0.001)
    monkeypatch.setattr(sys, "stderr", screen)
    with progress() as tell:
        tell("working " * 50)
        while "working" not in screen.getvalue():
            sleep(0.005)
    assert screen.getvalue().endswith("\r\x1b[K")
    assert max(map(len, screen.getvalue().split("\r"))) <= 110


@pytest.mark.slow
def test_whoever_reads_the_output_may_go_early(plan: Path) -> None:
    with subprocess.Popen([*TACIT, "methods"], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as child:
        assert child.stdout is not None
        assert child.stderr is not None
        child.stdout.close()
        assert child.stderr.read() == b""
    assert child.returncode == 0


@pytest.mark.parametrize("code", ["import tacit", "import sys; sys.argv = ['tacit', '--help']; import tacit.__main__"])
def test_starting_imports_nothing_heavy(code: str) -> None:
    show = f"print(sorted(set(sys.modules) & set({HEAVY!r})), file=sys.stderr)"
    script = f"import sys, atexit\natexit.register(lambda: {show})\n{code}"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.returncode == 0
    assert done.stderr == "[]\n"


@pytest.mark.slow
def test_only_a_command_changes_how_often_cycles_are_looked_for() -> None:
    script = """if True:
        import gc, sys
        before = gc.get_threshold()
        import tacit.cli, tacit.verbs.plans
        print(gc.get_threshold() == before)
        sys.argv = ["tacit", "--version"]
        try:
            tacit.cli.main()
        except SystemExit:
            print(gc.get_threshold()[0] > 10 * before[0])"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    first, _, last = done.stdout.splitlines()
    assert (first, last) == ("True", "True")


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="counts threads as Linux shows them")
@pytest.mark.parametrize(("wanted", "threads"), [(None, 1), ("2", 2)])
def test_a_command_starts_no_threads_for_matrices_unless_they_are_wanted(wanted: str | None, threads: int) -> None:
    script = """if True:
        import os, sys
        import tacit.cli
        sys.argv = ["tacit", "--version"]
        try:
            tacit.cli.main()
        except SystemExit:
            import numpy
            print(len(os.listdir("/proc/self/task")))"""
    environment = {name: value for name, value in os.environ.items() if not name.endswith("_NUM_THREADS")}
    environment |= {} if wanted is None else {"OPENBLAS_NUM_THREADS": wanted}
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, env=environment)
    assert int(done.stdout.splitlines()[-1]) == min(threads, os.cpu_count() or 1)


@pytest.mark.slow
def test_every_name_is_there_after_a_quick_start() -> None:
    script = "import tacit\nfor name in tacit.__all__: getattr(tacit, name)\nprint(len(tacit.__all__))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert int(done.stdout) >= 18


def test_a_second_draft_is_offered_a_name_that_is_free(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "people.csv").write_text(PEOPLE)
    (tmp_path / "people.plan.yaml").write_text("mine")
    (tmp_path / "people-2.plan.yaml").write_text("mine too")
    refused = run_here(capsys, "inspect", tmp_path / "people.csv")
    assert refused.code == 5
    proposed = tmp_path / "people-3.plan.yaml"
    assert f"write another plan with `-o {proposed}`, or replace it with --force" in refused.err
    assert run_here(capsys, "inspect", tmp_path / "people.csv", "-o", proposed).code == 0
    assert (tmp_path / "people.plan.yaml").read_text() == "mine"


def test_names_that_a_spreadsheet_would_run_are_refused_where_formulas_are_guarded(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "people.csv").write_text(PEOPLE.replace("name,zip,age,ill", "=name,zip,age,@ill"))
    plan = tmp_path / "plan.yaml"
    plan.write_text(PLAN.replace("  name:", "  '=name':").replace("  ill:", "  '@ill':") + "  guard_formulas: true\n")
    done = run_here(capsys, "protect", plan)
    assert done.code == 3
    assert "a spreadsheet would run a column name of people.csv as a formula: '@ill'; " in done.err
    plan.write_text(plan.read_text().replace("  guard_formulas: true\n", ""))
    assert run_here(capsys, "protect", plan).code == 0


@pytest.mark.parametrize("where", [".", "..", "/"])
def test_a_folder_is_not_inspected(where: str, capsys: pytest.CaptureFixture[str]) -> None:
    done = run_here(capsys, "inspect", where)
    assert (done.code, done.complaints) == (3, [f"tacit: {where} is a folder; name a file in it"])


def test_a_misspelt_command_is_told_which_was_meant(capsys: pytest.CaptureFixture[str]) -> None:
    done = run_here(capsys, "protct")
    assert (done.code, done.complaints[-1]) == (2, "Error: No such command 'protct'. Did you mean 'protect'?")
    assert run_here(capsys, "xyzzy").complaints[-1] == "Error: No such command 'xyzzy'."


def test_a_name_that_no_release_can_have_is_told_those_that_it_can(
    plan: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("x.docx", "x.sav"):
        (said,) = run_here(capsys, "protect", plan, "-o", name).complaints
        assert said.endswith("give a name that ends in one of .csv, .parquet, .sqlite, .xlsx")


def test_a_format_that_the_name_does_not_tell_can_be_given(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What a message advises can be done."""
    path = tmp_path / "people.dat"
    path.write_text("age,sex\n" + "30,f\n41,m\n" * 4, encoding="utf-8")
    refused = run_here(capsys, "inspect", path)
    assert refused.code == 3
    assert "give the `format` of what you read" in refused.err
    assert run_here(capsys, "inspect", path, "--format", "csv").code == 0
