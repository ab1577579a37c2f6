"""Private temporary folders: gone with their owner, also if it is killed; nobody else's are touched."""

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import get_context
from multiprocessing.process import BaseProcess
from pathlib import Path
from time import monotonic, sleep

import duckdb
import pytest

from tacit.errors import BadData
from tacit.scratch import PREFIX, scratch, sweep

FORKED = get_context("forkserver")


def work_for_ever(within: Path) -> None:
    with scratch(within) as folder:
        (folder / "deep").mkdir()
        (folder / "deep" / "rows.csv").write_text("raw rows")
        (within / "begun").touch()
        sleep(600)


@contextmanager
def another_at_work(within: Path) -> Iterator[BaseProcess]:
    child = FORKED.Process(target=work_for_ever, args=(within,))
    child.start()
    deadline = monotonic() + 30
    while not (within / "begun").exists() and monotonic() < deadline:
        sleep(0.005)
    try:
        yield child
    finally:
        child.kill()
        child.join()


def test_a_folder_is_private_and_gone_afterwards(tmp_path: Path) -> None:
    with scratch(tmp_path) as folder:
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
        assert all(stat.S_IMODE(path.stat().st_mode) == 0o600 for path in folder.iterdir())
        (folder / "rows.csv").write_text("raw rows")
        (folder / "deep").mkdir()
        (folder / "deep" / "rows.csv").write_text("raw rows")
    assert list(tmp_path.iterdir()) == []


def test_a_folder_is_gone_after_an_error(tmp_path: Path) -> None:
    def fail() -> None:
        with scratch(tmp_path) as folder:
            (folder / "rows.csv").write_text("raw rows")
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert list(tmp_path.iterdir()) == []


def test_what_a_killed_process_left_is_swept_and_what_a_living_one_uses_is_not(tmp_path: Path) -> None:
    with another_at_work(tmp_path) as child:
        (folder,) = tmp_path.glob(f"{PREFIX}*")
        assert sweep(tmp_path) == ()
        with scratch(tmp_path) as mine:
            assert sweep(tmp_path) == ()
            assert mine.is_dir()
        assert (folder / "deep" / "rows.csv").read_text() == "raw rows"
        child.kill()
        child.join()
        assert (folder / "deep" / "rows.csv").exists()
        assert sweep(tmp_path) == (folder,)
    assert [path.name for path in tmp_path.iterdir()] == ["begun"]


def test_the_next_folder_sweeps_first(tmp_path: Path) -> None:
    with another_at_work(tmp_path) as child:
        child.kill()
        child.join()
    (left,) = tmp_path.glob(f"{PREFIX}*")
    with scratch(tmp_path) as folder:
        assert not left.exists()
        assert list(tmp_path.glob(f"{PREFIX}*")) == [folder]


def make_and_sweep(within: Path, times: int) -> None:
    for number in range(times):
        with scratch(within) as folder:
            (folder / "mine").write_text(str(number))
            sweep(within)
            assert (folder / "mine").read_text() == str(number)


@pytest.mark.slow
def test_sweepers_never_remove_a_folder_that_is_being_made(tmp_path: Path) -> None:
    racers = [FORKED.Process(target=make_and_sweep, args=(tmp_path, 50)) for _ in range(4)]
    for racer in racers:
        racer.start()
    for racer in racers:
        racer.join()
    assert [racer.exitcode for racer in racers] == [0] * 4
    assert list(tmp_path.iterdir()) == []


def test_folders_without_owner_and_others_things(tmp_path: Path) -> None:
    """A folder whose maker was killed before it was locked is removed; links and files of that name are not ours."""
    empty, elsewhere = tmp_path / f"{PREFIX}1", tmp_path / "elsewhere"
    empty.mkdir()
    elsewhere.mkdir()
    (elsewhere / "kept").touch()
    (tmp_path / f"{PREFIX}2").symlink_to(elsewhere)
    (tmp_path / f"{PREFIX}3").touch()
    with scratch(tmp_path) as folder:
        (folder / "link").symlink_to(elsewhere)
        assert not empty.exists()
    assert (elsewhere / "kept").exists()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["elsewhere", f"{PREFIX}2", f"{PREFIX}3"]


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder to somebody else")
def test_a_folder_of_another_user_is_left_alone(tmp_path: Path) -> None:
    theirs = tmp_path / f"{PREFIX}1"
    theirs.mkdir()
    os.chown(theirs, 12345, 12345)
    assert sweep(tmp_path) == ()
    assert theirs.exists()


def test_a_place_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(BadData, match="can't write"), scratch(tmp_path / "missing"):
        pytest.fail("there is not a folder")


@pytest.mark.slow
def test_an_engine_spills_into_it(tmp_path: Path) -> None:
    """Where DuckDB keeps rows that do not fit into memory: seen while it sorts, gone afterwards."""
    with scratch(tmp_path) as folder:
        settings = {"temp_directory": str(folder), "memory_limit": "64MB", "threads": 1}
        with duckdb.connect(config=settings) as connection:
            numbers = "select hash(range) as a, hash(range + 1) as b from range(6000000)"
            rows = connection.execute(f"{numbers} order by a")
            assert rows.fetchone() is not None
            assert [path.name for path in folder.iterdir() if path.name != "lock"] != []
    assert list(tmp_path.iterdir()) == []
