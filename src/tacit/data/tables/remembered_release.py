"""One release, as the history records it: what was published, and who was in which class."""

from dataclasses import dataclass

from tacit.arrays import IntArray
from tacit.data.discreet import Discreet


@dataclass(frozen=True, eq=False, repr=False)
class RememberedRelease(Discreet):
    """One release: the class and the value of each published row; and, in private, which person stands in which class.

    Classes are numbered within the release; values and people are numbered alike in all releases.
    """

    class_: IntArray
    value: IntArray
    person: IntArray
    home: IntArray
