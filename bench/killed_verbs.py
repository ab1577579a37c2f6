"""Verbs of the command line, killed while they run: what they leave must belong together, be paid for, be private."""

import random
import sys
from dataclasses import dataclass, fields
from pathlib import Path
from time import monotonic

from bench.killing import FORKED, accesses, is_readable, killed, killed_at
from bench.scenes import Scene, hashes, look, prepare, repair_all, run_verb
from tacit.scratch import sweep


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
    steps, seconds = accesses(run_verb, (folder, scene.words)), _finished(folder, scene)
    found, before = Kills(), hashes(folder)
    for number in range(1, kills + 1):
        prepare(folder, scene, generation=number)
        if number % 2:
            killed(run_verb, (folder, scene.words), generator.uniform(0.0, seconds))
        else:
            killed_at(generator.randrange(1, steps + 1), run_verb, (folder, scene.words))
        found.kills += 1
        found.readable += len(readable(folder))
        if number % 10 and number < kills:
            repair_all(folder)
            sweep(folder / "temporary")
        found.published += hashes(folder) != before
        if number % 10 == 0 or number == kills:
            prepare(folder, scene, generation=-number)
            _finished(folder, scene)
            found.left += len(journals(folder))
        wrong, before = look(folder, scene), hashes(folder)
        found.apart += wrong.apart
        found.unpaid += wrong.unpaid
        found.left += len(left(folder))
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


def aside(folder: Path) -> list[Path]:
    """Files that are no part of the scene: what is staged, spilled or left."""
    known = ("people.", "plan.yaml")
    return [
        path
        for path in folder.rglob("*")
        if path.is_file() and path != folder / "said"
        if path.parent != folder / "work" or not path.name.startswith(known) or path.name.endswith("-journal")
    ]


def readable(folder: Path) -> list[Path]:
    """Of those the files that other users could read."""
    return [path for path in aside(folder) if is_readable(path, folder)]


def journals(folder: Path) -> list[Path]:
    """The journal of a ledger, which holds no rows; it stays until the ledger is written to again."""
    return list((folder / "work").glob("people.ledger-journal"))


def left(folder: Path) -> list[Path]:
    """Files and folders that should be gone once the places are repaired and swept."""
    found = [*aside(folder), *(folder / "temporary").iterdir(), *(folder / "work").glob(".*")]
    return [path for path in found if path not in journals(folder)]


def kill_scenes(folder: Path, scene: Scene, kills: int) -> Kills:
    """Twenty kills on a folder, then a new one, so that no history grows without end; each is told as it ends."""
    generator, found = random.Random(), Kills()
    for begun in range(0, kills, 20):
        one = kill_scene(folder / str(begun), scene, min(20, kills - begun), generator)
        found = Kills(*(getattr(found, field.name) + getattr(one, field.name) for field in fields(Kills)))
        print(f"{scene.title}: {found}", file=sys.stderr, flush=True)
    return found
