"""A first look at a file: what each column seems to be, who stands out, and a draft of a plan."""

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from tacit.data.sources.profile import ColumnProfile
from tacit.data.sources.source import Source, known_format
from tacit.data.tables.counting import TallyRequest, tally_from
from tacit.data.tables.hierarchy import Hierarchy
from tacit.engines.engine import Engine
from tacit.errors import BadData
from tacit.inspection.draft import DraftParts, draft_plan
from tacit.inspection.draft_treatments import lines_on_numbers, treatment_lines
from tacit.inspection.findings import about_people, about_reading, about_secrets, about_uniqueness
from tacit.inspection.form import guess_form
from tacit.inspection.habits import guess_habits, perhaps_missing_numbers
from tacit.inspection.joint_keys import find_people
from tacit.inspection.known_secrets import KnownSecrets, find_secrets
from tacit.inspection.names import look_like_a_row, require_names
from tacit.inspection.odd_rows import remarks_on_rows
from tacit.inspection.roles import suggest_all
from tacit.inspection.spellings import DIFFERENCES, spelt_in_several_ways
from tacit.inspection.suggestion import Suggestion
from tacit.inspection.type_names import held_in_words
from tacit.inspection.unit import FoundUnit, repeats_of
from tacit.inspection.written import inferred_hierarchies
from tacit.metrics.tables.singling_out import singling_out, uniqueness
from tacit.release.tables import SinglingOut
from tacit.spelling import many, percent
from tacit.visible import visible

MOST_EXAMINED = 24
"""Quasi-identifiers beyond this number are left out of the look for people who stand out."""
READING = (
    "delimiter", "quote", "encoding", "table", "sheet", "skip", "header", "names", "trim", "missing", "decimal",
    "thousands",
)  # fmt: skip
"""What a plan says of how to read the data, in the order in which a draft writes it."""


@dataclass(frozen=True)
class Inspection:
    """What was found. `unique` counts people who are alone on the suggested quasi-identifiers together.

    `source` says how the data was read, `reasons` why an option of it was guessed, and `notes` what else to look at.
    `hierarchies` are those that a run would infer; `tacit inspect` writes them beside its draft.
    People are told apart by the column of `unit`; where that has none, each row is taken for a person.
    """

    rows: int
    profiles: tuple[ColumnProfile, ...]
    suggestions: dict[str, Suggestion]
    unique: SinglingOut | None
    singling_out: tuple[SinglingOut, ...]
    source: Source
    hierarchies: dict[str, Hierarchy] = field(default_factory=dict)
    reasons: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    secrets: KnownSecrets = field(default_factory=KnownSecrets)
    unit: FoundUnit = field(default_factory=FoundUnit)

    @cached_property
    def draft(self) -> str:
        """A plan for the data where it stands, to be checked by a person."""
        return self.drafted(data_section(self.source), self.suggestions)

    def drafted(self, section: Mapping[str, Any], suggestions: Mapping[str, Suggestion]) -> str:
        """A plan for the data that `section` names, with these suggestions for its columns."""
        treatments = (*treatment_lines(self.secrets), *lines_on_numbers(suggestions))
        return draft_plan(section, DraftParts(suggestions, self.unit, self.reasons, self.notes, treatments))

    @property
    def quasi_identifiers(self) -> int:
        """How many columns are suggested as quasi-identifiers, of which `unique` looks at the first."""
        return sum(guess.role == "quasi-identifier" for guess in self.suggestions.values())

    def __repr__(self) -> str:
        """What was guessed, in a few words, and no cell."""
        roles = Counter(guess.role for guess in self.suggestions.values())
        told = ", ".join(f"{number} {role}" for role, number in roles.items())
        return f"Inspection({visible(self.source.name)}: {self._size}; columns: {told})"

    def _repr_html_(self) -> str:
        """The columns with their guessed roles and the reasons, who stands out, and what the terminal warns of."""
        from tacit.hypertext import line, piece, table

        guesses = [
            (one.name, held_in_words(one), f"{one.distinct:,}", f"{one.missing:,}", guess.role, guess.reason)
            for one in self.profiles
            for guess in [self.suggestions[one.name]]
        ]
        read = about_reading(data_section(self.source), self.reasons, self.notes)
        parts = (
            *map(line, (*read, *about_people(self.unit))),
            table(("column", "type", "values", "missing", "role", "why"), guesses),
            *self._standing_out(),
            *map(line, about_secrets(self.suggestions.values(), self.secrets)),
        )
        return piece(f"{self.source.name}: {self._size}", *parts)

    def about_uniqueness(self) -> str:
        """How many are unique on the quasi-identifiers; nothing where there are none."""
        if self.unique is None:
            return ""
        return about_uniqueness(self.unique, self.counted, self.quasi_identifiers, bool(self.singling_out))

    def _standing_out(self) -> tuple[str, ...]:
        """Who is unique, on all quasi-identifiers and on fewer columns, as pieces of HTML."""
        from tacit.hypertext import line, table

        told = [line(self.about_uniqueness())] if self.unique else []
        alone = [(", ".join(one.columns), f"{one.unique:,}", percent(one.share)) for one in self.singling_out]
        head = ("columns", "unique people" if self.unit.column else "unique rows", "share")
        return (*told, *([table(head, alone)] if alone else []))

    @property
    def people(self) -> int:
        """How many people there are: values of the unit, or rows."""
        return self.unit.people if self.unit.column else self.rows

    @property
    def counted(self) -> str:
        """How many people there are, or rows where nothing tells people apart, with the noun."""
        return many(self.people, "person", "people") if self.unit.column else many(self.rows, "row")

    @property
    def _size(self) -> str:
        rows = many(self.rows, "row")
        return f"{rows} of {self.counted}" if self.unit.column else rows


@dataclass(frozen=True)
class _ProfiledSource:
    """The profiles of the columns, as the source is read, and the reason of each guess about how."""

    source: Source
    profiles: tuple[ColumnProfile, ...]
    reasons: Mapping[str, str]


def _read(engine: Engine, source: Source, told: Collection[str] | None) -> _ProfiledSource:
    """The columns as they are read with what was told, and with a guess for the rest; None: all was told."""
    reasons: dict[str, str] = {}
    if told is not None:
        source, reasons = guess_form(source, told)
    profiles = _profiled(engine, source)
    if source.format in ("csv", "excel") and source.header == 1 and source.names is None:
        if told is not None and "header" not in told and look_like_a_row(profiles):
            reasons["header"] = "the first line looks like a row of data: every cell could be a value of its column"
            source = replace(source, header=0)
            profiles = _profiled(engine, source)
        elif told is None or "header" not in told:
            require_names(source.name, profiles)
    if told is not None:
        changed, more = guess_habits(source, profiles, told)
        if more:
            source, profiles = changed, _profiled(engine, changed)
            reasons |= more
    return _ProfiledSource(source, profiles, reasons)


def _profiled(engine: Engine, source: Source) -> tuple[ColumnProfile, ...]:
    profiles = engine.profile(source)
    if not profiles or profiles[0].rows == 0:
        raise BadData(f"{source.name} has no rows, only column names")
    return profiles


def examine(engine: Engine, source: Source, told: Collection[str] | None = None) -> Inspection:
    """Profiles every column, finds the unit, suggests roles and looks for people who stand out.

    `told` are the options that a person gave: how to read the rest is guessed. Without it all is as the source says.
    """
    reading = _read(engine, source, told)
    source, profiles = reading.source, reading.profiles
    suggested = suggest_all(profiles)
    identifiers = [name for name, guess in suggested.items() if guess.role == "identifier"]
    unit = find_people(engine, source, repeats_of(profiles), [profile.name for profile in profiles], identifiers)
    suggestions = _with_unit(suggested, unit)
    known = tuple(name for name, guess in suggestions.items() if guess.role == "quasi-identifier")[:MOST_EXAMINED]
    alone: SinglingOut | None = None
    sets: tuple[SinglingOut, ...] = ()
    counted: dict[str, tuple[str, ...]] = {}
    if known:
        counting = TallyRequest(known, unit=unit.column)
        tally = tally_from(engine.tally(source, counting.columns), counting)
        alone, sets = uniqueness(tally), singling_out(tally)
        counted = dict(zip(tally.columns, tally.values, strict=True))
    return Inspection(
        rows=profiles[0].rows,
        profiles=profiles,
        suggestions=suggestions,
        unique=alone,
        singling_out=sets,
        source=source,
        hierarchies=inferred_hierarchies(profiles, suggestions, counted),
        reasons=reading.reasons,
        notes=(
            *perhaps_missing_numbers(profiles),
            *remarks_on_rows(source, profiles),
            *_spelt(engine, source, unit),
        ),
        secrets=find_secrets(engine, source, profiles, suggestions, unit.column),
        unit=unit,
    )


def _spelt(engine: Engine, source: Source, unit: FoundUnit) -> tuple[str, ...]:
    """That people are perhaps fewer than the values of the unit, which are spelt in several ways."""
    told = None if unit.column is None else spelt_in_several_ways(engine, source, unit.column)
    if told is None:
        return ()
    return (
        f"{unit.column}: values differ in part only in {DIFFERENCES} ({told}), so one person may count as several. "
        "Spell them alike before you protect the file.",
    )


def _with_unit(suggestions: dict[str, Suggestion], unit: FoundUnit) -> dict[str, Suggestion]:
    """The suggestions with the unit, and what may be one, as identifiers, whatever they look like by themselves."""
    told = dict.fromkeys(unit.doubts, "may tell people apart")
    told |= {unit.column: "tells people apart: it is the unit"} if unit.column else {}
    return {name: _as_key(own, told[name]) if name in told else own for name, own in suggestions.items()}


def _as_key(own: Suggestion, reason: str) -> Suggestion:
    kind = own.kind if own.role == "identifier" else "record-id"
    return replace(own, role="identifier", kind=kind, reason=reason, hierarchy=None)


def data_section(source: Source) -> dict[str, Any]:
    """How a plan beside the data names it: whatever differs from what a plan assumes."""
    section: dict[str, Any] = {"path": source.name}
    if source.path is not None and known_format(source.path) != source.format:
        section["format"] = source.format
    for name in READING:
        value = getattr(source, name)
        if value != Source.__dataclass_fields__[name].default:
            section[name] = list(value) if isinstance(value, tuple) else value
    return section
