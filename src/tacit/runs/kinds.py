"""Finding kinds: of data by its name, of the release that a plan asks for, of a file without a plan.

A kind of data is a `Kind`. Of one kind of data there may be several kinds of release (`ReleaseKind`), and evidence that
other commands make (`EvidenceKind`); `evidence_kinds` finds all of them.
"""

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from tacit.catalogue import find_method
from tacit.errors import BadParameter, TacitError
from tacit.plan.load import Plan
from tacit.plan.schema import TABLES
from tacit.runs.evidence_kind import EvidenceKind
from tacit.runs.evidence_kinds import evidence_kind, kind_names, own_kinds
from tacit.runs.kind import Kind
from tacit.runs.release_kind import ReleaseKind


def find_kind(name: str) -> Kind[Any]:
    """The kind of data of this name; refused if it is a kind of something else."""
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
    chosen = find_kind(named or TABLES) if section is None else kind_of_method(section.method, named)
    chosen.require_heeded(plan)
    return chosen


def kind_of_method(method: str, data: str | None = None) -> ReleaseKind:
    """The kind of release that a method makes, by the kind on its card, if that is one of this kind of data.

    Otherwise the usual run of the data is meant, which refuses a method that it can't use.
    """
    usual = find_kind(data or TABLES)
    kind = find_method(method).kind
    found = evidence_kind(kind) if kind in kind_names() else None
    if found is not None and not isinstance(found, ReleaseKind):
        raise BadParameter(f"{method} makes no release; it is for `{found.command}`")
    return found if found is not None and data in (None, found.about) else usual


def kind_of_file(path: Path) -> Kind[Any]:
    """The kind of data that claims the file; a table if none does."""
    claiming = (kind for kind in _working() if isinstance(kind, Kind) and kind.claims(path))
    return next(claiming, find_kind(TABLES))


def _working() -> Iterator[EvidenceKind]:
    """The kinds from installed packages; one that can't be imported claims nothing."""
    for name in kind_names():
        if name not in own_kinds():
            with suppress(TacitError):
                yield evidence_kind(name)
