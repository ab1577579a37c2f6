"""The catalogue: methods, metrics and attacks, found by their path and imported when asked for.

Every public file below `methods/`, `metrics/` and `attacks/` defines one constant (`METHOD`, `METRIC`, `ATTACK`); its
path is its name: `methods/tables/full_domain.py` is the method `tables/full-domain`. A file or folder whose name begins
with an underscore is private. Nothing is registered, so nothing can be forgotten.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from importlib import import_module
from pathlib import Path
from typing import Any, Generic, TypeVar

from tacit.cards.attack import Attack
from tacit.cards.card import Card
from tacit.cards.method import Method
from tacit.cards.metric import Metric
from tacit.errors import BadParameter, TacitError

C = TypeVar("C", bound=Card[Any])


@dataclass(frozen=True)
class Shelf(Mapping[str, C], Generic[C]):
    """The cards below one folder, by name. Listing the names imports nothing; taking a card imports its file."""

    folder: Path
    package: str
    constant: str
    card: type[C]

    def __iter__(self) -> Iterator[str]:
        """The names in alphabetical order."""
        paths = (path.relative_to(self.folder).with_suffix("") for path in self.folder.rglob("*.py"))
        public = (path for path in paths if not any(part.startswith("_") for part in path.parts))
        return iter(sorted(path.as_posix().replace("_", "-") for path in public))

    def __len__(self) -> int:
        """How many there are."""
        return sum(1 for _ in self)

    def __contains__(self, name: object) -> bool:
        """Whether there is a file of this name; it is not imported."""
        if not isinstance(name, str) or "_" in name:
            return False
        parts = name.replace("-", "_").split("/")
        public = all(part.isidentifier() and not part.startswith("_") for part in parts)
        return public and self.folder.joinpath(*parts[:-1], f"{parts[-1]}.py").is_file()

    def __getitem__(self, name: str) -> C:
        """The card of this name; a KeyError where there is none."""
        if name not in self:
            raise KeyError(name)
        module = f"{self.package}.{name.replace('-', '_').replace('/', '.')}"
        card = getattr(import_module(module), self.constant, None)
        if not isinstance(card, self.card):
            raise TacitError(
                f"{module} defines no {self.constant}: a public file below {self.package} must define one "
                f"({self.card.__name__}); begin its name with an underscore if it is private"
            )
        return card

    def find_in(self, folder: str, name: str) -> C:
        """The card of this name in the folder, or by its whole name."""
        inside = f"{folder}/{name}"
        return self.find(inside if "/" not in name and inside in self else name)

    def find(self, name: str) -> C:
        """The card of this name; a BadParameter with the closest name where there is none."""
        if name in self:
            return self[name]
        noun = self.card.__name__.lower()
        names = tuple(self)
        close = get_close_matches(name, names, n=1, cutoff=0.5)
        hint = f"did you mean {close[0]!r}?" if close else f"known are: {', '.join(names) or 'none'}"
        raise BadParameter(f"there is no {noun} {name!r}; {hint}")


def methods() -> Shelf[Method[Any]]:
    """All methods by name."""
    return Shelf(_HERE / "methods", "tacit.methods", "METHOD", Method)


def metrics() -> Shelf[Metric[Any]]:
    """All metrics by name."""
    return Shelf(_HERE / "metrics", "tacit.metrics", "METRIC", Metric)


def attacks() -> Shelf[Attack[Any]]:
    """All attacks by name."""
    return Shelf(_HERE / "attacks", "tacit.attacks", "ATTACK", Attack)


def find_method(name: str) -> Method[Any]:
    """The method of this name; only its file is imported."""
    return methods().find(name)


def find_metric(name: str, kind: str = "tables") -> Metric[Any]:
    """The metric of this name; a short name is looked up in the folder of the kind. Only its file is imported."""
    return metrics().find_in(kind, name)


def find_attack(name: str, kind: str = "tables") -> Attack[Any]:
    """The attack of this name; a short name is looked up in the folder of the kind. Only its file is imported."""
    return attacks().find_in(kind, name)


_HERE = Path(__file__).parent
