"""The report of a released table."""

from collections.abc import Iterator
from pathlib import Path

from tacit.evidence import findings
from tacit.evidence.files import write_whole
from tacit.evidence.numerals import share
from tacit.evidence.page import BodyPage, Section, fragment, render_page
from tacit.evidence.reading import cards, counting, known_values_told, sample
from tacit.evidence.tables import analysis_figures, choice, column_figures, risk_figures
from tacit.release.analysis import Analysis
from tacit.release.fingerprints import CALL
from tacit.release.tables import TableRelease

SEVERAL_ROWS_ATTACKED = (
    "The adversary knows one row of a target: somebody whose rows look different is a target once for each look, "
    "so there may be more targets than people."
)
MOST_COLUMNS = 12
MOST_FIGURES = 8
"""Columns that are shown at once; the others are folded."""
SAMPLE_ATTACKED = "The release is a sample: the adversary knows who was drawn, and only these people are targets there."


def write_report(release: TableRelease, path: Path) -> None:
    """Afterwards the report stands at `path`, whole."""
    write_whole(path, render_report(release))


def render_report(release: TableRelease) -> str:
    """The report as text."""
    return render_page(release, table_page(release))


def table_page(release: TableRelease) -> BodyPage:
    """What the report shows of a table."""
    drawn = release.body.drawn
    whole = "" if drawn is None else f"A sample: {sample(drawn)}. Before is the whole file. "
    return BodyPage(
        sections=tuple(_sections(release)),
        picture=fragment("tables/crowd.html", release=release, crowd=risk_figures.crowd(release)),
        about=f"{whole}{counting(release)}{_unattacked(release)}",
        cards=cards(release),
        recipe=fragment("tables/recipe.html", release=release),
        limits=tuple(_limits(release)),
        about_attacks=" ".join(_about_attacks(release)),
    )


def _about_attacks(release: TableRelease) -> Iterator[str]:
    """Whom the attacks are after, where that is not simply everybody."""
    if release.unit is not None:
        yield SEVERAL_ROWS_ATTACKED
    if release.body.drawn is not None:
        yield SAMPLE_ATTACKED


def _unattacked(release: TableRelease) -> str:
    """That nobody attacked it yet, and how to."""
    if release.body.attacks or release.plan.name == CALL:
        return ""
    return f" No attack was tried on it yet: run `tacit attack {release.plan.name}`."


def _sections(release: TableRelease) -> Iterator[Section]:
    sizes = {"sizes": risk_figures.class_sizes(release), "promised": risk_figures.least_people(release)}
    yield _section("classes", "Class sizes", release, **sizes)
    risks = {
        "risks": risk_figures.risks(release),
        "risk_table": risk_figures.risk_table(release),
        "more": risk_figures.risk_measures(release),
    }
    yield _section("risk", "Risk", release, **risks)
    alone = risk_figures.singling_out(release)
    yield _section("singling-out", "What singles people out", release, singling_out=alone)
    losses = {
        "costs": column_figures.costs(release),
        "total": column_figures.whole_table(release),
        "uncosted": column_figures.uncosted(release),
        "cost_table": column_figures.cost_table(release),
        "measures": column_figures.loss_measures(release),
        "most": MOST_COLUMNS,
    }
    yield _section("loss", "What was lost", release, **losses)
    if release.body.advice is not None:
        changes = [(choice.change_words(one), share(one.now), share(one.loss)) for one in release.body.advice.changes]
        told = {"lead": choice.lead(release.body.advice), "rows": changes}
        yield _section("advice", "What would bring the loss down", release, **told)
    if release.body.competition is not None:
        competition = release.body.competition
        tried = {
            "rows": choice.tried_rows(competition),
            "hint": choice.other_choice(competition),
            "timed": choice.timed(competition),
        }
        yield _section("choice", "How the method was chosen", release, competition=competition, **tried)
    if release.body.analysis is not None:
        yield _analysis(release, release.body.analysis)
    values = {"columns_values": column_figures.values(release), "most": MOST_FIGURES}
    yield _section("values", "Values before and after", release, **values)
    yield _section("weakest", "The weakest classes", release, groups=findings.promise_groups(release))


def _analysis(release: TableRelease, analysis: Analysis) -> Section:
    tables = {
        "analysis": analysis,
        "means": analysis_figures.means(analysis),
        "correlations": analysis_figures.correlations(analysis),
        "regression": analysis_figures.coefficients(analysis),
    }
    return _section("analysis", "What an analyst would find", release, **tables)


def _section(name: str, title: str, release: TableRelease, **values: object) -> Section:
    return Section(name, title, fragment(f"tables/{name.replace('-', '_')}.html", release=release, **values))


def _limits(release: TableRelease) -> Iterator[str]:
    """What is left open whatever was promised."""
    yield (
        "Guarantees on classes do not add up: a second release about the same people, or a version of this one made "
        "with other settings, can undo them."
    )
    if release.body.drawn is not None:
        yield (
            "The sample protects nobody who is known to be in it: the promises hold for the people who were drawn just "
            "as if everybody had been published, and no more."
        )
    known = known_values_told(release.body.risk_after)
    if known is not None:
        yield f"{known} Round, code or microaggregate these columns, or treat them as quasi-identifiers."
    yield (
        "Everything rests on the roles in the plan: nothing here protects a column that is called insensitive but can "
        "be looked up elsewhere."
    )
    less = " A person with several rows is protected less than the figures say." if release.unit is None else ""
    yield f"{counting(release)}{less}"
    yield (
        "The risk figures are about recognising a record by its quasi-identifiers. They are not a forecast of what a "
        "determined person with other knowledge may find."
    )
