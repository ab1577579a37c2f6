"""Values whose short form shows none of their numbers: notebooks and logs travel further than counts of people should.

A dataclass of arrays writes the first and the last entries of each, and small tables in full. Those that hold cells or
counts of the raw data derive from `Discreet` and leave the form that a dataclass writes out (`repr=False`).
"""

from dataclasses import dataclass, fields


@dataclass(frozen=True, eq=False, repr=False)
class Discreet:
    """A value that says how much it holds, and not what."""

    def amounts(self) -> str:
        """How much there is, in words; by default the names of its parts."""
        return ", ".join(part.name for part in fields(self))

    def __repr__(self) -> str:
        """Its kind and how much it holds."""
        return f"{type(self).__name__}({self.amounts()})"
