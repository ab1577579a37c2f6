"""The verdict of an audit, as data and in plain words."""

from dataclasses import dataclass

NEVER, ALWAYS = 0.0, 1.0


@dataclass(frozen=True)
class Counterexample:
    """Two neighbours and an event that tells them apart; D is where it happens more often."""

    d: str
    other: str
    event: str
    share: float
    other_share: float
    runs: int
    other_runs: int

    def says(self) -> str:
        """D, D' and O in a sentence."""
        here = f"on {self.d} {self.event} {_often(self.share, self.runs)}"
        return f"{here}; on {self.other} {_often(self.other_share, self.other_runs)}"


@dataclass(frozen=True)
class Finding:
    """At this delta so much was claimed, and at least so much was proved to be lost; `example` proves it."""

    delta: float
    claimed: float
    proved: float
    example: Counterexample | None

    @property
    def refuted(self) -> bool:
        """Whether more is lost than was claimed."""
        return self.proved > self.claimed


@dataclass(frozen=True)
class Verdict:
    """What an audit found. `findings` begin with the delta that was asked for; `pairs` of neighbours were searched."""

    target: str
    findings: tuple[Finding, ...]
    confidence: float
    pairs: int
    runs: int

    @property
    def refuted(self) -> bool:
        """Whether the claim is wrong, with the stated confidence."""
        return any(finding.refuted for finding in self.findings)

    @property
    def worst(self) -> Finding:
        """The finding that refutes the claim most clearly, or the one that was asked for."""
        return max(self.findings, key=lambda finding: (finding.refuted, finding.proved - finding.claimed))

    def says(self) -> list[str]:
        """The verdict in a few lines."""
        shown = self.worst if self.refuted else self.findings[0]
        at = f" at delta {shown.delta:g}" if shown.delta else ""
        if self.refuted:
            lines = [f"{self.target} is NOT private as claimed: epsilon is at least {shown.proved:.4g}{at}"]
        else:
            lines = [f"{self.target}: nothing against its claim was found; epsilon is at least {shown.proved:.4g}{at}"]
        lines.append(f"  claimed {shown.claimed:.4g}{at}; an audit can refute a claim, it can't prove one")
        if shown.example is not None and shown.proved > 0:
            lines.append(f"  {shown.example.says()}")
        lines.append(
            f"  {self.pairs} pairs of neighbours searched, {self.runs:,} runs, wrong with probability "
            f"at most {1 - self.confidence:.1g}"
        )
        return lines


def _often(share: float, runs: int) -> str:
    if share == NEVER:
        return f"never in {runs:,} runs"
    return f"in {'100' if share == ALWAYS else f'{min(100 * share, 99.99):.4g}'} % of {runs:,} runs"
