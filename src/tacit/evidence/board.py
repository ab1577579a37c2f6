"""The board of attacks: what each adversary learns from the raw file, without its identifiers, and from the release.

An attack is *above guessing* if the whole confidence interval of its rate on the release lies above what the adversary
achieves without the file. Attacks that differ only in the secret that they seek form a group, which is shown by its
most successful member. Groups come in the order of their success on the release, for the report and for the terminal.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from textwrap import wrap
from typing import Any

from markupsafe import Markup

from tacit.evidence.figures import datum, part
from tacit.evidence.numerals import NARROW, chosen, clean, count, listed, share
from tacit.evidence.reading import plain
from tacit.evidence.summary import fitted, padded
from tacit.evidence.svg import SvgWords, element, percent, strip
from tacit.release.attacks import AttackResult, Success
from tacit.release.release import Release
from tacit.spelling import many, noun

WIDTH = 100
MOST_TOLD = 3
GUESSING = (
    "“Guessing” is the rate that the adversary achieves without the file. An attack that does better than guessing "
    "breaks no promise unless its rate is above what is promised, but it deserves attention."
)
ABOVE = "! does better on the release than guessing"
SIDES = (("raw", "raw file"), ("pseudonymised", "without identifiers"), ("release", "release"))
FIRST, CELL = 39, 14


@dataclass(frozen=True)
class AttackSide:
    """How an adversary fared on one table: the rate, and its interval in words."""

    rate: Markup
    interval: str


@dataclass(frozen=True)
class AttackRow:
    """One attack: what guessing achieves, how it fared, and what is promised about it."""

    result: AttackResult
    name: str
    baseline: Markup
    raw: AttackSide | None
    pseudonymised: AttackSide | None
    release: AttackSide | None
    bound: Markup | None
    picture: Markup

    @property
    def is_above_guessing(self) -> bool:
        """Whether it does better on the release than without it."""
        return is_above_guessing(self.result)


@dataclass(frozen=True)
class AttackGroup:
    """Attacks that differ in their secret only, the most successful on the release first."""

    title: str
    rows: tuple[AttackRow, ...]

    @property
    def first(self) -> AttackRow:
        """The most successful."""
        return self.rows[0]

    @property
    def others(self) -> tuple[AttackRow, ...]:
        """All but the most successful."""
        return self.rows[1:]


def attack_groups(release: Release[Any]) -> tuple[AttackGroup, ...]:
    """The entries of the report's board, the most successful first."""
    return tuple(_group(results) for results in grouped(release.body.attacks))


def grouped(results: Iterable[AttackResult]) -> list[list[AttackResult]]:
    """The attacks by group, and the groups in order."""
    groups: dict[tuple[str, str], list[AttackResult]] = {}
    for one in results:
        groups.setdefault((one.attack, one.title), []).append(one)
    ranked = [sorted(group, key=_success, reverse=True) for group in groups.values()]
    return sorted(ranked, key=lambda group: _success(group[0]), reverse=True)


def _success(result: AttackResult) -> tuple[bool, float]:
    """Those above guessing come first, then the rate decides; what was not run on the release comes last."""
    return is_above_guessing(result), -1.0 if result.release is None else result.release.rate


def is_above_guessing(result: AttackResult) -> bool:
    """Whether the adversary does better with the release than without it, beyond what chance explains."""
    return result.release is not None and result.release.low > result.release.baseline


def attack_lead(results: Iterable[AttackResult]) -> str:
    """How many attacks do better than guessing on the release."""
    run = [group[0] for group in grouped(results) if group[0].release is not None]
    above = [one for one in run if is_above_guessing(one)]
    kinds = many(len(run), "kind of attack", "kinds of attack")
    if not run:
        return "None of the attacks could be run on the release."
    if not above:
        return f"{kinds} {noun(len(run), 'was', 'were')} tried on the release, and none does better than guessing."
    return f"{count(len(above))} of {kinds} {noun(len(above), 'does', 'do')} better on the release than guessing."


def warning(release: Release[Any]) -> str:
    """Which attacks are above guessing, for the top of the page; empty where there are none."""
    above = [group[0] for group in grouped(release.body.attacks) if is_above_guessing(group[0])]
    if not above:
        return ""
    told = [f"{one.title.lower()} ({share(one.release.rate)})" for one in above[:MOST_TOLD] if one.release is not None]
    more = [f"{count(len(above) - MOST_TOLD)} more"] if len(above) > MOST_TOLD else []
    said = noun(len(above), "One attack on it still does", "Some attacks on it still do")
    return f"{said} better than guessing: {listed([*told, *more])}."


def _group(results: Sequence[AttackResult]) -> AttackGroup:
    first = results[0]
    title = name_of(first) if len(results) == 1 else f"{first.title}: {count(len(results))} columns"
    return AttackGroup(title, tuple(_row(one) for one in results))


def _row(result: AttackResult) -> AttackRow:
    found = {key: getattr(result, key) for key, _ in SIDES}
    last = next(one for one in reversed(found.values()) if one is not None)
    sides = {key: None if one is None else AttackSide(part(one.rate), interval(one)) for key, one in found.items()}
    return AttackRow(
        result=result,
        name=name_of(result),
        baseline=part(last.baseline),
        bound=None if result.bound is None else datum(result.bound, chosen(result.bound)),
        picture=_picture(result, last.baseline),
        **sides,
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
    """The board for a terminal: a few lines for each group of attacks, the interval below each rate."""
    heads = ("guessing", *(head for _, head in SIDES), "at most")
    groups = grouped(results)
    cells = [_cells(group[0]) for group in groups]
    widths = _widths([heads, *(line for both in cells for line in both)])
    lines = [_line("what each adversary learns", heads, widths)]
    for group, (rates, below) in zip(groups, cells, strict=True):
        first = group[0]
        mark = "! " if is_above_guessing(first) else "  "
        lines += ["", _line(f"{mark}{name_of(first)}", rates, widths), _line("", below, widths)]
        lines += [*_indented(f"knows {first.knowledge}"), *_indented(first.means), *_others(group)]
    above = sum(is_above_guessing(group[0]) for group in groups)
    return [*lines, "", *([ABOVE] if above else [])]


def _indented(text: str) -> list[str]:
    """The text below a name, in lines that fit a terminal."""
    return [f"  {line}" for line in wrap(plain(clean(text)), WIDTH)]


def _others(group: Sequence[AttackResult]) -> list[str]:
    """The other secrets of the group, in a line."""
    if len(group) == 1:
        return []
    rates = [one.release.rate for one in group[1:] if one.release is not None]
    least = "" if not rates else f", {plain(share(min(rates)))} to {plain(share(max(rates)))} on the release"
    return [f"  and {many(len(group) - 1, 'other column')}{least}"]


def not_run_lines(skipped: Mapping[str, str]) -> list[str]:
    """Which attacks were not run, and why: one line for an attack on several columns with the same reason."""
    groups: dict[tuple[str, str], list[str]] = {}
    for name, reason in skipped.items():
        attack, _, column = name.removesuffix(")").partition(" (")
        groups.setdefault((attack, reason.replace(repr(column), "") if column else reason), []).append(name)
    return [_not_run(names, skipped[names[0]]) for names in groups.values()]


def _not_run(names: Sequence[str], reason: str) -> str:
    others = f" and {many(len(names) - 1, 'other column')}" if len(names) > 1 else ""
    return f"not run: {names[0]}{others}: {reason}"


def board_cells(results: Sequence[AttackResult]) -> list[tuple[str, ...]]:
    """The board as a table of text: a head, and a row for each attack, in the order of the report.

    An attack that does better than guessing is marked, and each says what success means.
    """
    head = ("attack", "what it means", "knows", "guessing", *(head for _, head in SIDES), "at most")
    ranked = [one for group in grouped(results) for one in group]
    return [head, *((_marked(one), one.means, one.knowledge, *map(plain, _cells(one)[0])) for one in ranked)]


def _marked(result: AttackResult) -> str:
    return f"{'! ' if is_above_guessing(result) else ''}{name_of(result)}"


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
    return f"{padded(fitted(plain(first), FIRST), FIRST)}{written}".rstrip()
