"""Scopes: the datasets between which an event holds, so that promises about different things are never added up.

An epsilon for a row added or removed and an epsilon for a replaced row are promises of different strength, and so are
promises for a person with one row and for a person with seven. Their sum holds for neither. A scope has three parts; if
a part is not stated (None), the promise holds whatever it is, so it is compatible with every other.
"""

from dataclasses import dataclass
from typing import get_args

from tacit.accounted_loss import Neighbours as Neighbours
from tacit.accounting.exact import whole
from tacit.errors import BadParameter
from tacit.spelling import many


@dataclass(frozen=True)
class Scope:
    """One person added or removed (`add-remove`), or replaced (`replace`), with at most `contributions` rows.

    `contributions` is None for a person with any number of rows, `unit` the column that names a person, where it is
    known. A person with at most c rows has at most c of whatever rows are grouped into, such as baskets.
    """

    neighbours: Neighbours = "add-remove"
    contributions: int | None = 1
    unit: str | None = None

    def __post_init__(self) -> None:
        """The relation is known and the number of rows is one."""
        if self.neighbours not in get_args(Neighbours):
            raise BadParameter(f"neighbours is {self.neighbours!r}; it must be 'add-remove' or 'replace'")
        if self.contributions is not None:
            whole("contributions", self.contributions)

    def with_other(self, other: "Scope") -> "Scope":
        """The scope of both together; refused where they are about unlike people."""
        if self.neighbours != other.neighbours:
            raise _unlike(f"neighbours {self.neighbours!r}", f"{other.neighbours!r}")
        if None not in (self.contributions, other.contributions) and self.contributions != other.contributions:
            raise _unlike(
                f"at most {many(self.contributions or 0, 'row')} of a person", f"at most {other.contributions}"
            )
        if None not in (self.unit, other.unit) and self.unit != other.unit:
            raise _unlike(f"the unit {self.unit!r}", f"{other.unit!r}")
        contributions = other.contributions if self.contributions is None else self.contributions
        return Scope(self.neighbours, contributions, self.unit or other.unit)


def together(first: Scope | None, second: Scope | None) -> Scope | None:
    """The scope of two events on the same people; what has none, such as a bare mechanism, goes with any."""
    if first is None or second is None:
        return first or second
    return first.with_other(second)


def _unlike(here: str, there: str) -> BadParameter:
    return BadParameter(
        f"an event is stated for {here}, another for {there}: their losses do not add up; ask all questions with the "
        "same neighbours and contributions"
    )
