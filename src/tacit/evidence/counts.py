"""The report and the lines of a table of counts."""

import numpy as np

from tacit.evidence.numerals import count, listed
from tacit.evidence.page import BodyPage
from tacit.evidence.reading import KeyFigure
from tacit.methods.counts.suppression import Suppressed
from tacit.release.counts import CountsBody, CountsRelease


def counts_page(release: CountsRelease) -> BodyPage:
    """What the report shows of a table of counts."""
    body = release.body
    return BodyPage(
        about=f"{count(body.total)} {body.counted} were counted by {listed(list(body.by))}.",
        cards=(
            KeyFigure("Counted", count(body.total), body.counted),
            KeyFigure("Cells", count(body.cells), f"by {listed(list(body.by))}, totals among them"),
            KeyFigure("Left out", count(body.left_out), "cells that are small, or would tell a small one"),
        ),
    )


def counts_lines(body: CountsBody, table: Suppressed) -> list[str]:
    """The outcome in a few lines, for whoever may see the raw data."""
    small, partners = int(table.primary.sum()), int(table.secondary.sum())
    head = f"{body.total:,} {body.counted} in {body.cells:,} cells by {', '.join(body.by)}, totals among them"
    if not small:
        return [head, "no count is small, so none is left out"]
    hidden = np.isin(table.intervals.cells, np.flatnonzero(table.primary))
    width = float((table.intervals.upper - table.intervals.lower)[hidden].min())
    choice = " (the cheapest choice there is)" if table.optimal and partners else ""
    return [
        head,
        f"{body.left_out:,} cells left out: {small:,} small, {partners:,} so that these can't be deduced{choice}",
        f"a reader can tell no small count better than to an interval {width:,.0f} wide",
    ]
