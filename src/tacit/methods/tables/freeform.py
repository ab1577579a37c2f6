"""Freeform generalisation: every published row covers k people and every person is covered by k rows, without classes.

Homogeneous methods publish k people with one and the same row. Here rows overlap (Wong, Mamoulis and Cheung 2010; Xue,
Karras, Raïssi and others 2012; Doka, Xue, Tsoumakos and Karras 2015): the people that rows cover form a regular graph
of degree k, which is made of k perfect matchings that share no edge. One that is drawn at random is the truth, so that
everybody has k candidates which are equally likely even for whoever knows everybody's quasi-identifiers, this code and
the whole graph. That is more than k-concealment asks, and less than k-anonymity gives: rows are not alike, whoever
knows the true rows of others may strike out candidates, and no promise about the sensitive values of a class can be
kept where there are no classes. Only k-concealment can be promised.

A homogeneous partition is found as tables/local finds one, its classes become rings (`design`), and one slot of the k
after another is assigned anew at the least loss (`improve`). What can be won depends on the labels. Let a person be in
a region (a node or set in each column) by the k-th part for each label there that covers the person: homogeneous
classes are the whole-numbered solutions of a linear programme over regions, and freeform ones its solutions in k-ths.
For nodes of hierarchies there is little between: on Adult with nine columns and k = 5 the defaults lose 0.0489, 1 %
less than tables/local, and linear programmes over parts of that table suggest that nothing loses less than 0.0455. For
sets of values, where windows overlap and the search here prices the sets themselves, they lose 0.0116, 40 % less than
tables/local.

Assumptions: one row a person; no column has limits of levels. Rows keep the order of the input, as with every method:
let them be shuffled (`shuffle: true`) where somebody may know that order. No optimum is claimed.
"""

from importlib.util import find_spec
from typing import Annotated

import numpy as np
from pydantic import Field

from tacit.card import Method
from tacit.data.table import Table
from tacit.errors import BadParameter, CannotGuarantee, MissingExtra
from tacit.methods.tables.local import LARGEST_KEY, MOST_LEVELS, Labels
from tacit.params import Params
from tacit.randomness.stream import RandomBits
from tacit.request import Answer, Request


class Freeform(Params):
    """How long to search, and what is published."""

    turns: Annotated[int, Field(ge=0, le=10_000, description="how often a slot of all rows is assigned anew")] = 40
    sweeps: Annotated[
        int, Field(ge=0, le=10_000, description="of tables/local, before; not used where labels are sets")
    ] = 10
    seed: Annotated[
        int, Field(ge=0, lt=2**32, description="where the random choices of the search begin; not those of the release")
    ] = 0
    labels: Annotated[
        Labels, Field(description="what is published: nodes of the hierarchies, or sets of the values that are covered")
    ] = "nodes"


def generalise_freely(table: Table, request: Request, params: Freeform, bits: RandomBits | None = None) -> Answer:
    """The recoding of least loss that the search finds, its matching drawn from `bits` or the operating system."""
    require_loss(request)
    require_plain(table)
    require_fitting(table)
    if find_spec("numba") is None:
        raise MissingExtra("numba", "fast", "tables/freeform")
    try:
        from tacit.methods.tables._freeform.answer import free_answer
    except RuntimeError as error:
        # What numba says when it finds no folder for what it compiles.
        raise BadParameter(
            "tables/freeform compiles its search and found no folder that it may write to; set NUMBA_CACHE_DIR to one, "
            "or take tables/mondrian"
        ) from error
    request.progress("starting the compiled search; the first time it is compiled, which takes a while")
    return free_answer(table, request, params, RandomBits.from_os() if bits is None else bits)


def require_loss(request: Request) -> None:
    """The objective is one that the search knows, the promise one that it can keep."""
    if request.objective != "loss":
        raise BadParameter(
            f"tables/freeform searches for little loss and knows no {request.objective}; take objective: loss, or "
            "tables/mondrian, which knows all objectives"
        )
    strange = [guarantee.name for guarantee in request.guarantees if guarantee.name != "k-concealment"]
    if strange or not request.guarantees:
        raise BadParameter(
            f"tables/freeform publishes no classes, so it can promise k-concealment only (found "
            f"{', '.join(strange) or 'nothing'}); take tables/local or tables/mondrian"
        )


def require_plain(table: Table) -> None:
    """Each row is a person, and there is no population to compare with."""
    if table.tally.population is not None:
        raise BadParameter("tables/freeform can't compare with a population; take tables/mondrian or tables/lattice")
    people = table.tally.people
    if people.spread_key.size or not np.array_equal(people.settled, table.tally.rows):
        raise BadParameter(
            "tables/freeform counts rows and can't count people who have several; take tables/mondrian, which counts "
            "them"
        )


def require_fitting(table: Table) -> None:
    """The table has the form and the size that the compiled search can take."""
    heights = tuple(hierarchy.height for hierarchy in table.hierarchies)
    combinations = table.tally.combinations
    if not table.number_of_rows:
        raise CannotGuarantee("the table has no rows, so there is nobody to protect")
    if any(table.least) or table.most != heights:
        raise BadParameter(
            "tables/freeform chooses levels row by row and keeps no minimum or maximum level; leave them out, or take "
            "tables/mondrian or tables/lattice, which keep them"
        )
    if not heights or max(heights) > MOST_LEVELS or combinations * (table.number_of_rows + 1) >= LARGEST_KEY:
        raise BadParameter(
            f"tables/freeform needs a column, at most {MOST_LEVELS} levels above the leaves and keys of at most 62 "
            f"bits; found {len(heights)} columns, {max(heights, default=0)} levels, {combinations:,} combinations; "
            "take tables/mondrian"
        )


METHOD = Method(
    title="Freeform generalisation",
    params=Freeform,
    run=generalise_freely,
    needs="a hierarchy for each quasi-identifier, one row a person, and the package numba",
    gives="less loss than any classes found here, under k-concealment, which is weaker than k-anonymity",
    guarantees=("k-concealment",),
    paper="https://doi.org/10.1109/ICDE.2008.4497483",
    example=Freeform(),
)
