"""Basic sequential composition (Dwork, McSherry, Nissim and Smith 2006): epsilons and deltas add up (W26).

Noise without a pure epsilon (Gaussian, zCDP) is given an equal share of the delta that is left and enters with
the epsilon that it has there. `shares` are also where advanced composition starts.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from tacit.accounting.accountant import Curve
from tacit.accounting.atoms import AmplifiedLeaves, Atom, EventCase
from tacit.accounting.case_price import amplify, price_of_atom, price_of_case
from tacit.accounting.conversion import zcdp_epsilon
from tacit.accounting.events import Gaussian
from tacit.accounting.exact import exact, rounded_up
from tacit.accounting.gaussian import GaussianOnly, gaussian_epsilon
from tacit.accounting.price import Price

MOST_DELTA = Fraction(999, 1000)


@dataclass(frozen=True)
class Share:
    """`count` events of this epsilon (None: not bounded at the given delta)."""

    epsilon: Fraction | None
    count: int


def shares(case: EventCase, delta: Fraction) -> Iterator[Share]:
    """Every atom's epsilon when `delta` is all that its deltas may add up to; one unbounded share where it can't be."""
    prices = [(atom, price_of_atom(atom), count) for atom, count in case]
    left = delta - sum((price.delta * count for _, price, count in prices), Fraction(0))
    waiting = sum(count for _, price, count in prices if price.epsilon is None)
    if left < 0 or (waiting and left <= 0):
        yield Share(None, 1)
        return
    for atom, price, count in prices:
        yield Share(_epsilon(atom, price, left / waiting) if price.epsilon is None else price.epsilon, count)


def _epsilon(atom: Atom, price: Price, delta: Fraction) -> Fraction:
    """The epsilon of an atom without a pure one, at its share of delta (plus what its own parts carry)."""
    if isinstance(atom, Gaussian):
        return Fraction(gaussian_epsilon(1 / float(exact(atom.sigma)), delta))
    if isinstance(atom, AmplifiedLeaves):
        inner = price_of_case(atom.inner)
        share = min(delta / atom.probability, MOST_DELTA)
        exactly = GaussianOnly().curve(atom.inner)(share)
        return amplify(Fraction(min(exactly, zcdp_epsilon(inner.rho, share))), atom.probability)
    return Fraction(zcdp_epsilon(price.rho, delta))


@dataclass(frozen=True)
class Sequential:
    """The sum of the epsilons."""

    name: str = "sequential"

    def curve(self, case: EventCase) -> Curve:
        """Exact sums, rounded up once at the end."""

        def epsilon(delta: Fraction) -> float:
            total = Fraction(0)
            for share in shares(case, delta):
                if share.epsilon is None:
                    return math.inf
                total += share.epsilon * share.count
            return rounded_up(total)

        return epsilon
