"""The kinds that there are: the folders of `runs/` that have a `kind.py`, and those of installed packages.

A kind of data is a `Kind`. Of one kind of data there may be several kinds of release (`ReleaseKind`), and evidence that
other commands make (`EvidenceKind`). A package names its kind in the entry point group `tacit.kinds`; what is found
there is such an object, or a module with the constant `KIND`. Nothing is imported until a kind is asked for. A name
that two of them bring is refused.
"""

from collections.abc import Iterator
from contextlib import suppress
from difflib import get_close_matches
from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Any

from tacit.brought import reason_of
from tacit.catalogue import find_method
from tacit.errors import BadParameter, TacitError
from tacit.plan.load import Plan
from tacit.plan.schema import TABLES
from tacit.release.release import Body
from tacit.runs.audit import AUDIT
from tacit.runs.evidence_kind import EvidenceKind
from tacit.runs.kind import Kind
from tacit.runs.release_kind import ReleaseKind

GROUP = "tacit.kinds"
HERE = Path(__file__).parent


def kind_names() -> tuple[str, ...]:
    """The names of all kinds of data, releases and evidence but audits, our own first; two of one name are refused."""
    brought = tuple(dict.fromkeys(point.name for point in _brought()))
    for name in brought:
        _require_one(name)
    return (*_own(), *brought)


def evidence_kind(name: str) -> EvidenceKind:
    """The kind of evidence of this name; a BadParameter with the closest name where there is none."""
    _require_one(name)
    if name == AUDIT.name:
        return AUDIT
    if name in _own():
        return _kind(import_module(f"tacit.runs.{name}.kind"), name)
    for point in _brought():
        if point.name == name:
            return _kind(_loaded(point), name)
    close = get_close_matches(name, kind_names(), n=1, cutoff=0.5)
    hint = f"did you mean {close[0]!r}?" if close else f"known are: {', '.join(kind_names())}"
    raise BadParameter(f"there is no kind of data {name!r}; {hint}")


def find_kind(name: str) -> Kind[Any]:
    """The kind of data of this name; refused where it is a kind of something else."""
    found = evidence_kind(name)
    if not isinstance(found, Kind):
        raise BadParameter(f"there is no kind of data {name!r}; that is what `{found.command}` makes")
    return found


def kind_of(plan: Plan) -> ReleaseKind:
    """The kind of release that the plan asks for.

    The card of its method says which, if that is one of the plan's data. A method that makes no release is refused by
    the usual run of the data.
    """
    named, section = plan.file.data.kind, plan.file.release
    usual = find_kind(named or TABLES)
    kind = None if section is None else find_method(section.method).kind
    found = evidence_kind(kind) if kind in kind_names() else None
    if found is not None and not isinstance(found, ReleaseKind):
        raise BadParameter(f"{plan.release.method} is no method of a release section; it is for `{found.command}`")
    chosen = found if found is not None and named in (None, found.about) else usual
    chosen.require_heeded(plan)
    return chosen


def kind_of_file(path: Path) -> Kind[Any]:
    """The kind of data that claims the file; a table where none does."""
    claiming = (kind for kind in _working() if isinstance(kind, Kind) and kind.claims(path))
    return next(claiming, find_kind(TABLES))


def _working() -> Iterator[EvidenceKind]:
    """The kinds that installed packages bring; one that can't be imported claims nothing."""
    for name in kind_names():
        if name not in _own():
            with suppress(TacitError):
                yield evidence_kind(name)


def body_of(name: str) -> type[Body]:
    """The class of the body of a release of this kind."""
    return evidence_kind(name).body


def _require_one(name: str) -> None:
    """No two packages bring a kind of this name, and none brings one that is called as ours are."""
    points = [point for point in _brought() if point.name == name]
    ours = name in (*_own(), AUDIT.name)
    if len(points) + ours > 1:
        packages = " and ".join([*(["tacit"] if ours else []), *(point.value for point in points)])
        raise TacitError(f"{packages} both bring a kind that is called {name!r}; uninstall one, or rename it")


@cache
def _own() -> tuple[str, ...]:
    return tuple(sorted(path.parent.name for path in HERE.glob("*/kind.py")))


def _brought() -> tuple[EntryPoint, ...]:
    return tuple(entry_points(group=GROUP))


def _loaded(point: EntryPoint) -> object:
    try:
        return point.load()
    except TacitError:
        raise
    except Exception as error:  # noqa: BLE001 - a file of somebody else may raise anything
        raise TacitError(
            f"the entry point {point.name!r} of {GROUP} can't be imported: {reason_of(error)}; mend or uninstall the "
            "package"
        ) from None


def _kind(found: object, name: str) -> EvidenceKind:
    kind = getattr(found, "KIND", found)
    if not isinstance(kind, EvidenceKind):
        raise TacitError(
            f"the kind {name!r} is not a tacit.runs.kind.Kind, nor one of releases or evidence; its package must name "
            f"one in {GROUP}"
        )
    return kind
