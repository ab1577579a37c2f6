"""Interrupts and full disks: a query ends when it is told to, a file that can't be written is an OSError.

Covers engines/duckdb, engines/engine, duckdb/interrupt.
"""

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from types import FrameType

import numpy as np
import pyarrow as pa
import pytest

from tacit.data.sources.source import Source
from tacit.data.tables.counting import TallyRequest, tally_from
from tacit.data.tables.recoding import Recoding
from tacit.engines.duckdb import DuckDB, interrupt
from tacit.engines.duckdb.interrupt import interruptible
from tacit.engines.engine import Engine, Target

ENDLESS = "select count(*) from range(100000000) a, range(1000000) b where a.range * b.range % 7 = 3"
WAITING = (interrupt.__file__, threading.__file__)


@pytest.fixture(autouse=True)
def heeded() -> Iterator[None]:
    """The signal is heeded, also where the tests were started in the background, which makes Python ignore it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.slow
def test_an_interrupt_ends_the_query_and_the_engine_lives_on() -> None:
    with DuckDB(threads=1) as engine:
        timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))

        def work() -> None:
            timer.start()
            engine.connection.sql(ENDLESS).fetchall()

        with pytest.raises(KeyboardInterrupt):
            interruptible(engine.connection, work)
        assert interruptible(engine.connection, lambda: engine.connection.sql("select 1").fetchall()) == [(1,)]


def test_an_interrupt_before_the_work_has_begun_keeps_it_from_beginning(monkeypatch: pytest.MonkeyPatch) -> None:
    """The thread exists, but the interrupt comes before it does anything."""
    begun: list[int] = []
    threads: list[Callable[[], None]] = []

    def start_late(run: Callable[[], None], arguments: tuple[()]) -> None:
        threads.append(run)
        raise KeyboardInterrupt

    with DuckDB(threads=1) as engine, monkeypatch.context() as patch:
        patch.setattr(interrupt, "start_new_thread", start_late)
        with pytest.raises(KeyboardInterrupt):
            interruptible(engine.connection, lambda: begun.append(1))
    threads[0]()
    assert begun == []


class Endless:
    """Work that ends when it is interrupted, or has waited far too long."""

    def __init__(self) -> None:
        self.begun, self.ended, self.told = False, False, threading.Semaphore(0)

    def interrupt(self) -> None:
        self.told.release()

    def work(self) -> bool:
        self.begun = True
        told = self.told.acquire(timeout=20)
        self.ended = True
        return told


@contextmanager
def interrupted_at(step: int) -> Iterator[None]:
    """An interrupt at the step-th place of whatever Python code waits: before a line, or after a function has done its
    work but before it returns, which is where a lock that was taken is lost."""
    steps = count(1)

    def trace(frame: FrameType, event: str, argument: object) -> object:
        if frame.f_code.co_filename in WAITING and event in ("line", "return") and next(steps) == step:
            raise KeyboardInterrupt
        return trace

    before = sys.gettrace()
    sys.settrace(trace)  # type: ignore[arg-type]
    try:
        yield
    finally:
        sys.settrace(before)


@pytest.mark.slow
def test_an_interrupt_at_any_place_ends_the_work_and_comes_through(monkeypatch: pytest.MonkeyPatch) -> None:
    # So many places as starting and waiting once would have with the classes of `threading`, which lose interrupts.
    monkeypatch.setattr(interrupt, "PATIENCE_SECONDS", 0.0005)
    for step in range(2, 160):
        endless = Endless()
        with pytest.raises(KeyboardInterrupt), interrupted_at(step):
            interruptible(endless, endless.work)  # type: ignore[arg-type]
        assert endless.ended or not endless.begun


def test_an_error_in_the_work_comes_through() -> None:
    def fail() -> None:
        raise ZeroDivisionError

    with DuckDB(threads=1) as engine, pytest.raises(ZeroDivisionError):
        interruptible(engine.connection, fail)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="only where the system has a device that is always full")
@pytest.mark.parametrize("form", ["csv", "parquet"])
def test_a_full_disk_is_said_to_be_full(engine: Engine, form: str) -> None:
    source = Source("frame", frame=pa.table({"a": ["x"] * 100_000}))
    tally = tally_from(engine.tally(source, ["a"]), TallyRequest(("a",)))
    one = np.ones(1, np.int64)
    recoding = Recoding(("a",), (("x",),), (one,), np.zeros((1, 1), np.int32), one - 1, tally.rows, one > 1)
    target = Target(("a",), ("a",), Path("/dev/full"), form)  # type: ignore[arg-type]
    with pytest.raises(OSError, match=r"No space left on device"):
        engine.write(engine.recoded(source, tally, recoding, target.stars), target)


def test_the_folder_of_the_engine_is_gone_afterwards() -> None:
    with DuckDB(threads=1) as engine:
        folder = engine._folder
        assert folder.stat().st_mode & 0o077 == 0
    assert not folder.exists()
