"""Progress in Python: shown where somebody watches, with the share of a long query.

Covers verbs/progress_line, verbs/engine, duckdb/database.
"""

import io
import os
import sys
from itertools import pairwise
from pathlib import Path
from time import sleep
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacit.engines.duckdb import DuckDB
from tacit.request import Stage, share_done
from tacit.verbs.engine import working
from tacit.verbs.progress_line import _LineState, _TimeLeft, cut, is_watched, terminal_width


class Screen(io.StringIO):
    """A terminal."""

    def isatty(self) -> bool:
        return True


def test_whoever_sits_at_a_terminal_or_notebook_watches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    monkeypatch.delitem(sys.modules, "IPython", raising=False)
    assert not is_watched()
    kernel = type("ZMQInteractiveShell", (), {})()
    monkeypatch.setitem(sys.modules, "IPython", SimpleNamespace(get_ipython=lambda: kernel))  # type: ignore[misc]
    assert is_watched()
    monkeypatch.setitem(sys.modules, "IPython", SimpleNamespace(get_ipython=lambda: None))  # type: ignore[misc]
    assert not is_watched()
    monkeypatch.setattr(sys, "stderr", Screen())
    assert is_watched()


def test_a_call_in_python_shows_its_progress_to_whoever_watches(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = Screen()
    monkeypatch.setattr("tacit.verbs.engine.QUIET_SECONDS", 0.0)
    monkeypatch.setattr("tacit.verbs.progress_line.TICK_SECONDS", 0.001)
    monkeypatch.setattr(sys, "stderr", screen)
    with working() as work:
        work.progress("counting")
        while "counting" not in screen.getvalue():
            sleep(0.005)
    assert screen.getvalue().endswith("\r\x1b[K")


def test_nobody_is_told_where_nobody_watches(capsys: pytest.CaptureFixture[str]) -> None:
    with working() as work:
        work.progress("counting")
    assert capsys.readouterr() == ("", "")


def test_columns_that_were_looked_at_are_told(tmp_path: Path) -> None:
    from tacit.data.sources.source import file_source

    path = tmp_path / "people.csv"
    path.write_text("a,b,c\n1,2,3\n", encoding="utf-8")
    told: list[str] = []
    with working(told.append) as work:
        work.progress("looking")
        work.engine.profile(file_source(path))
    assert told == ["looking", *(f"looking, {n} of 3 columns" for n in (0, 1, 2, 3))]
    assert [share_done(words) for words in told[1:]] == [0.0, 1 / 3, 2 / 3, 1.0]


def test_a_stage_that_knows_its_share_is_not_overruled_by_a_query() -> None:
    told: list[str] = []
    with working(told.append) as work:
        assert isinstance(work.engine, DuckDB)
        assert work.engine._watch is not None
        work.progress("counting")
        work.engine._watch("this query", 0.5)
        work.engine._watch("", 0.0)
        work.progress(Stage("trying", 1, 4))
        work.engine._watch("this query", 0.5)
    assert told == ["counting", "counting, this query", "counting", "trying"]


def times_left(monkeypatch: pytest.MonkeyPatch, shares: dict[float, float]) -> dict[float, str]:
    """What a line tells at these seconds, when these shares of the work are done."""
    now = [0.0]
    monkeypatch.setattr("tacit.verbs.progress_line.monotonic", lambda: now[0])
    state, told = _LineState(), {}
    state.tell(Stage("trying", 0))
    for at, share in shares.items():
        now[0] = at
        state.tell(Stage("trying", share))
        told[at] = " ".join(part for part in state.line(at).split("  ") if part.endswith("left"))
    return told


def test_no_time_is_told_before_it_can_be_trusted(monkeypatch: pytest.MonkeyPatch) -> None:
    told = times_left(monkeypatch, {4.0: 0.5, 5.0: 0.5, 100.0: 0.5})
    assert [*told.values()][:2] == ["", "about 5 s left"]
    assert times_left(monkeypatch, {60.0: 0.24}) == {60.0: ""}
    assert times_left(monkeypatch, {60.0: 0.25}) == {60.0: "about 3 min left"}


def test_the_time_left_never_jumps_up(monkeypatch: pytest.MonkeyPatch) -> None:
    told = times_left(monkeypatch, {10.0: 0.5, **{10.0 + i: 0.5 + i / 1000 for i in range(1, 30)}})
    left = [int(text.split()[1]) for text in told.values()]
    assert left[0] == 10
    assert all(after - before <= 1 for before, after in pairwise(left))


def test_the_time_left_follows_a_steady_pace(monkeypatch: pytest.MonkeyPatch) -> None:
    told = times_left(monkeypatch, {float(at): at / 20 for at in range(6, 19)})
    assert [*told.values()] == [f"about {20 - at} s left" for at in range(6, 19)]


@given(st.floats(0, 1e6), st.floats(0, 1e6), st.floats(0, 100))
def test_a_corrected_guess_is_no_further_off_than_the_time_that_passed(old: float, new: float, passed: float) -> None:
    found = _TimeLeft(old, 0.0).corrected(new, passed)
    assert 0 <= found.left <= old + passed


@given(st.text("ab, ", max_size=60), st.integers(4, 40))
def test_a_long_line_is_cut_after_a_word(line: str, width: int) -> None:
    found = cut(line, width)
    assert len(found) <= width
    assert found == line or found.endswith("...")
    assert cut("tables/local: sweep 3 of 10, loss 12.5 %", 31) == "tables/local: sweep 3 of 10..."


def test_a_line_is_as_wide_as_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", Screen())
    assert terminal_width() == 79
    monkeypatch.setattr(sys, "stderr", SimpleNamespace(fileno=lambda: 2))
    for columns, width in ((60, 59), (500, 100), (0, 79)):
        monkeypatch.setattr(os, "get_terminal_size", lambda at, columns=columns: os.terminal_size((columns, 24)))
        assert terminal_width() == width


@pytest.mark.slow
def test_a_long_query_tells_its_share() -> None:
    told: list[float] = []
    with DuckDB(threads=1, watch=lambda part, share: told.append(share)) as database:
        long = "select sum(hash(a.range + b.range)) from range(20000) a, range(20000) b"
        database._run(lambda: database.connection.sql(long).fetchall())
    *shares, end = told
    assert shares
    assert all(0 < share <= 1 for share in shares)
    assert end == 0
