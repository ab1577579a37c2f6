"""Spellings: whether the values of a unit are those of fewer people, spelt in several ways.

P0012, p0012, P-0012 and `P0012 ` are one patient, and so are 12 and 12.0, or 12007 and 12007-1. Which values count as
one, the engine's `spellings` says. Whoever counts them apart counts one person as several, and a class of them looks
larger than it is.
"""

from tacit.data.sources.source import Source
from tacit.engines.engine import Engine

DIFFERENCES = "capitals, blanks, punctuation, leading zeros, a final .0 or a check digit that some lack"


def spelt_in_several_ways(engine: Engine, source: Source, column: str) -> str | None:
    """How many values there are and how many if spelt alike, in words; None where all stay different."""
    (found,) = engine.repeats(source, (column,))
    alike = engine.spellings(source, column)
    return None if alike >= found.distinct else f"{found.distinct:,} values, {alike:,} if spelt alike"
