"""Kills: processes are ended by SIGKILL at random moments or at a chosen step, and what they leave is looked at.

Work is done in a process of its own, forked from a server that has imported what it needs, so that a kill costs
milliseconds. Each kind of work is a function that goes on for ever; each has a function that says what is wrong with
what was found after a kill. `python -m bench kills` is the long form, the tests run the same with fewer kills.
"""

import os
import random
import signal
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields
from fractions import Fraction
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic, sleep
from typing import Any

from bench.scenes import SCENES, Scene, look, prepare, repair_all, run_verb
from bench.section import Section
from tacit.accounting.budget import budget
from tacit.accounting.events import from_json
from tacit.ledger.ledger import Ledger, open_ledger
from tacit.ledger.terms import Terms
from tacit.publication import publication, repair
from tacit.scratch import sweep

FORKED = get_context("forkserver")
FORKED.set_forkserver_preload(["bench.kills"])

NAMES = ("history.json", "release.csv", "inner/release.evidence.json")
"""The files of a publication: one that must be first, and one in another folder."""


def killed(work: Callable[..., None], arguments: tuple[Any, ...], seconds: float) -> None:
    """The work is begun and its process killed after so many seconds."""
    process = FORKED.Process(target=work, args=arguments)
    process.start()
    sleep(seconds)
    process.kill()
    process.join()
    process.close()


def killed_at(step: int, work: Callable[..., None], arguments: tuple[Any, ...]) -> bool:
    """The work on a folder is begun and its process kills itself before its n-th access to it; whether it came to that.

    The folder is the first of the arguments.
    """
    process = FORKED.Process(target=_until, args=(step, work, arguments))
    process.start()
    process.join()
    code = process.exitcode
    process.close()
    if code not in (0, -signal.SIGKILL):
        raise SystemExit(f"the work ended with {code} by itself")
    return code == -signal.SIGKILL


def _until(step: int, work: Callable[..., None], arguments: tuple[Any, ...]) -> None:
    """Python tells of every opening, renaming, removing and making of files before it is done."""
    left, folder = step, str(arguments[0])

    def count(event: str, about: tuple[Any, ...]) -> None:
        nonlocal left
        if event.startswith(("open", "os.")) and any(folder in str(part) for part in about):
            left -= 1
            if left == 0:
                os.kill(os.getpid(), signal.SIGKILL)

    sys.addaudithook(count)
    work(*arguments)


# Publications.


def publish(folder: Path, generation: int) -> None:
    """All files hold the number of their generation."""
    places = [folder / name for name in NAMES]
    with publication(places, private=places[:1]) as staged:
        for place in places:
            staged[place].write_text(f"{generation}\n" * 1000)


def publish_on(folder: Path) -> None:
    """One generation after the other."""
    generation = max((found for found in generations(folder) if found), default=0)
    while True:
        generation += 1
        publish(folder, generation)


def generations(folder: Path) -> list[int | None]:
    """The generation of each file that stands in its place; -1 for a file that is a mixture."""
    return [_generation(folder / name) for name in NAMES]


def _generation(path: Path) -> int | None:
    if not path.exists():
        return None
    lines = path.read_text().splitlines()
    return int(lines[0]) if len(lines) == 1000 and len(set(lines)) == 1 else -1


def left_aside(folder: Path) -> list[Path]:
    """What stands beside the files that were published."""
    wanted = {folder / name for name in NAMES} | {folder / "inner"}
    return [path for path in folder.rglob("*") if path not in wanted]


def exposed(folder: Path) -> list[Path]:
    """Files that stand aside and that other users could read: no permission and no folder on the way keeps them out."""
    return [
        path for path in left_aside(folder) if path.is_file() and all(_is_open(part, folder) for part in _way(path))
    ]


def _way(path: Path) -> list[Path]:
    return [path, *path.parents]


def _is_open(part: Path, root: Path) -> bool:
    """Whether others may read the file or enter the folder; folders above the root are taken to be open."""
    return part == root or root not in part.parents or bool(part.stat().st_mode & (0o011 if part.is_dir() else 0o044))


def moments(number: int, most: float, seed: int | None = None) -> Iterator[float]:
    """Seconds until each kill, evenly spread."""
    generator = random.Random(seed)
    return (generator.uniform(0.0, most) for _ in range(number))


# The ledger.

TERMS = Terms(budget(1_000_000))
QUESTION = from_json('{"kind": "pure", "epsilon": "1/1000"}')


def ledger_of(folder: Path) -> Ledger:
    """The ledger that is charged."""
    return open_ledger(folder / "people.ledger", TERMS)


def ask_on(folder: Path) -> None:
    """One question after the other: charged, then answered for all to see, then noted."""
    ledger = ledger_of(folder)
    while True:
        receipt = ledger.charge(QUESTION, "how many?")
        give_answer(folder, receipt.number)
        ledger.answered(receipt)


def give_answer(folder: Path, number: int) -> None:
    """The answer to this charge has left: its number is in a file, on disk."""
    with (folder / "answers").open("a") as answers:
        answers.write(f"{number}\n")
        answers.flush()
        os.fsync(answers.fileno())


@dataclass(frozen=True)
class Found:
    """What a ledger and the answers that left say."""

    charged: int
    noted: int
    answers: int
    unpaid: int


def look_at(folder: Path) -> Found:
    """The ledger is sound and tells the sum of its charges; how many answers left, and how many of them unpaid."""
    ledger = ledger_of(folder)
    ledger.verify()
    entries = ledger.entries()
    charges = {entry.number for entry in entries if entry.kind == "charged"}
    noted = {entry.about for entry in entries if entry.kind == "answered"}
    if ledger.spent().epsilon != len(charges) * Fraction(1, 1000):
        raise SystemExit("the ledger tells another sum than that of its charges")
    path = folder / "answers"
    answers = {int(line) for line in path.read_text().split()} if path.exists() else set[int]()
    return Found(len(charges), len(noted), len(answers), len(answers - charges))


# The verbs.


@dataclass
class Kills:
    """How many runs of a scene were killed, of those how many after they had published, and what was found wrong."""

    kills: int = 0
    published: int = 0
    apart: int = 0
    unpaid: int = 0
    left: int = 0
    readable: int = 0

    @property
    def faults(self) -> int:
        """What should never be."""
        return self.apart + self.unpaid + self.left + self.readable


def kill_scene(folder: Path, scene: Scene, kills: int, generator: random.Random) -> Kills:
    """Runs of the verb that are killed, by turns at a random moment and before a random access to a file.

    After nine in ten kills the places are repaired and swept, as the next run would do first; after the tenth the next
    run goes to its end. Then everything is looked at.
    """
    prepare(folder, scene, generation=0)
    seconds, accesses = _finished(folder, scene), _accesses(folder, scene)
    found, before = Kills(), look(folder, scene)
    for number in range(1, kills + 1):
        prepare(folder, scene, generation=number)
        if number % 2:
            killed(run_verb, (folder, scene.words), generator.uniform(0.0, seconds))
        else:
            killed_at(generator.randrange(1, accesses), run_verb, (folder, scene.words))
        found.kills += 1
        found.readable += len(_readable(folder))
        repair_all(folder)
        after = look(folder, scene)
        found.published += after.hashes != before.hashes
        found.apart += after.apart
        found.unpaid += after.unpaid
        if number % 10 == 0 or number == kills:
            prepare(folder, scene, generation=-number)
            _finished(folder, scene)
            after = look(folder, scene)
        else:
            sweep(folder / "temporary")
        found.left += len(_left(folder))
        before = after
    return found


def _finished(folder: Path, scene: Scene) -> float:
    """The verb runs to its end, which must be a good one; seconds that it took."""
    begin = monotonic()
    process = FORKED.Process(target=run_verb, args=(folder, scene.words))
    process.start()
    process.join()
    if process.exitcode != 0:
        raise SystemExit(f"{scene.title} failed: {(folder / 'said').read_text()}")
    return monotonic() - begin


def _accesses(folder: Path, scene: Scene) -> int:
    """How many accesses to its folder a run makes, by halving: one that is killed before an access came to it."""
    few, many = 1, 1024
    while many - few > 8:
        middle = (few + many) // 2
        few, many = (middle, many) if killed_at(middle, run_verb, (folder, scene.words)) else (few, middle)
    repair_all(folder)
    sweep(folder / "temporary")
    return many


def _aside(folder: Path) -> list[Path]:
    """Files that are no part of the scene: what is staged, spilled or left."""
    known = ("people.", "plan.yaml")
    return [
        path
        for path in folder.rglob("*")
        if path.is_file() and path != folder / "said"
        if path.parent != folder / "work" or not path.name.startswith(known) or path.name.endswith("-journal")
    ]


def _readable(folder: Path) -> list[Path]:
    return [path for path in _aside(folder) if all(_is_open(part, folder) for part in _way(path))]


def _left(folder: Path) -> list[Path]:
    """Files and folders that should be gone."""
    return [*_aside(folder), *(folder / "temporary").iterdir(), *(folder / "work").glob(".*")]


# The long form.

COLUMNS = (
    "work", "kills", "before and after publication", "not belonging together", "unpaid answers",
    "files with raw rows left", "readable by others",
)  # fmt: skip


def measure(data: Path, kills: int = 500) -> Section:
    """Kills while questions are asked and files published, each followed by a look at what is there."""
    generator, rows = random.Random(), []
    with TemporaryDirectory() as temporary:
        for name, scene in SCENES.items():
            rows.append(_told(scene.title, _batches(Path(temporary) / name, scene, kills, generator)))
            print(rows[-1], file=sys.stderr, flush=True)
        rows += _primitives(Path(temporary), kills)
    remarks = (
        "By turns a run was killed at a random moment and before a random access to a file. After each kill the places "
        "were repaired, as the next run does first, and every file was compared: evidence with the hash of the release, "
        "the report with what the evidence is rendered to, a series with its history, answers with the ledger, whose "
        "chain was verified. After every tenth kill the next run went to its end, and had to end well.",
    )
    return Section("kills", "Processes killed at random moments", COLUMNS, rows, remarks)


def _batches(folder: Path, scene: Scene, kills: int, generator: random.Random) -> Kills:
    """Fifty kills on a folder, then a new one, so that a series does not grow without end."""
    sizes = [min(50, kills - begun) for begun in range(0, kills, 50)]
    found = [kill_scene(folder / str(at), scene, size, generator) for at, size in enumerate(sizes)]
    return Kills(*(sum(getattr(one, field.name) for one in found) for field in fields(Kills)))


def _told(title: str, found: Kills) -> list[str]:
    cut = f"{found.kills - found.published:,} / {found.published:,}"
    return [title, f"{found.kills:,}", cut, *map(str, (found.apart, found.unpaid, found.left, found.readable))]


def _primitives(folder: Path, kills: int) -> list[list[str]]:
    """The same of a ledger that is charged and of files that are published, without end."""
    asked, published = folder / "asked", folder / "published"
    asked.mkdir()
    published.mkdir()
    apart = open_to_others = left = 0
    for seconds in moments(kills, most=0.3):
        killed(ask_on, (asked,), seconds)
        look_at(asked)
        killed(publish_on, (published,), seconds)
        open_to_others += len(exposed(published))
        repair(*(published / name for name in NAMES))
        apart += len(set(generations(published))) > 1
        left += len(left_aside(published))
    found = look_at(asked)
    return [
        [f"a ledger charged, {found.answers:,} answers", f"{kills:,}", "", "", str(found.unpaid), "", ""],
        [
            f"three files published, {generations(published)[0] or 0:,} times",
            *(f"{kills:,}", "", str(apart), "", str(left), str(open_to_others)),
        ],
    ]
