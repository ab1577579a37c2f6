"""Regions: codes of NUTS generalise by prefix, DE300, DE30, DE3, DE, then `*`.

Source: Regulation (EC) No 1059/2003 on a common classification of territorial units for statistics: a code is that of
the country (two letters; EL is Greece, UK the United Kingdom) and one figure or letter for each of three levels, so
each region's code begins with that of the region around it.
"""

import re
from typing import ClassVar, Literal

from pydantic import Field

from tacit.data.tables.hierarchies.countries import country_codes
from tacit.data.tables.hierarchies.listed import LabelPath, ListedSpec, PathFinder

COUNTRY = 2
_CODE = re.compile(r"[A-Z]{2}[0-9A-Z]{0,3}", re.ASCII)


def place_region(value: str) -> LabelPath | None:
    """The regions around a region of NUTS, and its country; None where the value is not a code."""
    code = value.strip().upper()
    if not _CODE.fullmatch(code) or code[:COUNTRY] not in {*country_codes(), "EL", "UK"}:
        return None
    return tuple(code[:length] for length in range(max(len(code) - 1, COUNTRY), COUNTRY - 1, -1))


class RegionSpec(ListedSpec):
    """Regions by the codes of NUTS."""

    kind: ClassVar[str] = "regions"
    what: ClassVar[str] = "codes of NUTS"
    place: ClassVar[PathFinder] = staticmethod(place_region)

    regions: Literal["nuts"] = Field(description="nuts: the larger regions that contain each one, and the country")
