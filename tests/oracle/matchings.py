"""k-concealment by its definition: every perfect matching of raw rows and published rows, one after another."""

from collections.abc import Sequence
from itertools import permutations

Pairs = set[tuple[int, int]]


def used_pairs(fit: Sequence[Sequence[bool]]) -> Pairs:
    """The pairs (raw row, published row) of which some perfect matching has one; `fit` is square."""
    every = range(len(fit))
    return {
        pair
        for matching in permutations(every)
        if all(fit[row][matching[row]] for row in every)
        for pair in enumerate(matching)
    }


def fewest_people(used: Pairs, rows: set[int], whose: Sequence[str], whom: Sequence[str]) -> int:
    """What raw rows alike have: the people who own (`whom`) the published rows that may be one of them or, where it is
    fewer, the people (`whose`) who may own one of these. Rows that are not published have no owner in `whom`."""
    mine = {label for row, label in used if row in rows and label < len(whom)}
    owners = [{whose[row] for row, other in used if other == label} for label in mine]
    return min([len({whom[label] for label in mine}), *map(len, owners)])
