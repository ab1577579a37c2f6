"""Facts: frozen values of which the evidence is made; they survive JSON, infinite numbers included."""

from typing import Annotated

import numpy as np
from pydantic import BaseModel, ConfigDict, PlainSerializer


def _in_json(number: float) -> float | str:
    return number if np.isfinite(number) else str(number).replace("inf", "Infinity").replace("nan", "NaN")


Number = Annotated[float, PlainSerializer(_in_json, when_used="json")]
"""A float that survives JSON: an infinite one is written as the string `Infinity`, and read back."""


class Fact(BaseModel):
    """A frozen value with named fields; an unknown field is refused."""

    model_config = ConfigDict(frozen=True, extra="forbid", ser_json_inf_nan="strings", defer_build=True)
