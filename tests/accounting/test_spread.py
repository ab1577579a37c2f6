"""Rows of one person over disjoint blocks (accounting/spread): the claim against the exact law of every placement.

A block is answered with noise of its own. For each way in which the rows of a person can stand in the blocks, and for
each way in which they can stand before and after the person became another, the losses of all blocks are written out
(`exact_laws`) and composed with those of further questions. What is claimed must cover all of them.
"""

from fractions import Fraction
from functools import cache
from itertools import product

import pytest
from tests.accounting.claims import SHORT, check, refuted
from tests.accounting.exact_laws import Pair, gaussian_pair, laplace_pair, pair, softmax

from tacit.accounting.account import account
from tacit.accounting.cases import cases, gathers
from tacit.accounting.events import (
    BestOf,
    Composed,
    DiscreteGaussian,
    DiscreteLaplace,
    Event,
    Exponential,
    Group,
    Parallel,
    Repeated,
)
from tacit.accounting.price import price
from tacit.accounting.runs import NegativeBinomial
from tacit.accounting.spread import _ENOUGH, over_blocks
from tacit.errors import BadParameter

EPSILON = Fraction(2, 5)
SIGMA = 3
BLOCKS = 3


@cache
def laplace(rows: int) -> tuple[Pair, ...]:
    """A sum that a row moves by 2."""
    return (laplace_pair(float(EPSILON / 2), 2 * rows),)


@cache
def gaussian(rows: int) -> tuple[Pair, ...]:
    """A count with discrete Gaussian noise."""
    return (gaussian_pair(SIGMA, rows),)


@cache
def choice(rows: int) -> tuple[Pair, ...]:
    """A choice of three, one of which gains by each row what another loses."""
    rate = float(EPSILON / 2)
    return (pair(softmax([1, 2, 1], rate), softmax([1 - rows, 2, 1 + rows], rate)),)


def both(rows: int) -> tuple[Pair, ...]:
    return (*laplace(rows), *choice(rows))


NOISES = {
    "laplace": (laplace, DiscreteLaplace(2 / EPSILON, 2)),
    "gaussian": (gaussian, DiscreteGaussian(SIGMA)),
    "choice": (choice, Exponential(EPSILON)),
    "both": (both, Composed((DiscreteLaplace(2 / EPSILON, 2), Exponential(EPSILON)))),
}


def placements(rows: int) -> list[tuple[int, ...]]:
    """How many rows of a person each block may have."""
    return [spread for spread in product(range(rows + 1), repeat=BLOCKS) if sum(spread) <= rows]


def changes(rows: int, neighbours: str) -> set[tuple[int, ...]]:
    """By how many rows the blocks change, in any order of the blocks, which are alike."""
    gone = placements(rows) if neighbours == "replace" else [(0,) * BLOCKS]
    moves = (tuple(abs(a - b) for a, b in zip(one, two, strict=True)) for one, two in product(gone, placements(rows)))
    return {tuple(sorted(move)) for move in moves}


def losses(noise, change: tuple[int, ...]) -> list[Pair]:
    return [part for rows in change if rows for part in noise(rows)]


@pytest.mark.slow
@pytest.mark.parametrize("neighbours", ["add-remove", "replace"])
@pytest.mark.parametrize("name", NOISES)
def test_every_placement_of_rows_is_covered(name: str, neighbours) -> None:
    """A changed row that is replaced within its block is one row of another kind here, and two steps in the claim."""
    noise, event = NOISES[name]
    rows = 3 if neighbours == "add-remove" and name != "gaussian" else 2
    claimed = over_blocks(event, rows, BLOCKS, neighbours)
    for change in changes(rows, neighbours):
        check(losses(noise, change), claimed, SHORT)


@pytest.mark.parametrize("neighbours", ["add-remove", "replace"])
@pytest.mark.parametrize("name", NOISES)
def test_events_that_forget_rows_or_blocks_are_refuted(name: str, neighbours) -> None:
    noise, event = NOISES[name]
    steps = 3 if neighbours == "add-remove" else 4
    one, apart = (0, 0, steps), (1, 1, 1) if neighbours == "add-remove" else (0, 2, 2)
    assert refuted(losses(noise, one), Group(Parallel((event,)), steps - 1), SHORT)
    for forgetful in (Parallel((event,) * BLOCKS), event):
        assert refuted(losses(noise, apart), forgetful, SHORT)


@pytest.mark.slow
@pytest.mark.parametrize("neighbours", ["add-remove", "replace"])
def test_blocks_cost_what_one_block_with_all_rows_costs(neighbours) -> None:
    steps = 4 if neighbours == "add-remove" else 8
    for _, event in NOISES.values():
        claimed, alone = over_blocks(event, 4, 100, neighbours), Group(event, steps)
        assert price(claimed) == price(alone)
        if gathers(event):
            assert account([claimed] * 5, 1e-6).epsilon <= account([alone] * 5, 1e-6).epsilon * (1 + 1e-9)


def test_more_like_blocks_than_are_named_change_nothing() -> None:
    event = BestOf(DiscreteLaplace(20), NegativeBinomial(1, Fraction(1, 10)))
    for each, rows in product((event, DiscreteGaussian(30), *(event for _, event in NOISES.values())), (2, 5, 6, 9)):
        named = Group(Parallel((each,) * 20), rows)
        assert cases(over_blocks(each, rows, None, "add-remove")) == cases(named)
    assert len(over_blocks(event, 1000, None, "replace").event.events) == _ENOUGH


@pytest.mark.parametrize("deeper", [Repeated, Group])
def test_what_gathers_is_made_of_noise_that_does(deeper) -> None:
    one: Event = deeper(Exponential(1), 3)
    assert gathers(one)
    assert gathers(Composed((one, DiscreteLaplace(2))))
    assert not gathers(Composed((one, DiscreteGaussian(2))))
    assert not gathers(deeper(DiscreteGaussian(2), 3))


def test_a_row_stays_a_plain_parallel_question() -> None:
    assert over_blocks(Exponential(1), 1, 7, "add-remove") == Parallel((Exponential(1),))
    with pytest.raises(BadParameter, match="rows"):
        over_blocks(Exponential(1), 0, 7, "add-remove")
