"""The page of a comparison: one HTML file that stands alone, drawn and set like the report of a release.

It asks for nothing from outside and says so to the browser, has no script, and is set for screens of all widths, in
light and dark, and for paper. The map is drawn twice, for wide and for narrow screens; only one is shown.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from markupsafe import Markup

from tacit.evidence.comparison.comparison import RISKS, ComparisonAxis, ComparisonReport, TriedCandidate
from tacit.evidence.comparison.risk_utility_map import Spot, risk_utility_map, scale_of
from tacit.evidence.comparison.summary import cell, findings, said, snippet
from tacit.evidence.environment import environment
from tacit.evidence.figures import datum, part, whole
from tacit.evidence.files import write_whole
from tacit.evidence.numerals import seconds
from tacit.evidence.svg import SvgWords, element
from tacit.evidence.tables.measured import title_of

WIDTHS = (760.0, 370.0)


@dataclass(frozen=True)
class CandidateLine:
    """One candidate in the table."""

    number: int
    tried: TriedCandidate
    cells: tuple[str, ...]
    is_best: bool
    about: str


@dataclass(frozen=True)
class Metrics:
    """All metrics: their names, and one row for each candidate, its name first."""

    names: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class LegendKey:
    """An entry of the legend."""

    picture: Markup
    words: str


def write_comparison(comparison: ComparisonReport, path: Path) -> None:
    """Afterwards the page stands at `path`, whole."""
    write_whole(path, render_comparison(comparison))


def render_comparison(comparison: ComparisonReport) -> str:
    """The page as text."""
    best = comparison.best()
    others = [row for row in comparison.made if row.undominated and row.keeps_plan and row is not best]
    return TEMPLATE.render(
        comparison=comparison,
        best=best,
        said=said(comparison),
        maps=_maps(comparison),
        keys=tuple(_keys(comparison)),
        heads=_heads(comparison),
        lines=tuple(_line(comparison, row, best) for row in comparison.made),
        metrics=_metrics(comparison),
        failed=tuple(row for row in comparison.rows if row.failed is not None),
        weaker=any(not row.keeps_plan for row in comparison.made),
        snippet=snippet,
        others=tuple(others),
    )


def _maps(comparison: ComparisonReport) -> tuple[Markup, ...]:
    """The map for wide and for narrow screens; none where nothing can be placed."""
    across, up = comparison.utility[0], comparison.risk[0]
    placed = [row for row in comparison.made if math.isfinite(row.value(across)) and math.isfinite(row.value(up))]
    if not placed:
        return ()
    scales = tuple(
        scale_of([row.value(axis) for row in placed], axis.title, axis.is_share, axis.better == "higher")
        for axis in (across, up)
    )
    best = comparison.best()
    spots = [_spot(comparison, row, row is best) for row in placed]
    words = SvgWords(
        f"Risk–utility map: {up.title} against {across.title}",
        "; ".join(spot.about.replace("\n", ", ") for spot in spots),
    )
    return tuple(risk_utility_map(spots, (scales[0], scales[1]), words, width) for width in WIDTHS)


def _spot(comparison: ComparisonReport, row: TriedCandidate, is_best: bool) -> Spot:
    across, up = comparison.utility[0], comparison.risk[0]
    told = [f"{axis.title} {cell(axis.name, row.value(axis))}" for axis in (*comparison.utility, *comparison.risk)]
    weaker = [] if row.keeps_plan else ["weaker than the plan promises"]
    return Spot(
        x=row.value(across),
        y=row.value(up),
        number=1 + comparison.rows.index(row),
        name=row.name.removeprefix("tables/"),
        about="\n".join([row.name, *told, *weaker]),
        kind="best" if is_best else "kept" if row.undominated else "dominated",
        weaker=not row.keeps_plan,
    )


def _keys(comparison: ComparisonReport) -> Iterator[LegendKey]:
    round_ = {"cx": 10.0, "cy": 10.0, "r": 5.5}
    square = {"x": 5.0, "y": 5.0, "width": 10.0, "height": 10.0}
    if comparison.best() is not None:
        halo = element("circle", cx=10, cy=10, r=9, class_="halo")
        yield LegendKey(halo + element("circle", **round_, class_="spot best"), "proposed")
    yield LegendKey(element("circle", **round_, class_="spot kept"), "not beaten")
    if any(not row.undominated for row in comparison.made):
        yield LegendKey(element("circle", **round_, class_="spot dominated"), "beaten")
    if any(not row.keeps_plan for row in comparison.made):
        yield LegendKey(element("rect", **square, class_="spot dominated"), "square: weaker than the plan promises")


def _heads(comparison: ComparisonReport) -> tuple[str, ...]:
    named = {"highest": "highest risk", "average": "average risk", "above": comparison.above}
    figures_ = [named.get(axis.name, axis.title) for axis in _shown(comparison)]
    of_tables = ("suppressed", "classes") if comparison.has_classes else ()
    return ("found", *figures_, *of_tables, "time")


def _shown(comparison: ComparisonReport) -> tuple[ComparisonAxis, ...]:
    """The risk figures that everybody asks for, and the axes."""
    always = [ComparisonAxis(name=name, title=RISKS[name][0]) for name in comparison.usual_risks]
    return tuple({axis.name: axis for axis in (*always, *comparison.axes)}.values())


def _line(comparison: ComparisonReport, row: TriedCandidate, best: TriedCandidate | None) -> CandidateLine:
    values = [(axis.name, row.value(axis)) for axis in _shown(comparison)]
    shown = ["–" if math.isnan(value) else datum(value, cell(name, value)) for name, value in values]
    took = datum(row.seconds, seconds(row.seconds))
    of_tables = (part(row.suppressed_share or 0.0), whole(row.classes or 0)) if comparison.has_classes else ()
    about = ["proposed"] if row is best else []
    about += [] if row.keeps_plan else ["weaker than the plan promises"]
    about += ["proved best of its kind"] if row.optimal else []
    about += ["what the plan's method would choose"] if row.is_chosen else []
    return CandidateLine(
        1 + comparison.rows.index(row),
        row,
        (findings(row), *shown, *of_tables, took),
        row is best,
        ", ".join(about),
    )


def _metrics(comparison: ComparisonReport) -> Metrics:
    """Every metric of every candidate."""
    names = tuple(dict.fromkeys(name for row in comparison.made for name in row.metrics))
    rows = []
    for row in comparison.made:
        values = [row.metrics.get(name) for name in names]
        rows.append(
            (row.name, *("–" if v is None else datum(v, cell(n, v)) for n, v in zip(names, values, strict=True)))
        )
    return Metrics(tuple(title_of(name) for name in names), tuple(rows))


TEMPLATE = environment("report.css", "comparison.css").get_template("comparison.html")
"""Compiled with the module, which is imported only where a page is wanted."""
