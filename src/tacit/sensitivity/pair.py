"""A pair of neighbours."""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Pair:
    """Two neighbouring inputs; they are invented, so they may be shown."""

    first: Any
    second: Any
