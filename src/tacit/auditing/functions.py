"""Any Python function of (dataset, bits) as a subject: its neighbours are all small datasets over a declared domain.

A function with a third argument `size` gives that many independent outputs at once, as an array whose first axis they
are; that is far quicker. The dataset is a tuple of rows.

Where such a call raises, it does not tell which of its runs failed, so its runs are drawn again one by one, and those
that fail have their error as output. This leaves the test honest: think of all runs as drawn one by one, once for the
call and once more for its repetition. The counts that are tested are those of one of these samples on either side, so
of at most four pairs of samples, each of which misleads with the error rate of one test (`Subject.samples`).
"""

import inspect
from collections.abc import Callable
from importlib import import_module
from itertools import combinations_with_replacement
from typing import Any

import numpy as np

from tacit.arrays import FloatArray
from tacit.auditing.outputs import OutputCodes, rows_of, rows_of_array, stacked
from tacit.auditing.subject import Claim, Draw, Subject, failure, one_by_one
from tacit.errors import BadParameter
from tacit.randomness.stream import RandomBits
from tacit.sensitivity.exploration import World, neighbours_of
from tacit.sensitivity.pair import Pair

MOST_PAIRS = 400


def subject_of_function(function: Callable[..., Any], world: World, claim: Claim, name: str = "") -> Subject:
    """The function, to be run on all pairs of neighbours of the world."""
    pairs = _pairs(world)
    known = name or getattr(function, "__name__", "the function")
    book, relation = OutputCodes(), world.neighbours
    if "size" in inspect.signature(function).parameters:
        draw = _at_once(function, known, book)
        return Subject(known, pairs, claim, draw, quick=True, book=book, samples=4, neighbours=relation)
    return Subject(known, pairs, claim, one_by_one(function, book), book=book, neighbours=relation)


def find_function(target: str) -> Callable[..., Any]:
    """The function that `module:function` names."""
    module, _, name = target.partition(":")
    try:
        found = getattr(import_module(module), name)
    except (ImportError, AttributeError, ValueError) as error:
        raise BadParameter(f"there is no function {target!r}: {error}; write it as module:function") from None
    if not callable(found):
        raise BadParameter(f"{target!r} is a {type(found).__name__}; it must be a function of (dataset, bits)")
    function: Callable[..., Any] = found
    return function


def _pairs(world: World) -> tuple[Pair, ...]:
    """Each pair once."""
    found: dict[frozenset[tuple[Any, ...]], Pair] = {}
    for size in range(world.least, world.most + 1):
        for rows in combinations_with_replacement(world.domain, size):
            for other in neighbours_of(rows, world):
                found.setdefault(frozenset((rows, other)), Pair(rows, other))
        if len(found) > MOST_PAIRS:
            raise BadParameter(f"there are more than {MOST_PAIRS} pairs of neighbours; declare a smaller domain")
    return tuple(found.values())


def _at_once(function: Callable[..., Any], name: str, book: OutputCodes) -> Draw:
    def attempt(dataset: Any, size: int, bits: RandomBits) -> FloatArray | Exception:
        try:
            found = function(dataset, bits, size=size)
        except Exception as error:  # noqa: BLE001 - whoever sees an error learns from it
            return error
        drawn = np.asarray(found)
        if drawn.shape[:1] != (size,) or drawn.dtype.kind not in "biuf":
            raise BadParameter(
                f"{name} gave {drawn.dtype} of shape {drawn.shape} for size {size}; the first axis must be the runs"
            )
        return rows_of_array(drawn.astype(np.float64))

    def draw(dataset: Any, size: int, bits: RandomBits) -> FloatArray:
        drawn = attempt(dataset, size, bits)
        if not isinstance(drawn, Exception):
            return drawn
        runs = [attempt(dataset, 1, bits) for _ in range(size)]
        return stacked([rows_of([failure(run)], book) if isinstance(run, Exception) else run for run in runs])

    return draw
