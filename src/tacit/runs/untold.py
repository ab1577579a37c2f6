"""What may not be reported beside a private release: its evidence says nothing about its input that was not paid for.

An attack counts how often an adversary is right about the raw data, and a comparison how far a release is from it, both
exactly. Beside a release whose promise is proven, such as differential privacy, either would reveal for free what the
noise hides. A comparison would also make, and charge, one release for each candidate. So the attacks and comparisons
that all kinds of data share are refused there; a kind that can pay for such figures defines its own.
"""

from typing import Any

from tacit.cards.private import PrivateMethod
from tacit.catalogue import methods
from tacit.errors import PolicyRefused
from tacit.guarantees.catalogue import is_proven
from tacit.plan.load import Plan
from tacit.plan.schema import ReleaseSection
from tacit.release.release import Release

ATTACK = "can't be attacked here: its evidence would say exactly how often an adversary is right about the raw data"
COMPARE = (
    "can't be compared here: that would reveal exactly how far it is from the raw data, and charge for each candidate"
)
UNCHANGED = "Nothing was changed"
MADE_ONE = "The first candidate was made, and what it was charged stays charged"


def refuse_private_plan(plan: Plan, why: str) -> None:
    """Refuse a plan whose release is private, by its guarantees or by its method; nothing was made or charged."""
    if is_private(plan.release):
        raise _refusal(f"the release of {plan.path.name}", plan, why)


def refuse_private_release(release: Release[Any] | None, plan: Plan, why: str, done: str = UNCHANGED) -> None:
    """Refuse a release that was found to be private, whatever its plan says; `done` is what happened until then."""
    if release is not None and (release.proven or release.spent is not None):
        raise _refusal(release.output.name, plan, why, done)


def is_private(section: ReleaseSection) -> bool:
    """Whether a guarantee of the section is kept by randomness, or its method is a private one."""
    names = {name for entry in section.guarantees for name in entry}
    if any(is_proven(name) for name in names):
        return True
    return section.method in methods() and isinstance(methods()[section.method], PrivateMethod)


def _refusal(what: str, plan: Plan, why: str, done: str = UNCHANGED) -> PolicyRefused:
    return PolicyRefused(
        f"{what} keeps its promise by randomness and reveals nothing else about its input, so it {why}. {done}; "
        f"`tacit audit {plan.release.method}` tries to refute a method itself, on data that it invents"
    )
