"""The page for recipients: what the columns of a release mean, what is promised, and nothing about the file before.

It is made of four things, none of which depends on rows that the release does not show: what the plan says (roles,
descriptions, guarantees with their parameters, the names of methods, purpose and owner), the release itself (its hash,
and the codebook that anybody could count in it), the levels that its labels show, and the day and the version. All else
that evidence holds is left out: measures, risks, attacks and metrics compare with the raw rows, the number of rows that
were left out and the share of a sample tell how many there were, notes and times depend on them too.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from tacit.catalogue import find_method
from tacit.errors import BadParameter
from tacit.evidence.approval import title_of
from tacit.evidence.environment import environment
from tacit.evidence.numerals import MONTHS, count, many, measure, share
from tacit.evidence.promises import alike, guarantee_of, name_of
from tacit.guarantees.guarantee import TableGuarantee
from tacit.promise import Measured, PeopleOrRows
from tacit.release.about import AboutSection, about_of
from tacit.release.codebook import Codebook, CodebookColumn
from tacit.release.tables import ColumnReport, TableRelease
from tacit.spelling import noun

ROLES = {
    "quasi-identifier": "Others may know it about a person, so people are made to look alike in it.",
    "sensitive": "Nobody should be able to learn it about a person.",
    "insensitive": "It is published as it is.",
    "identifier": "It names a person; what is published here is not the original.",
}
MOST_SHOWN = 12


@dataclass(frozen=True)
class CodebookEntry:
    """One column as the page shows it: its meaning, how it was changed, and its values."""

    name: str
    description: str
    role: str
    change: str
    about: str
    values: tuple[tuple[str, int], ...]
    more: tuple[tuple[str, int], ...]
    unlisted: int


@dataclass(frozen=True)
class PublicPromise:
    """A promise without what was measured of it; `also` are further columns of which the same is promised."""

    title: str
    says: str
    also: tuple[str, ...]
    open: tuple[str, ...]


def render_public(release: TableRelease, codebook: Codebook) -> str:
    """The page as text."""
    about = about_of(release.recipe.plan)
    reports = {column.name: column for column in release.body.columns}
    starred = codebook.suppressed > 0 and _section(release.recipe.plan).get("suppressed") != "omit"
    treated = _treated(release.recipe.plan)
    names = [column.name for column in codebook.columns]
    done = {name: _change(reports.get(name), treated.get(name, ()), starred) for name in names}
    return TEMPLATE.render(
        title=title_of(release),
        about=about,
        output=release.output,
        day=_day(release.created),
        version=release.versions.get("tacit", ""),
        versions={"tacit": release.versions.get("tacit", "")},
        codebook=codebook,
        entries=[_entry(one, reports.get(one.name), done[one.name], codebook) for one in codebook.columns],
        promises=_promises(release),
        done=tuple(_done(release, codebook)),
        limits=tuple(_limits(release, about)),
        cite=_citation(release, about, codebook),
    )


def _entry(column: CodebookColumn, report: ColumnReport | None, change: str, codebook: Codebook) -> CodebookEntry:
    shown = tuple((one.value or "(missing)", one.rows) for one in column.values)
    exact = column.distinct > len(shown) and column.least is not None
    return CodebookEntry(
        name=column.name,
        description=(report.description if report else None) or "",
        role=ROLES[report.role] if report else "",
        change=change,
        about=". ".join(_about(column, codebook)) + ".",
        values=() if exact else shown[:MOST_SHOWN],
        more=() if exact else shown[MOST_SHOWN:],
        unlisted=0 if exact else column.distinct - len(shown),
    )


def _about(column: CodebookColumn, codebook: Codebook) -> Iterator[str]:
    """How many values the column has, and in how many rows it has none."""
    yield many(column.distinct, "value")
    if column.least is not None and column.greatest is not None:
        yield f"Numbers from {measure(column.least)} to {measure(column.greatest)}"
    if column.hidden:
        yield f"{share(column.hidden / max(codebook.rows, 1))} of the rows show * instead of a value"


def _change(report: ColumnReport | None, treated: tuple[str, ...], starred: bool) -> str:
    """What was done to the column, in words that depend on the plan and on the labels alone."""
    same = f"Its values are those of the original{', except in suppressed rows' if starred else ''}."
    if treated:
        return f"Its values were changed before anything else was done: {', '.join(treated)}."
    if report is None or report.role != "quasi-identifier":
        return same if _is_starred(report) else ""
    if report.level is None:
        return "Its values were generalised where needed, class by class."
    if report.level == 0:
        return same
    return f"All its values were generalised to level {report.level} of its hierarchy."


def _is_starred(report: ColumnReport | None) -> bool:
    return report is not None and report.role == "sensitive"


def _section(plan: Mapping[str, Any]) -> Mapping[str, Any]:
    found = plan.get("release")
    return found if isinstance(found, Mapping) else {}


def _treated(plan: Mapping[str, Any]) -> dict[str, tuple[str, ...]]:
    """The names of the methods that changed each column first."""
    found: dict[str, tuple[str, ...]] = {}
    for treatment in _section(plan).get("treatments") or ():
        for column in treatment.get("columns", ()):
            found[column] = (*found.get(column, ()), _method(str(treatment.get("method"))))
    return found


def _method(name: str) -> str:
    try:
        return find_method(name).title.lower()
    except BadParameter:
        return name


def _promises(release: TableRelease) -> tuple[PublicPromise, ...]:
    groups: dict[object, list[Measured]] = {}
    for finding in release.measured:
        groups.setdefault(alike(finding), []).append(finding)
    return tuple(_promise(same, release.body.counted) for same in groups.values())


def _promise(same: Sequence[Measured], counted: PeopleOrRows) -> PublicPromise:
    """The promise in words; of a guarantee that this installation does not know, its bound."""
    first, guarantee = same[0], guarantee_of(same[0])
    says = f"every class measures {first.side} {measure(first.bound)}"
    if isinstance(guarantee, TableGuarantee):
        says = guarantee.promise(counted)
    return PublicPromise(
        title=name_of(first, first.title),
        says=f"{says[:1].upper()}{says[1:]}.",
        also=tuple(one.column for one in same[1:] if one.column),
        open=() if guarantee is None else guarantee.open,
    )


def _done(release: TableRelease, codebook: Codebook) -> Iterator[str]:
    """What was done, as far as it depends on the plan and on the release alone."""
    section = _section(release.recipe.plan)
    yield "Columns that name people directly were left out."
    if section.get("sample"):
        yield "The rows are a random sample of a larger file."
    if section.get("treatments"):
        yield "Some columns were changed first; the codebook says which."
    # Which of several methods won depends on rows that the release does not show.
    tried = release.body.competition is not None
    head = (
        "Several methods were tried, and the one that loses least" if tried else f"The method {release.recipe.method}"
    )
    yield f"{head} generalised the quasi-identifiers until every promise held."
    if section.get("suppressed") == "omit":
        yield "Rows that could not be protected were left out; how many is not stated."
    elif codebook.suppressed:
        told = f"{many(codebook.suppressed, 'row')} ({share(codebook.suppressed / max(codebook.rows, 1))})"
        verb = noun(codebook.suppressed, "shows", "show")
        yield f"{told} could not be protected and {verb} * in every quasi-identifier and sensitive column."
    else:
        yield "No row had to be suppressed."
    yield "The rows were put in random order." if section.get("shuffle") else "The rows keep the order of the original."
    yield "Every promise was checked in this file after it was written, twice and by different code."


def _limits(release: TableRelease, about: AboutSection) -> Iterator[str]:
    """What is left open whatever was promised."""
    yield "A second release about the same people can undo these promises."
    yield "The promises rest on a choice of columns that others may know; anyone who knows more may learn more."
    yield "Each row counts as one person." if release.unit is None else "People are counted, not rows."
    whom = about.owner or "whoever gave you this file"
    yield f"Do not try to recognise anybody. If you think that you have recognised somebody, tell {whom}."


def _day(created: str) -> str:
    try:
        when = datetime.fromisoformat(created)
    except ValueError:
        return created
    return f"{when.day} {MONTHS[when.month - 1]} {when.year}"


def _citation(release: TableRelease, about: AboutSection, codebook: Codebook) -> str:
    """How to cite the release."""
    year = release.created[:4]
    head = f"{about.owner} ({year}). {title_of(release)}" if about.owner else f"{title_of(release)} ({year})"
    digest = (release.output.sha256 or "")[:16]
    made = f"Protected with Tacit {release.versions.get('tacit', '')}".rstrip()
    return f"{head} [data file, {count(codebook.rows)} rows]. {made}. SHA-256 {digest}…"


TEMPLATE = environment("report.css").get_template("public.html")
"""Compiled with the module, which is imported only where a page is wanted."""
