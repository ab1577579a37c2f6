"""A random number of runs, of which only the best is published (Liu and Talwar 2019; Papernot and Steinke 2022).

Running a private mechanism on and on and publishing the best result costs without end. Where the number of runs is
random and secret it does not: with a truncated negative binomial number (eta > -1, 0 < gamma < 1), Pr[k] proportional
to (1 - gamma)**k (eta) (eta + 1) … (eta + k - 1) / k!, an epsilon-private mechanism costs (2 + eta) epsilon, however
many runs are expected. eta 1 is geometric (stop after each run with probability gamma; 3 epsilon), eta 0 logarithmic (2
epsilon), and eta towards -1 nearly always one run. With a Poisson number of mean m it costs epsilon + m tanh(epsilon /
2): a result y is the best with density m q(y) exp(-m Pr[better than y]), whose first factor moves by e**epsilon and
whose second by at most e**(m d), d = tanh(epsilon / 2) the largest distance of two epsilon-close laws. Poisson may give
no run at all.
"""

import math
from dataclasses import dataclass, field
from typing import Any, Literal

from tacit.accounting.exact import RealNumber, exact, positive
from tacit.errors import BadParameter


def _kind(name: str) -> Any:
    return field(default=name, kw_only=True, repr=False)


@dataclass(frozen=True)
class NegativeBinomial:
    """At least one run; eta 1 is geometric, 0 logarithmic."""

    eta: RealNumber
    gamma: RealNumber
    kind: Literal["negative-binomial"] = _kind("negative-binomial")

    def __post_init__(self) -> None:
        if exact(self.eta) <= -1:
            raise BadParameter(f"eta is {self.eta}; it must be above -1")
        if not 0 < positive("gamma", self.gamma) < 1:
            raise BadParameter(f"gamma is {self.gamma}; it must lie strictly between 0 and 1")

    @property
    def mean(self) -> float:
        """The expected number of runs."""
        eta, gamma = float(self.eta), float(self.gamma)
        if eta == 0:
            return (1 / gamma - 1) / -math.log(gamma)
        return eta * (1 - gamma) / (gamma * -math.expm1(eta * math.log(gamma)))

    def all_within(self, chance: float) -> float:
        """The chance that every run has a property that each has with this chance (the generating function)."""
        eta, gamma = float(self.eta), float(self.gamma)
        log = math.log1p(-(1 - gamma) * chance)
        if eta == 0:
            return log / math.log(gamma)
        return math.expm1(-eta * log) / math.expm1(-eta * math.log(gamma))


@dataclass(frozen=True)
class Poisson:
    """A Poisson number of runs, which may be none."""

    mean: RealNumber
    kind: Literal["poisson"] = _kind("poisson")

    def __post_init__(self) -> None:
        positive("mean", self.mean)

    def all_within(self, chance: float) -> float:
        """The chance that every run has a property that each has with this chance."""
        return math.exp(float(self.mean) * (chance - 1))


Runs = NegativeBinomial | Poisson
