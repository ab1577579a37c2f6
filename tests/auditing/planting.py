"""Planting defects in cards without copying them: a card runs as it is while one thing beneath it is broken.

A defect is a context in which samplers draw less noise, or the same noise again, or values are not clamped; or a change
of what the card is given: other parameters, another stream. The claim and the neighbours are those of the sound card.
"""

import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from typing import Any
from unittest.mock import patch

import numpy as np

from tacit.arrays import FloatArray
from tacit.auditing.cards import subject_of_card
from tacit.auditing.subject import Subject
from tacit.auditing.subject import one_by_one as one_by_one_of
from tacit.catalogue import find_method
from tacit.methods.statistics._box import Box
from tacit.noise.noise import GaussianNoise, LaplaceNoise
from tacit.noise.values import Range, as_column, as_matrix
from tacit.params import Params
from tacit.randomness import bernoulli, gaussian, geometric, selection
from tacit.randomness.stream import RandomBits

Given = tuple[Any, Params, RandomBits]


def _unchanged(given: Any, params: Params, bits: RandomBits) -> Given:
    return given, params, bits


@dataclass(frozen=True)
class Defect:
    """What is wrong, in words; what is broken while the card runs; how what it is given is changed before."""

    title: str
    broken: Callable[[], AbstractContextManager[Any]] = nullcontext
    change: Callable[[Any, Params, RandomBits], Given] = _unchanged


def planted(name: str, defect: Defect, **changes: Any) -> Subject:
    """The card of this name with a defect; its claim and its neighbours are those of the sound one."""
    sound = subject_of_card(name, changes)
    method = find_method(name)
    params = method.params.parse(name, {**method.example.model_dump(), **changes})

    one_by_one = one_by_one_of(lambda given, bits: method.run(*defect.change(given, params, bits)), sound.book)
    drawn = sound.draw if defect.change is _unchanged else one_by_one

    def draw(given: Any, size: int, bits: RandomBits) -> FloatArray:
        with defect.broken():
            return drawn(given, size, bits)

    return replace(sound, draw=draw, quick=sound.quick and drawn is sound.draw)


@contextmanager
def _everywhere(module: Any, name: str, other: Callable[..., Any]) -> Iterator[None]:
    """A function of a module replaced wherever a method has imported it."""
    own = getattr(module, name)
    users = [user for key, user in list(sys.modules.items()) if key.startswith(("tacit.methods.", "tacit.noise."))]
    held = [user for user in users if getattr(user, name, None) is own]
    for user in held:
        setattr(user, name, other)
    try:
        yield
    finally:
        for user in held:
            setattr(user, name, own)


@contextmanager
def _quieter(factor: Fraction) -> Iterator[None]:
    """Samplers draw as if epsilon were `factor` times as large."""
    laplace, normal, choose, flip = (
        geometric.discrete_laplace,
        gaussian.discrete_gaussian,
        selection.exponential_choice,
        selection.permute_and_flip,
    )
    with (
        _everywhere(geometric, "discrete_laplace", lambda rate, *rest: laplace(rate * factor, *rest)),
        _everywhere(gaussian, "discrete_gaussian", lambda square, *rest: normal(square / factor**2, *rest)),
        _everywhere(selection, "exponential_choice", lambda lost, rate, *rest: choose(lost, rate * factor, *rest)),
        _everywhere(selection, "permute_and_flip", lambda lost, rate, *rest: flip(lost, rate * factor, *rest)),
        _everywhere(bernoulli, "bernoulli_each", lambda chances, bits: _surer(chances, float(factor), bits)),
    ):
        yield


def _surer(chances: FloatArray, factor: float, bits: RandomBits) -> Any:
    """Coins whose odds are raised to a power."""
    odds = (chances / (1 - chances)) ** factor
    return bernoulli.bernoulli_each(odds / (1 + odds), bits)


def less_noise(factor: float) -> Defect:
    """Noise that is too small by this factor."""
    return Defect(f"noise {factor:g} times too small", partial(_quieter, Fraction(factor)))


@contextmanager
def _same_again() -> Iterator[None]:
    laplace, normal = LaplaceNoise.draw, GaussianNoise.draw
    with (
        patch.object(LaplaceNoise, "draw", lambda noise, size, bits: np.repeat(laplace(noise, 1, bits), size)),
        patch.object(GaussianNoise, "draw", lambda noise, size, bits: np.repeat(normal(noise, 1, bits), size)),
    ):
        yield


REUSED_NOISE = Defect("one noise for all numbers", _same_again)


@contextmanager
def _as_they_are() -> Iterator[None]:
    def steps(held: Range, values: Any) -> Any:
        return held.grid.steps(as_column(values)).counts

    def shares(box: Box, rows: Any) -> Any:
        return (as_matrix(rows, box.columns) - np.array(box.lower)) / box.widths

    with patch.object(Range, "steps", steps), patch.object(Box, "shares", shares):
        yield


UNCLAMPED = Defect("values are not clamped", _as_they_are)


def _own_bounds(given: Any, params: Any, bits: RandomBits) -> Given:
    """Bounds read from the data."""
    low, high = np.min(given, axis=0), np.max(given, axis=0)
    columns = isinstance(params.lower, tuple)
    ends = (tuple(low[: len(params.lower)]), tuple(high[: len(params.lower)])) if columns else (low, high + 1e-9)
    return given, params.model_copy(update={"lower": ends[0], "upper": ends[1]}), bits


BOUNDS_FROM_DATA = Defect("bounds are read from the data", change=_own_bounds)
FIXED_SEED = Defect(
    "the same seed each time", change=lambda given, params, bits: (given, params, RandomBits.from_seed("always"))
)


def other_params(title: str, **changes: Any) -> Defect:
    """What is claimed for the card's own parameters is done with others."""
    return Defect(title, change=lambda given, params, bits: (given, params.model_copy(update=changes), bits))


UNTESTED = Defect(
    "released without a test",
    lambda: patch("tacit.methods.mechanisms.propose_test_release.distance", lambda robust, bound: 1 << 30),
)


FOR_ONE_MORE = other_params("noise for a row more, where a row is replaced", neighbours="add-remove")
FOR_ONE_ROW = other_params("noise for one row, where a person has several", contributions=1)
