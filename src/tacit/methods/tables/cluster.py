"""Clustering: classes grow around frequent combinations by the nearest ones (k-member; Byun et al. 2007).

A combination that keeps all guarantees alone is a class. Of the others the most frequent one begins a class, which
takes what raises its cost least until it keeps the guarantees; then the next begins. What is left at the end joins the
class that it costs least, or is suppressed where that is allowed and cheaper. Where the paper begins with the row that
is furthest away, this begins with the most frequent combination: dense places yield tight classes, and what is rare is
put where it disturbs least. People with rows in several combinations are counted once in a class.

Every row is compared with every class, so the work grows with the square of the number of combinations.
"""

from dataclasses import dataclass

import numpy as np

from tacit.arrays import BoolArray, IntArray
from tacit.cards.tables import TableMethod
from tacit.data.tables.table import Table
from tacit.errors import BadParameter
from tacit.methods.tables._partition.costs import LABEL_OBJECTIVES, costs_of
from tacit.methods.tables._partition.division import SUPPRESSED, Division
from tacit.methods.tables._partition.growth import GrowingClass, Nursery, nearest
from tacit.methods.tables._partition.partition import Ground, ground_of, keeping, require_of_classes, start_of
from tacit.methods.tables._partition.placing import Placing
from tacit.methods.tables._partition.recoding import by_nodes, recoding_of
from tacit.params import Params
from tacit.request import TableDecision, TableRequest
from tacit.spelling import many

MOST_COMBINATIONS = 50_000
SQUEEZED = 1.1


class Cluster(Params):
    """No parameters."""


@dataclass(eq=False)
class Pool:
    """The atoms that belong to no class yet, the most frequent first, with their leaves packed for comparison."""

    atom: IntArray
    leaves: list[IntArray]
    rows: IntArray
    free: BoolArray

    @classmethod
    def of(cls, nursery: Nursery, atoms: IntArray) -> "Pool":
        """The pool of some atoms."""
        rows = nursery.ground.tally.rows
        atoms = atoms[np.argsort(-rows[atoms], kind="stable")]
        packed = nursery.packed(nursery.ground.leaves[:, atoms])
        return cls(atoms, packed, rows[atoms], np.ones(atoms.size, dtype=np.bool_))

    def squeezed(self) -> "Pool":
        """The same pool without the atoms that are taken, once they are many."""
        kept = self.free
        if SQUEEZED * int(kept.sum()) > kept.size:
            return self
        return Pool(self.atom[kept], [leaves[kept] for leaves in self.leaves], self.rows[kept], kept[kept])


def cluster(table: Table, request: TableRequest, params: Cluster) -> TableDecision:
    """The table in classes of near combinations that keep the guarantees."""
    require_of_classes("tables/cluster", request)
    ground = ground_of(table, request.guarantees)
    start = start_of(ground, request)
    costs = costs_of(table, request.objective)
    nursery, gone = Nursery(ground, costs), costs.mean_gone(table)
    alone = keeping(ground.guarantees, ground.tally) & (ground.tally.rows > 0)
    require_small(int((~alone).sum()))
    made: list[GrowingClass] = []
    spare = start.spare
    for part in np.flatnonzero(~start.failing):
        members = np.flatnonzero(start.part == part)
        here = Placing(nursery, gone, spare)
        here.made += [nursery.seed(atom) for atom in members[alone[members]].tolist()]
        here.place(grow(nursery, Pool.of(nursery, members[~alone[members]]), here.made, request), members)
        spare = here.spare
        made += here.made
    told = request.objective in LABEL_OBJECTIVES
    return TableDecision(
        recoding_of(ground, _division(ground, made), by_nodes), cost=_cost(nursery, made, gone) if told else None
    )


def require_small(combinations: int) -> None:
    """So few combinations that each can be compared with each class."""
    if combinations > MOST_COMBINATIONS:
        raise BadParameter(
            f"tables/cluster compares every combination with every class, and {combinations:,} combinations are too "
            f"small to stand alone; it takes at most {MOST_COMBINATIONS:,}. Take tables/mondrian"
        )


def grow(nursery: Nursery, pool: Pool, made: list[GrowingClass], request: TableRequest) -> list[int]:
    """Adds classes to `made` while the pool has enough for one; what is left of it."""
    while pool.free.any():
        first = int(np.argmax(pool.free))
        if not pool.rows[first]:
            break
        pool.free[first] = False
        grown = nursery.seed(int(pool.atom[first]))
        while not nursery.keeps(grown):
            close = nearest(nursery.distances(grown, pool.leaves), pool.rows, pool.free)
            if close < 0:
                return [atom for atom in grown.atoms if nursery.ground.tally.rows[atom]]
            pool.free[close] = False
            nursery.add(grown, int(pool.atom[close]))
        made.append(grown)
        pool = pool.squeezed()
        request.progress(f"{many(len(made), 'class', 'classes')}, {many(int(pool.free.sum()), 'combination')} left")
    return []


def _cost(nursery: Nursery, made: list[GrowingClass], gone: float) -> float:
    """What a row costs on average."""
    rows = int(nursery.ground.tally.rows.sum())
    kept = sum(grown.rows for grown in made)
    return (sum(nursery.cost(grown) * grown.rows for grown in made) + gone * (rows - kept)) / max(rows, 1)


def _division(ground: Ground, made: list[GrowingClass]) -> Division:
    part = np.full(ground.atoms, SUPPRESSED, dtype=np.int64)
    for number, grown in enumerate(made):
        part[grown.atoms] = number
    return Division(np.arange(ground.atoms), ground.tally.rows, part)


METHOD = TableMethod(
    title="Clustering (k-member)",
    params=Cluster,
    run=cluster,
    needs="a hierarchy for each quasi-identifier, and not too many combinations",
    gives="a local recoding with little loss, each class grown around a frequent combination",
    guarantees=("class",),
    paper="https://doi.org/10.1007/978-3-540-71703-4_18",
    example=Cluster(),
)
