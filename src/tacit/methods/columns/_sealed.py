"""The vault's file: originals by pseudonym, sealed with AES-256-GCM (NIST SP 800-38D).

The key is derived from the secret. Layout: a line that names the format, 12 bytes of nonce, then the ciphertext with
its tag. The name of the format is authenticated too, so a changed or cut file, or another key, is refused as a whole.
A new nonce is drawn for every writing; the file is written aside and takes its place in one step.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from tacit.atomic import aside, private_file
from tacit.data.columns import CodedCategories, categories_of
from tacit.errors import BadData, PolicyRefused
from tacit.methods.columns._keys import derived, read_key
from tacit.randomness.stream import RandomBits
from tacit.spelling import many

_FORMAT = b"tacit vault 1\n"
_NONCE_BYTES = 12


@dataclass(frozen=True, eq=False)
class Vault:
    """Who is behind each pseudonym."""

    originals: Mapping[str, str]

    def __repr__(self) -> str:
        """Says how many, never who."""
        return f"Vault({len(self.originals)} pseudonyms)"

    def reveal(self, column: CodedCategories) -> CodedCategories:
        """The column with the originals in place of their pseudonyms; refused where one is unknown."""
        unknown = sum(1 for value in column.values if value and value not in self.originals)
        if unknown:
            raise BadData(f"the vault does not know {unknown} of the {len(column.values)} pseudonyms")
        originals = [self.originals.get(value, value) for value in column.values]
        placed = categories_of(originals)
        return CodedCategories(placed.codes[column.codes] if originals else column.codes, placed.values)

    def with_more(self, originals: Mapping[str, str]) -> "Vault":
        """The vault with further entries; refused where a pseudonym would stand for two originals."""
        clashes = sum(1 for key, value in originals.items() if self.originals.get(key, value) != value)
        if clashes:
            raise PolicyRefused(
                f"{many(clashes, 'pseudonym stands', 'pseudonyms stand')} for other originals in the vault; use more "
                "digits"
            )
        return Vault({**self.originals, **originals})


def open_vault(path: Path, key_file: Path) -> Vault:
    """What the vault holds; BadData where the key is not its key or the file was changed."""
    from cryptography.exceptions import InvalidTag
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    try:
        content = path.read_bytes()
    except OSError as error:
        raise BadData(f"the vault {path} can't be read: {error.strerror or type(error).__name__}") from None
    if not content.startswith(_FORMAT):
        raise BadData(f"{path} is not a vault")
    sealed = content[len(_FORMAT) :]
    cipher = AESGCM(derived(read_key(key_file), "vault"))
    try:
        plain = cipher.decrypt(sealed[:_NONCE_BYTES], sealed[_NONCE_BYTES:], _FORMAT)
    except (InvalidTag, ValueError):
        raise BadData(f"the vault {path} does not open: the key is not its key, or the file was changed") from None
    return Vault(json.loads(plain))


def write_vault(vault: Vault, path: Path, key_file: Path, bits: RandomBits) -> None:
    """The vault in its file, which only its owner may read, sealed under the key."""
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    nonce = (RandomBits.from_os() if bits.seeded else bits).octets(_NONCE_BYTES)
    plain = json.dumps(dict(vault.originals), ensure_ascii=True, sort_keys=True).encode()
    sealed = AESGCM(derived(read_key(key_file), "vault")).encrypt(nonce, plain, _FORMAT)
    with aside(path) as partial:
        private_file(partial, _FORMAT + nonce + sealed)
