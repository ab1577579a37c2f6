"""A raw table beside its release, as seen by somebody who holds everybody's quasi-identifiers."""

from collections.abc import Sequence
from dataclasses import dataclass

from tacit.arrays import BoolArray
from tacit.data.discreet import Discreet
from tacit.data.tables.tally import Tally


@dataclass(frozen=True, eq=False, repr=False)
class Linkage(Discreet):
    """The raw table beside the release; `fits[column][value, label]` says which label may stand for which value."""

    raw: Tally
    shown: Tally
    fits: Sequence[BoolArray]
