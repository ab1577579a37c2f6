"""The risk–utility map as inline SVG: what is lost to the right, what is risked upwards, the best corner below left.

The staircase joins the candidates that no other dominates in the two measures drawn; what lies above or right of it is
tinted. Labels are put where they cover neither a point nor each other, with a thin line where they had to move away.
Where there is no room for a candidate's name its number in the table is shown, or nothing; every name is shown on
hover. A measure that should be high runs backwards, so that better is always left or below.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

import numpy as np
from markupsafe import Markup

from tacit.evidence.comparison.comparison import undominated
from tacit.evidence.numerals import NARROW, measure
from tacit.evidence.svg import SvgWords, drawing, element, label

LETTER = 6.4
HIGH = 13.0
RADIUS = 5.5
SAME = 1.5
THIN = 1.0
TEAR = 12.0
MOST_TICKS = 6
LEFT, RIGHT, TOP, BOTTOM = 52.0, 14.0, 30.0, 48.0
DISTANCES = (4.0, 14.0, 26.0)
DIRECTIONS = ((1, 0), (-1, 0), (0, -1), (0, 1), (0.7, -0.7), (0.7, 0.7), (-0.7, -0.7), (-0.7, 0.7))
LONGEST_SHARED = 24
Point = tuple[float, float]


@dataclass(frozen=True)
class Spot:
    """A candidate on the map; `kind` says how it is drawn, `about` is shown on hover."""

    x: float
    y: float
    number: int
    name: str
    about: str
    kind: Literal["best", "kept", "dominated"]
    weaker: bool = False


@dataclass(frozen=True)
class AxisScale:
    """A measure drawn along a length: from `first`, the better end, to `last`."""

    title: str
    first: float
    last: float
    is_share: bool = False

    def place(self, value: float) -> float:
        """Where the value stands between the ends, 0 to 1."""
        return (value - self.first) / ((self.last - self.first) or 1.0)

    def ticks(self) -> list[float]:
        """Round values between the ends."""
        low, high = sorted((self.first, self.last))
        step = _round_step((high - low) / MOST_TICKS)
        start = math.ceil(low / step - 1e-9)
        return [float(f"{i * step:.12g}") for i in range(start, math.floor(high / step + 1e-9) + 1)]

    @property
    def is_cut(self) -> bool:
        """Whether it begins above 0, so that lengths along it do not compare."""
        return min(self.first, self.last) > 0

    def written(self, value: float) -> str:
        """A tick's text."""
        return f"{100 * value:.4g}{NARROW}%" if self.is_share else measure(value)


def scale_of(values: Sequence[float], title: str, is_share: bool, backwards: bool) -> AxisScale:
    """A scale that holds all values with some room; it begins at 0 where that is not far off."""
    low, high = min(values, default=0.0), max(values, default=1.0)
    room = 0.1 * (high - low) or 0.1 * abs(high) or 0.1
    bottom = 0.0 if 0 <= low <= 0.5 * high or 0 <= low < room else low - room
    ends = (bottom, high + room)
    return AxisScale(title, *(ends[::-1] if backwards else ends), is_share)


def _round_step(least: float) -> float:
    power = 10.0 ** math.floor(math.log10(least))
    return next(step * power for step in (1.0, 2.0, 5.0, 10.0) if step * power >= least * (1 - 1e-9))


@dataclass(frozen=True)
class Rectangle:
    """A rectangle of the picture."""

    left: float
    top: float
    right: float
    bottom: float

    def meets(self, other: "Rectangle") -> bool:
        """Whether the two overlap."""
        apart = self.right <= other.left or other.right <= self.left
        return not (apart or self.bottom <= other.top or other.bottom <= self.top)

    def within(self, other: "Rectangle") -> bool:
        """Whether it lies inside the other."""
        across = other.left <= self.left and self.right <= other.right
        return across and other.top <= self.top and self.bottom <= other.bottom


@dataclass(frozen=True)
class Anchor:
    """A point that wants a label: its texts, the one that is liked best first."""

    x: float
    y: float
    texts: tuple[str, ...]


@dataclass(frozen=True)
class PlacedLabel:
    """A label and its box."""

    text: str
    box: Rectangle


def place_labels(
    anchors: Sequence[Anchor], frame: Rectangle, lines: Sequence[Rectangle] = ()
) -> list[PlacedLabel | None]:
    """A place for each label, the first served first: inside the frame, over no point, line or other label; or none."""
    taken = [*lines, *(Rectangle(a.x - RADIUS, a.y - RADIUS, a.x + RADIUS, a.y + RADIUS) for a in anchors)]
    found: list[PlacedLabel | None] = []
    for anchor in anchors:
        options = (PlacedLabel(text, box) for text in anchor.texts for box in _boxes(anchor, text))
        free = (one for one in options if one.box.within(frame) and not any(one.box.meets(other) for other in taken))
        placed = next(free, None)
        found.append(placed)
        taken += [] if placed is None else [placed.box]
    return found


def _boxes(anchor: Anchor, text: str) -> Iterator[Rectangle]:
    """Places for a label around its point, the nearest first."""
    wide = LETTER * len(text) + 2
    for far in DISTANCES:
        off = RADIUS + far
        for dx, dy in DIRECTIONS:
            left = anchor.x + dx * off - (0 if dx > 0 else wide if dx < 0 else wide / 2)
            middle = anchor.y + dy * (off + HIGH / 2)
            yield Rectangle(left, middle - HIGH / 2, left + wide, middle + HIGH / 2)


def risk_utility_map(
    spots: Sequence[Spot], scales: tuple[AxisScale, AxisScale], words: SvgWords, width: float
) -> Markup:
    """The map; `scales` are utility (across) and risk (upwards)."""
    height = min(0.68 * width, 420.0) if width > 500 else 0.95 * width
    frame = Rectangle(LEFT, TOP, width - RIGHT, height - BOTTOM)
    points = [_point(spot, scales, frame) for spot in spots]
    stairs = _stairs(points, frame)
    order = sorted(range(len(spots)), key=lambda i: ("best", "kept", "dominated").index(spots[i].kind))
    drawn = [*_frontier(stairs, frame), *_axes(scales, frame, height)]
    drawn += _labels([spots[i] for i in order], [points[i] for i in order], frame, stairs)
    drawn += [_dot(spots[i], points[i]) for i in reversed(order)]
    return drawing(words, width, height, *drawn, kind="drawing map")


def _point(spot: Spot, scales: tuple[AxisScale, AxisScale], frame: Rectangle) -> Point:
    across, up = scales[0].place(spot.x), scales[1].place(spot.y)
    return frame.left + across * (frame.right - frame.left), frame.bottom - up * (frame.bottom - frame.top)


def _stairs(points: Sequence[Point], frame: Rectangle) -> list[Point]:
    """The corners of the edge between what is dominated and what is not, from the top to the right."""
    costs = np.array([(x, -y) for x, y in points]).reshape(len(points), 2)
    best = sorted({points[i] for i in np.flatnonzero(undominated(costs)).tolist()})
    corners = [corner for (_, y), (x, after) in pairwise(best) for corner in ((x, y), (x, after))]
    return [(best[0][0], frame.top), best[0], *corners, (frame.right, best[-1][1])] if best else []


def _frontier(stairs: Sequence[Point], frame: Rectangle) -> list[Markup]:
    """The tinted part that is dominated, and its edge."""
    if not stairs:
        return []
    path = "M" + "L".join(f"{x:.2f} {y:.2f}" for x, y in stairs)
    tinted = element("path", d=f"{path}V{frame.top:.2f}Z", class_="beaten")
    return [tinted, element("path", d=path, class_="frontier")]


def _axes(scales: tuple[AxisScale, AxisScale], frame: Rectangle, height: float) -> list[Markup]:
    across, up = scales
    parts = [element("line", x1=frame.left, y1=frame.bottom, x2=frame.right, y2=frame.bottom, class_="axis")]
    for value in up.ticks():
        y = frame.bottom - up.place(value) * (frame.bottom - frame.top)
        parts.append(element("line", x1=frame.left, y1=y, x2=frame.right, y2=y, class_="grid"))
        parts.append(label(up.written(value), frame.left - 7, y + 4, "end", "tick"))
    for value in across.ticks():
        x = frame.left + across.place(value) * (frame.right - frame.left)
        parts.append(element("line", x1=x, y1=frame.bottom, x2=x, y2=frame.bottom + 4, class_="axis"))
        parts.append(label(across.written(value), x, frame.bottom + 17, "middle", "tick"))
    parts.append(label(f"{up.title} · ↓ better{_cut(up)}", 0, 13, "start", "axis-name"))
    parts.append(label(f"← better · {across.title}{_cut(across)}", frame.right, height - 8, "end", "axis-name"))
    parts += [_tear(frame.left + TEAR, frame.bottom)] if across.is_cut else []
    parts += [_tear(frame.left, frame.bottom - TEAR)] if up.is_cut else []
    return parts


def _cut(scale: AxisScale) -> str:
    """That a scale begins above 0, in words."""
    return f" · begins at {scale.written(float(f'{min(scale.first, scale.last):.2g}'))}" if scale.is_cut else ""


def _tear(x: float, y: float) -> Markup:
    """Two short strokes across an axis that leaves out a part."""
    strokes = "".join(f"M{x + shift - 3:.2f} {y + 5:.2f}l6 -10" for shift in (-2.0, 2.0))
    return element("path", d=strokes, class_="tear")


def _labels(spots: Sequence[Spot], points: Sequence[Point], frame: Rectangle, stairs: Sequence[Point]) -> list[Markup]:
    """The names beside their points; candidates at one point share a label."""
    groups: list[list[int]] = []
    for i, (x, y) in enumerate(points):
        near = (group for group in groups if math.dist(points[group[0]], (x, y)) <= SAME)
        home = next(near, None)
        if home is None:
            groups.append([i])
        else:
            home.append(i)
    anchors = [Anchor(*points[group[0]], _texts([spots[i] for i in group])) for group in groups]
    room = Rectangle(frame.left + 2, frame.top - 4, frame.right + RIGHT, frame.bottom - 1)
    lines = [
        Rectangle(min(a, c) - THIN, min(b, d) - THIN, max(a, c) + THIN, max(b, d) + THIN)
        for (a, b), (c, d) in pairwise(stairs)
    ]
    parts = []
    for group, anchor, placed in zip(groups, anchors, place_labels(anchors, room, lines), strict=True):
        if placed is not None:
            parts += _label(anchor, placed, spots[group[0]].kind)
    return parts


def _texts(spots: Sequence[Spot]) -> tuple[str, ...]:
    """The names of candidates at one point, or the first of them, or their numbers."""
    joined = ", ".join(spot.name for spot in spots)
    numbers = ", ".join(str(spot.number) for spot in spots)
    if len(spots) == 1:
        return joined, numbers
    first = f"{spots[0].name} +{len(spots) - 1}"
    return (joined if len(joined) <= LONGEST_SHARED else first), numbers, f"{spots[0].number} +{len(spots) - 1}"


def _label(anchor: Anchor, placed: PlacedLabel, kind: str) -> list[Markup]:
    box = placed.box
    near = min(max(anchor.x, box.left), box.right), min(max(anchor.y, box.top), box.bottom)
    far = math.dist(near, (anchor.x, anchor.y)) > RADIUS + 8
    line = [element("line", x1=anchor.x, y1=anchor.y, x2=near[0], y2=near[1], class_="leader")] if far else []
    across, down = (box.left + box.right) / 2, (box.top + box.bottom) / 2
    return [*line, label(placed.text, across, down + 4, "middle", f"spot-name {kind}")]


def _dot(spot: Spot, point: Point) -> Markup:
    x, y = point
    kind = f"spot {spot.kind}"
    if spot.weaker:
        side = 1.8 * RADIUS
        shape = element("rect", x=x - side / 2, y=y - side / 2, width=side, height=side, class_=kind)
    else:
        shape = element("circle", cx=x, cy=y, r=RADIUS, class_=kind)
    halo = [element("circle", cx=x, cy=y, r=RADIUS + 4, class_="halo")] if spot.kind == "best" else []
    return element("g", element("title", spot.about), *halo, shape)
