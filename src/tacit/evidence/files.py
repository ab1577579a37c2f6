"""Evidence files: a release as JSON, read back and checked, with the schema of its fields and the hashes of its files.

Infinite measures are written as the strings `Infinity` and `-Infinity`, since JSON has no number for them. A file is
written beside its place and then moved into it, so that a reader finds the old one or the new one, never a part.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from pydantic import ValidationError
from pydantic_core import from_json, to_json

from tacit.errors import BadData, BadParameter
from tacit.evidence.packages import needed_for_kind
from tacit.publication import publication
from tacit.release.release import EVIDENCE_SCHEMA, Body, Expense, Release
from tacit.release.tables import TableBody

MOST_COMPLAINTS = 5

BodyOf = Callable[[str], type[Body]]
"""The class of the body for the name of a kind."""


def evidence_text(release: Release[Any]) -> str:
    """The release as JSON."""
    return to_json(release.model_dump(), indent=2, inf_nan_mode="strings").decode("utf-8") + "\n"


def read_evidence(path: Path, body_of: BodyOf) -> Release[Any]:
    """The release that was written to `path`; `body_of` says which class the body of a kind has."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise BadData(f"{path}: can't read the evidence: {error.strerror}") from None
    return parse_evidence(content, str(path), body_of)


def read_spent(path: Path) -> Expense | None:
    """What the evidence at `path` says was charged, whatever its kind; None where it is no evidence, or says nothing.

    The body is not looked at, so that the package that brought its kind need not be installed.
    """
    try:
        found = from_json(path.read_bytes())
        spent = found.get("spent") if isinstance(found, dict) and found.get("evidence") == EVIDENCE_SCHEMA else None
        return None if spent is None else Expense.model_validate(spent)
    except (OSError, ValueError):
        return None


def parse_evidence(content: bytes | str, where: str, body_of: BodyOf) -> Release[Any]:
    """The release in `content`, or a BadData that names `where` and what is wrong."""
    try:
        found = from_json(content)
    except ValueError as error:
        raise BadData(f"{where}: this is not JSON ({error}); give the evidence.json of a release") from None
    schema = found.get("evidence") if isinstance(found, dict) else None
    if schema is None:
        raise BadData(f"{where}: this is not evidence of a release: it has no field 'evidence'{_meant(where)}")
    if schema != EVIDENCE_SCHEMA:
        raise BadData(
            f"{where}: it has the format {str(schema)[:60]!r}, but this program reads {EVIDENCE_SCHEMA!r}; "
            "read it with the version of tacit that wrote it"
        )
    try:
        body = body_of(str(found.get("kind")))
    except BadParameter:
        needed = needed_for_kind(found)
        if not needed:
            raise
        raise BadData(f"{where}: {needed}; install it to read this evidence") from None
    try:
        release: Release[Any] = Release[body].model_validate(found)  # type: ignore[valid-type]
        return release
    except ValidationError as error:
        needed = needed_for_kind(found)
        raise BadData(_complaints(where, error) + (f"\n{where}: {needed}" if needed else "")) from None


def _meant(where: str) -> str:
    """The evidence beside a file that is none, if there is some: answers are JSON too."""
    named = Path(where)
    beside = named.with_name(f"{named.stem}.evidence.json")
    return f"; give its evidence, {beside}" if beside.is_file() else ""


def _complaints(where: str, error: ValidationError) -> str:
    items = error.errors(include_url=False, include_context=False, include_input=False)
    lines = [f"{where}: {'.'.join(str(part) for part in item['loc'])}: {item['msg']}" for item in items]
    more = [f"{where}: and {len(lines) - MOST_COMPLAINTS} more"] if len(lines) > MOST_COMPLAINTS else []
    return "\n".join([*lines[:MOST_COMPLAINTS], *more])


def evidence_schema(body: type[Body] = TableBody) -> dict[str, Any]:
    """The JSON Schema of the evidence file of a release with such a body."""
    schema = _with_infinities(Release[body].model_json_schema(mode="serialization"))  # type: ignore[valid-type]
    schema["properties"]["evidence"] = {"const": EVIDENCE_SCHEMA, "type": "string"}
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "$id": EVIDENCE_SCHEMA, **schema}


def _with_infinities(node: Any) -> Any:
    if isinstance(node, list):
        return [_with_infinities(item) for item in node]
    if not isinstance(node, dict):
        return node
    inner = {key: _with_infinities(value) for key, value in node.items()}
    if inner.get("type") == "number":
        rest = {key: value for key, value in inner.items() if key != "type"}
        return {**rest, "anyOf": [{"type": "number"}, {"enum": ["Infinity", "-Infinity", "NaN"]}]}
    return inner


def write_whole(path: Path, text: str) -> None:
    """Afterwards `path` holds `text`; until then it holds what it held before."""
    with publication((path,)) as staged:
        staged[path].write_text(text, encoding="utf-8", newline="\n")
