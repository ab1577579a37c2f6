"""Whether the first line of a file names its columns, or is a person's row.

If a file lacks a line of names, its first row would be taken for names, which are printed and published. The cell on
top of a column is surely a name if it can't be a value of the column: it is no number and all values below are, or it
is not among the values and all of these are known. It may be a value if it is a number within the range of the others,
or equal to one of the values. A column with more values than were looked at decides nothing.
"""

from collections.abc import Sequence
from typing import Literal

from tacit.data.sources.profile import ColumnProfile
from tacit.errors import BadData

Sign = Literal["name", "value", "nothing"]


def look_like_a_row(profiles: Sequence[ColumnProfile]) -> bool:
    """Whether some cell of the first line may be a value and no cell is surely a name."""
    signs = [sign_of(profile) for profile in profiles]
    return "value" in signs and "name" not in signs


def require_names(file: str, profiles: Sequence[ColumnProfile]) -> None:
    """Refuse a file whose first line looks like a row."""
    if look_like_a_row(profiles):
        raise BadData(
            f"{file}: the first line looks like a row of data, not like names: every cell could be a value of its own "
            "column; put a line with the names of the columns on top, or say that there is none (`header: 0`)"
        )


def sign_of(profile: ColumnProfile) -> Sign:
    """What the values of a column tell about its name."""
    # Spaces around names are no part of them, while those around values may be.
    if profile.name in profile.examples or any(value.strip() == profile.name for value in profile.examples):
        return "value"
    if profile.numeric == 1 and profile.present:
        return _sign_of_number(profile)
    return "name" if profile.present and profile.distinct == len(profile.examples) else "nothing"


def _sign_of_number(profile: ColumnProfile) -> Sign:
    try:
        number = float(profile.name)
    except ValueError:
        return "name"
    least, most = float(profile.minimum or "nan"), float(profile.maximum or "nan")
    return "value" if least <= number <= most else "nothing"
