"""The summary: what the command line prints after a release was made; plain text within 80 columns.

Promised, found, lost and written, in aligned columns. Only names that the user chose can hold other signs than
ASCII. A path is never cut, since people copy it.
"""

from collections.abc import Mapping
from unicodedata import combining, east_asian_width

from tacit.evidence.numerals import against, chosen, clean, count, many, share
from tacit.evidence.promises import name_of, promise_of
from tacit.evidence.reading import SEEDED, plain, sample, unseeded, verdict
from tacit.release import Release

WIDTH = 80
FIRST = 44


def summary_lines(release: Release, written: Mapping[str, str] | None = None) -> list[str]:
    """The lines; `written` says what stands where (`{"report": "out/report.html"}`)."""
    said = verdict(release)
    return [
        _fit(f"Tacit: {release.title}", WIDTH),
        "",
        *_promised(release),
        "",
        *_found(release),
        "",
        *_lost(release),
        *_written(written or {}),
        "",
        plain(said.headline),
        *([] if unseeded(release) else [SEEDED]),
    ]


def _promised(release: Release) -> list[str]:
    if not release.guarantees:
        return ["promised", "  nothing"]
    lines = [_line("promised", "bound", "found")]
    for finding in release.guarantees:
        bound, found = promise_of(finding).bound, against(finding.measured, finding.bound)
        lines.append(_line(f"  {name_of(finding)}", bound, found, "holds" if finding.holds else "FAILS"))
    return lines


def _found(release: Release) -> list[str]:
    before, after = release.risk_before, release.risk_after
    rows = (
        ("highest risk", share(before.prosecutor_highest), share(after.prosecutor_highest)),
        ("average risk", share(before.prosecutor_average), share(after.prosecutor_average)),
        (f"people above {chosen(after.threshold)}", share(before.above), share(after.above)),
        ("unique people", count(before.unique), count(after.unique)),
        ("classes", count(before.classes), count(after.classes)),
    )
    return [_line("found", "before", "after"), *(_line(f"  {plain(name)}", was, now) for name, was, now in rows)]


def _lost(release: Release) -> list[str]:
    gone, loss = release.suppressed, release.metrics.get("loss")
    suppressed = f"  suppressed: {many(gone.rows, 'row', 'rows')}, at most {chosen(gone.limit)}"
    lines = [] if loss is None else [_line("  loss", "", share(loss))]
    drawn = [] if release.drawn is None else [_line(f"  {sample(release.drawn)}", "", share(release.drawn.share))]
    return ["lost", *drawn, *lines, _line(plain(suppressed), "", share(gone.share))]


def _written(written: Mapping[str, str]) -> list[str]:
    if not written:
        return []
    widest = max(_columns(name) for name in written)
    return ["", "written", *(f"  {_pad(clean(name), widest)}  {clean(path)}" for name, path in written.items())]


def _line(first: str, second: str, third: str, last: str = "") -> str:
    cells = f" {plain(second):>13} {plain(third):>12}  {last}".rstrip()
    room = min(FIRST, WIDTH - len(cells))
    return f"{_pad(_fit(first, room), room)}{cells}"


def _pad(text: str, width: int) -> str:
    return text + " " * (width - _columns(text))


def _fit(text: str, width: int) -> str:
    """The text within `width` columns, cut with three dots where it is longer."""
    text = clean(text).replace("\n", " ").replace("\t", " ")
    if _columns(text) <= width:
        return text
    while _columns(text) > width - 3:
        text = text[:-1]
    return f"{text}..."


def _columns(text: str) -> int:
    """How many columns of a terminal the text takes: two for a wide character, none for a combining one."""
    return sum(0 if combining(sign) else 2 if east_asian_width(sign) in "WF" else 1 for sign in text)
