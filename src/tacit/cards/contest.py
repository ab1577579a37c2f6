"""The result of an attack on statistics: how an adversary fared against each way of answering.

The attack decides which ways of answering there are and names them; code that shows a contest knows none of them.
"""

from tacit.fact import Fact
from tacit.release.attacks import Success


class WayOfAnswering(Fact):
    """One way of answering that an adversary met: its short name, what it is in words, and how often it gave way."""

    name: str
    words: str
    success: Success


class NoisePoint(Fact):
    """At this noise this share was right, between `low` and `high`; `expected` is what theory says, if it does."""

    noise: float
    rate: float
    low: float
    high: float
    expected: float | None = None


class NoiseCurve(Fact):
    """How the success falls as noise grows.

    `about` says what the noise is of, `unit` in what it is counted, `baseline` how often the adversary is right without
    the answers, and `remark` what a reader should know.
    """

    about: str
    unit: str
    baseline: float
    points: tuple[NoisePoint, ...]
    remark: str = ""


class Contest(Fact):
    """How an adversary fared against several ways of answering; where noise that grows is the point, along a curve."""

    against: tuple[WayOfAnswering, ...]
    curve: NoiseCurve | None = None

    @property
    def by_way(self) -> dict[str, Success]:
        """The success against each way, by its short name."""
        return {way.name: way.success for way in self.against}
