"""Countries: names and codes of ISO 3166-1 generalise to areas, sub-regions and regions of UN M49, then `*`.

Source: United Nations Statistics Division, Standard Country or Area Codes for Statistical Use (M49); ISO 3166-1. An
area is M49's intermediate region where it has one (Caribbean, Eastern Africa), else its sub-region. M49 does not list
Taiwan and Kosovo, which stand with their neighbours, and Antarctica belongs to no region but itself.

A country may be written by its name in English, German, French, Spanish or Italian, with or without accents, by its
code of two or three letters, or by its number. States that are gone (Yugoslavia, the Soviet Union, Czechoslovakia, East
Germany) stand where their land is.
"""

from functools import cache
from typing import ClassVar, Literal

from pydantic import Field

from tacit.data.tables.hierarchies.listed import LabelPath, ListedSpec, PathFinder, folded, list_lines

ABSENT = "-"


@cache
def country_paths() -> dict[str, LabelPath]:
    """Area, sub-region and region by folded name, code or number."""
    found: dict[str, LabelPath] = {}
    for heading, line in list_lines("countries"):
        path = tuple(heading.split(" < "))
        two, three, number, names = line.split(" ", maxsplit=3)
        for spelling in (two, three, number, *names.split("|")):
            if spelling != ABSENT:
                found[folded(spelling)] = path
    return found


@cache
def country_codes() -> frozenset[str]:
    """The codes of two letters, in capitals."""
    return frozenset(line.split(" ", maxsplit=1)[0] for _, line in list_lines("countries")) - {ABSENT}


def place_country(value: str) -> LabelPath | None:
    """Area, sub-region and region of a country; None where the value names none."""
    text = value.strip()
    if text.isascii() and text.isdecimal():
        return country_paths().get(text.zfill(3))
    key = folded(value)
    return None if key.isdecimal() else country_paths().get(key)


class CountrySpec(ListedSpec):
    """Countries by regions of the United Nations."""

    kind: ClassVar[str] = "countries"
    what: ClassVar[str] = "countries"
    place: ClassVar[PathFinder] = staticmethod(place_country)

    countries: Literal["un"] = Field(description="un: areas, sub-regions and regions of UN M49")
