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
For nodes of hierarchies the two lie close together. For sets of values, where windows overlap and the search here
prices the sets themselves, freeform rows lose far less than tables/local (figures: docs/benchmarks.md).

People may have several rows. Then rows are matched in *sheets* (`_freeform/sheets.py`): sets of rows which are all of
different people, whoever owns which row of a combination. What holds then, for an adversary who knows all rows of
everybody, this code and every sheet: a row that is published in a sheet is anybody's with chance 1/k at most; k people
may own it; the k rows that may be a given row of a person belong to k people; a person's rows are in different sheets,
and one that is found tells nothing about how another sheet was matched, for each is drawn apart. What no sheet takes is
published in classes of at least k people, as tables/local makes them: there k people may own each row, and whoever has
many rows in a class owns many of the class, as with k-anonymity. Both together keep k-concealment in people
(`guarantees/k_concealment.py`). The classes of tables/local come first, and those of different people share sheets;
where labels are sets the rows are also dealt out to sheets first, which wins where a person's rows are alike.

Assumptions: the release does not say which rows are one person's (a plan that publishes a pseudonym of its unit is
refused); no column has limits of levels; there is no population, since k-concealment knows none. Rows keep the order of
the input, as with every method: let them be shuffled (`shuffle: true`) where somebody may know that order. No optimum
is claimed.
"""

from typing import Annotated

from pydantic import Field

from tacit.cards.tables import TableMethod
from tacit.data.tables.table import Table
from tacit.errors import BadParameter
from tacit.guarantees.guarantee import CandidateGuarantee
from tacit.methods.tables._compiled import compiling, require_fitting, require_loss
from tacit.methods.tables.local import Labels
from tacit.params import Params
from tacit.randomness.stream import RandomBits
from tacit.request import TableDecision, TableRequest

NAME = "tables/freeform"


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


def generalise_freely(
    table: Table, request: TableRequest, params: Freeform, bits: RandomBits | None = None
) -> TableDecision:
    """The recoding of least loss that the search finds, its matching drawn from `bits` or the operating system."""
    require_loss(NAME, request)
    require_concealment_alone(request)
    require_no_population(table)
    require_fitting(NAME, table)
    with compiling(NAME, request):
        from tacit.methods.tables._freeform.answer import free_answer
    return free_answer(table, request, params, RandomBits.from_os() if bits is None else bits)


def require_concealment_alone(request: TableRequest) -> None:
    """The promise is the one that it can keep."""
    strange = [guarantee.name for guarantee in request.guarantees if not isinstance(guarantee, CandidateGuarantee)]
    if strange or not request.guarantees:
        raise BadParameter(
            f"tables/freeform publishes no classes, so it can promise k-concealment only (found "
            f"{', '.join(strange) or 'nothing'}); take tables/local or tables/mondrian"
        )


def require_no_population(table: Table) -> None:
    """There is nobody but the people of the table to be taken for."""
    if table.tally.population is not None:
        raise BadParameter(
            "tables/freeform promises k-concealment, which counts the people of the table who may own a published row "
            "and knows no population; leave the population out, or promise k-map with tables/mondrian or tables/lattice"
        )


METHOD = TableMethod(
    title="Freeform generalisation",
    params=Freeform,
    run=generalise_freely,
    needs="a hierarchy for each quasi-identifier, and the package numba",
    gives="less loss than any classes found here, under k-concealment, which is weaker than k-anonymity",
    guarantees=("candidates",),
    paper="https://doi.org/10.1109/ICDE.2008.4497483",
    example=Freeform(),
)
