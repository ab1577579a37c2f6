"""Inferred hierarchies written out, so that a person can see and edit them: one file for each column.

What is inferred from words has no short declaration: a flat list of values, parts of values, initial letters. It is
written as ARX writes it, one line for each value, and a draft names the file. A file read back is the inferred
hierarchy, leaf for leaf, so a release does not change until somebody edits it. Two or three values need no file.

The files hold values of the column, also rare ones, and are for the owner of the data alone. That is why they are not
in the plan, which evidence and report repeat.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from tacit.data.sources.profile import ColumnProfile
from tacit.data.tables.hierarchies.files import hierarchy_text
from tacit.data.tables.hierarchies.infer import infer_hierarchy
from tacit.data.tables.hierarchy import MISSING, Hierarchy
from tacit.inspection.suggestion import INFER, Suggestion

FEWEST_VALUES = 4
MOST_VALUES = 10_000
MOST_FILES = 100
"""Nobody edits more; columns beyond are inferred anew by each run."""
ENDING = ".csv"
_LONGEST_NAME = 60
_RESERVED = re.compile(r"con|prn|aux|nul|com\d|lpt\d", re.IGNORECASE)
"""Names that Windows keeps for devices."""


def inferred_hierarchies(
    profiles: Sequence[ColumnProfile], suggestions: Mapping[str, Suggestion], counted: Mapping[str, Sequence[str]]
) -> dict[str, Hierarchy]:
    """What will be inferred for each column whose draft says so; `counted` are all values of some columns."""
    found: dict[str, Hierarchy] = {}
    for profile in profiles:
        guess = suggestions[profile.name]
        if guess.role == "quasi-identifier" and guess.hierarchy == INFER and len(found) < MOST_FILES:
            values = [value for value in _values(profile, counted) if value != MISSING]
            if FEWEST_VALUES <= len(values) <= MOST_VALUES and all(map(_may_be_written, values)):
                found[profile.name] = infer_hierarchy(profile.name, values).hierarchy
    return found


def _values(profile: ColumnProfile, counted: Mapping[str, Sequence[str]]) -> Sequence[str]:
    """All values of the column, in the order in which a run counts them; none where only some are known."""
    if profile.name in counted:
        return counted[profile.name]
    complete = not profile.estimated and profile.distinct == len(profile.examples)
    return sorted(profile.examples) if complete and profile.type == "VARCHAR" else ()


def _may_be_written(value: str) -> bool:
    """Whether a text file can hold the value."""
    return "\0" not in value and not any("\ud800" <= character <= "\udfff" for character in value)


def hierarchy_files(hierarchies: Mapping[str, Hierarchy]) -> dict[str, str]:
    """A name for the file of each column; no two are the same, whatever the case of their letters."""
    names: dict[str, str] = {}
    taken: set[str] = set()
    for column in hierarchies:
        plain = re.sub(r"[^\w-]+", "_", column)[:_LONGEST_NAME].strip("_") or "column"
        name = f"{plain}_" if _RESERVED.fullmatch(plain) else plain
        number = 2
        while name.casefold() in taken:
            name, number = f"{plain}_{number}", number + 1
        taken.add(name.casefold())
        names[column] = name + ENDING
    return names


def written_files(hierarchies: Mapping[str, Hierarchy]) -> dict[str, str]:
    """The text of each file by its name."""
    names = hierarchy_files(hierarchies)
    return {names[column]: hierarchy_text(hierarchy) for column, hierarchy in hierarchies.items()}


def with_files(
    suggestions: Mapping[str, Suggestion], hierarchies: Mapping[str, Hierarchy], folder: str
) -> dict[str, Suggestion]:
    """The suggestions with the files of this folder in the place of what would be inferred."""
    files = {column: {"file": f"{folder}/{name}"} for column, name in hierarchy_files(hierarchies).items()}
    return {name: replace(guess, hierarchy=files.get(name, guess.hierarchy)) for name, guess in suggestions.items()}
