"""Elements of inline SVG, escaped by construction: a child that is not markup already is text."""

import math
from dataclasses import dataclass

from markupsafe import Markup, escape

from tacit.evidence.numerals import clean


@dataclass(frozen=True)
class SvgWords:
    """What a picture is and what it shows, for those who can't see it."""

    title: str
    description: str


def element(name: str, *children: str, **attributes: str | float) -> Markup:
    """One element; `class_` becomes `class`, an underscore in an attribute's name a hyphen."""
    written = [f' {key.rstrip("_").replace("_", "-")}="{_written(value)}"' for key, value in attributes.items()]
    inner = [child if isinstance(child, Markup) else escape(clean(child)) for child in children]
    return Markup(f"<{name}{''.join(written)}>{''.join(inner)}</{name}>")


def _written(value: str | float) -> str:
    if isinstance(value, str):
        return escape(clean(value))
    return f"{value:.2f}".rstrip("0").rstrip(".")


def label(text: str, x: float, y: float, anchor: str = "start", kind: str = "label") -> Markup:
    """Text that stands at a point."""
    return element("text", text, x=x, y=y, text_anchor=anchor, class_=kind)


def disc(x: float, y: float, radius: float) -> str:
    """The path of a circle, for many in one element."""
    half = f"a{radius} {radius} 0 1 0"
    return f"M{_written(x - radius)} {_written(y)}{half} {2 * radius} 0{half} {-2 * radius} 0"


def drawing(words: SvgWords, width: float, height: float, *children: str, kind: str = "drawing") -> Markup:
    """A picture of fixed proportions that says in words what it shows."""
    return element(
        "svg",
        *_spoken(words),
        *children,
        class_=kind,
        role="img",
        viewBox=f"0 0 {_written(width)} {_written(height)}",
        style=f"--width:{_written(width)}px",
    )


def strip(words: SvgWords, height: float, *children: str) -> Markup:
    """A picture as wide as its place, whose parts are placed in percent of that width."""
    return element("svg", *_spoken(words), *children, class_="strip", role="img", width="100%", height=height)


def _spoken(words: SvgWords) -> tuple[Markup, Markup]:
    return element("title", words.title), element("desc", words.description)


def percent(value: float) -> str:
    """A position or width in percent of the picture, kept within it."""
    return "0%" if math.isnan(value) else f"{_written(100 * min(max(value, 0.0), 1.0))}%"
