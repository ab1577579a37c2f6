"""Success rates with their confidence intervals (Clopper and Pearson 1934).

The people of a table are taken as a sample of those whom the adversary could have met. With s hits among n targets the
interval runs from the α/2 quantile of Beta(s, n − s + 1) to the 1 − α/2 quantile of Beta(s + 1, n − s). An adversary
who must choose among several candidates hits with a known chance: the sum of the chances takes the place of s. It
varies less than a count of hits would, so the interval errs on the wide side.
"""

from tacit.release.attacks import Success

CONFIDENCE = 0.95


def success(hits: float, targets: int, baseline: float, **details: float) -> Success:
    """The success of `hits` among `targets`; of no targets, a rate of 0 about which nothing is known."""
    hits = min(max(float(hits), 0.0), float(targets))
    low, high = interval(hits, targets)
    named = {name: float(value) for name, value in details.items()}
    rate = hits / targets if targets else 0.0
    return Success(targets=targets, hits=hits, rate=rate, low=low, high=high, baseline=float(baseline), details=named)


def interval(hits: float, targets: int, confidence: float = CONFIDENCE) -> tuple[float, float]:
    """The two ends of the interval for a rate."""
    from scipy.special import betaincinv

    if not targets:
        return 0.0, 1.0
    tail = (1 - confidence) / 2
    low = float(betaincinv(hits, targets - hits + 1, tail)) if hits > 0 else 0.0
    high = float(betaincinv(hits + 1, targets - hits, 1 - tail)) if hits < targets else 1.0
    return low, high
