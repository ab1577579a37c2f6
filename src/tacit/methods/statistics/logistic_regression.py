"""Logistic regression: by rounds of noisy sums, or by output perturbation where a regularisation is declared.

**Rounds** (`_logistic/rounds.py`), the default. Sums over rows are published in whole numbers, with noise in the shape
of a cube (Hardt and Talwar 2010), which suits features that are bounded one by one; weights follow by Newton's steps.
The loss is that of the rows, with a small penalty that suits the noise and is told. Intervals hold to first order, and
are the whole line where too little is known.

**Output perturbation** (Chaudhuri, Monteleoni and Sarwate 2011). The minimum of sum_i ln(1 + exp(-y_i w · x_i)) +
(r / 2) |w|**2, with |x_i| <= 1, moves by at most 1 / r in L2 (`add-remove`; 2 / r for `replace`). The search ends
within 2**-21 / r of it after a public number of steps (`_logistic/minimum.py`), and 2**-20 / r on either side is added
to the sensitivity. The error is known beforehand, but the loss is mostly higher than that of rounds.

The last column says yes (above one half) or no. Weights are for the scaled features; the interval is for the weights
of the regularised model without noise. Derivations: docs/explanation/logistic-regression.md.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Annotated, Any

import numpy as np
from numpy.typing import ArrayLike
from pydantic import Field

from tacit.accounting.events import Event, in_scope
from tacit.accounting.exact import exact, root_up
from tacit.arrays import FloatArray
from tacit.cards.asked import any_rows
from tacit.cards.statistics import Statistic
from tacit.cards.takes import NumberColumns
from tacit.errors import BadParameter
from tacit.methods.statistics._box import Box, BoxQuestion
from tacit.methods.statistics._logistic.answer import RoundsAnswer
from tacit.methods.statistics._logistic.minimum import minimum
from tacit.methods.statistics._logistic.noise import Purse
from tacit.methods.statistics._logistic.rounds import rounds
from tacit.methods.statistics._logistic.sums import LogisticRows
from tacit.noise.answer import Interval, NoisyAnswer
from tacit.noise.grid import Grid
from tacit.noise.noise import error_steps
from tacit.noise.private_answer import DerivedAnswer, scoped
from tacit.noise.setting import Allowance, Moves, NoiseSetting, add_noise, setting
from tacit.noise.statistic_params import OptionalDelta
from tacit.noise.values import as_matrix, fine_grid
from tacit.randomness.stream import RandomBits
from tacit.sensitivity.neighbouring_datasets import Ends, beyond, neighbouring_datasets
from tacit.sensitivity.pair import Pair

_NEAR = Fraction(1, 1 << 20)
_FINER = 16
SCALED = (
    "Weights are for features that were scaled from their bounds to [-1, 1] and divided by the root of the number of "
    "weights, not for units of the columns: compare them with each other, or predict with the classifier in Python."
)
"""What units weights are in; those of a linear regression are in the columns' own."""


class LogisticRegression(BoxQuestion):
    """Yes or no from features between declared bounds."""

    regularisation: Annotated[
        float | None,
        Field(
            ge=0.1,
            le=1e9,
            description="r in (r/2)|w|**2, added to the sum over rows, for weights whose error is known beforehand; by "
            "default weights are found by rounds, with the least penalty that suits the noise",
        ),
    ] = None
    delta: OptionalDelta = 0.0


@dataclass(frozen=True)
class Classifier(DerivedAnswer):
    """Noisy weights, the intercept last, for features scaled to the unit ball, under (regularisation / 2)|w|**2."""

    noisy: NoisyAnswer | RoundsAnswer
    box: Box
    regularisation: float

    def told(self) -> Mapping[str, Any]:
        """The weights, the intercept last, and the penalty that they were sought under."""
        return {"values": self.weights, "regularisation": self.regularisation}

    def labels(self, columns: Sequence[str]) -> list[str]:
        """The column of each weight; the last column is what is predicted, and has none."""
        return [*(f"weight of {column}" for column in columns[:-1]), "intercept"]

    def remarks(self) -> tuple[str, ...]:
        """What units weights are in, and what is to be said of their noise."""
        return (SCALED, *self.noisy.remarks())

    @property
    def weights(self) -> FloatArray:
        """The noisy weights."""
        return self.noisy.values.astype(np.float64)

    def interval(self, level: float = 0.95) -> Interval:
        """For each weight bounds that hold that of the model without noise, with probability `level`."""
        return self.noisy.interval(level)

    def predict(self, features: ArrayLike) -> FloatArray:
        """The probability of yes for each row."""
        chance: FloatArray = 1 / (1 + np.exp(-np.clip(scaled(features, self.box) @ self.weights, -500, 500)))
        return chance


def scaled(features: ArrayLike, box: Box) -> FloatArray:
    """Rows of features in [-1, 1] and a 1, divided by the root of their number, so that no row is longer than 1."""
    centred = 2 * box.shares(features) - 1
    whole = np.concatenate([centred, np.ones((len(centred), 1))], axis=1)
    inside: FloatArray = whole * ((1 - 2.0**-40) / math.sqrt(box.columns + 1))
    return inside


def moves(params: LogisticRegression) -> Moves:
    """How far a person moves the computed weights, in steps of the grid, optimiser and rounding included."""
    weights, grid = len(params.lower) + 1, output_grid(params)
    rows = params.contributions if params.neighbours == "add-remove" else 2
    l2 = (rows + 2 * _NEAR) / exact(_declared(params))
    steps = l2 / grid.step + root_up(Fraction(weights))
    return Moves(math.ceil(steps * root_up(Fraction(weights))), steps, weights)


def output_grid(params: LogisticRegression) -> Grid:
    """Steps that are fine against the sensitivity."""
    return fine_grid(1 / _declared(params), _FINER)


def used(params: LogisticRegression) -> NoiseSetting:
    """The noise of each weight, in steps of the grid."""
    return setting(moves(params), Allowance.of(params.epsilon, params.delta))


@scoped
def logistic_regression(rows: ArrayLike, params: LogisticRegression, bits: RandomBits) -> Classifier:
    """Noisy weights that tell rows whose last column says yes from others."""
    if params.regularisation is None:
        return _by_rounds(rows, params, bits)
    table = as_matrix(rows, len(params.lower) + 1)
    signs = np.where(table[:, -1] > 0.5, 1.0, -1.0)
    exact_weights = minimum(scaled(table[:, :-1], params.box), signs, params.regularisation)
    grid = output_grid(params)
    noisy = add_noise(grid.steps(exact_weights).counts, used(params), grid, bits)
    return Classifier(noisy, params.box, params.regularisation)


def _by_rounds(rows: ArrayLike, params: LogisticRegression, bits: RandomBits) -> Classifier:
    purse = _purse(params)
    found = rounds(LogisticRows.read(rows, params.box), purse, params.neighbours == "replace", bits)
    noisy = replace(found.stretched(math.sqrt(params.box.columns + 1)), event=purse.event)
    return Classifier(noisy, params.box, noisy.penalty)


def _purse(params: LogisticRegression) -> Purse:
    moved = 2 if params.neighbours == "replace" else params.contributions
    return Purse.least(Allowance.of(params.epsilon, params.delta), moved, params.box.columns + 1)


def spends(params: LogisticRegression) -> Event:
    """What the weights cost: one noise under a declared regularisation, else the budget of all rounds."""
    return in_scope(_purse(params).event if params.regularisation is None else used(params).event, params.scope)


def neighbours(params: LogisticRegression) -> tuple[Pair, ...]:
    """Rows at the ends of all features, with the label that fits them or the other one."""
    far = tuple(beyond(*pair) for pair in zip(params.lower, params.upper, strict=True))
    low, high, odd = (*params.lower, 0.0), (*params.upper, 1.0), (*params.upper, 0.0)
    ends = Ends(low, high, (odd,), (*far, 1.0), np.array, params.contributions)
    return neighbouring_datasets(ends, params.neighbours)


def _declared(params: LogisticRegression) -> float:
    if params.regularisation is None:
        raise BadParameter(
            "regularisation is not declared; weights by rounds have no error that is known beforehand, and their "
            "interval comes with the answer: declare a regularisation"
        )
    return params.regularisation


def error(params: LogisticRegression, level: float = 0.95) -> float:
    """What a weight is off by, at most, with probability `level`; known only under a declared regularisation."""
    return float(error_steps(used(params).noise, level) * output_grid(params).step)


METHOD = Statistic(
    title="Logistic regression",
    params=LogisticRegression,
    run=logistic_regression,
    takes=NumberColumns(least=2, labelled=True),
    spends=spends,
    delta="delta",
    error=any_rows(error),
    neighbours=neighbours,
    needs="rows of features with declared bounds and, last, yes (1) or no (0)",
    gives="noisy weights of the model, with an interval for each",
    paper="https://arxiv.org/abs/1208.0219",
    example=LogisticRegression(epsilon=1.0, lower=(0.0,), upper=(100.0,), regularisation=10.0),
)
