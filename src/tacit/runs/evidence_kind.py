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
    from tacit.engines.engine import Engine
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
        """Why data that changed since the release does not discredit it, in words; empty if it does.

        `folder` is where the evidence is.
        """
        return ""

    def recount(self, release: Release[Any], folder: Path, engine: "Engine") -> tuple[str, ...]:
        """Where the published file in the folder, which is unchanged, does not show what the evidence says."""
        return ()

    def page(self, release: Release[Any]) -> "BodyPage":
        """What the report shows of the body, beside what it shows of every release."""
        from tacit.evidence.page import BodyPage

        return BodyPage()

    def render(self, release: Release[Any]) -> str:
        """The report of a release, as a page."""
        from tacit.evidence.page import render_page

        return render_page(release, self.page(release), self.verdict(release))

    def write(self, release: Release[Any], evidence: Path, report: Path) -> None:
        """Afterwards these files hold the evidence and the report of the release."""
        evidence.write_text(evidence_text(release), encoding="utf-8", newline="\n")
        report.write_text(self.render(release), encoding="utf-8", newline="\n")

    def lines(self, release: Release[Any]) -> list[str]:
        """What a terminal shows of the body, beside what it shows of every release."""
        return []

    def brief(self, release: Release[Any]) -> str:
        """The outcome in a few words, for users who look at the release in Python; it shows nothing of the content."""
        return ""

    def summary(self, release: Release[Any], written: Mapping[str, str]) -> list[str]:
        """The release in a few lines for a terminal; `written` says where the files are."""
        from tacit.evidence.summary import release_lines

        return release_lines(release, self.lines(release), written, self.verdict(release))
