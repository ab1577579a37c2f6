"""Packages that evidence needs: which brought its kind, and which of them are installed here.

Evidence comes from somebody else. What it says of packages is shown, cleaned and cut, and nothing is installed or
imported for it.
"""

from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from pydantic import TypeAdapter, ValidationError

from tacit.evidence.numerals import clean
from tacit.release.packages import BroughtPackage, Packages

LONGEST = 60


def shown(package: BroughtPackage) -> str:
    """The package as it is called in messages."""
    return f"{clean(package.name)[:LONGEST]} {clean(package.version)[:LONGEST]}"


def installed_version(package: BroughtPackage) -> str | None:
    """The version that is installed here; None where none is."""
    try:
        return version(package.name)
    except (PackageNotFoundError, ValueError):
        return None


def state_here(package: BroughtPackage) -> str:
    """Whether the package is installed here as it was then, in words."""
    here = installed_version(package)
    if here is None:
        return "not installed here"
    return "installed here" if here == package.version else f"version {clean(here)[:LONGEST]} is installed here"


def needed_for_kind(evidence: Mapping[str, Any]) -> str:
    """Which package the kind of this evidence needs, and whether it is here, as half a sentence.

    Empty where the evidence does not say.
    """
    part = f"kinds/{evidence.get('kind')}"
    needed = [one for one in _packages(evidence) if part in one.brought]
    return "; ".join(f"its kind comes from the package {shown(one)}, {state_here(one)}" for one in needed)


def _packages(evidence: Mapping[str, Any]) -> Packages:
    """The packages that the evidence names, none where it names them in no known form."""
    try:
        return TypeAdapter(Packages).validate_python(evidence.get("packages", ()), strict=False)
    except ValidationError:
        return ()
