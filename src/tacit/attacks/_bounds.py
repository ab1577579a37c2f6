"""What guarantees say about attacks: the highest success rate that a promise about every class allows.

A promise bounds an average over people only if it holds for everybody whom the adversary goes after; suppressed
people count among them and are never found, which only lowers the rate.
"""

from math import exp
from typing import Any

from tacit.guarantees.alpha_k_anonymity import AlphaKAnonymity
from tacit.guarantees.beta_likeness import BetaLikeness
from tacit.guarantees.delta_disclosure import DeltaDisclosure
from tacit.guarantees.guarantee import Guarantee
from tacit.guarantees.k_anonymity import KAnonymity
from tacit.guarantees.l_diversity import LDiversity
from tacit.guarantees.t_closeness import TCloseness
from tacit.release.attacks import Success


def one_of_k(params: Any, guarantee: Guarantee, found: Success) -> float | None:
    """Whoever fits is one of at least k people."""
    return 1 / guarantee.k if isinstance(guarantee, KAnonymity | AlphaKAnonymity) else None


def never_certain(params: Any, guarantee: Guarantee, found: Success) -> float | None:
    """No class has one value only, so nobody's is certain."""
    if isinstance(guarantee, AlphaKAnonymity):
        return 0.0 if guarantee.alpha < 1 else None
    return 0.0 if isinstance(guarantee, LDiversity) else None


def values_remain(params: Any, guarantee: Guarantee, found: Success) -> float | None:
    """Every kind of l-diversity leaves at least l values, so l − 1 must be excluded before one is certain."""
    if not isinstance(guarantee, LDiversity) or params.members:
        return None
    return 0.0 if params.excluded + 2 <= guarantee.l else None


def share_in_class(params: Any, guarantee: Guarantee, found: Success) -> float | None:
    """The largest share of a value in a class; it bounds a guess where each class shows all who fit it."""
    if not found.details.get("whole_classes"):
        return None
    if isinstance(guarantee, LDiversity) and guarantee.kind == "probabilistic":
        return 1 / guarantee.l
    if isinstance(guarantee, AlphaKAnonymity):
        return guarantee.alpha
    if isinstance(guarantee, TCloseness) and guarantee.distance in ("equal", "variational"):
        return min(found.baseline + guarantee.t, 1.0)
    if isinstance(guarantee, BetaLikeness):
        return min(found.baseline * (1 + guarantee.beta), 1.0)
    return None


def belief_stays(params: Any, guarantee: Guarantee, found: Success) -> float | None:
    """No belief grows by the factor that counts as a disclosure."""
    if isinstance(guarantee, BetaLikeness):
        return 0.0 if params.factor > 1 + guarantee.beta else None
    if isinstance(guarantee, DeltaDisclosure):
        return 0.0 if params.factor >= exp(guarantee.delta) else None
    return None
