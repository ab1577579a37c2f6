"""The true matching: which person each label is published for, drawn so that all k candidates are equally likely.

Were label i always published for the i-th person, whoever can repeat the search would read the person off the label.
So the owner is drawn (Wong, Mamoulis and Cheung 2010 choose one of k matchings): in each connected part of the design
two of the k slots, all pairs equally likely, and then for each cycle of their union a fair coin. An edge of slot t is
taken if t is one of the two (2/k) and the coin falls on it (1/2): with probability 1/k exactly, whoever knows the
whole design. The cycles are drawn apart, so one true row that somebody knows tells nothing about those of other cycles.
"""

import numpy as np

from tacit.arrays import IntArray
from tacit.randomness.stream import RandomBits
from tacit.randomness.uniform import coins, uniform_integers


def draw_owners(member: IntArray, bits: RandomBits) -> IntArray:
    """The unit that each label is published for: a perfect matching within the design."""
    slots, labels = member.shape
    part = components(member, np.broadcast_to(np.arange(labels), member.shape))
    parts = int(part.max(initial=-1)) + 1
    one = uniform_integers(slots, parts, bits)
    other = (one + 1 + uniform_integers(slots - 1, parts, bits)) % slots
    label = np.arange(labels)
    heads, tails = member[one[part], label], member[other[part], label]
    cycle = components(np.stack([heads, tails]), np.stack([label, label]))
    coin = coins(int(cycle.max(initial=-1)) + 1, bits)
    return np.where(coin[cycle], heads, tails)


def components(units: IntArray, labels: IntArray) -> IntArray:
    """For each label the connected part that it is in, where edges join units and labels."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    number = units.shape[1]
    edges = (units.ravel(), number + labels.ravel())
    graph = coo_array((np.ones(units.size, dtype=np.int8), edges), shape=(2 * number, 2 * number))
    return np.asarray(connected_components(graph.tocsr(), directed=False)[1][number:], dtype=np.int64)
