"""The kinds that there are: the folders of `runs/` that have a `kind.py`, and those of installed packages.

A package names its kind in the entry point group `tacit.kinds`; what is found there is a `Kind`, or a module with the
constant `KIND`. Nothing is imported until a kind is asked for. A name that two of them bring is refused.
"""

from difflib import get_close_matches
from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Any

from tacit.catalogue import find_method
from tacit.errors import BadParameter, TacitError
from tacit.plan.load import Plan
from tacit.release.release import Body
from tacit.runs.audit import AUDIT
from tacit.runs.evidence_kind import EvidenceKind
from tacit.runs.kind import Kind

GROUP = "tacit.kinds"
HERE = Path(__file__).parent


def kind_names() -> tuple[str, ...]:
    """The names of all kinds, our own first; refused where two have the same."""
    brought = tuple(dict.fromkeys(point.name for point in _brought()))
    for name in brought:
        _require_one(name)
    return (*_own(), *brought)


def find_kind(name: str) -> Kind[Any]:
    """The kind of this name; a BadParameter with the closest name where there is none."""
    _require_one(name)
    if name in _own():
        return _kind(import_module(f"tacit.runs.{name}.kind"), name)
    for point in _brought():
        if point.name == name:
            return _kind(_loaded(point), name)
    close = get_close_matches(name, kind_names(), n=1, cutoff=0.5)
    hint = f"did you mean {close[0]!r}?" if close else f"known are: {', '.join(kind_names())}"
    raise BadParameter(f"there is no kind of data {name!r}; {hint}")


def _require_one(name: str) -> None:
    """No two packages bring a kind of this name, and none brings one that is called as ours are."""
    points = [point for point in _brought() if point.name == name]
    ours = name in (*_own(), AUDIT.name)
    if len(points) + ours > 1:
        packages = " and ".join([*(["tacit"] if ours else []), *(point.value for point in points)])
        raise TacitError(f"{packages} both bring a kind that is called {name!r}; uninstall one, or rename it")


def kind_of(plan: Plan) -> Kind[Any]:
    """The kind of the plan's data; a series of releases and a synthetic table have runs of their own."""
    section = plan.file.release
    if section is not None and plan.file.data.kind is None:
        method = find_method(section.method)
        if method.kind in _own():
            return find_kind(method.kind)
        # A method that works on no kind of data is refused by the run of tables.
        known = plan.kind in _own() or plan.kind in kind_names()
        return find_kind(plan.kind if known else "tables")
    return find_kind(plan.kind)


def kind_of_file(path: Path) -> Kind[Any]:
    """The kind that claims the file; a table where none does."""
    brought = (name for name in kind_names() if name not in _own())
    return next((kind for kind in map(find_kind, brought) if kind.claims(path)), find_kind("tables"))


def evidence_kind(name: str) -> EvidenceKind:
    """The kind of evidence of this name: that of an audit, or of a kind of data."""
    _require_one(name)
    return AUDIT if name == AUDIT.name else find_kind(name)


def body_of(name: str) -> type[Body]:
    """The class of the body of a release of this kind."""
    return evidence_kind(name).body


@cache
def _own() -> tuple[str, ...]:
    return tuple(sorted(path.parent.name for path in HERE.glob("*/kind.py")))


def _brought() -> tuple[EntryPoint, ...]:
    return tuple(entry_points(group=GROUP))


def _loaded(point: EntryPoint) -> object:
    try:
        return point.load()
    except (ImportError, AttributeError) as error:
        raise TacitError(
            f"the entry point {point.name!r} of {GROUP} can't be imported: {error}; uninstall or mend the package"
        ) from None


def _kind(found: object, name: str) -> Kind[Any]:
    kind = getattr(found, "KIND", found)
    if not isinstance(kind, Kind):
        raise TacitError(f"the kind {name!r} is not a tacit.runs.kind.Kind; its package must name one in {GROUP}")
    return kind
