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
    for place in (own, *_installed(group, tuple(sys.path))):
        yield from (_imported(name, noun) for name in _public(place, noun))


def _public(place: str, noun: str) -> tuple[str, ...]:
    """The public modules of a package, or the module that the place names."""
    module = _imported(place, noun)
    if not hasattr(module, "__path__"):
        return (place,)
    return tuple(f"{place}.{name}" for name in _names(tuple(module.__path__), tuple(sys.path)))


@cache
def _names(folders: tuple[str, ...], path: tuple[str, ...]) -> tuple[str, ...]:
    """The names of the public modules in these folders."""
    return tuple(file.name for file in pkgutil.iter_modules(folders) if not file.name.startswith("_"))


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
