"""Neighbours and units: between which datasets an answer must look alike, and who is protected by that.

`add-remove` (unbounded): one record more or less; the number of records is private. `replace` (bounded): one record is
another; the number of records is public. A guarantee for add-remove with epsilon is one for replace with 2 epsilon, not
the other way round (W26). The unit says whose presence is hidden: a record, a user with several rows, or a group of
people who stand or fall together (W35).
"""

from dataclasses import dataclass
from typing import Literal, get_args

from tacit.accounted_loss import Neighbours as Neighbours
from tacit.accounting.exact import whole
from tacit.errors import BadParameter


@dataclass(frozen=True)
class Unit:
    """Whose change is hidden: `people` people with at most `rows` rows each."""

    kind: Literal["record", "user", "group"] = "record"
    rows: int = 1
    people: int = 1

    @property
    def steps(self) -> int:
        """How many single rows may change at once."""
        return self.rows * self.people


RECORD = Unit()


def user(rows: int) -> Unit:
    """A person with at most `rows` rows; bound the contributions to make that true."""
    return Unit("user", whole("rows", rows))


def group(people: int, rows: int = 1) -> Unit:
    """`people` people at once, with at most `rows` rows each."""
    return Unit("group", whole("rows", rows), whole("people", people))


def known_relation(neighbours: Neighbours) -> Neighbours:
    """The relation itself, refused if it is none."""
    if neighbours not in get_args(Neighbours):
        raise BadParameter(f"neighbours is {neighbours!r}; it must be 'add-remove' or 'replace'")
    return neighbours
