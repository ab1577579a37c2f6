"""That a ledger remembers what was published before: a new one would give its budget once more."""

from pathlib import Path

from tacit.errors import BadData, PolicyRefused
from tacit.evidence.files import read_spent
from tacit.ledger.chain import Receipt
from tacit.ledger.ledger import Ledger
from tacit.ledger.memory import MemoryLedger


def require_remembered(evidence: Path, ledger: Ledger | MemoryLedger) -> None:
    """The ledger holds the charges of what stands there already; a new one, or an old copy, does not.

    A ledger in memory is new in each process, and remembers nothing before it.
    """
    if isinstance(ledger, MemoryLedger):
        return
    try:
        ledger.verify(_receipts(evidence))
    except BadData:
        raise PolicyRefused(
            f"{evidence} names charges that the ledger does not have, so it is a new one, an old copy, or not the one "
            "that was charged; restore that one, or write to another place with `-o`"
        ) from None


def _receipts(evidence: Path) -> list[Receipt]:
    """The charges that the evidence tells of, of whatever kind it is; none where there is none."""
    spent = read_spent(evidence) if evidence.exists() else None
    return [] if spent is None else [Receipt(charge.number, charge.hash) for charge in spent.charges]
