"""A ledger in memory (ledger/memory): it is spent once, by the process that made it."""

import copy
import os
import pickle
from collections.abc import Callable

import pytest

from tacit.accounting.budget import budget
from tacit.accounting.events import Pure
from tacit.errors import BudgetExceeded, PolicyRefused
from tacit.ledger.memory import MemoryLedger
from tacit.ledger.terms import Terms


def in_a_fork(act: Callable[[], str]) -> str:
    """What `act` gives in a forked process."""
    reading, writing = os.pipe()
    if not (child := os.fork()):
        try:
            os.write(writing, act().encode())
        finally:
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        told = pipe.read().decode()
    os.waitpid(child, 0)
    return told


def charged(ledger: MemoryLedger) -> str:
    try:
        ledger.charge_all([(Pure(1), "all of it")])
    except PolicyRefused as refusal:
        return str(refusal)
    return "charged"


def rehearsed(ledger: MemoryLedger) -> str:
    try:
        ledger.require_covered([(Pure(1), "all of it")])
    except PolicyRefused as refusal:
        return str(refusal)
    return "covered"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system can't fork")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
@pytest.mark.parametrize("act", [charged, rehearsed])
def test_a_fork_does_not_double_it(act: Callable[[MemoryLedger], str]) -> None:
    """The child spends nothing, neither before nor after the parent does; what it makes itself it may spend."""
    ledger = MemoryLedger(Terms(budget(1)))
    assert "copied by a fork" in in_a_fork(lambda: act(ledger))
    assert in_a_fork(lambda: charged(MemoryLedger(Terms(budget(1))))) == "charged"
    assert charged(ledger) == "charged"
    assert "ledger='people.ledger'" in in_a_fork(lambda: act(ledger))
    with pytest.raises(BudgetExceeded):
        ledger.charge_all([(Pure(1), "once more")])


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, pickle.dumps])
def test_it_is_not_copied(copied: Callable[[MemoryLedger], object]) -> None:
    with pytest.raises(PolicyRefused, match="can't be copied"):
        copied(MemoryLedger(Terms(budget(1))))
