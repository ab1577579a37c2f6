"""The charts: lengths follow the values, marks stand where they belong, words say the same.

Covers svg, figures.
"""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.evidence.page import Page

from tacit.evidence.charts import (
    DotPanel,
    RiskBands,
    bar,
    dots,
    gauge,
    ladder,
    nice_ticks,
    pair,
    people_grid,
    risk_columns,
)
from tacit.evidence.svg import SvgWords, element

WORDS = SvgWords("title", "description")
SHARES = st.floats(0, 1)
ANY = st.floats(allow_nan=True, allow_infinity=True)


def lengths(picture: str, kind: str, along: str) -> list[float]:
    """The lengths of the rectangles of one kind, in the order of drawing."""
    rects = re.findall(r"<rect ([^>]*)>", picture)
    return [float(re.search(rf'\b{along}="([\d.]+)%?"', rect)[1]) for rect in rects if f'class="{kind}"' in rect]  # type: ignore[index]


# Heights are written with two decimals: half a hundredth off, and the last digit of a float.
@given(st.lists(SHARES, min_size=3, max_size=3), st.lists(SHARES, min_size=3, max_size=3))
def test_columns_are_as_tall_as_their_shares(before: list[float], after: list[float]) -> None:
    sides = [RiskBands("before", tuple(before)), RiskBands("after", tuple(after))]
    picture = risk_columns((0.0, 0.2, 0.5, 1.0), sides, 0.2, WORDS)
    top = float(re.findall(r">([\d.]+)</text>", picture)[4]) / 100
    assert top >= max(*before, *after) - 1e-9
    assert lengths(picture, "before", "height") == pytest.approx([180 * one / top for one in before], abs=0.005 + 1e-9)
    assert lengths(picture, "after", "height") == pytest.approx([180 * one / top for one in after], abs=0.005 + 1e-9)


@pytest.mark.parametrize(("threshold", "place"), [(0.2, 1.0), (0.35, 1.5), (1.0, 3.0), (0.0, 0.0)])
def test_the_threshold_stands_between_its_edges(threshold: float, place: float) -> None:
    picture = risk_columns((0.0, 0.2, 0.5, 1.0), [RiskBands("before", (0.1, 0.2, 0.7))], threshold, WORDS)
    ticks = [float(x) for x in re.findall(r'<text x="([\d.]+)"[^>]*text-anchor="middle" class="tick"', picture)]
    line = float(re.search(r'<line x1="([\d.]+)"[^>]*class="bound"', picture)[1])  # type: ignore[index]
    assert line == pytest.approx(ticks[0] + place * (ticks[1] - ticks[0]), abs=0.02)


def test_a_threshold_beyond_the_edges_is_left_out() -> None:
    assert 'class="bound"' not in risk_columns((0.0, 0.5), [RiskBands("before", (1.0,))], 0.7, WORDS)


@given(SHARES, SHARES)
def test_a_hundred_dots_stand_for_everybody(one: float, other: float) -> None:
    alone, above = sorted((one, other))
    picture = people_grid([DotPanel("before", alone, above)], WORDS)
    drawn = {kind: path.count("M") for path, kind in re.findall(r'<path d="([^"]*)" class="(\w+)"', picture)}
    assert sum(drawn.values()) == 100
    assert drawn.get("alone", 0) == dots(alone)
    assert drawn.get("alone", 0) + drawn.get("above", 0) == dots(above)


@given(st.integers(1, 10**6), st.integers(0, 10**6))
def test_nobody_at_risk_is_rounded_away(people: int, some: int) -> None:
    some = min(some, people)
    exact = -(-100 * some // people)
    assert dots(some / people) == exact


@given(st.integers(0, 12), st.integers(1, 12))
def test_a_ladder_is_filled_up_to_its_level(level: int, height: int) -> None:
    level = min(level, height)
    picture = ladder(level, height, WORDS)
    assert len(lengths(picture, "after", "height")) == level
    assert len(lengths(picture, "rung", "height")) == height - level


def test_a_tall_ladder_stays_small_and_shows_that_something_was_done() -> None:
    picture = ladder(1, 10**6, WORDS)
    assert len(lengths(picture, "after", "height")) == 1
    assert len(lengths(picture, "rung", "height")) == 11


@given(SHARES, SHARES)
def test_strips_are_as_long_as_their_shares(before: float, after: float) -> None:
    assert lengths(bar(after, WORDS), "after", "width") == pytest.approx([100 * after], abs=0.005)
    drawn = pair(before, after, WORDS)
    assert lengths(drawn, "before", "width") == pytest.approx([100 * before] if before else [], abs=0.005)
    assert lengths(drawn, "after", "width") == pytest.approx([100 * after] if after else [], abs=0.005)


@given(ANY, ANY, st.none() | ANY, st.booleans())
def test_a_gauge_can_show_any_number(measured: float, bound: float, before: float | None, at_least: bool) -> None:
    page = Page(gauge(measured, bound, before, at_least))
    for name in ("x", "width", "x1", "cx"):
        for value in page.values(name):
            assert 0 <= float(value.rstrip("%")) <= 100


def test_a_gauge_puts_the_measure_on_its_side_of_the_bound() -> None:
    page = Page(gauge(6.0, 5.0, 1.0, at_least=True))
    before, after = (float(value.rstrip("%")) for value in page.values("cx"))
    bound = float(page.values("x1")[0].rstrip("%"))
    assert before < bound < after
    assert page.values("x")[1] == page.values("x1")[0]


@pytest.mark.slow
@given(st.text(max_size=40))
def test_words_are_escaped(text: str) -> None:
    plain = Page(bar(0.5, SvgWords("x", "x")))
    assert Page(bar(0.5, SvgWords(text, text))).tags == plain.tags


@given(st.text(max_size=40))
def test_attributes_are_escaped(text: str) -> None:
    page = Page(element("rect", class_=f'"><script>{text}', x=1))
    assert page.tags == [("rect", ("class", "x"))]


@given(st.floats(1e-12, 1e12))
def test_ticks_are_few_round_and_cover_the_scale(top: float) -> None:
    ticks = nice_ticks(top)
    assert ticks[0] == 0
    assert 2 <= len(ticks) <= 7
    assert ticks[-1] <= top * (1 + 1e-9)
    step = ticks[1]
    assert float(f"{step:.0e}") == pytest.approx(step)
    assert top - ticks[-1] < step * (1 + 1e-9)
    assert ticks == pytest.approx([i * step for i in range(len(ticks))])


def test_a_scale_has_numbers() -> None:
    assert re.findall(r'class="tick">([^<]+)<', gauge(6.0, 5.0, 1.0, at_least=True)) == ["0", "2", "4", "6"]
