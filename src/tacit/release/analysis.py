"""What an analyst finds in a table before and after it was protected: means, correlations and a regression."""

from tacit.fact import Fact


class MeanChange(Fact):
    """Mean and standard deviation of a column of numbers, before and after; those of dates are in years."""

    column: str
    before: float
    after: float
    deviation_before: float
    deviation_after: float
    is_date: bool = False


class CorrelationChange(Fact):
    """Pearson's correlation of two columns of numbers, before and after."""

    columns: tuple[str, str]
    before: float
    after: float


class CoefficientChange(Fact):
    """A coefficient of the regression, in units of the columns: of a number, or of a value against the usual one."""

    name: str
    before: float
    after: float


class RegressionChange(Fact):
    """A linear regression of `target`, with the share of its variance that is explained."""

    target: str
    coefficients: tuple[CoefficientChange, ...]
    explained_before: float
    explained_after: float


class Analysis(Fact):
    """The same analysis of `rows_before` rows and of the `rows_after` that are not suppressed."""

    rows_before: int
    rows_after: int
    means: tuple[MeanChange, ...]
    correlations: tuple[CorrelationChange, ...] = ()
    regression: RegressionChange | None = None
