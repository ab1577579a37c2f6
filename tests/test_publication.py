"""Files that belong together take their places as one: full disks, several processes at once.

Kills are in `test_publication_kills`.
"""

import os
import resource
import signal
import stat
from collections.abc import Callable
from multiprocessing import get_context
from pathlib import Path

import pytest
from bench.kills import NAMES, exposed, generations, left_aside, publish

from tacit.errors import BadData, BadParameter, PolicyRefused
from tacit.publication import publication, repair

FORKED = get_context("forkserver")


def publish_in_turn(folder: Path, number: int, order: tuple[int, ...]) -> None:
    """A process that publishes five times; others name the same files in another order."""
    places = [folder / NAMES[position] for position in order]
    for generation in range(number, number + 5):
        with publication(places) as staged:
            for place in places:
                staged[place].write_text(f"{generation}\n" * 1000)


@pytest.mark.slow
def test_processes_that_publish_to_the_same_places_wait_for_each_other(tmp_path: Path) -> None:
    orders = [(0, 1, 2), (2, 1, 0), (1, 2, 0)]
    racers = [FORKED.Process(target=publish_in_turn, args=(tmp_path, 100 * i, orders[i])) for i in range(3)]
    for racer in racers:
        racer.start()
    for racer in racers:
        racer.join()
    assert [racer.exitcode for racer in racers] == [0, 0, 0]
    assert set(generations(tmp_path)) in ({4}, {104}, {204})
    assert left_aside(tmp_path) == []


def test_whoever_waits_too_long_is_refused(tmp_path: Path) -> None:
    place = tmp_path / "release.csv"
    with publication([place]) as staged:
        staged[place].write_text("first")
        with pytest.raises(PolicyRefused, match=r"release\.csv"), publication([place], seconds=0.05):
            pytest.fail("both would publish")
    assert place.read_text() == "first"


def test_repair_leaves_a_process_alone_that_is_still_at_work(tmp_path: Path) -> None:
    place = tmp_path / "release.csv"
    with publication([place]) as staged:
        staged[place].write_text("new")
        repair(place)
        assert staged[place].read_text() == "new"
        assert not place.exists()
    assert place.read_text() == "new"


def test_permissions_are_private_until_published_and_usual_or_private_afterwards(tmp_path: Path) -> None:
    secret, public = tmp_path / "history.json", tmp_path / "release.csv"
    before = os.umask(0o027)
    try:
        with publication([secret, public], private=[secret]) as staged:
            for path in staged.values():
                path.write_text("x")
                assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    finally:
        os.umask(before)
    assert stat.S_IMODE(secret.stat().st_mode) == 0o600
    assert stat.S_IMODE(public.stat().st_mode) == 0o640


def test_a_file_that_stands_aside_for_all_to_see_is_found(tmp_path: Path) -> None:
    """The measure of the test above can fail."""
    aside_ = tmp_path / "aside" / "release.csv"
    aside_.parent.mkdir(mode=0o755)
    aside_.write_text("x")
    aside_.chmod(0o644)
    assert exposed(tmp_path) == [aside_]
    aside_.parent.chmod(0o700)
    assert exposed(tmp_path) == []


@pytest.mark.parametrize("name", ["lock", "new", "places.json", "ready.json", "unready.json", "ä b.csv"])
def test_any_name_can_be_published(tmp_path: Path, name: str) -> None:
    place = tmp_path / name
    with publication([place]) as staged:
        assert staged[place].name == name
        staged[place].write_text("x")
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_paths_relative_and_through_links_are_one_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")
    monkeypatch.chdir(tmp_path)
    place = Path("link/release.csv")
    with publication([place]) as staged:
        staged[place].write_text("x")
        with pytest.raises(PolicyRefused), publication([tmp_path / "real" / "release.csv"], seconds=0.02):
            pytest.fail("this is the same place")
    assert (tmp_path / "real" / "release.csv").read_text() == "x"


def cut_off_when_all_is_ready(folder: Path, generation: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("tacit.publication._FileGroup.finish", interrupt)
        with pytest.raises(KeyboardInterrupt):
            publish(folder, generation)
    assert len(list(folder.rglob("ready.json"))) == 1


def interrupt(_: object) -> None:
    raise KeyboardInterrupt


def test_a_folder_that_was_moved_after_a_kill_is_repaired_where_it_is(tmp_path: Path) -> None:
    old, new = tmp_path / "old", tmp_path / "new"
    old.mkdir()
    publish(old, 1)
    cut_off_when_all_is_ready(old, 2)
    assert generations(old) == [1, 1, 1]
    old.rename(new)
    repair(new / NAMES[0])
    assert generations(new) == [2, 2, 2]
    assert left_aside(new) == []


# What goes wrong while files are made.


def publish_some(folder: Path, names: tuple[str, ...], then: Callable[[], object] = lambda: None) -> None:
    """Writes only the named files, and does something else before the end."""
    places = [folder / name for name in NAMES]
    with publication(places) as staged:
        for name in names:
            staged[folder / name].write_text("2\n" * 1000)
        then()


def test_an_error_in_between_leaves_all_as_it_was(tmp_path: Path) -> None:
    publish(tmp_path, 1)
    with pytest.raises(ZeroDivisionError):
        publish_some(tmp_path, NAMES, then=lambda: 1 / 0)
    assert generations(tmp_path) == [1, 1, 1]
    assert left_aside(tmp_path) == []


def test_a_file_that_was_not_written_stops_all(tmp_path: Path) -> None:
    publish(tmp_path, 1)
    with pytest.raises(BadData, match=r"release\.evidence\.json"):
        publish_some(tmp_path, NAMES[:2])
    assert generations(tmp_path) == [1, 1, 1]
    assert left_aside(tmp_path) == []


def publish_with_little_room(folder: Path) -> None:
    """Ends with code 3 if the error is the right one."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (1500, 1500))
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    try:
        publish(folder, 2)
    except BadData as error:
        raise SystemExit(3 if "File too large" in str(error) else 4) from None


@pytest.mark.slow
def test_a_full_disk_leaves_all_as_it_was(tmp_path: Path) -> None:
    publish(tmp_path, 1)
    child = FORKED.Process(target=publish_with_little_room, args=(tmp_path,))
    child.start()
    child.join()
    assert child.exitcode == 3
    assert generations(tmp_path) == [1, 1, 1]
    assert left_aside(tmp_path) == []


@pytest.mark.parametrize(
    ("make", "wrong"),
    [
        (lambda folder: [folder], "is a folder"),
        (lambda folder: [folder / "file" / "release.csv"], "is not a folder"),
        (lambda folder: [], "at least one path"),
        (lambda folder: [folder / "a", folder / "b" / ".." / "a"], "each only once"),
    ],
)
def test_what_can_not_be_published_is_refused_before_anything_is_made(
    tmp_path: Path, make: Callable[[Path], list[Path]], wrong: str
) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(BadParameter, match=wrong), publication(make(tmp_path)):
        pytest.fail("the block must not run")
    assert left_aside(tmp_path) == [tmp_path / "file"]


def test_a_place_that_became_a_folder_meanwhile_is_told_and_repaired_once_it_is_free(tmp_path: Path) -> None:
    first, second = tmp_path / NAMES[0], tmp_path / NAMES[1]
    with pytest.raises(BadData, match="can't write"):
        publish_some(tmp_path, NAMES, then=second.mkdir)
    with pytest.raises(BadData, match="can't write"):
        repair(first)
    second.rmdir()
    repair(second)
    assert generations(tmp_path) == [2, 2, 2]


def test_files_that_changed_while_they_stood_aside_are_not_published(tmp_path: Path) -> None:
    publish(tmp_path, 1)
    cut_off_when_all_is_ready(tmp_path, 2)
    (waiting,) = tmp_path.rglob(f"new/{NAMES[1]}")
    waiting.write_text("something else")
    repair(tmp_path / NAMES[0])
    assert generations(tmp_path) == [1, 1, 1]
    assert left_aside(tmp_path) == []


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder to somebody else")
def test_a_folder_that_another_user_left_is_not_believed(tmp_path: Path) -> None:
    publish(tmp_path, 1)
    planted = tmp_path / f".{NAMES[0]}.publishing"
    planted.mkdir()
    os.chown(planted, 12345, 12345)
    with pytest.raises(BadData, match="belongs to somebody else"):
        publish(tmp_path, 2)
    assert generations(tmp_path) == [1, 1, 1]
