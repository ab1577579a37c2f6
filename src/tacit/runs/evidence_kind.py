"""A kind of evidence: what a run of it says in its body, and how that reads on a page and at a terminal.

Every kind of release has evidence of its own kind. An audit has evidence and no data.
"""

from abc import ABC
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from tacit.evidence.files import evidence_text
from tacit.release.release import Body, Release

if TYPE_CHECKING:
    from tacit.evidence.page import BodyPage
    from tacit.evidence.reading import Headline

AUDITS = "audit"
"""The evidence of audits, which is of no data and so stands in no folder of a kind."""


class EvidenceKind(ABC):
    """One kind of evidence, and the command that makes it."""

    name: ClassVar[str]
    title: ClassVar[str]
    body: ClassVar[type[Body]]
    command: ClassVar[str] = "tacit protect PLAN"

    def verdict(self, release: Release[Any]) -> "Headline":
        """The answer at the top of the report."""
        from tacit.evidence.reading import verdict

        return verdict(release)

    def superseded(self, release: Release[Any], folder: Path) -> str:
        """Why data that changed since the release does not speak against it, in words; empty where it does.

        `folder` is where the evidence stands.
        """
        return ""

    def page(self, release: Release[Any]) -> "BodyPage":
        """What the report shows of the body, beside what it shows of every release."""
        from tacit.evidence.page import BodyPage

        return BodyPage()

    def render(self, release: Release[Any]) -> str:
        """The report of a release, as a page."""
        from tacit.evidence.page import render_page

        return render_page(release, self.page(release), self.verdict(release))

    def write(self, release: Release[Any], evidence: Path, report: Path) -> None:
        """Afterwards evidence and report of the release stand in these files."""
        evidence.write_text(evidence_text(release), encoding="utf-8", newline="\n")
        report.write_text(self.render(release), encoding="utf-8", newline="\n")

    def lines(self, release: Release[Any]) -> list[str]:
        """What is said of the body at a terminal, beside what is said of every release."""
        return []

    def brief(self, release: Release[Any]) -> str:
        """What came of it in a few words, for whoever looks at the release in Python; nothing of what is in it."""
        return ""

    def summary(self, release: Release[Any], written: Mapping[str, str]) -> list[str]:
        """The release in a few lines for a terminal; `written` says what stands where."""
        from tacit.evidence.summary import release_lines

        return release_lines(release, self.lines(release), written, self.verdict(release))
