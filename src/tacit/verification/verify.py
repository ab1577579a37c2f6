"""The verdict of the second opinion, and what follows where it differs from the first.

The first check and the search for a release share the measure of a guarantee: a mistake in it would be made twice. This
one reads the same rows and computes the same definition another way. A release on which both disagree does not leave.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import isclose

from tacit.errors import TacitError
from tacit.promise import Measured
from tacit.verification.case import Case, courtroom
from tacit.verification.measures import LIMITS, MEASURES

ROUNDING = 1e-9
"""Two ways of adding up the same floats agree far better."""


@dataclass(frozen=True)
class Opinion:
    """The least and the largest measure of a class, absent without classes, and whether all keep the promise."""

    lowest: float | None
    highest: float | None
    holds: bool

    def agrees(self, finding: Measured) -> bool:
        """The finding names one of the extremes, and says that the promise is kept only if it is."""
        if self.lowest is None or self.highest is None:
            return finding.parts == 0
        named = (
            isclose(finding.measured, end, rel_tol=ROUNDING, abs_tol=ROUNDING) for end in (self.lowest, self.highest)
        )
        return any(named) and (self.holds or not finding.holds)


def verify(case: Case, findings: Sequence[Measured]) -> tuple[Opinion | None, ...]:
    """An opinion on each finding; none where the guarantee has no second definition here."""
    if not any(finding.name in MEASURES for finding in findings):
        return (None,) * len(findings)
    with courtroom(case) as connection:
        opinions: list[Opinion | None] = []
        for finding in findings:
            if finding.name not in MEASURES:
                opinions.append(None)
                continue
            query = MEASURES[finding.name](case, finding.column or "", finding.parameters)
            extremes = f"select min(measure)::double, max(measure)::double from ({query})"
            lowest, highest = connection.execute(extremes).fetchall()[0]
            opinions.append(Opinion(lowest, highest, _kept(finding, lowest, highest)))
    return tuple(opinions)


def require_agreement(case: Case, findings: Sequence[Measured]) -> None:
    """The second opinion finds what the first found."""
    for finding, opinion in zip(findings, verify(case, findings), strict=True):
        if opinion is not None and not opinion.agrees(finding):
            raise TacitError(
                f"two independent checks of {finding.name} disagree: one finds {finding.measured:g}, the "
                f"other measures from {opinion.lowest} to {opinion.highest}. This is a defect of Tacit; please "
                "report it. Nothing was published"
            )


def _kept(finding: Measured, lowest: float | None, highest: float | None) -> bool:
    if lowest is None or highest is None:
        return True
    least, most = LIMITS[finding.name](finding.parameters)
    # Absolute too: a bound may be 0, and a sum of shares misses it by the last digit.
    return lowest >= least - (abs(least) + 1) * ROUNDING and highest <= most + (abs(most) + 1) * ROUNDING
