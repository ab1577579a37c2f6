"""Every word next to a border is decided as exact arithmetic would, whatever bits follow.

Covers randomness/table.
"""

from fractions import Fraction
from itertools import accumulate

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.randomness.scripted import ScriptedBits
from tests.randomness.tolerance import frequencies_fit

from tacit.randomness.enclosure import enclose
from tacit.randomness.stream import RandomBits
from tacit.randomness.table import CellTable, Weights


def _table(weights: list[Fraction]) -> CellTable:
    return CellTable(lambda precision: Weights(tuple(enclose(weight, precision) for weight in weights)))


def _cell(weights: list[Fraction], uniform: Fraction) -> int:
    """The cell of a uniform number by exact arithmetic."""
    borders = list(accumulate(weight / sum(weights) for weight in weights))
    return next(i for i, border in enumerate(borders) if uniform < border)


@pytest.mark.slow
@given(st.lists(st.fractions(Fraction(1, 50), 3), min_size=2, max_size=6), st.data())
def test_words_at_the_borders_fall_where_exact_arithmetic_puts_them(weights, data):
    table = _table(weights)
    border = data.draw(st.sampled_from(list(accumulate(weight / sum(weights) for weight in weights))))
    first = min(2**64 - 1, max(0, int(border * 2**64) + data.draw(st.integers(-2, 2))))
    following = data.draw(st.lists(st.integers(1000, 2**64 - 1000), min_size=4, max_size=4))
    bits = ScriptedBits([first, *following])
    cell = table.draw(1, bits)[0]
    uniform = sum(Fraction(word, 2 ** (64 * (i + 1))) for i, word in enumerate([first, *following]))
    assert cell == _cell(weights, uniform)


def test_a_word_at_a_border_draws_more_bits_and_others_do_not():
    table = _table([Fraction(1), Fraction(2)])
    third = 2**64 // 3  # 0x5555…, the binary expansion of 1/3 goes on for ever
    assert table.draw(1, ScriptedBits([third - 1]))[0] == 0
    assert table.draw(1, ScriptedBits([third + 1]))[0] == 1
    for following, cell in ((third - 1, 0), (third + 1, 1)):
        bits = ScriptedBits([third, third, following])
        assert table.draw(1, bits)[0] == cell
        assert bits.left == 0


def test_an_infinite_table_lists_more_cells_when_a_draw_needs_them():
    def halves(precision: int) -> Weights:
        number = precision // 2
        return Weights(
            tuple(enclose(Fraction(1, 2**k), precision) for k in range(number)), 1 << (precision - number + 1)
        )

    top = 2**64 - 1
    # a uniform number a little above 1 - 2**-128 lies in the cell that begins there: 1 - 2**-k begins cell k
    assert CellTable(halves).draw(1, ScriptedBits([top, top, 5, 0, 0]))[0] == 128


@pytest.mark.parametrize(("weights", "fit"), [((1, 2, 3, 4), True), ((1, 2, 3.6, 4), False)])
def test_frequencies(weights, fit):
    drawn = _table([Fraction(weight) for weight in weights]).draw(200_000, RandomBits.from_seed(1))
    assert frequencies_fit(drawn, np.array([0.1, 0.2, 0.3, 0.4])) is fit
