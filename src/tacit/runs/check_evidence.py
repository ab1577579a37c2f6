"""A check of evidence: what it says, and whether the files beside it are still the ones it was written for.

A promise that is called kept must be kept by its own figures, and what the release alone shows is counted again, if it
is beside the evidence; a check against the plan measures everything again. The report is made from the evidence alone,
so the one beside it is compared with what this version makes of it; its hash could not stand in the evidence, since the
report prints all of that. A recipient of a release does not have the raw data, nor perhaps the plan, so these may be
missing; what was published may not. If there is a later release, the data may have changed since.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Any

from tacit import distribution
from tacit.engines.engine import Engine
from tacit.evidence.certificate import FileFinding, verify
from tacit.evidence.packages import installed_version, shown, state_here
from tacit.evidence.reading import SEEDED, Headline, plain
from tacit.release.fingerprints import sha256_of
from tacit.release.release import Release
from tacit.runs.contradictions import contradictions
from tacit.runs.evidence_kinds import evidence_kind

AWAY = "a file marked away is not beside the evidence, so it was not compared"


@dataclass(frozen=True, eq=False)
class EvidenceCheck:
    """What evidence says, and the state of its files."""

    release: Release[Any]
    verdict: Headline
    files: tuple[FileFinding, ...]
    superseded: str = ""
    contradictions: tuple[str, ...] = ()

    @property
    def holds(self) -> bool:
        """Whether the evidence can be relied on.

        Its verdict must not fail, nothing may contradict it, it must not be made from a seed, no file may have changed
        except data that has a later release, and the release itself must be there.
        """
        if self.release.seeded or self.contradictions:
            return False
        lost = any(file.state == "missing" and file.part == "output" for file in self.files)
        return self.verdict.state != "fails" and not lost and all(file.state != "changed" for file in self.files)

    def values(self) -> dict[str, Any]:
        """The check as plain values."""
        files = [{"part": file.part, "name": file.name, "state": file.state} for file in self.files]
        said = {"verdict": self.verdict.headline, "says": plain(self.verdict.reason)}
        made = {"kind": self.release.kind, "created": self.release.created}
        packages = [
            {"name": one.name, "version": one.version, "installed": installed_version(one)}
            for one in self.release.packages
        ]
        notes = [self.superseded] if self.superseded else []
        usable = {"holds": self.holds, "may_be_published": self.release.may_be_published}
        against = {"contradictions": list(self.contradictions)}
        return {**usable, **made, **said, **against, "files": files, "notes": notes, "packages": packages}

    def lines(self, name: str) -> list[str]:
        """The check for a terminal; `name` is that of the evidence."""
        head = f"{name}: evidence of {self.release.title}, made {self.release.created}"
        words = {"unchanged": "same ", "changed": "OTHER", "missing": "GONE ", "moved on": "moved"}
        away = [file for file in self.files if file.state == "missing" and file.part != "output"]
        files = [
            f"  {'away ' if file in away else words[file.state]}  {file.name} ({file.part})" for file in self.files
        ]
        said = "FAILS" if self.verdict.state == "fails" else "says "
        seeded = [f"  FAILS  {SEEDED}"] if self.release.seeded else []
        seeded += [f"  FAILS  {plain(one)}" for one in self.contradictions]
        notes = [AWAY] if away else []
        notes += [self.superseded] if self.superseded else []
        notes += [f"made with the package {shown(one)}, {state_here(one)}" for one in self.release.packages]
        verdict = f"  {said}  {self.verdict.headline} {plain(self.verdict.reason)}"
        return [head, *seeded, verdict, *files, *(f"  note   {note}" for note in notes)]


def checked(
    release: Release[Any], folder: Path, report: Path | None = None, engine: Engine | None = None
) -> EvidenceCheck:
    """The check of a release; its files are looked for in the folder, and the release is counted with the engine."""
    kind, files = evidence_kind(release.kind), verify(release, folder)
    against = [*contradictions(release)]
    if engine is not None and all(file.holds for file in files if file.part == "output"):
        against += kind.recount(release, folder, engine)
    if report is not None:
        files = (*files, *_report(release, report))
    changed = [file for file in files if file.part == "input" and file.state == "changed"]
    superseded = kind.superseded(release, folder) if changed else ""
    if superseded:
        files = tuple(replace(file, state="moved on") if file in changed else file for file in files)
    return EvidenceCheck(release, kind.verdict(release), files, superseded, tuple(against))


def _report(release: Release[Any], report: Path) -> Iterator[FileFinding]:
    """Whether the report is the one that the evidence makes; nothing if it is away, or of another version."""
    same = release.versions.get("tacit") == distribution.VERSION
    if not report.is_file() or not same or any(installed_version(one) != one.version for one in release.packages):
        return
    expected = sha256(evidence_kind(release.kind).render(release).encode("utf-8")).hexdigest()
    found = sha256_of(report)
    yield FileFinding("report", report.name, "unchanged" if found == expected else "changed", expected, found)
