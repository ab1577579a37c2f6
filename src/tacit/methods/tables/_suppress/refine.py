"""Refinement: parts of the table are solved again in another order, and the better solution stays.

A round keeps some columns. Classes that suppress none of these lie within groups of rows that agree in them, so each
group is a problem of its own; all are solved at once with patterns of the other columns, in an order with some chance
in it, and every group keeps what costs less. A large neighbourhood search (Shaw 1998) whose neighbourhoods are solved
by the thousand in one pass.

Where numbers of rows are all that counts, every fourth round lets the rows that a class does not need look for cheaper
company: in a class that is there, or together.
"""

import numpy as np

from tacit.arrays import IntArray
from tacit.data.tables.grouping import add_up, group_by, pack
from tacit.methods.tables._suppress.greedy import OrderNoise, choose_greedily, dealt
from tacit.methods.tables._suppress.problem import IDLE, LEFT, Portions, Problem, patterns_of

MOST_LOOSE = 7
EVERY = 4
LEAST_GAIN = 1e-9
LEAST_NOISE = 0.05
MOST_NOISE = 2.0


def refined(problem: Problem, portions: Portions, rounds: int, generator: np.random.Generator) -> Portions:
    """The portions after some rounds; they never cost more."""
    for turn in range(rounds if problem.open_ else 0):
        amount = LEAST_NOISE * (MOST_NOISE / LEAST_NOISE) ** generator.random()
        noise = OrderNoise(generator, amount, amount)
        portions = _round(problem, portions, _loose(problem, generator), noise)
        if problem.people and turn % EVERY == 0:
            portions = _moved(problem, portions, generator)
    return portions


def _loose(problem: Problem, generator: np.random.Generator) -> tuple[int, ...]:
    """The columns that may be suppressed in a round: between a third and two thirds, of few columns also all."""
    number = len(problem.open_)
    most = number if number <= 4 else min(-(-2 * number // 3), MOST_LOOSE)
    size = int(generator.integers(min(-(-number // 3), most), most + 1))
    return tuple(sorted(int(c) for c in generator.choice(np.array(problem.open_), size, replace=False)))


def _round(problem: Problem, portions: Portions, loose: tuple[int, ...], noise: OrderNoise) -> Portions:
    assert noise.generator is not None
    pattern = sum(1 << column for column in loose)
    within = (portions.pattern != LEFT) & (portions.pattern & ~pattern == 0)
    inside = within | (portions.pattern == IDLE)
    old = portions.part(inside)
    new = choose_greedily(problem, old, patterns_of(problem, loose, noise.generator), noise)
    groups = problem.grouped(pattern, np.arange(problem.ground.atoms))
    gain = _costs(problem, old, groups.group, groups.number) - _costs(problem, new, groups.group, groups.number)
    better = (gain > LEAST_GAIN)[groups.group]
    if not better.any():
        return portions
    return portions.part(~(inside & better[portions.atom])).beside(new.part(better[new.atom]))


def _costs(
    problem: Problem, portions: Portions, group: IntArray, groups: int
) -> "np.ndarray[tuple[int], np.dtype[np.float64]]":
    costs = np.bincount(group[portions.atom], weights=problem.cost(portions), minlength=groups)
    return costs.astype(np.float64, copy=False)


def _moved(problem: Problem, portions: Portions, generator: np.random.Generator) -> Portions:
    """The portions after rows above the k of their class went where they cost less."""
    portions = portions.part(generator.permutation(portions.atom.size))
    class_ = _classes(problem, portions)
    sizes = add_up(class_, portions.rows, int(class_.max(initial=-1)) + 1)
    free = dealt(portions.rows, class_, sizes - problem.people)
    free[portions.pattern <= 0] = 0
    staying = Portions(portions.atom, portions.rows - free, portions.pattern).part(portions.rows > free)
    patterns = patterns_of(problem, problem.open_, generator)
    order = np.argsort(problem.weight(patterns), kind="stable")
    loose = portions.part(free > 0)
    pattern = _cheaper(problem, Portions(loose.atom, free[free > 0], loose.pattern), staying, patterns[order])
    return staying.beside(Portions(loose.atom, free[free > 0], pattern))


def _cheaper(problem: Problem, loose: Portions, staying: Portions, patterns: IntArray) -> IntArray:
    """The pattern of each loose portion after those that can went to the cheapest pattern with a class for them."""
    pattern, now = loose.pattern.copy(), problem.weight(loose.pattern)
    open_ = np.ones(now.size, dtype=np.bool_)
    for each, weight in zip(patterns.tolist(), problem.weight(patterns).tolist(), strict=True):
        mine = np.flatnonzero(open_ & (now > weight + LEAST_GAIN))
        if not mine.size:
            break
        there = np.flatnonzero(staying.pattern == each)
        classes = problem.grouped(each, np.concatenate([loose.atom[mine], staying.atom[there]]))
        group = classes.group[: mine.size]
        good = add_up(group, loose.rows[mine], classes.number) >= problem.people
        good[classes.group[mine.size :]] = True
        gone = mine[good[group]]
        pattern[gone] = each
        open_[gone] = False
    return pattern


def _classes(problem: Problem, portions: Portions) -> IntArray:
    """The class of each portion: its pattern, and its values in the other columns."""
    codes = [
        np.where(portions.pattern >> c & 1, size, problem.codes[c][portions.atom])
        for c, size in enumerate(problem.sizes)
    ]
    keys = pack(codes, [size + 1 for size in problem.sizes], portions.atom.size)
    return group_by(keys.key, keys.span).group
