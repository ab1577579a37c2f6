"""The kinds of evidence that there are: the folders of `runs/` that have a `kind.py`, and those of installed packages.

A package names its kind in the entry point group `tacit.kinds`; what is found there is an `EvidenceKind`, or a module
with the constant `KIND`. Nothing is imported until a kind is asked for. A name that two packages define is refused.
"""

from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from tacit.brought import Fault, entry_points_of, reason_of
from tacit.errors import BadPackage, BadParameter, TacitError
from tacit.release.release import Body
from tacit.runs.evidence_kind import AUDITS, EvidenceKind
from tacit.spelling import did_you_mean

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUP = "tacit.kinds"
HERE = Path(__file__).parent


def kind_names() -> tuple[str, ...]:
    """The names of all kinds of data, releases and evidence except audits, our own first; duplicates are refused."""
    brought = tuple(dict.fromkeys(point.name for point in _brought()))
    for name in brought:
        _require_one(name)
    return (*own_kinds(), *brought)


def evidence_kind(name: str) -> EvidenceKind:
    """The kind of evidence of this name; a BadParameter with the closest name if there is none."""
    _require_one(name)
    if name == AUDITS:
        from tacit.runs.audit import AUDIT

        return AUDIT
    if name in own_kinds():
        return _kind(import_module(f"tacit.runs.{name}.kind"), name)
    for point in _brought():
        if point.name == name:
            return _kind(_loaded(point), name)
    raise BadParameter(f"there is no kind of data {name!r}; {did_you_mean(name, kind_names())}")


def kind_faults() -> tuple[Fault, ...]:
    """What is wrong with installed packages that bring kinds."""
    found = []
    for point in _brought():
        try:
            evidence_kind(point.name)
        except TacitError as error:
            found.append(Fault(point.module, str(error)))
    return tuple(found)


def body_of(name: str) -> type[Body]:
    """The class of the body of a release of this kind."""
    return evidence_kind(name).body


def _require_one(name: str) -> None:
    """Refuse a kind of this name that two packages bring, or that reuses one of our names."""
    points = [point for point in _brought() if point.name == name]
    ours = name in (*own_kinds(), AUDITS)
    if len(points) + ours > 1:
        packages = " and ".join([*(["tacit"] if ours else []), *(point.value for point in points)])
        raise BadPackage(f"{packages} both bring a kind that is called {name!r}; uninstall one, or rename it")


@cache
def own_kinds() -> tuple[str, ...]:
    """The names of the kinds that come with the package."""
    return tuple(sorted(path.parent.name for path in HERE.glob("*/kind.py")))


def _brought() -> "tuple[EntryPoint, ...]":
    return entry_points_of(GROUP)


def _loaded(point: "EntryPoint") -> object:
    try:
        return point.load()
    except TacitError:
        raise
    except Exception as error:  # noqa: BLE001 - a file of somebody else may raise anything
        raise BadPackage(
            f"the entry point {point.name!r} of {GROUP} can't be imported: {reason_of(error)}; repair or uninstall the "
            "package"
        ) from None


def _kind(found: object, name: str) -> EvidenceKind:
    kind = getattr(found, "KIND", found)
    if not isinstance(kind, EvidenceKind):
        raise BadPackage(
            f"the kind {name!r} is not a tacit.runs.kind.Kind, nor one of releases or evidence; its package must name "
            f"one in {GROUP}"
        )
    return kind
