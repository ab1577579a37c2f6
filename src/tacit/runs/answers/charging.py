"""The moment of payment: questions, or a synthetic table, are charged to a ledger, and the run remembers it."""

from collections.abc import Sequence
from dataclasses import dataclass

from tacit.accounting.events import Event
from tacit.accounting.price import price
from tacit.errors import TacitError
from tacit.ledger.chain import Receipt
from tacit.ledger.coverage import together
from tacit.ledger.ledger import Ledger
from tacit.ledger.memory import MemoryLedger
from tacit.release.answers import Amount
from tacit.release.fingerprints import CALL
from tacit.runs.answers.amounts import spent_amount
from tacit.runs.job import Job

CHANGED = (
    "the data has changed since the last question; what was spent before still counts for everybody who is in both"
)


@dataclass(frozen=True, eq=False)
class Payment:
    """The receipts of what was paid for, and what had been spent before; `remarks` are for whoever runs the command."""

    receipts: tuple[Receipt, ...]
    before: Amount
    remarks: tuple[str, ...] = ()


def pay(
    job: Job[object], ledger: Ledger | MemoryLedger, charges: Sequence[tuple[Event, str]], purpose: str = ""
) -> Payment:
    """All of the charges are on disk, or none is; the job knows which."""
    job.progress("charging the ledger")
    before, data = spent_amount(ledger.spent()), job.inputs[0].sha256 or ""
    remarks = () if ledger.has_seen(data) else (CHANGED,)
    cost, where = together([price(event) for event, _ in charges]), _where(job)
    job.deeds.begin_charge(cost, where)
    try:
        receipts = ledger.charge_all(charges, purpose=purpose, data=data)
    except TacitError:
        job.deeds.charge = ""
        raise
    job.deeds.end_charge(tuple(receipt.number for receipt in receipts), cost, where)
    return Payment(receipts, before, remarks)


def _where(job: Job[object]) -> str:
    """What shows the budget."""
    return "the budget's `spent`" if job.plan.name == CALL else f"`tacit budget {job.plan.name}`"
