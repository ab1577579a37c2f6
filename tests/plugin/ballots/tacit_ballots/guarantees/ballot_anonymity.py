"""k-anonymity of ballots (after Samarati and Sweeney 1998): every published ranking is shared by at least k voters.

A full ranking of ten candidates is nearly always unique. A voter can be made to cast an agreed one and be recognised by
it, so unusual rankings are used to buy votes. Where k voters share each published ranking, nobody can be told from
k - 1 others.
"""

from itertools import groupby
from typing import Annotated, ClassVar

from pydantic import Field

from tacit.guarantees.guarantee import Guarantee
from tacit.promise import Measured, WorstPart
from tacit_ballots.ballots import Ballots

MOST_WORST = 5


class BallotAnonymity(Guarantee):
    """Each published ranking is shared by at least k voters."""

    name: ClassVar[str] = "ballot-anonymity"
    title: ClassVar[str] = "k-anonymity of ballots"
    paper: ClassVar[str] = "https://doi.org/10.1142/S0218488502001648"
    about: ClassVar[str] = "ballots"
    open: ClassVar[tuple[str, ...]] = (
        "All who share a ranking have the same first choices: whoever knows that somebody is among them knows these.",
        "It counts ballots of one election; rankings of the same voters in another may tell them apart.",
    )

    k: Annotated[int, Field(ge=2, description="the least number of voters who share a ranking; 1 would hide nobody")]

    @property
    def bound(self) -> float:
        """The least number of voters."""
        return self.k

    def promise(self) -> str:
        """In words."""
        return f"each published ranking is shared by at least {self.k} voters"

    def measure(self, ballots: Ballots) -> Measured:
        """How many voters share the rarest ranking."""
        numbers = sorted(ballots.counts.values())
        failing = [voters for voters in numbers if voters < self.k]
        rarest = min(numbers, default=float("inf"))
        found = f"the rarest is shared by {rarest:g}" if numbers else "none is published"
        return Measured(
            name=self.name,
            title=self.title,
            side=self.side,
            parameters={"k": self.k},
            bound=self.bound,
            measured=rarest,
            holds=not failing,
            says=f"{self.promise()}; {found}",
            counted="rankings",
            parts=len(numbers),
            failing=len(failing),
            failing_people=sum(failing),
            worst=tuple(WorstPart(people=one, rows=one, measured=one) for one in numbers[:MOST_WORST]),
        )


def shortest_run(text: str) -> float:
    """The length of the shortest run of equal lines once they are sorted: the second measure, which parses nothing."""
    lines = sorted(line.strip() for line in text.splitlines() if line.strip())
    return min((sum(1 for _ in run) for _, run in groupby(lines)), default=float("inf"))


GUARANTEE = BallotAnonymity
