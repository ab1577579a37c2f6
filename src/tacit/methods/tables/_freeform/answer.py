"""The answer: a homogeneous partition, rings in its classes, better designs, a random matching."""

from dataclasses import replace

import numpy as np

from tacit.data.tables.recoding import Recoding
from tacit.data.tables.table import Table
from tacit.errors import CannotGuarantee
from tacit.guarantees.guarantee import CandidateGuarantee
from tacit.methods.tables._freeform.design import Design, rings
from tacit.methods.tables._freeform.improve import improve, kind_of
from tacit.methods.tables._freeform.layers import in_layers
from tacit.methods.tables._freeform.matching import draw_owners
from tacit.methods.tables._freeform.params import Freeform
from tacit.methods.tables._freeform.publish import beside, recode
from tacit.methods.tables._freeform.sheets import Start, in_sheets
from tacit.methods.tables._local.params import Local
from tacit.methods.tables._local.paths import Paths, trace
from tacit.methods.tables._local.pieces import Pieces, whole
from tacit.methods.tables._local.publish import label_pieces
from tacit.methods.tables._local.search import search_pieces
from tacit.methods.tables._local.verdict import loss_of, read_classes, read_suppressed
from tacit.randomness.stream import RandomBits
from tacit.request import TableDecision, TableRequest
from tacit.spelling import many


def free_answer(table: Table, request: TableRequest, params: Freeform, bits: RandomBits) -> TableDecision:
    """The recoding of least loss that was found; CannotGuarantee where the table has fewer than k people."""
    promised = [guarantee for guarantee in request.guarantees if isinstance(guarantee, CandidateGuarantee)]
    strongest = max(promised, key=lambda guarantee: guarantee.least)
    k = strongest.least
    everybody = table.tally.people.merged(np.zeros(table.tally.combinations, dtype=np.int64), 1)
    if everybody.counts()[0] < k:
        raise CannotGuarantee(f"the table has fewer than {k} people, so nobody can have {k} candidates")
    paths = trace(table)
    found = []
    for start in starts(table, strongest, params):
        design = designed(table, paths, (start, k), params, request)
        recoding = published(table, paths, (start, design), params, bits)
        if read_classes(recoding).number > 1 and read_suppressed(table, recoding).any():
            # Rows with nothing but stars would be taken for suppressed ones, unless all are so.
            recoding = label_pieces(table, paths, whole(table), "nodes")
        found.append(TableDecision(recoding, cost=loss_of(table, recoding)))
    # What a design loses does not depend on who is drawn, so the choice between two tells nothing of it.
    return min(found, key=lambda answer: np.inf if answer.cost is None else answer.cost)


def starts(table: Table, guarantee: CandidateGuarantee, params: Freeform) -> list[Start]:
    """Classes of at least k people, those of different people in sheets.

    Where somebody has several rows and labels are sets, which are narrow also in thin sheets, in both ways.
    """
    sweeps = params.sweeps if params.labels == "nodes" else 0

    def find(part: Table) -> Pieces:
        found = search_pieces(part, TableRequest((guarantee.in_classes(),)), Local(sweeps=sweeps, seed=params.seed))
        return found[0] if found else whole(part)

    first = in_sheets(find(table), table.tally)
    both = params.labels == "sets" and not table.tally.one_row_each
    return [first, in_layers(table, guarantee.least, find)] if both else [first]


def designed(table: Table, paths: Paths, begun: tuple[Start, int], params: Freeform, request: TableRequest) -> Design:
    """The design of least loss that was found; members are exchanged inside sheets only."""
    start, k = begun
    design = rings(start.free, k)
    request.progress(f"improving {many(design.member.shape[1], 'label')} in {many(params.turns, 'turn')}")
    prices, steps = kind_of(params.labels, table, paths)
    generator = np.random.default_rng(params.seed)
    sheet = start.of_rows
    for number in range(start.sheets):
        own = replace(design, moving=design.moving & (sheet == number))
        improve(own, prices, steps, params.turns, generator)
    return design


def published(table: Table, paths: Paths, found: tuple[Start, Design], params: Freeform, bits: RandomBits) -> Recoding:
    """The labels of the design, each for an owner that is drawn, beside the classes that stay as they are."""
    start, design = found
    settled = label_pieces(table, paths, start.settled, params.labels) if start.settled.rows.size else None
    if settled is not None and not design.combination.size:
        return settled
    drawn = recode(table, paths, design, draw_owners(design.member, bits), (params.labels, bits))
    return drawn if settled is None else beside(drawn, settled)
