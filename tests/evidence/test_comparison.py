"""Comparisons: who dominates whom, the map, and a page that is silent towards the outside.

Covers comparison/comparison, comparison/page, comparison/summary, risk_utility_map, evidence/environment.
"""

import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.evidence.example_release import example_release, findings
from tests.evidence.page import Page
from tests.examples import examples

from tacit.evidence.comparison.comparison import ComparisonAxis, ComparisonReport, TriedCandidate, marked, undominated
from tacit.evidence.comparison.page import render_comparison, write_comparison
from tacit.evidence.comparison.risk_utility_map import RADIUS, Anchor, AxisScale, Rectangle, place_labels, scale_of
from tacit.evidence.comparison.summary import comparison_lines, snippet
from tacit.evidence.comparison.summary import findings as found_in
from tacit.evidence.numerals import clean

AVERAGE = ComparisonAxis(name="average", title="average risk")
LOSS = ComparisonAxis(name="loss", title="loss")
PRECISION = ComparisonAxis(name="precision", title="precision", better="higher")
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
FLAGS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--hide-scrollbars"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
)
REQUESTS = {"src", "srcset", "action", "formaction", "poster", "background", "data", "ping", "xlink:href", "cite"}
HOSTILE = ('"><script>alert(1)</script>', "</title></style><img src=x>", "{{ 7 * 7 }}", "\x1b[31m", "</svg></desc>")


def tried(name: str, loss: float, risk: float, **more: Any) -> TriedCandidate:
    """A candidate with these figures."""
    figures = example_release().body.risk_after.model_copy(update={"prosecutor_average": risk})
    usual: dict[str, Any] = {
        "name": name,
        "method": name.split()[0],
        "guarantees": findings(),
        "keeps_plan": True,
        "risk": figures,
        "metrics": {"loss": loss, "precision": 1 - loss, "discernibility": 1234567.0},
        "classes": 412,
        "suppressed_rows": 31,
        "suppressed_share": 31 / 30_162,
        "seconds": 1.5,
    }
    return TriedCandidate(**{**usual, **more})


def example(*rows: TriedCandidate, **more: Any) -> ComparisonReport:
    release = example_release()
    usual: dict[str, Any] = {
        "created": "2026-02-11T09:42:17+00:00",
        "title": "adult.csv",
        "input": release.input,
        "counted": "rows",
        "before": release.body.risk_before,
        "promised": release.promises_before,
        "risk": (AVERAGE,),
        "utility": (LOSS,),
        "rows": rows or some_rows(),
        "skipped": {"tables/local": "tables/local needs the package numba"},
        "notes": ("a note",),
        "command": "tacit protect plan.yaml",
        "versions": {"tacit": "0.1.0"},
    }
    return marked(ComparisonReport(**{**usual, **more}))


def some_rows() -> tuple[TriedCandidate, ...]:
    """Seven that were made, two of them at one point, one weaker than promised; one that could not be made."""
    return (
        tried("tables/lattice", 0.30, 0.01, optimal=True),
        tried("tables/mondrian k=5", 0.12, 0.09, changes={"method": "tables/mondrian"}),
        tried("tables/mondrian k=5 labels=sets", 0.12, 0.09, changes={"method": "tables/mondrian"}),
        tried("tables/local k=2", 0.03, 0.31, keeps_plan=False),
        tried("tables/local k=5", 0.05, 0.15, changes={"method": "tables/local"}),
        tried("tables/cluster", 0.06, 0.18),
        tried("tables/specialize", 0.31, 0.2),
        TriedCandidate(name="tables/suppress", method="tables/suppress", failed="no release keeps the promise"),
    )


GRID = st.lists(
    st.lists(
        st.one_of(st.integers(0, 4).map(float), st.just(float("nan")), st.just(float("inf"))), min_size=3, max_size=3
    ),
    max_size=12,
)


@given(GRID)
def test_marks_are_those_of_the_definition(points: list[list[float]]) -> None:
    """Brute force: nobody with all measures known is as good everywhere and better somewhere."""

    def beats(one: list[float], other: list[float]) -> bool:
        known = all(value == value for value in one)
        return known and all(a <= b for a, b in zip(one, other, strict=True)) and one != other

    wanted = [
        all(value == value for value in point) and not any(beats(other, point) for other in points) for point in points
    ]
    assert undominated(np.array(points, dtype=np.float64).reshape(len(points), 3)).tolist() == wanted


def test_the_last_digit_of_a_sum_decides_nothing() -> None:
    assert undominated(np.array([[0.1 + 0.2, 1.0], [0.3, 1.0]])).tolist() == [True, True]
    assert undominated(np.array([[0.3 + 1e-9, 1.0], [0.3, 1.0]])).tolist() == [False, True]


def test_directions_come_from_the_axes() -> None:
    rows = (tried("a", 0.1, 0.2), tried("b", 0.2, 0.1), tried("c", 0.3, 0.3))
    by_loss = example(*rows)
    by_precision = example(*rows, utility=(PRECISION,))
    assert (
        [row.undominated for row in by_loss.rows]
        == [row.undominated for row in by_precision.rows]
        == [True, True, False]
    )
    wrong = example(*rows, utility=(PRECISION.model_copy(update={"better": "lower"}),))
    assert [row.undominated for row in wrong.rows] == [False, True, True]


def test_the_best_keeps_the_plan_and_loses_least() -> None:
    found = example()
    best = found.best()
    assert best is not None
    assert best.name == "tables/local k=5"
    assert [row.name for row in found.rows if row.undominated] == [
        "tables/lattice",
        "tables/mondrian k=5",
        "tables/mondrian k=5 labels=sets",
        "tables/local k=2",
        "tables/local k=5",
    ]
    assert example(tried("a", 0.1, 0.2, keeps_plan=False)).best() is None
    assert "7 of 8 candidates made, 5 not beaten; best tables/local k=5, loss 0.0500" in repr(found)


def test_one_that_promises_less_does_not_rule_out_what_keeps_the_plan() -> None:
    weaker = tried("weaker", 0.1, 0.2, keeps_plan=False)
    found = marked(example(weaker, tried("risky", 0.3, 0.4), tried("kept", 0.3, 0.2), tried("coarse", 0.5, 0.2)))
    assert [row.name for row in found.rows if row.undominated] == ["weaker"]
    best = found.best()
    assert best is not None
    assert best.name == "kept"
    wins = "kept loses least, 30.0 %, among those that keep the plan's guarantees"
    assert any(wins in line for line in lines_of(found))
    assert marked(example(weaker)).best() is None


def test_data_without_rows_and_classes_shows_neither() -> None:
    bare = tried("bare", 0.1, 0.2, classes=None, suppressed_rows=None, suppressed_share=None)
    of_rows = marked(example(tried("whole", 0.1, 0.2)))
    found = marked(example(bare, input=of_rows.input.model_copy(update={"rows": None})))
    for comparison, shown in ((of_rows, True), (found, False)):
        assert ("suppressed" in " ".join(lines_of(comparison))) == shown
        assert (" rows;" in lines_of(comparison)[0]) == shown
        assert ('<th scope="col">classes</th>' in render_comparison(comparison)) == shown


def lines_of(comparison: ComparisonReport) -> list[str]:
    return comparison_lines(comparison, "plan.yaml")


def test_a_comparison_survives_json() -> None:
    found = example(tried("a", 0.1, 0.2, metrics={"loss": 0.1, "wasserstein": float("inf")}))
    assert ComparisonReport.model_validate_json(found.model_dump_json()) == found


BOXES = st.builds(
    Anchor,
    st.floats(60, 740),
    st.floats(40, 360),
    st.tuples(st.text("abc =.", min_size=1, max_size=40), st.text("0123", min_size=1, max_size=2)),
)


@given(st.lists(BOXES, max_size=25))
@examples(60)
def test_labels_cover_neither_points_nor_each_other(anchors: list[Anchor]) -> None:
    frame = Rectangle(52, 26, 760, 372)
    line = Rectangle(300, 26, 302, 372)
    placed = [one for one in place_labels(anchors, frame, [line]) if one is not None]
    for i, one in enumerate(placed):
        assert one.box.within(frame)
        assert not one.box.meets(line)
        assert not any(one.box.meets(other.box) for other in placed[:i])
        for anchor in anchors:
            near = Rectangle(anchor.x - RADIUS, anchor.y - RADIUS, anchor.x + RADIUS, anchor.y + RADIUS)
            assert not one.box.meets(near)


def test_a_lonely_point_gets_its_name_and_a_crowded_one_its_number() -> None:
    frame = Rectangle(52, 26, 760, 372)
    (alone,) = place_labels([Anchor(400, 200, ("tables/lattice", "1"))], frame)
    assert alone is not None
    assert alone.text == "tables/lattice"
    narrow = place_labels([Anchor(60, 60, ("a very long name of a candidate", "1"))], Rectangle(52, 26, 112, 112))
    assert [one.text for one in narrow if one is not None] == ["1"]


@given(st.lists(st.floats(0, 1e6), min_size=1, max_size=9), st.booleans())
def test_a_scale_holds_all_values_and_has_round_ticks(values: list[float], backwards: bool) -> None:
    scale = scale_of(values, "loss", True, backwards)
    assert all(-1e-9 <= scale.place(value) <= 1 + 1e-9 for value in values)
    places = [scale.place(value) for value in sorted(values)]
    assert places == (sorted(places, reverse=True) if backwards else sorted(places))
    ticks = scale.ticks()
    assert 1 <= len(ticks) <= 8
    assert all(-1e-9 <= scale.place(tick) <= 1 + 1e-9 for tick in ticks)


def test_ticks_are_multiples_of_one_two_or_five() -> None:
    assert AxisScale("loss", 0.0, 0.5).ticks() == [0.0, 0.1, 0.2, 0.3, 0.4, 0.5]
    assert AxisScale("loss", 1.3, 0.0).ticks() == [0.0, 0.5, 1.0]


def test_the_page_asks_for_nothing_from_outside() -> None:
    page = Page(render_comparison(example()))
    assert not {name for _, name, _ in page.attributes} & REQUESTS
    assert not {tag for tag, _ in page.tags} & {"script", "link", "img", "iframe", "object", "embed", "base", "use"}
    for tag, name, value in page.attributes:
        assert not name.startswith("on")
        assert "url(" not in value
        assert "//" not in value, (tag, name)
    assert not re.search(r"url\(|@import|@font-face|//|expression", page.style)
    policy = next(value for value in page.values("content") if "default-src" in value)
    assert "default-src 'none'" in policy
    assert len(page.values("id")) == len(set(page.values("id")))


def test_every_colour_of_the_page_is_defined() -> None:
    style = Page(render_comparison(example())).style
    used = set(re.findall(r"var\(--([\w-]+)\)", style)) - {"width"}
    assert used <= set(re.findall(r"--([\w-]+):", style))


def test_the_page_shows_every_candidate_and_figure() -> None:
    found = example()
    page = Page(render_comparison(found))
    shown = page.numbers()
    for row in found.made:
        assert row.name in page.text
        assert row.risk is not None
        figures = [row.risk.prosecutor_highest, row.risk.prosecutor_average, row.risk.above, *row.metrics.values()]
        assert {*figures, row.seconds, row.suppressed_share} <= shown
    assert "not made: no release keeps the promise" in page.text
    assert "needs the package numba" in page.text
    assert "weaker than the plan promises" in page.text
    assert "No release was written" in page.text


@pytest.mark.parametrize("text", HOSTILE)
def test_names_never_become_markup(text: str) -> None:
    def named(name: str) -> Page:
        row = tried(name, 0.1, 0.2, changes={name: name})
        failed = TriedCandidate(name=name, method="m", failed=name)
        return Page(
            render_comparison(example(row, failed, title=name, notes=(name,), skipped={name: name}, command=name))
        )

    hostile = named(text)
    assert hostile.tags == named("x").tags
    assert clean(text).split()[0] in hostile.text


def test_a_comparison_in_which_nothing_could_be_made_is_shown() -> None:
    found = example(TriedCandidate(name="a", method="a", failed="too few people"))
    assert "There is nothing to draw" in Page(render_comparison(found)).text
    lines = comparison_lines(found, "plan.yaml")
    assert "No candidate keeps what the plan promises." in lines
    assert any("a: not made: too few people" in line for line in lines)


def test_many_guarantees_are_counted_and_memory_is_not_told() -> None:
    row = example().made[0]
    many = row.model_copy(update={"guarantees": row.guarantees[:1] * 21})
    assert found_in(many) == "21 of 21 hold"
    told = example().model_copy(update={"promised": row.guarantees[:1] * 21})
    assert "found: how many of the 21 guarantees hold" in comparison_lines(told, "plan.yaml")
    assert "is how many of the 21 guarantees hold." in Page(render_comparison(told)).text
    page = Page(render_comparison(example())).text
    assert "memory" not in page
    assert "domina" not in page


@pytest.mark.parametrize(("values", "cut"), [((0.62, 0.65), True), ((0.1, 0.65), False)])
def test_an_axis_that_does_not_begin_at_0_says_so(values: tuple[float, float], cut: bool) -> None:
    rows = [tried(f"tables/m{i}", value, 0.1 + i / 10) for i, value in enumerate(values)]
    html = render_comparison(marked(example(*rows)))
    assert ("begins at 62" in html) == cut
    assert (html.count('class="tear"') > 0) == cut


def test_the_lines_mark_and_explain() -> None:
    lines = comparison_lines(example(), "plan.yaml", ("discernibility",))
    by_name = {line[3:].split("  ")[0]: line for line in lines}
    assert by_name["tables/lattice"].startswith("*  ")
    assert by_name["tables/local k=2"].startswith("*- ")
    assert by_name["tables/cluster"].startswith("   ")
    assert "1,234,567" in by_name["tables/cluster"]
    assert "  method: tables/local" in lines
    assert all(line.isascii() for line in lines)
    assert "- weaker than the plan promises" in "\n".join(lines)


def test_the_snippet_is_a_part_of_a_plan() -> None:
    import yaml

    row = tried("a", 0.1, 0.2, changes={"method": "tables/local", "guarantees": [{"k-anonymity": {"k": 2}}]})
    assert yaml.safe_load(snippet(row)) == {"release": row.changes}
    assert yaml.safe_load(snippet(tried("a", 0.1, 0.2))) is None


@pytest.mark.slow
@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here to draw the page with")
@pytest.mark.parametrize("width", [1200, 500])
def test_chromium_draws_the_page(tmp_path: Path, width: int) -> None:
    page, picture = tmp_path / "compare.html", tmp_path / "page.png"
    write_comparison(example(), page)
    words = [str(CHROMIUM), *FLAGS, f"--user-data-dir={tmp_path / 'profile'}", f"--window-size={width},1600"]
    text = subprocess.run(
        [*words, "--dump-dom", page.as_uri()], capture_output=True, text=True, timeout=120, check=True
    )
    assert text.stdout.count('class="drawing map"') == 2
    subprocess.run([*words, f"--screenshot={picture}", page.as_uri()], capture_output=True, timeout=120, check=True)
    assert picture.stat().st_size > 20_000
