"""The verbs on files: inspect a file; protect, check, attack, compare and tabulate by a plan."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tacit.errors import PolicyRefused
from tacit.request import Progress
from tacit.usual import COUNTS
from tacit.verbs.engine import working

if TYPE_CHECKING:
    from tacit.evidence.comparison.comparison import ComparisonReport
    from tacit.release.release import Release
    from tacit.runs.attack import AttackOutcome
    from tacit.runs.check import CheckResult
    from tacit.runs.check_evidence import EvidenceCheck
    from tacit.runs.compare import ComparisonPage
    from tacit.runs.kind import Look
    from tacit.runs.run import Outcome


@dataclass(frozen=True, eq=False)
class FirstLook:
    """What a first look found, and where the draft plan and the hierarchies that it names stand."""

    look: "Look"
    plan: Path
    hierarchies: tuple[Path, ...] = ()


def inspect_file(
    data: Path,
    options: Mapping[str, Any],
    output: Path | None = None,
    force: bool = False,
    progress: Progress | None = None,
) -> FirstLook:
    """What the file seems to hold; a draft plan stands beside it, or where `output` says.

    Hierarchies that were inferred stand in a folder beside the plan, for its owner's eyes: they hold values.
    """
    from tacit.data.sources.source import bare_name, require_file
    from tacit.publication import publication
    from tacit.runs.kinds import kind_of_file

    if not data.name:
        require_file(data)
    plan = output or data.with_name(f"{bare_name(data)}.plan.yaml")
    _require_places([plan], data, force)
    with working(progress) as work:
        work.progress("looking at the data")
        look = kind_of_file(data).inspect(data, work.engine, options)
    folder = plan.with_name(f"{plan.name.removesuffix('.yaml').removesuffix('.plan')}.hierarchies")
    texts = {folder / name: text for name, text in look.beside.items()}
    _require_places([*texts, plan], data, force)
    texts[plan] = look.plan(_path_from(plan, data), folder.name)
    with publication(list(texts), private=list(texts)[:-1]) as aside:
        for path, text in texts.items():
            aside[path].write_bytes(text.encode("utf-8"))
    return FirstLook(look, plan, tuple(texts)[:-1])


def _require_places(paths: Sequence[Path], data: Path, force: bool) -> None:
    """A draft, the last of the paths, and its hierarchies take nobody's place unasked, and never that of the data."""
    for path in paths:
        if path.exists() and data.exists() and path.samefile(data):
            raise PolicyRefused(f"the plan {path} would overwrite the data; name another with -o")
        if path.exists() and not force:
            other = _free_name(paths[-1])
            raise PolicyRefused(
                f"{path} already exists; write another plan with `-o {other}`, or replace it with --force"
            )


def _free_name(plan: Path) -> Path:
    """A name beside the plan that no file has yet, and no folder of hierarchies."""
    stem = plan.name.removesuffix(plan.suffix).removesuffix(".plan")
    stems = (f"{stem}-{number}" for number in count(2))
    free = (one for one in stems if not plan.with_name(f"{one}.hierarchies").exists())
    return next(path for one in free if not (path := plan.with_name(f"{one}.plan.yaml")).exists())


def _path_from(plan: Path, data: Path) -> str:
    """The data as the plan names it: relative to the plan's folder, where there is a way."""
    try:
        return Path(os.path.relpath(data.resolve(), plan.resolve().parent)).as_posix()
    except ValueError:
        return str(data.resolve())


def protect_plan(
    path: Path, output: Path | None = None, progress: Progress | None = None, *, public: bool = False
) -> "Outcome[Any, Any]":
    """The release of the plan, published with its evidence and its report, and a `public` page if one is wanted."""
    from tacit.plan.load import load_plan
    from tacit.runs.kinds import kind_of

    plan = load_plan(path).with_public() if public else load_plan(path)
    with working(progress) as work:
        return kind_of(plan).protect(plan, work.engine, output, work.progress)


def check_plan(
    path: Path, data: Path, options: Mapping[str, Any] | None = None, progress: Progress | None = None
) -> "CheckResult":
    """Whether the file, raw or released, keeps the guarantees of the plan."""
    from tacit.plan.load import load_plan
    from tacit.runs.attack import of_another_plan
    from tacit.runs.kinds import kind_of

    plan = load_plan(path)
    with working(progress) as work:
        work.progress("counting")
        found = kind_of(plan).check(plan, data, work.engine, options or {})
    return replace(found, remarks=(*found.remarks, *of_another_plan(data, plan)))


def check_evidence(path: Path) -> "EvidenceCheck":
    """What the evidence says, and whether the files beside it are still the ones it was written for."""
    from tacit.runs.check_evidence import checked
    from tacit.runs.files import EVIDENCE

    report = path.with_name(f"{path.name.removesuffix(EVIDENCE)}.report.html") if path.name.endswith(EVIDENCE) else None
    with working() as work:
        return checked(read_evidence(path), path.parent, report, work.engine)


def attack_plan(path: Path, releases: Sequence[Path] = (), progress: Progress | None = None) -> "AttackOutcome":
    """What every adversary learns from the plan's data and from its release."""
    from tacit.plan.load import load_plan
    from tacit.runs.kinds import kind_of

    plan = load_plan(path)
    with working(progress) as work:
        return kind_of(plan).attack(plan, work.engine, releases, work.progress)


def compare_plan(
    path: Path, wanted: Mapping[str, Any], page: Path | None = None, progress: Progress | None = None
) -> "ComparisonPage":
    """Every candidate of the plan, tried and measured alike; `wanted` says what is tried and measured."""
    from tacit.plan.load import load_plan
    from tacit.runs.candidates import ComparisonRequest
    from tacit.runs.kinds import kind_of

    asked, plan = ComparisonRequest.parse("compare", wanted), load_plan(path)
    with working(progress) as work:
        return kind_of(plan).compare(plan, work.engine, asked, page, work.progress)


def comparison_lines(comparison: "ComparisonReport", plan: str, metrics: Sequence[str]) -> list[str]:
    """A comparison for a terminal."""
    from tacit.evidence.comparison.summary import comparison_lines

    return comparison_lines(comparison, plan, tuple(metrics))


@dataclass(frozen=True)
class Tabulation:
    """A table of counts that is asked for: its sides, the method that hides small counts, and its parameters."""

    by: Sequence[str]
    parameters: Mapping[str, Any] = field(default_factory=dict)
    method: str = COUNTS


def tabulate_plan(
    path: Path, asked: Tabulation, output: Path | None = None, progress: Progress | None = None
) -> "Outcome[Any, Any]":
    """A table of counts of the plan's data, published with its evidence and its report."""
    from tacit.plan.load import load_plan
    from tacit.runs.counts.kind import KIND
    from tacit.runs.counts.task import counts_task

    plan = load_plan(path)
    guard = plan.file.release is not None and plan.file.release.guard_formulas
    task = counts_task(asked.by, asked.method, asked.parameters, guard)
    with working(progress) as work:
        return KIND.tabulate(plan, work.engine, task, output, work.progress)


def counts_lines(outcome: "Outcome[Any, Any]") -> list[str]:
    """A table of counts in a few lines, for whoever may see the raw data."""
    from tacit.evidence.counts import counts_lines

    return counts_lines(outcome.release.body, outcome.made.table)


@dataclass(frozen=True, eq=False)
class Demonstration:
    """Both halves of the demo: a release, and answers with differential privacy."""

    release: "Outcome[Any, Any]"
    answers: "Outcome[Any, Any]"


def demo(folder: Path, progress: Progress | None = None) -> Demonstration:
    """A made-up register is written to the folder with its plan, protected, and asked the questions of the plan.

    What an earlier run of the demo made there is removed; files that are not the demo's own are refused.
    """
    from tacit.runs.demo import begin_demo
    from tacit.verbs.ask import ask_plan

    if progress is not None:
        progress("making the register")
    plan = begin_demo(folder)
    return Demonstration(protect_plan(plan, progress=progress), ask_plan(plan, progress=progress))


def summary_lines(release: "Release[Any]", written: Mapping[str, str]) -> list[str]:
    """A release in a few lines; `written` says what stands where."""
    from tacit.runs.evidence_kinds import evidence_kind

    return evidence_kind(release.kind).summary(release, written)


def board_lines(board: "AttackOutcome") -> list[str]:
    """What each adversary learns, for a terminal."""
    from tacit.evidence.board import board_lines

    return board_lines(board.results)


def not_run_lines(board: "AttackOutcome") -> list[str]:
    """Which attacks were not run and why, for a terminal."""
    from tacit.evidence.board import not_run_lines

    return not_run_lines(board.skipped)


def read_evidence(path: Path) -> "Release[Any]":
    """The release whose evidence stands in the file."""
    from tacit.evidence.files import read_evidence
    from tacit.runs.evidence_kinds import body_of

    return read_evidence(path, body_of)


def parse_value(text: str, where: str) -> Any:
    """A value as a plan would read it."""
    from tacit.plan.strict_yaml import parse_yaml

    return parse_yaml(text, where)
