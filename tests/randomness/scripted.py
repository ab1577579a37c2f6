"""A stream whose words are written down in advance, to bring samplers into their rare cases."""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from tacit.randomness.stream import RandomBits


class ScriptedBits(RandomBits):
    """Yields the given words one after the other; asking for more is a failure of the test."""

    def __init__(self, words: Iterable[int]) -> None:
        super().__init__(bytes(32), seeded=True)
        self._script = list(words)

    @property
    def left(self) -> int:
        return len(self._script)

    def octets(self, number: int) -> bytes:
        assert number % 8 == 0
        taken, self._script = self._script[: number // 8], self._script[number // 8 :]
        assert len(taken) == number // 8, "the script is too short"
        return b"".join(word.to_bytes(8, "little") for word in taken)

    def words(self, number: int) -> NDArray[np.uint64]:
        return np.frombuffer(self.octets(8 * number), dtype=np.uint64)
