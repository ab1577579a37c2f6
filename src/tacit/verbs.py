"""The verbs in Python, the words of the command line: read, inspect, measure, check, protect, tabulate, …"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tacit.data.source import Source, file_source, require_names
from tacit.errors import BadParameter
from tacit.guarantees.guarantee import TableGuarantee
from tacit.plan.dataset import Dataset
from tacit.plan.schema import ColumnSection, ReleaseSection, SamplingSection
from tacit.release import Fingerprint, Release, Risk

if TYPE_CHECKING:
    from tacit.evidence.comparison import Comparison
    from tacit.methods.frequencies.suppression import Suppressed
    from tacit.plan.attack import Board
    from tacit.plan.check import Checked
    from tacit.plan.inspect.examine import Inspection
    from tacit.plan.job import Job
    from tacit.plan.load import Plan

Columns = Mapping[str, str | Mapping[str, Any] | ColumnSection]

_PROMISING_NOTHING = ReleaseSection.model_construct(guarantees=(), parameters={})


@dataclass(frozen=True, eq=False)
class Protected:
    """A release: its evidence, and its rows as the same kind of data frame that was given, or as a file."""

    release: Release
    data: Any = None
    output: Path | None = None

    def __repr__(self) -> str:
        """A short form without data."""
        kept = ", ".join(f"{finding.name} {finding.measured:g}" for finding in self.release.guarantees)
        lost = f"loss {self.release.metrics['loss']:.4f}, {self.release.suppressed.rows} rows suppressed"
        return f"Protected({kept}; {lost})"

    def _repr_html_(self) -> str:
        """The report, inside a frame of its own."""
        from html import escape

        from tacit.evidence.report import render_report

        report = escape(render_report(self.release), quote=True)
        return f'<iframe srcdoc="{report}" style="width:100%;height:600px;border:0" sandbox=""></iframe>'


def read(data: Any, columns: Columns, *, unit: str | None = None, **options: Any) -> Dataset:
    """The dataset in a file or data frame, with a role for every column.

    A column is given by its role (`"sensitive"`) or by a mapping as in a plan (`{"role": …, "hierarchy": …}`).
    `options` are those of the plan's data section (`delimiter`, `encoding`, `missing`, …), `population`, a file or
    frame, and `sampling`, the columns of sampling weights and households (`{"weight": …, "household": …}`).
    """
    population = options.pop("population", None)
    drawn = options.pop("sampling", None)
    sampling = None if drawn is None else SamplingSection.parse("sampling", drawn)
    sections = {name: _section(name, column) for name, column in columns.items()}
    outside = None if population is None else source_of(population)
    return Dataset(source_of(data, **options), sections, unit, outside, Path(), sampling)


def source_of(data: Any, **options: Any) -> Source:
    """The source of a path or a data frame."""
    if isinstance(data, Source):
        return data
    if isinstance(data, str | Path):
        return file_source(Path(data), **options)
    if set(options) - {"missing"}:
        raise BadParameter(
            f"a data frame has no option {', '.join(sorted(set(options) - {'missing'}))}; only `missing`"
        )
    source = Source("frame", frame=data, missing=tuple(options.get("missing", ())))
    require_names(source.name, source.arrow.column_names)
    return source


def _section(name: str, column: str | Mapping[str, Any] | ColumnSection) -> ColumnSection:
    if isinstance(column, ColumnSection):
        return column
    if not isinstance(column, str | Mapping):
        raise BadParameter(f"column {name!r} is {type(column).__name__}; give its role, or a mapping as in a plan")
    return ColumnSection.parse(f"column {name!r}", {"role": column} if isinstance(column, str) else column)


def inspect(data: Any, **options: Any) -> "Inspection":
    """What each column seems to be and why, who stands out, and a draft plan."""
    from tacit.engines.duckdb import DuckDB
    from tacit.plan.inspect.examine import examine

    with DuckDB() as engine:
        return examine(engine, source_of(data, **options))


def check(dataset: Dataset, guarantees: Sequence[TableGuarantee]) -> "Checked":
    """Whether the dataset, as it is, keeps the guarantees."""
    from tacit.engines.duckdb import DuckDB
    from tacit.plan.check import check_tally, with_sample
    from tacit.plan.dataset import count
    from tacit.plan.released import Released
    from tacit.plan.sampling import sample_risk

    threshold = ReleaseSection.model_fields["risk_threshold"].default
    with DuckDB() as engine:
        tally = count(dataset, engine)
        sample = sample_risk(dataset, dataset.source, engine, threshold)
    return with_sample(check_tally(tuple(guarantees), Released(tally, 0), dataset.unit, threshold), sample)


def measure(dataset: Dataset, *, threshold: float = 0.2) -> Risk:
    """How exposed the people in the dataset are as it is."""
    from tacit.data.classes import classes_of
    from tacit.engines.duckdb import DuckDB
    from tacit.metrics.risk import measure_risk
    from tacit.metrics.singling_out import singling_out
    from tacit.plan.dataset import count
    from tacit.plan.sampling import sample_risk

    with DuckDB() as engine:
        tally = count(dataset, engine)
        more = {"singling_out": singling_out(tally), "sample": sample_risk(dataset, dataset.source, engine, threshold)}
    return measure_risk(classes_of(tally), threshold).model_copy(update=more)


def protect(
    dataset: Dataset, guarantees: Sequence[TableGuarantee], *, output: str | Path | None = None, **options: Any
) -> Protected:
    """A release of the dataset under the guarantees; `options` are those of the plan's release section.

    With `output` the release is written to that file, otherwise it is returned as a data frame.
    """
    from tacit.aside import aside
    from tacit.data.frames import like
    from tacit.engines.duckdb import DuckDB
    from tacit.plan.files import input_files, outcome_files, refuse_overwriting
    from tacit.plan.protect import run, run_in_memory
    from tacit.plan.treatments import secret_files

    job = _job(dataset, "protect", guarantees, options)
    with DuckDB() as engine:
        if output is None:
            made = run_in_memory(job, engine)
            return Protected(made.release, data=like(dataset.source.frame, made.table))
        files = outcome_files(Path(output))
        refuse_overwriting(files, (*input_files(dataset), *secret_files(dataset, job.section)))
        with aside(files.release) as partial:
            release = run(job, engine, partial, files.release)
        return Protected(release, output=files.release)


def tabulate(dataset: Dataset, by: Sequence[str], **parameters: Any) -> "Suppressed":
    """People counted by columns (`"region"`, or `"age@2"` for a level of its hierarchy), without small counts.

    `parameters` are those of frequencies/suppression (`threshold`, `protection`, …). `.lines()` of what is returned is
    the table as text, `.published` as numbers.
    """
    from tacit.engines.duckdb import DuckDB
    from tacit.methods.frequencies.suppression import SmallCells
    from tacit.plan.tabulate import tabulate

    with DuckDB() as engine:
        return tabulate(dataset, engine, by, SmallCells.parse("tabulate", parameters))


def compare(
    dataset: Dataset, guarantees: Sequence[TableGuarantee], *, methods: Sequence[str] | None = None, **options: Any
) -> "Comparison":
    """Several ways to protect the dataset under the guarantees, measured alike; no release is made.

    `settings` are values to try by name (`{"k-anonymity.k": [2, 5, 10], "suppression": [0, 0.02]}`), `risk` and
    `utility` what is compared, `metrics` what is measured besides, `vary=True` tries the first whole-number strength
    halved and doubled; other options are those of the plan's release section. Without `methods` all are tried that can
    give the guarantees.
    """
    from tacit.engines.duckdb import DuckDB
    from tacit.plan.candidates import Wanted
    from tacit.plan.compare import compare

    asked = {name: options.pop(name) for name in list(options) if name in Wanted.model_fields}
    wanted = Wanted.parse("compare", {"methods": methods, **asked})
    with DuckDB() as engine:
        return compare(_job(dataset, "compare", guarantees, options), engine, wanted)


def attack(data: Dataset | str | Path, *releases: Any, guarantees: Sequence[TableGuarantee] = ()) -> "Board":
    """What adversaries learn from the raw data, from it without identifiers, and from the releases.

    `data` is a plan's file, or a dataset. A release is a file, what `protect` returned, or a data frame; of a plan it
    may be left out. Beside a dataset, `guarantees` set the bounds; by default those of what `protect` returned.
    """
    from tempfile import TemporaryDirectory

    from tacit.engines.duckdb import DuckDB
    from tacit.plan.attack import attack_plan
    from tacit.plan.load import load_plan

    if isinstance(data, Dataset) and not releases:
        raise BadParameter("no release is named; give a file, a data frame or what tacit.protect returned")
    if guarantees and not isinstance(data, Dataset):
        raise BadParameter("a plan names its own guarantees; leave them out, or give a dataset")
    plan = _promising(data, releases, guarantees) if isinstance(data, Dataset) else load_plan(Path(data))
    with TemporaryDirectory(prefix="tacit-") as folder, DuckDB() as engine:
        paths = tuple(_on_disk(release, Path(folder) / f"{n}.parquet") for n, release in enumerate(releases, 1))
        board = attack_plan(plan, engine, paths)
    return replace(board, release=Path("data frame")) if board.release.parent == Path(folder) else board


def _promising(dataset: Dataset, releases: Sequence[Any], guarantees: Sequence[TableGuarantee]) -> "Plan":
    """A plan for the dataset with the guarantees that were given, or those of the first release, and its sample."""
    from tacit.guarantees.catalogue import guarantees as guarantees_known
    from tacit.plan.load import Plan

    made = next((release.release for release in releases if isinstance(release, Protected)), None)
    entries = [{guarantee.name: _given(guarantee)} for guarantee in guarantees]
    if not entries and made is not None:
        known = [one for one in made.guarantees if one.name in guarantees_known()]
        entries = [{finding.name: dict(finding.parameters)} for finding in known]
    # Without a guarantee the adversaries are met by no bound; only a plan to protect by must name one.
    section = ReleaseSection.parse("attack", {"guarantees": entries}) if entries else _PROMISING_NOTHING
    if made is not None and made.drawn is not None:
        own = ReleaseSection.parse("attack", made.recipe.plan["release"])
        section = section.model_copy(update={"sample": own.sample, "treatments": own.treatments})
    return Plan(Path("plan"), {}, dataset, section, tuple(guarantees))


def _on_disk(release: Any, place: Path) -> Path:
    """Where the release stands; what is in memory is written to `place`."""
    if isinstance(release, Protected):
        release = release.data if release.output is None else release.output
    if isinstance(release, str | Path):
        return Path(release)
    from pyarrow import parquet

    parquet.write_table(source_of(release).arrow, place)
    return place


def _job(dataset: Dataset, verb: str, guarantees: Sequence[TableGuarantee], options: Mapping[str, Any]) -> "Job":
    """What is asked for the dataset, in the words of a plan's release section."""
    from tacit.plan.files import Stamp
    from tacit.plan.job import Job

    entries = [{guarantee.name: _given(guarantee)} for guarantee in guarantees]
    section = ReleaseSection.parse(verb, {"guarantees": entries, **options})
    form = {"release": section.model_dump(mode="json", exclude_defaults=True)}
    stamp = Stamp.of(dataset.source.path) if dataset.source.path else None
    facts = (_input(dataset.source), _plan(form))
    return Job(dataset, section, *facts, form, "tacit.protect(…)", stamp=stamp, promised=tuple(guarantees))


def _given(guarantee: Any) -> dict[str, Any]:
    if not isinstance(guarantee, TableGuarantee):
        raise BadParameter(f"{guarantee!r} is no guarantee about tables; pass objects such as tacit.KAnonymity(k=5)")
    return guarantee.model_dump(exclude_defaults=True)


def _input(source: Source) -> Fingerprint:
    from tacit.evidence.files import fingerprint
    from tacit.plan.protect import frame_fingerprint

    return fingerprint(source.path) if source.path else frame_fingerprint(source.arrow, "data frame")


def _plan(form: Mapping[str, Any]) -> Fingerprint:
    import json
    from hashlib import sha256

    text = json.dumps(form, sort_keys=True).encode()
    return Fingerprint(name="call", bytes=len(text), sha256=sha256(text).hexdigest())
