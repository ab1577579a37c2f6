"""A first look at a table, as lines and values, with a draft of its plan."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from tacit.data.sources.header import read_header
from tacit.data.sources.source import file_source
from tacit.engines.engine import Engine
from tacit.inspection.draft import draft_plan
from tacit.inspection.examine import Inspection, data_section, examine
from tacit.inspection.written import with_files, written_files
from tacit.runs.kind import Look
from tacit.spelling import many, noun


def look_at(path: Path, engine: Engine, options: Mapping[str, Any]) -> Look:
    """What each column of the file seems to be and why, and who stands out."""
    source = file_source(path, **options)
    if source.format == "csv" and not source.delimiter:
        source = file_source(path, **{**options, "delimiter": read_header(source).delimiter})
    found = examine(engine, source)

    def draft(named: str, folder: str | None = None) -> str:
        suggestions = with_files(found.suggestions, found.hierarchies, folder) if folder else found.suggestions
        return draft_plan({**data_section(source), "path": named}, suggestions)

    return Look(_values(found), tuple(_lines(found, path.name)), draft, written_files(found.hierarchies), draft)


def _values(found: Inspection) -> dict[str, Any]:
    return {
        "rows": found.rows,
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
    }


def _lines(found: Inspection, name: str) -> Iterator[str]:
    wide = max(len(profile.name) for profile in found.profiles)
    rows, columns = found.rows, len(found.profiles)
    yield f"{name}: {many(rows, 'row')}, {many(columns, 'column')}\n"
    for profile in found.profiles:
        guess = found.suggestions[profile.name]
        yield f"  {profile.name:<{wide}}  {guess.role:<16}  {guess.reason}"
    if found.unique:
        yield (
            f"\n{found.unique.unique:,} of {many(found.rows, 'row')} ({found.unique.share:.1%}) "
            f"{noun(found.unique.unique, 'is', 'are')} unique on the "
            f"{many(len(found.unique.columns), 'quasi-identifier')} together; on fewer columns:"
        )
        for entry in found.singling_out:
            yield f"  {entry.unique:>9,}  {entry.share:>6.1%}  {', '.join(entry.columns)}"
