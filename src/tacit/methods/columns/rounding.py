"""Rounding: numbers become multiples of a base, the nearest or one of the two around them at random.

Nearest: floor(x / base + 1/2), so a half goes up; the error is at most base / 2, and equal numbers stay equal. Random
(Nargundkar and Saveland 1972): up with the probability that keeps the mean, (x - lower) / base, tossed exactly; the
error is below base and its variance is f (1 - f) base**2 for the fraction f, so sums over many rows stay right, but
whoever sees a number only knows that the truth is less than a base away. A missing cell stays missing.
"""

from decimal import Decimal
from typing import Annotated, Literal

import numpy as np
from pydantic import Field

from tacit.arrays import FloatArray
from tacit.cards.columns import ColumnMethod
from tacit.data.columns import Columns, Numbers
from tacit.errors import BadData
from tacit.params import Params
from tacit.randomness.bernoulli import bernoulli_each
from tacit.randomness.stream import RandomBits

_MOST_STEPS = 2.0**52


class Rounding(Params):
    """To what, and how."""

    base: Annotated[float, Field(gt=0, le=1e100, description="published numbers are multiples of this")]
    kind: Annotated[
        Literal["nearest", "random"], Field(description="to the nearest multiple, or up or down so that means are kept")
    ] = "nearest"


def round_columns(columns: Columns, params: Rounding, bits: RandomBits) -> Columns:
    """Every number as a multiple of the base."""
    found = columns.numbers("rounding")
    return Columns({name: Numbers(_rounded(name, values, params, bits)) for name, values in found.items()})


def _rounded(name: str, values: FloatArray, params: Rounding, bits: RandomBits) -> FloatArray:
    there = ~np.isnan(values)
    scaled = values[there] / params.base
    if scaled.size and np.abs(scaled).max() >= _MOST_STEPS:
        raise BadData(f"column {name!r} has numbers of more than 2**52 times the base {params.base}; take a larger one")
    floor = np.floor(scaled)
    up = bernoulli_each(scaled - floor, bits) if params.kind == "random" else scaled - floor >= 0.5
    rounded = np.full(values.size, np.nan)
    rounded[there] = multiples(floor + up, params.base)
    return rounded


def multiples(steps: FloatArray, base: float) -> FloatArray:
    """The multiples as the decimals that they are: three times 0.1 is 0.3."""
    places = -int(Decimal(repr(base)).normalize().as_tuple().exponent)
    product = steps * base
    return np.asarray(np.round(product, places) if 0 < places <= 15 else product)


def propose_bases(values: FloatArray) -> tuple[Rounding, ...]:
    """Bases of 1, 2 or 5 times a power of ten: a twentieth, a tenth and a fifth, or a little less, of the range of the
    middle eighty in a hundred."""
    there = values[~np.isnan(values)]
    low, high = np.quantile(there, [0.1, 0.9]) if there.size else (0.0, 0.0)
    return tuple(Rounding(base=_round_number((high - low) / parts)) for parts in (20, 10, 5) if high > low)


def _round_number(most: float) -> float:
    """The largest of 1, 2 or 5 times a power of ten that is not larger."""
    power = 10.0 ** np.floor(np.log10(most))
    return float(f"{max(step * power for step in (1, 2, 5) if step * power <= most):.0e}")


METHOD = ColumnMethod(
    title="Rounding",
    params=Rounding,
    run=round_columns,
    needs="columns of numbers",
    gives="numbers that are multiples of a base",
    cells="numbers",
    proposed=propose_bases,
    paper="https://doi.org/10.1007/978-1-4613-0121-9",
    example=Rounding(base=10),
)
