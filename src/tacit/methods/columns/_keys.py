"""Secret keys in files: 32 random bytes as 64 hexadecimal digits, readable by their owner only.

A key belongs neither into a plan nor into the evidence, so parameters name its file. From one key as many independent
ones as needed are derived by HKDF-SHA-256 (Krawczyk and Eronen 2010, RFC 5869), each for a purpose that is named.
"""

import re
from pathlib import Path

from tacit.atomic import aside, private_file
from tacit.errors import BadData, PolicyRefused
from tacit.randomness.stream import RandomBits

KEY_BYTES = 32
_HEX = re.compile(r"[0-9a-fA-F]{64}")


def write_key(path: Path, bits: RandomBits) -> None:
    """Writes a new key; an existing file is never replaced, since all that was made with it would be lost."""
    if bits.seeded:
        raise PolicyRefused("anyone who knows the seed knows a key made from it; use RandomBits.from_os()")
    if path.exists():
        raise PolicyRefused(f"the file {path} already exists, and a key is never replaced; choose another name")
    with aside(path) as partial:
        private_file(partial, bits.octets(KEY_BYTES).hex().encode() + b"\n")


def read_key(path: Path) -> bytes:
    """The key in the file."""
    try:
        text = path.read_bytes()[:1024].decode("ascii").strip()
    except OSError as error:
        raise BadData(f"the key file {path} can't be read: {error.strerror or type(error).__name__}") from None
    except UnicodeDecodeError:
        text = ""
    if not _HEX.fullmatch(text):
        raise BadData(
            f"{path} is not a key file: it must hold 64 hexadecimal digits (32 random bytes) and nothing else"
        )
    return bytes.fromhex(text)


def derived(key: bytes, purpose: str) -> bytes:
    """The key for one purpose; keys of different purposes tell nothing about each other."""
    from cryptography.hazmat.primitives.hashes import SHA256
    from cryptography.hazmat.primitives.kdf.hkdf import HKDF

    return HKDF(SHA256(), KEY_BYTES, salt=None, info=f"tacit {purpose}".encode()).derive(key)
