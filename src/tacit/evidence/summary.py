"""The summary: what the command line prints after a release was made; plain text within 80 columns.

Promised, found, lost and written, in aligned columns. Only names that the user chose can hold other signs than
ASCII. A path is never cut, since people copy it.
"""

from collections.abc import Mapping, Sequence
from typing import Any
from unicodedata import combining, east_asian_width

from tacit.evidence.numerals import against, clean
from tacit.evidence.promises import name_of, promise_of
from tacit.evidence.reading import SEEDED, Headline, plain, verdict
from tacit.release.release import Release

WIDTH = 80
FIRST = 44


def release_lines(
    release: Release[Any],
    found: Sequence[str],
    written: Mapping[str, str] | None = None,
    said: Headline | None = None,
) -> list[str]:
    """The lines; `found` is what the kind says, `written` what stands where (`{"report": "out/report.html"}`).

    `said` is the verdict, where the kind has one of its own.
    """
    said = said or verdict(release)
    return [
        _fit(f"Tacit: {release.title}", WIDTH),
        "",
        *_promised(release),
        "",
        *found,
        *written_lines(written or {}),
        "",
        plain(said.headline),
        *([SEEDED] if release.seeded else []),
    ]


def _promised(release: Release[Any]) -> list[str]:
    if not release.promises:
        return ["promised", "  nothing"]
    lines = [line("promised", "bound", "found")]
    for finding in release.measured:
        bound, found = promise_of(finding).bound, against(finding.measured, finding.bound)
        lines.append(line(f"  {name_of(finding)}", bound, found, "holds" if finding.holds else "FAILS"))
    proven = (line(f"  {one.name}", f"epsilon {one.epsilon:g}", "", "proven") for one in release.proven)
    return [*lines, *proven]


def written_lines(written: Mapping[str, str]) -> list[str]:
    """What stands where, with an empty line before it; nothing where nothing was written."""
    if not written:
        return []
    widest = max(_columns(name) for name in written)
    return ["", "written", *(f"  {padded(clean(name), widest)}  {clean(path)}" for name, path in written.items())]


def line(first: str, second: str, third: str, last: str = "") -> str:
    cells = f" {plain(second):>13} {plain(third):>12}  {last}".rstrip()
    room = min(FIRST, WIDTH - len(cells))
    return f"{padded(_fit(first, room), room)}{cells}"


def folded(text: str) -> list[str]:
    """The text on lines that fit, each with the spaces that it begins with."""
    from textwrap import wrap

    text = clean(text)
    begin = " " * (len(text) - len(text.lstrip()))
    # A narrow space, which becomes a plain one, keeps a number and its unit on one line.
    lines = wrap(text, WIDTH, subsequent_indent=begin, break_long_words=False, break_on_hyphens=False)
    return [plain(line) for line in lines]


def padded(text: str, width: int) -> str:
    """The text with spaces behind it, up to so many columns of a terminal."""
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
