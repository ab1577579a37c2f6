"""The body of a synthetic table: what was measured with noise, what was made of it, and what it cost.

Nothing in it depends on the data but through the noise, so it may be passed on with the table.
"""

from tacit.fact import Fact, Number
from tacit.release.answers import Amount
from tacit.release.release import Body, Release


class SyntheticColumn(Fact):
    """A column: its declared cells, the noisy count of each, and in how many invented rows it stands.

    `strays` is the share of invented rows that would need another cell to agree with the noisy counts: the total
    variation between both, where a count below 0 is taken for 0. Both are told anyway, so it costs nothing. How far the
    rows are from the data is told nowhere, since nothing was paid for that.
    """

    name: str
    cells: tuple[str, ...]
    measured: tuple[Number, ...]
    written: tuple[int, ...]
    strays: Number


class SynthesisBody(Body):
    """Invented rows. Each measured count is off by at most `error` with probability `level`; `loses` is what the method
    has lost by design.

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
