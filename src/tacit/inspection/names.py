"""Whether the first line of a file names its columns, or is a person's row.

A file without a line of names would lose its first row to the names, and these are printed and published. A column
tells that its name is one where it could be no value of it: no number above numbers, or not among all values that there
are. It tells the opposite where the name is a number within the range of the others, or one of the values. A column of
more values than were looked at tells nothing.
"""

from collections.abc import Sequence
from typing import Literal

from tacit.data.sources.profile import ColumnProfile
from tacit.errors import BadData

Sign = Literal["name", "value", "nothing"]


def require_names(file: str, profiles: Sequence[ColumnProfile]) -> None:
    """Some column has a name that could be no value of it, or nothing speaks against any."""
    signs = [sign_of(profile) for profile in profiles]
    if "value" in signs and "name" not in signs:
        raise BadData(
            f"{file}: the first line looks like a row of data, not like names: every cell could be a value of its own "
            "column; put a line with the names of the columns on top"
        )


def sign_of(profile: ColumnProfile) -> Sign:
    """What the values of a column tell about its name."""
    if profile.name in profile.examples:
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
