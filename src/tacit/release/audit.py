"""The body of an audit: what was claimed, what was tried, and what was found against it.

All inputs that an audit runs on are invented, so they may be shown.
"""

from typing import Any, Literal

from pydantic import Field

from tacit.fact import Fact, Number
from tacit.release.release import Body, Release
from tacit.spelling import many

NEVER, ALWAYS = 0.0, 1.0


class AuditedClaim(Fact):
    """What was claimed: the privacy event in JSON, and its epsilon at the delta at which it was judged.

    `neighbours` says how the two inputs of the claim may differ; None if the sensitivity of a mechanism says it.
    """

    epsilon: Number
    delta: Number
    neighbours: Literal["add-remove", "replace"] | None = None
    event: dict[str, Any] = Field(default_factory=dict)


class TriedPair(Fact):
    """Two neighbouring inputs that were compared, in words."""

    first: str
    second: str


class FailedRuns(Fact):
    """How many of the tested runs on one input ended with an error, which is an output like any other."""

    d: str
    error: str
    failed: int
    runs: int

    def says(self) -> str:
        """How many runs on the input failed, and how, as a clause."""
        return f"on {self.d} {self.failed:,} of {many(self.runs, 'run')} ended with {self.error}"


class Counterexample(Fact):
    """Two neighbours and the outputs that tell them apart, in words; D is the one that has them more often."""

    d: str
    other: str
    outputs: str
    share: Number
    other_share: Number
    runs: int
    other_runs: int

    def says(self) -> str:
        """How often each of the two inputs has such an output, as a sentence."""
        here = f"on {self.d} {self.outputs} {_often(self.share, self.runs)}"
        return f"{here}; on {self.other} {_often(self.other_share, self.other_runs)}"


class AuditFinding(Fact):
    """The epsilon claimed at this delta, and the epsilon proved to be lost at least; `example` proves it."""

    delta: Number
    claimed: Number
    proved: Number
    example: Counterexample | None = None

    @property
    def refuted(self) -> bool:
        """Whether more is lost than was claimed."""
        return self.proved > self.claimed


class Verdict(Body):
    """What an audit found. `findings` begin with the delta that was asked for.

    All pairs of neighbours in `tried` were compared, and one of them was tested with about `draws` runs on each side;
    `runs` counts the runs of both stages. `failures` are the tested runs that ended with an error. A claim that stands
    was not refuted; it was not proved.
    """

    target: str
    claim: AuditedClaim
    findings: tuple[AuditFinding, ...]
    confidence: float
    tried: tuple[TriedPair, ...]
    draws: int
    runs: int
    failures: tuple[FailedRuns, ...] = ()

    @property
    def refuted(self) -> bool:
        """Whether the claim is wrong, with the stated confidence."""
        return any(finding.refuted for finding in self.findings)

    @property
    def stands(self) -> bool:
        """Whether nothing against the claim was found."""
        return not self.refuted

    @property
    def worst(self) -> AuditFinding:
        """The finding that refutes the claim most clearly, or the one that was asked for."""
        return max(self.findings, key=lambda finding: (finding.refuted, finding.proved - finding.claimed))

    @property
    def shown(self) -> AuditFinding:
        """The finding that is told first: the worst where the claim is refuted, else the one that was asked for."""
        return self.worst if self.refuted else self.findings[0]

    def says(self) -> list[str]:
        """The verdict in a few lines."""
        shown = self.shown
        at = f" at delta {shown.delta:g}" if shown.delta else ""
        if self.refuted:
            lines = [f"{self.target} is NOT private as claimed: epsilon is at least {shown.proved:.4g}{at}"]
        else:
            lines = [f"{self.target}: the claim was not refuted; epsilon is at least {shown.proved:.4g}{at}"]
        lines.append(f"  claimed {shown.claimed:.4g}{at}; an audit can refute a claim, it can't prove one")
        if shown.example is not None and shown.proved > 0:
            lines.append(f"  {shown.example.says()}")
        lines += [f"  {failure.says()}" for failure in self.failures]
        lines.append(
            f"  {many(len(self.tried), 'pair')} of neighbours searched, {many(self.runs, 'run')}; the lower bound is "
            f"wrong with probability at most {1 - self.confidence:.1g}"
        )
        return lines


AuditRelease = Release[Verdict]
"""The evidence of an audit."""


def _often(share: float, runs: int) -> str:
    if share == NEVER:
        return f"never in {many(runs, 'run')}"
    return f"in {'100' if share == ALWAYS else f'{min(100 * share, 99.99):.4g}'} % of {many(runs, 'run')}"
