"""The body of a synthetic table: what was measured with noise, what was made of it, and what it cost.

It depends on the data only through the noise, so it may be passed on with the table.
"""

from tacit.fact import Fact, Number
from tacit.release.answers import Amount
from tacit.release.release import Body, Release


class SyntheticColumn(Fact):
    """A column: its declared cells, the noisy count of each, and the number of invented rows with each.

    `strays` is the share of invented rows that would need another cell to agree with the noisy counts: the total
    variation between the two, with counts below 0 treated as 0. Both are published anyway, so it costs nothing. The
    distance between the rows and the data is not published, since no budget paid for it.
    """

    name: str
    cells: tuple[str, ...]
    measured: tuple[Number, ...]
    written: tuple[int, ...]
    strays: Number


class SynthesisBody(Body):
    """Invented rows.

    Each measured count is off by at most `error` with probability `level`; `loses` is what the method has lost by
    design.

    `budget`, `before`, `spent` and `left` are of the ledger that was charged; `charge` and `receipt` are the number and
    the hash of the charge.
    """

    rows: int
    columns: tuple[SyntheticColumn, ...]
    error: Number | None = None
    level: float = 0.95
    loses: str = ""
    budget: Amount
    before: Amount
    spent: Amount
    left: Amount
    charge: int = 0
    receipt: str = ""


SynthesisRelease = Release[SynthesisBody]
"""A synthetic table that was published."""
