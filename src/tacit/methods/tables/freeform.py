"""Freeform generalisation: every published row covers k people and every person is covered by k rows, without classes.

Rows overlap (Wong, Mamoulis and Cheung 2010; Xue, Karras, Raïssi and others 2012; Doka, Xue, Tsoumakos and Karras
2015): people and rows form a regular graph of degree k, made of k perfect matchings that share no edge. One that is
drawn at random is the truth, so everybody has k candidates which are equally likely even for whoever knows everybody's
quasi-identifiers, this code and the graph. Only k-concealment can be promised, which is weaker than k-anonymity.

A partition is found as tables/local finds one, its classes become rings (`design`), and one slot of the k after another
is assigned anew at the least loss (`improve`). Rows of people who have several are matched in sheets of different
people (`_freeform/sheets.py`); what no sheet takes is published in classes of at least k people.

Assumptions: the release does not say which rows are one person's; no column has limits of levels; there is no
population. Rows keep the order of the input: let them be shuffled (`shuffle: true`) where somebody may know that order.
No optimum is claimed. Arguments and limits are in docs/explanation/freeform-generalisation.md.
"""

from tacit.cards.tables import TableMethod
from tacit.data.tables.table import Table
from tacit.errors import BadParameter
from tacit.guarantees.guarantee import CandidateGuarantee
from tacit.methods.tables._compiled import FIRST_RUN, compiling, require_fitting, require_loss
from tacit.methods.tables._freeform.params import Freeform as Freeform
from tacit.randomness.stream import RandomBits
from tacit.request import TableDecision, TableRequest

NAME = "tables/freeform"


def generalise_freely(
    table: Table, request: TableRequest, params: Freeform, bits: RandomBits | None = None
) -> TableDecision:
    """The recoding of least loss that the search finds, its matching drawn from `bits` or the operating system."""
    require_loss(NAME, request)
    require_concealment_alone(request)
    require_no_population(table)
    require_fitting(NAME, table)
    with compiling(NAME):
        from tacit.methods.tables._freeform.answer import free_answer
    request.progress(FIRST_RUN)
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
    needs="a hierarchy for each quasi-identifier",
    gives="less loss than any of these methods with classes, under k-concealment, which is weaker than k-anonymity",
    guarantees=("candidates",),
    paper="https://doi.org/10.1109/ICDE.2008.4497483",
    example=Freeform(),
)
