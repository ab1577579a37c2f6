"""A release with its recipe, for an adversary who knows how it was made."""

from dataclasses import dataclass

from tacit.data.tables.adversary_view import AdversaryView
from tacit.data.tables.hierarchy import Hierarchy
from tacit.guarantees.guarantee import TableGuarantee


@dataclass(frozen=True, eq=False)
class FullDomainRelease:
    """A full-domain release without suppressed rows: the level of each column, and the promises that it keeps."""

    view: AdversaryView
    hierarchies: tuple[Hierarchy, ...]
    levels: tuple[int, ...]
    guarantees: tuple[TableGuarantee, ...]
