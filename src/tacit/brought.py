"""What stands in one file each, here or in an installed package: its modules, found and imported.

Guarantees and steps are found so. An entry point names a module, or a package whose public modules are meant. Nothing
is registered: what can be found is there. Looking through all installed packages takes a while, so it is done once for
all groups of entry points, and again only if the search path changes.

A package that can't be imported must not take everything else with it: what it brings is left out, and whoever asks for
something that is not there is told which packages are broken.
"""

import pkgutil
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING

from tacit.errors import BadPackage, TacitError

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint


@dataclass(frozen=True)
class Fault:
    """What is wrong with a module that an installed package brings, or should have brought."""

    module: str
    reason: str

    def __str__(self) -> str:
        """The reason, as complaints quote it."""
        return self.reason


def modules_of(own: str, group: str, noun: str, only: str | None = None) -> Iterator[ModuleType]:
    """The public modules of our package `own`, then those that the entry points of the group name and that work.

    `noun` says what they hold, for complaints. Of our own only the one that is called `only` is imported, if that is
    given; what other packages call their modules is their affair.
    """
    ours = _public(own, noun)
    yield from (import_part(name, noun) for name in ours if only in (None, name.removeprefix(f"{own}.")))
    for found in _brought(group, noun):
        if isinstance(found, ModuleType):
            yield found


def faults_of(group: str, noun: str) -> tuple[Fault, ...]:
    """What is wrong with installed packages that bring something under this group; nothing where all of them work."""
    return tuple(found for found in _brought(group, noun) if isinstance(found, Fault))


def told_faults(faults: tuple[Fault, ...]) -> str:
    """The faults as the end of a complaint about something that is not there."""
    return "".join(f"; {fault}" for fault in faults)


def entry_points_of(group: str) -> "tuple[EntryPoint, ...]":
    """The entry points of this group in installed packages."""
    return _entry_points(tuple(sys.path)).get(group, ())


def distribution_of(module: str) -> str | None:
    """The installed package that extends Tacit and has this module, by name; None if there is none."""
    points = (point for group in _entry_points(tuple(sys.path)).values() for point in group)
    tops = {point.module.partition(".")[0]: point.dist for point in points if point.dist is not None}
    found = tops.get(module.partition(".")[0])
    return None if found is None else str(found.name)


def import_part(name: str, noun: str) -> ModuleType:
    """The module, or a TacitError that says what is wrong with it.

    It may be somebody else's, and so raise anything. No data was read yet, so the reason may be told.
    """
    try:
        return import_module(name)
    except TacitError:
        raise
    except Exception as error:  # noqa: BLE001 - a file of somebody else may raise anything
        reason = reason_of(error)
        raise BadPackage(f"the {noun} of {name} can't be imported: {reason}; repair or uninstall the package") from None


def reason_of(error: Exception) -> str:
    """Why a file of somebody else can't be imported."""
    return str(error) if isinstance(error, ImportError) else f"{type(error).__name__}: {error}"


def _brought(group: str, noun: str) -> Iterator[ModuleType | Fault]:
    """The modules that installed packages bring, or what is wrong with each."""
    for place in sorted({point.module for point in entry_points_of(group)}):
        try:
            names = _public(place, noun)
        except TacitError as error:
            yield Fault(place, str(error))
            continue
        for name in names:
            try:
                yield import_part(name, noun)
            except TacitError as error:
                yield Fault(name, str(error))


def _public(place: str, noun: str) -> tuple[str, ...]:
    """The public modules of a package, or the module that the place names."""
    module = import_part(place, noun)
    if not hasattr(module, "__path__"):
        return (place,)
    return tuple(f"{place}.{name}" for name in _names(tuple(module.__path__), tuple(sys.path)))


@cache
def _names(folders: tuple[str, ...], path: tuple[str, ...]) -> tuple[str, ...]:
    """The names of the public modules in these folders."""
    return tuple(file.name for file in pkgutil.iter_modules(folders) if not file.name.startswith("_"))


@cache
def _entry_points(path: tuple[str, ...]) -> "dict[str, tuple[EntryPoint, ...]]":
    """The entry points of each of our groups: every package is looked at once, and not once for each group."""
    from importlib.metadata import entry_points

    found = entry_points()
    ours = (group for group in found.groups if group.startswith("tacit."))
    return {group: tuple(found.select(group=group)) for group in ours}
