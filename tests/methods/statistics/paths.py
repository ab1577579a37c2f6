"""The exact privacy loss of PrivTree's decisions along one path, from the law of its discrete noise."""

import math

from tacit.methods.statistics.privtree import STEP, Splitting


def log_chances(count: int, depth: int, used: Splitting) -> tuple[float, float]:
    """ln Pr[split] and ln Pr[no split] of a cell with so many rows at this depth, without cancellation."""
    lowered = max(count * STEP - depth * used.lowered, -used.lowered)
    rate = float(used.noise.rate)
    tail = -math.log1p(math.exp(-rate))
    if lowered > 0:
        stays = tail - rate * lowered
        return math.log1p(-math.exp(stays)), stays
    splits = tail - rate * (1 - lowered)
    return splits, math.log1p(-math.exp(splits))


def path_loss(counts: list[int], used: Splitting) -> float:
    """The largest log ratio of any outcome along a path whose cells hold these counts, against one row less in each."""
    worst, sum_of_splits = 0.0, 0.0
    for depth, count in enumerate(counts):
        here, there = log_chances(count, depth, used), log_chances(count - 1, depth, used)
        worst = max(worst, abs(sum_of_splits + here[1] - there[1]))
        sum_of_splits += here[0] - there[0]
        worst = max(worst, abs(sum_of_splits))
    return worst
