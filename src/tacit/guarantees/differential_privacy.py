"""Differential privacy (Dwork, McSherry, Nissim and Smith 2006): nobody changes the odds of an outcome by much.

For all neighbouring datasets D and D' and every set S of outcomes Pr[M(D) in S] <= e**epsilon Pr[M(D') in S] + delta.
Neighbours have one unit of privacy more or less (`add-remove`), or another one in its place (`replace`). By Bayes' rule
somebody who thought a statement about one unit true with probability p thinks so afterwards with at most
p e**epsilon / (1 - p + p e**epsilon) after the answer, but for a share delta of outcomes.
"""

import math
from typing import Annotated, ClassVar, Literal

from pydantic import Field

from tacit.guarantees.guarantee import ProvenGuarantee


class DifferentialPrivacy(ProvenGuarantee):
    """No outcome becomes more than e**epsilon times as likely when one unit of privacy comes, goes or is replaced."""

    name: ClassVar[str] = "differential-privacy"
    title: ClassVar[str] = "differential privacy"
    paper: ClassVar[str] = "https://doi.org/10.1007/11681878_14"
    open: ClassVar[tuple[str, ...]] = (
        "It hides one unit of privacy, not what holds for many: what the data says about a group it says about "
        "everybody in the group.",
        "The losses of several answers add up, so it holds together only with the account of all of them.",
    )

    delta: Annotated[float, Field(ge=0, lt=1, description="the probability with which the loss may exceed epsilon")] = (
        0.0
    )
    neighbours: Annotated[
        Literal["add-remove", "replace"], Field(description="whether a unit comes or goes, or becomes another")
    ] = "add-remove"

    def promise(self) -> str:
        """What is promised, as a clause."""
        change = "comes or goes" if self.neighbours == "add-remove" else "is replaced by another"
        but = f", but with probability {self.delta:g}" if self.delta else ""
        return (
            f"no outcome becomes more than e**{self.epsilon:g} times as likely when one unit of privacy {change}{but} "
            f"(50 in 100 before is at most {100 * self.belief_after(0.5):.0f} in 100 after)"
        )

    def belief_after(self, before: float) -> float:
        """The most that a belief of this probability about one unit can become."""
        factor = math.exp(min(self.epsilon, 700.0))
        return before * factor / (1 - before + before * factor)


PROVEN: type[ProvenGuarantee] = DifferentialPrivacy
