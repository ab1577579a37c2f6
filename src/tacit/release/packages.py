"""Packages other than Tacit that took part in a run, as the evidence names them."""

from collections.abc import Iterable

from tacit.fact import Fact

ATTACKS = "attacks/"


class BroughtPackage(Fact):
    """A distribution as pip knows it, and the parts of it that took part, by group and name ("kinds/graphs")."""

    name: str
    version: str
    brought: tuple[str, ...]


Packages = tuple[BroughtPackage, ...]


def with_attacks(packages: Packages, attacking: Packages) -> Packages:
    """The packages of a run beside those that brought the attacks on its release; former attacks are forgotten."""
    kept = ((one, [part for part in one.brought if not part.startswith(ATTACKS)]) for one in packages)
    return joined([*(one.model_copy(update={"brought": tuple(parts)}) for one, parts in kept if parts), *attacking])


def joined(packages: Iterable[BroughtPackage]) -> Packages:
    """Each package once, with all that it brought, in the order of their names."""
    found: dict[tuple[str, str], dict[str, None]] = {}
    for one in packages:
        found.setdefault((one.name, one.version), {}).update(dict.fromkeys(one.brought))
    return tuple(
        BroughtPackage(name=name, version=version, brought=tuple(sorted(parts)))
        for (name, version), parts in sorted(found.items())
    )
