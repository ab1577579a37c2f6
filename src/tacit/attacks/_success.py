"""Success rates of attacks, under the names by which the attacks of this folder know them."""

from tacit.release.attacks import Success
from tacit.release.attacks import interval as interval


def success(hits: float, targets: int, baseline: float, **details: float) -> Success:
    """The success of `hits` among `targets`."""
    return Success.counted(hits, targets, baseline, **details)
