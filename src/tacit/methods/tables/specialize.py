"""Top-down specialisation: labels are replaced by their children while all guarantees hold (Fung, Wang and Yu 2005).

Each column has a cut through its hierarchy: every leaf is published as the one node of the cut above it. The cut
begins at the root; a step replaces one node by its children, everywhere in the table. So different branches of a
hierarchy may end at different levels, but a value is published alike in all rows: a global recoding, finer than one
level for each column and easier to analyse than a local one.

As in the paper, a step is worth what it saves of the objective, traded for the privacy that it costs: here times the
logarithm of the smallest class that it leaves, since a small class blocks all later steps through it. A second run
looks at what is saved alone; the better of the two is published. Classes that fail are suppressed within the limit, and
count as such. A step that fails is not tried again: for guarantees that merging can't spoil it would fail for ever.
"""

import heapq
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Self

import numpy as np

from tacit.arrays import BoolArray, CodeArray, FloatArray, IntArray
from tacit.cards.tables import TableMethod
from tacit.data.tables.grouping import EntryGroups, group_by
from tacit.data.tables.table import Table
from tacit.methods.tables._partition.costs import CELL_OBJECTIVES, Costs, costs_of
from tacit.methods.tables._partition.division import SUPPRESSED, Division
from tacit.methods.tables._partition.partition import Ground, ground_of, keeping, selected, start_of
from tacit.methods.tables._partition.recoding import by_cut, recoding_of
from tacit.params import Params
from tacit.request import TableDecision, TableRequest
from tacit.spelling import many

LEAST_GAIN = 1e-12


class Specialize(Params):
    """No parameters."""


@dataclass(frozen=True, order=True)
class Specialisation:
    """The node of a column that covers `leaf` at `level`, to be replaced by its children."""

    column: int
    level: int
    leaf: int


@dataclass(frozen=True, eq=False)
class Trial:
    """What a step would do to the atoms that it concerns."""

    atoms: IntArray
    classes: EntryGroups
    failing: BoolArray
    suppressed: int
    score: float


@dataclass(eq=False)
class Descent:
    """The state of a run: the level of each leaf, the class of each atom, what is suppressed, what the rest costs."""

    ground: Ground
    costs: Costs
    careful: bool
    spare: int
    levels: list[IntArray]
    part: IntArray
    failing: BoolArray
    paid: FloatArray
    gone: FloatArray
    heap: list[tuple[float, Specialisation]] = field(default_factory=list)
    steps: int = 0

    @property
    def cost(self) -> float:
        """What a row costs on average."""
        paid, rows = np.where(self.failing, self.gone, self.paid), self.ground.tally.rows
        return float((paid * rows).sum()) / max(int(rows.sum()), 1)

    @classmethod
    def begin(cls, ground: Ground, request: TableRequest, careful: bool) -> Self:
        """The state before the first step: every column as general as allowed."""
        start, costs, table = start_of(ground, request), costs_of(ground.table, request.objective), ground.table
        levels = [np.full(len(h.leaves), high) for h, high in zip(table.hierarchies, table.most, strict=True)]
        paid = sum((costs.node[c][high][leaf] for c, (high, leaf) in _columns(ground)), np.zeros(ground.atoms))
        gone = sum((costs.gone[c][leaf] for c, (_, leaf) in _columns(ground)), np.zeros(ground.atoms))
        descent = cls(ground, costs, careful, start.spare, levels, start.part, start.failing[start.part], paid, gone)
        for column, (high, leaves) in _columns(ground):
            descent.offer_all(column, high, leaves)
        return descent

    def offer_all(self, column: int, level: int, leaves: CodeArray) -> None:
        """Puts the steps below the nodes of these leaves at a level on the heap."""
        _, first = np.unique(self.ground.table.hierarchies[column].codes[level][leaves], return_index=True)
        for leaf in leaves[first].tolist():
            self._offer(column, level, leaf)

    def _offer(self, column: int, level: int, leaf: int) -> None:
        codes = self.ground.table.hierarchies[column].codes
        under = codes[level] == codes[level, leaf]
        # A node with one child covers the same leaves as that child, so it is no step.
        while level > self.ground.table.least[column] and (codes[level - 1][under] == codes[level - 1, leaf]).all():
            level -= 1
        self.levels[column][under] = level
        if level > self.ground.table.least[column]:
            self.push(Specialisation(column, level, leaf))

    def push(self, step: Specialisation) -> None:
        """Puts a step on the heap, where it pays and may be."""
        trial = self.trial(step)
        if trial is not None:
            heapq.heappush(self.heap, (-trial.score, step))

    def trial(self, step: Specialisation) -> Trial | None:
        """What a step does; None where it does not pay or must not be."""
        codes, leaves = self.ground.table.hierarchies[step.column].codes, self.ground.leaves[step.column]
        atoms = np.flatnonzero(codes[step.level][leaves] == codes[step.level, step.leaf])
        child = codes[step.level - 1][leaves[atoms]]
        width = int(child.max(initial=0)) + 1
        classes = group_by(self.part[atoms] * width + child, (int(self.part.max(initial=0)) + 1) * width)
        tally = selected(self.ground.tally, atoms).merged(classes)
        failing = ~keeping(self.ground.guarantees, tally)
        rows = self.ground.tally.rows[atoms]
        suppressed = int(tally.rows[failing].sum()) - int(rows[self.failing[atoms]].sum())
        if suppressed > self.spare or (failing & (tally.rows == 0)).any():
            return None
        now = np.where(self.failing[atoms], self.gone[atoms], self.paid[atoms])
        then = np.where(failing[classes.group], self.gone[atoms], self.paid[atoms] - self._saved(step, atoms))
        gain = float((rows * (now - then)).sum())
        if gain <= LEAST_GAIN:
            return None
        smallest = (
            tally.rows[~failing & (tally.rows > 0)].min(initial=self.ground.table.number_of_rows) if self.careful else 2
        )
        return Trial(atoms, classes, failing, suppressed, gain * float(np.log2(smallest + 1)))

    def _saved(self, step: Specialisation, atoms: IntArray) -> FloatArray:
        cost, leaves = self.costs.node[step.column], self.ground.leaves[step.column][atoms]
        saved: FloatArray = cost[step.level][leaves] - cost[step.level - 1][leaves]
        return saved

    def take(self, step: Specialisation, trial: Trial) -> None:
        """Does what was tried."""
        atoms = trial.atoms
        self.paid[atoms] -= self._saved(step, atoms)
        self.failing[atoms] = trial.failing[trial.classes.group]
        self.part[atoms] = trial.classes.group + int(self.part.max()) + 1
        _, self.part = np.unique(self.part, return_inverse=True)
        self.spare -= trial.suppressed
        self.steps += 1
        codes = self.ground.table.hierarchies[step.column].codes
        self.levels[step.column][codes[step.level] == codes[step.level, step.leaf]] = step.level - 1
        self.offer_all(step.column, step.level - 1, self.ground.leaves[step.column][atoms])


def _columns(ground: Ground) -> Iterator[tuple[int, tuple[int, CodeArray]]]:
    return enumerate(zip(ground.table.most, ground.leaves, strict=True))


def specialize(table: Table, request: TableRequest, params: Specialize) -> TableDecision:
    """The table under the finest cuts that were reached; CannotGuarantee where even the coarsest fail."""
    ground = ground_of(table, request.guarantees)
    descents = [_descend(Descent.begin(ground, request, careful), request) for careful in (True, False)]
    best = min(descents, key=lambda descent: descent.cost)
    division = Division(np.arange(ground.atoms), ground.tally.rows, np.where(best.failing, SUPPRESSED, best.part))
    return TableDecision(
        recoding_of(ground, division, by_cut(best.levels)),
        cost=best.cost if request.objective in CELL_OBJECTIVES else None,
        evaluated=sum(descent.steps for descent in descents),
    )


def _descend(descent: Descent, request: TableRequest) -> Descent:
    """The state after the last step that pays."""
    while descent.heap:
        _, step = heapq.heappop(descent.heap)
        trial = descent.trial(step)
        if trial is None:
            continue
        if descent.heap and trial.score < -descent.heap[0][0]:
            heapq.heappush(descent.heap, (-trial.score, step))
            continue
        descent.take(step, trial)
        request.progress(
            f"{many(descent.steps, 'label')} specialised, {many(int(descent.part.max()) + 1, 'class', 'classes')}"
        )
    return descent


METHOD = TableMethod(
    title="Top-down specialisation",
    params=Specialize,
    run=specialize,
    needs="a hierarchy for each quasi-identifier",
    gives="a global recoding in which branches of a hierarchy may end at different levels",
    guarantees="any",
    paper="https://doi.org/10.1109/ICDE.2005.143",
    example=Specialize(),
)
