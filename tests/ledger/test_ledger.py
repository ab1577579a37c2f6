"""The ledger in a file: charged before answered, under fixed terms, with errors that say what to do.

Covers ledger/ledger, ledger/memory, ledger/store.
"""

import os
import sqlite3
import stat
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.examples import examples

from tacit.accounting.budget import Budget, budget
from tacit.accounting.events import Gaussian, Parallel, Pure, Scoped
from tacit.accounting.exact import exact
from tacit.errors import BadData, BadParameter, BudgetExceeded, PolicyRefused
from tacit.ledger import store
from tacit.ledger.chain import Receipt
from tacit.ledger.ledger import Ledger, open_ledger, read_ledger
from tacit.ledger.memory import MemoryLedger
from tacit.ledger.terms import Terms

TERMS = Terms(budget(1), unit="patient", contributions=3)
SLICED = Terms(budget(1), slices={name: budget(0.6) for name in ("ann", "bob")})


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "people.ledger"


def kinds(ledger: Ledger) -> list[str]:
    return [entry.kind for entry in ledger.entries()]


def test_a_question_is_charged_then_answered_and_both_are_there_after_a_restart(path: Path) -> None:
    ledger = open_ledger(path, TERMS)
    receipt = ledger.charge(Pure(0.25), "count: by sex", analyst="ann", purpose="planning")
    assert [entry.number for entry in ledger.unanswered()] == [receipt.number]
    ledger.answered(receipt)
    again = open_ledger(path, TERMS)
    assert kinds(again) == ["opened", "charged", "answered"]
    charge = again.entries()[1]
    assert charge.event == Pure(0.25)
    assert (charge.analyst, charge.content["question"], charge.content["purpose"]) == (
        "ann",
        "count: by sex",
        "planning",
    )
    assert again.unanswered() == ()
    assert again.spent() == budget(0.25)
    assert again.left() == budget(0.75)
    again.verify([receipt])


def test_what_the_budget_does_not_cover_is_refused_and_leaves_no_trace(path: Path) -> None:
    ledger = open_ledger(path, TERMS)
    ledger.charge(Pure(0.75), "first")
    before = path.read_bytes()
    with pytest.raises(BudgetExceeded, match=r"epsilon 0\.5.*epsilon 0\.25, delta 0 is left of epsilon 1") as refusal:
        ledger.charge(Pure(0.5), "second")
    assert refusal.value.exit_code == 4
    assert path.read_bytes() == before
    ledger.charge(Pure(0.25), "third")
    assert ledger.left() == Budget(Fraction(0))


def test_an_unanswered_question_stays_charged(path: Path) -> None:
    ledger = open_ledger(path, TERMS)
    ledger.charge(Pure(1), "never answered")
    with pytest.raises(BudgetExceeded):
        open_ledger(path, TERMS).charge(Pure(0.001), "next")


def test_an_answer_is_noted_once_and_only_for_a_charge_that_is_there(path: Path) -> None:
    ledger = open_ledger(path, TERMS)
    receipt = ledger.charge(Pure(0.1), "q")
    ledger.answered(receipt)
    with pytest.raises(PolicyRefused, match="already been answered"):
        ledger.answered(receipt)
    with pytest.raises(BadData, match="no such charge"):
        ledger.answered(Receipt(receipt.number, "0" * 64))
    with pytest.raises(BadData, match="no such charge"):
        ledger.answered(Receipt(99, receipt.hash))
    opened = ledger.entries()[0]
    with pytest.raises(BadData, match="no such charge"):
        ledger.answered(Receipt(1, opened.hash_after("0" * 64)))
    assert kinds(ledger) == ["opened", "charged", "answered"]


@pytest.mark.parametrize(
    ("other", "wrong"),
    [
        (replace(TERMS, budget=budget(2)), "raise the budget"),
        (replace(TERMS, budget=budget(0.5)), "raise the budget"),
        (replace(TERMS, neighbours="replace"), "neighbours is 'replace'.*keep another ledger"),
        (replace(TERMS, unit=None), "unit is None.*'patient'"),
        (replace(TERMS, contributions=4), "contributions is 4.*3"),
        (replace(TERMS, slices={"ann": budget(1)}), "slices"),
    ],
)
def test_other_terms_than_those_of_the_file_are_refused(path: Path, other: Terms, wrong: str) -> None:
    open_ledger(path, TERMS).charge(Pure(0.5), "q")
    with pytest.raises(PolicyRefused, match=wrong):
        open_ledger(path, other)
    with pytest.raises(PolicyRefused, match=wrong):
        Ledger(path, other).charge(Pure(0.01), "q")
    assert kinds(read_ledger(path)) == ["opened", "charged"]


def test_a_budget_is_raised_by_an_entry_with_a_reason(path: Path) -> None:
    ledger = open_ledger(path, TERMS)
    ledger.charge(Pure(1), "q")
    more = replace(TERMS, budget=budget(1.5))
    raised = ledger.raise_budget(more, "the board agreed on 3 May")
    assert raised.left() == budget(0.5)
    assert read_ledger(path).entries()[-1].content["reason"] == "the board agreed on 3 May"
    with pytest.raises(PolicyRefused, match="raise the budget"):
        ledger.charge(Pure(0.1), "under the old terms")
    open_ledger(path, more).charge(Pure(0.5), "q")
    raised.verify()


@pytest.mark.parametrize(
    ("terms", "reason", "wrong"),
    [
        (replace(TERMS, budget=budget(0.9)), "why not", "would fall"),
        (replace(TERMS, budget=budget(2)), " ", "give one"),
        (replace(TERMS, budget=budget(2), contributions=1), "why not", "contributions"),
    ],
)
def test_a_budget_can_not_fall_or_rise_without_reason_or_change_its_scope(
    path: Path, terms: Terms, reason: str, wrong: str
) -> None:
    ledger = open_ledger(path, TERMS)
    with pytest.raises((PolicyRefused, BadParameter), match=wrong):
        ledger.raise_budget(terms, reason)
    assert kinds(ledger) == ["opened"]


# Slices.


def test_slices_and_the_budget_hold_both(path: Path) -> None:
    ledger = open_ledger(path, SLICED)
    ledger.charge(Pure(0.5), "q", "ann")
    ledger.charge(Pure(0.4), "q", "bob")
    with pytest.raises(BudgetExceeded, match="slice of 'ann'"):
        Ledger(path, SLICED).charge(Pure(0.11), "q", "ann")
    with pytest.raises(BudgetExceeded, match=r"epsilon 0\.1, delta 0 is left of epsilon 1"):
        ledger.charge(Pure(0.15), "q", "bob")
    assert ledger.left("bob") == budget(0.1)
    ledger.charge(Pure(0.1), "q", "bob")
    assert ledger.spent() == budget(1)
    assert ledger.spent("ann") == budget(0.5)
    assert ledger.spent("bob") == budget(0.5)
    ledger.verify()


def test_a_stranger_has_no_slice(path: Path) -> None:
    ledger = open_ledger(path, SLICED)
    with pytest.raises(BudgetExceeded, match="no slice"):
        ledger.charge(Pure(0.1), "q", "eve")
    with pytest.raises(BudgetExceeded, match="no slice"):
        ledger.spent("eve")
    with pytest.raises(BadParameter, match="has no slices"):
        open_ledger(path.with_name("other"), TERMS).spent("eve")


def test_a_slice_is_granted_later(path: Path) -> None:
    ledger = open_ledger(path, SLICED).raise_budget(
        replace(SLICED, slices={**SLICED.slices, "eve": budget(0.2)}), "eve joined"
    )
    ledger.charge(Pure(0.2), "q", "eve")
    with pytest.raises(PolicyRefused, match="slice of 'ann' would fall"):
        ledger.raise_budget(replace(SLICED, slices={"bob": budget(1)}), "ann left")
    ledger.verify()


@pytest.mark.slow
@examples(10)
@given(asked=st.lists(st.tuples(st.sampled_from(["ann", "bob"]), st.sampled_from([0.1, 0.3, 0.25])), max_size=8))
def test_a_ledger_is_never_overdrawn(asked: list[tuple[str, float]], tmp_path_factory: pytest.TempPathFactory) -> None:
    ledger = open_ledger(tmp_path_factory.mktemp("ledger") / "people.ledger", SLICED)
    granted: dict[str, Fraction] = {"ann": Fraction(0), "bob": Fraction(0)}
    for analyst, epsilon in asked:
        fits = granted[analyst] + exact(epsilon) <= Fraction(6, 10) and sum(granted.values()) + exact(epsilon) <= 1
        if fits:
            ledger.charge(Pure(epsilon), "q", analyst)
            granted[analyst] += exact(epsilon)
        else:
            with pytest.raises(BudgetExceeded):
                ledger.charge(Pure(epsilon), "q", analyst)
    assert ledger.spent().epsilon == sum(granted.values())
    assert {name: ledger.spent(name).epsilon for name in granted} == granted


def test_disjoint_blocks_are_charged_once(path: Path) -> None:
    ledger = open_ledger(path, TERMS)
    ledger.charge(Parallel((Pure(0.5), Pure(0.6))), "by sex")
    assert ledger.spent() == budget(0.6)


def test_gaussian_noise_is_charged_where_the_budget_has_a_delta(path: Path) -> None:
    with pytest.raises(BudgetExceeded, match="no epsilon of its own"):
        open_ledger(path, TERMS).charge(Gaussian(10), "q")
    ledger = open_ledger(path.with_name("other"), Terms(budget(3, 1e-6)))
    ledger.charge(Gaussian(10), "q")
    assert 0 < ledger.spent().epsilon < 3
    assert ledger.spent().delta == Fraction(1, 2 * 10**6)
    ledger.charge(Pure(ledger.left().epsilon), "the rest")
    ledger.verify()


# What is given.


@pytest.mark.parametrize("no_event", [None, 1, "x", Pure, (Pure(1),), {"event": Pure(1)}])
def test_what_is_no_event_is_refused(path: Path, no_event: Any) -> None:
    ledger = open_ledger(path, TERMS)
    with pytest.raises(BadParameter):
        ledger.charge(no_event, "q")
    assert kinds(ledger) == ["opened"]


@pytest.mark.parametrize("text", ["\ud800", None, b"x"])
def test_what_is_no_text_is_refused(path: Path, text: Any) -> None:
    ledger = open_ledger(path, TERMS)
    for arguments in ((text,), ("q", text), ("q", "ann", text)):
        with pytest.raises(BadParameter, match="must be text"):
            ledger.charge(Pure(0.1), *arguments)
    assert kinds(ledger) == ["opened"]


@pytest.mark.parametrize("text", ["'; drop table entries; --", "Zürich\n\0 \u2028", "x" * 100_000])
def test_any_text_is_kept(path: Path, text: str) -> None:
    ledger = open_ledger(path, TERMS)
    ledger.charge(Pure(0.1), text, analyst=text, purpose=text)
    entry = read_ledger(path).entries()[1]
    assert (entry.analyst, entry.content["question"], entry.content["purpose"]) == (text, text, text)


def test_times_are_in_utc_and_come_from_the_clock(path: Path) -> None:
    berlin = timezone(timedelta(hours=2))
    ledger = open_ledger(path, TERMS, clock=lambda: datetime(2031, 5, 3, 12, 30, tzinfo=berlin))
    ledger.charge(Pure(0.1), "q")
    assert [entry.time for entry in ledger.entries()] == ["2031-05-03T10:30:00.000000+00:00"] * 2
    assert ledger.entries()[0].moment == datetime(2031, 5, 3, 10, 30, tzinfo=UTC)
    with pytest.raises(BadParameter, match="without a zone"):
        open_ledger(path, TERMS, clock=lambda: datetime(2031, 5, 3)).charge(Pure(0.1), "q")


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: Terms(Budget(Fraction(0))),
        lambda: Terms(Budget(Fraction(1), Fraction(1))),
        lambda: Terms(budget(1), neighbours="other"),  # type: ignore[arg-type]
        lambda: Terms(budget(1), contributions=0),
        lambda: Terms(budget(1), slices={"ann": Budget(Fraction(-1))}),
    ],
)
def test_terms_that_promise_nothing_are_refused(wrong: Any) -> None:
    with pytest.raises(BadParameter):
        wrong()


# Files.


def test_the_file_is_private_and_stands_alone(path: Path) -> None:
    ledger = open_ledger(path, TERMS)
    ledger.charge(Pure(0.1), "q")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert list(path.parent.iterdir()) == [path]


@pytest.mark.parametrize("content", [b"", b"x", b"no database at all " * 1000, b"SQLite format 3\0" + b"\0" * 5000])
def test_a_file_that_is_no_ledger_is_refused_and_kept(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    with pytest.raises(BadData, match=r"people\.ledger"):
        open_ledger(path, TERMS)
    assert path.read_bytes() == content


def test_a_database_of_somebody_else_is_no_ledger(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("create table entries (number integer)")
    with pytest.raises(BadData, match="is not a ledger"):
        open_ledger(path, TERMS)


def test_a_ledger_of_a_later_version_is_refused(path: Path) -> None:
    open_ledger(path, TERMS)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("pragma user_version = 2")
    with pytest.raises(BadData, match="later version"):
        open_ledger(path, TERMS)


def test_a_ledger_that_went_away_is_not_made_anew(path: Path) -> None:
    ledger = open_ledger(path, TERMS)
    path.unlink()
    with pytest.raises(BadData, match="not there"):
        ledger.charge(Pure(0.1), "q")
    assert not path.exists()
    with pytest.raises(BadData, match="no ledger"):
        read_ledger(path)


def test_a_new_ledger_that_waited_never_replaces_one_that_is_there(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The making of a ledger was cut off, and a copy with all that was spent was put in its place meanwhile."""
    other = open_ledger(path.with_name("copy"), TERMS)
    other.charge(Pure(1), "q")

    def interrupt(_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("tacit.publication._FileGroup.finish", interrupt)
        with pytest.raises(KeyboardInterrupt):
            open_ledger(path, TERMS)
    assert not path.exists()
    other.path.rename(path)
    assert open_ledger(path, TERMS).left() == Budget(Fraction(0))
    assert list(path.parent.iterdir()) == [path]


def test_a_folder_is_no_ledger(tmp_path: Path) -> None:
    with pytest.raises((BadData, BadParameter)):
        open_ledger(tmp_path, TERMS)


def test_a_ledger_in_use_is_waited_for_and_then_told(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ledger = open_ledger(path, TERMS)
    monkeypatch.setattr(store, "PATIENCE", 0.05)
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("begin immediate")
        with pytest.raises(BadData, match="in use"):
            ledger.charge(Pure(0.1), "q")
        assert kinds(ledger) == ["opened"]
    ledger.charge(Pure(0.1), "q")


def test_a_full_disk_charges_nothing(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The database is told that it may not grow, which it treats as a full disk."""
    ledger = open_ledger(path, TERMS)
    connected = store._connected

    def with_little_room(where: Path) -> sqlite3.Connection:
        connection = connected(where)
        ((pages,),) = connection.execute("pragma page_count")
        connection.execute(f"pragma max_page_count = {pages}")
        return connection

    with monkeypatch.context() as patch:
        patch.setattr(store, "_connected", with_little_room)
        with pytest.raises(BadData, match="no space left"):
            ledger.charge(Pure(0.1), "x" * 1_000_000)
    ledger.verify()
    assert kinds(ledger) == ["opened"]
    assert ledger.spent() == Budget(Fraction(0))


def test_a_ledger_that_may_not_be_written_is_told(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ledger = open_ledger(path, TERMS)
    connected = store._connected

    def read_only(where: Path) -> sqlite3.Connection:
        connection = connected(where)
        connection.execute("pragma query_only = on")
        return connection

    with monkeypatch.context() as patch:
        patch.setattr(store, "_connected", read_only)
        with pytest.raises(BadData, match="read-only"):
            ledger.charge(Pure(0.1), "q")
    assert kinds(ledger) == ["opened"]


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_may_not_be_written_is_told(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with pytest.raises(BadData, match="can't write"):
        open_ledger(tmp_path / "people.ledger", TERMS)


def test_several_questions_are_charged_together_or_not_at_all(path: Path) -> None:
    ledger = open_ledger(path, TERMS)
    with pytest.raises(BudgetExceeded):
        ledger.charge_all([(Pure(0.75), "first"), (Pure(0.5), "second")])
    assert kinds(ledger) == ["opened"]
    receipts = ledger.charge_all([(Pure(0.75), "first"), (Pure(0.25), "second")])
    assert [receipt.number for receipt in receipts] == [2, 3]
    assert ledger.left() == Budget(Fraction(0))
    ledger.verify(receipts)


@pytest.mark.parametrize(
    "scope", [{"neighbours": "replace"}, {"contributions": 4}, {"unit": "household"}], ids=["relation", "rows", "unit"]
)
def test_an_event_for_other_people_is_refused(path: Path, scope: dict[str, Any]) -> None:
    ledger, memory = open_ledger(path, TERMS), MemoryLedger(TERMS)
    own = {"neighbours": "add-remove", "contributions": 3, "unit": "patient"}
    other = Scoped(Pure(0.25), **{**own, **scope})
    for book in (ledger, memory):
        with pytest.raises(BadParameter, match="do not add up"):
            book.charge_all([(other, "other")])
        book.charge_all([(Scoped(Pure(0.25), **own), "own")])
        assert book.spent() == budget(0.25)


@pytest.mark.slow
@given(st.lists(st.integers(1, 8), min_size=1, max_size=12), st.booleans())
def test_a_ledger_in_memory_adds_up_as_one_in_a_file(
    tmp_path_factory: pytest.TempPathFactory, eighths: list[int], approximate: bool
) -> None:
    terms = replace(TERMS, budget=budget(2, Fraction(1, 1000) if approximate else 0))
    file = open_ledger(tmp_path_factory.mktemp("ledger") / "people.ledger", terms)
    memory = MemoryLedger(terms)
    for number in eighths:
        charge = [(Pure(Fraction(number, 8)), "question")]
        outcomes = []
        for book in (file, memory):
            try:
                outcomes.append(len(book.charge_all(charge)))
            except BudgetExceeded as refusal:
                outcomes.append(str(refusal))
        assert outcomes[0] == outcomes[1]
        assert (file.spent(), file.left()) == (memory.spent(), memory.left())
