"""What adversaries achieved against a release, with confidence intervals of their rates (Clopper and Pearson 1934).

The people of a dataset are taken as a sample of the people that the adversary could have met. With s hits among n
targets the interval runs from the α/2 quantile of Beta(s, n − s + 1) to the 1 − α/2 quantile of Beta(s + 1, n − s). An
adversary who must choose among several candidates hits with a known chance: the sum of the chances takes the place of
s. It varies less than a count of hits would, so the interval errs on the wide side.
"""

from typing import Any, Self

from pydantic import Field

from tacit.fact import Fact

CONFIDENCE = 0.95


class Success(Fact):
    """How an adversary fared on one table: `hits` of `targets`, and what guessing without the table would achieve.

    `low` and `high` enclose the rate (Clopper and Pearson 1934). Where an adversary must choose among several, the
    expected number of hits is counted, so it need not be whole. `details` are other findings of the attack by name.
    """

    targets: int
    hits: float
    rate: float
    low: float
    high: float
    baseline: float
    details: dict[str, float] = Field(default_factory=dict)

    @classmethod
    def counted(cls, hits: float, targets: int, baseline: float, **details: float) -> Self:
        """The success of `hits` among `targets`; of no targets, a rate of 0 about which nothing is known."""
        hits = min(max(float(hits), 0.0), float(targets))
        low, high = interval(hits, targets)
        named = {name: float(value) for name, value in details.items()}
        rate = hits / targets if targets else 0.0
        return cls(targets=targets, hits=hits, rate=rate, low=low, high=high, baseline=float(baseline), details=named)


def interval(hits: float, targets: int, confidence: float = CONFIDENCE) -> tuple[float, float]:
    """The two ends of the interval for a rate."""
    from scipy.special import betaincinv

    if not targets:
        return 0.0, 1.0
    tail = (1 - confidence) / 2
    low = float(betaincinv(hits, targets - hits + 1, tail)) if hits > 0 else 0.0
    high = float(betaincinv(hits + 1, targets - hits, 1 - tail)) if hits < targets else 1.0
    return low, high


class AttackResult(Fact):
    """One attack: what the adversary knows and does, and the success on raw file, pseudonymised file and release.

    `means` says what is true of a target on whom it succeeds.

    Pseudonymised is the raw file without its identifiers. A side is None where the attack makes no sense. `bound` is
    the highest rate that the promise `bound_from` allows on the release; None where nothing is promised about it.
    """

    attack: str
    title: str
    knowledge: str
    story: str
    means: str = ""
    column: str | None = None
    parameters: dict[str, Any] = Field(default_factory=dict)
    confidence: float
    bound: float | None = None
    bound_from: str | None = None
    raw: Success | None = None
    pseudonymised: Success | None = None
    release: Success | None = None
