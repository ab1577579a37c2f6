"""The verbs on data in Python: measure, check, protect, tabulate, compare.

Each takes a data frame of any library or a file with its `columns`, a dataset, what `inspect` returned, or the path of
a plan, and gives the same kind of data back. The verbs on plan files are in `plans.py`.
"""

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack, overload

from tacit.data.dataset import Dataset
from tacit.data.sources.source import Source
from tacit.errors import BadParameter
from tacit.guarantees.catalogue import parse_table_guarantee
from tacit.plan.schema import ReleaseSection
from tacit.usual import COUNTS
from tacit.verbs.calls import ProtectedData, asked_guarantees, made_by, promised_by, release_job, source_of
from tacit.verbs.engine import working
from tacit.verbs.given import GivenRoles, given_data
from tacit.verbs.options import (
    ColumnRoles,
    CompareOptions,
    DatasetOptions,
    GivenUnit,
    Guarantees,
    NamedMetrics,
    OneOrSeveral,
    ProtectOptions,
    TabulateOptions,
    about_data,
    about_work,
    is_plan,
    require_known,
)

if TYPE_CHECKING:
    from tacit.cards.metric import MetricValue
    from tacit.data.counts.suppressed import SuppressedTable
    from tacit.evidence.comparison.shown import ShownComparison
    from tacit.inspection.examine import Inspection
    from tacit.measures import AskedMetrics
    from tacit.runs.check import CheckResult
    from tacit.runs.tables.check import MeasuredRisk, TableCheck

SAID = ("columns", "unit")
"""What every verb takes beside its options, to say what the columns are."""


@overload
def check(
    data: Any,
    guarantees: Guarantees | None = None,
    *,
    columns: "ColumnRoles | Inspection | None" = None,
    unit: GivenUnit = None,
    **options: Unpack[DatasetOptions],
) -> "TableCheck": ...


@overload
def check(data: Any, *, plan: str | Path, **options: Unpack[DatasetOptions]) -> "CheckResult": ...


def check(
    data: Any,
    guarantees: Guarantees | None = None,
    *,
    plan: str | Path | None = None,
    columns: "ColumnRoles | Inspection | None" = None,
    unit: GivenUnit = None,
    **options: Unpack[DatasetOptions],
) -> "TableCheck | CheckResult":
    """Whether the data, as it is, keeps the guarantees; with a `plan`, whether data or a release keeps the plan's.

    If you give the path of a plan instead of the data, the plan's own file is checked.
    """
    from tacit.runs.tables.check import check_dataset

    require_known("check", options, DatasetOptions, ("plan", *SAID))
    roles = GivenRoles(columns, unit, dict(options))
    if plan is not None or is_plan(data):
        return _check_plan(data if plan is None else plan, None if plan is None else data, guarantees, roles)
    given = given_data("check", data, roles)
    if guarantees is None and not given.drafted:
        raise BadParameter("`tacit.check` needs a guarantee to check; give one, as in tacit.KAnonymity(5)")
    asked = given.drafted["guarantees"] if guarantees is None else guarantees
    promised = tuple(map(parse_table_guarantee, asked_guarantees(asked)))
    with working() as work:
        work.progress("counting")
        return check_dataset(given.dataset, promised, _threshold(), work.engine)


def _check_plan(path: Any, data: Any, guarantees: Any, roles: GivenRoles) -> "CheckResult":
    """The check of a plan's guarantees, on its own file or on other data."""
    from tacit.plan.load import load_plan
    from tacit.runs.kinds import kind_of
    from tacit.runs.tables.check import check_file

    if guarantees is not None or roles.columns is not None or roles.unit is not None:
        raise BadParameter(
            "a plan already says what it promises and what the columns are; leave out everything but the data"
        )
    plan = load_plan(Path(path))
    with working() as work:
        work.progress("counting")
        if isinstance(data, str | Path):
            return kind_of(plan).check(plan, Path(data), work.engine, roles.reading)
        shown = plan.dataset.source if data is None else _shown(data)
        return check_file(plan, shown, work.engine)


@overload
def measure(
    data: Any,
    *,
    threshold: float | None = None,
    columns: "ColumnRoles | Inspection | None" = None,
    unit: GivenUnit = None,
    **options: Unpack[DatasetOptions],
) -> "MeasuredRisk": ...


@overload
def measure(
    data: Any,
    after: Any,
    *,
    metrics: NamedMetrics | None = None,
    columns: "ColumnRoles | Inspection | None" = None,
    unit: GivenUnit = None,
    **options: Unpack[DatasetOptions],
) -> "Mapping[str, MetricValue]": ...


def measure(
    data: Any,
    after: Any = None,
    *,
    metrics: NamedMetrics | None = None,
    threshold: float | None = None,
    columns: "ColumnRoles | Inspection | None" = None,
    unit: GivenUnit = None,
    **options: Unpack[DatasetOptions],
) -> "MeasuredRisk | Mapping[str, MetricValue]":
    """How exposed the people in the data are as it is; or, with a second table `after`, what each metric finds.

    `after` is a file, a data frame, a dataset or the result of `protect`: recoded, perturbed, sampled or synthetic.
    Roles and hierarchies are those of the data before. `metrics` are names, or names with parameters. Figures about two
    tables depend on the raw rows: do not publish them if the table after is differentially private.
    """
    from tacit.runs.tables.check import check_dataset
    from tacit.runs.tables.two_tables import measure_tables

    require_known("measure", options, DatasetOptions, ("after", "metrics", "threshold", *SAID))
    dataset = given_data("measure", data, GivenRoles(columns, unit, dict(options))).dataset
    with working() as work:
        work.progress("counting")
        if after is None:
            if metrics is not None:
                raise BadParameter("metrics compare two tables; give the second table as the second argument")
            return check_dataset(dataset, (), _threshold() if threshold is None else threshold, work.engine).measured
        if threshold is not None:
            raise BadParameter("`threshold` is about the risk of one table; leave it out when you give a second table")
        return measure_tables(dataset, _shown(after), work.engine, _asked(metrics))


def _asked(metrics: NamedMetrics | None) -> "AskedMetrics | None":
    """The metrics as they are measured: a list of names, or a mapping with parameters."""
    if metrics is None or isinstance(metrics, Mapping):
        return metrics
    if isinstance(metrics, str):
        return (metrics,)
    found: dict[str, Mapping[str, Any]] = {}
    for one in metrics:
        found |= dict(one) if isinstance(one, Mapping) else {one: {}}
    return found if any(found.values()) else tuple(found)


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
    data: Any,
    guarantees: Guarantees | None = None,
    *,
    output: str | Path | None = None,
    columns: "ColumnRoles | Inspection | None" = None,
    unit: GivenUnit = None,
    **options: Unpack[ProtectOptions],
) -> ProtectedData:
    """A release of the data under the guarantees; other options are those of the plan's release section.

    With `output` the release is written to that file, with its evidence and its report beside it; otherwise it is
    returned as a data frame. A synthetic table is charged to `budget`, a `tacit.PrivacyBudget`. The card of the
    `method` says which kind of release it makes, here as in a plan. If you give the path of a plan, its release is
    written to its file; if you give the result of `inspect` without guarantees, you get the release that its draft asks
    for.
    """
    from tacit.plan.schema import TABLES
    from tacit.runs.kinds import kind_of_method
    from tacit.runs.release_call import ReleaseCall

    require_known("protect", options, ProtectOptions, ("output", *SAID))
    if is_plan(data):
        _require_bare_plan("protect", guarantees, columns, unit, options)
        return _protect_plan(Path(data), output)
    given = given_data("protect", data, GivenRoles(columns, unit, about_data(options)))
    wanted = about_work(options)
    budget = wanted.pop("budget", None)
    asked = promised_by("protect", guarantees, given.drafted, wanted)
    kind = kind_of_method(asked.section.method, TABLES)
    kind.require_release_heeded(asked.section, "protect")
    with working() as work:
        job_of = partial(release_job, section=asked.section, progress=work.progress)
        call = ReleaseCall(given.dataset, asked.section, asked.guarantees, job_of, budget)
        frame, public = given.dataset.source.frame, asked.section.public
        return made_by(kind.called(call, work.engine), kind, frame, output, public=public)


def _protect_plan(path: Path, output: str | Path | None) -> ProtectedData:
    """The release of a plan, published where it says."""
    from tacit.verbs.plans import protect_plan

    made = protect_plan(path, None if output is None else Path(output))
    return ProtectedData(made.release, output=made.output)


def _require_bare_plan(verb: str, guarantees: Any, columns: Any, unit: Any, options: Mapping[str, Any]) -> None:
    """Nothing is said beside a plan, which would not be heeded."""
    said = {"guarantees": guarantees, "columns": columns, "unit": unit, **options}
    names = ", ".join(f"`{name}`" for name, value in said.items() if value is not None)
    if names:
        raise BadParameter(
            f"`tacit.{verb}` was given a plan, which already says what is wanted; leave out {names}, or change the "
            "plan, or give its data alone, which is `tacit.read(PLAN)`"
        )


def tabulate(
    data: Any,
    by: OneOrSeveral = (),
    *,
    method: str = COUNTS,
    parameters: Mapping[str, Any] | None = None,
    columns: "ColumnRoles | Inspection | None" = None,
    unit: GivenUnit = None,
    **options: Unpack[TabulateOptions],
) -> "SuppressedTable":
    """People counted by columns (`"region"`, or `"age@2"` for a level of its hierarchy), without small counts.

    `threshold`, `protection` and so on belong to the usual method; `parameters` are those of any `method`, by name.
    `.lines()` of the result gives the table as text, and `.published` as numbers.
    """
    from tacit.runs.counts.tabulate import tabulate
    from tacit.runs.counts.task import counts_task

    require_known("tabulate", options, TabulateOptions, ("method", "parameters", *SAID))
    dataset = given_data("tabulate", data, GivenRoles(columns, unit, about_data(options))).dataset
    sides = (by,) if isinstance(by, str) else by
    task = counts_task(sides, method, {**(parameters or {}), **about_work(options)})
    with working() as work:
        work.progress("counting and choosing what is left out")
        return tabulate(dataset, work.engine, task)


def compare(
    data: Any,
    guarantees: Guarantees | None = None,
    *,
    columns: "ColumnRoles | Inspection | None" = None,
    unit: GivenUnit = None,
    **options: Unpack[CompareOptions],
) -> "ShownComparison":
    """Several ways to protect the data under the guarantees, measured alike; no release is made.

    `settings` are values to try by name (`{"k-anonymity.k": [2, 5, 10], "suppression": [0, 0.02]}`), `risk` and
    `utility` what is compared, `metrics` what else is measured; `vary=True` also tries the first whole-number strength
    halved and doubled; other options are those of the plan's release section. Without `methods`, all that can give the
    guarantees are tried. If you give the path of a plan, the plan is compared and the page is written, as by the
    command.
    """
    from tacit.evidence.comparison.shown import ShownComparison
    from tacit.runs.candidates import ComparisonRequest
    from tacit.runs.tables.compare.compare import compare_tables

    require_known("compare", options, CompareOptions, SAID)
    others = about_work(options)
    if not isinstance(others.get("method", ""), str):
        raise BadParameter("`method` names one method; name those to compare as `methods`, a list")
    wanted = {name: others.pop(name) for name in list(others) if name in ComparisonRequest.model_fields}
    if is_plan(data):
        from tacit.verbs.plans import compare_plan

        _require_bare_plan("compare", guarantees, columns, unit, {**about_data(options), **others})
        return ShownComparison(**dict(compare_plan(Path(data), wanted).comparison))
    asked = ComparisonRequest.parse("compare", wanted)
    given = given_data("compare", data, GivenRoles(columns, unit, about_data(options)))
    release = promised_by("compare", guarantees, given.drafted, others)
    promised = tuple(map(parse_table_guarantee, release.guarantees))
    with working() as work:
        job = release_job(given.dataset, release.section, work.progress)
        found = compare_tables(job, release.section, work.engine, asked, promised)
    return ShownComparison(**dict(found))
