"""The verbs of the package in Python: read, inspect, check, protect, measure; the same words as on the command line."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tacit.data.source import Source, file_source, require_names
from tacit.errors import BadParameter
from tacit.guarantees.guarantee import Guarantee
from tacit.plan.dataset import Dataset
from tacit.plan.schema import ColumnSection, ReleaseSection
from tacit.release import Fingerprint, Release, Risk

if TYPE_CHECKING:
    from tacit.plan.check import Checked
    from tacit.plan.inspect.examine import Inspection

Columns = Mapping[str, str | Mapping[str, Any] | ColumnSection]


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
    `options` are those of the plan's data section (`delimiter`, `encoding`, `missing`, …) and `population`, a file or
    frame.
    """
    population = options.pop("population", None)
    sections = {name: _section(name, column) for name, column in columns.items()}
    outside = None if population is None else source_of(population)
    return Dataset(source_of(data, **options), sections, unit, outside, Path())


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


def check(dataset: Dataset, guarantees: Sequence[Guarantee]) -> "Checked":
    """Whether the dataset, as it is, keeps the guarantees."""
    from tacit.engines.duckdb import DuckDB
    from tacit.plan.check import check_tally
    from tacit.plan.dataset import count
    from tacit.plan.released import Released

    with DuckDB() as engine:
        tally = count(dataset, engine)
    return check_tally(
        tuple(guarantees), Released(tally, 0), dataset.unit, ReleaseSection.model_fields["risk_threshold"].default
    )


def measure(dataset: Dataset, *, threshold: float = 0.2) -> Risk:
    """How exposed the people in the dataset are as it is."""
    from tacit.data.classes import classes_of
    from tacit.engines.duckdb import DuckDB
    from tacit.metrics.risk import measure_risk
    from tacit.metrics.singling_out import singling_out
    from tacit.plan.dataset import count

    with DuckDB() as engine:
        tally = count(dataset, engine)
    return measure_risk(classes_of(tally), threshold).model_copy(update={"singling_out": singling_out(tally)})


def protect(
    dataset: Dataset, guarantees: Sequence[Guarantee], *, output: str | Path | None = None, **options: Any
) -> Protected:
    """A release of the dataset under the guarantees; `options` are those of the plan's release section.

    With `output` the release is written to that file, otherwise it is returned as a data frame.
    """
    from tacit.aside import aside
    from tacit.data.frames import like
    from tacit.engines.duckdb import DuckDB
    from tacit.plan.files import Stamp, input_files, outcome_files, refuse_overwriting
    from tacit.plan.job import Job
    from tacit.plan.protect import run, run_in_memory
    from tacit.plan.treatments import secret_files

    entries = [{guarantee.name: _given(guarantee)} for guarantee in guarantees]
    section = ReleaseSection.parse("protect", {"guarantees": entries, **options})
    form = {"release": section.model_dump(mode="json", exclude_defaults=True)}
    stamp = Stamp.of(dataset.source.path) if dataset.source.path else None
    job = Job(dataset, section, _input(dataset.source), _plan(form), form, "tacit.protect(…)", stamp=stamp)
    with DuckDB() as engine:
        if output is None:
            made = run_in_memory(job, engine)
            return Protected(made.release, data=like(dataset.source.frame, made.table))
        files = outcome_files(Path(output))
        refuse_overwriting(files, (*input_files(dataset), *secret_files(dataset, section)))
        with aside(files.release) as partial:
            release = run(job, engine, partial, files.release)
        return Protected(release, output=files.release)


def _given(guarantee: Any) -> dict[str, Any]:
    if not hasattr(guarantee, "model_dump"):
        raise BadParameter(f"{guarantee!r} is no guarantee; pass objects such as tacit.KAnonymity(k=5)")
    given: dict[str, Any] = guarantee.model_dump(exclude_defaults=True)
    return given


def _input(source: Source) -> Fingerprint:
    from tacit.evidence.files import fingerprint
    from tacit.plan.protect import frame_fingerprint

    return fingerprint(source.path) if source.path else frame_fingerprint(source.arrow, "data frame")


def _plan(form: Mapping[str, Any]) -> Fingerprint:
    import json
    from hashlib import sha256

    text = json.dumps(form, sort_keys=True).encode()
    return Fingerprint(name="call", bytes=len(text), sha256=sha256(text).hexdigest())
