"""Guarantees in plain words: what each promises, on which side of its bound lies safety, and what it leaves open.

The finding carries its names, its side and its sentence. What it leaves open, and where it is defined, comes from the
guarantee itself, made again from the parameters of the finding, where this installation knows it.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from tacit.errors import BadParameter
from tacit.evidence.numerals import listed, measure
from tacit.guarantees.catalogue import parse_guarantee
from tacit.guarantees.guarantee import Guarantee
from tacit.promise import Measured

MOST_NAMED = 2
UNKNOWN = ("See its definition for what it leaves open.",)


@dataclass(frozen=True)
class PromiseInWords:
    """One guarantee of a release, in words."""

    finding: Measured
    title: str
    says: str
    paper: str | None
    open: tuple[str, ...]

    @property
    def bound(self) -> str:
        """The bound with its side: `at least 5`."""
        return f"{self.finding.side} {measure(self.finding.bound)}"

    @property
    def parameters(self) -> str:
        """The parameters as they stand in the plan, apart from the column that the title names."""
        titled = None if self.finding.column is None else "column"
        given = [(key, value) for key, value in self.finding.parameters.items() if key != titled]
        return listed([f"{key} = {_plain(value)}" for key, value in given if value is not None]) or "no parameters"


def _plain(value: float | str) -> str:
    return value if isinstance(value, str) else f"{value:.12g}"


def promise_of(finding: Measured) -> PromiseInWords:
    """The words for what was found."""
    guarantee = guarantee_of(finding)
    says = finding.says or f"every class measures {finding.side} {measure(finding.bound)}"
    return PromiseInWords(
        finding=finding,
        title=name_of(finding, finding.title),
        says=f"{says[0].upper()}{says[1:].rstrip('.')}.",
        paper=None if guarantee is None else guarantee.paper,
        open=UNKNOWN if guarantee is None else guarantee.open,
    )


def name_of(finding: Measured, title: str = "") -> str:
    """The guarantee and what it is about: `entropy l-diversity of occupation`; by its plain name where no title is
    given."""
    name = f"{finding.form} {title or finding.name}".strip()
    return f"{name} of {finding.column}" if finding.column else name


def names_of(findings: Iterable[Measured]) -> list[str]:
    """The names of all guarantees in few words: up to MOST_NAMED columns are named, more are counted."""
    columns: dict[tuple[str, str], list[str | None]] = {}
    for one in findings:
        columns.setdefault((one.name, one.form), []).append(one.column)
    return [_of_columns(f"{form} {name}".strip(), [one for one in of if one]) for (name, form), of in columns.items()]


def _of_columns(name: str, columns: list[str]) -> str:
    if not columns:
        return name
    named = listed(columns) if len(columns) <= MOST_NAMED else f"{len(columns)} columns"
    return f"{name} of {named}"


def alike_promises(measured: Iterable[Measured]) -> list[list[Measured]]:
    """The findings in groups that differ in their column and in what was found only, and all hold or all fail."""
    groups: dict[object, list[Measured]] = {}
    for one in measured:
        groups.setdefault((alike(one), one.holds), []).append(one)
    return list(groups.values())


def alike(finding: Measured) -> object:
    """What guarantees that are alike have in common; one without a column is like no other."""
    if finding.column is None:
        return key_of(finding)
    same = tuple(sorted((name, value) for name, value in finding.parameters.items() if name != "column"))
    return finding.name, finding.form, same, finding.side


def key_of(finding: Measured) -> tuple[str, str | None, tuple[tuple[str, object], ...]]:
    """What tells a guarantee from all others of a release."""
    return finding.name, finding.column, tuple(sorted(finding.parameters.items()))


def margin(finding: Measured) -> float:
    """How far the measure is from its bound, on the safe side; negative where it fails."""
    if finding.measured == finding.bound:
        return 0.0
    return finding.measured - finding.bound if finding.side == "at least" else finding.bound - finding.measured


def guarantee_of(finding: Measured) -> Guarantee | None:
    """The guarantee that was measured; None where this installation does not know it."""
    try:
        return parse_guarantee({finding.name: finding.parameters})
    except BadParameter:
        return None
