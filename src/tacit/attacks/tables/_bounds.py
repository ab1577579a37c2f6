"""What guarantees say about attacks: the highest success rate that a promise about every class allows.

A promise bounds an average over people only if it holds for everybody whom the adversary goes after; suppressed
people count among them and are never found, which only lowers the rate. The numbers come from the limits that a
guarantee states for every class, so a new guarantee bounds attacks as soon as it states some.
"""

from typing import Any

import numpy as np

from tacit.guarantees.guarantee import TableGuarantee
from tacit.release.attacks import Success


def one_of_k(params: Any, guarantee: TableGuarantee, found: Success) -> float | None:
    """Whoever fits is one of at least so many people."""
    limits = guarantee.limits()
    return 1 / limits.people if limits is not None and limits.people > 1 else None


def never_certain(params: Any, guarantee: TableGuarantee, found: Success) -> float | None:
    """No class has one value only, so nobody's is certain."""
    return 0.0 if _values(guarantee) >= 2 else None


def values_remain(params: Any, guarantee: TableGuarantee, found: Success) -> float | None:
    """All but one of the values of a class must be excluded before the last is certain."""
    return 0.0 if not params.members and params.excluded + 2 <= _values(guarantee) else None


def _values(guarantee: TableGuarantee) -> int:
    """How many different values every class has at the least."""
    limits = guarantee.limits()
    return 1 if limits is None else limits.values


def share_in_class(params: Any, guarantee: TableGuarantee, found: Success) -> float | None:
    """The largest share of a value in a class; it bounds a guess where each class shows all who fit it.

    The baseline is the share of the most frequent value, and the more frequent a value is, the larger is its limit.
    """
    limits = guarantee.limits()
    if limits is None or limits.shares is None or not found.details.get("whole_classes"):
        return None
    return min(float(limits.shares(np.array([found.baseline])).most[0]), 1.0)


def belief_stays(params: Any, guarantee: TableGuarantee, found: Success) -> float | None:
    """No belief grows by the factor that counts as a disclosure."""
    limits = guarantee.limits()
    return 0.0 if limits is not None and limits.gain is not None and params.factor > limits.gain else None
