"""A page: one release as one HTML file that stands alone.

The page asks for nothing from outside and says so to the browser (a content security policy that admits inline styles
and embedded pictures only), has no script, and is set for screens of all widths, in light and dark, and for paper.
Every value passes through escaping; markup comes from this package, or from that which brings the kind of data. The
frame is the same for every kind: verdict, promises, recipe, certificate. What lies between is the kind's own.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from markupsafe import Markup
from pydantic_core import to_jsonable_python

from tacit.evidence import board, findings, promises, reading
from tacit.evidence.approval import approval_lines, title_of
from tacit.evidence.environment import environment
from tacit.evidence.plan_text import plan_text
from tacit.evidence.reading import Headline, KeyFigure
from tacit.release.release import Fingerprint, Release

NOTHING = Markup()
MOST_FIRST = 4


@dataclass(frozen=True)
class Section:
    """A part of the page with a heading; `id` is where the contents lead to."""

    id: str
    title: str
    html: Markup


@dataclass(frozen=True)
class PageWords:
    """The words of the frame, which a kind may replace by its own."""

    report: str = "Release report"
    promised: str = "Promised and measured"
    limits: str = "What is not promised"
    about_limits: str = "A guarantee promises what it says, and no more."
    more_limits: str = "Whatever was promised"
    about_files: str = (
        "This report is about these files and no others. It also describes the file before protection: treat it with "
        "the same care as any figure about the original."
    )


@dataclass(frozen=True)
class BodyPage:
    """What a kind shows of its body.

    `picture` stands beside the verdict and `about` below it, `cards` are the key figures, `recipe` further entries of a
    list of terms, and `limits` what is left open whatever was promised. `about_attacks` is said below the attacks.
    `promised` stands in the place of the promises where there are none. What somebody must approve has lines for it
    (`is_approved`).
    """

    sections: tuple[Section, ...] = ()
    picture: Markup = NOTHING
    about: str = ""
    cards: tuple[KeyFigure, ...] = ()
    recipe: Markup = NOTHING
    limits: tuple[str, ...] = ()
    about_attacks: str = ""
    promised: Markup = NOTHING
    words: PageWords = PageWords()
    is_approved: bool = True


def render_page(release: Release[Any], page: BodyPage, verdict: Headline | None = None) -> str:
    """The report as text, under the verdict of the kind, or that of its promises."""
    limits = findings.limits(release)
    return ENVIRONMENT.get_template("page.html").render(
        release=release,
        page=_with_attacks(release, page),
        verdict=verdict or reading.verdict(release),
        title=title_of(release),
        groups=findings.promise_groups(release),
        limits=limits,
        first_limits=_first_limits(limits, page),
        warning=board.warning(release),
        approval=approval_lines(release) if page.is_approved else (),
        earlier=[promises.promise_of(finding) for finding in release.measured_before],
        files=_files(release),
        plan_text=plan_text(release.recipe.plan),
        parameters=to_jsonable_python(release.recipe.parameters, inf_nan_mode="strings", fallback=str),
    )


def fragment(template: str, **values: Any) -> Markup:
    """A file of `templates/`, with its values set."""
    return Markup(ENVIRONMENT.get_template(template).render(**values))


def fragment_of(text: str, **values: Any) -> Markup:
    """A template that a package brings, with its values set and escaped."""
    return Markup(ENVIRONMENT.from_string(text).render(**values))


def _with_attacks(release: Release[Any], page: BodyPage) -> BodyPage:
    """The page with what adversaries learnt, where there were any: before the section on loss, or at the end."""
    groups = board.attack_groups(release)
    if not groups:
        return page
    html = fragment(
        "attacks.html",
        above=[one for one in groups if one.first.is_above_guessing],
        others=[one for one in groups if not one.first.is_above_guessing],
        lead=board.attack_lead(release.body.attacks),
        guessing=board.GUESSING,
        confidence=groups[0].first.result.confidence,
        about=page.about_attacks,
    )
    section = Section("attacks", "What each adversary learns", html)
    at = next((i for i, one in enumerate(page.sections) if one.id == "loss"), len(page.sections))
    return replace(page, sections=(*page.sections[:at], section, *page.sections[at:]))


def _first_limits(limits: Sequence[findings.OpenLimits], page: BodyPage) -> tuple[tuple[str, str], ...]:
    """The most important of what is not promised, for the first page: the first limit of each sort of promise, with its
    name, then those of the kind."""
    first = [(limit.title, limit.open[0]) for limit in limits if limit.open][: MOST_FIRST - 1]
    return (*first, *(("", text) for text in page.limits))[:MOST_FIRST]


def _files(release: Release[Any]) -> list[tuple[str, Fingerprint]]:
    inputs = [("input", file) for file in release.inputs]
    return [*inputs, ("plan", release.plan), *(("output", file) for file in release.outputs)]


ENVIRONMENT = environment("report.css")
"""Made with the module, which is imported only where a report is wanted."""
ENVIRONMENT.globals.update(reading=reading)
