"""The comparison job: treat and count once, try every candidate in memory, mark those that none dominates.

No release is written. Treatments run once for all candidates, as they would for a release; a vault is left alone, for
it would be written to.
"""

import sys
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from importlib.metadata import version
from math import isnan
from pathlib import Path

from tacit.catalogue import find_metric
from tacit.data.classes import classes_of
from tacit.engines.engine import Engine
from tacit.errors import BadParameter, MissingExtra
from tacit.evidence.comparison import RISKS, Axis, Comparison, Tried, marked
from tacit.guarantees.catalogue import parse_guarantee
from tacit.guarantees.guarantee import check
from tacit.metrics.risk import measure_risk
from tacit.params import Params
from tacit.plan.candidates import Candidates, Wanted, candidates_of
from tacit.plan.dataset import build_table
from tacit.plan.drawn import WHAT_IS_ABOUT_WHAT, count_drawn, draw_rows
from tacit.plan.files import OutcomeFiles, default_output, input_files, refuse_overwriting
from tacit.plan.job import Job
from tacit.plan.load import Plan
from tacit.plan.outcome import PACKAGES
from tacit.plan.protect import plan_job
from tacit.plan.schema import ReleaseSection
from tacit.plan.treatments import require_treatments, treat, treating
from tacit.plan.trial import Ground, Measure, attempt
from tacit.request import Progress, be_silent

ONCE = "The treatments ran once for all candidates; `tacit protect` draws their randomness anew."
ONE_SAMPLE = "One sample was drawn for all candidates; `tacit protect` draws another."


@dataclass(frozen=True, eq=False)
class Compared:
    """A comparison and the page that shows it."""

    comparison: Comparison
    page: Path


def compare_plan(
    plan: Plan, engine: Engine, wanted: Wanted, page: Path | None = None, progress: Progress = be_silent
) -> Compared:
    """The comparison of the plan's candidates; its page stands at `page`, by default beside the plan."""
    from tacit.evidence.comparison_page import write_comparison

    place = page or default_page(plan)
    if place.suffix.lower() not in (".html", ".htm"):
        raise BadParameter(f"{place}: a comparison is written as a page; give it a name that ends in .html")
    refuse_overwriting(OutcomeFiles(place, place, place), (plan.path, *input_files(plan.dataset)))
    job = replace(plan_job(plan, None, progress), command=f"tacit protect {plan.path.name}")
    comparison = compare(job, engine, wanted)
    write_comparison(comparison, place)
    return Compared(comparison, place)


def default_page(plan: Plan) -> Path:
    """Beside the place of the release."""
    name = default_output(plan).with_suffix("").name
    return default_output(plan).with_name(f"{name.removesuffix('.release')}.compare.html")


def compare(job: Job, engine: Engine, wanted: Wanted) -> Comparison:
    """Every candidate tried, and those marked that none dominates."""
    axes = tuple(map(_axis, wanted.risk)), tuple(map(_axis, wanted.utility))
    candidates = candidates_of(job.section, wanted)
    ground = _ground(job, engine, _measures(wanted, candidates, job.section))
    skipped = dict(candidates.skipped)
    rows = _rows(ground, candidates, skipped)
    if not rows:
        raise BadParameter("nothing is left to compare: " + "; ".join(f"{n}: {why}" for n, why in skipped.items()))
    found = marked(_comparison(ground, rows, skipped).model_copy(update={"risk": axes[0], "utility": axes[1]}))
    for axis in found.axes:
        if found.made and all(isnan(row.value(axis)) for row in found.made):
            why = ground.unmeasured.get(axis.name, "no candidate has such a figure, or the plan names no sampling")
            raise BadParameter(f"{axis.name} can't be measured here: {why}")
    return found


def _axis(name: str) -> Axis:
    """The risk figure or metric of this name."""
    if name in RISKS:
        return Axis(name=name, title=RISKS[name][0])
    try:
        card = find_metric(name)
    except BadParameter as error:
        raise BadParameter(f"{error}; risk figures are {', '.join(RISKS)}") from None
    return Axis(name=name, title=card.title.lower(), better=card.better)


def _measures(wanted: Wanted, candidates: Candidates, section: ReleaseSection) -> dict[str, Measure]:
    """The metrics that were asked for and those of the plan, with the parameters that were set or those of examples."""
    own = {name: given for entry in section.metrics for name, given in entry.items()}
    axes = (name for name in (*wanted.risk, *wanted.utility) if name not in RISKS)
    found = {}
    for name in dict.fromkeys((*wanted.metrics, *axes, *own)):
        card = find_metric(name)
        given = {**card.example.model_dump(), **own.get(name, {}), **candidates.metrics.get(name, {})}
        params: Params = card.params.parse(name, given)
        found[name] = Measure(card, params)
    return found


def _ground(job: Job, engine: Engine, measures: dict[str, Measure]) -> Ground:
    """The counted table, after the draw and the treatments."""
    treatments = require_treatments(job.dataset, job.section)
    for treatment in treatments:
        secret = [name for name in treatment.columns if job.dataset.columns[name].role == "sensitive"]
        if treatment.method.writes_secrets and secret:
            raise BadParameter(
                f"{treatment.name} on {secret[0]!r} would write to its secret file, and a comparison writes none"
            )
    kept = tuple(entry for entry in job.section.treatments if not treating(entry.method).writes_secrets)
    drawn = draw_rows(job, engine)
    lighter = replace(drawn, section=job.section.model_copy(update={"treatments": kept}))
    treated = treat(lighter, engine) if kept else drawn
    job.progress("counting")
    table = build_table(treated.dataset, count_drawn(treated, engine))
    job.require_unchanged()
    promised = tuple(parse_guarantee(entry) for entry in job.section.guarantees)
    return Ground(replace(treated, section=job.section), engine, table, promised, measures, {})


def _rows(ground: Ground, candidates: Candidates, skipped: dict[str, str]) -> tuple[Tried, ...]:
    """What became of each candidate; a method whose package is not installed is skipped."""
    rows = []
    for number, candidate in enumerate(candidates.tried, 1):
        if candidate.section.method in skipped:
            continue
        head = f"candidate {number} of {len(candidates.tried)}: {candidate.name}"
        try:
            rows.append(attempt(ground, candidate, _headed(ground.job.progress, head)))
        except MissingExtra as error:
            skipped[candidate.section.method] = str(error)
    return tuple(rows)


def _headed(progress: Progress, head: str) -> Progress:
    """The progress of one candidate among many."""
    progress(head)
    return lambda words: progress(f"{head}, {words}")


def _comparison(ground: Ground, rows: tuple[Tried, ...], skipped: dict[str, str]) -> Comparison:
    """What was found, without axes yet."""
    job = ground.job
    tally = ground.table.tally if job.whole is None else job.whole.tally
    before = classes_of(tally)
    notes = [f"{name} was not measured everywhere: {why}" for name, why in ground.unmeasured.items()]
    return Comparison(
        created=datetime.now(UTC).isoformat(timespec="seconds"),
        title=job.input.name,
        input=job.input.model_copy(update={"rows": int(tally.rows.sum())}),
        counted="people" if job.dataset.unit else "rows",
        before=measure_risk(before, job.section.risk_threshold),
        promised=tuple(check(guarantee, before, most=0) for guarantee in ground.promised),
        risk=(),
        utility=(),
        rows=rows,
        skipped=skipped,
        notes=(*_notes(job), *notes),
        command=job.command,
        versions={**{name: version(name) for name in PACKAGES}, "python": sys.version.split()[0]},
    )


def _notes(job: Job) -> tuple[str, ...]:
    """What a reader must know of the rows that all candidates were made of."""
    notes = [] if job.whole is None else [job.whole.notes[0], WHAT_IS_ABOUT_WHAT]
    if job.whole is not None and job.section.seed is None:
        notes.append(ONE_SAMPLE)
    return tuple(notes) if job.treated is None else (*notes, ONCE)
