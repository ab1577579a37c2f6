"""Counting classes by their keys: what the classes that are too small cost, in one compiled pass over the combinations.

A class is known by the sum of the random words of its labels (Zobrist 1970), in 64 bits. Two different classes share a
sum with a chance of about classes² / 2**65, below 1e-9 for 100,000 classes; what comes of such a mistake is only a
wrong guess of a cost, and no guess is published.
"""

import numpy as np

from tacit.methods.tables._kernels import compiled

SPREAD = np.uint64(0x9E3779B97F4A7C15)
SHIFT = np.uint64(32)
NEXT = np.uint64(1)


@compiled
def count_classes(key, word, gap, price, leaf, rows, least, slots, counts, gaps, used, found):  # type: ignore[no-untyped-def]
    """Fills `found`: what suppression adds, suppressed rows, squares of the sizes of kept classes, kept classes.

    The key of combination i is `key[i] + word[leaf[i]]`, and to suppress it adds `gap[i] + price[leaf[i]]` for each
    row. `slots`, `counts`, `gaps` and `used` are room for the table of classes; `counts` is empty before and after.
    """
    mask = np.uint64(slots.size - 1)
    classes = 0
    for i in range(key.size):
        mine = key[i] + word[leaf[i]]
        slot = ((mine * SPREAD) >> SHIFT) & mask
        while counts[slot] != 0 and slots[slot] != mine:
            slot = (slot + NEXT) & mask
        if counts[slot] == 0:
            slots[slot] = mine
            gaps[slot] = 0.0
            used[classes] = slot
            classes += 1
        counts[slot] += rows[i]
        gaps[slot] += (gap[i] + price[leaf[i]]) * rows[i]
    found[:] = 0.0
    for j in range(classes):
        slot = used[j]
        size = counts[slot]
        if size < least:
            found[0] += gaps[slot]
            found[1] += size
        else:
            found[2] += np.float64(size) * size
            found[3] += 1
        counts[slot] = 0
