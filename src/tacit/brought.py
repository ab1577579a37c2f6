"""What stands in one file each, here or in an installed package: its modules, found and imported.

Guarantees and steps are found so. An entry point names a module, or a package whose public modules are meant. Nothing
is registered: what can be found is there. Looking through all installed packages takes a while, so it is done once for
each search path.
"""

import pkgutil
import sys
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from types import ModuleType

from tacit.errors import TacitError


def modules_of(own: str, group: str, noun: str) -> Iterator[ModuleType]:
    """The public modules of our package `own`, then those that the entry points of the group name.

    `noun` says what they hold, for complaints.
    """
    path = tuple(sys.path)
    for place in (own, *_installed(group, path)):
        yield from (_imported(name, noun) for name in _public(place, noun, path))


@cache
def _public(place: str, noun: str, path: tuple[str, ...]) -> tuple[str, ...]:
    """The public modules of a package, or the module that the place names."""
    module = _imported(place, noun)
    if not hasattr(module, "__path__"):
        return (place,)
    names = (file.name for file in pkgutil.iter_modules(module.__path__))
    return tuple(f"{place}.{name}" for name in names if not name.startswith("_"))


def _imported(name: str, noun: str) -> ModuleType:
    try:
        return import_module(name)
    except ImportError as error:
        raise TacitError(f"the {noun} of {name} can't be imported: {error}") from None


@cache
def _installed(group: str, path: tuple[str, ...]) -> tuple[str, ...]:
    """The modules that installed packages name."""
    from importlib.metadata import entry_points

    return tuple(sorted({entry.module for entry in entry_points(group=group)}))
