"""Descent in a lattice that is too large to be searched: from node to neighbour, to a node that none of them beats.

The neighbours of a node are all nodes that differ in the level of one column. Nodes are compared by the rows that they
suppress above the limit, then by their cost, so that a descent may begin anywhere. All neighbours are screened
(`_screen.py`), which gives their cost or a lower bound of it. If it is the cost, the best one is taken (steepest
descent); otherwise neighbours are evaluated by rising bound until one is better, and nothing is missed: a neighbour
whose bound is not better is not better.

Then the best node is kicked: one column is moved to the level that costs least of those not tried yet, and stays there
during a descent, after which it is free again (iterated local search, Lourenço, Martin and Stützle 2003). Nothing is
random, and the work is limited in counts, so a run repeats itself exactly unless the clock ends it.
"""

from collections.abc import Callable
from dataclasses import dataclass
from math import inf
from time import monotonic

from tacit.methods.tables._nodes import Node
from tacit.methods.tables._objectives import BoundedObjective, ClassCounts
from tacit.methods.tables._screen import Screen

SLIGHT = 1e-9
"""A node is better if it costs less by more than this share: sums in other orders differ by less."""
WORK = 75_000_000
"""Combinations that may be visited before no further kick is tried, a second or two on one core."""
EVALUATION = 30
"""A whole evaluation costs about as much as this many screens."""


@dataclass(frozen=True, order=True)
class Standing:
    """How good a node is: rows suppressed above the limit (no end to them if no suppression helps), then its cost."""

    excess: float
    cost: float

    def beats(self, other: "Standing") -> bool:
        """Whether it is better by more than rounding."""
        if self.excess != other.excess:
            return self.excess < other.excess
        return self.cost < other.cost - SLIGHT * max(1.0, abs(other.cost))


@dataclass(frozen=True)
class Stop:
    """A node and how good it is."""

    node: Node
    standing: Standing


@dataclass(frozen=True)
class _RatedMove:
    standing: Standing
    column: int
    level: int


class Descent:
    """Descents in one lattice; `evaluate` gives the standing of a node by all guarantees, `end` is when time is up."""

    def __init__(
        self,
        screen: Screen,
        objective: BoundedObjective,
        most_suppressed: float,
        evaluate: Callable[[Node], Standing],
        end: float = inf,
    ) -> None:
        self.screen = screen
        self.objective = objective
        self.most_suppressed = most_suppressed
        self.end = end
        self.visited = 0
        self._evaluate = evaluate
        self._known: dict[Node, Standing] = {}

    @property
    def in_time(self) -> bool:
        """Whether the clock still runs."""
        return monotonic() < self.end

    def search(self, start: Node) -> Stop:
        """The best node of a descent from `start` and of descents from kicks of it, while there is work left."""
        best = self.descend(start)
        tried: set[Node] = set()
        while self.visited < WORK and self.in_time:
            kick = next((step for step in self._steps(best) if self._moved(best.node, step) not in tried), None)
            if kick is None:
                break
            node = self._moved(best.node, kick)
            tried.add(node)
            found = self.descend(self.descend(node, kick.column).node)
            if found.standing.beats(best.standing):
                best, tried = found, set()
        return best

    def descend(self, start: Node, still: int | None = None) -> Stop:
        """A node that no neighbour beats, or the best when time was up; the column `still` does not move."""
        here = Stop(start, self._standing(start))
        while self.in_time and (better := self._better(here, still)) is not None:
            here = better
        return here

    def _better(self, here: Stop, still: int | None) -> Stop | None:
        """The best neighbour by its screen that is better; None if there is none."""
        for step in self._steps(here):
            if not step.standing.beats(here.standing):
                return None
            if step.column == still:
                continue
            node = self._moved(here.node, step)
            found = step.standing if self.screen.is_exact else self._standing(node)
            if found.beats(here.standing):
                return Stop(node, found)
        return None

    def _steps(self, here: Stop) -> list[_RatedMove]:
        """All moves, the most promising first."""
        self.screen.stand_at(here.node)
        steps = []
        for move in self.screen.moves():
            self.visited += self.screen.rows.size
            node = (*here.node[: move.column], move.level, *here.node[move.column + 1 :])
            steps.append(_RatedMove(self._screened(node, move.counts), move.column, move.level))
        return sorted(steps, key=lambda step: (step.standing, step.column, step.level))

    def _standing(self, node: Node) -> Standing:
        if node not in self._known:
            if self.screen.is_exact:
                self.visited += self.screen.rows.size
                self._known[node] = self._screened(node, self.screen.stand_at(node))
            else:
                self.visited += EVALUATION * self.screen.rows.size
                self._known[node] = self._evaluate(node)
        return self._known[node]

    def _screened(self, node: Node, counts: ClassCounts) -> Standing:
        excess = max(0.0, counts.suppressed - self.most_suppressed)
        return Standing(excess, self.objective.counted(node, counts))

    @staticmethod
    def _moved(node: Node, step: _RatedMove) -> Node:
        return (*node[: step.column], step.level, *node[step.column + 1 :])
