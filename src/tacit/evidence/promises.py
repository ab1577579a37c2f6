"""Guarantees in plain words: what each promises, on which side of its bound lies safety, and what it leaves open.

Title, paper and side come from the guarantee itself, made again from the parameters of the finding. What is left open
is what later papers showed: homogeneity (Machanavajjhala et al. 2006), skewness and similarity (Li et al. 2007);
what all leave open, composition (Ganta et al. 2008) among it, the report says once. Of a guarantee that this version
does not know the finding alone is told.
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from tacit.errors import BadParameter
from tacit.evidence.numerals import listed, measure
from tacit.guarantees.catalogue import parse_guarantee
from tacit.guarantees.guarantee import Guarantee
from tacit.promise import Measured

Side = Literal["at least", "at most", "below"]

_SKEWNESS = (
    "Rare and frequent values count alike: where a value is rare in the whole table, a class may still raise the "
    "belief in it many times over (skewness), and different values may mean much the same (similarity)."
)
_ADDED = "It bounds what a class adds, not what the whole table already tells about everybody."
_POPULATION = "It is as good as the figures for the population that it was measured with."

OPEN: dict[str, tuple[str, ...]] = {
    "k-anonymity": (
        "It says nothing about sensitive values: if all people of a class share one, belonging to the class gives it "
        "away (homogeneity).",
        "It does not protect from somebody who knows more than the columns that are named as quasi-identifiers.",
    ),
    "k-concealment": (
        "It is weaker than k-anonymity: of the rows that may be a person's, some may be likelier than others.",
        "Somebody who knows the true rows of others can rule these out and may rule out more; in a class k − 1 people "
        "must be known to find one, here a single other may be enough.",
        "It says nothing about sensitive values: all rows that may be a person's may share one.",
    ),
    "k-map": (
        "It assumes that nobody knows who is in the data; against somebody who does, the classes of the data count, "
        "and they may be smaller.",
        "It says nothing about sensitive values.",
        _POPULATION,
    ),
    "l-diversity": (_SKEWNESS,),
    "t-closeness": (
        "It does not hide who is in which class: k-anonymity does that.",
        "It bounds a distance between distributions, not how sure somebody may become of one value.",
        _ADDED,
    ),
    "delta-presence": (
        "It says nothing about sensitive values.",
        "Somebody who can rule out a part of the population may be surer than it says.",
        _POPULATION,
    ),
    "beta-likeness": ("A belief that falls is not bounded, only one that rises.", _ADDED),
    "delta-disclosure": ("It does not hide who is in which class.", _ADDED),
    "m-invariance": (
        "It takes for granted that people's values do not change, and that all releases of the series are remembered.",
        "Somebody who can exclude some values of a class knows more than it says, and so does one who knows that rows "
        "of a class are counterfeits.",
        "It says nothing about how frequent a value was beforehand, or about who is in the data.",
    ),
    "alpha-k-anonymity": (
        "A value below the allowed share may still be far more frequent in a class than in the whole table (skewness).",
    ),
}


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
    guarantee = _guarantee(finding)
    side = _inferred_side(finding) if guarantee is None else _side(guarantee)
    says = finding.says or f"every class measures {side} {measure(finding.bound)}"
    return PromiseInWords(
        finding=finding,
        title=name_of(finding, finding.name if guarantee is None else guarantee.title),
        says=f"{says[0].upper()}{says[1:].rstrip('.')}.",
        side=side,
        paper=None if guarantee is None else guarantee.paper,
        open=OPEN.get(finding.name, ("See its definition for what it leaves open.",)),
    )


def name_of(finding: Measured, title: str = "") -> str:
    """The guarantee and what it is about: `entropy l-diversity of occupation`."""
    kind = finding.parameters.get("kind")
    name = f"{kind} {title or finding.name}" if kind else title or finding.name
    return f"{name} of {finding.column}" if finding.column else name


def _guarantee(finding: Measured) -> Guarantee | None:
    try:
        return parse_guarantee({finding.name: finding.parameters})
    except BadParameter:
        return None


def _side(guarantee: Guarantee) -> Side:
    bound = guarantee.bound
    beyond = bound + max(abs(bound), 1.0) * 1e-3
    at, above = guarantee.margin(np.array([bound, beyond]))
    if above > at:
        return "at least"
    return "at most" if guarantee.satisfied(np.array([bound])).all() else "below"


def _inferred_side(finding: Measured) -> Side:
    """Read off the order of the worst classes or, where they are all alike, off the verdict."""
    worst = [one.measured for one in finding.worst]
    if worst and worst[0] != worst[-1]:
        return "at least" if worst[0] < worst[-1] else "at most"
    return "at least" if (finding.measured >= finding.bound) == finding.holds else "at most"
