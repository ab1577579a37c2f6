"""Progress in Python: shown where somebody watches, with the share of a long query.

Covers verbs/progress_line, verbs/engine, duckdb/database.
"""

import io
import sys
from pathlib import Path
from time import sleep
from types import SimpleNamespace

import pytest

from tacit.engines.duckdb import DuckDB
from tacit.request import Stage, share_done
from tacit.verbs.engine import working
from tacit.verbs.progress_line import is_watched


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
