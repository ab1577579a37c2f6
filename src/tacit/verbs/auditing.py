"""The audit of a method or of a function: whether its claim of privacy can be refuted."""

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any, Literal, Unpack

from tacit.errors import BadParameter
from tacit.request import Progress, be_silent
from tacit.spelling import did_you_mean
from tacit.verbs.options import ClaimOptions, require_known

if TYPE_CHECKING:
    from tacit.auditing.subject import Subject
    from tacit.release.audit import AuditRelease, Verdict
    from tacit.runs.audit import AskedAudit, AuditFiles

AUDIT_SCHEMA = "tacit/audit/1"


@dataclass(frozen=True)
class FunctionClaim:
    """What a function claims, and the datasets that it may be given: rows of the domain, at most so many."""

    epsilon: float = 1.0
    delta: float = 0.0
    domain: Sequence[Any] = (0, 1)
    most: int = 3
    neighbours: Literal["add-remove", "replace"] = "add-remove"


@dataclass(frozen=True)
class AuditRuns:
    """How an audit runs: so many draws on each neighbour, as many as are usual if not said, perhaps from a seed."""

    draws: int | None = None
    seed: str | None = None


USUAL = AuditRuns()


@dataclass(frozen=True, eq=False)
class Audit:
    """What an audit found: `release` is its evidence, and `save` writes it with its report."""

    release: "AuditRelease"

    @property
    def verdict(self) -> "Verdict":
        """The verdict with all that was tried."""
        return self.release.body

    @property
    def refuted(self) -> bool:
        """Whether the claim is wrong, with the stated confidence."""
        return self.verdict.refuted

    def save(self, path: str | Path) -> "AuditFiles":
        """Writes the evidence to `path`, which ends in `.json`, and the report beside it; both or none."""
        from tacit.runs.audit import audit_files, publish_audit

        files = audit_files(Path(path))
        publish_audit(self.release, files)
        return files

    def values(self) -> dict[str, Any]:
        """What `tacit audit --json` prints: the worst finding in front."""
        verdict, worst = self.verdict, self.verdict.worst
        example = worst.example if verdict.refuted else None
        return {
            "audit": AUDIT_SCHEMA,
            "target": verdict.target,
            "refuted": verdict.refuted,
            "epsilon_at_least": worst.proved,
            "epsilon_claimed": worst.claimed,
            "delta": worst.delta,
            "neighbours": verdict.claim.neighbours,
            "confidence": verdict.confidence,
            "pairs": len(verdict.tried),
            "runs": verdict.runs,
            "counterexample": None if example is None else example.model_dump(mode="json"),
            "failures": [failure.model_dump(mode="json") for failure in verdict.failures],
            "findings": [finding.model_dump(mode="json") for finding in verdict.findings],
            "says": verdict.says(),
        }

    def __repr__(self) -> str:
        """The verdict in a few lines."""
        return "\n".join(self.verdict.says())

    def _repr_html_(self) -> str:
        """The report, inside a frame of its own."""
        from tacit.evidence.notebook import framed
        from tacit.runs.audit import AUDIT

        return framed(AUDIT.render(self.release))


def require_place(path: Path | None) -> None:
    """Refuses a place where the evidence can't stand, before anything is run."""
    from tacit.runs.audit import audit_files

    if path is not None:
        audit_files(path)


def audit(
    target: str | Callable[..., Any],
    parameters: Mapping[str, Any] | None = None,
    *,
    draws: int | None = None,
    seed: str | None = None,
    **claim: Unpack[ClaimOptions],
) -> Audit:
    """The outcome of trying to refute the privacy of a method or of a function.

    A method is named (`"mechanisms/laplace"`) with its `parameters`; it states its own claim, and `delta` bounds
    epsilon at another delta. A function of (dataset, bits), or its name as `module:function`, is given what it claims:
    `epsilon`, `delta`, the `domain` of its rows, the `most` rows of a dataset, and its `neighbours`.
    """
    runs = AuditRuns(draws, seed)
    if callable(target) or (isinstance(target, str) and ":" in target):
        require_known("audit", claim, ClaimOptions, ("draws", "seed"))
        if parameters:
            raise BadParameter("a function has no parameters other than dataset and bits; leave `parameters` out")
        return audit_function(target, FunctionClaim(**claim), runs)
    if not isinstance(target, str):
        raise BadParameter(
            f"`tacit.audit` was given a {type(target).__name__}; name a method, as in "
            '`tacit.audit("mechanisms/laplace")`, or give a function of (dataset, bits). An audit reads no data; '
            "`tacit.measure` and `tacit.check` do"
        )
    _require_delta_only(target, claim)
    return audit_method(target, parameters, claim.get("delta"), runs)


def _require_delta_only(target: str, claim: Mapping[str, Any]) -> None:
    """Nothing but delta is said of a method, whose other settings are its parameters."""
    from tacit.catalogue import find_method

    name = next((name for name in claim if name != "delta"), None)
    if name is None:
        return
    names = tuple(find_method(target).params.model_fields)
    hint = f"write `parameters={{{name!r}: …}}`" if name in names else did_you_mean(name, names)
    raise BadParameter(f"{target} states its own claim, and its settings belong in `parameters`, not {name!r}; {hint}")


def audit_method(
    name: str,
    settings: Mapping[str, Any] | None = None,
    delta: float | None = None,
    runs: AuditRuns = USUAL,
    progress: Progress = be_silent,
) -> Audit:
    """What trying to refute a method of the catalogue found; `settings` are its parameters."""
    from tacit.auditing.cards import subject_of_card
    from tacit.catalogue import find_method
    from tacit.runs.audit import AskedAudit, code_of

    given = dict(settings or {})
    subject = subject_of_card(name, given, delta)
    asked = {"target": name, **({"parameters": given} if given else {}), **_said(delta=delta, **asdict(runs))}
    progress("running it on neighbours")
    words = [word for key, value in given.items() for word in ("--set", f"{key}={_written(value)}")]
    command = _command([name, *words, *_options(delta=delta, **asdict(runs))])
    return _audited(subject, runs, AskedAudit(code_of(find_method(name).run, name), asked, command))


def audit_function(
    target: str | Callable[..., Any],
    claim: FunctionClaim,
    runs: AuditRuns = USUAL,
    progress: Progress = be_silent,
) -> Audit:
    """What trying to refute a function found; the module of a name is looked for in the working folder too."""
    from tacit.auditing.functions import find_function, subject_of_function
    from tacit.auditing.records import as_row
    from tacit.auditing.subject import claimed
    from tacit.runs.audit import AskedAudit, code_of
    from tacit.sensitivity.exploration import World

    world = World([as_row(row) for row in claim.domain], claim.most, neighbours=claim.neighbours)
    name = target if isinstance(target, str) else getattr(target, "__qualname__", "the function")
    sys.path.insert(0, "")
    try:
        function = find_function(target) if isinstance(target, str) else target
        subject = subject_of_function(function, world, claimed(claim.epsilon, claim.delta), name)
        progress("running it on neighbours")
        asked = {"target": name, **_said(**asdict(claim), **asdict(runs))}
        options = _options(**{**asdict(claim), "domain": list(claim.domain)}, **asdict(runs))
        command = _command([target, *options]) if isinstance(target, str) else f"tacit.audit({name}, …)"
        return _audited(subject, runs, AskedAudit(code_of(function, name), asked, command))
    finally:
        sys.path.remove("")


def _audited(subject: "Subject", runs: AuditRuns, asked: "AskedAudit") -> Audit:
    from tacit.auditing.audit import audit
    from tacit.randomness.stream import RandomBits
    from tacit.runs.audit import audit_release

    begin = perf_counter()
    bits = RandomBits.from_os() if runs.seed is None else RandomBits.from_seed(runs.seed)
    return Audit(audit_release(audit(subject, runs.draws, bits), asked, perf_counter() - begin))


def _said(**values: Any) -> dict[str, Any]:
    """The arguments that were given, without those that were left to their default."""
    return {name: value for name, value in values.items() if value is not None}


def _command(words: list[str]) -> str:
    from shlex import join

    return join(["tacit", "audit", *words])


def _options(**values: Any) -> list[str]:
    """The options of the command line for what was said."""
    return [word for name, value in _said(**values).items() for word in (f"--{name}", _written(value))]


def _written(value: Any) -> str:
    """A value as the command line reads it: text as it is, anything else as JSON."""
    import json

    return value if isinstance(value, str) else json.dumps(value, default=str)
