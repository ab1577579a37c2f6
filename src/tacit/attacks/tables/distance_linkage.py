"""Distance-based record linkage: masked numbers still lie nearest to their originals (Domingo-Ferrer and Torra 2001).

The adversary knows everybody's original numbers and scales each column by its standard deviation. The guess for a
person is the masked row at the least Euclidean distance; where m rows are equally near, it is one of these. Success is
picking the person's own. Microaggregation with groups of k makes k masked rows alike, so the rate is at most 1/k.

The baseline picks one of all rows.
"""

import numpy as np

from tacit.attacks._success import success
from tacit.cards.attack import TableAttack
from tacit.data.tables.masked_numbers import MaskedNumbers
from tacit.params import Params
from tacit.release.attacks import Success

SLACK = 1e-9


def link_nearest(numbers: MaskedNumbers, params: Params) -> Success:
    """The expected share of rows whose nearest masked row is their own."""
    from scipy.spatial import cKDTree

    if not numbers.rows:
        return success(0.0, 0, 0.0)
    spread = numbers.original.std(axis=0)
    scale = np.where(spread > 0, spread, 1.0)
    original, masked = numbers.original / scale, numbers.masked / scale
    # Rows that were masked alike stand once in the tree, so that ties cost nothing.
    places, place = np.unique(masked, axis=0, return_inverse=True)
    many = np.bincount(place.ravel())
    tree = cKDTree(places)
    nearest, _ = tree.query(original)
    own = np.sqrt(((original - masked) ** 2).sum(axis=1))
    reached = own <= nearest * (1 + SLACK) + SLACK
    near = tree.query_ball_point(original[reached], nearest[reached] * (1 + SLACK) + SLACK)
    tied = np.array([many[found].sum() for found in near])
    hits = float((1 / tied).sum()) if tied.size else 0.0
    return success(hits, numbers.rows, 1 / numbers.rows, nearest_is_own=int(reached.sum()))


ATTACK = TableAttack(
    title="Distance linkage",
    params=Params,
    run=link_nearest,
    needs="original and masked numbers, row by row",
    gives="the share of rows whose nearest masked row is their own",
    paper="https://doi.org/10.1007/3-540-47804-3",
    example=Params(),
    knowledge="everybody's original numbers",
    story="The adversary takes the masked row that lies nearest to a person's original numbers.",
    means="Success means that the row picked is the target's own.",
    sees="numbers",
)
