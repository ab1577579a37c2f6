"""What the command line prints of a released table: found and lost."""

from collections.abc import Mapping
from textwrap import wrap

from tacit.evidence.numerals import chosen, clean, count, many, share
from tacit.evidence.reading import known_values_told, plain, sample
from tacit.evidence.summary import WIDTH, line, release_lines
from tacit.evidence.tables.choice import advice_lines, choice_lines, unproved_line
from tacit.release.tables import TableRelease


def summary_lines(release: TableRelease, written: Mapping[str, str] | None = None) -> list[str]:
    """The lines of a table; `written` says what stands where."""
    return release_lines(release, table_lines(release), written)


def table_lines(release: TableRelease) -> list[str]:
    """What was found before and after, what was lost, how the method was chosen, and advice if much was lost."""
    chosen_by = choice_lines(release)
    choice = ["", *chosen_by] if chosen_by else []
    return [*_found(release), "", *_lost(release), *choice, *advice_lines(release), *_unkept(release), *_known(release)]


def _unkept(release: TableRelease) -> list[str]:
    """That no secret is kept where the plan names none."""
    if any(column.role == "sensitive" for column in release.body.columns):
        return []
    told = "Careful: the plan calls no column sensitive, so this release promises nothing about secrets."
    return ["", *wrap(told, WIDTH)]


def _known(release: TableRelease) -> list[str]:
    """That exact values identify people, if they do."""
    told = known_values_told(release.body.risk_after)
    return [] if told is None else ["", *wrap(clean(plain(f"Careful: {told}")), WIDTH)]


def _found(release: TableRelease) -> list[str]:
    before, after = release.body.risk_before, release.body.risk_after
    rows = (
        ("highest risk", share(before.prosecutor_highest), share(after.prosecutor_highest)),
        ("average risk", share(before.prosecutor_average), share(after.prosecutor_average)),
        (f"people above {chosen(after.threshold)}", share(before.above), share(after.above)),
        ("unique people", count(before.unique), count(after.unique)),
        ("classes of people who look alike", count(before.classes), count(after.classes)),
    )
    return [line("found", "before", "after"), *(line(f"  {plain(name)}", was, now) for name, was, now in rows)]


def _lost(release: TableRelease) -> list[str]:
    gone, loss = release.body.suppressed, release.body.metrics.get("loss")
    suppressed = f"  suppressed: {many(gone.rows, 'row', 'rows')} (at most {chosen(gone.limit)} allowed)"
    lines = [] if loss is None else [line("  loss of detail in quasi-identifiers", "", share(loss))]
    drawn = (
        []
        if release.body.drawn is None
        else [line(f"  {sample(release.body.drawn)}", "", share(release.body.drawn.share))]
    )
    return ["lost", *drawn, *lines, line(plain(suppressed), "", share(gone.share)), *unproved_line(release)]
