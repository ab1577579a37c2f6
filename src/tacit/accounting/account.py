"""What events add up to: the tightest valid bound, and the bound that each other way of adding up gives.

All ways give upper bounds on the same loss, so the least of them is an upper bound too. They hold for mechanisms chosen
adaptively, as long as the list of events was fixed beforehand; if an analyst chooses the next epsilon after seeing
answers, use a filter or an odometer.
"""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType
from typing import Literal, get_args

from tacit.accounting.accountant import Accountant, Curve
from tacit.accounting.advanced import AdvancedBound
from tacit.accounting.atoms import EventCase
from tacit.accounting.cases import cases
from tacit.accounting.concentrated import ConcentratedSum
from tacit.accounting.events import Event, composed
from tacit.accounting.exact import RealNumber, not_negative, probability, rounded_up
from tacit.accounting.gaussian import GaussianOnly
from tacit.accounting.loss_distribution import LossDistribution
from tacit.accounting.renyi import Renyi
from tacit.accounting.sequential import Sequential
from tacit.errors import BadParameter

AccountingMethod = Literal["sequential", "advanced", "zcdp", "rdp", "gaussian", "pld"]
METHODS: tuple[AccountingMethod, ...] = get_args(AccountingMethod)
CLOSED: Mapping[AccountingMethod, Accountant] = MappingProxyType(
    {
        "sequential": Sequential(),
        "advanced": AdvancedBound(),
        "zcdp": ConcentratedSum(),
        "rdp": Renyi(),
        "gaussian": GaussianOnly(),
    }
)
MOST_KINDS = 400
SMALL = Fraction(1, 10**6)
USUAL = 1e-4
LONGEST = 50.0
ACCURACY = 0.02
"""The grid of loss distributions: an interval of USUAL up to a loss of LONGEST, in proportion wider above; narrower
where the spread that the grid adds to n events, at most interval sqrt(n), would pass this share of the loss."""


@dataclass(frozen=True)
class Spending:
    """The loss at `delta`: `epsilon`, found by `method`, the least of `by_method` (infinite: no claim)."""

    epsilon: float
    delta: float
    method: AccountingMethod
    by_method: Mapping[AccountingMethod, float]


def account(
    events: Event | Iterable[Event], delta: RealNumber = 0, methods: Iterable[AccountingMethod] | None = None
) -> Spending:
    """What the events spend at `delta`, by the tightest of `methods`.

    By default all are tried, except that loss distributions are left out where a closed form is already exact (at
    delta 0, for Gaussian noise alone) and where they would take too long (more than MOST_KINDS kinds of events).
    """
    share = probability("delta", delta)
    found = cases(composed(events))
    wanted = _useful(found, share) if methods is None else _known(methods)
    by_method: dict[AccountingMethod, float] = {}
    for name in sorted(wanted, key=METHODS.index):
        crude = min(by_method.values(), default=math.inf)
        by_method[name] = _worst(_accountant(name, found, crude, share), found, share)
    best = min(by_method, key=lambda name: by_method[name])
    return Spending(by_method[best], rounded_up(share), best, MappingProxyType(by_method))


def smallest_delta(
    events: Event | Iterable[Event], epsilon: RealNumber, methods: Iterable[AccountingMethod] | None = None
) -> float:
    """The least delta (rounded up; 1 where there is none) at which the events spend at most epsilon."""
    target = float(not_negative("epsilon", epsilon))
    found = cases(composed(events))
    wanted = _useful(found, Fraction(1, 2)) if methods is None else _known(methods)
    crude = _crude(found, target)
    curves = [[_accountant(name, found, crude, SMALL).curve(case) for case in found] for name in wanted]
    return min(_inverse(parts, target) for parts in curves)


def _known(methods: Iterable[AccountingMethod]) -> tuple[AccountingMethod, ...]:
    """The methods, refused where there is none or an unknown one."""
    wanted = tuple(methods)
    unknown = [name for name in wanted if name not in METHODS]
    if unknown or not wanted:
        raise BadParameter(f"methods are {unknown or 'empty'}; the known ones are {', '.join(METHODS)}")
    return wanted


def _useful(found: tuple[EventCase, ...], delta: Fraction) -> tuple[AccountingMethod, ...]:
    exact_already = delta == 0 or all(math.isfinite(GaussianOnly().curve(case)(delta)) for case in found)
    return METHODS[:-1] if exact_already or sum(map(len, found)) > MOST_KINDS else METHODS


def _worst(accountant: Accountant, found: tuple[EventCase, ...], delta: Fraction) -> float:
    """The bound of the worst case; a case that a closed form keeps below needs no (slow) loss distribution."""
    if len(found) == 1 or not isinstance(accountant, LossDistribution):
        return max(accountant.curve(case)(delta) for case in found)
    closed = {case: min(quick.curve(case)(delta) for quick in CLOSED.values()) for case in found}
    worst = 0.0
    for case in sorted(found, key=lambda case: closed[case], reverse=True):
        if closed[case] > worst:
            worst = max(worst, accountant.curve(case)(delta))
    return worst


def _accountant(name: AccountingMethod, found: tuple[EventCase, ...], crude: float, delta: Fraction) -> Accountant:
    if name != "pld":
        return CLOSED[name]
    if math.isinf(crude):
        crude = min(_worst(CLOSED["zcdp"], found, delta), _worst(CLOSED["rdp"], found, delta))
    if not 0 < crude < math.inf:
        return LossDistribution(USUAL)
    events = max(sum(count for _, count in case) for case in found)
    return LossDistribution(min(USUAL * max(1.0, crude / LONGEST), ACCURACY * crude / math.sqrt(max(events, 1))))


def _crude(found: tuple[EventCase, ...], target: float) -> float:
    """The epsilon that the grid must resolve: the target, but no less than a hundredth of the whole loss, since a
    delta that is asked for at a tiny epsilon is hardly finer than at that one, and the grid would have no end.
    """
    loss = min(_worst(CLOSED[name], found, SMALL) for name in ("zcdp", "rdp"))
    return max(target, loss / 100) if math.isfinite(loss) else target


def _inverse(curves: list[Curve], epsilon: float) -> float:
    """The least delta at which all curves are at most epsilon, by bisection of its logarithm."""

    def keeps(delta: Fraction) -> bool:
        return all(curve(delta) <= epsilon for curve in curves)

    if keeps(Fraction(0)):
        return 0.0
    low, high = -690.0, 0.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (low, middle) if keeps(Fraction(math.exp(middle))) else (middle, high)
    return 1.0 if high == 0.0 else math.exp(high) * (1 + 1e-12)
