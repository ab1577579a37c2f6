"""Who is protected by private answers, and what a question spends on all of its groups.

Groups are answered one by one, each as if single rows came and went, and a person with at most r rows is r of these
rows, or 2 r under `replace`, wherever they stand (`accounting.spread`). So a group gets the noise that r rows need, as
a question without groups does, and nothing is composed over the groups. This is group privacy and holds for every
statistic that is stated for rows: counts, sums, quantiles, moments and all that is built on them.

A statistic that is stated for something else (baskets) goes another way. A person stands in at most g = min(r, groups)
of the groups; each is answered for all that a person may have, with a share 1/g of epsilon, or 1/(2 g) under `replace`,
and a share of delta (`shares`), and g answers are composed. So does one whose event has a delta of its own, which grows
too quickly with the number of rows.
"""

from dataclasses import dataclass

from tacit.accounted_loss import ROW
from tacit.accounting.events import Event, Parallel, Repeated
from tacit.accounting.exact import whole
from tacit.accounting.scope import Neighbours, Scope
from tacit.accounting.scoping import unscoped
from tacit.accounting.spread import over_blocks
from tacit.data.aggregates.people import Groups, People
from tacit.errors import BadParameter


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
        """Between which datasets answers are nearly the same."""
        return Scope(self.neighbours, self.rows, self.unit or ROW)

    def people(self, by: tuple[str, ...] = ()) -> People | None:
        """How an engine bounds what it reads of each person, for a question that is grouped by these columns."""
        if self.unit is None:
            return None
        groups = None if not by or self.groups is None else Groups(by, self.groups)
        return People(self.unit, self.rows, groups=groups)

    def groups_of_one(self, keys: int | None) -> int:
        """In how many of a number of groups (None if it is not known) one person may be."""
        if self.unit is None:
            return 1
        return min(number for number in (self.rows, self.groups, keys) if number is not None)

    @property
    def steps(self) -> int:
        """How many people are added or removed, at most, when one person is added, removed or replaced."""
        return 1 if self.neighbours == "add-remove" else 2

    @property
    def changed_rows(self) -> int:
        """How many rows are added or removed, at most, when one person is added, removed or replaced."""
        return self.rows * self.steps

    def over_rows(self, event: Event, keys: int | None) -> Event:
        """What a grouped question spends in all, if the event is that of one group for one row added or removed."""
        return over_blocks(unscoped(event), self.rows, keys, self.neighbours)

    def over_groups(self, event: Event, keys: int | None) -> Event:
        """The same, if the event is that of one group for all rows of a person who is added or removed."""
        blocks = Parallel((unscoped(event),) * self.steps, self.neighbours)
        times = self.groups_of_one(keys)
        return blocks if times == 1 else Repeated(blocks, times)
