"""Steps: an optional part of a run on a table is one class, handed to the run; here one that keeps some rows.

Covers runs/job, runs/run, tables/process, tables/prepare, tables/stations, tables/step,
steps/population.
"""

import json
from pathlib import Path
from typing import Annotated

import numpy as np
import pytest
from pydantic import Field
from tests.runs.planned import PEOPLE, form_of, rows_in, write_plan

from tacit.engines.duckdb import DuckDB
from tacit.engines.engine import Engine
from tacit.errors import BadParameter
from tacit.params import Params
from tacit.plan.load import load_plan
from tacit.release.tables import TableRelease
from tacit.runs.job import plan_job
from tacit.runs.run import Place, run
from tacit.runs.tables.process import TableProcess
from tacit.runs.tables.step import CountedRows, KeptRows, ReleasedRows, Step, StepFacts, Task, all_steps
from tacit.runs.tables.task import task_of


class RowLimit(Params):
    """How many rows there may be."""

    number: Annotated[int, Field(description="how many rows are kept")]


class FirstRows(Step[RowLimit]):
    """Only the first rows are published: one file with what it requires, does, checks and tells."""

    name = "first-rows"
    place = 5
    params = RowLimit
    example = RowLimit(number=10)

    def require(self, dataset: object, task: Task) -> None:
        """There are rows to keep."""
        if self.given.number < 1:
            raise BadParameter("first-rows: say how many, as in `first-rows: {number: 10}`")

    def keep(self, rows: CountedRows, task: Task, engine: Engine) -> KeptRows:
        """The first rows of the source."""
        return KeptRows(np.arange(rows.number) < self.given.number)

    def tell(self, released: ReleasedRows, task: Task, engine: Engine) -> StepFacts:
        """How many rows were kept."""
        return StepFacts(notes=(f"The first {released.published.rows} rows were kept.",))


def made(folder: Path, steps: dict[str, dict[str, int]]) -> TableRelease:
    """The release of the usual plan with these steps, in `out.csv`."""
    plan = load_plan(write_plan(folder, form_of(release={"steps": steps, "suppression": 1.0})))
    job = plan_job(plan, plan.dataset, (folder / "people.csv",))
    with DuckDB(threads=2) as engine:
        task = task_of(plan.dataset, plan.release, steps=(*all_steps(), FirstRows()))
        return run(TableProcess(job, task, engine), Place(folder / "out.csv", folder / "out.csv")).release


@pytest.mark.slow
def test_a_new_step_is_one_class(tmp_path: Path) -> None:
    release = made(tmp_path, {"first-rows": {"number": 9}})
    assert len(rows_in(tmp_path / "out.csv")) == 9 < len(PEOPLE)
    assert release.output.rows == 9
    assert "The first 9 rows were kept." in release.notes
    assert release.recipe.plan["release"]["steps"] == {"first-rows": {"number": 9}}


@pytest.mark.slow
def test_a_step_that_is_not_asked_for_does_nothing(tmp_path: Path) -> None:
    release = made(tmp_path, {})
    assert release.output.rows == len(PEOPLE)
    assert not any("were kept" in note for note in release.notes)


def test_what_a_step_requires_is_refused_before_any_work(tmp_path: Path) -> None:
    with pytest.raises(BadParameter, match="say how many"):
        made(tmp_path, {"first-rows": {"number": 0}})
    assert not (tmp_path / "out.csv").exists()


def test_an_unknown_step_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadParameter, match=r"no step 'last-rows'.*sample, treatments"):
        made(tmp_path, {"last-rows": {}})


def test_steps_come_in_the_order_of_their_places() -> None:
    names = [step.name for step in all_steps()]
    assert names == ["sample", "treatments", "survey", "population", "unit"]


@pytest.mark.slow
def test_a_step_from_a_seed_marks_the_release(tmp_path: Path) -> None:
    form = form_of(release={"sample": {"size": 9}, "seed": 3, "suppression": 1.0})
    plan = load_plan(write_plan(tmp_path, form))
    assert json.loads(plan.path.read_text())["release"]["seed"] == 3
    job = plan_job(plan, plan.dataset, (tmp_path / "people.csv",))
    with DuckDB(threads=2) as engine:
        release = run(TableProcess(job, task_of(plan.dataset, plan.release), engine)).release
    assert release.seeded
    assert not release.may_be_published
    assert release.holds
