"""Comparisons: every candidate of a plan, made and measured the same way, and a page that marks undominated ones."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

from tacit.cards.metric import Views
from tacit.catalogue import metrics
from tacit.engines.engine import Engine
from tacit.errors import BadParameter, TacitError
from tacit.evidence.comparison.comparison import ComparisonAxis, ComparisonReport, TriedCandidate, marked
from tacit.plan.load import Plan
from tacit.plan.schema import ReleaseSection
from tacit.release.release import Release
from tacit.request import Progress
from tacit.runs.attack import attacks_on, evidence_beside
from tacit.runs.candidates import Candidate, ComparisonRequest, candidates_of, changes
from tacit.runs.files import OutcomeFiles, refuse_overwriting
from tacit.runs.job import plan_job
from tacit.runs.run import Place, run, versions
from tacit.runs.untold import COMPARE, MADE_ONE, refuse_private_plan, refuse_private_release
from tacit.scratch import scratch

if TYPE_CHECKING:
    from tacit.runs.kind import Kind


@dataclass(frozen=True, eq=False)
class ComparisonPage:
    """A comparison and the page that shows it."""

    comparison: ComparisonReport
    page: Path


def page_place(kind: "Kind[Any]", plan: Plan, page: Path | None) -> Path:
    """Where the page goes, by default beside the place of the release; never onto what the plan reads."""
    beside = kind.default_output(plan)
    place = page or beside.with_name(f"{beside.with_suffix('').name.removesuffix('.release')}.compare.html")
    if place.suffix.lower() not in (".html", ".htm"):
        raise BadParameter(f"{place}: a comparison is written as a page; give it a name that ends in .html")
    refuse_overwriting(OutcomeFiles(place, place, place), (plan.path, *kind.inputs(plan), *kind.secrets(plan)))
    return place


def compare_methods(
    kind: "Kind[Any]", plan: Plan, engine: Engine, wanted: ComparisonRequest, page: Path | None, progress: Progress
) -> ComparisonPage:
    """Each candidate run in a private folder; its metrics and the success of attacks on it, and the page of them.

    A private release is refused: before anything is made, or after the first candidate if only that reveals it.
    """
    from tacit.evidence.comparison.page import write_comparison

    refuse_private_plan(plan, COMPARE)
    refuse_private_release(_made_before(kind, plan), plan, COMPARE)
    place = page_place(kind, plan, page)
    trial = _ComparedPlan(kind, plan, engine, progress)
    measured = trial.measured(wanted)
    candidates = candidates_of(plan.release, _by_kind(wanted), kind.name)
    for candidate in candidates.tried:
        refuse_private_plan(plan.with_release(candidate.section), COMPARE)
    rows = tuple(trial.attempt(candidate, measured) for candidate in candidates.tried)
    axes = trial.axes(wanted)
    view = kind.view(kind.dataset(plan), engine)
    found = ComparisonReport(
        created=datetime.now(UTC).isoformat(timespec="seconds"),
        title=kind.inputs(plan)[0].name,
        input=trial.job().inputs[0],
        counted="people",
        promised=tuple(kind.measure(guarantee, view) for guarantee in kind.guarantees(plan.release)),
        risk=axes[0],
        utility=axes[1],
        rows=rows,
        skipped=dict(candidates.skipped),
        command=f"tacit protect {plan.path.name}",
        versions=versions(),
    )
    comparison = marked(found)
    write_comparison(comparison, place)
    return ComparisonPage(comparison, place)


def _made_before(kind: "Kind[Any]", plan: Plan) -> Release[Any] | None:
    """The evidence of the release that is already in its place, if there is one."""
    there = kind.default_output(plan)
    return evidence_beside(there) if there.exists() else None


def _by_kind(wanted: ComparisonRequest) -> ComparisonRequest:
    """The request, without the metrics that tables have by default."""
    return wanted.model_copy(update={"metrics": () if "metrics" not in wanted.model_fields_set else wanted.metrics})


@dataclass(frozen=True, eq=False)
class _MadeCandidate:
    """A candidate that was made, and what was found about it."""

    release: Release[Any]
    found: Mapping[str, Any]


@dataclass(frozen=True, eq=False)
class _ComparedPlan:
    """One plan, whose candidates are made in private folders."""

    kind: "Kind[Any]"
    plan: Plan
    engine: Engine
    progress: Progress

    def job(self) -> Any:
        """The job of the plan."""
        return plan_job(self.plan, self.kind.dataset(self.plan), self.kind.inputs(self.plan), progress=self.progress)

    def axes(self, wanted: ComparisonRequest) -> tuple[tuple[ComparisonAxis, ...], tuple[ComparisonAxis, ...]]:
        """Success of attacks against metrics: those that were named, else the first of each."""
        names, shelf = [f"attacks/{name}" for name, _ in attacks_on(self.kind.name)], self._metrics()
        risk = wanted.risk if "risk" in wanted.model_fields_set else tuple(names[:1])
        utility = wanted.utility if "utility" in wanted.model_fields_set else tuple(shelf)[:1]
        if not risk or not utility:
            raise BadParameter(f"there is no attack or no metric on {self.kind.name} to compare by")
        return tuple(map(self._axis, risk)), tuple(map(self._axis, utility))

    def measured(self, wanted: ComparisonRequest) -> tuple[str, ...]:
        """The metrics to measure: those that were named and those of the axes, else all on this kind."""
        shelf = self._metrics()
        if "metrics" not in wanted.model_fields_set:
            return tuple(shelf)
        names = (name.removeprefix(f"{self.kind.name}/") for name in wanted.metrics)
        axes = (axis.name for both in self.axes(wanted) for axis in both)
        return tuple(name for name in dict.fromkeys((*names, *axes)) if self._axis(name) and name in shelf)

    def _axis(self, name: str) -> ComparisonAxis:
        shelf, attackers = self._metrics(), dict(attacks_on(self.kind.name))
        if name in shelf:
            return ComparisonAxis(name=name, title=shelf[name].title.lower(), better=shelf[name].better)
        short = name.removeprefix("attacks/")
        if short in attackers:
            return ComparisonAxis(name=name, title=f"success of {attackers[short].title.lower()}")
        known = ", ".join([*shelf, *(f"attacks/{one}" for one in attackers)])
        raise BadParameter(f"there is no measure {name!r} on {self.kind.name}; the known ones are: {known}")

    def _metrics(self) -> dict[str, Any]:
        folder, shelf = f"{self.kind.name}/", metrics()
        return {name.removeprefix(folder): shelf[name] for name in shelf if name.startswith(folder)}

    def attempt(self, candidate: Candidate, measured: tuple[str, ...]) -> TriedCandidate:
        """What became of the candidate."""
        known = {
            "name": candidate.name,
            "method": candidate.section.method,
            "settings": dict(candidate.settings),
            "changes": changes(self.plan.release, candidate),
        }
        begin = perf_counter()
        try:
            made = self._made(candidate.section, measured)
        except TacitError as error:
            return TriedCandidate(**known, failed=str(error), seconds=perf_counter() - begin)
        refuse_private_release(made.release, self.plan, COMPARE, MADE_ONE)
        return TriedCandidate(**known, **made.found, seconds=perf_counter() - begin)

    def _made(self, section: ReleaseSection, measured: tuple[str, ...]) -> "_MadeCandidate":
        """The candidate, made in a private folder: promises, metrics, and the success of attacks."""
        kind, job, dataset = self.kind, self.job(), self.kind.dataset(self.plan)
        plan = self.plan.with_release(section)
        with scratch() as folder:
            place = folder / kind.default_output(plan).name
            done = run(kind.process(job, plan, self.engine), Place(place, place))
            before, after = kind.view(dataset, self.engine), kind.read(dataset, place, self.engine)
        views = Views(before, after)
        shelf = self._metrics()
        measures = {name: shelf[name].run(views, shelf[name].example).value for name in measured}
        measures |= {f"attacks/{name}": card.run(after, card.example).rate for name, card in attacks_on(kind.name)}
        own = (kind.measure(guarantee, after) for guarantee in kind.guarantees(self.plan.release))
        found = {
            "guarantees": done.release.measured,
            "keeps_plan": all(measured.holds for measured in own),
            "metrics": measures,
        }
        return _MadeCandidate(done.release, found)
