"""A geospatial answer: rectangles with noisy counts, asked by range, drawn as a map in inline SVG."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from xml.sax.saxutils import escape

import numpy as np

from tacit.accounting.events import Event
from tacit.arrays import FloatArray
from tacit.errors import BadParameter
from tacit.noise.labels import between
from tacit.noise.private_answer import Publishable

_WIDE = 480.0
_SHADES = 6


@dataclass(frozen=True)
class Map(Publishable):
    """Disjoint rectangles that fill a declared box: their corners, noisy counts, and what they cost."""

    low: FloatArray
    high: FloatArray
    counts: FloatArray
    event: Event
    seeded: bool = False

    def told(self) -> Mapping[str, Any]:
        """The noisy count of each cell, and where the cells lie."""
        return {"values": self.counts, "corners": {"low": self.low, "high": self.high}}

    def labels(self, columns: Sequence[str]) -> list[str]:
        """Where each rectangle lies, by both columns."""
        corners = zip(self.low.tolist(), self.high.tolist(), strict=True)
        return [
            ", ".join(f"{name} {between(ends)[0]}" for name, *ends in zip(columns, low, high, strict=True))
            for low, high in corners
        ]

    def count_in(self, lower: tuple[float, float], upper: tuple[float, float]) -> float:
        """The estimated number of rows in a rectangle: cells cut by its border count in proportion to their area."""
        if not (lower[0] < upper[0] and lower[1] < upper[1]):
            raise BadParameter(f"the rectangle reaches from {lower} to {upper}; the first must lie below the second")
        inside = np.minimum(self.high, upper) - np.maximum(self.low, lower)
        share = np.clip(inside, 0, None).prod(axis=1) / (self.high - self.low).prod(axis=1)
        return float(share @ self.counts)

    def svg(self, title: str = "Rows in space") -> str:
        """The map: the darker a cell, the more rows it has for its area; readable without colour and aloud."""
        corner, far = self.low.min(axis=0), self.high.max(axis=0)
        scale = _WIDE / float(far[0] - corner[0])
        tall = float(far[1] - corner[1]) * scale
        shades = self._shades()
        words = f"{len(self.counts)} cells, {max(float(self.counts.sum()), 0):.0f} rows in all, noise included"
        cells = [
            f'<rect x="{(x0 - corner[0]) * scale:.2f}" y="{tall - (y1 - corner[1]) * scale:.2f}" '
            f'width="{(x1 - x0) * scale:.2f}" height="{(y1 - y0) * scale:.2f}" fill-opacity="{shade:.2f}"/>'
            for (x0, y0), (x1, y1), shade in zip(self.low, self.high, shades, strict=True)
        ]
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 {_WIDE:.0f} {tall:.2f}" '
            f'style="max-width:{_WIDE:.0f}px">'
            f"<title>{escape(title)}</title><desc>{words}</desc>"
            f'<g fill="#1f3a5f" stroke="#888" stroke-width="0.3">{"".join(cells)}</g></svg>'
        )

    def _repr_html_(self) -> str:
        """The map, for notebooks."""
        return self.svg()

    def _shades(self) -> FloatArray:
        density = np.maximum(self.counts, 0) / (self.high - self.low).prod(axis=1)
        ranks = np.searchsorted(np.sort(density), density, side="left") / max(len(density) - 1, 1)
        shades: FloatArray = np.where(density > 0, (np.floor(ranks * (_SHADES - 1)) + 1) / _SHADES, 0.0)
        return shades
