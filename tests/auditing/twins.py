"""Broken twins: for each card that claims differential privacy at least one defect, and a case small enough to see it.

A new card needs an entry in `TWINS`: what is broken, and by how much. Noise that is half of what it should be shows
where outputs attain the claim. Choices and derived statistics lose less than they claim, so their twins are worse.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from tests.auditing.planting import (
    BOUNDS_FROM_DATA,
    FIXED_SEED,
    FOR_ONE_MORE,
    REUSED_NOISE,
    UNCLAMPED,
    UNTESTED,
    Defect,
    less_noise,
    other_params,
    planted,
)

from tacit.auditing.cards import subject_of_card
from tacit.auditing.subject import Subject
from tacit.cards.private import PrivateMethod
from tacit.catalogue import find_method, methods

DRAWS = 600
FEW_DRAWS, MANY_DRAWS = 300, 2000
"""Enough where a defect gives everything away; where it doubles the loss."""


@dataclass(frozen=True)
class Twin:
    """A defect, the runs on each neighbour that show it, and parameters of the card beside those of its small case."""

    defect: Defect
    draws: int | None = DRAWS
    changes: Mapping[str, Any] = field(default_factory=dict)

    def of(self, name: str) -> Subject:
        """The card of this name with the defect."""
        return planted(name, self.defect, **{**SMALL.get(name, {}), **self.changes})


SMALL: dict[str, dict[str, Any]] = {
    "mechanisms/discrete-gaussian": {"rho": 0.1},
    "mechanisms/exponential": {"epsilon": 1.0},
    "mechanisms/gaussian": {"delta": 1e-3},
    "mechanisms/permute-and-flip": {"epsilon": 1.0},
    "mechanisms/bounded-laplace": {"upper": 3.0},
    "mechanisms/top-k": {"k": 1, "way": "one-shot"},
    "statistics/best-candidate": {"runs": 4.0},
    "statistics/clipping": {"share": 0.5, "bounds": (1.0, 10.0)},
    "statistics/covariance": {"lower": (0.0,), "upper": (100.0,)},
    "statistics/extremes": {"resolution": 10, "depth": 3},
    "statistics/k-means": {"k": 1, "guess": 60, "starts": 1},
    "statistics/histogram": {"axes": [{"kind": "bins", "lower": 0, "upper": 100, "bins": 2}]},
    "statistics/itemsets": {"k": 1},
    "statistics/textbook-k-means": {"k": 1, "rounds": 1},
    "statistics/keywords": {"k": 1},
    "statistics/partition-selection": {"delta": 1e-3, "most": 1},
    "statistics/privtree": {"depth": 1},
    "statistics/quantiles": {"resolution": 10, "quantiles": (0.5,), "interval_share": 0.0},
    "statistics/ranges": {"bins": 4, "branching": 2},
    "statistics/uniform-grid": {"guess": None, "side": 2},
    "synthesize/independent": {
        "rows": 1,
        "axes": [{"kind": "categories", "names": ["a", "b"]}, {"kind": "bins", "lower": 0, "upper": 100, "bins": 2}],
    },
}
"""Cases with few cells, rounds and candidates: quick, and with nothing for a loss to hide in."""

REPLACED = {"neighbours": "replace", "epsilon": 1.0}
HALF, THIRD, QUARTER, EIGHTH = (less_noise(factor) for factor in (2, 3, 4, 8))
GREATER_DELTA = other_params("noise for a delta of 0.5", delta=0.5)
SMALL_DELTA = {"delta": 1e-3}
EIGHT_TIMES, BY_ROUNDS = other_params("noise for an epsilon of 8", epsilon=8.0), {"regularisation": None}

TWINS: dict[str, tuple[Twin, ...]] = {
    "mechanisms/bounded-laplace": (Twin(THIRD, 1500),),
    "mechanisms/discrete-gaussian": (Twin(QUARTER, 1500),),
    "mechanisms/exponential": (Twin(THIRD, 1500),),
    "mechanisms/finite-laplace": (Twin(HALF, 20_000),),
    "mechanisms/gaussian": (Twin(HALF, 20_000),),
    "mechanisms/geometric": (Twin(HALF, 20_000),),
    "mechanisms/laplace": (Twin(HALF, 20_000), Twin(FIXED_SEED, FEW_DRAWS)),
    "mechanisms/noisy-max": (Twin(THIRD, 1200),),
    "mechanisms/permute-and-flip": (Twin(HALF, 1500),),
    "mechanisms/propose-test-release": (Twin(UNTESTED, 600),),
    "mechanisms/randomised-rounding": (Twin(HALF, 1500),),
    "mechanisms/smooth-sensitivity": (Twin(EIGHTH, 800),),
    "mechanisms/sparse-vector": (Twin(EIGHTH, 1000),),
    "mechanisms/top-k": (Twin(THIRD, 1500),),
    "mechanisms/truncated-laplace": (Twin(HALF, 20_000),),
    "statistics/adaptive-grid": (Twin(QUARTER, FEW_DRAWS),),
    "statistics/best-candidate": (Twin(EIGHTH, 1000), Twin(UNCLAMPED, FEW_DRAWS)),
    "statistics/best-choice": (Twin(THIRD), Twin(UNCLAMPED, FEW_DRAWS)),
    "statistics/clipping": (Twin(EIGHTH),),
    "statistics/count": (Twin(THIRD), Twin(FIXED_SEED, FEW_DRAWS)),
    "statistics/covariance": (
        Twin(QUARTER),
        Twin(UNCLAMPED, FEW_DRAWS),
        Twin(REUSED_NOISE, FEW_DRAWS),
        Twin(BOUNDS_FROM_DATA, FEW_DRAWS),
        Twin(GREATER_DELTA, DRAWS, SMALL_DELTA),
    ),
    "statistics/extremes": (Twin(EIGHTH), Twin(BOUNDS_FROM_DATA)),
    "statistics/k-means": (Twin(THIRD), Twin(FOR_ONE_MORE, MANY_DRAWS, REPLACED)),
    "statistics/histogram": (
        Twin(THIRD),
        Twin(REUSED_NOISE, FEW_DRAWS),
        Twin(FOR_ONE_MORE, MANY_DRAWS, REPLACED),
        Twin(GREATER_DELTA, DRAWS, SMALL_DELTA),
    ),
    "statistics/histogram-mean": (
        Twin(THIRD),
        Twin(BOUNDS_FROM_DATA, FEW_DRAWS),
        Twin(FOR_ONE_MORE, MANY_DRAWS, REPLACED),
    ),
    "statistics/itemsets": (Twin(QUARTER),),
    "statistics/textbook-k-means": (Twin(QUARTER), Twin(UNCLAMPED, FEW_DRAWS)),
    "statistics/keywords": (Twin(QUARTER), Twin(FIXED_SEED, FEW_DRAWS)),
    "statistics/linear-regression": (Twin(UNCLAMPED, FEW_DRAWS), Twin(BOUNDS_FROM_DATA, FEW_DRAWS)),
    "statistics/logistic-regression": (Twin(EIGHTH), Twin(EIGHT_TIMES, DRAWS, BY_ROUNDS)),
    "statistics/mean": (Twin(THIRD), Twin(UNCLAMPED, FEW_DRAWS), Twin(REUSED_NOISE, FEW_DRAWS)),
    "statistics/mode": (Twin(QUARTER),),
    "statistics/partition-selection": (Twin(THIRD),),
    "statistics/privtree": (Twin(QUARTER),),
    "statistics/quantiles": (Twin(EIGHTH), Twin(BOUNDS_FROM_DATA, FEW_DRAWS)),
    "statistics/ranges": (Twin(THIRD), Twin(REUSED_NOISE, FEW_DRAWS)),
    "statistics/sum": (Twin(THIRD), Twin(UNCLAMPED, FEW_DRAWS), Twin(BOUNDS_FROM_DATA, FEW_DRAWS)),
    "statistics/truncated-mean": (Twin(THIRD),),
    "statistics/uniform-grid": (Twin(THIRD), Twin(REUSED_NOISE, FEW_DRAWS), Twin(FOR_ONE_MORE, MANY_DRAWS, REPLACED)),
    "statistics/variance": (Twin(EIGHTH), Twin(UNCLAMPED, FEW_DRAWS), Twin(BOUNDS_FROM_DATA, FEW_DRAWS)),
    "synthesize/independent": (
        Twin(QUARTER),
        Twin(REUSED_NOISE, FEW_DRAWS),
        Twin(FIXED_SEED, FEW_DRAWS),
        Twin(GREATER_DELTA, DRAWS, SMALL_DELTA),
    ),
}
SLOWEST = {"statistics/adaptive-grid": 1}
"""Pairs of neighbours that are searched where a run takes milliseconds."""


def cards() -> list[str]:
    """All cards of methods that claim differential privacy."""
    return [name for name in methods() if isinstance(find_method(name), PrivateMethod)]


def sound(name: str, **changes: Any) -> Subject:
    """The small case of a card as it is."""
    return searched(subject_of_card(name, {**SMALL.get(name, {}), **changes}))


def searched(subject: Subject) -> Subject:
    """The same, with few pairs where runs are slow."""
    return replace(subject, pairs=subject.pairs[: SLOWEST.get(subject.name)])
