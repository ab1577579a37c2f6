"""Education: what surveys call a degree generalises to its level of ISCED 2011, to low, medium or high, then `*`.

Source: UNESCO Institute for Statistics, International Standard Classification of Education 2011; low (0-2), medium
(3-4) and high (5-8) as Eurostat publishes it. What counts is the level that was completed (ISCED-A): somebody who left
school in the 11th grade has completed lower secondary school, and some college without a degree is upper secondary. The
words are those that questionnaires use in English, German, French, Spanish and Italian; `ISCED 3`, `ED3` and `3` are
levels.
"""

import re
from functools import cache
from typing import ClassVar, Literal

from pydantic import Field

from tacit.data.tables.hierarchies.listed import LabelPath, ListedSpec, PathFinder, folded, list_lines

_LEVEL = re.compile(r"(?:isced[ -]?|ed)?([0-8])", re.ASCII | re.IGNORECASE)


UNTOLD = "-"
"""In the list: words that tell the class but not the level."""


@cache
def education_paths() -> dict[str, LabelPath]:
    """The level and its class by folded word; the level also by its figure."""
    found: dict[str, LabelPath] = {}
    for heading, line in list_lines("education"):
        level, words = line.split(": ", maxsplit=1)
        path = (heading,) if level == UNTOLD else (level, heading)
        for word in (*_names(level), *words.split("|")):
            found[folded(word)] = path
    return found


def _names(level: str) -> tuple[str, ...]:
    """How a level is called besides what the list says: by its label and its figure."""
    return () if level == UNTOLD else (level, level.split(" ")[1])


def place_education(value: str) -> LabelPath | None:
    """The level of ISCED and its class; None where the value is not known."""
    if level := _LEVEL.fullmatch(value.strip()):
        return education_paths()[level[1]]
    key = folded(value)
    return None if key.isdecimal() else education_paths().get(key)


class EducationSpec(ListedSpec):
    """Degrees by level of ISCED 2011."""

    kind: ClassVar[str] = "education"
    what: ClassVar[str] = "degrees and levels of education"
    place: ClassVar[PathFinder] = staticmethod(place_education)

    education: Literal["isced"] = Field(description="isced: levels of ISCED 2011, then low, medium and high")
