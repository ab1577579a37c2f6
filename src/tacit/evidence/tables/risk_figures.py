"""Risk before and after as figures: everybody as dots, class sizes, risk, and what singles people out."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from markupsafe import Markup

from tacit.evidence import charts
from tacit.evidence.figures import Bar, Figure, datum, part, plain_number, whole
from tacit.evidence.numerals import NARROW, chosen, count, share
from tacit.evidence.promises import guarantee_of
from tacit.evidence.svg import SvgWords
from tacit.evidence.tables.measured import MeasureInWords, measures
from tacit.guarantees.guarantee import TableGuarantee
from tacit.release.tables import Risk, SinglingOut, SizeBin, SurveyRisk, TableRelease

UNTOLD = "not counted"


def crowd(release: TableRelease) -> Markup:
    """A hundred dots for everybody, before and after."""
    before, after = release.body.risk_before, release.body.risk_after
    words = SvgWords(
        "A hundred dots for everybody in the data, before and after",
        f"Before, {share(before.unique_share)} are alone in their class and {share(before.above)} above the threshold "
        f"of {chosen(before.threshold)}; after, {share(after.unique_share)} and {share(after.above)}.",
    )
    panels = [charts.DotPanel(name, risk.unique_share, risk.above) for name, risk in _both(release)]
    return charts.people_grid(panels, words)


def _both(release: TableRelease) -> tuple[tuple[str, Risk], tuple[str, Risk]]:
    return ("before", release.body.risk_before), ("after", release.body.risk_after)


def least_people(release: TableRelease) -> int | None:
    """The least number of people that was promised for each class, the largest where there are several."""
    limits = [one.limits() for one in map(guarantee_of, release.measured) if isinstance(one, TableGuarantee)]
    return max((one.people for one in limits if one is not None and one.people > 1), default=None)


@dataclass(frozen=True)
class SizeRow:
    """The people in classes of one band of sizes; `is_below` what was promised, which the first that is not parts."""

    name: Markup
    picture: Markup
    shares: tuple[Markup, Markup]
    people: tuple[Markup, Markup]
    classes: tuple[Markup, Markup]
    is_below: bool
    is_first_above: bool


def class_sizes(release: TableRelease) -> tuple[SizeRow, ...]:
    """People by the size of their class, small classes first."""
    sizes = [{(one.least, one.most): one for one in risk.sizes} for _, risk in _both(release)]
    totals = [max(risk.people, 1) for _, risk in _both(release)]
    promised = least_people(release) or 0
    rows: list[SizeRow] = []
    for least, most in sorted({*sizes[0], *sizes[1]}):
        nobody = SizeBin(least=least, most=most, classes=0, people=0)
        before, after = (side.get((least, most), nobody) for side in sizes)
        shares = before.people / totals[0], after.people / totals[1]
        below = most < promised
        rows.append(
            SizeRow(
                name=datum(least, count(least)) + (Markup("–") + datum(most, count(most)) if most != least else ""),
                picture=charts.pair(*shares, _size_words(least, most, shares), of_all=True),
                shares=(part(shares[0]), part(shares[1])),
                people=(whole(before.people), whole(after.people)),
                classes=(whole(before.classes), whole(after.classes)),
                is_below=below,
                is_first_above=not below and promised > 0 and all(row.is_below for row in rows),
            )
        )
    return tuple(rows)


def _size_words(least: int, most: int, shares: tuple[float, float]) -> SvgWords:
    name = count(least) if least == most else f"{count(least)} to {count(most)}"
    return SvgWords(f"People in classes of {name}", f"{share(shares[0])} before, {share(shares[1])} after")


def risks(release: TableRelease) -> tuple[Figure, ...]:
    """People by their risk: one picture, or two where before and after were counted in different bands."""
    before, after = _both(release)
    if before[1].edges == after[1].edges:
        return (_risk(before[1], (before, after)),)
    return _risk(before[1], (before,)), _risk(after[1], (after,))


def _risk(first: Risk, sides: Sequence[tuple[str, Risk]]) -> Figure:
    edges = first.edges
    rows = []
    for band, (low, high) in enumerate(pairwise(edges)):
        name = datum(low, f"{100 * low:.3g}") + " to " + datum(high, f"{100 * high:.3g}{NARROW}%")
        rows.append((name, *(part(risk.distribution[band]) for _, risk in sides if band < len(risk.distribution))))
    columns = [charts.RiskBands(name, risk.distribution) for name, risk in sides]
    said = "; ".join(
        f"{name}: "
        + ", ".join(
            f"{share(value)} up to {share(edge)}" for value, edge in zip(risk.distribution, edges[1:], strict=False)
        )
        for name, risk in sides
    )
    words = SvgWords(f"People by their risk, {' and '.join(name for name, _ in sides)}", said)
    picture = charts.risk_columns(edges, columns, first.threshold, words)
    return Figure(picture, ("risk", *(f"people {name}" for name, _ in sides)), tuple(rows))


def risk_table(release: TableRelease) -> tuple[tuple[str, str, str], ...]:
    """The risk figures: name, before, after."""
    before, after = release.body.risk_before, release.body.risk_after
    shares = (
        ("highest, prosecutor", "prosecutor_highest"),
        ("average, prosecutor", "prosecutor_average"),
        ("highest, journalist", "journalist_highest"),
        ("average, journalist", "journalist_average"),
        ("marketer", "marketer"),
        (f"people above {chosen(after.threshold)}", "above"),
        ("people alone in a class", "unique_share"),
    )
    counts = (("people", "people"), ("classes", "classes"), ("unique people", "unique"))
    rows = [(name, part(getattr(before, key)), part(getattr(after, key))) for name, key in shares]
    rows += [(name, whole(getattr(before, key)), whole(getattr(after, key))) for name, key in counts]
    return (*rows, *_survey_table(before.survey, after.survey))


def risk_measures(release: TableRelease) -> tuple[MeasureInWords, ...]:
    """The metrics that say what is still revealed."""
    return tuple(one for one in measures(release) if one.of_risk)


def _survey_table(before: SurveyRisk | None, after: SurveyRisk | None) -> list[tuple[str, str, str]]:
    """The risk of a survey among the people that it stands for, and of its households; nothing where there is none."""
    names = (
        ("highest, individual", "highest", part),
        ("average, individual", "average", part),
        ("people re-identified", "expected", plain_number),
        ("highest, household", "household_highest", part),
        ("average, household", "household_average", part),
        ("households re-identified", "households_expected", plain_number),
    )
    rows = []
    for name, key, shown in names:
        sides = [getattr(side, key, None) for side in (before, after)]
        if sides[0] is not None or sides[1] is not None:
            cells = ["–" if value is None else shown(value) for value in sides]
            rows.append((name, cells[0], cells[1]))
    return rows


def singling_out(release: TableRelease) -> tuple[Bar, ...]:
    """How many people are alone with their values in each combination of columns.

    Whom all columns together do not single out, no part of them does: where nobody is alone in the release, that is
    known of every combination, though none is told.
    """
    sides = [{one.columns: one for one in risk.singling_out} for _, risk in _both(release)]
    nobody = [risk.unique == 0 for _, risk in _both(release)]
    order = sorted({*sides[0], *sides[1]}, key=lambda columns: (-_share(sides[0], columns), len(columns), columns))
    bars = []
    for columns in order:
        shares = [_share(side, columns) for side in sides]
        name = " + ".join(columns)
        words = SvgWords(f"People alone with {name}", f"{share(shares[0])} before, {share(shares[1])} after")
        cells: list[str] = []
        for side, none in zip(sides, nobody, strict=True):
            found = side.get(columns)
            if found is not None:
                cells += [whole(found.unique), part(found.share)]
            else:
                cells += [whole(0), part(0.0)] if none else [UNTOLD, ""]
        bars.append(Bar(name, charts.pair(shares[0], shares[1], words, of_all=True), tuple(cells)))
    return tuple(bars)


def _share(side: Mapping[tuple[str, ...], SinglingOut], columns: tuple[str, ...]) -> float:
    found = side.get(columns)
    return 0.0 if found is None else found.share
