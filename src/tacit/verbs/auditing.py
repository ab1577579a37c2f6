"""The audit of a method or of a function: whether its claim of privacy can be refuted."""

import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Literal

from tacit.request import Progress, be_silent

if TYPE_CHECKING:
    from tacit.audit.subject import Subject
    from tacit.audit.verdict import Verdict

AUDIT_SCHEMA = "tacit/audit/1"


@dataclass(frozen=True)
class FunctionClaim:
    """What a function claims, and the datasets that it may be given: rows of the domain, at most so many."""

    epsilon: float = 1.0
    delta: float = 0.0
    domain: Sequence[Any] = (0, 1)
    most: int = 3
    neighbours: Literal["add-remove", "replace"] = "add-remove"


def audit_method(
    name: str,
    settings: Mapping[str, Any] | None = None,
    delta: float | None = None,
    draws: int | None = None,
    seed: str | None = None,
    progress: Progress = be_silent,
) -> "Verdict":
    """What trying to refute a method of the catalogue found; `settings` are its parameters."""
    from tacit.audit.cards import subject_of_card

    progress("running it on neighbours")
    return _verdict(subject_of_card(name, dict(settings or {}), delta), draws, seed)


def audit_function(
    name: str,
    claim: FunctionClaim,
    draws: int | None = None,
    seed: str | None = None,
    progress: Progress = be_silent,
) -> "Verdict":
    """What trying to refute `module:function` found; the module is looked for in the working folder too."""
    from tacit.audit.functions import find_function, subject_of_function
    from tacit.audit.records import as_row
    from tacit.audit.subject import claimed
    from tacit.sensitivity.exploration import World

    progress("running it on neighbours")
    world = World([as_row(row) for row in claim.domain], claim.most, neighbours=claim.neighbours)
    sys.path.insert(0, "")
    try:
        function = find_function(name)
        return _verdict(subject_of_function(function, world, claimed(claim.epsilon, claim.delta), name), draws, seed)
    finally:
        sys.path.remove("")


def _verdict(subject: "Subject", draws: int | None, seed: str | None) -> "Verdict":
    from tacit.audit.audit import audit
    from tacit.randomness.stream import RandomBits

    return audit(subject, draws, RandomBits.from_os() if seed is None else RandomBits.from_seed(seed))


def verdict_values(verdict: "Verdict") -> dict[str, Any]:
    """The verdict as plain values, the worst finding in front."""
    worst = verdict.worst
    return {
        "audit": AUDIT_SCHEMA,
        "target": verdict.target,
        "refuted": verdict.refuted,
        "epsilon_at_least": worst.proved,
        "epsilon_claimed": worst.claimed,
        "delta": worst.delta,
        "confidence": verdict.confidence,
        "pairs": verdict.pairs,
        "runs": verdict.runs,
        "counterexample": asdict(worst.example) if worst.example and verdict.refuted else None,
        "findings": [asdict(finding) for finding in verdict.findings],
        "says": verdict.says(),
    }
