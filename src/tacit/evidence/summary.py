"""The summary: what the command line prints after a release was made; plain text within 80 columns.

Promised, found, lost and written, in aligned columns. Promises that differ in their column only stand on one line where
they are many. Only names that the user chose can hold other signs than
ASCII. A path is never cut, since people copy it.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any
from unicodedata import combining, east_asian_width

from tacit.evidence.numerals import against, clean
from tacit.evidence.promises import alike_promises, margin, name_of, promise_of
from tacit.evidence.reading import SEEDED, Headline, plain, verdict
from tacit.promise import Measured
from tacit.release.release import Release
from tacit.spelling import many

WIDTH = 80
FIRST = 44
MOST_ALIKE = 4


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
        fitted(f"Tacit: {release.title}", WIDTH),
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
    for name, finding in _rows(release.measured):
        bound, found = promise_of(finding).bound, against(finding.measured, finding.bound)
        lines.append(line(f"  {name}", bound, found, "holds" if finding.holds else "FAILS"))
    proven = (line(f"  {one.name}", f"epsilon {one.epsilon:g}", "", "proven") for one in release.proven)
    return [*lines, *proven]


def _rows(measured: Sequence[Measured]) -> Iterator[tuple[str, Measured]]:
    """Each promise with its name; of many that are alike, the one closest to its bound, with how many they are."""
    for same in alike_promises(measured):
        if len(same) > MOST_ALIKE:
            yield name_of(same[0].model_copy(update={"column": many(len(same), "column")})), min(same, key=margin)
        else:
            yield from ((name_of(one), one) for one in same)


def written_lines(written: Mapping[str, str]) -> list[str]:
    """What stands where, with an empty line before it; nothing where nothing was written."""
    if not written:
        return []
    widest = max(_columns(name) for name in written)
    return ["", "written", *(f"  {padded(clean(name), widest)}  {clean(path)}" for name, path in written.items())]


def line(first: str, second: str, third: str, last: str = "") -> str:
    cells = f" {plain(second):>13} {plain(third):>12}  {last}".rstrip()
    room = min(FIRST, WIDTH - len(cells))
    return f"{padded(fitted(first, room), room)}{cells}"


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


def fitted(text: str, width: int) -> str:
    """The text within `width` columns; where it is longer, three dots stand in its middle.

    Names of columns are often alike until their end.
    """
    text = clean(text).replace("\n", " ").replace("\t", " ")
    if _columns(text) <= width:
        return text
    begin, end = text, text
    while _columns(begin) > (width - 2) // 2:
        begin = begin[:-1]
    while _columns(end) > (width - 3) // 2:
        end = end[1:]
    return f"{begin}...{end}"


def _columns(text: str) -> int:
    """How many columns of a terminal the text takes: two for a wide character, none for a combining one."""
    return sum(0 if combining(sign) else 2 if east_asian_width(sign) in "WF" else 1 for sign in text)
