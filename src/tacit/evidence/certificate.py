"""The certificate: whether the files of a release are still those that its evidence was written for.

SHA-256 is collision-resistant, so an equal hash means an equal file. The certificate is not signed: it shows that files
and evidence belong together, not who made them.
"""

from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import Any, Literal

from tacit.release.fingerprints import CALL, sha256_of
from tacit.release.release import Fingerprint, Release

Part = Literal["input", "plan", "output", "report"]
FileState = Literal["unchanged", "changed", "missing", "moved on"]
"""Data that changed, as it must between releases, has moved on: that is no fault of a release that has a later one."""


@dataclass(frozen=True)
class FileFinding:
    """One file: the hash that the evidence names, the hash that was found, and what follows."""

    part: Part
    name: str
    state: FileState
    expected: str
    found: str | None

    @property
    def holds(self) -> bool:
        """Whether the file is the one that the evidence was written for."""
        return self.state == "unchanged"


def verify(release: Release[Any], folder: Path) -> tuple[FileFinding, ...]:
    """What became of inputs, plan and outputs, looked for by name in `folder` and never outside it.

    A file whose hash is not told, such as the data behind private answers, can't be verified and is left out. So is a
    call in Python, which stands for a plan and is no file.
    """
    parts: list[tuple[Part, Fingerprint]] = [("input", file) for file in release.inputs]
    parts += [("plan", file) for file in (release.plan,) if file.name != CALL]
    parts += [("output", file) for file in release.outputs]
    told = [(part, known.name, known.sha256) for part, known in parts if known.sha256 is not None]
    return tuple(_verify(part, name, expected, folder) for part, name, expected in told)


def _verify(part: Part, name: str, expected: str, folder: Path) -> FileFinding:
    path = _inside(folder, name)
    if path is None or not path.is_file():
        return FileFinding(part, name, "missing", expected, None)
    found = sha256_of(path)
    state: FileState = "unchanged" if found == expected.lower() else "changed"
    return FileFinding(part, name, state, expected, found)


def _inside(folder: Path, name: str) -> Path | None:
    pure = PurePath(name)
    if not pure.name or "\0" in name:
        return None
    leaves = pure.is_absolute() or ".." in pure.parts
    return folder / (pure.name if leaves else pure)
