"""Budgets: an epsilon and a delta that may be spent, and ways to divide them beforehand (W26). n known questions get a
share of 1/n each. For an unknown number of questions, shares that fall geometrically, such as epsilon/2, epsilon/4,
epsilon/8 …, never run out: each is a fixed fraction of what the earlier ones left. All shares are exact rationals, so
they add up to the whole or less, never to more.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from tacit.accounting.exact import RealNumber, exact, not_negative, positive, probability, rounded_down, whole
from tacit.errors import BadParameter


@dataclass(frozen=True)
class Budget:
    """At most this much may be spent."""

    epsilon: Fraction
    delta: Fraction = Fraction(0)

    def __post_init__(self) -> None:
        """Both are exact, and neither is negative or without end."""
        object.__setattr__(self, "epsilon", not_negative("epsilon", self.epsilon))
        object.__setattr__(self, "delta", not_negative("delta", self.delta))

    def part(self, share: Fraction) -> "Budget":
        """This share of both."""
        return Budget(self.epsilon * share, self.delta * share)

    def __str__(self) -> str:
        """The amounts as decimals, rounded down."""
        return f"epsilon {rounded_down(self.epsilon):.6g}, delta {rounded_down(self.delta):.3g}"


def budget(epsilon: RealNumber, delta: RealNumber = 0) -> Budget:
    """A budget of these amounts; epsilon above 0, delta in [0, 1)."""
    return Budget(positive("epsilon", epsilon), probability("delta", delta))


def split_evenly(total: Budget, parts: int) -> tuple[Budget, ...]:
    """`parts` equal shares that add up to the total."""
    return (total.part(Fraction(1, whole("parts", parts))),) * parts


def split_by_weight(total: Budget, weights: Sequence[RealNumber]) -> tuple[Budget, ...]:
    """Shares in proportion to the weights (all above 0) that add up to the total."""
    found = [positive("weight", weight) for weight in weights]
    if not found:
        raise BadParameter("weights are empty; a budget is split among at least one")
    return tuple(total.part(weight / sum(found)) for weight in found)


def geometric_shares(total: Budget, first: RealNumber = Fraction(1, 2)) -> Iterator[Budget]:
    """Shares without end: `first` of the total, then `first` of the rest, and so on; the sum stays below the total."""
    share = exact(first)
    if not 0 < share < 1:
        raise BadParameter(f"first is {first}; it must be above 0 and below 1, or nothing would be left")
    rest = Fraction(1)
    while True:
        yield total.part(rest * share)
        rest *= 1 - share
