"""Defects planted in somebody's functions: each gives wrong numbers for as long as it is watched.

Which functions take part in a piece of work is seen by running it. Those of modules and classes are replaced wherever
they can be looked up; functions within functions, compiled ones and those that cards hold are left as they are.
"""

import sys
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import wraps
from inspect import isgeneratorfunction
from types import CodeType, FrameType, FunctionType, ModuleType
from typing import Any

import numpy as np

from tacit.promise import Measured

WRONG = 1009
"""By how much a planted defect misses; large, so that no other true figure is met by chance."""


@dataclass(frozen=True, eq=False)
class PlantableFunction:
    """A function, the modules and classes in which it stands, and under which names."""

    function: FunctionType
    places: tuple[tuple[Any, str, Any], ...]

    def __str__(self) -> str:
        """As its author knows it."""
        return f"{self.function.__module__}.{self.function.__qualname__}"


def functions_of(act: Callable[[], Any], packages: Collection[str]) -> tuple[PlantableFunction, ...]:
    """The functions of these top packages that run in the act."""
    ran: dict[CodeType, None] = {}

    def notice(frame: FrameType, event: str, _: Any) -> None:
        if event == "call" and _top(frame.f_globals.get("__name__", "")) in packages:
            ran[frame.f_code] = None

    before = sys.getprofile()
    sys.setprofile(notice)
    try:
        act()
    finally:
        sys.setprofile(before)
    known = _known(packages)
    return tuple(known[code] for code in ran if code in known)


@contextmanager
def planted(found: PlantableFunction, packages: Collection[str]) -> Iterator[None]:
    """Within the block the function gives wrong numbers; before and after it nothing is remembered."""
    wrong = _wrong(found.function)
    _forget(packages)
    for owner, name, raw in found.places:
        setattr(owner, name, _like(raw, wrong))
    try:
        yield
    finally:
        for owner, name, raw in found.places:
            setattr(owner, name, raw)
        _forget(packages)


def spoilt(value: Any) -> Any:
    """The value with wrong numbers; whatever has none stays as it is."""
    if isinstance(value, Measured):
        return value.model_copy(update={"measured": spoilt(float(value.measured))})
    if isinstance(value, bool | np.bool_ | str):
        return value
    if isinstance(value, int | float | np.integer | np.floating):
        return value + WRONG if np.isfinite(value) else type(value)(WRONG)
    if isinstance(value, np.ndarray):
        return value + WRONG if value.dtype.kind in "iuf" else value
    if isinstance(value, dict):
        return type(value)({key: spoilt(part) for key, part in value.items()})
    if type(value) in (tuple, list):
        return type(value)(spoilt(part) for part in value)
    return value


def _wrong(function: FunctionType) -> Callable[..., Any]:
    if isgeneratorfunction(function):

        @wraps(function)
        def wrong(*args: Any, **more: Any) -> Any:
            return (spoilt(part) for part in function(*args, **more))
    else:

        @wraps(function)
        def wrong(*args: Any, **more: Any) -> Any:
            return spoilt(function(*args, **more))

    return wrong


def _known(packages: Collection[str]) -> Mapping[CodeType, PlantableFunction]:
    """The functions in the modules and classes of these packages, by their code."""
    places: dict[CodeType, list[tuple[Any, str, Any]]] = {}
    functions: dict[CodeType, FunctionType] = {}
    for owner in _owners(packages):
        for name, raw in list(vars(owner).items()):
            function = _unwrapped(raw)
            if function is not None and not name.startswith("__"):
                functions[function.__code__] = function
                places.setdefault(function.__code__, []).append((owner, name, raw))
    return {code: PlantableFunction(functions[code], tuple(found)) for code, found in places.items()}


def _owners(packages: Collection[str]) -> Iterator[Any]:
    """The modules of these packages and the classes that they define."""
    for module in _modules(packages):
        yield module
        classes = (value for value in list(vars(module).values()) if isinstance(value, type))
        yield from (one for one in classes if one.__module__ == module.__name__)


def _modules(packages: Collection[str]) -> list[ModuleType]:
    return [module for name, module in list(sys.modules.items()) if _top(name) in packages and module is not None]


def _unwrapped(raw: Any) -> FunctionType | None:
    inner = raw.__func__ if isinstance(raw, staticmethod | classmethod) else getattr(raw, "fget", raw)
    return inner if isinstance(inner, FunctionType) else None


def _like(raw: Any, function: Callable[..., Any]) -> Any:
    """The function in the form in which the other stands there."""
    if isinstance(raw, property):
        return property(function, raw.fset, raw.fdel)
    return type(raw)(function) if isinstance(raw, staticmethod | classmethod) else function


def _forget(packages: Collection[str]) -> None:
    """What functions of these packages remember is forgotten."""
    for owner in _owners(packages):
        for raw in list(vars(owner).values()):
            if callable(clear := getattr(raw, "cache_clear", None)):
                clear()


def _top(module: str) -> str:
    return module.partition(".")[0]
