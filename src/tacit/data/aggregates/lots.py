"""Lots: which of a person's rows, groups or keys are kept, chosen without randomness and without favouring any value.

An engine draws no random numbers that can be repeated. So the rows of a person are put in order by what is read of
their cells and numbered, which does not depend on where and how they are stored, and the lot of a row is the MD5 hash
of the person's text and the row's number. Kept are the rows with the least lots. Numbers are all that the hash sees of
rows, so every choice of a person's rows is as likely as any other, taken over the names that a person may have; rows
that are alike have numbers of their own, and a value that fills half of the rows fills half of those that are kept, on
average. Different people keep different numbers. The hash also includes what is numbered (rows, groups or keys):
otherwise a person who loses in one draw would lose in the others.

Privacy only needs the lots of a person to depend on no rows but this person's. That they look random matters for the
answers only, so a hash that is not safe against collisions is good enough. MD5 is the one that DuckDB, PostgreSQL and
MySQL share, and it never changes; an engine's own hash is quicker, but it may change with a version, and with it every
answer. SQLite has none and is given one (`sqlite3.Connection.create_function`). Engines that write the names of people
in different ways keep different rows, each of them always the same.
"""

from typing import Literal


def lot(of: Literal["row", "group", "key"], person: str, number: str) -> str:
    """The lot of the item with this number, for the person with this text."""
    return f"md5('{of},' || coalesce({person}, '') || ',' || cast({number} as varchar))"
