"""Atoms: what cases are made of, leaves of sensitivity 1 or multisets of leaves on one secret sample."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from tacit.accounting.events import Leaf
from tacit.accounting.runs import Runs

SAFE = 1 + Fraction(1, 10**12)
"""Factor that covers the rounding of a few float operations, where an irrational number must be rounded up."""


@dataclass(frozen=True)
class AmplifiedLeaves:
    """Leaves with their numbers, all on one secret sample that holds the differing person with this probability."""

    inner: "EventCase"
    probability: Fraction
    scheme: Literal["poisson", "fixed"]


@dataclass(frozen=True)
class BestOfRuns:
    """The best result of a random number of runs, each of which is all these leaves."""

    inner: "EventCase"
    runs: Runs


Atom = Leaf | AmplifiedLeaves | BestOfRuns
EventCase = tuple[tuple[Atom, int], ...]
"""Atoms with their numbers, none twice, in the order of their text: float sums must not depend on who came first."""
