"""Means, correlations and a regression before and after, as rows of tables."""

from markupsafe import Markup

from tacit.evidence.figures import datum, plain_number
from tacit.release.analysis import Analysis, MeanChange

FigureRows = tuple[tuple[str | Markup, ...], ...]


def means(analysis: Analysis) -> FigureRows:
    """Column, mean before and after, deviation before and after."""
    return tuple(
        (one.column, *map(_year if one.is_date else plain_number, (one.before, one.after)), *_deviations(one))
        for one in analysis.means
    )


def _year(value: float) -> Markup:
    """A year without a mark for thousands."""
    return datum(value, f"{value:.1f}")


def _deviations(one: MeanChange) -> tuple[Markup, Markup]:
    return plain_number(one.deviation_before), plain_number(one.deviation_after)


def correlations(analysis: Analysis) -> FigureRows:
    """Columns, correlation before and after; those that changed most first."""
    order = sorted(analysis.correlations, key=lambda one: -abs(one.before - one.after))
    return tuple((" and ".join(one.columns), plain_number(one.before), plain_number(one.after)) for one in order)


def coefficients(analysis: Analysis) -> FigureRows:
    """Name, coefficient before and after."""
    found = () if analysis.regression is None else analysis.regression.coefficients
    return tuple((one.name, plain_number(one.before), plain_number(one.after)) for one in found)
