"""Processes that race for a budget, and processes that are killed while they charge and answer.

Covers ledger/ledger, ledger/terms.
"""

import os
from multiprocessing import get_context
from pathlib import Path

import pytest
from bench.killing import killed, moments
from bench.kills import QUESTION, TERMS, ask_on, give_answer, ledger_of, look_at

from tacit.accounting.budget import budget
from tacit.accounting.events import Pure
from tacit.errors import BudgetExceeded
from tacit.ledger.ledger import open_ledger, read_ledger
from tacit.ledger.terms import Terms

FORKED = get_context("forkserver")
RACE = Terms(budget(1))


def charge_many(path: Path, tries: int) -> None:
    """Tries so many charges of a hundredth, and leaves a file for each that succeeded."""
    ledger = open_ledger(path, RACE)
    for number in range(tries):
        try:
            receipt = ledger.charge(Pure(0.01), f"question {number} of {os.getpid()}")
        except BudgetExceeded:
            continue
        (path.parent / f"granted-{receipt.number}").touch(exist_ok=False)


@pytest.mark.slow
def test_eight_processes_race_for_a_budget_that_covers_a_hundred(tmp_path: Path) -> None:
    """They also race to make the ledger."""
    path = tmp_path / "people.ledger"
    racers = [FORKED.Process(target=charge_many, args=(path, 50)) for _ in range(8)]
    for racer in racers:
        racer.start()
    for racer in racers:
        racer.join()
    assert [racer.exitcode for racer in racers] == [0] * 8
    assert len(list(tmp_path.glob("granted-*"))) == 100
    ledger = read_ledger(path)
    assert ledger.spent() == budget(1)
    assert len(ledger.unanswered()) == 100


@pytest.mark.slow
def test_a_ledger_never_has_less_than_was_answered_however_its_users_are_killed(tmp_path: Path) -> None:
    """Twenty kills, or more until some came between charge and note and enough answers were given to say something."""
    for kills, seconds in enumerate(moments(200, most=0.25), start=1):
        killed(ask_on, (tmp_path,), seconds)
        found = look_at(tmp_path)
        assert found.unpaid == 0
        assert found.noted <= found.answers <= found.charged
        if kills >= 20 and found.answers > 20 and found.charged > found.noted:
            return
    pytest.fail(f"the machine is too slow to say anything: {found}")


def ask_first_and_charge_later(folder: Path) -> None:
    """What is not enough: the answer leaves before the charge is on disk."""
    ledger = ledger_of(folder)
    while True:
        give_answer(folder, len(ledger.entries()) + 1)
        ledger.charge(QUESTION, "how many?")


@pytest.mark.slow
def test_a_charge_after_the_answer_is_caught(tmp_path: Path) -> None:
    """The twin that must fail. It gets more time at each try: on a busy machine it does not even begin at first."""
    for number, seconds in enumerate(moments(60, most=0.25)):
        killed(ask_first_and_charge_later, (tmp_path,), seconds * (1 + number / 5))
        if look_at(tmp_path).unpaid:
            return
    pytest.fail("no kill came between answer and charge")


@pytest.mark.slow
def test_kills_while_a_ledger_is_made(tmp_path: Path) -> None:
    """There is a whole ledger or none."""
    for number, seconds in enumerate(moments(15, most=0.06)):
        folder = tmp_path / str(number)
        folder.mkdir()
        killed(open_and_wait, (folder,), seconds)
        path = folder / "people.ledger"
        assert not path.exists() or read_ledger(path).terms == TERMS
        assert look_at(folder).charged == 0
        assert list(folder.iterdir()) == [path]


def open_and_wait(folder: Path) -> None:
    ledger_of(folder)
