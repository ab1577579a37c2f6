"""The page for recipients of a released table, made of its evidence and of the file itself."""

from typing import Any

from tacit.data.sources.source import Source
from tacit.data.tables.counting import TallyRequest
from tacit.engines.engine import Engine
from tacit.errors import BadParameter
from tacit.release.release import Release
from tacit.release.tables import TableBody
from tacit.runs.tables.codebook import codebook_of


def public_page(release: Release[Any], source: Source, engine: Engine) -> str:
    """The page; `source` is the published file. Refused if the release may not be published."""
    if not isinstance(release.body, TableBody):
        raise BadParameter(
            f"a release of {release.kind} has no page for recipients; its report says nothing about rows"
        )
    if not release.may_be_published:
        raise BadParameter("the release may not be published, so there is no page for recipients; see its report")
    from tacit.evidence.tables.public import render_public

    return render_public(release, codebook_of(engine, source, _reading(release.body)))


def _reading(body: TableBody) -> TallyRequest:
    """The columns that show `*` in a suppressed row."""
    named = {
        role: tuple(one.name for one in body.columns if one.role == role) for role in ("quasi-identifier", "sensitive")
    }
    return TallyRequest(quasi_identifiers=named["quasi-identifier"], sensitive=named["sensitive"])
