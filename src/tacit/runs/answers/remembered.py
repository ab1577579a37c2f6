"""Checks that a ledger holds what was published before: a new one, or an old copy, would grant its budget again.

What was published stays published, even if the ledger was deleted or an old copy was restored. So a run looks for
evidence that names charges, in the folders of its own evidence, the data, the plan and the ledger, and asks nothing if
no ledger there has these charges. Evidence that was moved elsewhere is not found.
"""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from tacit.errors import BadData, PolicyRefused
from tacit.evidence.files import read_spent
from tacit.ledger.chain import Receipt
from tacit.ledger.ledger import Ledger, read_ledger
from tacit.ledger.memory import MemoryLedger
from tacit.runs.files import evidence_in

LEDGER = ".ledger"


@dataclass(frozen=True)
class AskedData:
    """What is asked about, by its names in evidence: the plan, the file of the data, and the dataset."""

    plan: Path
    files: frozenset[str]
    dataset: str

    def is_of(self, evidence: Path) -> bool:
        """Whether the evidence is about the same data, or beside the plan and made by it."""
        try:
            found = json.loads(evidence.read_bytes())
            data = found["inputs"][0]["name"]
            own = found["plan"]["name"] == self.plan.name and evidence.parent.samefile(self.plan.parent)
            named = (found["recipe"]["plan"].get("privacy") or {}).get("dataset")
        except (OSError, ValueError, LookupError, TypeError, AttributeError):
            return False
        return own or data in self.files or self.dataset == (named or Path(str(data)).stem)


def require_all_remembered(subject: AskedData, ledger: Ledger, folders: Iterable[Path]) -> None:
    """Every charge that evidence in these folders names, about the same data, is in the ledger or in another there."""
    places = tuple(folders)
    for evidence in evidence_in(places):
        receipts = [receipt for receipt in _receipts(evidence) if receipt.hash]
        if not receipts or not subject.is_of(evidence) or _has(ledger, receipts):
            continue
        if not any(_has(other, receipts) for other in _read(ledgers_in(places))):
            raise PolicyRefused(_refusal(evidence, ledger))


def require_remembered(evidence: Path, ledger: Ledger | MemoryLedger) -> None:
    """The ledger holds the charges of what is already there; a new one, or an old copy, does not.

    A ledger in memory is new in each process, and remembers nothing before it.
    """
    if not isinstance(ledger, MemoryLedger) and not _has(ledger, _receipts(evidence)):
        raise PolicyRefused(_refusal(evidence, ledger))


def ledgers_in(folders: Iterable[Path]) -> list[Path]:
    """The ledgers in these folders, each once, with links resolved."""
    found = {path.resolve() for folder in folders for path in folder.glob(f"*{LEDGER}")}
    return sorted(path for path in found if path.is_file())


def _refusal(evidence: Path, ledger: Ledger) -> str:
    there = "an old copy, or not the one that was charged" if ledger.path.exists() else "a new one"
    return (
        f"{evidence} names charges that the ledger does not have, so {ledger.path} is {there}, and it would grant "
        "again what was spent; restore the latest copy of the ledger that was charged. Only if that evidence is about "
        "other people, keep it in another folder. Nothing was charged"
    )


def _read(paths: Iterable[Path]) -> Iterator[Ledger]:
    """The ledgers at these places that are sound."""
    for path in paths:
        try:
            yield read_ledger(path)
        except BadData:
            continue


def _has(ledger: Ledger, receipts: list[Receipt]) -> bool:
    """Whether the ledger is sound and holds all of these charges."""
    try:
        ledger.verify(receipts)
    except BadData:
        return False
    return True


def _receipts(evidence: Path) -> list[Receipt]:
    """The charges that the evidence names, whatever its kind; none if there are none."""
    spent = read_spent(evidence) if evidence.exists() else None
    return [] if spent is None else [Receipt(charge.number, charge.hash) for charge in spent.charges]
