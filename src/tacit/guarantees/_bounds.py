"""Bounds: how a measure is compared with a promise, and how a refused parameter is explained.

Measures are floats. Two numbers that differ by at most `SLACK` of the bound count as equal, so that a class which
meets the bound exactly is not refused for the last digit of a division; an equal number satisfies "at least" and "at
most" and fails "below". The slack is relative: for a bound of 0 it is 0.
"""

import numpy as np
from pydantic import BaseModel, ValidationError, ValidationInfo, ValidatorFunctionWrapHandler, WrapValidator
from pydantic_core import PydanticCustomError

from tacit.arrays import BoolArray, FloatArray
from tacit.complaints import explain

SLACK = 1e-12
REASON = "reason"
"""The type of the validation errors that already are a whole sentence."""

_OUT_OF_RANGE = {"greater_than", "greater_than_equal", "less_than", "less_than_equal"}


def at_least(measured: FloatArray, bound: float) -> BoolArray:
    """Which measures reach the bound."""
    return measured >= bound * (1 - SLACK)


def at_most(measured: FloatArray, bound: float) -> BoolArray:
    """Which measures do not exceed the bound."""
    return measured <= bound * (1 + SLACK)


def below(measured: FloatArray, bound: float) -> BoolArray:
    """Which measures stay strictly below the bound."""
    return measured < bound * (1 - SLACK)


def excess(measured: FloatArray, bound: float, ceiling: float) -> FloatArray:
    """How much of a mixture that measures more than the bound must at least go, if the measure is convex.

    With a share r of it gone, measured <= (1 - r) bound + r ceiling, where nothing measures more than the ceiling. What
    stays may use the slack, so the bound is taken with it: the share is never too high.
    """
    reached = bound * (1 + 2 * SLACK)
    if reached >= ceiling:
        return np.zeros(measured.size)
    return np.clip((measured - reached) / (ceiling - reached), 0.0, 1.0)


def whole_at_least(bound: float) -> int:
    """The least whole number that reaches the bound."""
    return int(np.ceil(bound * (1 - 2 * SLACK)))


def because(reason: str) -> WrapValidator:
    """An annotation for a bounded parameter: a value out of range is refused with `name is value; reason`."""

    def validate(value: object, handler: ValidatorFunctionWrapHandler, info: ValidationInfo) -> object:
        try:
            return handler(value)
        except ValidationError as error:
            if error.errors(include_url=False)[0]["type"] not in _OUT_OF_RANGE:
                raise
            raise refusal(str(info.field_name), repr(value), reason) from None

    return WrapValidator(validate)


def refusal(name: str, value: str, reason: str) -> PydanticCustomError:
    """The validation error that says `name is value; reason`."""
    return PydanticCustomError(REASON, "{name} is {value}; {reason}", {"name": name, "value": value, "reason": reason})


def explained(name: str, error: ValidationError, kind: type[BaseModel]) -> str:
    """One line for each complaint about a guarantee; one that is a sentence already stands as it is."""
    items = error.errors(include_url=False)
    lines = explain(name, error, kind).split("\n")
    return "\n".join(
        f"{name}: {item['msg']}" if item["type"] == REASON else line for item, line in zip(items, lines, strict=True)
    )
