"""`tacit methods statistics/…` says how a plan writes the question, and what it says can be asked.

Covers cli/methods, verbs/listing.
"""

import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from tests.cli.commands import run_here

from tacit.cards.takes import Declaration
from tacit.catalogue import methods
from tacit.plan.load import load_plan
from tacit.runs.answers.protection import Protection
from tacit.runs.answers.question import Asker
from tacit.runs.tables.step import Step, all_steps, example_of
from tacit.runs.tables.task import asked_steps
from tacit.testing.steps import write_example
from tacit.verbs.listing import entries

STATISTICS = [name for name in methods() if name.startswith("statistics/")]


@pytest.mark.parametrize("name", STATISTICS)
def test_the_example_of_a_statistic_is_a_question(name: str) -> None:
    (question,) = yaml.safe_load(entries()[name]["asks"]["example"])
    own = vars(methods()[name].example)
    bounds = tuple(own[end] if isinstance(own.get(end), float) else at for at, end in enumerate(("lower", "upper")))
    declared = {f"COLUMN_{place}": Declaration(f"COLUMN_{place}", bounds, ("true", "false")) for place in (1, 2)}
    asker = Asker(declared, Protection("who", "add-remove", 1, None))
    assert asker.question(name, question[name]).name == name


def test_parameters_that_a_plan_fills_in_are_not_described(capsys: pytest.CaptureFixture[str]) -> None:
    told = run_here(capsys, "methods", "statistics/mean").out
    assert "- statistics/mean: {of: COLUMN_1, epsilon: 0.5}" in told
    assert "  grid: " in told
    for filled in ("lower", "upper", "neighbours", "contributions"):
        assert f"  {filled}: " not in told


def test_a_synthesis_shows_what_a_plan_may_write(capsys: pytest.CaptureFixture[str]) -> None:
    told = run_here(capsys, "methods", "synthesize/independent").out
    assert "  bins: " in told
    assert "  rows: " in told
    elsewhere = ("axes", "contributions", "delta", "epsilon", "neighbours")
    assert f"  set elsewhere in the plan, not here: {', '.join(elsewhere)}\n" in told
    for filled in elsewhere:
        assert f"  {filled}: " not in told


@pytest.mark.slow
def test_steps_are_listed_and_described(capsys: pytest.CaptureFixture[str]) -> None:
    listed = run_here(capsys, "methods").out
    assert "steps\n" in listed
    for step in all_steps():
        assert f"  steps/{step.name}" in listed
    told = run_here(capsys, "methods", "steps/survey")
    assert told.code == 0
    assert "survey: {weight: weight, household: household}" in told.out
    assert "  weight: the column that says for how many people" in told.out
    assert not any(line.isspace() for line in told.out.splitlines()), "a step has no paper"


@pytest.mark.parametrize("step", all_steps(), ids=lambda step: step.name)
def test_what_is_shown_of_a_step_asks_for_it(step: Step[Any], tmp_path: Path) -> None:
    shown = yaml.safe_load(entries()[f"steps/{step.name}"]["written"])
    plan = json.loads(write_example(tmp_path, step, example_of(step)).read_text())
    (top,) = shown
    assert (
        all(plan["release"][key] == value for key, value in shown[top].items())
        if top == "release"
        else (plan[top] == shown[top])
    )
    loaded = load_plan(tmp_path / "plan.json")
    assert [one.name for one in asked_steps(loaded.dataset, loaded.release)] == [step.name]


@pytest.mark.slow
def test_the_folder_of_a_name_may_be_left_out(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_here(capsys, "methods", "treatments").out == run_here(capsys, "methods", "steps/treatments").out
    unsure = run_here(capsys, "methods", "sample")
    assert unsure.code == 2
    assert "did you mean 'columns/sample' or 'steps/sample'?" in unsure.err


@pytest.mark.parametrize("folder", ["statistics", "statistics/", "attacks/tables", "steps"])
def test_the_name_of_a_folder_lists_what_is_in_it(folder: str, capsys: pytest.CaptureFixture[str]) -> None:
    inside = [name for name in entries() if name.startswith(f"{folder.rstrip('/')}/")]
    told = run_here(capsys, "methods", folder)
    assert told.code == 0
    lines = told.out.splitlines()
    assert [line.split()[0] for line in lines[1:]] == inside
    assert not lines[0].startswith(" ")
    listed = json.loads(run_here(capsys, "methods", folder, "--json").out)["entries"]
    assert [entry["name"] for entry in listed] == inside
    assert all(entry["parameters"] is not None for entry in listed)


@pytest.mark.parametrize("name", STATISTICS)
def test_every_parameter_that_a_plan_writes_is_described(name: str) -> None:
    entry = entries()[name]
    written = {key: schema for key, schema in entry["parameters"].items() if key not in entry["filled"]}
    assert [key for key, schema in written.items() if not schema.get("description")] == []


def test_a_guarantee_is_found_with_its_folder_too(capsys: pytest.CaptureFixture[str]) -> None:
    bare, full = (run_here(capsys, "methods", name) for name in ("k-anonymity", "guarantees/k-anonymity"))
    assert (full.code, full.out) == (0, bare.out)
    listed = run_here(capsys, "methods", "guarantees").out
    assert listed.startswith("guarantees\n")
    assert "  k-anonymity  " in listed
    assert "tables/lattice" not in listed
