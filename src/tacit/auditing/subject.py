"""What is audited: something that can be run on neighbouring inputs, and what it claims about its privacy."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tacit.accounting.account import account
from tacit.accounting.events import Approximate, Event, Pure
from tacit.accounting.exact import RealNumber
from tacit.arrays import FloatArray
from tacit.auditing.outputs import OutputCodes, rows_of
from tacit.errors import BadParameter
from tacit.randomness.stream import RandomBits
from tacit.sensitivity.neighbours import Neighbours
from tacit.sensitivity.pair import Pair

USUAL_DELTA = 1e-5
MOST_SHOWN = 12


@dataclass(frozen=True)
class Claim:
    """The privacy event that is claimed to cover all that an output reveals, judged at `delta`."""

    event: Event
    delta: float = 0.0

    def epsilon(self, delta: float) -> float:
        """The claimed loss at this delta."""
        return account(self.event, delta).epsilon


def claim_of(event: Event, delta: float | None = None) -> Claim:
    """The claim of an event, judged at delta; where none is given, at 0 if the loss is finite there."""
    if delta is None:
        delta = 0.0 if np.isfinite(account(event, 0).epsilon) else USUAL_DELTA
    return Claim(event, delta)


def claimed(epsilon: RealNumber, delta: RealNumber = 0) -> Claim:
    """The claim of an epsilon and a delta."""
    return Claim(Approximate(epsilon, delta) if delta else Pure(epsilon), float(delta))


Draw = Callable[[Any, int, RandomBits], FloatArray]
"""So many independent outputs on one input, as rows."""


@dataclass(frozen=True)
class Subject:
    """A mechanism with its claim; `draw` gives rows, `book` reads them.

    The rows that are tested are those of one of `samples` pairs of independent samples, whichever `draw` takes.
    `neighbours` says how both sides of a pair differ, where datasets are compared.
    """

    name: str
    pairs: tuple[Pair, ...]
    claim: Claim
    draw: Draw
    quick: bool = False
    book: OutputCodes = field(default_factory=OutputCodes)
    samples: int = 1
    neighbours: Neighbours | None = None


ERROR = "an error of type "


def one_by_one(run: Callable[[Any, RandomBits], Any], book: OutputCodes) -> Draw:
    """Draws by running again and again. An error is an output too: anyone who sees it learns from it."""

    def attempt(dataset: Any, bits: RandomBits) -> Any:
        try:
            return run(dataset, bits)
        except Exception as error:  # noqa: BLE001 - see above
            return failure(error)

    return lambda dataset, size, bits: rows_of((attempt(dataset, bits) for _ in range(size)), book)


def failure(error: Exception) -> str:
    """An error as an output: its type, since a message may hold anything."""
    return f"{ERROR}{type(error).__name__}"


def refuse_failing(subject: Subject, rows: FloatArray) -> None:
    """Refuses a subject whose every output is an error: it is broken, not private."""
    found = {subject.book.words(row) for row in np.unique(rows, axis=0)[:2]}
    if len(found) == 1 and (word := found.pop()).startswith(f"'{ERROR}"):
        raise BadParameter(f"every run ended with {word[1:-1]}; call it once by hand to see why")


def shown(dataset: Any) -> str:
    """An input in words: rows in braces, numbers as they are."""
    if isinstance(dataset, tuple | frozenset | set):
        return f"{{{', '.join(str(row) for row in dataset)}}}"
    if isinstance(dataset, np.ndarray | list):
        return _listed(np.asarray(dataset).ravel().tolist())
    return str(dataset)


def briefly(dataset: Any) -> str:
    """An input in words; equal rows of a long one are counted."""
    rows = np.asarray(dataset).T if isinstance(dataset, list) else dataset
    if not isinstance(rows, np.ndarray) or rows.ndim == 0 or len(rows) <= MOST_SHOWN:
        return shown(dataset)
    for part in (rows, rows.reshape(len(rows), -1)[:, -1]):
        found, counts = np.unique(part, axis=0, return_counts=True)
        if len(found) <= MOST_SHOWN:
            alike = [f"{n} × {_listed(np.ravel(row).tolist())}" for row, n in zip(found, counts, strict=True)]
            return f"{len(rows)} rows ({', '.join(alike)})"
    return f"{len(rows)} rows"


def _listed(cells: Iterable[Any]) -> str:
    texts = [f"{cell:.10g}" if isinstance(cell, float) else str(cell) for cell in cells]
    return texts[0] if len(texts) == 1 else f"({', '.join(texts)})"
