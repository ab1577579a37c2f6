"""Diseases: codes of ICD-10 generalise to the code of four characters, the category, the block, the chapter, then `*`.

Source: World Health Organization, International Statistical Classification of Diseases, 10th revision, version 2019,
volume 1; where blocks stand in blocks (neoplasms, external causes) the finest is taken. Codes are read with or without
a dot, with the marks of the dagger and asterisk system (`+`, `*`, `!`), and with the letters that German practices add
for certainty and side (`I10.90 G`, `H25.1 R G`). Categories that only the American or the German modification has stand
in the block of the WHO that they belong to.
"""

import re
from functools import cache
from typing import ClassVar, Literal

from pydantic import Field

from tacit.data.tables.hierarchies.listed import LabelPath, ListedSpec, PathFinder, list_lines

CATEGORY = 3
_CODE = re.compile(
    r"([A-Z][0-9A][0-9A-Z])(?:\.?([0-9A-Z]{1,4})|\.?-{1,2}|\.)?\s*[+*!†]?(?:\s+[GVAZRLB]){0,2}", re.ASCII
)


@cache
def disease_blocks() -> dict[str, str]:
    """The chapter of each block."""
    lines = [(chapter, line) for chapter, line in list_lines("icd10") if not line.startswith("+")]
    return {block: chapter for chapter, line in lines for block in line.split()}


@cache
def _modified() -> dict[str, str]:
    """The block of categories that modifications of ICD-10 added."""
    lines = [line[1:].split() for _, line in list_lines("icd10") if line.startswith("+")]
    return {category: block for block, *categories in lines for category in categories}


@cache
def block_of(category: str) -> str | None:
    """The block of a category of three characters; None where ICD-10 has none."""
    if category in _modified():
        return _modified()[category]
    return next((block for block in disease_blocks() if block[:CATEGORY] <= category <= block[-CATEGORY:]), None)


def place_disease(value: str) -> LabelPath | None:
    """The code of four characters, the category, the block and the chapter of a code; None where it is none."""
    match = _CODE.fullmatch(value.strip().upper())
    block = block_of(match[1]) if match else None
    if match is None or block is None:
        return None
    category, rest = match[1], match[2] or ""
    fine = (f"{category}.{rest[0]}",) if rest else ()
    return (*fine, category, block, disease_blocks()[block])


class DiseaseSpec(ListedSpec):
    """Codes of ICD-10 by category, block and chapter."""

    kind: ClassVar[str] = "icd10"
    what: ClassVar[str] = "codes of ICD-10"
    place: ClassVar[PathFinder] = staticmethod(place_disease)

    icd10: Literal[True] = Field(description="true: the category, the block and the chapter of each code")
