"""An audit as evidence: the envelope around its verdict, and its files, which take their places as one."""

import inspect
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tacit.errors import BadParameter
from tacit.publication import publication
from tacit.release.audit import AuditRelease, Verdict
from tacit.release.fingerprints import call_fingerprint, fingerprint, text_fingerprint
from tacit.release.release import Fingerprint, Recipe, Release
from tacit.runs.evidence_kind import AUDITS, EvidenceKind
from tacit.runs.packages import packages_of
from tacit.runs.peak_memory import peak_bytes
from tacit.runs.run import versions

if TYPE_CHECKING:
    from tacit.evidence.page import BodyPage
    from tacit.evidence.reading import Headline

SEEDED = (
    "The runs were drawn from a seed, so they can be repeated. The confidence holds only if the seed was chosen before "
    "anybody saw what it leads to."
)


class AuditKind(EvidenceKind):
    """Audits of methods and functions."""

    name = AUDITS
    title = "Audits of claims of privacy"
    body = Verdict
    command = "tacit audit NAME"

    def verdict(self, release: Release[Any]) -> "Headline":
        """Whether the claim stands."""
        from tacit.evidence.audit import audit_headline

        return audit_headline(release.body)

    def page(self, release: Release[Any]) -> "BodyPage":
        """What was claimed, tried and found."""
        from tacit.evidence.audit import audit_page

        return audit_page(release)

    def summary(self, release: Release[Any], written: Mapping[str, str]) -> list[str]:
        """The verdict, and where the files are."""
        return [*release.body.says(), *(f"  {name} in {path}" for name, path in written.items())]


AUDIT = AuditKind()


@dataclass(frozen=True, eq=False)
class AskedAudit:
    """How an audit was asked for: the code that was run, what was asked of it, and the command that repeats it."""

    code: Fingerprint
    asked: Mapping[str, Any]
    command: str


@dataclass(frozen=True)
class AuditFiles:
    """Where the evidence of an audit and its report are."""

    evidence: Path
    report: Path


def code_of(function: Callable[..., Any], name: str) -> Fingerprint:
    """The file that defines the function; the function alone if it is in no file."""
    try:
        function = inspect.unwrap(function)
        path = Path(inspect.getsourcefile(function) or "")
        return fingerprint(path) if path.is_file() else text_fingerprint(inspect.getsource(function), name)
    except (OSError, TypeError):
        return text_fingerprint(name, name)


def audit_release(verdict: Verdict, asked: AskedAudit, seconds: float) -> AuditRelease:
    """The envelope around the verdict."""
    form = json.loads(json.dumps(dict(asked.asked), default=str))
    given = {name: value for name, value in form.items() if name != "target"}
    return AuditRelease(
        kind=AUDIT.name,
        created=datetime.now(UTC).isoformat(timespec="seconds"),
        title=verdict.target,
        inputs=(asked.code,),
        plan=call_fingerprint(form),
        outputs=(),
        recipe=Recipe(method=verdict.target, parameters=given, command=asked.command, plan=form),
        notes=() if form.get("seed") is None else (SEEDED,),
        seconds={"total": seconds},
        peak_memory_bytes=peak_bytes(),
        versions=versions(),
        packages=packages_of([f"methods/{verdict.target}"]),
        body=verdict,
    )


def audit_files(path: Path) -> AuditFiles:
    """The evidence at `path`, the report beside it."""
    if path.suffix != ".json":
        raise BadParameter(f"{path}: the evidence of an audit is written as JSON; give a name that ends in .json")
    stem = path.with_suffix("")
    stem = stem.with_suffix("") if stem.suffix == ".evidence" else stem
    return AuditFiles(path, stem.with_name(f"{stem.name}.report.html"))


def publish_audit(release: AuditRelease, files: AuditFiles) -> None:
    """Afterwards evidence and report are in their places, both or neither."""
    with publication((files.evidence, files.report)) as staged:
        AUDIT.write(release, staged[files.evidence], staged[files.report])
