"""Purpose and approval: what an office wants to know of a release, and lines to fill in by hand for the rest."""

from dataclasses import dataclass
from typing import Any

from tacit.release.about import AboutSection, about_of
from tacit.release.release import Release

LINES = {
    "purpose": "purpose",
    "recipient": "recipient",
    "owner": "owner of the data",
    "contact": "contact",
    "legal_basis": "legal basis",
    "license": "licence",
    "approved_by": "approved by",
    "approved_on": "date of approval",
}
BY_HAND = ("purpose", "recipient", "owner", "approved_by", "approved_on")
"""What a paper has a line for though the plan says nothing of it."""


@dataclass(frozen=True)
class ApprovalLine:
    """A line of the form; `words` is None where it is to be filled in by hand."""

    name: str
    words: str | None


def approval_lines(release: Release[Any]) -> tuple[ApprovalLine, ...]:
    """The lines of the form, the signature last."""
    about = about_of(release.recipe.plan)
    found = [ApprovalLine(name, getattr(about, key)) for key, name in LINES.items() if _has(about, key)]
    return (*found, ApprovalLine("signature", None))


def _has(about: AboutSection, key: str) -> bool:
    return key in BY_HAND or getattr(about, key) is not None


def title_of(release: Release[Any]) -> str:
    """What the release is called: by its plan, else by its own file, else by what it was made of."""
    return about_of(release.recipe.plan).title or (release.output.name if release.outputs else release.title)
