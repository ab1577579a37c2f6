"""Lots in plain Python, and in SQLite, which has no MD5 of its own."""

import sqlite3
from collections.abc import Sequence
from hashlib import md5
from typing import Any, TypeVar

T = TypeVar("T")


def hashed(text: str) -> str:
    return md5(text.encode(), usedforsecurity=False).hexdigest()


def sqlite_with_md5() -> sqlite3.Connection:
    """A database in memory that draws lots."""
    connection = sqlite3.connect(":memory:")
    connection.create_function("md5", 1, hashed, deterministic=True)
    return connection


def last_if_missing(value: Any) -> tuple[bool, Any]:
    return value is None, 0 if value is None else value


def drawn(of: str, person: str | None, in_order: Sequence[T], most: int) -> list[T]:
    """Those of a person that the draw keeps: the ones whose number, counted from 1, has the least hashes."""
    numbers = range(1, len(in_order) + 1)
    kept = sorted(numbers, key=lambda number: hashed(f"{of},{person or ''},{number}"))[:most]
    return [in_order[number - 1] for number in kept]
