"""Entries that were changed, removed, reordered or rolled back are found; the database itself refuses to do so.

Covers ledger/chain, ledger/ledger, ledger/terms.
"""

import random
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from tacit.accounting.budget import budget
from tacit.accounting.events import Pure
from tacit.errors import BadData
from tacit.ledger.chain import Receipt
from tacit.ledger.ledger import open_ledger, read_ledger
from tacit.ledger.terms import Terms

TERMS = Terms(budget(1), slices={"ann": budget(1)})


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A ledger with entries of all kinds: opened, three charges, two answers, raised."""
    ledger = open_ledger(tmp_path / "people.ledger", TERMS)
    receipts = [ledger.charge(Pure(0.125), f"question {number}", "ann") for number in range(3)]
    for receipt in receipts[:2]:
        ledger.answered(receipt)
    ledger.raise_budget(Terms(budget(2), slices={"ann": budget(1)}), "more is needed")
    return ledger.path


def without_triggers(path: Path, *statements: str) -> None:
    """Somebody who knows SQL changes the file, and leaves it as it looked before."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        triggers = connection.execute("select name, sql from sqlite_master where type = 'trigger'").fetchall()
        assert len(triggers) == 2
        for name, _ in triggers:
            connection.execute(f"drop trigger {name}")
        for statement in statements:
            connection.execute(statement)
        for _, text in triggers:
            connection.execute(text)


def test_an_untouched_ledger_is_sound(path: Path) -> None:
    without_triggers(path)
    read_ledger(path).verify()


@pytest.mark.parametrize("statement", ["update entries set time = ''", "delete from entries where number = 7"])
def test_the_database_refuses_to_change_or_remove_entries(path: Path, statement: str) -> None:
    with closing(sqlite3.connect(path)) as connection, pytest.raises(sqlite3.IntegrityError, match="only added to"):
        connection.execute(statement)


CHANGES = [
    "update entries set time = '2001-01-01T00:00:00.000000+00:00' where number = 3",
    "update entries set kind = 'opened' where number = 3",
    "update entries set analyst = 'bob' where number = 3",
    "update entries set about = 4 where number = 6",
    "update entries set about = null where number = 6",
    "update entries set body = replace(body, '1/8', '1/9') where number = 4",
    "update entries set body = replace(body, '\"budget\"', '\"Budget\"') where number = 1",
    "update entries set body = 'x' where number = 4",
    "update entries set hash = upper(hash) where number = 4",
    "update entries set body = body || ' ' where number = 4",
    "delete from entries where number = 1",
    "delete from entries where number = 4",
    "delete from entries where number = 7",
    "delete from entries",
    "update entries set number = 8 where number = 7",
    "update entries set number = number + 1000",
]


@pytest.mark.parametrize("statement", CHANGES)
def test_a_changed_or_removed_entry_is_found(path: Path, statement: str) -> None:
    without_triggers(path, "pragma foreign_keys = off", statement)
    with pytest.raises(BadData, match="is not what was written"):
        read_ledger(path)


def test_two_entries_that_changed_places_are_found(path: Path) -> None:
    swap = [f"update entries set number = {new} where number = {old}" for old, new in ((2, 99), (3, 2), (99, 3))]
    without_triggers(path, *swap)
    with pytest.raises(BadData, match="entry 2 is not what was written"):
        read_ledger(path)


def test_a_repeated_entry_is_found(path: Path) -> None:
    again = "insert into entries select null, time, kind, analyst, about, body, hash from entries where number = 2"
    without_triggers(path, again)
    with pytest.raises(BadData, match="entry 8"):
        read_ledger(path)


def test_a_copy_from_before_is_found_by_a_receipt(path: Path, tmp_path: Path) -> None:
    ledger = read_ledger(path)
    old = shutil.copy(path, tmp_path / "old copy")
    receipt = ledger.charge(Pure(0.25), "after the copy", "ann")
    ledger.verify([receipt])
    shutil.copy(old, path)
    ledger.verify()
    with pytest.raises(BadData, match="an old copy"):
        ledger.verify([receipt])
    other = ledger.charge(Pure(0.5), "in place of it", "ann")
    assert other.number == receipt.number
    with pytest.raises(BadData, match="an old copy"):
        ledger.verify([receipt])
    with pytest.raises(BadData):
        ledger.verify([Receipt(0, "0" * 64)])


def test_sums_that_do_not_follow_are_found_although_all_hashes_are_right(path: Path) -> None:
    """Somebody who writes the chain anew can make it look whole, but not while entries contradict each other."""
    entries = read_ledger(path).entries()
    changed, previous = list[str](), "0" * 64
    for entry in entries:
        body = entry.body.replace('"epsilon":"3/8"', '"epsilon":"1/8"') if entry.number == 4 else entry.body
        previous = type(entry)(*(getattr(entry, name) for name in KEPT), body).hash_after(previous)
        changed.append(f"update entries set body = '{body}', hash = '{previous}' where number = {entry.number}")
    without_triggers(path, *changed)
    with pytest.raises(BadData, match="entry 4 does not follow"):
        read_ledger(path)


KEPT = ("number", "time", "kind", "analyst", "about")


def bytes_of_entries(path: Path) -> list[int]:
    """Where in the file the texts of entries stand."""
    content = path.read_bytes()
    with closing(sqlite3.connect(path)) as connection:
        rows = connection.execute("select time, kind, analyst, body, hash from entries").fetchall()
    places: set[int] = set()
    for row in rows:
        record = "".join(row[:2]).encode()
        start = content.find(record)
        assert start >= 0
        whole = "".join(row[:3]).encode()
        places.update(range(start, start + len(whole)))
        for text in row[3:]:
            at = content.find(text.encode())
            assert at >= 0
            places.update(range(at, at + len(text)))
    return sorted(places)


@pytest.mark.slow
def test_any_bit_of_an_entry_that_flips_is_found(path: Path) -> None:
    whole = path.read_bytes()
    generator = random.Random()
    places = bytes_of_entries(path)
    assert len(places) > 1000
    for place in generator.sample(places, 150):
        broken = bytearray(whole)
        broken[place] ^= 1 << generator.randrange(8)
        path.write_bytes(broken)
        with pytest.raises(BadData, match=r"people\.ledger"):
            read_ledger(path)
    path.write_bytes(whole)
    read_ledger(path)


@pytest.mark.parametrize("cut", [lambda size: size // 2, lambda size: size - 1, lambda size: 100])
def test_a_file_that_was_cut_off_is_found(path: Path, cut: Callable[[int], int]) -> None:
    content = path.read_bytes()
    path.write_bytes(content[: cut(len(content))])
    with pytest.raises(BadData, match=r"people\.ledger"):
        read_ledger(path)
