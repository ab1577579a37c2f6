"""Occupations: codes and words generalise to the groups of ISCO-08, then to five classes of work, then `*`.

Source: International Labour Office, International Standard Classification of Occupations 2008: 10 major groups (one
figure), 43 sub-major (two), 130 minor (three) and unit groups (four). Major groups are joined as Eurofound does: 1-3,
4-5, 6-7, 8-9, and the armed forces. A word stands in the sub-major group of the work that it names, or in the major
group where it tells no more, as those of the US Census in UCI Adult do. Who has no occupation (pupils, the retired,
the unemployed) is in none of ISCO's groups and forms a class of its own.
"""

import re
from functools import cache
from typing import ClassVar, Literal

from pydantic import Field

from tacit.data.tables.hierarchies.listed import LabelPath, ListedSpec, PathFinder, folded, list_lines

_GROUP = re.compile(r"([0-9X][0-9]?) (?:\[([0-9]+)\] )?([^:]+): (.*)")
_CODE = re.compile(r"(?:isco[ -]?)?([0-9]{1,4})", re.ASCII | re.IGNORECASE)


@cache
def occupation_groups() -> dict[str, LabelPath]:
    """The labels of each major, sub-major and minor group, its own first, by code."""
    found: dict[str, LabelPath] = {}
    for heading, line in list_lines("occupations"):
        code, minor, name, _ = _parts(line)
        above = found.get(code[0], (heading,)) if len(code) > 1 else (heading,)
        found[code] = (f"{code} {name}", *above)
        found |= {code + figure: (code + figure, *found[code]) for figure in minor or ""}
    return found


@cache
def _words() -> dict[str, LabelPath]:
    found: dict[str, LabelPath] = {}
    for _, line in list_lines("occupations"):
        code, _, name, words = _parts(line)
        for word in (name, *words.split("|")):
            found[folded(word)] = occupation_groups()[code]
    return found


def _parts(line: str) -> tuple[str, str | None, str, str]:
    match = _GROUP.fullmatch(line)
    assert match is not None, line
    return match[1], match[2], match[3], match[4]


def place_occupation(value: str) -> LabelPath | None:
    """The groups above a code or a word; None where ISCO-08 has no such group and the word is not known."""
    code = _CODE.fullmatch(value.strip())
    if code is None:
        return _words().get(folded(value))
    groups, figures = occupation_groups(), code[1]
    # Surveys fill a code of fewer figures with zeros: 2200 is the sub-major group 22.
    return groups.get(figures[:3]) or groups.get(figures.rstrip("0") or "0")


class OccupationSpec(ListedSpec):
    """Occupations by group of ISCO-08."""

    kind: ClassVar[str] = "occupations"
    what: ClassVar[str] = "occupations"
    place: ClassVar[PathFinder] = staticmethod(place_occupation)

    occupations: Literal["isco"] = Field(description="isco: groups of ISCO-08, then five classes of work")
