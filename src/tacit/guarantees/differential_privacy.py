"""Differential privacy (Dwork, McSherry, Nissim and Smith 2006): nobody changes the odds of an outcome by much.

For all neighbouring datasets D and D' and every set S of outcomes Pr[M(D) in S] <= e**epsilon Pr[M(D') in S] + delta.
One of two neighbours has one unit of privacy more than the other (`add-remove`), or another unit in its place
(`replace`). Suppose that somebody believes a statement about one unit with probability p. After the answer they believe
it with probability at most p e**epsilon / (1 - p + p e**epsilon) by Bayes' rule, except with probability delta.
"""

from typing import TYPE_CHECKING, Annotated, ClassVar

from pydantic import Field

from tacit.accounted_loss import ROW, AccountedLoss, Neighbours
from tacit.guarantees._likelihood import factor_of, in_hundred, is_readable, likelier
from tacit.guarantees.guarantee import PeopleOrRows, ProvenGuarantee
from tacit.promise import Proven

CHANGES = {"add-remove": "comes or goes", "replace": "is replaced by another", None: "changes"}
UNITS = {"people": "person", "rows": "row", None: "unit of privacy"}


class DifferentialPrivacy(ProvenGuarantee):
    """No outcome becomes more than e**epsilon times as likely when one unit of privacy comes, goes or is replaced."""

    name: ClassVar[str] = "differential-privacy"
    title: ClassVar[str] = "differential privacy"
    paper: ClassVar[str] = "https://doi.org/10.1007/11681878_14"
    open: ClassVar[tuple[str, ...]] = (
        "It hides one unit of privacy, not what holds for many: what the data says about a group, it says about "
        "everybody in the group.",
        "The losses of several answers add up, so the promise of one answer says nothing about all of them together.",
    )

    if TYPE_CHECKING:
        # What an editor and a type checker see; `Guarantee` reads the values.
        def __init__(self, epsilon: float, *, delta: float = 0.0, neighbours: Neighbours | None = None) -> None: ...

    delta: Annotated[float, Field(ge=0, lt=1, description="the probability with which the loss may exceed epsilon")] = (
        0.0
    )
    neighbours: Annotated[
        Neighbours | None,
        Field(
            description="whether neighbouring datasets differ by adding or removing a unit, or by replacing one; by "
            "default as in the plan's privacy"
        ),
    ] = None

    @property
    def failure(self) -> float:
        """Its delta."""
        return self.delta

    @property
    def stated_neighbours(self) -> Neighbours | None:
        """Those that it names."""
        return self.neighbours

    def promise(self, of: PeopleOrRows | None = None) -> str:
        """What is promised, as a clause."""
        but = f", but with probability {self.delta:g}" if self.delta else ""
        when = f"when one {UNITS[of]} {CHANGES[self.neighbours]}{but}"
        return f"{likelier('outcome', self.epsilon)} {when} ({self._belief()})"

    def _belief(self) -> str:
        """What an even chance can become."""
        if not is_readable(self.epsilon):
            return "50 in 100 before may be all but certain after, so hardly anything is hidden"
        return f"50 in 100 before is at most {in_hundred(self.belief_after(0.5))} in 100 after"

    def belief_after(self, before: float) -> float:
        """The most that a belief of this probability about one unit can become."""
        factor = factor_of(self.epsilon)
        return before * factor / (1 - before + before * factor)

    @classmethod
    def proven_by(cls, loss: AccountedLoss) -> Proven:
        """It is what is spent, by definition."""
        stated = cls(epsilon=loss.epsilon, delta=loss.delta, neighbours=loss.neighbours)
        return Proven(
            name=cls.name,
            title=cls.title,
            epsilon=loss.epsilon,
            delta=loss.delta,
            unit=loss.unit or ROW,
            neighbours=loss.neighbours,
            contributions=loss.contributions,
            says=stated.promise("rows" if loss.unit is None else "people"),
            events=loss.events,
        )


PROVEN: type[ProvenGuarantee] = DifferentialPrivacy
