"""The certificate: whether the files of a release are still the files that it speaks of.

SHA-256 is collision-resistant, so an equal hash means an equal file. The certificate is not signed: it shows that files
and evidence belong together, not who made them.
"""

from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import Any, Literal

from tacit.release.fingerprints import sha256_of
from tacit.release.release import Fingerprint, Release

Part = Literal["input", "plan", "output"]
State = Literal["unchanged", "changed", "missing"]


@dataclass(frozen=True)
class FileFinding:
    """One file: the hash that the evidence names, the hash that was found, and what follows."""

    part: Part
    name: str
    state: State
    expected: str
    found: str | None

    @property
    def holds(self) -> bool:
        """Whether the file is the one that the evidence speaks of."""
        return self.state == "unchanged"


def verify(release: Release[Any], folder: Path) -> tuple[FileFinding, ...]:
    """What became of inputs, plan and outputs, looked for by name in `folder` and never outside it."""
    parts: list[tuple[Part, Fingerprint]] = [("input", file) for file in release.inputs]
    parts += [("plan", release.plan), *(("output", file) for file in release.outputs)]
    return tuple(_verify(part, known, folder) for part, known in parts)


def _verify(part: Part, known: Fingerprint, folder: Path) -> FileFinding:
    path = _inside(folder, known.name)
    if path is None or not path.is_file():
        return FileFinding(part, known.name, "missing", known.sha256, None)
    found = sha256_of(path)
    state: State = "unchanged" if found == known.sha256.lower() else "changed"
    return FileFinding(part, known.name, state, known.sha256, found)


def _inside(folder: Path, name: str) -> Path | None:
    pure = PurePath(name)
    if not pure.name or "\0" in name:
        return None
    leaves = pure.is_absolute() or ".." in pure.parts
    return folder / (pure.name if leaves else pure)
