"""k-means by Lloyd's rounds with noise (Blum, Dwork, McSherry and Nissim 2005; W33).

T rounds take epsilon / T each, half for the sizes of the clusters and half for the sums of their coordinates: noise of
scale 2 T / epsilon on sizes and 2 T Dom / epsilon on sums, Dom the L1 width of the declared box, since a row adds at
most that, measured from the lower corner. (Here each coordinate is measured in its own width, so Dom is the number of
columns; under `replace` a row leaves one cluster for another and all is doubled.) The first centres are drawn in the
box without looking at the data. Rows and centres are whole numbers of steps, so which centre is nearest to a row is
exact and can't depend on other rows. `k-means` is usually better for few columns; this one shows the textbook.

No interval is given for centres: noise moves rows from one cluster to another and on to the next round, so there is no
true centre that an interval could mean. The sizes are those of the last round, each with the noise of its round.
"""

from dataclasses import dataclass
from typing import Annotated

import numpy as np
from numpy.typing import ArrayLike
from pydantic import Field

from tacit.accounting.events import Composed, Event, Repeated, in_scope
from tacit.accounting.exact import exact
from tacit.arrays import FloatArray, IntArray
from tacit.cards.statistics import Statistic
from tacit.cards.takes import NumberColumns
from tacit.methods.statistics._box import BoxQuestion
from tacit.methods.statistics._clusters import Clusters, nearest
from tacit.noise.private_answer import scoped
from tacit.noise.setting import WHOLE, Allowance, Moves, NoiseSetting, add_noise, setting
from tacit.randomness.stream import RandomBits
from tacit.randomness.uniform import uniform_integers
from tacit.sensitivity.neighbouring_datasets import of_columns

_UNIT = 16


class TextbookKMeans(BoxQuestion):
    """Centres of clusters, by noisy rounds."""

    k: Annotated[int, Field(ge=1, le=1000, description="how many clusters there are")]
    rounds: Annotated[int, Field(ge=1, le=100, description="how many rounds share epsilon")] = 5


@dataclass(frozen=True)
class RoundNoise:
    """The noise of one round: on sizes in rows, on sums in steps of 2**-16 of a column's width."""

    sizes: NoiseSetting
    sums: NoiseSetting


def used(params: TextbookKMeans) -> RoundNoise:
    """What is added in each round."""
    rows = 2 if params.neighbours == "replace" else params.contributions
    part = Allowance(exact(params.epsilon) / (2 * params.rounds))
    sums = rows * len(params.lower) << _UNIT
    return RoundNoise(setting(Moves(rows, exact(rows)), part), setting(Moves(sums, exact(sums)), part))


@scoped
def textbook_k_means(rows: ArrayLike, params: TextbookKMeans, bits: RandomBits) -> Clusters:
    """Noisy centres of clusters."""
    steps, noise = params.box.steps(rows, 1 << _UNIT), used(params)
    points = steps.astype(np.float64)
    centres = first_centres(params.k, len(params.lower), bits)
    sizes = np.zeros(params.k)
    for _ in range(params.rounds):
        owner = nearest(points, centres)
        counts, sums = cluster_sums(steps, owner, params.k)
        sizes = add_noise(counts, noise.sizes, WHOLE, bits).values.astype(np.float64)
        noisy = add_noise(sums.ravel(), noise.sums, WHOLE, bits).values.reshape(centres.shape)
        enough = sizes >= 1
        centres[enough] = np.clip(np.rint(noisy[enough] / sizes[enough, None]), 0, 1 << _UNIT)
    return Clusters(params.box.points(centres / (1 << _UNIT)), sizes, _cost(noise, params.rounds))


def _cost(noise: RoundNoise, rounds: int) -> Event:
    return Repeated(Composed((noise.sizes.event, noise.sums.event)), rounds)


def cluster_sums(steps: IntArray, owner: IntArray, k: int) -> tuple[IntArray, IntArray]:
    """The exact size of each cluster and the exact sums of its rows; secret."""
    counts = np.bincount(owner, minlength=k).astype(np.int64)
    sums = np.zeros((k, steps.shape[1]), dtype=np.int64)
    np.add.at(sums, owner, steps)
    return counts, sums


def first_centres(k: int, columns: int, bits: RandomBits) -> FloatArray:
    """Centres drawn evenly in the box, in steps."""
    return uniform_integers((1 << _UNIT) + 1, k * columns, bits).reshape(k, columns).astype(np.float64)


def spends(params: TextbookKMeans) -> Event:
    """What all rounds cost."""
    return in_scope(_cost(used(params), params.rounds), params.scope)


METHOD = Statistic(
    title="Textbook k-means, by noisy rounds",
    params=TextbookKMeans,
    run=textbook_k_means,
    takes=NumberColumns(),
    spends=spends,
    neighbours=of_columns,
    needs="rows of numbers and declared bounds for each column",
    gives="noisy centres of k clusters",
    paper="https://doi.org/10.1145/1065167.1065184",
    example=TextbookKMeans(epsilon=1.0, lower=(0.0, 0.0), upper=(1.0, 1.0), k=3),
)
