"""Data that the examples of all statistics can be asked about, and how a statistic's intervals are counted."""

import numpy as np

from tacit.randomness.stream import RandomBits

AGES = np.array([3.0, 14.0, 15.0, 92.0, 65.0, 35.0, 89.0, 79.0, 32.0, 38.0] * 40)
WORDS = np.array(["Russian"] * 2 + ["American"] * 60 + ["Japanese"] * 2 + ["Indian"] * 2)
PLAIN = {"sum", "mean", "variance", "quantiles", "extremes", "histogram-mean", "truncated-mean"}
"""Those that take one column of numbers and have one pair of bounds."""


def data_for(name: str) -> object:
    """What the example of this statistic is asked about."""
    short = name.removeprefix("statistics/")
    if short in ("histogram-mean", "truncated-mean"):
        return AGES * 30 + 1000
    return AGES if short in PLAIN else OTHERS[short]()


def _plane() -> "np.ndarray[tuple[int, int], np.dtype[np.float64]]":
    """Points around three places of the unit square."""
    generator = np.random.default_rng(3)
    middles = np.array([[0.2, 0.2], [0.8, 0.3], [0.5, 0.8]])
    return np.clip(middles[np.arange(900) % 3] + generator.normal(0, 0.05, (900, 2)), 0, 1)


def _yes_or_no() -> "np.ndarray[tuple[int, int], np.dtype[np.float64]]":
    return np.column_stack([AGES, AGES + np.tile([0.0, 5.0], AGES.size // 2) > 40])


OTHERS = {
    "count": lambda: AGES > 30,
    "histogram": lambda: [AGES],
    "mode": lambda: WORDS,
    "ranges": lambda: AGES,
    "clipping": lambda: AGES,
    "covariance": lambda: np.column_stack([AGES, 100 - AGES[::-1]]),
    "linear-regression": lambda: np.column_stack([AGES, 0.5 * AGES + 20]),
    "logistic-regression": _yes_or_no,
    "uniform-grid": _plane,
    "adaptive-grid": _plane,
    "privtree": _plane,
    "textbook-k-means": _plane,
    "k-means": _plane,
    "best-choice": lambda: np.column_stack([AGES > 30, AGES > 10]).astype(np.float64),
    "best-candidate": lambda: np.column_stack([AGES > 30, AGES > 10]).astype(np.float64),
    "partition-selection": lambda: [np.arange(400) % 90, np.array(["rain", "sun", "rain", "fog"] * 100)],
    "keywords": lambda: [np.arange(400) % 50, np.array(["rain", "sun", "rain", "fog"] * 100)],
    "synthesize/independent": lambda: [np.array(["no", "yes", "no", "maybe"] * 100), AGES],
    "itemsets": lambda: [np.arange(400) // 2, np.array(["bread", "milk", "bread", "aspirin"] * 100)],
}


def coverage(ask, truth, runs: int, level: float = 0.95, shrink: float = 1.0) -> float:
    """How often the interval of `ask(bits)` holds the truth; each end is moved towards the middle by `shrink`."""
    return held(intervals_of(ask, runs, level), truth, shrink)


def intervals_of(ask, runs: int, level: float = 0.95) -> list:
    """The intervals of so many answers."""
    bits = RandomBits.from_seed(7)
    return [ask(bits).interval(level) for _ in range(runs)]


def held(intervals: list, truth, shrink: float = 1.0) -> float:
    """How many of the intervals hold the truth, each end moved towards the middle by `shrink`."""
    inside = []
    for ends in intervals:
        middle, half = (ends.lower + ends.upper) / 2, (ends.upper - ends.lower) / 2
        inside.append(np.mean(np.abs(middle - truth) <= shrink * half + 1e-12))
    return float(np.mean(inside))
