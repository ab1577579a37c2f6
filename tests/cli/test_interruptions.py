"""Interrupts, kills and full disks in the middle of a run: the old release stays whole, nothing half made is left.

Covers cli/protect, atomic.
"""

import resource
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from tests.cli.commands import Ended, run_here

PLAN = """
version: 1
data: {path: people.csv}
columns: {zip: {role: quasi-identifier}, ill: {role: sensitive}, note: {role: insensitive}}
release: {guarantees: [{k-anonymity: {k: 3}}]}
"""
SLOW = """
import sys, time
from tacit.engines.duckdb import DuckDB
write = DuckDB.write
def slow(self, *args):
    write(self, *args)
    print("written", file=sys.stderr, flush=True)
    time.sleep(60)
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
