"""A raw table beside what was published of it, as somebody who holds everybody's quasi-identifiers sees both."""

from collections.abc import Sequence
from dataclasses import dataclass

from tacit.arrays import BoolArray
from tacit.data.tables.tally import Tally


@dataclass(frozen=True, eq=False)
class Linkage:
    """The raw table beside the release; `fits[column][value, label]` says which label may stand for which value."""

    raw: Tally
    shown: Tally
    fits: Sequence[BoolArray]
