"""Interrupts and full disks: a query ends when it is told to, a file that can't be written is an OSError."""

import signal
import threading
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from tacit.data.counting import Reading, tally_from
from tacit.data.recoding import Recoding
from tacit.data.source import Source
from tacit.engines._interrupt import interruptible
from tacit.engines.duckdb import DuckDB
from tacit.engines.engine import Target


@pytest.fixture(autouse=True)
def heeded() -> Iterator[None]:
    """The signal is heeded, also where the tests were started in the background, which makes Python ignore it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def test_an_interrupt_before_the_work_has_begun_keeps_it_from_beginning(monkeypatch: pytest.MonkeyPatch) -> None:
    """The thread exists, but the interrupt comes before it does anything."""
    begun = []
    start = threading.Thread.start

    def interrupted_start(thread: threading.Thread) -> None:
        run, gate = thread._target, threading.Event()  # type: ignore[attr-defined]
        thread._target = lambda: (gate.wait(5), run())  # type: ignore[attr-defined]
        start(thread)
        threading.Timer(0.1, gate.set).start() if thread.name == "tacit-query" else gate.set()
        if thread.name == "tacit-query":
            raise KeyboardInterrupt

    with DuckDB(threads=1) as engine:
        monkeypatch.setattr(threading.Thread, "start", interrupted_start)
        with pytest.raises(KeyboardInterrupt):
            interruptible(engine.connection, lambda: begun.append(1))
        monkeypatch.undo()
    assert begun == []


def test_an_error_in_the_work_comes_through() -> None:
    def fail() -> None:
        raise ZeroDivisionError

    with DuckDB(threads=1) as engine, pytest.raises(ZeroDivisionError):
        interruptible(engine.connection, fail)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="only where the system has a device that is always full")
@pytest.mark.parametrize("form", ["csv", "parquet"])
def test_a_full_disk_is_said_to_be_full(engine: DuckDB, form: str) -> None:
    source = Source("frame", frame=pa.table({"a": ["x"] * 100_000}))
    tally = tally_from(engine.tally(source, ["a"]), Reading(("a",)))
    one = np.ones(1, np.int64)
    recoding = Recoding(("a",), (("x",),), (one,), np.zeros((1, 1), np.int32), one - 1, tally.rows, one > 1)
    target = Target(("a",), ("a",), Path("/dev/full"), form)  # type: ignore[arg-type]
    with pytest.raises(OSError, match=r"No space left on device"):
        engine.write(source, tally, recoding, target)


def test_the_folder_of_the_engine_is_gone_afterwards() -> None:
    with DuckDB(threads=1) as engine:
        folder = Path(engine._folder.name)
        assert folder.stat().st_mode & 0o077 == 0
    assert not folder.exists()
