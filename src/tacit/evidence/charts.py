"""The report's pictures as inline SVG, drawn by plain functions on plain values.

Each has a title and a description in words. Colours are names of the style sheet, so that they change with light, dark
and paper; before and after differ in lightness and in outline too, so that they can be told apart without colour.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from tacit.evidence.numerals import chosen, measure
from tacit.evidence.svg import SvgWords, disc, drawing, element, label, percent, strip

NARROWER = 430.0
MOST_RUNGS = 12
LAST_TICK = 0.96
NICE_TOPS = (0.04, 0.08, 0.2, 0.4, 0.6, 0.8, 1.0)
DOTS = {"alone": 4.6, "above": 3.9, "safe": 2.2}


@dataclass(frozen=True)
class RiskBands:
    """The shares of people in each band of risk, before or after."""

    kind: str
    shares: tuple[float, ...]


def risk_columns(edges: Sequence[float], sides: Sequence[RiskBands], threshold: float, words: SvgWords) -> Markup:
    """People by their risk: one column for each side in each band, the band's edges marked below."""
    left, top, floor = 38.0, 26.0, 206.0
    bands = max(len(edges) - 1, 1)
    step = (NARROWER - left - 8) / bands
    highest = max([value for one in sides for value in one.shares], default=0.0)
    scale = next((nice for nice in NICE_TOPS if highest <= nice), 1.0)
    parts = _grid(left, top, floor, scale)
    wide = step * 0.76 / max(len(sides), 1)
    for order, one in enumerate(sides):
        for band, value in enumerate(one.shares[:bands]):
            tall = (floor - top) * value / scale
            x = left + step * (band + 0.12) + wide * order
            parts.append(element("rect", x=x, y=floor - tall, width=wide, height=tall, class_=one.kind))
    for position, edge in enumerate(edges):
        parts.append(label(f"{100 * edge:.3g}", left + step * position, floor + 16, "middle", "tick"))
    parts.append(label("risk of being recognised, %", (left + NARROWER) / 2, floor + 36, "middle", "axis-name"))
    parts += _threshold(edges, threshold, left, step)
    return drawing(words, NARROWER, floor + 44, *parts)


def _grid(left: float, top: float, floor: float, scale: float) -> list[Markup]:
    parts = [label("share of people", 0, 10, "start", "axis-name")]
    for quarter in range(5):
        y = floor - (floor - top) * quarter / 4
        kind = "axis" if quarter == 0 else "grid"
        parts.append(element("line", x1=left, y1=y, x2=NARROWER, y2=y, class_=kind))
        parts.append(label(f"{100 * scale * quarter / 4:g}", left - 7, y + 4, "end", "tick"))
    return parts


def _threshold(edges: Sequence[float], threshold: float, left: float, step: float) -> list[Markup]:
    band = next((i for i in range(len(edges) - 1) if edges[i] <= threshold <= edges[i + 1]), None)
    if band is None:
        return []
    x = left + step * (band + (threshold - edges[band]) / ((edges[band + 1] - edges[band]) or 1.0))
    anchor = "end" if x > NARROWER * 0.6 else "start"
    return [
        element("line", x1=x, y1=18, x2=x, y2=206, class_="bound"),
        label(f"threshold {chosen(threshold)}", x + (-5 if anchor == "end" else 5), 22, anchor, "bound-name"),
    ]


@dataclass(frozen=True)
class DotPanel:
    """One panel of a hundred dots: the shares of people alone in their class, and above the threshold."""

    name: str
    alone: float
    above: float


def people_grid(panels: Sequence[DotPanel], words: SvgWords) -> Markup:
    """A hundred dots for everybody, in one panel for each crowd.

    A share is rounded up to whole dots, so that nobody at risk is rounded away.
    """
    names, paths = [], {"alone": "", "above": "", "safe": ""}
    for place, crowd in enumerate(panels):
        shift, alone, above = place * 156.0, dots(crowd.alone), dots(crowd.above)
        names.append(label(crowd.name, shift + 60, 136, "middle", "head"))
        for dot in range(100):
            kind = "alone" if dot < alone else "above" if dot < above else "safe"
            paths[kind] += disc(shift + 6 + 12 * (dot % 10), 6 + 12 * (dot // 10), DOTS[kind])
    drawn = [element("path", d=path, class_=kind) for kind, path in paths.items() if path]
    return drawing(words, 156.0 * len(panels) - 36, 140, *drawn, *names)


def dots(part: float) -> int:
    """How many of a hundred dots stand for a share, rounded up (up to the noise of floating-point numbers)."""
    return min(math.ceil(100 * part - 1e-9), 100)


def bar(part: float, words: SvgWords) -> Markup:
    """One share on its track."""
    track = element("rect", x=0, y=1, width="100%", height=10, class_="track")
    fill = element("rect", x=0, y=1, width=percent(part), height=10, class_="after")
    return strip(words, 12, track, fill)


def pair(before: float, after: float, words: SvgWords, of_all: bool = False) -> Markup:
    """Two lengths, before above after; `of_all` shows on a track that the whole width stands for everybody."""
    track = [element("rect", x=0, y=0, width="100%", height=16, class_="whole")] if of_all else []
    upper = element("rect", x=0.5, y=1, width=percent(before), height=6, class_="before")
    lower = element("rect", x=0.5, y=8, width=percent(after), height=7, class_="after")
    return strip(words, 16, *track, *([upper] if before else []), *([lower] if after else []))


def ladder(level: int, height: int, words: SvgWords) -> Markup:
    """The rungs of a hierarchy, filled up to the level that was published; a tall one has several levels a rung."""
    rungs = min(max(height, 1), MOST_RUNGS)
    filled = math.ceil(level * rungs / max(height, 1))
    tall = [12 * (rung + 1) / rungs for rung in range(rungs)]
    steps = [
        element("rect", x=8 * rung, y=14 - up, width=6, height=2 + up, class_="after" if rung < filled else "rung")
        for rung, up in enumerate(tall)
    ]
    return drawing(words, 8 * rungs, 16, *steps, kind="ladder")


def nice_ticks(top: float, most: int = 6) -> list[float]:
    """Round values from 0 up to `top`, at most so many besides 0."""
    if not 1e-100 < top < 1e100:
        return [0.0]
    power = 10.0 ** math.floor(math.log10(top / most))
    step = next(step * power for step in (1.0, 2.0, 5.0, 10.0) if top / (step * power) <= most)
    return [float(f"{i * step:.12g}") for i in range(math.floor(top / step + 1e-9) + 1)]


def _ticks(top: float) -> list[Markup]:
    """The numbers below a scale that runs from 0 to `top`."""
    parts = []
    for value in nice_ticks(top):
        at = percent(value / top)
        anchor = "start" if value == 0 else "end" if value / top > LAST_TICK else "middle"
        parts.append(element("line", x1=at, y1=12, x2=at, y2=16, class_="axis"))
        parts.append(element("text", measure(value), x=at, y=28, text_anchor=anchor, class_="tick"))
    return parts


def gauge(measured: float, bound: float, before: float | None, at_least: bool) -> Markup:
    """A measure beside its bound, on a scale from 0: the safe side tinted, the bound a stroke, before a ring, after a
    dot."""
    values = [value for value in (measured, bound, before) if value is not None and math.isfinite(value)]
    top = 1.15 * max([abs(value) for value in values], default=0.0) or 1.0
    spoken = f"bound {measure(bound)}, measured {measure(measured)}"
    spoken += "" if before is None else f", before {measure(before)}"
    edge = min(max(bound / top, 0.0), 1.0) if math.isfinite(bound) else 1.0
    safe = (percent(edge), percent(1 - edge)) if at_least else ("0%", percent(edge))
    parts = [
        element("rect", x=0, y=7, width="100%", height=4, class_="track"),
        element("rect", x=safe[0], y=7, width=safe[1], height=4, class_="safe-side"),
        element("line", x1=percent(edge), y1=1, x2=percent(edge), y2=17, class_="bound solid"),
    ]
    if before is not None:
        parts.append(element("circle", cx=_inside(before / top), cy=9, r=4, class_="ring"))
    parts.append(element("circle", cx=_inside(measured / top), cy=9, r=4.5, class_="dot"))
    return strip(SvgWords("Measure beside its bound", spoken), 32, *parts, *_ticks(top))


def _inside(position: float) -> str:
    return percent(min(max(position, 0.02), 0.98))
