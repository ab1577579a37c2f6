"""Names that would act on a terminal are shown, not obeyed: of columns, files and plans, in results and complaints.

Covers cli/terminal, cli/inspect, cli/protect, cli/check, cli/attack, cli/compare, tacit/visible.
"""

import io
import json
import sys
from pathlib import Path
from time import sleep

import pytest
from tests.cli.commands import Ended, run_here

from tacit.cli.terminal import print_json, progress, say
from tacit.request import Stage

COLUMN = "\x1b]0;owned\x07\x1b[2Jx"
TURNED = "\u202egnp"
ACTING = ("\x1b", "\x07", "\u202e", "\r")
"""Nothing that a terminal obeys; our own lines end with a line feed."""


def is_tame(done: Ended) -> None:
    for character in ACTING:
        assert character not in done.out + done.err, repr(done.out + done.err)


@pytest.fixture
def hostile(tmp_path: Path) -> Path:
    """The review's file, with names that clear the screen, set its title, turn letters round and begin a line."""
    head = f'age,{COLUMN},{TURNED},"break\ntacit: all is well"'
    path = tmp_path / f"a\x1b[2J{TURNED}.csv"
    path.write_text(head + "\n" + "1,f,a,u\n2,m,b,v\n" * 6, encoding="utf-8")
    return path


def test_a_hostile_header_is_shown_by_inspect(hostile: Path, capsys: pytest.CaptureFixture[str]) -> None:
    done = run_here(capsys, "inspect", hostile)
    assert done.code == 0, done.err
    is_tame(done)
    assert r"\x1b]0;owned\x07\x1b[2Jx" in done.out
    assert r"\u202egnp" in done.out
    assert "break tacit: all is well" in done.out
    assert "tacit: all is well" not in done.out.split("\n")


@pytest.mark.slow
def test_all_commands_show_hostile_names(hostile: Path, capsys: pytest.CaptureFixture[str]) -> None:
    plan = hostile.with_name(f"p\x1b[2J{TURNED}.yaml")
    assert run_here(capsys, "inspect", hostile, "-o", plan).code == 0
    plan.write_text(plan.read_text(encoding="utf-8").replace("k: 5", "k: 2"), encoding="utf-8")
    for words in (
        ("protect", plan),
        ("check", hostile, "--plan", plan),
        ("attack", plan),
        ("compare", plan, "--methods", "tables/lattice"),
        ("tabulate", plan, "--by", COLUMN),
        ("protect", plan, "--json"),
        ("protect", hostile.with_name(f"no\x1b[2J{TURNED}.yaml")),
        ("protect", hostile.with_name("no\ntacit: all is well.yaml")),
        ("inspect", hostile, "-o", plan),
        ("inspect", f"\x1b[2J{TURNED}"),
        ("\x1b[2J",),
        ("methods", f"\x1b[2J{TURNED}"),
    ):
        done = run_here(capsys, *words)
        is_tame(done)
        assert not any(line.startswith("tacit: all") for line in (done.out + done.err).split("\n")), words
        assert done.code in (0, 1, 2, 3, 5), (words, done.err)


def test_a_misspelt_key_of_a_plan_is_shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "plan.yaml").write_text('version: 1\n"\\e[2J\\u202eb\\nx": 1\n', encoding="utf-8")
    done = run_here(capsys, "protect", tmp_path / "plan.yaml")
    is_tame(done)
    assert r"\x1b[2J\u202eb\nx: there is no such key" in done.err


def test_json_escapes_what_acts_and_reads_back(capsys: pytest.CaptureFixture[str]) -> None:
    print_json({"name": f"{COLUMN}{TURNED}\x9b\u2028é", "list": [1]})
    out, _ = capsys.readouterr()
    assert not {character for character in out if character in ("\x1b", "\u202e", "\x9b", "\u2028")}
    assert "é" in out
    assert json.loads(out)["name"] == f"{COLUMN}{TURNED}\x9b\u2028é"


def test_breaks_at_the_ends_of_a_line_are_ours(capsys: pytest.CaptureFixture[str]) -> None:
    say("\na\nb\n", "", "c")
    assert capsys.readouterr().out == "\na\\nb\n\n\nc\n"


class Screen(io.StringIO):
    """A terminal."""

    def isatty(self) -> bool:
        return True


def test_progress_shows_a_share_and_a_time_and_obeys_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = Screen()
    monkeypatch.setattr("tacit.cli.terminal.QUIET_SECONDS", 0.0)
    monkeypatch.setattr("tacit.verbs.progress_line.LEAST_SPENT", 0.0)
    monkeypatch.setattr("tacit.verbs.progress_line.LEAST_SHARE", 0.25)
    monkeypatch.setattr("tacit.verbs.progress_line.TICK_SECONDS", 0.001)
    monkeypatch.setattr(sys, "stderr", screen)
    with progress() as tell:
        tell(Stage("trying", 0, 4))
        sleep(0.01)
        tell(Stage(f"trying {COLUMN}", 1, 4))
        while r"  25 %  about 1 s left  trying \x1b]0;owned" not in screen.getvalue():
            sleep(0.005)
    assert screen.getvalue().replace("\r\x1b[K", "").count("\x1b") == 0


def test_a_share_is_between_nothing_and_all() -> None:
    assert [Stage("a", done, 4).share for done in (-1, 0, 1, 5)] == [0, 0, 0.25, 1]
    assert Stage("a", 1, 0).share == 0
    assert Stage("a", 1, 2) == "a"
