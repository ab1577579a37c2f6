"""The style sheet: text can be read on its ground, and before can be told from after without colour.

Covers evidence/tables/report.
"""

import re
from html.parser import HTMLParser
from importlib.resources import files

import pytest
from tests.evidence.example_release import example_release

from tacit.evidence.tables.report import render_report

CSS = files("tacit.evidence").joinpath("report.css").read_text("utf-8")
LIGHT, DARK = (
    dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6})", block)) for block in re.findall(r":root \{[^}]*\}", CSS)[:2]
)

TEXT_ON_GROUND = [
    *[("ink", ground) for ground in ("paper", "sheet", "good-tint", "bad-tint", "faint", "zone")],
    *[("soft", ground) for ground in ("paper", "sheet", "good-tint", "bad-tint")],
    *[("good", "good-tint"), ("bad", "bad-tint"), ("after", "paper")],
]


def luminance(colour: str) -> float:
    """Relative luminance of an sRGB colour (WCAG 2.2)."""
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def test_contrast_of_black_and_white_is_21() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize(("text", "ground"), TEXT_ON_GROUND, ids=str)
def test_text_has_the_contrast_that_wcag_asks_for(theme: dict[str, str], text: str, ground: str) -> None:
    assert contrast(theme[text], theme[ground]) >= 4.5


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_before_and_after_differ_in_lightness_and_stand_out(theme: dict[str, str]) -> None:
    assert contrast(theme["before"], theme["after"]) >= 2.5
    assert contrast(theme["before-edge"], theme["paper"]) >= 3
    assert contrast(theme["after"], theme["paper"]) >= 3


def test_every_colour_that_is_used_is_defined_for_light_and_dark() -> None:
    used = set(re.findall(r"var\(--([\w-]+)\)", CSS)) - {"serif", "sans", "mono", "width"}
    assert used <= set(LIGHT) == set(DARK)


def test_dark_colours_never_reach_paper() -> None:
    assert "@media screen and (prefers-color-scheme: dark)" in CSS
    assert "@media (prefers-color-scheme" not in CSS


class Boxes(HTMLParser):
    """How many tables of a page stand in a box that scrolls, and how many do not."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[bool] = []
        self.inside = self.outside = 0
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "div":
            self.open.append("scroll" in (dict(attrs).get("class") or "").split())
        if tag == "table":
            self.inside += any(self.open)
            self.outside += not any(self.open)

    def handle_endtag(self, tag: str) -> None:
        if tag == "div":
            self.open.pop()


def test_a_table_outside_a_box_is_seen() -> None:
    found = Boxes('<div class="scroll"><table></table></div><div><table></table></div>')
    assert (found.inside, found.outside) == (1, 1)


def test_every_wide_table_stands_in_a_box_that_scrolls() -> None:
    """On a narrow screen a table that is too wide is scrolled, and the page is not."""
    found = Boxes(render_report(example_release()))
    assert found.inside >= 8
    assert found.outside == 0
