"""The catalogue: methods, metrics and attacks, found by their path and imported when asked for.

Every public file below `methods/`, `metrics/` and `attacks/` defines one constant (`METHOD`, `METRIC`, `ATTACK`); its
path is its name: `methods/columns/rank_swap.py` is the method `columns/rank-swap`. A file or folder whose name begins
with an underscore is private. Nothing is registered, so nothing can be forgotten.

Other packages bring cards in the same way: an entry point of the group `tacit.methods`, `tacit.metrics` or
`tacit.attacks` names a package that is laid out like these folders.
"""

import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from tacit.brought import Fault, entry_points_of, import_part, reason_of, told_faults
from tacit.cards.attack import Attack
from tacit.cards.card import Card
from tacit.cards.method import Method
from tacit.cards.metric import Metric
from tacit.errors import BadPackage, BadParameter
from tacit.spelling import did_you_mean

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

C = TypeVar("C", bound=Card[Any])
A = TypeVar("A", bound=Attack[Any])


@dataclass(frozen=True)
class Folder:
    """A folder of cards, and the package that it is imported as."""

    path: Path
    package: str

    def names(self) -> Iterator[str]:
        """The names of its public files."""
        paths = (path.relative_to(self.path).with_suffix("") for path in self.path.rglob("*.py"))
        public = (path for path in paths if not any(part.startswith("_") for part in path.parts))
        return (path.as_posix().replace("_", "-") for path in public)

    def has(self, name: str) -> bool:
        """Whether there is a public file of this name; it is not imported."""
        parts = name.replace("-", "_").split("/")
        public = "_" not in name and all(part.isidentifier() and not part.startswith("_") for part in parts)
        return public and self.path.joinpath(*parts[:-1], f"{parts[-1]}.py").is_file()


def installed_folders(group: str) -> tuple[Folder, ...]:
    """The folders that installed packages bring under this group of entry points, and that are there."""
    return tuple(found for found in _brought(group, tuple(sys.path)) if isinstance(found, Folder))


def folder_faults(group: str) -> tuple[Fault, ...]:
    """What is wrong with entry points of this group that name no folder of cards."""
    return tuple(found for found in _brought(group, tuple(sys.path)) if isinstance(found, Fault))


@lru_cache(maxsize=16)
def _brought(group: str, path: tuple[str, ...]) -> tuple[Folder | Fault, ...]:
    """The folder of each entry point, or what is wrong with it, when this was first asked."""
    return tuple(_folder(point, group) for point in entry_points_of(group))


def _folder(point: "EntryPoint", group: str) -> Folder | Fault:
    """The folder that the entry point names; only the packages above it are imported."""
    from importlib.util import find_spec

    where = f"the entry point {point.name!r} of {group}"
    try:
        spec = find_spec(point.value)
    except Exception as error:  # noqa: BLE001 - a package of somebody else may raise anything
        return Fault(point.value, f"{where} can't be imported: {reason_of(error)}; repair or uninstall the package")
    if spec is None or not spec.submodule_search_locations:
        return Fault(point.value, f"{where} names {point.value!r}, which is not a package; repair or uninstall it")
    return Folder(Path(next(iter(spec.submodule_search_locations))), point.value)


@dataclass(frozen=True)
class Catalogue(Mapping[str, C], Generic[C]):
    """The cards below some folders, by name. Listing the names imports nothing; taking a card imports its file.

    Our own folder comes first and those of installed packages follow; a name that two of them bring is refused.
    `faults` are told to whoever asks for a name that is not there.
    """

    folders: tuple[Folder, ...]
    constant: str
    card: type[C]
    faults: tuple[Fault, ...] = ()

    def __iter__(self) -> Iterator[str]:
        """The names in alphabetical order."""
        return iter(sorted({name for folder in self.folders for name in folder.names()}))

    def __len__(self) -> int:
        """How many there are."""
        return sum(1 for _ in self)

    def __contains__(self, name: object) -> bool:
        """Whether there is a file of this name; it is not imported."""
        return isinstance(name, str) and any(folder.has(name) for folder in self.folders)

    def __getitem__(self, name: str) -> C:
        """The card of this name; a KeyError where there is none."""
        having = [folder for folder in self.folders if folder.has(name)]
        if not having:
            raise KeyError(name)
        if len(having) > 1:
            packages = " and ".join(folder.package for folder in having)
            raise BadPackage(f"{packages} both define {name!r}; uninstall one, or rename its file")
        module = f"{having[0].package}.{name.replace('-', '_').replace('/', '.')}"
        card = getattr(import_part(module, self.constant), self.constant, None)
        if not isinstance(card, self.card):
            raise BadPackage(
                f"{module} defines no {self.constant}: a public file below {having[0].package} must define one "
                f"({self.card.__name__}); begin its name with an underscore if it is private"
            )
        return card

    def find(self, name: str, kind: str | None = None) -> C:
        """The card of this name; a BadParameter with the closest name where there is none.

        Where the kind of data is known, its folder may be left out: `loss` is `tables/loss` for tables.
        """
        for full in (name, f"{kind}/{name}"):
            if full in self:
                return self[full]
        noun = self.card.__name__.lower()
        names = tuple(full.removeprefix(f"{kind}/") for full in self)
        raise BadParameter(f"there is no {noun} {name!r}; {did_you_mean(name, names)}{told_faults(self.faults)}")


def methods() -> Catalogue[Method[Any]]:
    """All methods by name."""
    return _shelf("methods", "METHOD", Method)


def metrics() -> Catalogue[Metric[Any]]:
    """All metrics by name."""
    return _shelf("metrics", "METRIC", Metric)


def attacks() -> Catalogue[Attack[Any]]:
    """All attacks by name."""
    return _shelf("attacks", "ATTACK", Attack)


def attacks_of(kind: str, card: type[A]) -> dict[str, A]:
    """The attacks in the folder of the kind by name; refused where one has another class of card than is run there."""
    folder, shelf, found = f"{kind}/", attacks(), {}
    for name in (name for name in shelf if name.startswith(folder)):
        one = shelf[name]
        if not isinstance(one, card):
            raise BadPackage(
                f"the attack {name} is a {type(one).__name__}; below {folder} it must be a {card.__name__}"
            )
        found[name] = one
    return found


def find_method(name: str) -> Method[Any]:
    """The method of this name; only its file is imported."""
    return methods().find(name)


def find_metric(name: str, kind: str = "tables") -> Metric[Any]:
    """The metric of this name; a short name is looked up in the folder of the kind. Only its file is imported."""
    return metrics().find(name, kind)


def find_attack(name: str, kind: str = "tables") -> Attack[Any]:
    """The attack of this name; a short name is looked up in the folder of the kind. Only its file is imported."""
    return attacks().find(name, kind)


def _shelf(group: str, constant: str, card: type[C]) -> Catalogue[C]:
    own = Folder(Path(__file__).parent / group, f"tacit.{group}")
    brought = f"tacit.{group}"
    return Catalogue((own, *installed_folders(brought)), constant, card, folder_faults(brought))
