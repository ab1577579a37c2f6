"""First choices: an adversary who knows how somebody begins looks for ballots that begin like that.

A voter is found who is the only one with these first choices, as far as the file tells them: the rest of the ballot is
then known. Whoever buys votes can check in this way that they were cast as agreed (Teague, Ramchen and Naish 2008,
"Coercion-resistant tallying for STV voting"). On a release the attack errs on the side of the adversary, who is taken
to know where rankings were cut.
"""

from collections import Counter
from typing import Annotated

from pydantic import Field

from tacit.params import Params
from tacit.release.attacks import Success
from tacit_ballots.ballots import Ballots, Ranking
from tacit_ballots.cards import BallotsAttack
from tacit_ballots.guarantees.ballot_anonymity import BallotAnonymity


class FirstChoices(Params):
    """What the adversary knows."""

    known: Annotated[int, Field(ge=1, description="how many of somebody's first choices are known")] = 3


def find_voters(ballots: Ballots, params: FirstChoices) -> Success:
    """How many voters are unique by their first choices, beside the chance to pick one ballot of all."""
    sharing: Counter[Ranking] = Counter()
    for ranking, voters in ballots.counts.items():
        sharing[ranking[: params.known]] += voters
    alone = sum(voters == 1 for voters in sharing.values())
    return Success.counted(alone, ballots.voters, baseline=1 / ballots.voters if ballots.voters else 0.0)


def nobody(params: FirstChoices, guarantee: BallotAnonymity, found: Success) -> float:
    """All who share a ranking share its first choices, and they are at least two."""
    return 0.0


ATTACK = BallotsAttack(
    title="First choices",
    params=FirstChoices,
    run=find_voters,
    needs="nothing but the file",
    gives="the share of voters whose first choices nobody else has",
    knowledge="the first choices of a voter",
    story="Whoever knows how a voter begins looks for the ballots that begin alike, and reads on where there is one.",
    paper="https://www.usenix.org/legacy/event/evt08/tech/full_papers/teague/teague_html/NaishTeague2_0.html",
    example=FirstChoices(),
    bound=nobody,
)
