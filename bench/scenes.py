"""Small scenes for `bench.kills`: a verb of the command line, data that differs each time, and where its files stand.

A scene lives in a folder of its own: `work` has plan, data and what is published, `temporary` is the system's temporary
folder for the verb. What belongs together is found out by reading: the evidence holds the hash of the release, and the
report is what the evidence is rendered to, so that no file of another run fits.
"""

import json
import os
import random
import sys
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from tacit.evidence.files import read_evidence
from tacit.ledger.chain import Receipt
from tacit.ledger.ledger import read_ledger
from tacit.publication import repair
from tacit.release.fingerprints import sha256_of
from tacit.runs.evidence_kinds import body_of, evidence_kind
from tacit.runs.republication.history import parse_history
from tacit.runs.republication.plan import COUNTERFEITS

PLAN = """
version: 1
data: {path: people.csv}
unit: person
columns:
  person: {role: identifier}
  town: {role: quasi-identifier, categories: [town 0, town 1, town 2]}
  age: {role: quasi-identifier, bounds: [0, 100]}
  ill: {role: sensitive, categories: [illness 0, illness 1, illness 2, illness 3, illness 4]}
"""
PRIVACY = """
privacy: {budget: {epsilon: 1000000}}
questions:
  - statistics/count: {epsilon: 0.25}
  - statistics/mean: {of: age, epsilon: 0.25}
"""
RELEASE = """
release:
  guarantees: [{k-anonymity: {k: 3}}]
  suppression: 1.0
"""
REPUBLICATION = """
release:
  method: tables/republish
  parameters: {history: people.history}
  guarantees: [{m-invariance: {m: 2}}]
"""
INVENTED = """
privacy: {budget: {epsilon: 1000000}}
release:
  method: synthesize/independent
  guarantees: [{differential-privacy: {epsilon: 0.25}}]
"""
QUESTION_EPSILON = Fraction(1, 4)
ROWS = 60


@dataclass(frozen=True)
class Scene:
    """A verb with its words, the rest of its plan, and the name of what it publishes (`*` for any number)."""

    title: str
    words: tuple[str, ...]
    rest: str
    release: str


SCENES = {
    "protect": Scene("tacit protect", ("protect",), RELEASE, "people.release.csv"),
    "ask": Scene("tacit ask", ("ask",), PRIVACY, "people.answers.json"),
    "synthesize": Scene("tacit protect, invented rows", ("protect",), INVENTED, "people.release.csv"),
    "tabulate": Scene("tacit tabulate", ("tabulate", "--by", "town"), RELEASE, "people.counts.csv"),
    "republish": Scene("tacit protect, again and again", ("protect",), REPUBLICATION, "people.release-*.csv"),
}


def prepare(folder: Path, scene: Scene, generation: int) -> None:
    """Plan and data; people come and go from one generation to the next, and keep what they are."""
    work = folder / "work"
    work.mkdir(parents=True, exist_ok=True)
    (folder / "temporary").mkdir(exist_ok=True)
    (work / "plan.yaml").write_text(PLAN + scene.rest)
    everybody = random.Random(1)
    people = [(f"P{at}", everybody.randrange(3), 20 + everybody.randrange(30), at % 5) for at in range(2 * ROWS)]
    there = sorted(random.Random(generation).sample(people, ROWS))
    lines = [f"{name},town {town},{age},illness {ill}\n" for name, town, age, ill in there]
    (work / "people.csv").write_text("person,town,age,ill\n" + "".join(lines))


def run_verb(folder: Path, words: tuple[str, ...]) -> None:
    """The verb, as from a command line; what it says goes to a file."""
    import tempfile

    from tacit.cli import main

    said = os.open(folder / "said", os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    os.dup2(said, 1)
    os.dup2(said, 2)
    tempfile.tempdir = str(folder / "temporary")
    verb, *rest = words
    sys.argv = ["tacit", verb, str(folder / "work" / "plan.yaml"), *rest]
    main()


@dataclass(frozen=True)
class Wrong:
    """What should never be found: files that do not belong together, answers that were not paid for."""

    apart: int
    unpaid: int


def repair_all(folder: Path) -> None:
    """What the next run does first at its places."""
    work = folder / "work"
    waiting = [path.name.removeprefix(".").removesuffix(".publishing") for path in work.glob(".*.publishing")]
    repair(*(work / name for name in waiting))


def hashes(folder: Path) -> dict[str, str]:
    """The published files, and the history of republication, by name."""
    own = ("people.csv", "people.ledger", "people.ledger-journal")
    return {path.name: sha256_of(path) for path in (folder / "work").glob("people.*") if path.name not in own}


def look(folder: Path, scene: Scene) -> Wrong:
    """Files that do not belong together, and answers that were not paid for; the two latest of several releases."""
    work = folder / "work"
    releases = [path for path in work.glob(scene.release) if COUNTERFEITS not in path.name]
    latest = sorted(releases, key=lambda path: path.stat().st_mtime_ns)[-2:]
    apart = sum(not _fits(release) for release in latest)
    if not releases:
        apart += any(".evidence" in name or ".report" in name for name in hashes(folder))
    if scene.title == SCENES["republish"].title:
        apart += _unremembered(work, releases)
    return Wrong(apart, _unpaid(work, work / scene.release) if "privacy" in scene.rest else 0)


def _fits(release: Path) -> bool:
    """Whether evidence and report are those of the release."""
    evidence, report = release.with_suffix(".evidence.json"), release.with_suffix(".report.html")
    if not (evidence.exists() and report.exists()):
        return False
    told = read_evidence(evidence, body_of)
    rendered = evidence_kind(told.kind).render(told)
    return told.output.sha256 == sha256_of(release) and rendered == report.read_text(encoding="utf-8")


def _unremembered(work: Path, releases: list[Path]) -> int:
    """Releases that the history does not know, and those that it knows and that are not there."""
    history = work / "people.history"
    if not history.exists():
        return len(releases)
    known = {entry.name: entry.sha256 for entry in parse_history(history.read_bytes(), history.name).entries}
    found = {path.name: sha256_of(path) for path in releases}
    return len(set(known.items()) ^ set(found.items()))


def _given(release: Path) -> list[dict[str, Any]]:
    """The answers that were published, or the invented rows as one; each with its charge and receipt."""
    if not release.exists():
        return []
    if release.suffix == ".json":
        answers: list[dict[str, Any]] = json.loads(release.read_text())["answers"]
        return answers
    return [json.loads(release.with_suffix(".evidence.json").read_text())["body"]]


def _unpaid(work: Path, release: Path) -> int:
    """Answers without a charge; the ledger is sound and its total covers all its charges."""
    given, ledger = _given(release), work / "people.ledger"
    if not ledger.exists():
        return len(given)
    book = read_ledger(ledger)
    book.verify()
    charges = {entry.number for entry in book.entries() if entry.kind == "charged"}
    if book.spent().epsilon < len(charges) * QUESTION_EPSILON:
        raise SystemExit("the ledger tells less than the sum of its charges")
    receipts = [Receipt(answer["charge"], answer["receipt"]) for answer in given]
    book.verify(receipts)
    return sum(receipt.number not in charges for receipt in receipts)
