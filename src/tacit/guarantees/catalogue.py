"""The catalogue of guarantees, and plan entries made into them.

A guarantee is a public file that defines `GUARANTEE`, or `PROVEN` where it is kept by randomness and measured on
nothing. They are found in this folder and in installed packages, which name a module, or a package of such files, as an
entry point of the group `tacit.guarantees`. Nothing is registered: what can be found is there.
"""

from collections.abc import Mapping
from typing import Any, Literal

from pydantic import ValidationError

import tacit.guarantees
from tacit.brought import Fault, faults_of, modules_of, told_faults
from tacit.errors import BadPackage, BadParameter
from tacit.guarantees._bounds import explained
from tacit.guarantees.guarantee import Guarantee, ProvenGuarantee, TableGuarantee, is_given
from tacit.spelling import did_you_mean

GROUP = "tacit.guarantees"
"""The group of entry points under which installed packages bring guarantees."""


def guarantees() -> dict[str, type[Guarantee]]:
    """Every guarantee that can be measured, by name, in alphabetical order."""
    return _defining("GUARANTEE")


def proven() -> dict[str, type[Guarantee]]:
    """Every guarantee that is kept by randomness and measured on nothing, by name."""
    return _defining("PROVEN")


def accounted() -> type[ProvenGuarantee]:
    """The guarantee in whose terms accounts are kept, so that answers promise it without being asked for one."""
    from tacit.guarantees.differential_privacy import DifferentialPrivacy

    return DifferentialPrivacy


def is_proven(name: str) -> bool:
    """Whether the guarantee of this name is kept by randomness and measured on nothing."""
    return name in _defining("PROVEN", name)


def faults() -> tuple[Fault, ...]:
    """What is wrong with installed packages that bring guarantees: modules without any, or that can't be imported."""
    ours, told = tacit.guarantees.__name__, "defines no GUARANTEE; define one, or begin the name with an underscore"
    empty = (
        module.__name__
        for module in modules_of(ours, GROUP, "guarantees")
        if not (hasattr(module, "GUARANTEE") or hasattr(module, "PROVEN") or module.__name__.startswith(f"{ours}."))
    )
    return (*faults_of(GROUP, "guarantees"), *(Fault(name, f"{name} {told}") for name in empty))


def _defining(constant: str, name: str | None = None) -> dict[str, type[Guarantee]]:
    """The guarantees that are this constant of their module; where a name is given, that one alone.

    Ours of that name stands in the module that is called like it, so the others need not be imported.
    """
    found: dict[str, type[Guarantee]] = {}
    only = None if name is None else name.replace("-", "_")
    for module in modules_of(tacit.guarantees.__name__, GROUP, "guarantees", only):
        kind: type[Guarantee] | None = getattr(module, constant, None)
        if kind is None:
            continue
        if not (isinstance(kind, type) and issubclass(kind, Guarantee)):
            raise BadPackage(
                f"{constant} of {module.__name__} is not a class of guarantees; repair or uninstall the package"
            )
        other = found.setdefault(kind.name, kind)
        if other is not kind:
            raise BadPackage(
                f"two guarantees are called {kind.name!r}, one in {other.__module__} and one in {kind.__module__}; "
                "uninstall one of the packages"
            )
    return {each: kind for each, kind in sorted(found.items()) if name in (None, each)}


def given_by(by: tuple[str, ...] | Literal["any"]) -> list[str]:
    """The names of all guarantees that a method gives which says that it gives `by`."""
    return [name for name, kind in (guarantees() | proven()).items() if is_given(kind, by)]


def parse_guarantee(entry: Mapping[str, Any] | Guarantee) -> Guarantee:
    """The guarantee of a plan entry such as `{"k-anonymity": {"k": 5}}`; a BadParameter says what is wrong with it.

    An object is a guarantee already, whether the catalogue knows its class or not.
    """
    if isinstance(entry, Guarantee):
        return entry
    name, values = _split(entry)
    kind = (_defining("GUARANTEE", name) | _defining("PROVEN", name)).get(name)
    if kind is None:
        known = guarantees() | proven()
        hint = did_you_mean(name.lower().replace("_", "-"), known, otherwise="")
        told = f"{hint} these are known: {', '.join(sorted(known))}{told_faults(faults())}".lstrip()
        raise BadParameter(f"there is no guarantee {name!r}; {told}")
    if not isinstance(values, Mapping):
        first = next(iter(kind.model_fields))
        raise BadParameter(f"{name}: name its parameters, as in `{name}: {{{first}: …}}` (found {values!r})")
    try:
        return kind.model_validate(dict(values))
    except ValidationError as error:
        raise BadParameter(explained(name, error, kind)) from None


def parse_table_guarantee(entry: Mapping[str, Any] | Guarantee) -> TableGuarantee:
    """The guarantee of a plan entry, which must be one that is measured on a table."""
    found = parse_guarantee_about(entry, TableGuarantee.about)
    if isinstance(found, TableGuarantee):
        return found
    raise BadParameter(f"{found.name} is not a TableGuarantee, so it can't be measured on a table; leave it out here")


def parse_guarantee_about(entry: Mapping[str, Any] | Guarantee, kind: str) -> Guarantee:
    """The guarantee of a plan entry, which must be one that is measured on data of this kind."""
    found = parse_guarantee(entry)
    if is_proven(found.name):
        raise BadParameter(
            f"{found.name} is kept by the randomness of a method and can't be measured in a release; leave it out, or "
            "take a method that gives it, such as those of synthesize/"
        )
    if found.about != kind:
        raise BadParameter(f"{found.name} is a guarantee about {found.about}, not about {kind}; leave it out here")
    return found


def _split(entry: Mapping[str, Any]) -> tuple[str, Any]:
    """The name and the parameters of an entry, which has one of each."""
    shape = "write a guarantee as `name: {parameter: value}`, as in `k-anonymity: {k: 5}`"
    if not isinstance(entry, Mapping):
        raise BadParameter(f"{entry!r} is not a guarantee; {shape}")
    if len(entry) != 1:
        names = ", ".join(str(name) for name in entry) or "none"
        raise BadParameter(
            f"an entry names one guarantee, but this one names {len(entry)} ({names}); {shape}, one for each entry"
        )
    ((name, values),) = entry.items()
    return str(name), {} if values is None else values
