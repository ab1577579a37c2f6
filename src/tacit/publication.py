"""Publication: several files that belong together take their places as one, even if the process is killed in between.

Each file is made in a folder of its own beside its place (`.NAME.publishing`), which only its owner may enter. When all
are made and on disk, a list of them is written beside the first one, in one step. That is the moment of publication:
before it a kill leaves the old files as they were, and after it all new ones will stand. They take their places one by
one, in the order given, and the list is removed. `repair` does what a kill left undone: with a list the rest take
their places, without one whatever stands aside is removed. Every publication repairs its places first.

No system renames several files in one step, so a reader may meet a new release beside old evidence: for an instant, or
until the next run if the process was killed there. A reader who must be sure calls `repair` first, or compares the
release with the hash of it that the evidence holds. A file that must know of the others before anybody sees them, such
as a history of releases, is named first: it is never older than they are.

Two processes that publish to the same place do not meet: the second waits for the first, and is refused if that takes
too long. Files may stand in different folders, and on different disks.
"""

import json
import os
from collections.abc import Collection, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from secrets import token_hex
from shutil import rmtree
from time import monotonic, sleep

from tacit.atomic import make_room, private_file, sync, unwritable
from tacit.errors import BadData, BadParameter, PolicyRefused
from tacit.locks import LOCK, PAUSE, PRIVATE, HeldByAnother, held, remove_held

ENDING = ".publishing"
NEW = "new"
"""In each folder: a folder with the file that waits."""
GROUP = "places.json"
"""In each folder: the places that are published together, in order."""
READY = "ready.json"
"""In the first folder: all files are made; bytes and permissions of each."""
PATIENCE = 60.0
"""Seconds to wait for another process that publishes to the same place."""


@contextmanager
def publication(
    paths: Sequence[Path], private: Collection[Path] = (), seconds: float = PATIENCE
) -> Iterator[dict[Path, Path]]:
    """For each path another one to write to, with the same name; all take their places if all goes well, else none.

    Files in `private` may be read by their owner only; the others get the permissions that a new file usually has.
    """
    if not paths or len({_absolute(path) for path in paths}) < len(paths):
        raise BadParameter("a publication needs at least one path, and each only once")
    try:
        for path in paths:
            make_room(path)
        group = _FileGroup(token_hex(8), tuple(_absolute(path) for path in paths))
        hidden = frozenset(_absolute(path) for path in private)
        with _alone(group, seconds):
            group.announce()
            try:
                yield dict(zip(paths, map(_staged, group.places), strict=True))
                group.require_written()
                group.make_ready(hidden)
            finally:
                if not group.ready.exists():
                    with suppress(OSError):
                        group.clear()
            group.finish()
    except HeldByAnother as place:
        raise _refusal(place) from None
    except OSError as error:
        raise unwritable(_meant(error, paths), error) from None


def repair(*paths: Path, seconds: float = PATIENCE) -> None:
    """Finish, or undo, what a process that was killed left at these places.

    A process that is still making its files is left alone; one whose files are taking their places is waited for.
    """
    deadline = monotonic() + seconds
    for path in paths:
        try:
            while not _is_settled(_absolute(path)):
                if monotonic() >= deadline:
                    raise _refusal(path)
                sleep(PAUSE)
        except OSError as error:
            raise unwritable(path, error) from None


def discard(path: Path) -> None:
    """Nothing waits any more to take this place; for a file, published by itself, that must never be replaced.

    What a process that is still at work has made is left alone.
    """
    folder = _folder(_absolute(path))
    with suppress(HeldByAnother, OSError):
        if folder.is_dir():
            with held(folder):
                _empty(folder)


@dataclass(frozen=True)
class _FileGroup:
    """Files that are published together: a number of their own, and their places in order."""

    number: str
    places: tuple[Path, ...]

    @property
    def ready(self) -> Path:
        """Where the list is that makes them published."""
        return _folder(self.places[0]) / READY

    def announce(self) -> None:
        """Each folder knows with which others it belongs together."""
        contents = {parent: self._content(parent) for parent in {place.parent for place in self.places}}
        for place in self.places:
            (_folder(place) / GROUP).write_text(contents[place.parent])
            _staged(place).parent.mkdir(mode=PRIVATE)

    def _content(self, parent: Path) -> str:
        """The list of all places, as they are found from a folder."""
        others = [os.path.relpath(other, parent) for other in self.places]
        return json.dumps({"number": self.number, "places": others})

    def require_written(self) -> None:
        """There is a file for each place."""
        missing = [place.name for place in self.places if not _staged(place).is_file()]
        if missing:
            raise BadData(f"nothing was written for {', '.join(missing)}; nothing is published")

    def make_ready(self, hidden: Collection[Path]) -> None:
        """All files are on disk with their permissions, and so is the list of them."""
        for place in self.places:
            _staged(place).chmod(0o600 if place in hidden else _usual_mode(_folder(place)))
        for place in self.places:
            for path in (_staged(place), _staged(place).parent, _folder(place) / GROUP, _folder(place)):
                sync(path)
        _sync_folders(self.places)
        sizes = [_staged(place).stat().st_size for place in self.places]
        unready = self.ready.with_name(f"un{READY}")
        private_file(unready, json.dumps({"number": self.number, "bytes": sizes}).encode())
        unready.replace(self.ready)
        sync(self.ready.parent)

    def finish(self) -> None:
        """Files that still stand aside take their places, in order; then nothing is left of the publication."""
        for place in self.places:
            if _staged(place).exists():
                _staged(place).replace(place)
        _sync_folders(self.places)
        self.clear()

    def clear(self) -> None:
        """Nothing stands aside any more; the list goes first, since what it names is about to go.

        The first folder goes last: it says which others belong to it, so that a run that is killed here and continued
        under other names, as republication is, still finds them.
        """
        self.ready.unlink(missing_ok=True)
        for place in reversed(self.places):
            _remove(place)

    def is_whole(self) -> bool:
        """Whether the files that still stand aside are those that were listed."""
        sizes = json.loads(self.ready.read_bytes())["bytes"]
        there = [(_staged(place), size) for place, size in zip(self.places, sizes, strict=True)]
        return all(staged.stat().st_size == size for staged, size in there if staged.exists())


@contextmanager
def _alone(group: _FileGroup, seconds: float) -> Iterator[None]:
    """Nobody else publishes to one of the places, and what earlier publications left undone is done."""
    while True:
        repair(*group.places, seconds=seconds)
        with _locked(group.places, seconds):
            if not any(_remains(_folder(place)) for place in group.places):
                yield
                return


@contextmanager
def _locked(places: Sequence[Path], seconds: float) -> Iterator[None]:
    """The folders of all places are held; they are taken in one order by everybody, so that nobody waits in a ring."""
    with ExitStack() as locks:
        for place in sorted(places):
            try:
                locks.enter_context(held(_folder(place), seconds))
            except HeldByAnother:
                raise HeldByAnother(str(place)) from None
        yield


def _refusal(place: object) -> PolicyRefused:
    return PolicyRefused(f"another process is publishing ({place}); wait until it has ended, or choose another output")


def _is_settled(place: Path) -> bool:
    """Whether nothing is left to repair at the place, perhaps because another process just repaired it."""
    if not _folder(place).is_dir():
        return True
    found = _group_of(place)
    places = found.places if found else (place,)
    try:
        with _locked([other for other in places if other.parent.is_dir()], 0.0):
            if _group_of(place) == found:
                _settle(place, found)
            return False
    except HeldByAnother:
        return found is None or not found.ready.exists()


def _settle(place: Path, found: _FileGroup | None) -> None:
    """Finish the publication that left something aside, or remove all of it; the caller holds its folders."""
    if found is None:
        _empty(_folder(place))
    elif not found.ready.exists():
        _clear_own(found)
    elif found.is_whole():
        found.finish()
    elif all(_staged(other).exists() for other in found.places):
        found.clear()
    else:
        raise BadData(
            f"the publication of {place} was cut off, and its files in {_folder(place)} have changed since; "
            f"remove the folders there that end in {ENDING}, and publish again"
        )


def _clear_own(group: _FileGroup) -> None:
    """The folders of this publication are gone, the first one last; one that another has taken since stays."""
    for place in reversed(group.places):
        if _group_of(place) in (group, None):
            _remove(place)


def _group_of(place: Path) -> _FileGroup | None:
    """The publication that the folder of the place was last used for."""
    try:
        found = json.loads((_folder(place) / GROUP).read_bytes())
    except (FileNotFoundError, ValueError):
        return None
    return _FileGroup(found["number"], tuple(_absolute(place.parent / other) for other in found["places"]))


def _folder(place: Path) -> Path:
    return place.with_name(f".{place.name}{ENDING}")


def _staged(place: Path) -> Path:
    return _folder(place) / NEW / place.name


def _absolute(path: Path) -> Path:
    """The path with no links in it but, perhaps, the file itself."""
    return path.parent.resolve() / path.name


def _remains(folder: Path) -> list[Path]:
    return [path for path in folder.iterdir() if path.name != LOCK] if folder.is_dir() else []


def _empty(folder: Path) -> None:
    """Nothing but the lock is in the folder; what says to whom it belongs goes last."""
    for path in sorted(_remains(folder), key=lambda path: path.name == GROUP):
        if path.is_dir() and not path.is_symlink():
            rmtree(path)
        else:
            path.unlink(missing_ok=True)


def _remove(place: Path) -> None:
    """The folder of the place, which this process holds, is gone."""
    _empty(_folder(place))
    remove_held(_folder(place))


def _sync_folders(places: Sequence[Path]) -> None:
    for folder in {place.parent for place in places if place.parent.is_dir()}:
        sync(folder)


def _usual_mode(folder: Path) -> int:
    """The permissions that the system gives to a new file here: asking for the umask itself would change it."""
    probe = folder / f"probe-{token_hex(4)}"
    probe.touch()
    try:
        return probe.stat().st_mode & 0o777
    finally:
        with suppress(OSError):
            probe.unlink()


def _meant(error: OSError, paths: Sequence[Path]) -> Path:
    """The path that the error is about, if it names one."""
    about = Path(str(error.filename)).name if error.filename else ""
    return next((path for path in paths if about in (path.name, _folder(path).name)), paths[0])
