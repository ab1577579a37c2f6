"""Mondrian: multidimensional partitioning, each part cut by the column that pays best (LeFevre et al. 2006).

One part of all rows is cut again and again as long as every part keeps all guarantees. A cut replaces a part's common
ancestor in one column by its children; children too small to stand alone stay together under the ancestor's label
(`_partition/cuts.py`). Where the original takes the widest column, this one takes the cut that saves most of the
objective for each bit that it tells (`_partition/division.py`), and each class is published as the least ancestors
of its rows. With `labels: sets` the hierarchy is not needed for labels: parts are cut at thresholds and between values,
and published as intervals and sets.

Strict: all rows of a combination are published alike. Relaxed: a rest that is too small borrows rows of a frequent
combination, so that fewer rows are generalised; that needs k-anonymity alone and one row a person, since which rows of
a combination are dealt where is left to the engine.

For delta-presence everybody in the population must fit one class only, so every child must stand alone.
"""

from dataclasses import replace
from typing import Annotated, Literal

import numpy as np
from pydantic import Field

from tacit.cards.tables import TableMethod
from tacit.data.tables.table import Table
from tacit.errors import BadParameter
from tacit.methods.tables._partition.costs import LABEL_OBJECTIVES, costs_of
from tacit.methods.tables._partition.cuts import Rules
from tacit.methods.tables._partition.division import Way, divide
from tacit.methods.tables._partition.nodes import NodeProspects
from tacit.methods.tables._partition.partition import Ground, ground_of, people_only, start_of, wants_boxes
from tacit.methods.tables._partition.recoding import Style, by_nodes, by_sets, recoding_of
from tacit.methods.tables._partition.sets import SetProspects, line_of
from tacit.params import Params
from tacit.request import TableDecision, TableRequest, portion


class Mondrian(Params):
    """How parts are cut and labelled."""

    labels: Annotated[
        Literal["nodes", "sets"],
        Field(description="what is published: nodes of the hierarchies, or intervals and sets of values"),
    ] = "nodes"
    mode: Annotated[
        Literal["strict", "relaxed"],
        Field(description="strict: a combination is never split; relaxed: its rows may go to several classes"),
    ] = "strict"


def partition(table: Table, request: TableRequest, params: Mondrian) -> TableDecision:
    """The table divided into classes that all keep the guarantees; CannotGuarantee where the whole does not."""
    if params.mode == "relaxed":
        require_dealable(table, request)
    ground = ground_of(table, request.guarantees)
    start = start_of(ground, request)
    style = style_of(ground, request, params)
    # Dropping rows does not always pay, so what comes out without is tried too.
    spares = (0, start.spare) if start.spare else (0,)
    asked = [replace(request, progress=portion(request.progress, number, len(spares))) for number in range(len(spares))]
    ways = [_way(style, one, params, spare) for one, spare in zip(asked, spares, strict=True)]
    divisions = [divide(ground, way, start) for way in ways]
    costs = [style.cost(division) for division in divisions]
    best = int(np.argmin(costs))
    told = request.objective == "loss" or (params.labels == "nodes" and request.objective in LABEL_OBJECTIVES)
    cost = costs[best] / max(table.number_of_rows, 1) if told else None
    return TableDecision(recoding_of(ground, divisions[best], style.labeller), cost=cost)


def _way(style: Style, request: TableRequest, params: Mondrian, spare: int) -> Way:
    people = [int(guarantee.bound) for guarantee in request.guarantees if params.mode == "relaxed"]
    rules = Rules(request.guarantees, wants_boxes(request.guarantees), spare > 0, max(people, default=0))
    return Way(style.prospects, rules, style.gone, spare, request.progress)


def style_of(ground: Ground, request: TableRequest, params: Mondrian) -> Style:
    """What parts cost and how they are labelled."""
    if params.labels == "nodes":
        costs = costs_of(ground.table, request.objective)
        return Style(lambda members: NodeProspects(ground, costs, members), by_nodes, costs.mean_gone(ground.table))
    lines = tuple(line_of(ground.table, column) for column in range(len(ground.table.hierarchies)))
    return Style(
        lambda members: SetProspects(ground, lines, members), by_sets(lines), float(ground.table.weights.sum())
    )


def require_dealable(table: Table, request: TableRequest) -> None:
    """Only numbers of rows matter to the guarantees, so it is no matter which rows of a combination go where."""
    others = [guarantee.name for guarantee in request.guarantees if not people_only((guarantee,))]
    if others:
        raise BadParameter(
            "relaxed mode deals rows of one combination out to several classes and can promise only numbers of people, "
            f"not {', '.join(others)}; take mode: strict"
        )
    if not table.tally.one_row_each:
        raise BadParameter(
            "relaxed mode deals rows of one combination out to several classes and can't count people who have "
            "several rows; take mode: strict"
        )


METHOD = TableMethod(
    title="Mondrian partitioning",
    params=Mondrian,
    run=partition,
    needs="a hierarchy for each quasi-identifier",
    gives="a local recoding with little loss, fast even with millions of combinations",
    guarantees="any",
    paper="https://doi.org/10.1109/ICDE.2006.101",
    example=Mondrian(),
    turn=2,
)
