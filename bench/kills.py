"""Kills: processes are ended by SIGKILL at random moments or at a chosen step, and what they leave is looked at.

Beside the verbs of the command line (`bench.killed_verbs`) there are two kinds of work that go on for ever: files that
are published, and a ledger that is charged. Each has a function that says what is wrong with what was found after a
kill. `python -m bench kills` is the long form, the tests run the same with fewer kills.
"""

import os
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from tempfile import TemporaryDirectory

from bench.killed_verbs import Kills, kill_scenes
from bench.killing import is_readable, killed, moments
from bench.scenes import SCENES
from bench.section import Section
from tacit.accounting.budget import budget
from tacit.accounting.events import from_json
from tacit.ledger.ledger import Ledger, open_ledger
from tacit.ledger.terms import Terms
from tacit.publication import publication, repair

NAMES = ("history.json", "release.csv", "inner/release.evidence.json")
"""The files of a publication: one that must be first, and one in another folder."""


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
    """Files that stand aside and that other users could read."""
    return [path for path in left_aside(folder) if path.is_file() and is_readable(path, folder)]


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


# The long form.

COLUMNS = (
    "work", "kills", "before and after publication", "not belonging together", "unpaid answers",
    "files with raw rows left", "readable by others",
)  # fmt: skip


def measure(data: Path, kills: int = 500) -> Section:
    """Kills while questions are asked and files published, each followed by a look at what is there."""
    with TemporaryDirectory() as temporary:
        folder = Path(temporary)
        rows = [_told(scene.title, kill_scenes(folder / name, scene, kills)) for name, scene in SCENES.items()]
        rows += _primitives(folder, kills)
    remarks = (
        "Runs were killed alternately at a random moment and before a random file access. After each kill the files "
        "were repaired, as the next run does first, and every file was compared: evidence with the hash of the "
        "release, the report with what the evidence is rendered to, releases with their history, answers with the "
        "ledger, whose chain was verified. After every tenth kill the next run was allowed to finish, and had to "
        "succeed.",
    )
    return Section("kills", "Processes killed at random moments", COLUMNS, rows, remarks)


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
