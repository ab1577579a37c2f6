"""The verdict of the second opinion, and what follows if it differs from the first.

The first check and the search for a release share the measure of a guarantee: a mistake in it would be made twice. This
one reads the same rows and computes the same definition another way. A release on which they disagree is not published.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import isclose
from typing import TYPE_CHECKING

from tacit.errors import TacitError
from tacit.guarantees.guarantee import InSql, NotInSql, SqlMeasure, TableGuarantee
from tacit.promise import Measured
from tacit.verification.case import Case, database_of

if TYPE_CHECKING:
    import duckdb

ROUNDING = 1e-9
"""Two ways of adding up the same floats agree far better."""


@dataclass(frozen=True)
class Opinion:
    """The least and the largest measure of a class, None without classes, and whether all classes keep the promise."""

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


def verify(
    case: Case, guarantees: Sequence[TableGuarantee], findings: Sequence[Measured]
) -> tuple[Opinion | None, ...]:
    """A second opinion on each guarantee that was measured, except those that give a reason for having no SQL."""
    if all(isinstance(guarantee.sql, NotInSql) for guarantee in guarantees):
        return (None,) * len(findings)
    with database_of(case) as connection:
        return tuple(
            _opinion(connection, guarantee, guarantee.sql.define(case, finding.column or "", finding.parameters))
            if isinstance(guarantee.sql, InSql)
            else None
            for guarantee, finding in zip(guarantees, findings, strict=True)
        )


def _opinion(connection: "duckdb.DuckDBPyConnection", guarantee: TableGuarantee, asked: SqlMeasure) -> Opinion:
    import duckdb

    extremes = f"select min(measure)::double, max(measure)::double from ({asked.query})"
    try:
        lowest, highest = connection.execute(extremes).fetchall()[0]
    except duckdb.ProgrammingError as error:
        # The message is not told: it may quote a cell.
        raise TacitError(
            f"the SQL of {guarantee.name} can't be run ({type(error).__name__}), which is a defect of "
            f"{type(guarantee).__module__}. Nothing was published"
        ) from None
    return Opinion(lowest, highest, _kept(asked, lowest, highest))


def require_agreement(case: Case, guarantees: Sequence[TableGuarantee], findings: Sequence[Measured]) -> None:
    """The second opinion finds what the first found."""
    for finding, opinion in zip(findings, verify(case, guarantees, findings), strict=True):
        if opinion is not None and not opinion.agrees(finding):
            raise TacitError(
                f"two independent checks of {finding.name} disagree: one finds {finding.measured:g}, the "
                f"other measures from {opinion.lowest} to {opinion.highest}. This is a defect of Tacit or of "
                "the guarantee; please report it. Nothing was published"
            )


def _kept(asked: SqlMeasure, lowest: float | None, highest: float | None) -> bool:
    if lowest is None or highest is None:
        return True
    # Absolute too: a bound may be 0, and a sum of shares misses it by the last digit.
    least, most = asked.least - (abs(asked.least) + 1) * ROUNDING, asked.most + (abs(asked.most) + 1) * ROUNDING
    return lowest >= least and highest <= most
