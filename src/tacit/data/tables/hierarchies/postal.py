"""Postal codes generalise by prefix, for in nearly every country the first characters name the larger area.

Figures are masked one by one from the right: 10115, 1011*, 101**, 10***, 1****, then `*`. Three to ten figures,
with or without a hyphen or blank (00-950, 110 00, 100-0001) and a country in front (D-10115) are read alike. A ZIP+4 of
the US first loses its four last figures, a Dutch code its letters; British, Canadian and Irish codes become sector
(`SW1A 1**`), district (`SW1A ***`) and area (`SW*`). Programs that take codes for numbers drop leading zeros and write
1067.0: `digits` says how many figures there should be. Source: Universal Postal Union, addressing systems of its member
countries.
"""

import re
from typing import Annotated, ClassVar, Literal

from pydantic import Field

from tacit.data.tables.hierarchies.listed import LabelPath, ListedSpec, PathFinder

MASK = "*"
_DECIMAL = re.compile(r"([0-9]{3,10})\.0+", re.ASCII)
_FIGURES = re.compile(r"((?:[A-Z]{1,3}[- ])?)([0-9]{3,10}|[0-9]{2,5}[- ][0-9]{2,4})", re.ASCII)
_ZIP4 = re.compile(r"([0-9]{5})-?[0-9]{4}", re.ASCII)
_DUTCH = re.compile(r"([0-9]{4}) ?[A-Z]{2}", re.ASCII)
_BRITISH = re.compile(r"([A-Z]{1,2})([0-9][A-Z0-9]?)(?: ?([0-9])[A-Z]{2})?", re.ASCII)
_CANADIAN = re.compile(r"([A-Z])([0-9][A-Z])(?: ?[0-9][A-Z][0-9])", re.ASCII)
_IRISH = re.compile(r"([A-Z])([0-9][0-9W]) ?[A-Z0-9]{4}", re.ASCII)


def place_postal(value: str) -> LabelPath | None:
    """The larger areas around a postal code, fine to coarse; None where the value has the form of none."""
    text = _DECIMAL.sub(r"\1", value.strip().upper())
    for longer in (_ZIP4, _DUTCH):
        if match := longer.fullmatch(text):
            return (match[1], *_masked("", match[1]))
    if match := _FIGURES.fullmatch(text):
        return _masked(match[1], match[2])
    match = _BRITISH.fullmatch(text) or _CANADIAN.fullmatch(text) or _IRISH.fullmatch(text)
    if match is None:
        return None
    district = f"{match[1]}{match[2]}"
    sector = (f"{district} {match[3]}**",) if match.re is _BRITISH and match[3] else ()
    return (*sector, f"{district} ***", f"{match[1]}{MASK}")


def _masked(country: str, figures: str) -> LabelPath:
    """The code with ever more figures masked from the right, down to one that is kept, or to the country."""
    places = [position for position, figure in enumerate(figures) if figure.isdigit()]
    least = 0 if country else 1
    return tuple(
        country + "".join(MASK if position in places[kept:] else figure for position, figure in enumerate(figures))
        for kept in range(len(places) - 1, least - 1, -1)
    )


class PostalSpec(ListedSpec):
    """Postal codes by prefix."""

    kind: ClassVar[str] = "postal"
    what: ClassVar[str] = "forms of postal codes"
    place: ClassVar[PathFinder] = staticmethod(place_postal)

    postal: Literal["prefix"] = Field(description="prefix: ever fewer characters from the left")
    digits: Annotated[int, Field(ge=3, le=10, strict=True)] | None = Field(
        default=None, description="how many digits a code has; shorter ones have lost leading zeros"
    )

    def path(self, value: str) -> LabelPath | None:
        """The larger areas around the code, leading zeros put back where their number is known."""
        text = _DECIMAL.sub(r"\1", self.also.get(value, value).strip())
        if self.digits is None or not (text.isascii() and text.isdecimal()) or len(text) >= self.digits:
            return place_postal(text)
        whole = text.zfill(self.digits)
        path = place_postal(whole)
        return path and (whole, *path)
