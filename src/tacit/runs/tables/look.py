"""A first look at a table, as lines and values, with a draft of its plan."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from tacit.data.sources.source import file_source
from tacit.engines.engine import Engine
from tacit.inspection.draft import NO_SECRET
from tacit.inspection.draft_treatments import told_of
from tacit.inspection.examine import Inspection, data_section, examine
from tacit.inspection.written import with_files, written_files
from tacit.runs.kind import Look
from tacit.spelling import many, noun


def look_at(path: Path, engine: Engine, options: Mapping[str, Any]) -> Look:
    """What each column of the file seems to be and why, and who stands out."""
    told = {name: value for name, value in options.items() if value is not None}
    found = examine(engine, file_source(path, **told), told)
    section = data_section(found.source)

    def draft(named: str, folder: str | None = None) -> str:
        suggestions = with_files(found.suggestions, found.hierarchies, folder) if folder else found.suggestions
        return found.drafted({**section, "path": named}, suggestions)

    return Look(_values(found), tuple(_lines(found, path.name)), draft, written_files(found.hierarchies), draft)


def _values(found: Inspection) -> dict[str, Any]:
    return {
        "rows": found.rows,
        "people": found.people,
        "unit": {
            "column": found.unit.column,
            "reason": found.unit.reason,
            "doubts": dict(found.unit.doubts),
            "suspected": None if found.unit.suspected is None else found.unit.suspected.says,
        },
        "reading": data_section(found.source),
        "reasons": dict(found.reasons),
        "notes": list(found.notes),
        "columns": [
            {
                "name": profile.name,
                "type": profile.type,
                "distinct": profile.distinct,
                "missing": profile.missing,
                "role": found.suggestions[profile.name].role,
                "kind": found.suggestions[profile.name].kind,
                "reason": found.suggestions[profile.name].reason,
            }
            for profile in found.profiles
        ],
        "unique": found.unique.model_dump(mode="json") if found.unique else None,
        "singling_out": [entry.model_dump(mode="json") for entry in found.singling_out],
        "known_values": [entry.model_dump(mode="json") for entry in found.secrets.found],
    }


def _lines(found: Inspection, name: str) -> Iterator[str]:
    wide = max(len(profile.name) for profile in found.profiles)
    rows, columns = found.rows, len(found.profiles)
    of = f" of {many(found.people, 'person', 'people')}" if found.unit.column else ""
    yield f"{name}: {many(rows, 'row')}{of}, {many(columns, 'column')}\n"
    section = data_section(found.source)
    for option, reason in found.reasons.items():
        yield f"  read with {option} {section[option]!r}: {reason}"
    yield from (f"  {note}" for note in found.notes)
    if found.reasons or found.notes:
        yield ""
    for profile in found.profiles:
        guess = found.suggestions[profile.name]
        yield f"  {profile.name:<{wide}}  {guess.role:<16}  {guess.reason}"
    yield from _about_people(found)
    if found.unique:
        whole = many(found.people, "person", "people") if found.unit.column else many(rows, "row")
        yield (
            f"\n{found.unique.unique:,} of {whole} ({found.unique.share:.1%}) "
            f"{noun(found.unique.unique, 'is', 'are')} unique on {_looked_at(found)} together; on fewer columns:"
        )
        for entry in found.singling_out:
            yield f"  {entry.unique:>9,}  {entry.share:>6.1%}  {', '.join(entry.columns)}"
    if not any(guess.role == "sensitive" for guess in found.suggestions.values()):
        yield f"\n{NO_SECRET}"
    told = told_of(found.secrets)
    if told:
        yield f"\n{told}"


def _looked_at(found: Inspection) -> str:
    """The quasi-identifiers that people were looked for on: all, or the first of many."""
    assert found.unique is not None
    looked, there = len(found.unique.columns), found.quasi_identifiers
    if looked == there:
        return f"the {many(there, 'quasi-identifier')}"
    return f"the first {looked} of the {there:,} quasi-identifiers (the others were not examined)"


def _about_people(found: Inspection) -> Iterator[str]:
    """What tells people apart, or what may."""
    if found.unit.column is not None:
        yield f"\nA person may have several rows, and {found.unit.column!r} tells people apart: {found.unit.reason}."
    suspected = found.unit.suspected
    if suspected is not None:
        yield (
            f"\n{suspected.says[0].upper()}{suspected.says[1:]} repeat, and {suspected.reason}. If a person may have "
            "several rows, make one column that tells people apart and name it as `unit` in the plan; if each row is "
            "one person, write `unit: row`."
        )
    for name, doubt in found.unit.doubts.items():
        yield (
            f"\nValues of {name!r} repeat, but {doubt}. If a person may have several rows, name the column that tells "
            "people apart as `unit` in the plan; if each row is one person, write `unit: row`."
        )
