"""Optimal full-domain generalisation: one level for each column; classes that still fail are suppressed.

All nodes of the generalisation lattice (Samarati 2001) with at most the allowed share of suppressed rows compete for
the least value of the objective. The search is branch and bound over boxes of nodes (`_boxes.py`), exact when it ends
by itself; after `seconds` it returns the best node so far and a lower bound for all others.

A class that fails a guarantee is suppressed whole; suppressed rows form no class. The distribution that t-closeness,
beta-likeness and delta-disclosure compare with is the input's, so suppressing rows does not move it.
"""

import math
from typing import Annotated

import numpy as np
from pydantic import Field

from tacit.arrays import BoolArray
from tacit.cards.tables import TableMethod
from tacit.cards.timed import TimedParams
from tacit.data.tables.classes import classes_of
from tacit.data.tables.grouping import group_by, pack
from tacit.data.tables.recoding import Recoding
from tacit.data.tables.table import Table
from tacit.errors import CannotGuarantee
from tacit.methods.tables._boxes import BranchAndBound, SearchTask
from tacit.methods.tables._nodes import Node, roll_up
from tacit.methods.tables._verdict import allowing, judge, reach_of
from tacit.request import TableDecision, TableRequest
from tacit.spelling import many, percent


class Lattice(TimedParams):
    """How long the exact search may take."""

    seconds: Annotated[
        float, Field(gt=0, description="the search stops after this time with the best result so far")
    ] = 60.0
    persist: Annotated[
        bool, Field(description="search until the time is up, even if no proof of the optimum is in sight")
    ] = False


def search_lattice(table: Table, request: TableRequest, params: Lattice) -> TableDecision:
    """The optimal node as a recoding; CannotGuarantee with the best reachable value where none is feasible."""

    def tell(evaluated: int, best: float, bound: float) -> None:
        # How many candidates a proof takes nobody knows, so no share is told.
        tried = f"{many(evaluated, 'candidate')} tried, for at most {params.seconds:g} s"
        request.progress(f"{_reached(request.objective, best, bound)}, {tried}")

    rows = table.number_of_rows
    spare = np.floor(request.suppression * rows + 1e-9)
    task = SearchTask(request.guarantees, spare, request.objective, params.seconds, params.persist, tell)
    search = BranchAndBound(table, task)
    found = search.run(table.least, table.most)
    if found.node is None:
        raise CannotGuarantee(_best_reachable(table, request))
    suppressed = judge(request.guarantees, search.tables.at(found.node)).suppressed
    recoding = _recoding(table, found.node, suppressed)
    if recoding.suppressed.all():
        raise CannotGuarantee(_best_reachable(table, request))
    return TableDecision(recoding, found.node, found.cost, found.optimal, found.bound, found.nodes, found.evaluated)


def _reached(objective: str, best: float, bound: float) -> str:
    """The best value so far, and that no candidate has less than the other."""
    if math.isinf(best):
        return "nothing found yet"
    written = [percent(value) if objective == "loss" else f"{value:.4g}" for value in (best, bound)]
    return f"{objective} {written[0]}, at best {written[1]}"


def _recoding(table: Table, node: Node, suppressed: BoolArray) -> Recoding:
    """Every combination with its labels at `node`; `suppressed` has an entry for each class of the node."""
    hierarchies = table.hierarchies
    codes = np.array(
        [h.codes[level][leaves] for h, level, leaves in zip(hierarchies, node, table.leaves, strict=True)],
        dtype=np.int32,
    ).reshape(len(node), table.tally.combinations)
    sizes = [len(h.labels[level]) for h, level in zip(hierarchies, node, strict=True)]
    keys = pack(list(codes), sizes, table.tally.combinations)
    return Recoding(
        columns=table.tally.columns,
        labels=tuple(h.labels[level] for h, level in zip(hierarchies, node, strict=True)),
        leaves=tuple(h.leaves_under(level) for h, level in zip(hierarchies, node, strict=True)),
        codes=codes,
        combination=np.arange(table.tally.combinations, dtype=np.int64),
        rows=table.tally.rows,
        suppressed=suppressed[group_by(keys.key, keys.span).group],
    )


def _best_reachable(table: Table, request: TableRequest) -> str:
    """Why it can't be done: what each guarantee reaches when every column is generalised as far as allowed."""
    bottom = BranchAndBound(table, SearchTask((), 0, "loss", 0)).tables.bottom
    classes = classes_of(roll_up(table, bottom, table.most))
    lines = [reach_of(guarantee, guarantee.worst(guarantee.measure(classes))) for guarantee in request.guarantees]
    return (
        f"no generalisation keeps all guarantees {allowing(request.suppression)}. "
        "With every column as general as allowed: " + "; ".join(lines)
    )


METHOD = TableMethod(
    title="Optimal full-domain generalisation",
    params=Lattice,
    run=search_lattice,
    needs="a hierarchy for each quasi-identifier",
    gives="the release with the least loss of all that generalise each column to one level",
    guarantees="any",
    paper="https://doi.org/10.1109/69.971193",
    example=Lattice(),
    turn=1,
)
