"""Which packages took part in a run: those that provide its kind, methods, guarantees, metrics, attacks and steps.

Parts are named as the contract tests name them, by group and name: `methods/tables/local`, `guarantees/k-anonymity`,
`steps/sample`. Our own parts are recognised by their place, so a run without plug-ins never looks at what is installed;
only for other parts are entry points searched for the distribution that provides them.
"""

from collections.abc import Callable, Iterable, Mapping
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

from tacit.brought import entry_points_of, modules_of
from tacit.catalogue import Catalogue, Folder, attacks, methods, metrics
from tacit.release.packages import BroughtPackage, Packages, joined

OWN = "tacit"
HERE = Path(__file__).parent
SHELVES: Mapping[str, Callable[[], Catalogue[Any]]] = {"methods": methods, "metrics": metrics, "attacks": attacks}
CONSTANTS = {"guarantees": ("GUARANTEE", "PROVEN"), "steps": ("STEP",)}
"""What a file of the group defines."""
FOLDERS = {
    "guarantees": Folder(HERE.parent / "guarantees", "tacit.guarantees"),
    "steps": Folder(HERE / "tables" / "steps", "tacit.runs.tables.steps"),
}
"""Where ours stand, each in a file of its name."""


def packages_of(parts: Iterable[str]) -> Packages:
    """The packages other than ours that provide these parts; parts without a distribution are left out."""
    found = []
    for part in dict.fromkeys(parts):
        point = _point_of(*part.split("/", 1))
        dist = getattr(point, "dist", None)
        if dist is not None:
            found.append(BroughtPackage(name=dist.name, version=dist.version, brought=(part,)))
    return joined(found)


def part_of(group: str, name: str, folder: str) -> str:
    """The part that a card is, by its name; a short one leaves out the folder of its kind."""
    return f"{group}/{name}" if "/" in name else f"{group}/{folder}/{name}"


def _point_of(group: str, name: str) -> EntryPoint | None:
    """The entry point of another package that provides the part."""
    if group == "kinds":
        own = (HERE / name / "kind.py").is_file()
        return None if own else next((point for point in entry_points_of(f"tacit.{group}") if point.name == name), None)
    module = _shelf_of(group, name) if group in SHELVES else _module_of(group, name)
    if module is None or module.partition(".")[0] == OWN:
        return None
    having = (point for point in entry_points_of(f"tacit.{group}") if f"{module}.".startswith(f"{point.module}."))
    return max(having, key=lambda point: len(point.module), default=None)


def _shelf_of(group: str, name: str) -> str | None:
    """The package whose folder holds the card."""
    return next((folder.package for folder in SHELVES[group]().folders if folder.has(name)), None)


def _module_of(group: str, name: str) -> str | None:
    """The module that defines the guarantee or the step; nothing is imported for one of ours."""
    own = FOLDERS[group]
    if own.has(name):
        return own.package
    for module in modules_of(own.package, f"tacit.{group}", group):
        if any(getattr(getattr(module, constant, None), "name", None) == name for constant in CONSTANTS[group]):
            return module.__name__
    return None
