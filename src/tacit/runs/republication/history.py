"""The history of republication: a private file that records people, signatures and what every release published.

It holds, for everybody who was ever in the data, a keyed hash of the name, the value and the signature; and for every
release the rows that were read back from it (class and value), who was in which class, and the hash of the file. So all
releases can be checked again, and no release is made that forgets an earlier one. Names are hashed (HMAC-SHA-256 under
a random key that the history itself holds), which hides them only from a glance: anyone who has the history can try
names. It is as confidential as the data; only its owner may read it.

Layout: a line that names the format, the SHA-256 of the rest, then arrays as NumPy writes them and a header in JSON. A
changed or cut file is refused as a whole. The hash is not a signature: anyone who may write the file can write another.
"""

import hmac
import json
import secrets
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from tacit.data.tables.remembered_release import RememberedRelease
from tacit.data.tables.republication import EarlierReleases
from tacit.errors import BadData, BadParameter
from tacit.params import Params
from tacit.spelling import many

FORMAT = b"tacit history 1\n"
KEY_BYTES = 32
NAME_BYTES = 16
DIGEST_DIGITS = 64
ARRAYS = ("class_", "value", "person", "home")


class About(Params):
    """What all releases are about; it can't change."""

    m: Annotated[int, Field(ge=2, description="the least number of different values in a class")]
    unit: Annotated[str, Field(description="the column that names people")]
    sensitive: Annotated[str, Field(description="the sensitive column")]
    quasi_identifiers: Annotated[tuple[str, ...], Field(description="in alphabetical order")]


class HistoryEntry(Params):
    """One release: when it was made, from what, and the name and hash of its file."""

    created: str
    input_sha256: str
    name: str
    sha256: str
    counterfeits: int


@dataclass(frozen=True, eq=False)
class History:
    """All releases and what they bind; values are positions in `values`, people positions in `earlier.names`."""

    about: About
    key: bytes
    values: tuple[str, ...]
    earlier: EarlierReleases
    entries: tuple[HistoryEntry, ...] = ()
    releases: tuple[RememberedRelease, ...] = ()

    @classmethod
    def begin(cls, about: About) -> "History":
        """The history before the first release."""
        return cls(about, secrets.token_bytes(KEY_BYTES), (), EarlierReleases.begin())

    def __repr__(self) -> str:
        """How many, never who."""
        return f"History({many(len(self.entries), 'release')}, {many(self.earlier.names.size, 'person', 'people')})"

    def named(self, names: Sequence[str]) -> NDArray[Any]:
        """The keyed hash of each name."""
        digests = b"".join(hmac.digest(self.key, name.encode("utf-8"), "sha256")[:NAME_BYTES] for name in names)
        return np.frombuffer(digests, dtype=f"S{NAME_BYTES}")

    def with_values(self, values: Sequence[str]) -> "History":
        """The history that knows these values too, after the old ones."""
        return replace(self, values=tuple(dict.fromkeys((*self.values, *values))))

    def with_release(self, earlier: EarlierReleases, entry: HistoryEntry, release: RememberedRelease) -> "History":
        """The history with one release more."""
        return replace(self, earlier=earlier, entries=(*self.entries, entry), releases=(*self.releases, release))

    def number_of(self, digest: str) -> int | None:
        """The number of the release whose file has this SHA-256, the latest if there are several."""
        numbers = [number for number, entry in enumerate(self.entries, start=1) if entry.sha256 == digest]
        return numbers[-1] if numbers else None


def read_history(path: Path, about: About) -> History:
    """The history in the file, or a new one if there is none; refused if it is about something else."""
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        return History.begin(about)
    except OSError as error:
        raise BadData(f"the history {path} can't be read: {error.strerror or type(error).__name__}") from None
    history = parse_history(content, str(path))
    if history.about != about:
        old, new = history.about.model_dump(), about.model_dump()
        other = ", ".join(f"{name} was {old[name]!r} and is {new[name]!r}" for name in old if old[name] != new[name])
        raise BadParameter(
            f"the history {path} belongs to another republication: {other}. What was published can't be taken back; "
            "begin a new history only for people who were never published, or undo the change"
        )
    return history


def found_history(path: Path) -> History | None:
    """The history in the file, whatever it is about; None if there is none that can be read."""
    try:
        return parse_history(path.read_bytes(), str(path)) if path.is_file() else None
    except (OSError, ValueError, BadData):
        return None


def parse_history(content: bytes, where: str) -> History:
    """The history in `content`, whole and consistent."""
    digest, body = content[len(FORMAT) :][:DIGEST_DIGITS], content[len(FORMAT) + DIGEST_DIGITS :]
    if not content.startswith(FORMAT):
        raise BadData(
            f"{where} is not a history of releases; name the file that tables/republish wrote, or one to be made"
        )
    if sha256(body).hexdigest().encode() != digest:
        raise BadData(
            f"the history {where} was changed or cut off; restore it from a copy, because no release is safe without it"
        )
    try:
        with np.load(BytesIO(body), allow_pickle=False) as arrays:
            return _from_arrays({name: arrays[name] for name in arrays.files})
    except (ValueError, KeyError, IndexError, TypeError, OSError, zipfile.BadZipFile):
        raise BadData(f"the history {where} is damaged; restore it from a copy") from None


def history_bytes(history: History) -> bytes:
    """The history as its file holds it."""
    buffer = BytesIO()
    np.savez_compressed(buffer, allow_pickle=False, **_to_arrays(history))
    body = buffer.getvalue()
    return FORMAT + sha256(body).hexdigest().encode() + body


def _to_arrays(history: History) -> dict[str, NDArray[Any]]:
    earlier = history.earlier
    header = {
        "about": history.about.model_dump(),
        "key": history.key.hex(),
        "values": history.values,
        "signatures": earlier.signatures,
        "entries": [entry.model_dump() for entry in history.entries],
    }
    names = earlier.names.astype(f"S{NAME_BYTES}").view(np.uint8) if earlier.names.size else np.empty(0, dtype=np.uint8)
    arrays: dict[str, NDArray[Any]] = {
        "header": np.frombuffer(json.dumps(header).encode("ascii"), dtype=np.uint8),
        "names": names,
        "own": earlier.value.astype(np.int32),
        "signature": earlier.signature.astype(np.int32),
    }
    for number, release in enumerate(history.releases):
        arrays |= {f"{name}{number}": getattr(release, name).astype(np.int32) for name in ARRAYS}
    return arrays


def _from_arrays(arrays: dict[str, NDArray[Any]]) -> History:
    header = json.loads(arrays["header"].tobytes())
    entries = tuple(HistoryEntry.model_validate(entry) for entry in header["entries"])
    releases = tuple(
        RememberedRelease(*(arrays[f"{name}{number}"].astype(np.int64) for name in ARRAYS))
        for number in range(len(entries))
    )
    last = np.full(arrays["own"].size, -1, dtype=np.int64)
    if releases:
        last[releases[-1].person] = releases[-1].home
    earlier = EarlierReleases(
        arrays["names"].view(f"S{NAME_BYTES}") if arrays["names"].size else np.empty(0, dtype=np.int64),
        arrays["own"].astype(np.int64),
        arrays["signature"].astype(np.int64),
        last,
        tuple(tuple(one) for one in header["signatures"]),
    )
    about = About.model_validate(header["about"])
    return History(about, bytes.fromhex(header["key"]), tuple(header["values"]), earlier, entries, releases)
