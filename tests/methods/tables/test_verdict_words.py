"""What a refusal says that a guarantee reaches and misses.

Covers methods/tables/_verdict.
"""

import pytest

from tacit.guarantees.delta_presence import DeltaPresence
from tacit.methods.tables._verdict import reach_of


@pytest.mark.parametrize(("reached", "missed"), [(0.25, "but 0.4 is required"), (0.75, "but 0.6 is required")])
def test_the_bound_that_is_missed_is_named(reached: float, missed: str) -> None:
    assert missed in reach_of(DeltaPresence(minimum=0.4, maximum=0.6), reached)
    assert "which holds" in reach_of(DeltaPresence(minimum=0.4, maximum=0.6), 0.5)
