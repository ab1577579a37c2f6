"""Attacks in Python: what adversaries learn from data and from its releases."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

from tacit.data.dataset import Dataset
from tacit.data.sources.source import file_source
from tacit.errors import BadParameter
from tacit.guarantees.catalogue import parse_table_guarantee
from tacit.guarantees.guarantee import TableGuarantee
from tacit.plan.schema import ReleaseSection
from tacit.verbs.calls import ProtectedData, asked_guarantees, source_of
from tacit.verbs.engine import working
from tacit.verbs.given import GivenRoles, given_data
from tacit.verbs.options import ColumnRoles, DatasetOptions, GivenUnit, Guarantees, require_known

if TYPE_CHECKING:
    from tacit.inspection.examine import Inspection
    from tacit.runs.attack import AttackOutcome
    from tacit.runs.tables.attack.board import AttackedData, ReleaseToAttack


def attack(
    data: Any,
    *releases: Any,
    guarantees: Guarantees = (),
    columns: "ColumnRoles | Inspection | None" = None,
    unit: GivenUnit = None,
    **options: Unpack[DatasetOptions],
) -> "AttackOutcome":
    """What adversaries learn from the raw data, from it without identifiers, and from the releases.

    `data` is the path of a plan, a dataset, the result of `inspect`, or a data frame or file with its `columns`. A
    release is a file, the result of `protect`, or a data frame; for a plan you may leave it out. For other data,
    `guarantees` set the bounds; by default they are those of the result of `protect`.
    """
    require_known("attack", options, DatasetOptions, ("guarantees", "columns", "unit"))
    roles = GivenRoles(columns, unit, dict(options))
    if isinstance(data, str | Path) and not roles.named:
        from tacit.verbs.plans import attack_plan

        if guarantees:
            raise BadParameter("a plan names its own guarantees; leave them out, or give a dataset")
        return attack_plan(Path(data), tuple(map(_path_of, releases)))
    promised = tuple(map(parse_table_guarantee, asked_guarantees(guarantees)))
    dataset = given_data("attack", data, roles).dataset
    if not releases:
        raise BadParameter("no release is named; give a file, a data frame or the result of tacit.protect")
    return _attack_dataset(dataset, releases, promised)


def _attack_dataset(dataset: Dataset, releases: Sequence[Any], guarantees: Sequence[TableGuarantee]) -> "AttackOutcome":
    """The board of a dataset and its releases; it joins the evidence where that stands beside the first release."""
    from tacit.runs.attack import require_same_data, write_board
    from tacit.runs.tables.attack.board import attack_tables
    from tacit.runs.tables.kind import KIND

    given = tuple(map(_release_of, releases))
    made, raw, on_disk = given[0].evidence, dataset.source.path, given[0].source.path is not None
    if made is not None and raw is not None and made.input.name == raw.name:
        require_same_data(given[0].source.path or Path("the release"), made, raw)
    with working() as work:
        board = attack_tables(_attacked(dataset, releases, guarantees), given, work.engine, work.progress)
    return write_board(board, made if on_disk else None, KIND)


def _attacked(dataset: Dataset, releases: Sequence[Any], guarantees: Sequence[TableGuarantee]) -> "AttackedData":
    """The dataset with the guarantees that were given, or those of the first release, and its steps."""
    from tacit.guarantees.catalogue import guarantees as known
    from tacit.runs.tables.attack.board import AttackedData
    from tacit.runs.tables.task import asked_steps

    made = next((release.release for release in releases if isinstance(release, ProtectedData)), None)
    if made is None:
        return AttackedData(dataset, tuple(guarantees))
    promised = tuple(
        parse_table_guarantee({one.name: dict(one.parameters)}) for one in made.measured if one.name in known()
    )
    steps = asked_steps(dataset, ReleaseSection.parse("attack", made.recipe.plan["release"]))
    return AttackedData(dataset, tuple(guarantees) or promised, steps)


def _release_of(release: Any) -> "ReleaseToAttack":
    """A release with its evidence: a file, a data frame, or what `protect` returned."""
    from tacit.runs.attack import evidence_beside
    from tacit.runs.tables.attack.board import ReleaseToAttack

    if isinstance(release, ProtectedData) and release.output is None:
        return ReleaseToAttack(source_of(release.data), release.release)
    if isinstance(release, ProtectedData | str | Path):
        path = _path_of(release)
        return ReleaseToAttack(file_source(path), evidence_beside(path))
    return ReleaseToAttack(source_of(release))


def _path_of(release: Any) -> Path:
    """Where a release stands that is in a file."""
    path = release.output if isinstance(release, ProtectedData) else release
    if not isinstance(path, str | Path):
        raise BadParameter("an attack on a plan reads files; name the release by its path, or give a dataset")
    return Path(path)
