"""Interrupts, kills and full disks in the middle of a run: the old release stays whole, nothing half made is left.

Covers __main__, cli/protect, cli/ask, cli/stops, runs/deeds, runs/answers/charging, atomic.
"""

import json
import resource
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from tests.cli.commands import TACIT, Ended, run_here
from tests.examples import draws

PLAN = """
version: 1
data: {path: people.csv}
columns: {zip: {role: quasi-identifier}, ill: {role: sensitive}, note: {role: insensitive}}
release: {guarantees: [{k-anonymity: {k: 3}}]}
"""
# Whoever waits in short sleeps hears a signal that struck just before one of them at the end of that one.
SLOW = """
import sys, time
from tacit.engines.duckdb import DuckDB
write = DuckDB.write
def slow(self, *args):
    write(self, *args)
    print("written", file=sys.stderr, flush=True)
    for _ in range(600): time.sleep(0.1)
DuckDB.write = slow
from tacit.cli import main
main()
"""
ROWS = 10_000
FORMATS = ("csv", "parquet", "sqlite")


def heed_interrupts() -> None:
    """In the child: SIGINT is heeded, also where the tests were started in the background, which ignores it."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@pytest.fixture
def plan(tmp_path: Path) -> Path:
    lines = (f"{1000 + i % 5},{'abc'[i % 3]},{i * 2654435761 % 2**32:x}{i}\n" for i in range(ROWS))
    (tmp_path / "people.csv").write_text("zip,ill,note\n" + "".join(lines))
    path = tmp_path / "plan.yaml"
    path.write_text(PLAN)
    return path


def files_of(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def stopped(plan: Path, output: Path, number: signal.Signals) -> Ended:
    """The run after it was sent the signal while the release stood aside."""
    words = [sys.executable, "-c", SLOW, "protect", str(plan), "-o", str(output)]
    with subprocess.Popen(
        preexec_fn=heed_interrupts, args=words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as child:
        assert child.stderr is not None
        said = ""
        while "written" not in said:
            line = child.stderr.readline()
            assert line, said
            said += line
        child.send_signal(number)
        out, err = child.communicate(timeout=30)
    return Ended(child.returncode, out, err)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("form", "number", "code"),
    [("csv", signal.SIGINT, 130), ("sqlite", signal.SIGINT, 130), ("parquet", signal.SIGTERM, 143)],
)
def test_an_interrupt_leaves_the_old_release_and_nothing_else(
    plan: Path, form: str, number: signal.Signals, code: int
) -> None:
    output = plan.with_name(f"out.{form}")
    for name in (output.name, "out.evidence.json", "out.report.html"):
        plan.with_name(name).write_text("old")
    before = files_of(plan.parent)
    done = stopped(plan, output, number)
    assert (done.code, done.out) == (code, "")
    assert done.complaints == (["tacit: interrupted; nothing was changed"] if code == 130 else [])
    assert files_of(plan.parent) == before


@pytest.mark.slow
def test_a_kill_leaves_the_old_release_and_the_next_run_works(plan: Path, capsys: pytest.CaptureFixture[str]) -> None:
    output = plan.with_name("out.csv")
    output.write_text("old")
    before = files_of(plan.parent)
    done = stopped(plan, output, signal.SIGKILL)
    assert done.code == -signal.SIGKILL
    left = {path.name for path in plan.parent.iterdir()} - set(before)
    assert {name: (plan.parent / name).read_bytes() for name in before} == before
    assert all(name.endswith(".publishing") for name in left)
    assert run_here(capsys, "protect", plan, "-o", output).code == 0
    assert output.read_bytes() != b"old"
    # What the kill left aside is gone.
    assert set(files_of(plan.parent)) == {*before, "out.evidence.json", "out.report.html"}


@contextmanager
def small_disk(size: int) -> Iterator[None]:
    """No file may grow beyond the size. Compiled modules would be cut off unnoticed, so none is written meanwhile."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    compiled, sys.dont_write_bytecode = sys.dont_write_bytecode, True
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        sys.dont_write_bytecode = compiled


@pytest.mark.parametrize("form", FORMATS)
def test_a_file_that_does_not_fit_leaves_the_old_release_whole(
    plan: Path, form: str, capsys: pytest.CaptureFixture[str]
) -> None:
    output = plan.with_name(f"out.{form}")
    output.write_text("old")
    before = files_of(plan.parent)
    with small_disk(50_000):
        done = run_here(capsys, "protect", plan, "-o", output)
    assert (done.code, done.out) == (3, "")
    (line,) = done.complaints
    assert line.startswith(f"tacit: can't write {output}: ")
    assert files_of(plan.parent) == before


@pytest.mark.slow
def test_evidence_that_does_not_fit_leaves_all_three_as_they_were(
    plan: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The release is small here, the report is not."""
    plan.write_text(PLAN.replace("note: {role: insensitive}", "note: {role: identifier}"))
    small = plan.with_name("people.csv")
    small.write_text("\n".join(small.read_text().splitlines()[:50]) + "\n")
    for name in ("out.csv", "out.evidence.json", "out.report.html"):
        plan.with_name(name).write_text("old")
    before = files_of(plan.parent)
    with small_disk(8_000):
        done = run_here(capsys, "protect", plan, "-o", plan.with_name("out.csv"))
    assert done.code == 3
    assert "can't write" in done.err
    assert files_of(plan.parent) == before


ASKED = """
version: 1
data: {path: people.csv}
columns:
  zip: {role: quasi-identifier, bounds: [1000, 1005]}
  ill: {role: sensitive, categories: [a, b, c]}
  note: {role: identifier}
privacy: {budget: {epsilon: 5}}
questions: [{statistics/count: {epsilon: 1}}, {statistics/mean: {of: zip, epsilon: 1}}]
release: {guarantees: [{differential-privacy: {epsilon: 2}}], method: synthesize/independent}
"""
HALTED = """
import sys, time
from tacit.runs.answers import asking, charging
from tacit.cli import main
def halted(module, name):
    work = getattr(module, name)
    def halt(*args, **kinds):
        HOW
        print("halted", file=sys.stderr, flush=True)
        for _ in range(600): time.sleep(0.1)
    setattr(module, name, halt)
halted(*WHERE)
main()
"""
AFTER_CHARGE = HALTED.replace("HOW", "pass").replace("WHERE", "(asking.AskableRows, 'answers')")
IN_CHARGE = HALTED.replace("HOW", "work(*args, **kinds)").replace("WHERE", "(charging.Ledger, 'charge_all')")
BEFORE_CHARGE = HALTED.replace("HOW", "pass").replace("WHERE", "(charging.Ledger, 'has_seen')")


def interrupted(script: str, *words: str | Path, number: signal.Signals = signal.SIGINT) -> Ended:
    """The command after an interrupt, or another signal, at the moment at which the script halts it."""
    with subprocess.Popen(
        [sys.executable, "-c", script, *map(str, words)],
        preexec_fn=heed_interrupts,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as child:
        assert child.stderr is not None
        while (line := child.stderr.readline()) != "halted\n":
            assert line
        child.send_signal(number)
        out, err = child.communicate(timeout=30)
    return Ended(child.returncode, out, err)


STAYS = "stays spent: see `tacit budget plan.yaml`"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("command", "script", "words"),
    [
        ("ask", AFTER_CHARGE, f"nothing was published, and charges 2 to 3 (epsilon 2, delta 0) {STAYS}"),
        ("protect", AFTER_CHARGE, f"nothing was published, and charge 2 (epsilon 2, delta 0) {STAYS}"),
        (
            "ask",
            IN_CHARGE,
            "nothing was published, and it was being charged epsilon 2, delta 0: `tacit budget plan.yaml` shows "
            "whether that was completed",
        ),
        ("ask", BEFORE_CHARGE, "nothing was changed"),
    ],
)
def test_an_interrupt_says_what_stays_charged(
    plan: Path, command: str, script: str, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """The budget itself says the same: whatever is told to stay spent is in the ledger, and nothing else is."""
    plan.write_text(ASKED)
    done = interrupted(script, command, plan)
    told = words.replace("stays", "stay") if "charges" in words else words
    assert (done.code, done.out, done.complaints) == (130, "", [f"tacit: interrupted; {told}"])
    spent = json.loads(run_here(capsys, "budget", plan, "--json").out)["spent"]["epsilon"]
    assert spent == (0 if "nothing was changed" in words else 2)
    assert not list(plan.parent.glob("*.report.html"))


CLOSING = """
import sys, time
from tacit.engines.duckdb import DuckDB
from tacit.cli import main
def halted(self, *failure):
    print("halted", file=sys.stderr, flush=True)
    for _ in range(600): time.sleep(0.1)
DuckDB.__exit__ = halted
main()
"""


@pytest.mark.slow
def test_an_interrupt_after_publication_says_that_the_work_is_done(
    plan: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """While the engine closes, answers are paid for and published, so that `nothing was changed` would be false."""
    plan.write_text(ASKED)
    done = interrupted(CLOSING, "ask", plan)
    assert (done.code, done.complaints) == (130, ["tacit: interrupted; the work was already done and stays"])
    assert json.loads(run_here(capsys, "budget", plan, "--json").out)["spent"]["epsilon"] == 2
    assert list(plan.parent.glob("*.report.html"))


REPLACED = """
import sys, time
from tacit.engines.duckdb import DuckDB
from tacit.cli import main
def replaced(self, source):
    print("halted", file=sys.stderr, flush=True)
    try:
        for _ in range(600): time.sleep(0.1)
    except (KeyboardInterrupt, SystemExit):
        raise RuntimeError("an error of a library") from None
DuckDB.columns = replaced
main()
"""


STOPPED = {
    signal.SIGINT: (130, ["tacit: interrupted; nothing was changed"]),
    signal.SIGTERM: (143, []),
}


@pytest.mark.slow
@pytest.mark.parametrize("number", STOPPED)
def test_an_interrupt_that_a_library_turns_into_an_error_of_its_own_is_an_interrupt(
    plan: Path, number: signal.Signals
) -> None:
    done = interrupted(REPLACED, "protect", plan, number=number)
    assert (done.code, done.complaints) == STOPPED[number]


LOST = """
import sys, time
from tacit.engines.duckdb import DuckDB
from tacit.cli import main
class Heedless:
    def __del__(self):
        print("halted", file=sys.stderr, flush=True)
        for _ in range(600): time.sleep(0.1)
columns = DuckDB.columns
def losing(self, source):
    Heedless()
    time.sleep(1)
    return columns(self, source)
DuckDB.columns = losing
main()
"""


@pytest.mark.slow
@pytest.mark.parametrize("number", STOPPED)
def test_an_interrupt_that_strikes_where_no_error_can_pass_strikes_again(plan: Path, number: signal.Signals) -> None:
    done = interrupted(LOST, "protect", plan, number=number)
    assert (done.code, done.complaints) == STOPPED[number]
    assert "Traceback" not in done.err


AT_WORK = """
import sys, threading, time
import duckdb
from tacit import cli, __main__
from tacit.engines.duckdb import DuckDB
def forever():
    connection = duckdb.connect()
    while True:
        connection.execute("select sum(range) from range(1000000)").fetchall()
def halted(self, source):
    for _ in range(2):
        threading.Thread(target=forever, daemon=True).start()
    print("halted", file=sys.stderr, flush=True)
    for _ in range(600): time.sleep(0.1)
DuckDB.columns = halted
"""


@pytest.mark.slow
@pytest.mark.parametrize(("main", "code"), [("__main__", 130), ("cli", -signal.SIGABRT)])
def test_an_interrupt_ends_the_process_while_a_library_is_at_work(plan: Path, main: str, code: int) -> None:
    """A thread that comes back from C++ while Python ends aborts the process, unless that leaves at once."""
    done = interrupted(f"{AT_WORK}{main}.main()", "protect", plan)
    assert done.code == code
    assert "tacit: interrupted; nothing was changed" in done.complaints
    assert ("terminate" in done.err) is (code != 130)


BARELY_BEGUN = """
import sys, time
class Slow:
    def find_spec(self, name, path, target=None):
        if name == "click":
            print("halted", file=sys.stderr, flush=True)
            for _ in range(600): time.sleep(0.1)
sys.meta_path.insert(0, Slow())
from tacit.__main__ import main
main()
"""


@pytest.mark.slow
def test_an_interrupt_while_the_command_line_is_imported_is_told_like_any_other(plan: Path) -> None:
    done = interrupted(BARELY_BEGUN, "protect", plan, "--json")
    assert (done.code, done.complaints) == (130, ["tacit: interrupted; nothing was changed"])
    assert json.loads(done.out)["error"]["kind"] == "Interrupted"


WATCHED = """
import sys
import time
from tacit.__main__ import main
print("here", file=sys.stderr, flush=True)
main()
"""
MOMENTS = draws(6)


def interrupted_after(seconds: float, *words: str | Path) -> tuple[Ended, float]:
    """The command after an interrupt so many seconds after its beginning, and how long it ran."""
    with subprocess.Popen(
        [sys.executable, "-c", WATCHED, *map(str, words)],
        preexec_fn=heed_interrupts,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as child:
        assert child.stderr is not None
        assert child.stderr.readline() == "here\n"
        begin = time.monotonic()
        with suppress(subprocess.TimeoutExpired):
            child.wait(seconds)
        child.send_signal(signal.SIGINT)
        out, err = child.communicate(timeout=30)
        return Ended(child.returncode, out, err), time.monotonic() - begin


@pytest.mark.slow
def test_an_interrupt_at_any_moment_is_an_interrupt_and_no_defect(
    plan: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Imports, connecting, reading, charging, writing: each takes a part of the time, and the moments are spread evenly
    over all of it. What the interrupt says of the budget is so."""
    plan.write_text(ASKED.replace("epsilon: 5", "epsilon: 500"))
    whole, seconds = interrupted_after(60, "ask", plan)
    assert whole.code == 0
    charged = 2
    for moment in range(MOMENTS):
        done, _ = interrupted_after(seconds * (moment + 1) / MOMENTS, "ask", plan)
        assert done.code in (0, 130), done
        assert "error" not in done.err, done
        assert "Traceback" not in done.err, done
        spent = json.loads(run_here(capsys, "budget", plan, "--json").out)["spent"]["epsilon"]
        if done.code == 0 or "stay spent" in done.err or "was already done" in done.err:
            charged += 2
        if "it was being charged" not in done.err:
            assert spent == charged, done
        charged = spent


@pytest.mark.slow
def test_a_view_that_never_ends_can_be_interrupted(tmp_path: Path) -> None:
    """Nobody can tell whether a view of a database ends, so whoever waits in vain must be heard."""
    with closing(sqlite3.connect(tmp_path / "endless.db")) as database, database:
        database.execute(
            "create view people as with recursive n(a) as (select 1 union all select a + 1 from n) select a from n"
        )
    words = [*TACIT, "inspect", "endless.db"]
    heeding: dict[str, Any] = {"preexec_fn": heed_interrupts, "stderr": subprocess.PIPE, "text": True}
    with subprocess.Popen(words, cwd=tmp_path, **heeding) as child:
        try:
            assert child.stderr is not None
            assert " s  " in child.stderr.readline(), "it tells that it is at work"
            time.sleep(2)
            child.send_signal(signal.SIGINT)
            assert child.wait(timeout=60) == 130
        finally:
            child.kill()  # Otherwise it would never end, and fill the memory.
    assert [path.name for path in tmp_path.iterdir()] == ["endless.db"]
