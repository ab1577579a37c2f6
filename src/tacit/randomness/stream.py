"""The stream of random bits that every sampler reads: AES-256 in counter mode (NIST SP 800-90A, the idea of CTR_DRBG).

Its key comes from the operating system in production and from a seed in tests and replays; the code path is the same.
The keystream is the encryption of zeros, so whoever can't break AES can't tell it from fair coins. All samplers of this
package are exact given fair coins, so this is the only computational assumption behind the noise.

A child stream has its own key: a new one from the operating system, or for a seeded stream one derived from the
parent's by HMAC-SHA-256 and a name, so what it yields does not depend on how much was drawn elsewhere. Asking twice
for the same name gives two different streams: noise is never used twice.

After a fork, parent and child process must not share noise. A stream keyed by the operating system takes a new key in
the child; a seeded one refuses to go on there, and gives named children instead. A stream can't be pickled.
"""

import hashlib
import hmac
import secrets
from itertools import count
from threading import Lock
from typing import Final, NoReturn, Self

import numpy as np
from numpy.typing import NDArray

from tacit.errors import BadParameter, PolicyRefused
from tacit.forks import forks

WordArray = NDArray[np.uint64]

_CHUNK: Final = bytes(1 << 20)


class RandomBits:
    """A stream of fair coins. Make one with `from_os` (the default for anything published) or `from_seed`."""

    def __init__(self, key: bytes, *, seeded: bool) -> None:
        if len(key) != 32:
            raise BadParameter(f"the key has {len(key)} bytes; AES-256 needs 32")
        self._seeded = seeded
        self._begin(key)

    @classmethod
    def from_os(cls) -> Self:
        """A stream that nobody can foresee or repeat."""
        return cls(secrets.token_bytes(32), seeded=False)

    @classmethod
    def from_seed(cls, seed: int | str) -> Self:
        """The stream of this seed: for tests and replays; what is made from it may not be published."""
        if isinstance(seed, bool) or not isinstance(seed, int | str):
            raise BadParameter(f"the seed is a {type(seed).__name__}; it must be a whole number or a text")
        text = f"{type(seed).__name__}:{seed}"
        return cls(hashlib.sha256(b"tacit seed\0" + text.encode()).digest(), seeded=True)

    @property
    def seeded(self) -> bool:
        """Whether this stream can be repeated by whoever knows its seed; a release must say so."""
        return self._seeded

    def child(self, name: str) -> "RandomBits":
        """A stream of its own for `name`; the n-th call with one name gives the n-th stream of that name."""
        if not self._seeded:
            return RandomBits.from_os()
        turn = next(self._children.setdefault(name, count()))
        label = b"tacit child\0" + turn.to_bytes(8, "big") + name.encode()
        return RandomBits(hmac.digest(self._key, label, "sha256"), seeded=True)

    def octets(self, number: int) -> bytes:
        """The next `number` bytes."""
        if self._forks != forks():
            self._after_fork()
        with self._lock:
            if number <= len(_CHUNK):
                return self._cipher.update(_CHUNK[:number])
            parts = [self._cipher.update(_CHUNK) for _ in range(number // len(_CHUNK))]
            return b"".join([*parts, self._cipher.update(_CHUNK[: number % len(_CHUNK)])])

    def words(self, number: int) -> WordArray:
        """The next `number` words of 64 fair coins; the array may not be written to."""
        return np.frombuffer(self.octets(8 * number), dtype="<u8").astype(np.uint64, copy=False)

    def word(self) -> int:
        """The next 64 coins as one number."""
        return int.from_bytes(self.octets(8), "little")

    def __repr__(self) -> str:
        """Says where the key came from, never the key."""
        return f"RandomBits({'seeded' if self._seeded else 'from the operating system'})"

    def __reduce__(self) -> NoReturn:
        """Refused: a copy would draw the same noise again."""
        raise PolicyRefused("a stream of random bits can't be copied or pickled; make a child or a new one instead")

    def _begin(self, key: bytes) -> None:
        from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

        self._key = key
        self._forks = forks()
        self._lock = Lock()
        self._children: dict[str, count[int]] = {}
        self._cipher = Cipher(algorithms.AES256(key), modes.CTR(bytes(16))).encryptor()

    def _after_fork(self) -> None:
        if self._seeded:
            raise PolicyRefused(
                "this seeded stream was copied by a fork, so two processes would draw the same noise; "
                "give each process its own child stream, made by name after the fork"
            )
        self._begin(secrets.token_bytes(32))
