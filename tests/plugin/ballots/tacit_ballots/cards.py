"""Cards of this kind: methods take ballots, k and parameters; attacks take ballots; metrics take ballots twice."""

from dataclasses import dataclass
from typing import ClassVar, TypeVar

from tacit.cards.attack import ReleaseAttack
from tacit.cards.method import Method
from tacit.cards.metric import Metric
from tacit.params import Params

P = TypeVar("P", bound=Params)


@dataclass(frozen=True, kw_only=True)
class BallotsMethod(Method[P]):
    """A way to protect ballots: `run(ballots, k, params)` gives the ballots to publish."""

    kind: ClassVar[str] = "ballots"


@dataclass(frozen=True, kw_only=True)
class BallotsMetric(Metric[P]):
    """A measure of published ballots: `run(views, params)` sees them before and after."""

    kind: ClassVar[str] = "ballots"


@dataclass(frozen=True, kw_only=True)
class BallotsAttack(ReleaseAttack[P]):
    """A way to challenge published ballots: `run(ballots, params)` tells its success."""

    kind: ClassVar[str] = "ballots"
