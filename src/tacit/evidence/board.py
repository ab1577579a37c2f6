"""The board of attacks: what each adversary learns from the raw file, without its identifiers, and from the release.

One entry for each attack and secret, for the report and for the terminal.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

from tacit.evidence.figures import datum, part
from tacit.evidence.numerals import NARROW, chosen, count, share
from tacit.evidence.reading import plain
from tacit.evidence.svg import SvgWords, element, percent, strip
from tacit.release.attacks import AttackResult, Success
from tacit.release.release import Release
from tacit.spelling import many, noun

SIDES = (("raw", "raw file"), ("pseudonymised", "without identifiers"), ("release", "release"))
FIRST, CELL = 40, 14


@dataclass(frozen=True)
class AttackSide:
    """How an adversary fared on one table: the rate, and its interval in words."""

    rate: Markup
    interval: str


@dataclass(frozen=True)
class AttackRow:
    """One attack: who the adversary is, what guessing achieves, how it fared, and what is promised about it."""

    result: AttackResult
    name: str
    baseline: Markup
    sides: tuple[AttackSide | None, ...]
    bound: Markup | None
    picture: Markup


def attack_rows(release: Release[Any]) -> tuple[AttackRow, ...]:
    """The entries of the report's board."""
    return tuple(_row(result) for result in release.body.attacks)


def attack_lead(release: Release[Any]) -> str:
    """How many attacks there were, and how many do worse on the release than on the raw file."""
    both = [one for one in release.body.attacks if one.raw is not None and one.release is not None]
    beaten = sum(one.release.rate < one.raw.rate for one in both if one.raw is not None and one.release is not None)
    return (
        f"{count(beaten)} of {many(len(both), 'attack that was', 'attacks that were')} run on both "
        f"{noun(beaten, 'succeeds', 'succeed')} less often on the release than on the raw file."
    )


def _row(result: AttackResult) -> AttackRow:
    found = [getattr(result, key) for key, _ in SIDES]
    last = next(one for one in reversed(found) if one is not None)
    return AttackRow(
        result=result,
        name=name_of(result),
        baseline=part(last.baseline),
        sides=tuple(None if one is None else AttackSide(part(one.rate), interval(one)) for one in found),
        bound=None if result.bound is None else datum(result.bound, chosen(result.bound)),
        picture=_picture(result, last.baseline),
    )


def name_of(result: AttackResult) -> str:
    """The attack, and the secret that it seeks."""
    return result.title if result.column is None else f"{result.title}: {result.column}"


def interval(found: Success) -> str:
    """The ends of the interval in percent, rounded outwards."""
    low, high = math.floor(1000 * found.low) / 10, math.ceil(1000 * found.high) / 10
    return f"{low:g}–{high:g}{NARROW}%"


def _picture(result: AttackResult, baseline: float) -> Markup:
    """Raw above release on one track, the baseline a stroke."""
    before, after = result.raw, result.release
    said = [f"guessing {share(baseline)}"]
    said += [f"{name} {share(one.rate)}" for name, one in (("raw file", before), ("release", after)) if one is not None]
    parts = [element("rect", x=0, y=0, width="100%", height=16, class_="whole")]
    if before is not None and before.rate:
        parts.append(element("rect", x=0.5, y=1, width=percent(before.rate), height=6, class_="before"))
    if after is not None and after.rate:
        parts.append(element("rect", x=0.5, y=8, width=percent(after.rate), height=7, class_="after"))
    at = percent(min(max(baseline, 0.003), 0.997))
    parts.append(element("line", x1=at, y1=0, x2=at, y2=16, class_="bound solid"))
    return strip(SvgWords(f"Success of {name_of(result)}", ", ".join(said)), 16, *parts)


def board_lines(results: Sequence[AttackResult]) -> list[str]:
    """The board for a terminal: three lines for each attack, the interval below each rate."""
    heads = ("guessing", "raw file", "pseudonymised", "release", "at most")
    cells = [_cells(one) for one in results]
    widths = _widths([heads, *(line for both in cells for line in both)])
    lines = [_line("what each adversary learns", heads, widths)]
    for one, (rates, below) in zip(results, cells, strict=True):
        lines += ["", _line(name_of(one), rates, widths), _line("", below, widths)]
        lines += [f"  knows {one.knowledge}"]
    return lines


def board_cells(results: Sequence[AttackResult]) -> list[tuple[str, ...]]:
    """The board as a table of text: a head, and a row for each attack."""
    head = ("attack", "knows", "guessing", "raw file", "without identifiers", "release", "at most")
    return [head, *((name_of(one), one.knowledge, *map(plain, _cells(one)[0])) for one in results)]


def _cells(result: AttackResult) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The rates of an attack with what is promised about it, and what stands below each."""
    found = [getattr(result, key) for key, _ in SIDES]
    last = next(side for side in reversed(found) if side is not None)
    rates = ["-" if side is None else share(side.rate) for side in found]
    ends = ["" if side is None else interval(side) for side in found]
    bound = "" if result.bound is None else chosen(result.bound)
    return (share(last.baseline), *rates, bound), ("", *ends, result.bound_from or "")


def _widths(lines: Sequence[Sequence[str]]) -> tuple[int, ...]:
    """How wide each column is: no cell touches the one before it."""
    least = (9, CELL, CELL, CELL, CELL)
    longest = (max(len(plain(cell)) for cell in column) for column in zip(*lines, strict=True))
    return tuple(max(width, long + 1) for width, long in zip(least, longest, strict=True))


def _line(first: str, cells: Sequence[str], widths: Sequence[int]) -> str:
    written = "".join(f"{plain(cell):>{width}}" for cell, width in zip(cells, widths, strict=True))
    return f"{plain(first)[:FIRST]:<{FIRST}}{written}".rstrip()
