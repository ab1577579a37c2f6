"""Small-cell suppression: counts below a threshold are not published, nor others from which they could be deduced.

A small count can reveal who the people are. Leaving it out is not enough where totals are published: the rest of a row
gives it back. So partners are suppressed too, of least cost, until a reader can't tell any small count better than to
an interval that reaches `protection` above it, and below it as far or to the least that a suppressed cell can be. The
choice is a mixed-integer programme (Fischetti and Salazar 2001; tau-Argus and sdcTable solve the same): small cells one
by one, then superfluous partners given back, and, where the table is small enough, all at once, which is the optimum.
What a reader can deduce is computed afterwards by linear programmes of its own (`data/counts/intervals.py`), and
nothing is published that fails.

The reader is assumed to know all published cells and sums, that counts are whole, and that no suppressed cell is empty
unless `zeros` is set. Not covered: what follows from the choice of partners, people who are counted in a suppressed
cell, and other tables about the same people. docs/explanation/hidden-counts.md has the details.
"""

from typing import Annotated, Literal

import numpy as np
from pydantic import Field

from tacit.arrays import BoolArray
from tacit.cards.counts import CountsMethod, HiddenCounts
from tacit.data.counts.intervals import deduced
from tacit.data.counts.margins import Axis, Margins, counted, summed
from tacit.data.counts.suppressed import SuppressedTable
from tacit.errors import CannotGuarantee
from tacit.methods.counts._choice import CellChoice, SuppressionTask, choose

MOST_EXACT = 40_000
MOST_GIVEN_BACK = 2_000

__all__ = [
    "METHOD",
    "Axis",
    "Margins",
    "SmallCells",
    "SuppressedTable",
    "counted",
    "deduced",
    "summed",
    "suppress_small",
]


class SmallCells(HiddenCounts):
    """Which counts are small, how well they are protected, what partners cost."""

    cost: Annotated[
        Literal["people", "cells"],
        Field(description="what to minimise: the people in suppressed cells, or the suppressed cells"),
    ] = "people"
    seconds: Annotated[float, Field(gt=0, le=86_400, description="how long the search for the optimum may take")] = 10.0


def suppress_small(margins: Margins, params: SmallCells) -> SuppressedTable:
    """The table without its small counts and as few partners as were found to suffice; checked as a reader would."""
    counts = margins.counts
    primary = (counts > 0) & (counts < params.threshold)
    if primary.flat[-1]:
        raise CannotGuarantee(f"all counts together are below {params.threshold}, so nothing can be published")
    closed = np.zeros_like(primary) if params.zeros else counts == 0
    closed.flat[-1] = True
    cost = np.maximum(counts, 1).astype(np.float64) if params.cost == "people" else np.ones(counts.shape)
    chosen = _chosen(
        SuppressionTask(margins, margins.least(params.zeros), cost, closed, params.protection), primary, params
    )
    _require_protected(margins, primary, chosen.suppressed, params)
    return SuppressedTable(
        margins=margins,
        primary=primary,
        secondary=chosen.suppressed & ~primary,
        intervals=deduced(margins, chosen.suppressed, zeros=params.zeros),
        cost=float(cost[chosen.suppressed].sum()),
        bound=chosen.bound,
        optimal=chosen.optimal,
    )


def _chosen(task: SuppressionTask, primary: BoolArray, params: SmallCells) -> CellChoice:
    """The cheaper of the quick choice and, where the table is small enough, the exact one."""
    targets = np.flatnonzero(primary)
    least = float(task.cost[primary].sum())
    if not targets.size:
        return CellChoice(primary, 0.0, True)
    quick = _given_back(task, primary, _one_by_one(task, primary, params), params)
    paid = float(task.cost[quick].sum())
    if 2 * targets.size * int((~task.closed).sum()) > MOST_EXACT:
        return CellChoice(quick, least, paid <= least)
    exact = choose(task, targets, primary, params.seconds)
    if exact is None:
        return CellChoice(quick, least, paid <= least)
    better = float(task.cost[exact.suppressed].sum()) < paid
    return CellChoice(exact.suppressed if better else quick, max(exact.bound, least), exact.optimal)


def _one_by_one(task: SuppressionTask, primary: BoolArray, params: SmallCells) -> BoolArray:
    """Partners for each small cell in turn, the rarest first, with those of the others for nothing."""
    suppressed = primary.copy()
    counts = task.margins.counts.reshape(-1)
    for target in sorted(np.flatnonzero(primary).tolist(), key=lambda cell: int(counts[cell])):
        if _is_safe(task.margins, suppressed, _only(primary, target), params):
            continue
        found = choose(task, np.array([target]), suppressed, params.seconds)
        if found is None:
            raise CannotGuarantee(_unprotected(params))
        suppressed = found.suppressed
    return suppressed


def _unprotected(params: SmallCells) -> str:
    """Why nothing is published, and what may help."""
    known = "" if params.zeros else " (readers know that every suppressed count is at least 1)"
    return (
        f"no choice of cells was found within {params.seconds:g} seconds that keeps every small count uncertain by at "
        f"least {params.protection}{known}; join categories"
        + (", ask for less protection" if params.protection > 1 else "")
        + ("" if params.zeros else ", or let zeros be suppressed")
    )


def _given_back(task: SuppressionTask, primary: BoolArray, suppressed: BoolArray, params: SmallCells) -> BoolArray:
    """The suppressed cells without partners that are not needed, the dearest given back first."""
    partners = np.flatnonzero(suppressed & ~primary)
    if partners.size * int(primary.sum()) > MOST_GIVEN_BACK:
        return suppressed
    for cell in partners[np.argsort(-task.cost.reshape(-1)[partners], kind="stable")].tolist():
        fewer = suppressed & ~_only(suppressed, cell)
        if _is_safe(task.margins, fewer, primary, params):
            suppressed = fewer
    return suppressed


def _only(cells: BoolArray, cell: int) -> BoolArray:
    alone = np.zeros_like(cells)
    alone.flat[cell] = True
    return alone


def _is_safe(margins: Margins, suppressed: BoolArray, small: BoolArray, params: SmallCells) -> bool:
    """Whether a reader's interval of each of the small cells reaches far enough."""
    found = deduced(margins, suppressed, small, zeros=params.zeros)
    return found.protect(margins.counts, margins.least(params.zeros), params.protection)


def _require_protected(margins: Margins, primary: BoolArray, suppressed: BoolArray, params: SmallCells) -> None:
    if not _is_safe(margins, suppressed, primary, params):
        raise CannotGuarantee("a small count could still be deduced from the table, so nothing is published")


METHOD = CountsMethod(
    title="Small-cell suppression",
    params=SmallCells,
    run=suppress_small,
    needs="a table of counts with its totals",
    gives="the table without small counts and without those from which they could be deduced",
    paper="https://doi.org/10.1287/mnsc.47.7.1008.9805",
    example=SmallCells(),
)
