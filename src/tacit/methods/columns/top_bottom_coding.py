"""Top and bottom coding: numbers beyond a limit are published as the limit, or as the mean of all that lie beyond.

The limit is declared (it then tells nothing about the data), or it is the quantile beyond which a given share of the
numbers lies: the least number such that at most that share is larger (or smaller). A quantile is a number of somebody
in the data; declare a limit where that matters. The mean keeps the column's total, but is itself a figure about those
beyond, so it is refused where they are fewer than three. Extreme values are what most easily tells a person; the rest
of the column is untouched. Missing cells stay missing.
"""

from typing import Annotated, Literal

import numpy as np
from pydantic import Field, model_validator

from tacit.arrays import BoolArray, FloatArray
from tacit.cards.columns import ColumnMethod
from tacit.data.columns import Columns, Numbers
from tacit.errors import CannotGuarantee
from tacit.params import Params
from tacit.randomness.stream import RandomBits

LEAST_BEYOND = 3
"""A mean of one is that one's number, a mean of two tells each the other's."""

CodingLimit = Annotated[float | None, Field(ge=-1e100, le=1e100)]
CodingShare = Annotated[float | None, Field(gt=0, lt=1)]


class TopBottomCoding(Params):
    """Where the ends are, and what stands there."""

    top: Annotated[CodingLimit, Field(description="the largest number that is published as it is")] = None
    bottom: Annotated[CodingLimit, Field(description="the least number that is published as it is")] = None
    top_share: Annotated[CodingShare, Field(description="instead of `top`: code at most this share of the numbers")] = (
        None
    )
    bottom_share: Annotated[CodingShare, Field(description="instead of `bottom`: code at most this share")] = None
    replacement: Annotated[
        Literal["limit", "mean"], Field(description="what replaces numbers beyond a limit: the limit, or their mean")
    ] = "limit"

    @model_validator(mode="after")
    def _ends(self) -> "TopBottomCoding":
        """At least one end is coded, each in one way, and they do not cross."""
        if self.top is not None and self.top_share is not None:
            raise ValueError("give `top` or `top_share`, not both")
        if self.bottom is not None and self.bottom_share is not None:
            raise ValueError("give `bottom` or `bottom_share`, not both")
        if {self.top, self.bottom, self.top_share, self.bottom_share} == {None}:
            raise ValueError("no end is coded; give one of `top`, `bottom`, `top_share`, `bottom_share`")
        if self.top is not None and self.bottom is not None and self.bottom >= self.top:
            raise ValueError(f"bottom is {self.bottom:g} and top {self.top:g}; bottom must be below top")
        if (self.top_share or 0) + (self.bottom_share or 0) >= 1:
            raise ValueError("the two shares add up to 1 or more, so nothing would be left in the middle")
        return self


def code_ends(columns: Columns, params: TopBottomCoding, bits: RandomBits) -> Columns:
    """Every column with its ends coded."""
    found = columns.numbers("top and bottom coding")
    return Columns({name: Numbers(_coded(name, values, params)) for name, values in found.items()})


def _coded(name: str, values: FloatArray, params: TopBottomCoding) -> FloatArray:
    there = np.sort(values[~np.isnan(values)])
    coded = values.copy()
    top = params.top if params.top_share is None else upper_quantile(there, params.top_share)
    bottom = params.bottom if params.bottom_share is None else -upper_quantile(-there[::-1], params.bottom_share)
    if top is not None:
        coded[values > top] = _standing(name, values, values > top, top, params)
    if bottom is not None:
        coded[values < bottom] = _standing(name, values, values < bottom, bottom, params)
    return coded


def upper_quantile(ordered: FloatArray, share: float) -> float:
    """The least of the ordered numbers such that at most this share of them is larger."""
    if not ordered.size:
        return float("inf")
    return float(ordered[ordered.size - 1 - int(share * ordered.size)])


def _standing(name: str, values: FloatArray, beyond: BoolArray, limit: float, params: TopBottomCoding) -> float:
    if params.replacement == "limit" or not beyond.any():
        return limit
    if beyond.sum() < LEAST_BEYOND:
        raise CannotGuarantee(
            f"fewer than {LEAST_BEYOND} numbers of column {name!r} lie beyond {limit:g}, so their mean would reveal "
            "one of them; publish the limit instead, or code more"
        )
    return float(values[beyond].mean())


def propose_ends(values: FloatArray) -> tuple[TopBottomCoding, ...]:
    """The largest hundredth coded, and the least where numbers fall below 0."""
    there = values[~np.isnan(values)]
    if not there.size or there.min() == there.max():
        return ()
    bottom = 0.01 if there.min() < 0 else None
    return (
        TopBottomCoding(top_share=0.01) if bottom is None else TopBottomCoding(top_share=0.01, bottom_share=bottom),
    )


METHOD = ColumnMethod(
    title="Top and bottom coding",
    params=TopBottomCoding,
    run=code_ends,
    needs="columns of numbers, and limits or shares",
    gives="numbers whose extremes are published as a limit or as their mean",
    cells="numbers",
    proposed=propose_ends,
    paper="https://doi.org/10.1007/978-1-4613-0121-9",
    example=TopBottomCoding(top_share=0.05),
)
