"""Fingerprints of files and of tables in memory."""

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tacit.release.release import Fingerprint

if TYPE_CHECKING:
    import pyarrow as pa

BLOCK = 1 << 20
CALL = "call"


def sha256_of(path: Path) -> str:
    """The SHA-256 of a file in hexadecimal digits, read block by block."""
    digest = hashlib.sha256()
    with path.open("rb") as stream:
        while block := stream.read(BLOCK):
            digest.update(block)
    return digest.hexdigest()


def fingerprint(path: Path, name: str | None = None) -> Fingerprint:
    """The file as it is now, under its own name or the one that it will have."""
    return Fingerprint(name=name or path.name, bytes=path.stat().st_size, sha256=sha256_of(path))


def text_fingerprint(text: str, name: str) -> Fingerprint:
    """The fingerprint of a text that is in no file."""
    content = text.encode()
    return Fingerprint(name=name, bytes=len(content), sha256=hashlib.sha256(content).hexdigest())


def call_fingerprint(form: Mapping[str, Any]) -> Fingerprint:
    """The fingerprint of a call in Python, which stands for a plan and is in no file."""
    return text_fingerprint(json.dumps(form, sort_keys=True), CALL)


def frame_fingerprint(table: "pa.Table", name: str) -> Fingerprint:
    """The fingerprint of a table in memory: of its Arrow stream."""
    import pyarrow as pa

    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)
    content = sink.getvalue()
    digest = hashlib.sha256(memoryview(content)).hexdigest()
    return Fingerprint(name=name, bytes=content.size, sha256=digest, rows=table.num_rows)
