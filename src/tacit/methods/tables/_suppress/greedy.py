"""The greedy choice: cheap patterns first and, among equally cheap ones, the one that gives most rows a class.

At a price, every pattern may form the classes that cost at most so much for each row that needs one. A class of fewer
than k such rows may borrow the others from combinations that have rows to spare; n rows then pay for k, so the pattern
counts k/n times its weight. How many rows a pattern serves only falls while others are served, so the best of equally
cheap ones is found without looking at all again (lazy evaluation, Minoux 1978).

A class takes along what only the population has and agrees with it; the first that suffices takes all of it.
"""

import heapq
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from tacit.arrays import BoolArray, IntArray
from tacit.data.tables.grouping import EntryGroups, add_up
from tacit.methods.tables._suppress.problem import IDLE, LEFT, Portions, Problem

SHARES = (1.0, 0.8, 0.6, 0.4, 0.2, 0.0)
"""Of k: how many needy rows a class must have at each step of the price."""

UNSEEN = np.inf
DIGITS = 9


@dataclass(frozen=True)
class OrderNoise:
    """How much chance there is in the order of the patterns; none by default."""

    generator: np.random.Generator | None = None
    weight: float = 0.0
    served: float = 0.0

    def factors(self, size: int, most: float) -> "np.ndarray[tuple[int], np.dtype[np.float64]]":
        """Factors between 1 and 1 + `most`."""
        return np.ones(size) if self.generator is None else 1 + most * self.generator.random(size)


@dataclass(frozen=True, eq=False)
class Offer:
    """The classes that a pattern would form: atoms, their groups, which groups are good, the needy rows of each."""

    pattern: int
    atoms: IntArray
    classes: EntryGroups
    good: BoolArray
    needy: IntArray

    @property
    def served(self) -> int:
        """The rows that would find a class."""
        return int(self.needy[self.good].sum())


@dataclass(eq=False)
class Deal:
    """The state: rows of each atom that need a class, rows that may be lent, idle atoms, and what was given out."""

    problem: Problem
    need: IntArray
    spare: IntArray
    idle: BoolArray
    given: list[Portions] = field(default_factory=list)

    def offer(self, pattern: int, least: int) -> Offer:
        """What a pattern would do; with a `least` below k, groups of so many needy rows may borrow."""
        lends = 0 < least < self.problem.people
        atoms = np.flatnonzero((self.need > 0) | (self.spare > 0 if lends else self.idle))
        classes = self.problem.grouped(pattern, atoms)
        needy = add_up(classes.group, self.need[atoms], classes.number)
        if lends:
            spare = add_up(classes.group, self.spare[atoms], classes.number)
            good = (needy >= least) & (needy + spare >= self.problem.people)
        else:
            good = self.problem.suffices(atoms, self.need[atoms], classes) & (needy > 0)
        return Offer(pattern, atoms, classes, good, needy)

    def take(self, offer: Offer) -> None:
        """Does what was offered."""
        served = offer.atoms[offer.good[offer.classes.group]]
        served = served[(self.need[served] > 0) | self.idle[served]]
        self._give(served, self.need[served], offer.pattern)
        self.need[served], self.idle[served] = 0, False
        short = np.where(offer.good, np.maximum(self.problem.people - offer.needy, 0), 0)
        if short.any():
            lent = dealt(self.spare[offer.atoms], offer.classes.group, short)
            lenders = np.flatnonzero(lent)
            self._give(offer.atoms[lenders], lent[lenders], offer.pattern)
            self.spare[offer.atoms] -= lent

    def _give(self, atoms: IntArray, rows: IntArray, pattern: int) -> None:
        self.given.append(Portions(atoms, rows.copy(), np.full(atoms.size, pattern, dtype=np.int64)))

    def stay(self) -> None:
        """Gives the rows that suffice as they are to the empty pattern; what is above k of them may be lent."""
        if not self.need.any():
            return
        offer = self.offer(0, self.problem.people)
        home = offer.atoms[offer.good[offer.classes.group]]
        if self.problem.people:
            self.spare[home] = self.need[home] - self.problem.people
        else:
            self._give(home, self.need[home], 0)
        self.need[home] = 0

    def result(self, rows: IntArray) -> Portions:
        """All portions, those without a class LEFT or IDLE; what was neither given nor needs a class stays at home."""
        for atoms, pattern in ((np.flatnonzero(self.need), LEFT), (np.flatnonzero(self.idle), IDLE)):
            self._give(atoms, self.need[atoms], pattern)
        given = Portions(*(np.concatenate([getattr(p, n) for p in self.given]) for n in ("atom", "rows", "pattern")))
        home = rows - add_up(given.atom, given.rows, rows.size)
        staying = np.flatnonzero(home)
        return given.beside(Portions(staying, home[staying], np.zeros(staying.size, dtype=np.int64)))


def dealt(spare: IntArray, group: IntArray, short: IntArray) -> IntArray:
    """How many of its spare rows each entry lends so that every group gets what it is short of, if it has enough."""
    order = np.argsort(group, kind="stable")
    mine, has = group[order], spare[order]
    before = np.cumsum(has) - has
    starts = np.searchsorted(mine, mine)
    lent = np.empty_like(spare)
    lent[order] = np.clip(short[mine] - (before - before[starts]), 0, has)
    return lent


def choose_greedily(problem: Problem, given: Portions, patterns: IntArray, noise: OrderNoise) -> Portions:
    """A pattern for each row of what is given; LEFT where no class of the patterns suffices."""
    rows = add_up(given.atom, given.rows, problem.ground.atoms)
    idle = np.zeros(rows.size, dtype=np.bool_)
    idle[given.atom] = problem.idle[given.atom]
    deal = Deal(problem, rows.copy(), np.zeros_like(rows), idle)
    deal.stay()
    for least, tied in _priced(problem, patterns, noise):
        if not deal.need.any():
            break
        _serve(deal, least, tied, noise)
    return deal.result(rows)


def _priced(problem: Problem, patterns: IntArray, noise: OrderNoise) -> Iterator[tuple[int, IntArray]]:
    """Patterns of one price with the least number of needy rows of their classes; the cheapest come first."""
    k = problem.people
    weight = problem.weight(patterns) * noise.factors(patterns.size, noise.weight)
    least = sorted({max(int(np.ceil(k * share)), 1) for share in SHARES}) if k else [0]
    price = np.concatenate([weight * (k / n if n else 1.0) for n in least])
    number = np.repeat(np.array(least), patterns.size)
    price = np.round(price / max(float(price.max(initial=0.0)), 1e-300), DIGITS)
    order = np.lexsort((-number, price))
    ends = np.flatnonzero(np.diff(price[order]) + np.abs(np.diff(number[order]))) + 1
    for tied in np.split(order, ends):
        if tied.size:
            yield int(number[tied[0]]), patterns[tied % patterns.size]


def _serve(deal: Deal, least: int, patterns: IntArray, noise: OrderNoise) -> None:
    """Takes the offers of equally cheap patterns, the one that serves most rows first."""
    factor = noise.factors(patterns.size, noise.served)
    heap = [(-UNSEEN, i) for i in range(patterns.size)]
    while heap and deal.need.any():
        _, i = heapq.heappop(heap)
        offer = deal.offer(int(patterns[i]), least)
        score = offer.served * factor[i]
        if not score:
            continue
        if heap and score < -heap[0][0]:
            heapq.heappush(heap, (-score, i))
        else:
            deal.take(offer)
