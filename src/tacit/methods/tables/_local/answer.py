"""The answer: the cheapest result of the search and of simpler methods, checked once more.

The search knows people and distinct values; other guarantees are kept by merging, which may cost more than a method
that looks at them from the beginning. So Mondrian's classes compete and, where the lattice is small enough to be
searched to its end, those of the best full-domain generalisation; and for promises about how secrets are distributed
the best of all these, or classes dealt for them, are refined by exchange. All are published in the same way, with
labels no more general than their members need, so the answer loses no more than any of these methods without
suppression.
"""

import math
from typing import Literal

from tacit.data.tables.table import Table
from tacit.errors import CannotGuarantee
from tacit.methods.tables._local.exchange.annealing import exchanged
from tacit.methods.tables._local.params import MOST_NODES, Local, may_split
from tacit.methods.tables._local.paths import trace
from tacit.methods.tables._local.pieces import Pieces, pieces_in, whole
from tacit.methods.tables._local.publish import label_pieces
from tacit.methods.tables._local.search import search_pieces
from tacit.methods.tables._local.verdict import kept, loss_of
from tacit.methods.tables._partition.partition import ground_of, start_of
from tacit.methods.tables.lattice import Lattice, search_lattice
from tacit.methods.tables.mondrian import Mondrian, partition
from tacit.request import TableDecision, TableRequest

NO_HURRY = 1e9
"""Seconds: a search that time cuts short would not come out alike twice."""


def best_answer(table: Table, request: TableRequest, params: Local) -> TableDecision:
    """The cheapest candidate that keeps the guarantees; CannotGuarantee where none does."""
    simpler = [*search_pieces(table, request, params), *rivals(table, request)]
    refined = exchanged(table, request, simpler, params)
    found = keeping_answers(table, request, [*refined, *simpler, whole(table)], params)
    if not found:
        found = keeping_answers(table, request, resorts(table, request), params)
    if not found:
        start_of(ground_of(table, request.guarantees), request)
        raise CannotGuarantee("no recoding was found that keeps all guarantees; allow more rows to be suppressed")
    return min(found, key=lambda answer: math.inf if answer.cost is None else answer.cost)


def keeping_answers(
    table: Table, request: TableRequest, candidates: list[Pieces], params: Local
) -> list[TableDecision]:
    """The candidates that keep all guarantees within the limit of suppression, each with its loss."""
    paths = trace(table)
    found = []
    for pieces in candidates:
        recoding = kept(table, request, label_pieces(table, paths, pieces, params.labels))
        if recoding is not None:
            found.append(TableDecision(recoding, cost=loss_of(table, recoding)))
    return found


def rivals(table: Table, request: TableRequest) -> list[Pieces]:
    """The classes of Mondrian (relaxed where rows may be split) and of the best full-domain generalisation."""
    request.progress("comparing with simpler methods")
    mode: Literal["strict", "relaxed"] = "relaxed" if may_split(table, request.guarantees) else "strict"
    strict = TableRequest(request.guarantees)
    try:
        found = [pieces_in(partition(table, strict, Mondrian(mode=mode)).recoding)]
    except CannotGuarantee:
        return []
    return [*found, *full_domain(table, strict)]


def resorts(table: Table, request: TableRequest) -> list[Pieces]:
    """Where the whole table as one class fails: the full-domain optimum that suppresses what stands in the way."""
    return full_domain(table, request) if request.suppression > 0 else []


def full_domain(table: Table, request: TableRequest) -> list[Pieces]:
    """The classes of the best full-domain generalisation, where there are few enough and one keeps the guarantees."""
    if math.prod(hierarchy.height + 1 for hierarchy in table.hierarchies) > MOST_NODES:
        return []
    try:
        return [pieces_in(search_lattice(table, request, Lattice(seconds=NO_HURRY)).recoding)]
    except CannotGuarantee:
        return []
