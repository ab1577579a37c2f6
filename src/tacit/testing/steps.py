"""What every step must satisfy.

The example of a step runs on a small table of 48 people, whose columns it may name: `person` and `household`
(identifiers), `town` and `age` (quasi-identifiers), `pay` (sensitive), `weight` and `note` (insensitive). Some notes
are missing. `everybody.csv` lists everybody in it, and as many others, with town and age.

The same plan on the same table gives the same release twice. Only a step that says that it `is_random` may differ from
run to run, and only if the plan has no seed.
"""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tacit.data.dataset import Dataset
from tacit.data.sources.source import Source
from tacit.errors import BadParameter, TacitError
from tacit.guarantees.catalogue import guarantees
from tacit.guarantees.guarantee import Guarantee
from tacit.plan.load import load_plan
from tacit.plan.schema import ReleaseSection
from tacit.release.tables import TableRelease
from tacit.runs.run import Outcome
from tacit.runs.tables.count import count
from tacit.runs.tables.step import Step, all_steps, example_of, in_plan
from tacit.verbs.engine import engine
from tacit.verbs.plans import check_plan, protect_plan

NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
SAYS = ("name", "place", "key", "params", "example", "is_random", "is_draw", "in_republication", "given")
ASKING = ("asked", "giving", "leaves_rows_out")
PLAIN = {"guarantees": ["some-promise"]}
ROWS = 48
SEED = 1
ROLES = {
    "person": "identifier",
    "household": "identifier",
    "town": "quasi-identifier",
    "age": "quasi-identifier",
    "pay": "sensitive",
    "weight": "insensitive",
    "note": "insensitive",
}


def check_step(name: str) -> None:
    """The step says what it is and what it takes, does something only where it is asked for, and its example runs."""
    where = f"steps/{name}"
    step = {found.name: found for found in all_steps()}[name]
    _require_told(step, where)
    parts = [part for part in vars(Step) if part not in (*SAYS, *ASKING) and part[0] != "_"]
    changed = [part for part in parts if getattr(type(step), part) is not getattr(Step, part)]
    assert changed, f"{where}: it does nothing; override one of {', '.join(parts)}"
    nobody, plain = Dataset(Source("frame"), {}), ReleaseSection.parse(where, PLAIN)
    assert step.asked(nobody, plain) is None, f"{where}: a plan that does not ask for it gets it; see `asked`"
    with TemporaryDirectory() as folder:
        _require_example_runs(step, where, Path(folder))


def _require_told(step: Step[Any], where: str) -> None:
    """Name, docstring, place and parameters are such that others can use it."""
    kind = type(step)
    assert NAME.fullmatch(step.name), f"{where}: a plan names it in small letters, with hyphens between words"
    assert (kind.__doc__ or "").strip() != (Step.__doc__ or "").strip(), f"{where}: its docstring says what it does"
    assert (kind.__doc__ or "").strip(), f"{where}: its docstring says what it does; write one"
    assert type(step.place) is int, f"{where}: `place` must be a whole number; steps come in the order of their places"
    fields = step.params.model_fields
    silent = [field for field, info in fields.items() if not info.description]
    assert not silent, f"{where}: the parameter {silent[0]!r} has no description; `tacit methods` shows it"


def _require_example_runs(step: Step[Any], where: str, folder: Path) -> None:
    """With its example a release is made that a check finds to be as promised, and other parameters are refused."""
    example = example_of(step)
    plan = write_example(folder, step, example)
    made = _made(plan, where)
    assert made.release.holds, f"{where}: with its example a release does not keep its promises"
    assert made.release.input.rows == ROWS, f"{where}: the evidence is about rows other than those in the file"
    again = check_plan(plan, made.files.release)
    failing = [remark.says for remark in again.remarks if remark.fails]
    assert again.holds, f"{where}: a release is made with its example, but a check of it fails: {'; '.join(failing)}"
    _require_share(step, where, plan, made.release)
    _require_repeated(step, where, folder)
    if isinstance(example, Mapping):
        write_example(folder, step, {**example, "surely-unknown": 1})
        try:
            protect_plan(plan)
        except BadParameter:
            return
        raise AssertionError(f"{where}: an unknown parameter is silently accepted; see `params`")


def _made(plan: Path, where: str) -> Outcome[Any, Any]:
    """The release of the plan, which must not be refused."""
    try:
        return protect_plan(plan)
    except TacitError as error:
        raise AssertionError(f"{where}: no release is made with its example: {error}") from error


def _require_repeated(step: Step[Any], where: str, folder: Path) -> None:
    """Two runs give the same rows and notes, for a random step from the same seed."""
    plan = write_example(folder, step, example_of(step), SEED if step.is_random else None)
    first, second = _told(_made(plan, where)), _told(_made(plan, where))
    why = (
        "it does not draw everything from the seed of the plan"
        if step.is_random
        else "if it draws at random, it must say so by `is_random` and draw from the seed of the plan"
    )
    assert first == second, f"{where}: two runs of the same plan give different releases; {why}"


def _told(made: Outcome[Any, Any]) -> tuple[str, ...]:
    """The lines of the release in sorted order, since rows may be put in random order, and its notes."""
    return (*sorted(made.output.read_text(encoding="utf-8").splitlines()), *made.release.notes)


def _require_share(step: Step[Any], where: str, path: Path, release: TableRelease) -> None:
    """As many rows are left as `share` says beforehand, if it says it; suppressed ones are among them."""
    plan = load_plan(path)
    asked = step.asked(plan.dataset, plan.release)
    assert asked is not None, f"{where}: a plan with its example does not get it; see `asked`"
    with engine() as database:
        share = asked.share(count(plan.dataset, database), None)
    left = (release.output.rows or 0) + release.body.suppressed.rows
    told = share is None or abs(share * ROWS - left) < 1
    assert told, f"{where}: `share` says that {share:g} of {ROWS} rows are left, and {left} are"


def write_example(folder: Path, step: Step[Any], example: Any, seed: int | None = None) -> Path:
    """Afterwards the folder holds the small table, its population and a plan that asks for the step, with the seed."""
    people = [_person(i) for i in range(ROWS)]
    _write(folder / "people.csv", people)
    _write(folder / "everybody.csv", [{name: row[name] for name in ("town", "age")} for row in (*people, *people)])
    release: dict[str, Any] = {
        "guarantees": [_entry(one) for kind in guarantees().values() for one in kind.suggested({})],
        "suppression": 0.25,
        "suppressed": "omit",
        "output": "release.csv",
    } | ({} if seed is None else {"seed": seed})
    form: dict[str, Any] = {"version": 1, "data": {"path": "people.csv"}}
    form["columns"] = {name: {"role": role} for name, role in ROLES.items()}
    asked = in_plan(step, example)
    whole = {**form, **asked, "release": {**release, **asked.get("release", {})}}
    plan = folder / "plan.json"
    plan.write_text(json.dumps(whole), encoding="utf-8")
    return plan


def _person(i: int) -> dict[str, str]:
    """Row i: people live three to a household, and every fifth note is missing."""
    return {
        "person": f"p{i}",
        "household": f"h{i // 3}",
        "town": ("north", "south", "east")[i % 3],
        "age": str(20 + 5 * (i % 4)),
        "pay": str(1000 + 7 * i),
        "weight": str(1 + i % 6),
        "note": "" if i % 5 == 0 else f"note {i % 7}",
    }


def _entry(guarantee: Guarantee) -> dict[str, Any]:
    """The guarantee as a plan writes it."""
    return {guarantee.name: guarantee.model_dump(mode="json", exclude_none=True)}


def _write(path: Path, rows: list[dict[str, str]]) -> None:
    lines = [",".join(rows[0]), *(",".join(row.values()) for row in rows)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
