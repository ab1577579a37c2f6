"""Guarantees in plain words: what each promises, on which side of its bound lies safety, and what it leaves open.

All of it comes from the guarantee itself, made again from the parameters of the finding. If this installation does not
know the guarantee, only the finding is shown.
"""

from dataclasses import dataclass

from tacit.errors import BadParameter
from tacit.evidence.numerals import listed, measure
from tacit.guarantees.catalogue import parse_guarantee
from tacit.guarantees.guarantee import Guarantee, Side
from tacit.promise import Measured

UNKNOWN = ("See its definition for what it leaves open.",)


@dataclass(frozen=True)
class PromiseInWords:
    """One guarantee of a release, in words."""

    finding: Measured
    title: str
    says: str
    side: Side
    paper: str | None
    open: tuple[str, ...]

    @property
    def bound(self) -> str:
        """The bound with its side: `at least 5`."""
        return f"{self.side} {measure(self.finding.bound)}"

    @property
    def parameters(self) -> str:
        """The parameters as they stand in the plan, apart from the column."""
        given = [(key, value) for key, value in self.finding.parameters.items() if key != "column"]
        return listed([f"{key} = {_plain(value)}" for key, value in given if value is not None]) or "no parameters"


def _plain(value: float | str) -> str:
    return value if isinstance(value, str) else f"{value:.12g}"


def promise_of(finding: Measured) -> PromiseInWords:
    """The words for what was found."""
    guarantee = guarantee_of(finding)
    side = _inferred_side(finding) if guarantee is None else guarantee.side
    says = finding.says or f"every class measures {side} {measure(finding.bound)}"
    return PromiseInWords(
        finding=finding,
        title=name_of(finding, finding.name if guarantee is None else guarantee.title),
        says=f"{says[0].upper()}{says[1:].rstrip('.')}.",
        side=side,
        paper=None if guarantee is None else guarantee.paper,
        open=UNKNOWN if guarantee is None else guarantee.open,
    )


def name_of(finding: Measured, title: str = "") -> str:
    """The guarantee and what it is about: `entropy l-diversity of occupation`."""
    kind = finding.parameters.get("kind")
    name = f"{kind} {title or finding.name}" if kind else title or finding.name
    return f"{name} of {finding.column}" if finding.column else name


def guarantee_of(finding: Measured) -> Guarantee | None:
    """The guarantee that was measured; None where this installation does not know it."""
    try:
        return parse_guarantee({finding.name: finding.parameters})
    except BadParameter:
        return None


def _inferred_side(finding: Measured) -> Side:
    """The side of the bound, inferred from the order of the worst classes or, if they are alike, from the verdict."""
    worst = [one.measured for one in finding.worst]
    if worst and worst[0] != worst[-1]:
        return "at least" if worst[0] < worst[-1] else "at most"
    return "at least" if (finding.measured >= finding.bound) == finding.holds else "at most"
