"""The verbs on data in Python: read, inspect, measure, check, protect, tabulate, compare, attack.

They take a path or a data frame of any library, and give the same kind back. The verbs on plan files are in `plans.py`.
"""

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, overload

from tacit.data.dataset import Dataset, DeclaredColumn, SurveyColumns
from tacit.data.sources.source import Source, file_source
from tacit.errors import BadParameter
from tacit.guarantees.catalogue import parse_table_guarantee
from tacit.guarantees.guarantee import Guarantee, TableGuarantee
from tacit.plan.schema import DataSection, ReleaseSection
from tacit.release.tables import Risk
from tacit.spelling import did_you_mean
from tacit.usual import COUNTS
from tacit.verbs.calls import ProtectedData, made_by, release_job, section_of, source_of
from tacit.verbs.engine import engine

if TYPE_CHECKING:
    from tacit.cards.metric import MetricValue
    from tacit.data.counts.suppressed import SuppressedTable
    from tacit.evidence.comparison.shown import ShownComparison
    from tacit.inspection.examine import Inspection
    from tacit.measures import AskedMetrics
    from tacit.runs.attack import AttackOutcome
    from tacit.runs.tables.attack.board import AttackedData, ReleaseToAttack
    from tacit.runs.tables.check import TableCheck

ColumnRoles = Mapping[str, str | Mapping[str, Any] | DeclaredColumn]


def read(data: Any, columns: ColumnRoles, *, unit: str | None = None, **options: Any) -> Dataset:
    """The dataset in a file or data frame, with a role for every column.

    A column is given by its role (`"sensitive"`) or by a mapping as in a plan (`{"role": …, "hierarchy": …}`).
    `options` are those of the plan's data section (`delimiter`, `encoding`, `missing`, …), `population`, a file or
    frame, and `survey`, the columns of sampling weights and households (`{"weight": …, "household": …}`).
    """
    _require_options(options)
    population = options.pop("population", None)
    named = options.pop("survey", None)
    survey = None if named is None else SurveyColumns.parse("survey", named)
    sections = {name: _section(name, column) for name, column in columns.items()}
    outside = None if population is None else source_of(population)
    return Dataset(source_of(data, **options), sections, unit, outside, Path(), survey)


def _require_options(options: Mapping[str, Any]) -> None:
    """Only what can be said of data; a name that is not known is told what it probably means."""
    if "sampling" in options:
        raise BadParameter(
            "sampling is called survey now; pass the same weight and household as `survey`. To publish a sample, pass "
            "`sample` to `tacit.protect`"
        )
    known = {*DataSection.model_fields, "population", "survey"} - {"kind", "path"}
    for name in options:
        if name not in known:
            raise BadParameter(f"`tacit.read` has no option {name!r}; {did_you_mean(name, ('unit', *sorted(known)))}")


def _section(name: str, column: str | Mapping[str, Any] | DeclaredColumn) -> DeclaredColumn:
    if isinstance(column, DeclaredColumn):
        return column
    if not isinstance(column, str | Mapping):
        raise BadParameter(f"column {name!r} is {type(column).__name__}; give its role, or a mapping as in a plan")
    return DeclaredColumn.parse(f"column {name!r}", {"role": column} if isinstance(column, str) else column)


def inspect(data: Any, **options: Any) -> "Inspection":
    """What each column seems to be and why, who stands out, and a draft plan."""
    from tacit.inspection.examine import examine

    with engine() as database:
        return examine(database, source_of(data, **options))


def check(dataset: Dataset, guarantees: Sequence[TableGuarantee]) -> "TableCheck":
    """Whether the dataset, as it is, keeps the guarantees."""
    from tacit.runs.tables.check import check_dataset

    _require_dataset("check", dataset)
    with engine() as database:
        return check_dataset(dataset, tuple(guarantees), _threshold(), database)


def _require_dataset(verb: str, given: Any) -> None:
    """Only a dataset says what its columns are; a data frame, a file or a release does not."""
    if not isinstance(given, Dataset):
        raise BadParameter(
            f"`tacit.{verb}` works on a dataset and was given a {type(given).__name__}; say first what its columns "
            'are, as in `tacit.read(data, {"age": "quasi-identifier", "illness": "sensitive"})`'
        )


@overload
def measure(dataset: Dataset, *, threshold: float | None = None) -> Risk: ...


@overload
def measure(dataset: Dataset, after: Any, *, metrics: "AskedMetrics | None" = None) -> "Mapping[str, MetricValue]": ...


def measure(
    dataset: Dataset, after: Any = None, *, metrics: "AskedMetrics | None" = None, threshold: float | None = None
) -> "Risk | Mapping[str, MetricValue]":
    """How exposed the people in the dataset are as it is; or, beside a table `after`, what each metric finds.

    `after` is a file, a data frame, a dataset or what `protect` returned: recoded, perturbed, drawn or made up. Roles
    and hierarchies are those of the dataset. `metrics` are names, or names with parameters. What is found about two
    tables is about the raw rows: keep it to yourself where the table after is differentially private.
    """
    from tacit.runs.tables.check import check_dataset
    from tacit.runs.tables.two_tables import measure_tables

    _require_dataset("measure", dataset)
    with engine() as database:
        if after is None:
            if metrics is not None:
                raise BadParameter("metrics compare two tables; give the second table as the second argument")
            return check_dataset(dataset, (), _threshold() if threshold is None else threshold, database).risk
        if threshold is not None:
            raise BadParameter("`threshold` is about the risk of one table; leave it out when you give a second table")
        return measure_tables(dataset, _shown(after), database, metrics)


def _shown(after: Any) -> Source:
    """The rows of a table that is measured."""
    if isinstance(after, Dataset):
        return after.source
    return source_of(_released(after)) if isinstance(after, ProtectedData) else source_of(after)


def _released(made: ProtectedData) -> Any:
    return made.data if made.output is None else made.output


def _threshold() -> float:
    """The risk above which people are counted, where nobody says otherwise."""
    usual: float = ReleaseSection.model_fields["risk_threshold"].default
    return usual


def protect(
    dataset: Dataset, guarantees: Sequence[Guarantee], *, output: str | Path | None = None, **options: Any
) -> ProtectedData:
    """A release of the dataset under the guarantees; `options` are those of the plan's release section.

    With `output` the release is written to that file, with its evidence and its report beside it; otherwise it is
    returned as a data frame. A synthetic table is charged to `budget`, a `tacit.PrivacyBudget`. Which kind of release
    it is says the card of the `method`, here as in a plan.
    """
    from tacit.plan.schema import TABLES
    from tacit.runs.kinds import kind_of_method
    from tacit.runs.release_call import ReleaseCall

    _require_dataset("protect", dataset)
    budget = options.pop("budget", None)
    section = section_of("protect", guarantees, options)
    kind = kind_of_method(section.method, TABLES)
    kind.require_release_heeded(section, "protect")
    call = ReleaseCall(dataset, section, tuple(guarantees), partial(release_job, section=section), budget)
    with engine() as database:
        return made_by(kind.called(call, database), kind, dataset.source.frame, output)


def tabulate(dataset: Dataset, by: Sequence[str], *, method: str = COUNTS, **parameters: Any) -> "SuppressedTable":
    """People counted by columns (`"region"`, or `"age@2"` for a level of its hierarchy), without small counts.

    `parameters` are those of the method (`threshold`, `protection`, …). `.lines()` of what is returned is the table as
    text, `.published` as numbers.
    """
    from tacit.runs.counts.tabulate import tabulate
    from tacit.runs.counts.task import counts_task

    _require_dataset("tabulate", dataset)
    with engine() as database:
        return tabulate(dataset, database, counts_task(by, method, parameters))


def compare(
    dataset: Dataset, guarantees: Sequence[TableGuarantee], *, methods: Sequence[str] | None = None, **options: Any
) -> "ShownComparison":
    """Several ways to protect the dataset under the guarantees, measured alike; no release is made.

    `settings` are values to try by name (`{"k-anonymity.k": [2, 5, 10], "suppression": [0, 0.02]}`), `risk` and
    `utility` what is compared, `metrics` what is measured besides, `vary=True` tries the first whole-number strength
    halved and doubled; other options are those of the plan's release section. Without `methods` all are tried that can
    give the guarantees.
    """
    from tacit.evidence.comparison.shown import ShownComparison
    from tacit.runs.candidates import ComparisonRequest
    from tacit.runs.tables.compare.compare import compare_tables

    _require_dataset("compare", dataset)
    asked = {name: options.pop(name) for name in list(options) if name in ComparisonRequest.model_fields}
    wanted = ComparisonRequest.parse("compare", {"methods": methods, **asked})
    section = section_of("compare", guarantees, options)
    with engine() as database:
        found = compare_tables(release_job(dataset, section), section, database, wanted, tuple(guarantees))
    return ShownComparison(**dict(found))


def attack(data: Dataset | str | Path, *releases: Any, guarantees: Sequence[TableGuarantee] = ()) -> "AttackOutcome":
    """What adversaries learn from the raw data, from it without identifiers, and from the releases.

    `data` is a plan's file, or a dataset. A release is a file, what `protect` returned, or a data frame; of a plan it
    may be left out. Beside a dataset, `guarantees` set the bounds; by default those of what `protect` returned.
    """
    from tacit.runs.attack import require_same_data, write_board
    from tacit.runs.tables.attack.board import attack_tables
    from tacit.runs.tables.kind import KIND

    if not isinstance(data, str | Path):
        _require_dataset("attack", data)
    if not isinstance(data, Dataset):
        from tacit.verbs.plans import attack_plan

        if guarantees:
            raise BadParameter("a plan names its own guarantees; leave them out, or give a dataset")
        return attack_plan(Path(data), tuple(map(_path_of, releases)))
    if not releases:
        raise BadParameter("no release is named; give a file, a data frame or what tacit.protect returned")
    given = tuple(map(_release_of, releases))
    made, raw, on_disk = given[0].evidence, data.source.path, given[0].source.path is not None
    if made is not None and raw is not None and made.input.name == raw.name:
        require_same_data(given[0].source.path or Path("the release"), made, raw)
    with engine() as database:
        board = attack_tables(_attacked(data, releases, guarantees), given, database)
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
