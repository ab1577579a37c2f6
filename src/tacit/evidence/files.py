"""Evidence files: a release as JSON, read back and checked, with the schema of its fields and the hashes of its files.

Infinite measures are written as the strings `Infinity` and `-Infinity`, since JSON has no number for them. A file is
written beside its place and then moved into it, so that a reader finds the old one or the new one, never a part.
"""

import hashlib
from pathlib import Path
from typing import Any
from uuid import uuid4

from pydantic import ValidationError
from pydantic_core import from_json, to_json

from tacit.errors import BadData, BadParameter
from tacit.release import EVIDENCE_SCHEMA, Fingerprint, Release

BLOCK = 1 << 20
MOST_COMPLAINTS = 5


def write_evidence(release: Release, path: Path) -> None:
    """Afterwards the release stands at `path` as JSON, whole."""
    write_aside(path, evidence_text(release))


def evidence_text(release: Release) -> str:
    """The release as JSON."""
    return to_json(release.model_dump(), indent=2, inf_nan_mode="strings").decode("utf-8") + "\n"


def read_evidence(path: Path) -> Release:
    """The release that was written to `path`."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise BadData(f"{path}: cannot read the evidence: {error.strerror}") from None
    return parse_evidence(content, str(path))


def parse_evidence(content: bytes | str, where: str) -> Release:
    """The release in `content`, or a BadData that names `where` and what is wrong."""
    try:
        found = from_json(content)
    except ValueError as error:
        raise BadData(f"{where}: this is not JSON ({error}); give the evidence.json of a release") from None
    schema = found.get("evidence") if isinstance(found, dict) else None
    if schema is None:
        raise BadData(f"{where}: this is not evidence of a release: it has no field 'evidence'")
    if schema != EVIDENCE_SCHEMA:
        raise BadData(
            f"{where}: its fields are those of {str(schema)[:60]!r}, this program reads {EVIDENCE_SCHEMA!r}; "
            "read it with the version of tacit that wrote it"
        )
    try:
        return Release.model_validate(found)
    except ValidationError as error:
        raise BadData(_complaints(where, error)) from None


def _complaints(where: str, error: ValidationError) -> str:
    items = error.errors(include_url=False, include_context=False, include_input=False)
    lines = [f"{where}: {'.'.join(str(part) for part in item['loc'])}: {item['msg']}" for item in items]
    more = [f"{where}: and {len(lines) - MOST_COMPLAINTS} more"] if len(lines) > MOST_COMPLAINTS else []
    return "\n".join([*lines[:MOST_COMPLAINTS], *more])


def evidence_schema() -> dict[str, Any]:
    """The JSON Schema of the evidence file."""
    schema = _with_infinities(Release.model_json_schema(mode="serialization"))
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


def sha256_of(path: Path) -> str:
    """The SHA-256 of a file in hexadecimal digits, read block by block."""
    digest = hashlib.sha256()
    with path.open("rb") as stream:
        while block := stream.read(BLOCK):
            digest.update(block)
    return digest.hexdigest()


def fingerprint(path: Path, rows: int | None = None) -> Fingerprint:
    """The file as it is now."""
    return Fingerprint(name=path.name, bytes=path.stat().st_size, sha256=sha256_of(path), rows=rows)


def write_aside(path: Path, text: str) -> None:
    """Afterwards `path` holds `text`; until then it holds what it held before."""
    aside = path.with_name(f".{path.name}.{uuid4().hex}.part")
    try:
        with aside.open("x", encoding="utf-8", newline="\n") as stream:
            stream.write(text)
        aside.replace(path)
    except OSError as error:
        raise BadParameter(f"cannot write {path}: {error.strerror}; choose another place") from None
    finally:
        aside.unlink(missing_ok=True)
