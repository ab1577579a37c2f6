"""Limits: what all guarantees ask of a class, in a form that compiled loops test in less than a microsecond.

A class is its people, its people in the population and `count[value]`, how many people have each sensitive value (the
values of all sensitive columns stand one after the other). The guarantees' own measures see arrays of classes; a search
that changes one combination at a time asks about one class, millions of times. Each rule here is the definition of its
guarantee with p = count / total and q = the share in the input:

- shares, for alpha-k-anonymity, probabilistic l-diversity, beta-likeness and delta-disclosure: low <= p <= high;
- distinct, entropy and recursive l-diversity (Machanavajjhala et al. 2006);
- t-closeness (Li, Li and Venkatasubramanian 2007): the distances `equal`, `ordered`, `hierarchical` and `kl`.

Counts are taken to add up when combinations come together, which is exact where everybody has one row. What was found
by these rules is judged again by the guarantees themselves, so a mistake here could cost loss and never a promise.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numba import njit

from tacit.arrays import CodeArray, FloatArray, IntArray
from tacit.data.tables.hierarchy import MISSING
from tacit.data.tables.tally import SensitiveTally, Tally
from tacit.guarantees.guarantee import SLACK, DistributionLimit, SecretGuarantee, TableGuarantee

DISTINCT, ENTROPY, RECURSIVE, EQUAL, ORDERED, HIERARCHICAL, KL = range(7)
KINDS = {
    "distinct": DISTINCT,
    "entropy": ENTROPY,
    "recursive": RECURSIVE,
    "equal": EQUAL,
    "ordered": ORDERED,
    "hierarchical": HIERARCHICAL,
    "kl": KL,
}
TABLED = 1_024
"""Up to here n ln n is looked up."""


class Limits(NamedTuple):
    """Least people, least people in the population, `shares` of each value and `rules`.

    `shares` has three rows: the least, the largest, and q. A rule is its kind, the first value that it speaks of and
    the one after the last, a whole number (l, or the levels in `node[level, value]`) and its bound. `room` has a row
    of the shares of nodes and a row to work in. `times_log[n]` is n ln n.
    """

    people: int
    population: int
    shares: FloatArray
    rules: FloatArray
    node: IntArray
    room: FloatArray
    times_log: FloatArray


@dataclass(frozen=True)
class _ClassLimit:
    kind: int
    begin: int
    end: int
    whole: int
    bound: float


def beginnings(tally: Tally) -> dict[str, int]:
    """Where the values of each sensitive column begin among all values."""
    widths = [len(part.values) for part in tally.sensitive.values()]
    return dict(zip(tally.sensitive, np.cumsum([0, *widths]).tolist(), strict=False))


def knows(guarantees: tuple[TableGuarantee, ...]) -> bool:
    """Whether limits can be made of all of these."""
    return all(guarantee.limits() is not None for guarantee in guarantees)


def limits_of(tally: Tally, guarantees: tuple[TableGuarantee, ...]) -> Limits:
    """The limits that a class must keep, for guarantees that state theirs."""
    begins = beginnings(tally)
    stated = [(one, limits) for one in guarantees if (limits := one.limits()) is not None]
    share = np.concatenate([[], *(_shares(part) for part in tally.sensitive.values())])
    rules = list[_ClassLimit]()
    low, high = np.zeros(share.size), np.ones(share.size)
    for one, limits in stated:
        named = one.column if isinstance(one, SecretGuarantee) else None
        column = named or next(iter(begins), None)
        if column is None:
            continue
        end = begins[column] + len(tally.sensitive[column].values)
        here = slice(begins[column], end)
        if limits.distribution is not None:
            rules.append(_rule(limits.distribution, begins[column], end, tally.sensitive[column]))
        elif limits.shares is not None:
            found = limits.shares(share[here])
            low[here], high[here] = np.maximum(low[here], found.least), np.minimum(high[here], found.most)
    node = _nodes(tally)
    room = np.zeros((2, max(int(node.max(initial=-1)) + 1, share.size, 1)))
    for level in node:
        room[0] += np.bincount(level, weights=share, minlength=room.shape[1])
    people = max((limits.people for _, limits in stated), default=1)
    population = max((limits.population for _, limits in stated), default=0)
    listed = np.array([(r.kind, r.begin, r.end, r.whole, r.bound) for r in rules], dtype=np.float64).reshape(-1, 5)
    return Limits(people, population, np.array([low, high, share]), listed, node, room, _times_log())


def _times_log() -> FloatArray:
    numbers = np.arange(TABLED, dtype=np.float64)
    return numbers * np.log(np.maximum(numbers, 1.0))


def _shares(part: SensitiveTally) -> FloatArray:
    """q: the share of each value in the input."""
    return part.reference / max(int(part.reference.sum()), 1)


def _nodes(tally: Tally) -> IntArray:
    """`[level, value]`: the node of each value at the levels below the root, all numbered in one sequence."""
    height, first = max((_codes(part).shape[0] for part in tally.sensitive.values()), default=0), 0
    columns = []
    for part in tally.sensitive.values():
        codes = _codes(part)
        padded = np.zeros((height, len(part.values)), dtype=np.int64)
        for level in range(height):
            padded[level] = first + (codes[level] if level < codes.shape[0] else 0)
            first = int(padded[level].max(initial=first - 1)) + 1
        columns.append(padded)
    return np.concatenate(columns, axis=1) if columns else np.zeros((0, 0), dtype=np.int64)


def _codes(part: SensitiveTally) -> CodeArray:
    if part.hierarchy is None:
        return np.zeros((0, len(part.values)), dtype=np.int32)
    hierarchy = part.hierarchy.with_missing() if MISSING in part.values else part.hierarchy
    return hierarchy.codes[:-1, hierarchy.place(part.values)]


def _rule(limit: DistributionLimit, begin: int, end: int, part: SensitiveTally) -> _ClassLimit:
    """The bound on a whole distribution; the slack is on the side that keeps the promise."""
    if limit.form in ("distinct", "entropy", "recursive"):
        return _ClassLimit(KINDS[limit.form], begin, end, limit.rank, limit.bound * (1 - SLACK))
    return _ClassLimit(KINDS[limit.form], begin, end, _codes(part).shape[0], limit.bound * (1 + SLACK))


@njit(cache=True)
def holds(limits, count, people, population):  # type: ignore[no-untyped-def]
    """Whether a class with these counts keeps all limits."""
    if people < limits.people or population < limits.population or not within_shares(limits.shares, count, people):
        return False
    # All rules must hold. Each has its own range of values, those of one sensitive column.
    for r in range(limits.rules.shape[0]):
        kind, begin, end = int(limits.rules[r, 0]), int(limits.rules[r, 1]), int(limits.rules[r, 2])
        whole, bound = int(limits.rules[r, 3]), limits.rules[r, 4]
        total = 0
        number = 0
        for v in range(begin, end):
            total += count[v]
            number += count[v] > 0
        if kind == DISTINCT:
            kept = number >= whole
        elif kind == ENTROPY:
            kept = number >= bound and has_entropy(limits.times_log, count[begin:end], total, bound)
        elif kind == RECURSIVE:
            kept = number >= whole and has_tail(limits.room[1], count[begin:end], total, (whole, bound))
        elif kind == HIERARCHICAL:
            kept = tree_work(limits, count, (begin, end, whole, total)) <= bound * total * whole
        else:
            kept = flat_work(limits.shares[2, begin:end], count[begin:end], total, kind) <= bound * total
        if not kept or total == 0:
            return False
    return True


@njit(cache=True)
def within_shares(shares, count, people):  # type: ignore[no-untyped-def]
    """Whether the share of every value lies between its bounds."""
    # The slack is that of the guarantees; only the upper bound has it, so this is never more generous than they are.
    for v in range(count.size):
        if count[v] > shares[1, v] * people * (1 + SLACK) or count[v] < shares[0, v] * people:
            return False
    return True


@njit(cache=True)
def has_entropy(times_log, count, total, bound):  # type: ignore[no-untyped-def]
    """Whether the effective number of values reaches the bound."""
    weighted = 0.0
    # With p = n / total the entropy is ln(total) − Σ n ln n / total; a count of 1 adds nothing.
    for n in count:
        if n > 1:
            weighted += times_log[n] if n < TABLED else n * np.log(n)
    return np.log(total) - weighted / total >= np.log(bound)


@njit(cache=True)
def has_tail(room, count, total, rule):  # type: ignore[no-untyped-def]
    """Whether the most frequent value stays below c times those at rank l and below."""
    rank, bound = rule
    for v in range(count.size):
        room[v] = count[v]
    most = 0.0
    tail = float(total)
    # Take the rank - 1 largest counts away, one at a time; the rank is small, so sorting would cost more.
    for i in range(rank - 1):
        largest = 0
        for v in range(1, count.size):
            if room[v] > room[largest]:
                largest = v
        if i == 0:
            most = room[largest]
        tail -= room[largest]
        room[largest] = 0.0
    room[: count.size] = 0.0
    return most < bound * tail


@njit(cache=True)
def flat_work(share, count, total, kind):  # type: ignore[no-untyped-def]
    """The distance of a class from the input, without a tree, times its people."""
    work = 0.0
    running = 0.0
    # Surpluses add up to 0, so those above 0 are half of all moves; in order, what is carried past a value is the
    # running sum.
    for v in range(count.size):
        surplus = count[v] - share[v] * total
        if kind == EQUAL:
            work += max(surplus, 0.0)
        elif kind == ORDERED:
            running += surplus
            work += abs(running)
        elif count[v] > 0:
            work += count[v] * np.log(count[v] / (share[v] * total)) if share[v] > 0 else np.inf
    return work / max(count.size - 1, 1) if kind == ORDERED else work


@njit(cache=True)
def tree_work(limits, count, span):  # type: ignore[no-untyped-def]
    """The surplus of each node below the root, summed."""
    begin, end, levels, total = span
    share, room = limits.room[0], limits.room[1]
    work = 0.0
    for level in range(levels):
        for v in range(begin, end):
            room[limits.node[level, v]] += count[v]
        # A node is emptied when its first value is met, so its other values add nothing and `room` is 0 again
        # afterwards.
        for v in range(begin, end):
            node = limits.node[level, v]
            work += max(room[node] - share[node] * total, 0.0)
            room[node] = 0.0
    return work
