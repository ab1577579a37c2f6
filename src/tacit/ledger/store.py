"""The file of a ledger: one SQLite database to which entries can only be added, one writer at a time.

A transaction that has returned is on disk (`synchronous = EXTRA`: also the removal of the journal, without which a
power cut could undo a charge). There is no write-ahead log: at rest the ledger is one file, and a copy of it is whole.
Triggers refuse to change or remove a row. The database numbers its rows (`autoincrement`), so that deleting the last
ones is noticed. Every operation opens the file again, since a connection must not be shared by threads or survive a
fork. Do not put a ledger on a network file system, where locks are unreliable.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from tacit.errors import BadData
from tacit.ledger.chain import BEFORE_ALL, Entry, Receipt
from tacit.publication import publication

PATIENCE = 60.0
"""Seconds to wait for other writers."""
APPLICATION = 0x7AC1
VERSION = 1
SCHEMA = """
create table entries (
  number integer primary key autoincrement,
  time text not null,
  kind text not null,
  analyst text not null,
  about integer unique references entries (number),
  body text not null,
  hash text not null
);
create index entries_by_kind on entries (kind, number);
create index entries_by_analyst on entries (analyst, kind, number);
create trigger never_changed before update on entries begin select raise(abort, 'a ledger is only added to'); end;
create trigger never_removed before delete on entries begin select raise(abort, 'a ledger is only added to'); end;
"""
COLUMNS = "number, time, kind, analyst, about, body"
REASONS = {
    "SQLITE_BUSY": "stays in use by other processes; try again later",
    "SQLITE_LOCKED": "stays in use by other processes; try again later",
    "SQLITE_NOTADB": "is not a ledger",
    "SQLITE_CORRUPT": "is damaged; restore its latest copy, which lacks the charges made since then",
    "SQLITE_FULL": "can't be written: no space left on the disk",
    "SQLITE_READONLY": "can't be written: it is read-only",
    "SQLITE_CANTOPEN": "can't be opened: it or its folder is not there, or not yours",
    "SQLITE_PERM": "can't be opened: it is not yours",
    "SQLITE_IOERR": "can't be read or written: the disk fails or is full",
}


class AlreadyAnswered(Exception):
    """There is an entry about the same charge."""


class _MadeByAnother(Exception):
    """Another process created the file first."""


@dataclass(frozen=True)
class Store:
    """The file; entries are read and added inside `reading` and `writing`."""

    path: Path

    def create(self, first: Entry) -> None:
        """The file is there, whole, for its owner only; one that was there before stays as it is."""
        with suppress(_MadeByAnother), publication([self.path], private=[self.path]) as staged:
            if self.path.exists():
                raise _MadeByAnother
            made = staged[self.path]
            made.touch(mode=0o600)
            with explained(self.path), closing(_connected(made)) as connection:
                _begin(connection, first)

    @contextmanager
    def unmade(self, first: Entry) -> Iterator["Page"]:
        """The entries of the file as they will be when it is made; nothing is written."""
        with explained(self.path), closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
            yield _begin(connection, first)

    @contextmanager
    def reading(self) -> Iterator["Page"]:
        """The entries as they are now, even if somebody is writing."""
        with explained(self.path), closing(_connected(self.path)) as connection:
            connection.execute("begin")
            yield self._opened(connection)
            connection.execute("rollback")

    @contextmanager
    def writing(self) -> Iterator["Page"]:
        """Nobody else writes; what was added is on disk afterwards, or nothing of it after an error."""
        with explained(self.path), closing(_connected(self.path)) as connection:
            connection.execute("begin immediate")
            yield self._opened(connection)
            connection.execute("commit")

    def _opened(self, connection: sqlite3.Connection) -> "Page":
        """The page, if the file is a ledger; an empty file is refused, since a ledger is never made empty."""
        ((application,),) = connection.execute("pragma application_id")
        ((version,),) = connection.execute("pragma user_version")
        if application != APPLICATION:
            raise BadData(f"the ledger {self.path} is not a ledger; name another file, or restore its latest copy")
        if version != VERSION:
            raise BadData(f"the ledger {self.path} was written by a later version of Tacit ({version}, not {VERSION})")
        return Page(connection)


@dataclass(frozen=True)
class Page:
    """The entries within one transaction."""

    connection: sqlite3.Connection

    def add(self, entry: Entry) -> Receipt:
        """The entry stands last; its number must be the next."""
        hash_ = entry.hash_after(self.last_hash())
        values = (entry.number, entry.time, entry.kind, entry.analyst, entry.about, entry.body, hash_)
        try:
            self.connection.execute(f"insert into entries ({COLUMNS}, hash) values (?, ?, ?, ?, ?, ?, ?)", values)
        except sqlite3.IntegrityError:
            raise AlreadyAnswered from None
        return Receipt(entry.number, hash_)

    def next_number(self) -> int:
        """The number of the entry that comes next."""
        ((number,),) = self.connection.execute("select coalesce(max(number), 0) + 1 from entries")
        return int(number)

    def last_hash(self) -> str:
        """The hash of the last entry."""
        row = self.connection.execute("select hash from entries order by number desc limit 1").fetchone()
        return str(row[0]) if row else BEFORE_ALL

    def first(self) -> Entry:
        """The entry that opened the ledger."""
        row = self.connection.execute(f"select {COLUMNS} from entries order by number limit 1").fetchone()
        if row is None:
            raise BadData("the ledger has no first entry; restore its latest copy")
        return Entry(*row)

    def last(self, *kinds: str, analyst: str | None = None) -> Entry | None:
        """The last entry of one of these kinds, by that analyst."""
        marks = ", ".join("?" * len(kinds))
        whose, values = ("", kinds) if analyst is None else (" and analyst = ?", (*kinds, analyst))
        query = f"select {COLUMNS} from entries where kind in ({marks}){whose} order by number desc limit 1"
        row = self.connection.execute(query, values).fetchone()
        return Entry(*row) if row else None

    def all(self) -> Iterator[tuple[Entry, str]]:
        """All entries in order, with their hashes."""
        for *columns, hash_ in self.connection.execute(f"select {COLUMNS}, hash from entries order by number"):
            yield Entry(*columns), hash_

    def has_charge(self, receipt: Receipt) -> bool:
        """Whether this is the receipt of a charge."""
        query = "select count(*) from entries where number = ? and hash = ? and kind = 'charged'"
        ((number,),) = self.connection.execute(query, (receipt.number, receipt.hash))
        return bool(number)

    def fault(self) -> str | None:
        """What the database finds wrong with itself."""
        ((found,),) = self.connection.execute("pragma integrity_check(1)")
        if found != "ok":
            return "the database is damaged"
        row = self.connection.execute("select seq from sqlite_sequence where name = 'entries'").fetchone()
        if row is None or row[0] != self.next_number() - 1:
            return "entries are missing at its end"
        return None


@contextmanager
def explained(path: Path) -> Iterator[None]:
    """Errors of the database become BadData that says what to do."""
    try:
        yield
    except sqlite3.DatabaseError as error:
        code = getattr(error, "sqlite_errorname", "")
        reason = next((text for name, text in REASONS.items() if code.startswith(name)), "can't be used")
        raise BadData(f"the ledger {path} {reason}") from None


def _begin(connection: sqlite3.Connection, first: Entry) -> Page:
    """The database is a ledger with its first entry."""
    connection.executescript(
        f"pragma application_id = {APPLICATION}; pragma user_version = {VERSION}; begin; {SCHEMA} commit;"
    )
    page = Page(connection)
    page.add(first)
    return page


def _connected(path: Path) -> sqlite3.Connection:
    """A connection to a file that is there."""
    address = f"{path.absolute().as_uri()}?mode=rw"
    connection = sqlite3.connect(address, timeout=PATIENCE, isolation_level=None, uri=True)
    try:
        connection.execute("pragma synchronous = extra")
        connection.execute("pragma foreign_keys = on")
    except BaseException:
        connection.close()
        raise
    return connection
