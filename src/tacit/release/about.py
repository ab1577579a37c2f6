"""What a release is for: the words that an office wants on a certificate, which no run can know.

All of them are optional. What a plan leaves out is an empty line on the printed report, to be filled in by hand.
"""

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import Field

from tacit.errors import BadParameter
from tacit.params import Params

ShortText = Annotated[str, Field(min_length=1, max_length=500)]


class AboutSection(Params):
    """What the release is, what it is for, who gets it and who answers for it."""

    title: Annotated[ShortText | None, Field(description="the title of the release, as reports show it")] = None
    purpose: Annotated[ShortText | None, Field(description="what the release is for")] = None
    recipient: Annotated[ShortText | None, Field(description="who receives the release")] = None
    owner: Annotated[ShortText | None, Field(description="who is responsible for the data")] = None
    contact: Annotated[ShortText | None, Field(description="where recipients can ask")] = None
    legal_basis: Annotated[ShortText | None, Field(description="what permits the release")] = None
    license: Annotated[ShortText | None, Field(description="what recipients may do with it")] = None
    approved_by: Annotated[ShortText | None, Field(description="who approved the release")] = None
    approved_on: Annotated[ShortText | None, Field(description="the day of the approval")] = None


def about_of(plan: Mapping[str, Any]) -> AboutSection:
    """What the plan, as plain values, says about the release; nothing where it says nothing that can be read."""
    try:
        return AboutSection.parse("about", plan.get("about") or {})
    except BadParameter:
        return AboutSection()
