"""A recoding: what a table method decided, as labels for portions of combinations.

Full-domain methods publish all rows of a combination alike: one portion for each. Local methods may split a
combination: several portions name it, and the engine deals its rows out to them in the given numbers.
"""

from dataclasses import dataclass

from tacit.arrays import BoolArray, CodeArray, IntArray
from tacit.data.discreet import Discreet
from tacit.data.tables.cover import Cover
from tacit.spelling import many


@dataclass(frozen=True, eq=False, repr=False)
class Recoding(Discreet):
    """Portion i: `rows[i]` rows of combination `combination[i]` are published with labels `labels[c][codes[c, i]]`.

    `leaves[c][j]` says how many leaves of column c the label j covers. A suppressed portion has no labels: its
    codes mean nothing. `covers[c]` says which leaves the labels of column c cover; it may be None, or `covers` empty,
    where every label is a node of the column's hierarchy.
    """

    columns: tuple[str, ...]
    labels: tuple[tuple[str, ...], ...]
    leaves: tuple[IntArray, ...]
    codes: CodeArray
    combination: IntArray
    rows: IntArray
    suppressed: BoolArray
    covers: tuple[Cover | None, ...] = ()

    def amounts(self) -> str:
        """How many portions and columns there are."""
        return f"{many(self.combination.size, 'portion')} of {many(len(self.columns), 'column')}"
