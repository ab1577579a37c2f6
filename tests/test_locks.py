"""Locks end with their holder, and nobody takes away a lock that somebody else holds by now."""

import os
from pathlib import Path

import pytest

from tacit.locks import LOCK, HeldByAnother, held, remove_held


def test_a_folder_is_held_by_one_and_gone_afterwards(tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    with held(folder):
        assert folder.stat().st_mode & 0o777 == 0o700
        with pytest.raises(HeldByAnother), held(folder):
            pytest.fail("both would hold it")
    assert not folder.exists()


def test_what_is_in_the_folder_stays(tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    with held(folder):
        (folder / "else").touch()
    assert [path.name for path in folder.iterdir()] == ["else"]


def test_a_folder_that_goes_away_while_it_is_being_made_is_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its holder ends between two looks: the system says that it is there, and then it is not."""
    folder, make, seen = tmp_path / "mine", os.mkdir, []
    folder.mkdir(mode=0o700)

    def made_too_late(path: Path, mode: int = 0o777) -> None:
        seen.append(path)
        if len(seen) == 1:
            folder.rmdir()
            raise FileExistsError(17, "File exists", str(path))
        make(path, mode)

    monkeypatch.setattr(os, "mkdir", made_too_late)
    with held(folder):
        assert (folder / LOCK).is_file()
    assert len(seen) == 2


def test_a_folder_that_can_never_be_made_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Some file systems say that there is no such folder whenever one is to be made in them, such as /proc."""

    def never(path: Path, mode: int = 0o777) -> None:
        raise FileNotFoundError(2, "No such file or directory", str(path))

    monkeypatch.setattr(os, "mkdir", never)
    with pytest.raises(FileNotFoundError), held(tmp_path / "mine", seconds=3600):
        pytest.fail("there is no folder")


def test_a_file_in_the_place_of_the_folder_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "mine").touch()
    with pytest.raises(NotADirectoryError), held(tmp_path / "mine"):
        pytest.fail("there is no folder")


def test_a_folder_removed_early_may_be_held_by_another_who_keeps_it(tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    with held(folder):
        remove_held(folder)
        other = held(folder)
        other.__enter__()
    with pytest.raises(HeldByAnother), held(folder):
        pytest.fail("the other one still holds it")
    other.__exit__(None, None, None)
    assert not folder.exists()
