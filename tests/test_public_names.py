"""The public names: the agreed list, each there, each explained.

Covers verbs.
"""

import inspect

import pytest

import tacit

AGREED = [
    "AlphaKAnonymity",
    "BadData",
    "BadParameter",
    "BetaLikeness",
    "BudgetExceeded",
    "CannotGuarantee",
    "DeltaDisclosure",
    "DeltaPresence",
    "DifferentialPrivacy",
    "KAnonymity",
    "KConcealment",
    "KMap",
    "LDiversity",
    "MInvariance",
    "PrivacyBudget",
    "Release",
    "TCloseness",
    "TacitError",
    "ask",
    "audit",
    "attack",
    "check",
    "compare",
    "inspect",
    "measure",
    "protect",
    "read",
    "statistics",
    "tabulate",
]


def test_the_names_are_those_that_were_agreed() -> None:
    assert sorted(tacit.__all__) == sorted(AGREED)
    assert set(dir(tacit)) >= set(AGREED)


@pytest.mark.parametrize("name", tacit.__all__)
def test_every_name_is_explained(name: str) -> None:
    thing = getattr(tacit, name)
    assert inspect.getdoc(thing), name
    assert getattr(thing, "__module__", thing.__name__).startswith("tacit.")


def test_another_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match=r"module 'tacit' has no attribute 'protekt'"):
        _ = tacit.protekt  # type: ignore[attr-defined]


def test_every_guarantee_has_a_public_name() -> None:
    from tacit.guarantees.catalogue import guarantees

    assert {kind.__name__ for kind in guarantees().values()} <= set(tacit.__all__)
