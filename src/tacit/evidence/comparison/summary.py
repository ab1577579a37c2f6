"""A comparison in words and lines: what the command line prints, and the sentences of the page."""

from dataclasses import dataclass

import yaml

from tacit.evidence.comparison.comparison import RISKS, ComparisonAxis, ComparisonReport, TriedCandidate, is_share
from tacit.evidence.numerals import clean, count, listed, many, measure, seconds, share
from tacit.evidence.promises import names_of, promise_of
from tacit.evidence.reading import plain

LEAST_NAME = 24
MOST_FOUND = 3
GAP = 2


@dataclass(frozen=True)
class Said:
    """What a comparison comes to, in words."""

    headline: str
    reason: str
    counting: str
    reading: str
    found: str


def said(comparison: ComparisonReport) -> Said:
    """The sentences that the page begins with."""
    best = comparison.best()
    made = f"{len(comparison.made)} of {many(len(comparison.rows), 'candidate', 'candidates')} could be made"
    none = sum(row.undominated for row in comparison.rows)
    promised = listed(_promised(comparison))
    axes = listed([axis.title for axis in comparison.axes])
    stairs = (
        "the dashed line joins them" if len(comparison.axes) == 2 else "the dashed line is about the two drawn here"
    )
    counted = f"{comparison.counted.capitalize()} are counted."
    return Said(
        headline="No candidate keeps what the plan promises." if best is None else f"{best.name} {_wins(comparison)}.",
        reason=f"{made}. {_choice_of(none, axes)} The plan promises {promised}.",
        counting=f"{counted}{_before(comparison)}",
        reading=f"Left and down is better. A candidate is beaten if another is at least as good in {axes} and "
        f"better in one. Those that are not beaten are the ones to choose from; {stairs}.",
        found=_found(comparison),
    )


def _promised(comparison: ComparisonReport) -> list[str]:
    """What the plan promises: each guarantee with its bound, or the names of many."""
    if len(comparison.promised) > MOST_FOUND:
        return names_of(comparison.promised)
    return [f"{promise_of(one).title} {promise_of(one).bound}" for one in comparison.promised]


def _found(comparison: ComparisonReport) -> str:
    """What the column `found` tells."""
    if len(comparison.promised) > MOST_FOUND:
        return f"how many of the {len(comparison.promised)} guarantees hold"
    return f"the measured value of {' / '.join(promise_of(one).title for one in comparison.promised)}"


def _wins(comparison: ComparisonReport) -> str:
    utility = comparison.utility[0]
    most = "lowest" if utility.better == "lower" else "highest"
    verb = "loses least" if utility.name == "loss" else f"has the {most} {utility.title}"
    weaker = any(not row.keeps_plan for row in comparison.made)
    best = comparison.best()
    value = "" if best is None else f", {cell(utility.name, best.value(utility))}"
    return f"{verb}{value}" + (", among those that keep the plan's guarantees" if weaker else "")


def _choice_of(number: int, axes: str) -> str:
    """How many candidates there are to choose from."""
    if number == 1:
        return f"No other candidate is as good in {axes}."
    return f"{count(number)} of them are worth choosing from: no other candidate beats them in {axes}."


def cell(name: str, value: float) -> str:
    """The value of a risk figure or metric."""
    return share(value) if is_share(name) else measure(value)


def findings(row: TriedCandidate) -> str:
    """What was measured of each guarantee; of many, how many hold."""
    if len(row.guarantees) > MOST_FOUND:
        return f"{sum(one.holds for one in row.guarantees)} of {len(row.guarantees)} hold"
    return " / ".join(measure(one.measured) for one in row.guarantees)


def snippet(row: TriedCandidate) -> str:
    """The lines of a plan that make the candidate."""
    if not row.changes:
        return "# as the plan has it\n"
    return str(yaml.safe_dump({"release": row.changes}, sort_keys=False, allow_unicode=True, width=88))


def comparison_lines(comparison: ComparisonReport, plan: str, metrics: tuple[str, ...] = ()) -> list[str]:
    """The table for a terminal, its legend, and how to make the best one; `metrics` are shown besides the axes."""
    heads, cells = _columns(comparison, metrics)
    wide = max([LEAST_NAME, *(len(row.name) for row in comparison.rows)]) + 2 * GAP
    widths = [max(len(head), *(len(plain(line[i])) for line in cells), 0) + GAP for i, head in enumerate(heads)]
    rows = "" if comparison.input.rows is None else f", {many(comparison.input.rows, 'row', 'rows')}"
    title = f"Tacit: {comparison.title}{rows}"
    lines = [f"{clean(title)}; no release is written", ""]
    lines.append(_line("   candidate", heads, wide, widths))
    for row, line in zip(comparison.made, cells, strict=True):
        lines.append(_line(f"{_mark(row)} {clean(row.name)}", line, wide, widths))
    lines += [f"   {clean(row.name)}: not made: {clean(row.failed or '')}" for row in comparison.rows if row.failed]
    lines += ["", *_legend(comparison)]
    lines += [f"not tried: {name}: {clean(why)}" for name, why in comparison.skipped.items()]
    lines += [clean(note) for note in comparison.notes]
    return [*lines, "", *_choice(comparison, plan)]


def _before(comparison: ComparisonReport) -> str:
    """The risk in the file as it is, where it was measured."""
    if comparison.before is None:
        return ""
    return f" In the file as it is, the average risk is {share(comparison.before.prosecutor_average)}."


def _columns(comparison: ComparisonReport, metrics: tuple[str, ...]) -> tuple[list[str], list[list[str]]]:
    """The heads, and the cells of each candidate that was made."""
    risks = dict.fromkeys((*comparison.usual_risks, *(axis.name for axis in comparison.axes if axis.name in RISKS)))
    shown = dict.fromkeys((*(axis.name for axis in comparison.axes if axis.name not in RISKS), "loss", *metrics))
    names = [*risks, *(name for name in shown if any(name in row.metrics for row in comparison.made))]
    heads = ["found", *(plain(comparison.above) if name == "above" else _head(name) for name in names)]
    cells = []
    for row in comparison.made:
        values = [row.value(ComparisonAxis(name=name, title=name)) for name in names]
        written = [cell(name, value) for name, value in zip(names, values, strict=True)]
        took = [seconds(row.seconds)]
        gone = [share(row.suppressed_share or 0.0)] if comparison.has_classes else []
        cells.append([findings(row), *written, *gone, *took])
    return [*heads, *(["suppressed"] if comparison.has_classes else []), "time"], cells


def _head(name: str) -> str:
    return f"{name} risk" if name in ("highest", "average") else name


def _line(first: str, cells: list[str], wide: int, widths: list[int]) -> str:
    written = "".join(f"{plain(one):>{width}}" for one, width in zip(cells, widths, strict=True))
    return f"{first:<{wide}}{written}".rstrip()


def _mark(row: TriedCandidate) -> str:
    return ("*" if row.undominated else " ") + (" " if row.keeps_plan else "-")


def _legend(comparison: ComparisonReport) -> list[str]:
    axes = listed([axis.title for axis in comparison.axes])
    promised = ", ".join(_promised(comparison))
    lines = [f"* not beaten: no other candidate is as good in {axes} and better in one"]
    lines.append(f"found: {_found(comparison)}")
    lines.append("time: how long the decision took")
    if any(not row.keeps_plan for row in comparison.made):
        lines.append(f"- weaker than the plan promises: {promised}")
    return [clean(line) for line in lines]


def _choice(comparison: ComparisonReport, plan: str) -> list[str]:
    """What to write into the plan for the best candidate."""
    best = comparison.best()
    if best is None:
        return ["No candidate keeps what the plan promises."]
    head = plain(f"{clean(best.name)} {_wins(comparison)}")
    if not best.changes or best.is_chosen:
        own = "what the plan has" if not best.changes else "what the plan's own method would choose"
        return [f"{head}. It is {own}; make it with `tacit protect {plan}`."]
    return [
        f"{head}. To make it, write into {plan}",
        "",
        *snippet(best).splitlines(),
        "",
        f"and run `tacit protect {plan}`.",
    ]
