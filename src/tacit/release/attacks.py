"""What adversaries achieved against a release."""

from typing import Any

from pydantic import Field

from tacit.fact import Fact


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


class AttackResult(Fact):
    """One attack: what the adversary knows and does, and the success on raw file, pseudonymised file and release.

    Pseudonymised is the raw file without its identifiers. A side is None where the attack makes no sense. `bound` is
    the highest rate that the promise `bound_from` allows on the release; None where nothing is promised about it.
    """

    attack: str
    title: str
    knowledge: str
    story: str
    column: str | None = None
    parameters: dict[str, Any] = Field(default_factory=dict)
    confidence: float
    bound: float | None = None
    bound_from: str | None = None
    raw: Success | None = None
    pseudonymised: Success | None = None
    release: Success | None = None
