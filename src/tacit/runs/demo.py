"""A folder in which the demo can begin any number of times without touching anybody else's files.

Nobody in the register exists, so the demo may begin again with its whole budget: its ledger is removed with the answers
that were charged to it. No other ledger is removed. What an earlier run made is recognised by its content: a ledger by
its terms and by the rows that all its charges are about, a release and answers by evidence that names the demo's plan
and their own hash. Evidence is removed last, so that it still identifies whatever a killed run leaves.
"""

import json
from collections.abc import Iterator, Mapping
from hashlib import sha256
from pathlib import Path

from tacit.atomic import unwritable
from tacit.demo.files import (
    DATA_FILE,
    LEDGER_FILE,
    PLAN_FILE,
    demo_content,
    foreign_files,
    refuse_foreign,
    write_missing,
)
from tacit.errors import BadData
from tacit.ledger.ledger import Ledger, marked, read_ledger
from tacit.ledger.terms import Terms
from tacit.plan.load import load_plan
from tacit.publication import repair
from tacit.release.fingerprints import sha256_of
from tacit.runs.answers.ask import dataset_name, protection_of
from tacit.runs.answers.budget import terms_of
from tacit.runs.answers.remembered import LEDGER
from tacit.runs.files import OutcomeFiles, outcome_files
from tacit.runs.tables.competition import competing

MADE = ("hospital.answers.json", "hospital.release.csv")
"""What the demo makes, each with its evidence and its report."""


def begin_demo(folder: Path) -> Path:
    """The folder holds the register, its hierarchies and its plan, and nothing of an earlier run; the path of the plan.

    Refused, with nothing changed, if a file that the demo writes exists and is not its own.
    """
    # What a method compiles on its first use is compiled while the register is made.
    for method in competing(()).values():
        method.begin_early()
    content = demo_content()
    refuse_foreign(folder, foreign_files(folder, content))
    made = tuple(outcome_files(folder / name) for name in MADE)
    repair(folder / LEDGER_FILE, *(place for files in made for place in files.all))
    refuse_foreign(folder, [*_foreign_ledgers(folder, content), *_foreign_outcomes(made, content)])
    for files in made:
        for place in (files.release, files.report, files.evidence):
            _remove(place)
    _remove(folder / LEDGER_FILE)
    write_missing(folder, content)
    return folder / PLAN_FILE


def _foreign_outcomes(made: tuple[OutcomeFiles, ...], content: Mapping[str, bytes]) -> Iterator[str]:
    """The names of files in the places of the demo's that it did not make from its present plan."""
    plan = sha256(content[PLAN_FILE]).hexdigest()
    for files in made:
        found = _hashes(files.evidence)
        if found is None or found[0] != plan:
            yield from (place.name for place in files.all if place.exists() or place.is_symlink())
        elif files.release.exists() and (files.release.is_dir() or sha256_of(files.release) != found[1]):
            yield files.release.name


def _hashes(evidence: Path) -> tuple[str, str] | None:
    """The hashes of the plan and of the release that the evidence names; None if none can be read."""
    try:
        found = json.loads(evidence.read_bytes())
        return found["plan"]["sha256"], found["outputs"][0]["sha256"]
    except (OSError, ValueError, LookupError, TypeError):
        return None


def _foreign_ledgers(folder: Path, content: Mapping[str, bytes]) -> Iterator[str]:
    """The names of ledgers that are not the demo's, but are in its place or about the same people."""
    rows, terms = sha256(content[DATA_FILE]).hexdigest(), _terms(folder)
    for path in sorted(folder.glob(f"*{LEDGER}")):
        ledger = _ledger(path)
        if path.name == LEDGER_FILE:
            foreign = ledger is None or ledger.terms != terms or not _is_about(ledger, rows)
        else:
            foreign = ledger is not None and _is_second(ledger, rows)
        if foreign:
            yield path.name


def _ledger(path: Path) -> Ledger | None:
    """The ledger, if it is one that can be read."""
    try:
        return read_ledger(path)
    except BadData:
        return None


def _terms(folder: Path) -> Terms | None:
    """The terms of the demo's ledger; None if the demo was never here, so that no ledger is its own."""
    if not all((folder / name).exists() for name in (PLAN_FILE, DATA_FILE)):
        return None
    plan = load_plan(folder / PLAN_FILE)
    budget = plan.privacy.budget
    return terms_of(protection_of(plan), budget.epsilon, budget.delta, dataset_name(plan))


def _is_about(ledger: Ledger, rows: str) -> bool:
    """Whether all that was charged was about these rows."""
    first, *others = ledger.entries()
    mark = marked(first.content["key"], rows)
    return all(entry.content["data"] == mark for entry in others if entry.kind == "charged")


def _is_second(ledger: Ledger, rows: str) -> bool:
    """Whether it would keep the demo from asking, since both are about the same people."""
    return ledger.terms.dataset == Path(DATA_FILE).stem or ledger.has_charged(rows)


def _remove(place: Path) -> None:
    try:
        place.unlink(missing_ok=True)
    except OSError as error:
        raise unwritable(place, error) from None
