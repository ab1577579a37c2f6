"""Who is protected by private answers, and how the price of a question splits among its groups.

A person with at most r rows stands in at most g = min(r, groups) of the groups of a question. Under `add-remove` g
groups change when the person comes or goes; under `replace` the groups of two people change, since one goes and another
comes. So each group is answered as if people came and went, with a share 1/g or 1/(2g) of epsilon and delta, and the
event of the whole says in which way the groups add up.
"""

from dataclasses import dataclass
from fractions import Fraction

from tacit.accounting.events import Event, Parallel, Repeated
from tacit.accounting.exact import whole
from tacit.accounting.scope import Neighbours, Scope
from tacit.accounting.scoping import unscoped
from tacit.data.aggregates.people import Groups, People
from tacit.errors import BadParameter
from tacit.ledger.terms import ROW


@dataclass(frozen=True)
class Protection:
    """The unit of privacy, what may change about it, and how much of it counts."""

    unit: str | None = None
    neighbours: Neighbours = "add-remove"
    rows: int = 1
    groups: int | None = None

    def __post_init__(self) -> None:
        """Numbers are whole and at least 1, and rows are those of somebody."""
        if self.unit is not None and not isinstance(self.unit, str):
            raise BadParameter(f"unit is {self.unit!r}; it must be the name of the column that tells people apart")
        whole("rows", self.rows)
        if self.groups is not None:
            whole("groups", self.groups)

    @property
    def scope(self) -> Scope:
        """Between which datasets answers are alike."""
        return Scope(self.neighbours, self.rows, self.unit or ROW)

    def people(self, by: tuple[str, ...] = ()) -> People | None:
        """How an engine bounds what is read of each person, for a question that is grouped by these columns."""
        if self.unit is None:
            return None
        groups = None if not by or self.groups is None else Groups(by, self.groups)
        return People(self.unit, self.rows, groups=groups)

    def groups_of_one(self, keys: int | None) -> int:
        """In how many of so many groups (None where their number is not known) one person may stand."""
        if self.unit is None:
            return 1
        return min(number for number in (self.rows, self.groups, keys) if number is not None)

    def share(self, keys: int | None) -> Fraction:
        """The share of the price of a grouped question that one group gets."""
        steps = 1 if self.neighbours == "add-remove" else 2
        return Fraction(1, steps * self.groups_of_one(keys))

    def of_groups(self, event: Event, keys: int | None) -> Event:
        """What a grouped question spends in all, where the event is that of one group for people who come and go."""
        blocks = Parallel((unscoped(event),) * (1 if self.neighbours == "add-remove" else 2), self.neighbours)
        times = self.groups_of_one(keys)
        return blocks if times == 1 else Repeated(blocks, times)
