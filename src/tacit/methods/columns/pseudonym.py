"""Keyed pseudonyms: each identifier becomes the first digits of HMAC-SHA-256 of it under a secret key (RFC 2104).

The same value under the same key has the same pseudonym, in every column, file and year, so records can still be linked
by whoever holds neither name nor key; under another key it has another one. Without the key nobody can compute or
invert them; with it anybody can, by trying all names. This is pseudonymisation, not anonymisation: the data stays
personal data, equal people stay equal, and what the other columns tell they still tell.

The key stands in a file (`write_key` makes one). Without a file one is drawn, used and forgotten: pseudonyms then hold
within this release only. `digits` hexadecimal digits collide for some pair of n values with probability about
n**2 / 2**(4 digits + 1); where two different values meet, the run is refused. Missing cells stay missing.
"""

import hmac
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import numpy as np
from pydantic import Field

from tacit.cards.columns import ColumnMethod
from tacit.data.columns import CodedCategories, Columns
from tacit.data.tables.hierarchy import MISSING
from tacit.errors import CannotGuarantee
from tacit.methods.columns._keys import KEY_BYTES, derived, read_key, write_key
from tacit.params import Params
from tacit.randomness.stream import RandomBits

__all__ = ["METHOD", "Pseudonym", "pseudonymise", "pseudonyms", "with_pseudonyms", "write_key"]

KeyFile = Annotated[str, Field(min_length=1, description="the file with the secret key: 64 hexadecimal digits")]
Digits = Annotated[int, Field(ge=8, le=64, description="length of a pseudonym in hexadecimal digits")]
Prefix = Annotated[str, Field(max_length=20, description="text before every pseudonym")]


class Pseudonym(Params):
    """With which key, and what pseudonyms look like."""

    key_file: Annotated[
        KeyFile | None, Field(description="if there is none, a random key is used once and not kept")
    ] = None
    digits: Digits = 20
    prefix: Prefix = ""


def pseudonymise(columns: Columns, params: Pseudonym, bits: RandomBits) -> Columns:
    """Every column with pseudonyms in place of its values."""
    found = columns.categories("a pseudonym")
    key = bits.octets(KEY_BYTES) if params.key_file is None else read_key(Path(params.key_file))
    return Columns({name: with_pseudonyms(name, column, key, params) for name, column in found.items()})


def with_pseudonyms(name: str, column: CodedCategories, key: bytes, params: "Pseudonym") -> CodedCategories:
    """The column under this key; refused where two values would get one pseudonym."""
    made = pseudonyms(column.values, derived(key, "pseudonym"), params.digits)
    shown = [
        made_ if value == MISSING else params.prefix + made_ for value, made_ in zip(column.values, made, strict=True)
    ]
    if len(set(shown)) < len(shown):
        raise CannotGuarantee(
            f"two values of column {name!r} would get the same pseudonym of {params.digits} digits; take more digits"
        )
    # Sorted, for the order of the original values must not show.
    order = sorted(range(len(shown)), key=shown.__getitem__)
    rank = np.empty(len(order), dtype=np.int32)
    rank[order] = np.arange(len(order), dtype=np.int32)
    return CodedCategories(rank[column.codes] if len(order) else column.codes, tuple(shown[i] for i in order))


def pseudonyms(values: Sequence[str], key: bytes, digits: int) -> tuple[str, ...]:
    """The pseudonym of each value; that of the missing one is itself."""
    return tuple(
        MISSING
        if value == MISSING
        else hmac.digest(key, value.encode("utf-8", "surrogatepass"), "sha256").hex()[:digits]
        for value in values
    )


METHOD = ColumnMethod(
    title="Keyed pseudonyms",
    params=Pseudonym,
    run=pseudonymise,
    needs="columns of identifiers, and a secret key unless pseudonyms need not last",
    gives="identifiers replaced by pseudonyms that only the holder of the key can compute",
    cells="texts",
    for_identifiers=True,
    secret_files=("key_file",),
    conceals=True,
    paper="https://www.rfc-editor.org/rfc/rfc2104",
    example=Pseudonym(),
)
