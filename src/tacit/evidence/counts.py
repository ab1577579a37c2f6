"""The report and the lines of a table of counts."""

import numpy as np

from tacit.data.counts.suppressed import SuppressedTable
from tacit.evidence.numerals import count, listed, many
from tacit.evidence.page import BodyPage, PageWords, fragment
from tacit.evidence.reading import Headline, KeyFigure
from tacit.release.counts import CountsBody, CountsRelease

WORDS = PageWords(
    promised="What protects the cells",
    about_limits="What protects the cells is a rule about this table. It is not a guarantee about people.",
    more_limits="",
    about_files=(
        "This report is about these files and no others. It says how many people were counted and how many cells were "
        "left out, which a reader of the table could count. Somebody who guesses all rows of the data can confirm the "
        "guess with its hash."
    ),
)
LIMITS = (
    "Neither k-anonymity nor differential privacy is promised. A count that is not small is published as it is.",
    "Tables about the same people, such as this one by other columns or a later one, can be subtracted from each "
    "other. They are not protected together.",
    "Somebody who is counted in a cell, or knows people in it, can subtract them.",
)


def counts_headline(release: CountsRelease) -> Headline:
    """What was made sure of, and what was not promised."""
    given = release.recipe.parameters
    threshold, protection = int(given["threshold"]), int(given["protection"])
    small = "1" if threshold == 2 else f"1 to {count(threshold - 1)}"
    if not release.body.left_out:
        reason = f"There are no counts of {small}, so no cell is left out. No guarantee about people is promised."
        return Headline("holds", "No count in this table is small.", reason)
    reason = (
        f"Counts of {small} are left out, with as many other cells as needed to hide them. The written table was read "
        "back, and the possible values of every small count were computed: they always reach at "
        f"least {count(protection)} beyond it. "
        "No guarantee about people is promised."
    )
    return Headline("holds", "No small count can be deduced from the published cells and totals.", reason)


def counts_page(release: CountsRelease) -> BodyPage:
    """What the report shows of a table of counts."""
    body = release.body
    return BodyPage(
        about=f"{counted_words(body)} {'was' if body.total == 1 else 'were'} counted by {listed(list(body.by))}.",
        cards=(
            KeyFigure("Counted", count(body.total), body.counted),
            KeyFigure("Cells", count(body.cells), f"by {listed(list(body.by))}, including totals"),
            KeyFigure("Left out", count(body.left_out), "cells that are small, or would reveal a small one"),
        ),
        promised=fragment("counts.html", given=release.recipe.parameters),
        limits=LIMITS,
        words=WORDS,
    )


def counted_words(body: CountsBody) -> str:
    """How many were counted: `1 person`, `5,000 rows`."""
    return many(body.total, "person" if body.counted == "people" else "row", body.counted)


def counts_lines(body: CountsBody, table: SuppressedTable) -> list[str]:
    """The outcome in a few lines, for whoever may see the raw data."""
    small, partners = int(table.primary.sum()), int(table.secondary.sum())
    head = f"{counted_words(body)} in {many(body.cells, 'cell')} by {', '.join(body.by)}, including totals"
    if not small:
        return [head, "no count is small, so none is left out"]
    hidden = np.isin(table.intervals.cells, np.flatnonzero(table.primary))
    width = float((table.intervals.upper - table.intervals.lower)[hidden].min())
    choice = " (the cheapest possible choice)" if table.optimal else ""
    more = f", and {partners:,} more so that nobody can deduce these{choice}" if partners else ""
    return [
        head,
        f"{many(body.left_out, 'cell', 'cells')} left out: {small:,} small{more}",
        f"no small count can be narrowed down further than to a range {width:,.0f} wide",
    ]
