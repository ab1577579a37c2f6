"""The answer: a homogeneous partition, rings in its classes, better designs, a random matching."""

import numpy as np

from tacit.data.table import Table
from tacit.errors import CannotGuarantee
from tacit.guarantees.k_anonymity import KAnonymity
from tacit.methods.tables._freeform.design import Design, rings
from tacit.methods.tables._freeform.improve import improve, kind_of
from tacit.methods.tables._freeform.matching import draw_owners
from tacit.methods.tables._freeform.publish import recode
from tacit.methods.tables._local.paths import Paths, trace
from tacit.methods.tables._local.pieces import Pieces, whole
from tacit.methods.tables._local.publish import label_pieces
from tacit.methods.tables._local.search import search_pieces
from tacit.methods.tables._local.verdict import loss_of, read_classes, read_suppressed
from tacit.methods.tables.freeform import Freeform
from tacit.methods.tables.local import Local
from tacit.randomness.stream import RandomBits
from tacit.request import Answer, Request


def free_answer(table: Table, request: Request, params: Freeform, bits: RandomBits) -> Answer:
    """The recoding of least loss that was found; CannotGuarantee where the table has fewer than k rows."""
    k = max(int(guarantee.bound) for guarantee in request.guarantees)
    if table.number_of_rows < k:
        raise CannotGuarantee(f"the table has fewer than {k} rows, so nobody can have {k} candidates")
    paths = trace(table)
    design = designed(table, paths, (k, params), request)
    recoding = recode(table, paths, design, draw_owners(design.member, bits), (params.labels, bits))
    if read_classes(recoding).number > 1 and read_suppressed(table, recoding).any():
        # Rows with nothing but stars would be taken for suppressed ones, unless all are so.
        recoding = label_pieces(table, paths, whole(table), "nodes")
    return Answer(recoding, cost=loss_of(table, recoding))


def designed(table: Table, paths: Paths, how: tuple[int, Freeform], request: Request) -> Design:
    """The design of least loss that was found."""
    k, params = how
    sweeps = params.sweeps if params.labels == "nodes" else 0
    start = search_pieces(table, Request((KAnonymity(k=k),)), Local(sweeps=sweeps, seed=params.seed))
    pieces: Pieces = start[0] if start else whole(table)
    design = rings(pieces, k)
    request.progress(f"improving {design.member.shape[1]:,} labels in {params.turns} turns")
    prices, steps = kind_of(params.labels, table, paths)
    improve(design, prices, steps, params.turns, np.random.default_rng(params.seed))
    return design
