"""Distance linkage and interval disclosure: against every pair of rows.

Covers distance_linkage, interval_disclosure, masked_numbers.
"""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacit.attacks.tables.distance_linkage import link_nearest
from tacit.attacks.tables.interval_disclosure import IntervalWidth, find_disclosed
from tacit.data.tables.masked_numbers import MaskedNumbers
from tacit.errors import BadData
from tacit.params import Params

TABLES = (
    st.integers(0, 2**20)
    .map(np.random.default_rng)
    .map(lambda random: MaskedNumbers(random.integers(0, 5, (8, 2)) * 1.0, random.integers(0, 5, (8, 2)) * 1.0))
)


@given(TABLES)
def test_the_nearest_row_is_found_among_all(numbers: MaskedNumbers) -> None:
    spread = [column.std() or 1.0 for column in numbers.original.T]
    hits = 0.0
    for i, row in enumerate(numbers.original):
        far = [sum(((x - y) / s) ** 2 for x, y, s in zip(row, other, spread, strict=True)) for other in numbers.masked]
        tied = [j for j, distance in enumerate(far) if distance <= min(far) + 1e-9]
        hits += 1 / len(tied) if i in tied else 0
    assert link_nearest(numbers, Params()).hits == pytest.approx(hits)


def test_groups_of_k_hide_a_row_among_k() -> None:
    original = np.arange(12.0)[:, None]
    masked = (original // 3) * 3 + 1
    found = link_nearest(MaskedNumbers(original, masked), Params())
    assert found.hits == pytest.approx(12 / 3)
    assert link_nearest(MaskedNumbers(original, original), Params()).rate == 1


@given(TABLES, st.sampled_from([0.1, 0.25, 0.4]))
def test_an_interval_holds_the_originals_of_nearby_rank(numbers: MaskedNumbers, width: float) -> None:
    found = find_disclosed(numbers, IntervalWidth(width=width))
    rows, hits, blind = 8, 0, Fraction(0)
    for column in range(2):
        original, masked = list(numbers.original[:, column]), list(numbers.masked[:, column])
        ordered, reach = sorted(original), int(width * rows)
        for mine, shown in zip(original, masked, strict=True):
            rank = (sum(x < shown for x in original) + sum(x <= shown for x in original)) // 2
            low, high = ordered[min(max(rank - reach, 0), 7)], ordered[min(rank + reach, 7)]
            hits += low <= mine <= high
            blind += Fraction(sum(low <= x <= high for x in original), rows * rows * 2)
    assert found.hits == hits
    assert found.baseline == pytest.approx(float(blind))


def test_numbers_must_pair_up() -> None:
    with pytest.raises(BadData, match="the shapes"):
        MaskedNumbers(np.zeros((2, 1)), np.zeros((3, 1)))
    with pytest.raises(BadData, match="missing or infinite"):
        MaskedNumbers(np.zeros((1, 1)), np.full((1, 1), np.nan))
