"""A first look at a table, as lines and values, with a draft of its plan."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from tacit.data.sources.source import file_source
from tacit.engines.engine import Engine
from tacit.inspection.examine import Inspection, data_section, examine
from tacit.inspection.findings import about_people, about_reading, about_secrets
from tacit.inspection.written import with_files, written_files
from tacit.runs.kind import Look
from tacit.spelling import many, percent


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
    reading = list(about_reading(data_section(found.source), found.reasons, found.notes))
    yield from (f"  {told}" for told in reading)
    if reading:
        yield ""
    for profile in found.profiles:
        guess = found.suggestions[profile.name]
        yield f"  {profile.name:<{wide}}  {guess.role:<16}  {guess.reason}"
    yield from (f"\n{told}" for told in about_people(found.unit))
    if found.unique:
        yield f"\n{found.about_uniqueness()}"
    for entry in found.singling_out:
        yield f"  {entry.unique:>9,}  {percent(entry.share):>7}  {', '.join(entry.columns)}"
    yield from (f"\n{told}" for told in about_secrets(found.suggestions.values(), found.secrets))
