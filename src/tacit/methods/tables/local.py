"""Local recoding: every class has its own labels, and rows are grouped so that these lose little.

The least loss under k-anonymity is facility location with lower bounds, which is NP-hard (Meyerson and Williams 2004).
So this searches: lattice nodes in order of loss freeze whatever suffices for a class (`freeze`), then a large
neighbourhood search (Shaw 1998) dissolves near classes, at most 64 units at a time, and keeps the best of many covers
that it tries for them (`sweep`, `walk`, `regions`, `cover`). For promises about how sensitive values are distributed
classes are also dealt in the input's proportions and refined by exchange (`exchange`).

For k-anonymity alone with one row a person rows are the units; otherwise combinations are, and people are counted once
in a class (`crowd`). For k-map a class takes in combinations that only the population has (`bystanders`). Classes that
fail a guarantee which the compiled search does not know are merged (`repair`). The classes of Mondrian and of the
full-domain optimum compete, and what is published was judged once more by all guarantees. No optimum and no bound is
claimed, and no promise rests on the chance that guides the search. More: docs/explanation/how-the-search-works.md.
"""

import math
from contextlib import suppress

from tacit.cards.tables import TableMethod
from tacit.data.tables.table import Table
from tacit.errors import BadParameter
from tacit.methods.tables._compiled import FIRST_RUN, STARTING, compiling, require_fitting, require_loss
from tacit.methods.tables._local.params import CHAINS, MOST_NODES
from tacit.methods.tables._local.params import Local as Local
from tacit.methods.tables._partition.partition import require_of_classes
from tacit.request import TableDecision, TableRequest

NAME = "tables/local"
MOST_MERGED = 100_000
WALKING, MERGING = 1.4e-9, 250.0
"""Seconds for a cell at a node; and for merging as many combinations as there may be."""


def recode_locally(table: Table, request: TableRequest, params: Local) -> TableDecision:
    """The recoding of least loss that the search finds; CannotGuarantee where none keeps the guarantees."""
    require_loss(NAME, request)
    require_of_classes(NAME, request)
    require_fitting(NAME, table)
    require_mergeable(table, request)
    with compiling(NAME):
        from tacit.methods.tables._local.ahead import await_first, is_all_compiled
        from tacit.methods.tables._local.answer import best_answer

    request.progress(STARTING if is_all_compiled() else FIRST_RUN)
    await_first()
    return best_answer(table, request, params)


def begin_early() -> None:
    """The compilers run while the table is read and counted."""
    # A folder that can't be written is told when the search is asked for.
    with suppress(RuntimeError):
        from tacit.methods.tables._local.ahead import begin_compiling

        begin_compiling()


def require_mergeable(table: Table, request: TableRequest) -> None:
    """There are few enough combinations to mend classes that fail by merging."""
    combinations = table.tally.combinations
    if merges(request) and combinations > MOST_MERGED:
        raise BadParameter(
            f"{NAME} compares every failing class with every other, which takes too long for {combinations:,} "
            f"combinations (at most {MOST_MERGED:,}) unless only numbers of people are promised; take tables/mondrian"
        )


def merges(request: TableRequest) -> bool:
    """Whether classes that fail are merged, since more than numbers of people is promised."""
    limits = [guarantee.limits() for guarantee in request.guarantees]
    return not all(one is not None and one.counts_heads for one in limits)


def expected(table: Table, request: TableRequest) -> float:
    """About how many seconds go by outside of sweeps and exchange, which can be stopped: on one core of 2026.

    Every node of the lattice that is walked looks at every cell; merging grows with the square of the combinations.
    """
    combinations, heights = table.tally.combinations, [hierarchy.height for hierarchy in table.hierarchies]
    whole = math.prod(height + 1 for height in heights)
    nodes = whole if whole <= MOST_NODES else CHAINS * sum(heights)
    merging = MERGING * (combinations / MOST_MERGED) ** 2 if merges(request) else 0.0
    return WALKING * nodes * combinations * len(heights) + merging


METHOD = TableMethod(
    title="Local recoding",
    params=Local,
    run=recode_locally,
    needs="a hierarchy for each quasi-identifier",
    gives="the local recoding with the least loss among these methods, at the price of a longer search",
    guarantees=("class",),
    paper="https://doi.org/10.1145/1055558.1055591",
    example=Local(),
    turn=3,
    expected=expected,
    begin_early=begin_early,
)
