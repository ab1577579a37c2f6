"""Tacit: use data about people without betraying them.

The public names are imported when they are first used, so that `import tacit` is quick.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from tacit import distribution

if TYPE_CHECKING:
    from tacit import statistics as statistics
    from tacit.data.dataset import Dataset as Dataset
    from tacit.errors import BadData as BadData
    from tacit.errors import BadParameter as BadParameter
    from tacit.errors import BudgetExceeded as BudgetExceeded
    from tacit.errors import CannotGuarantee as CannotGuarantee
    from tacit.errors import TacitError as TacitError
    from tacit.guarantees.alpha_k_anonymity import AlphaKAnonymity as AlphaKAnonymity
    from tacit.guarantees.beta_likeness import BetaLikeness as BetaLikeness
    from tacit.guarantees.delta_disclosure import DeltaDisclosure as DeltaDisclosure
    from tacit.guarantees.delta_presence import DeltaPresence as DeltaPresence
    from tacit.guarantees.differential_privacy import DifferentialPrivacy as DifferentialPrivacy
    from tacit.guarantees.k_anonymity import KAnonymity as KAnonymity
    from tacit.guarantees.k_concealment import KConcealment as KConcealment
    from tacit.guarantees.k_map import KMap as KMap
    from tacit.guarantees.l_diversity import LDiversity as LDiversity
    from tacit.guarantees.m_invariance import MInvariance as MInvariance
    from tacit.guarantees.t_closeness import TCloseness as TCloseness
    from tacit.inspection.examine import Inspection as Inspection
    from tacit.release.release import Release as Release
    from tacit.runs.answers.budget import PrivacyBudget as PrivacyBudget
    from tacit.verbs.ask import ask as ask
    from tacit.verbs.attack import attack as attack
    from tacit.verbs.auditing import audit as audit
    from tacit.verbs.calls import ProtectedData as ProtectedData
    from tacit.verbs.datasets import check as check
    from tacit.verbs.datasets import compare as compare
    from tacit.verbs.datasets import measure as measure
    from tacit.verbs.datasets import protect as protect
    from tacit.verbs.datasets import tabulate as tabulate
    from tacit.verbs.reading import inspect as inspect
    from tacit.verbs.reading import read as read

_WHERE = {
    "BadData": "errors",
    "Dataset": "data.dataset",
    "Inspection": "inspection.examine",
    "ProtectedData": "verbs.calls",
    "BudgetExceeded": "errors",
    "PrivacyBudget": "runs.answers.budget",
    "ask": "verbs.ask",
    "audit": "verbs.auditing",
    "statistics": "",
    "BadParameter": "errors",
    "CannotGuarantee": "errors",
    "TacitError": "errors",
    "AlphaKAnonymity": "guarantees.alpha_k_anonymity",
    "BetaLikeness": "guarantees.beta_likeness",
    "DeltaDisclosure": "guarantees.delta_disclosure",
    "DeltaPresence": "guarantees.delta_presence",
    "DifferentialPrivacy": "guarantees.differential_privacy",
    "KAnonymity": "guarantees.k_anonymity",
    "KConcealment": "guarantees.k_concealment",
    "KMap": "guarantees.k_map",
    "LDiversity": "guarantees.l_diversity",
    "MInvariance": "guarantees.m_invariance",
    "TCloseness": "guarantees.t_closeness",
    "Release": "release.release",
    "attack": "verbs.attack",
    "check": "verbs.datasets",
    "compare": "verbs.datasets",
    "inspect": "verbs.reading",
    "measure": "verbs.datasets",
    "protect": "verbs.datasets",
    "read": "verbs.reading",
    "tabulate": "verbs.datasets",
}

__all__ = sorted(_WHERE)
__version__ = distribution.VERSION


if not TYPE_CHECKING:
    # A type checker reads the imports above, so that it sees a misspelt name.
    def __getattr__(name: str) -> Any:
        """A public name, imported now."""
        if name not in _WHERE:
            from tacit.spelling import meant

            hint = "" if name.startswith("_") else meant([name], _WHERE)
            raise AttributeError(f"module 'tacit' has no attribute {name!r}{hint}")
        if not _WHERE[name]:
            return import_module(f"tacit.{name}")
        return getattr(import_module(f"tacit.{_WHERE[name]}"), name)


def __dir__() -> list[str]:
    """The public names."""
    return __all__
