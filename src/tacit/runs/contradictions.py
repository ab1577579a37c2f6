"""What evidence says against itself: a promise that it calls kept, and whose figures say that it is not.

A measure is compared with its bound as the guarantee itself does; of a guarantee that nobody here knows, by the safe
side that the evidence names.
"""

from collections.abc import Iterator
from math import isclose
from typing import Any

import numpy as np

from tacit.errors import TacitError
from tacit.evidence.promises import name_of
from tacit.guarantees.catalogue import parse_guarantee
from tacit.guarantees.guarantee import TableGuarantee
from tacit.promise import Measured
from tacit.release.release import Release
from tacit.spelling import many

SLACK = 1e-9
"""The relative error of a measure that was rounded."""


def contradictions(release: Release[Any]) -> Iterator[str]:
    """Each promise that can't hold by its own figures, in a sentence."""
    for promise in release.measured:
        if promise.holds:
            yield from (f"{name_of(promise)} can't hold, since {why}" for why in _against(promise))


def table_guarantee(promise: Measured) -> TableGuarantee | None:
    """The guarantee that was measured on a table; None where it is of another kind, or unknown here."""
    given = {name: value for name, value in promise.parameters.items() if value is not None}
    try:
        found = parse_guarantee({promise.name: given})
    except TacitError:
        return None
    return found if isinstance(found, TableGuarantee) else None


def _against(promise: Measured) -> Iterator[str]:
    guarantee = table_guarantee(promise)
    if guarantee is not None and not isclose(guarantee.bound, promise.bound, rel_tol=SLACK):
        yield f"the evidence names the bound {promise.bound:g}, and its parameters make it {guarantee.bound:g}"
    if not _is_kept(promise, guarantee):
        yield f"{promise.measured:g} was measured and the bound is {promise.side} {promise.bound:g}"
    if promise.failing:
        yield f"the evidence counts {many(promise.failing, 'part')} of the data that break it"


def _is_kept(promise: Measured, guarantee: TableGuarantee | None) -> bool:
    measured, bound = float(promise.measured), float(promise.bound)
    if guarantee is not None:
        return bool(guarantee.satisfied(np.array([measured])).all())
    if promise.side == "at least":
        return measured >= bound - SLACK * abs(bound)
    return measured <= bound + SLACK * abs(bound)
