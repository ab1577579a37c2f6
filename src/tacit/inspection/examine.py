"""A first look at a file: what each column seems to be, who stands out, and a draft of a plan."""

from collections import Counter
from dataclasses import dataclass, field

from tacit.data.sources.profile import ColumnProfile
from tacit.data.sources.source import Source
from tacit.data.tables.counting import TallyRequest, tally_from
from tacit.data.tables.hierarchy import Hierarchy
from tacit.engines.engine import Engine
from tacit.errors import BadData
from tacit.inspection.draft import draft_plan
from tacit.inspection.names import require_names
from tacit.inspection.roles import Suggestion, suggest
from tacit.inspection.written import inferred_hierarchies
from tacit.metrics.tables.singling_out import singling_out, uniqueness
from tacit.release.tables import SinglingOut
from tacit.spelling import many
from tacit.visible import visible

MOST_EXAMINED = 24
"""Quasi-identifiers beyond this number are left out of the look for people who stand out."""


@dataclass(frozen=True)
class Inspection:
    """What was found. `unique` counts people who are alone on all suggested quasi-identifiers together.

    `hierarchies` are those that a run would infer; `tacit inspect` writes them beside its draft.
    """

    rows: int
    profiles: tuple[ColumnProfile, ...]
    suggestions: dict[str, Suggestion]
    unique: SinglingOut | None
    singling_out: tuple[SinglingOut, ...]
    draft: str
    source: Source
    hierarchies: dict[str, Hierarchy] = field(default_factory=dict)

    def __repr__(self) -> str:
        """What was guessed, in a few words, and no cell."""
        roles = Counter(guess.role for guess in self.suggestions.values())
        told = ", ".join(f"{number} {role}" for role, number in roles.items())
        return f"Inspection({visible(self.source.name)}: {many(self.rows, 'row')}; columns: {told})"

    def _repr_html_(self) -> str:
        """The columns with their guessed roles and the reasons, and who stands out."""
        from tacit.hypertext import line, piece, table

        guesses = [
            (one.name, one.type, f"{one.distinct:,}", f"{one.missing:,}", guess.role, guess.reason)
            for one in self.profiles
            for guess in [self.suggestions[one.name]]
        ]
        alone = [(", ".join(one.columns), f"{one.unique:,}", f"{one.share:.1%}") for one in self.singling_out]
        parts = [table(("column", "type", "values", "missing", "role", "why"), guesses)]
        if alone:
            parts += [line("Who stands out:"), table(("columns", "unique rows", "share"), alone)]
        return piece(f"{self.source.name}: {many(self.rows, 'row')}", *parts)


def examine(engine: Engine, source: Source) -> Inspection:
    """Profiles every column, suggests roles and writes a draft plan; rows are taken for people."""
    profiles = engine.profile(source)
    if not profiles or profiles[0].rows == 0:
        raise BadData(f"{source.name} has no rows, only column names")
    if source.format in ("csv", "excel"):
        require_names(source.name, profiles)
    suggestions = {profile.name: suggest(profile) for profile in profiles}
    known = tuple(name for name, guess in suggestions.items() if guess.role == "quasi-identifier")[:MOST_EXAMINED]
    alone: SinglingOut | None = None
    sets: tuple[SinglingOut, ...] = ()
    counted: dict[str, tuple[str, ...]] = {}
    if known:
        reading = TallyRequest(known)
        tally = tally_from(engine.tally(source, known), reading)
        alone, sets = uniqueness(tally), singling_out(tally)
        counted = dict(zip(tally.columns, tally.values, strict=True))
    draft = draft_plan(data_section(source), suggestions)
    hierarchies = inferred_hierarchies(profiles, suggestions, counted)
    return Inspection(profiles[0].rows, profiles, suggestions, alone, sets, draft, source, hierarchies)


def data_section(source: Source) -> dict[str, object]:
    """How a plan beside the data names it."""
    section: dict[str, object] = {"path": source.name}
    if source.delimiter:
        section["delimiter"] = source.delimiter
    if source.encoding != "utf-8":
        section["encoding"] = source.encoding
    if source.missing:
        section["missing"] = list(source.missing)
    section |= {key: value for key, value in (("table", source.table), ("sheet", source.sheet)) if value}
    return section
