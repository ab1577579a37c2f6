"""Values that are published exact find people: evidence, report, terminal and check say so; treatments change that.

Covers runs/tables/known_values, attacks/tables/known_values, data/tables/known_cells, cards/columns.
"""

import csv
from collections import Counter
from itertools import combinations
from pathlib import Path
from random import Random
from typing import Any

import pyarrow as pa
import pytest
from click.testing import CliRunner
from tests.runs.planned import attack_plan, form_of, protected, write_plan

import tacit
from tacit.attacks.tables.known_values import ATTACK, HeldValues
from tacit.cli.check import check
from tacit.data.tables.exact_cells import exact_cells
from tacit.data.tables.known_cells import KnownCells
from tacit.engines.duckdb import DuckDB
from tacit.evidence.tables.report import render_report
from tacit.evidence.tables.summary import table_lines
from tacit.plan.load import load_plan
from tacit.release.tables import MOST_FOUND, Risk
from tacit.runs.attack import AttackOutcome

ROLES: dict[str, Any] = {
    "name": {"role": "identifier"},
    "zip": {"role": "quasi-identifier", "hierarchy": {"mask": 4}},
    "bill": {"role": "sensitive"},
    "paid": {"role": "insensitive"},
    "kind": {"role": "insensitive"},
}
RELEASE = {"guarantees": [{"k-anonymity": {"k": 3}}], "suppression": 0.1, "method": "tables/lattice"}
EXACT = ("bill", "paid", "kind")


def accounts(rows: int = 40, most: int = 9_000) -> list[dict[str, str]]:
    random = Random(5)
    return [
        {
            "name": f"n{i // 2}",
            "zip": f"{1000 + i % 3}",
            "bill": str(random.randrange(most // 600)),
            "paid": str(random.randrange(most // 300)),
            "kind": random.choice("xyz"),
        }
        for i in range(rows)
    ]


def alone(rows: list[dict[str, str]], columns: tuple[str, ...], unit: str | None = None) -> int:
    """Who has a row with values that nobody else has, in plain Python."""
    found = set()
    for i, row in enumerate(rows):
        same = [j for j, other in enumerate(rows) if all(other[c] == row[c] for c in columns)]
        if same == [i] if unit is None else len({rows[j][unit] for j in same}) == 1:
            found.add(i if unit is None else row[unit])
    return len(found)


def agrees(risk: Risk, rows: list[dict[str, str]], unit: str | None = None) -> None:
    people = len(rows) if unit is None else len({row[unit] for row in rows})
    told = {(one.columns, one.with_class): one for one in risk.known_values}
    for (columns, with_class), one in told.items():
        assert one.unique == alone(rows, (*columns, "zip") if with_class else columns, unit)
        assert one.share == pytest.approx(one.unique / people)
    for number in (1, 2):
        best = max(alone(rows, columns, unit) for columns in combinations(EXACT, number))
        assert max((one.unique for (c, with_class), one in told.items() if len(c) <= number and not with_class)) == best


def shown(rows: list[dict[str, str]], output: Path) -> list[dict[str, str]]:
    """The released rows, with the names of their people."""
    with output.open(newline="", encoding="utf-8") as file:
        released = list(csv.DictReader(file))
    both = zip(rows, released, strict=True)
    return [{**new, "name": old["name"]} for old, new in both]


def outliers(rows: int = 60, odd: int = 6) -> list[dict[str, str]]:
    """People of one area, and a few who live alone and paid on a day of their own."""
    return [
        {
            "name": f"n{i}",
            "zip": f"{i + 2}000" if i < odd else "1000",
            "bill": "1",
            "paid": f"day {min(i, odd)}",
            "kind": "x",
        }
        for i in range(rows)
    ]


@pytest.mark.slow
@pytest.mark.parametrize("suppressed", ["star", "omit"])
def test_a_suppressed_row_is_found_by_what_it_still_shows(tmp_path: Path, suppressed: str) -> None:
    plan = write_plan(tmp_path, form_of(ROLES, {**RELEASE, "suppressed": suppressed}), outliers())
    made = protected(plan)
    assert made.release.body.suppressed.rows == 6
    told = [(one.columns, one.unique, one.share) for one in made.release.body.risk_after.known_values[:1]]
    found = next(one for one in attacked(plan).results if one.attack == "known-values").release
    assert found is not None
    if suppressed == "omit":
        assert (told, made.release.body.risk_after.telling_values, found.details["unique"]) == ([], None, 0)
    else:
        assert told == [(("paid",), 6, 0.1)]
        assert found.details["unique"] == 6
        assert any("alone with paid" in line for line in table_lines(made.release))


@pytest.mark.slow
@pytest.mark.parametrize("unit", [None, "name"])
def test_evidence_report_terminal_and_check_say_so(tmp_path: Path, unit: str | None) -> None:
    rows = accounts()
    plan = write_plan(tmp_path, form_of(ROLES, RELEASE, unit=unit or "row"), rows)
    made = protected(plan)
    after = made.release.body.risk_after
    agrees(after, shown(rows, made.output), unit)
    most = after.telling_values
    assert most is not None
    assert most.columns == ("bill", "paid")
    sentence = "alone with bill and paid as they are published: anyone who knows these two values"
    assert sentence in " ".join(render_report(made.release).split())
    assert sentence in " ".join(table_lines(made.release))
    said = CliRunner().invoke(check, [str(made.output), "--plan", str(plan)])
    assert sentence in said.stdout
    assert said.exit_code == 0  # It breaks no promise.


def test_measure_tells_it_of_the_raw_rows() -> None:
    rows = accounts()
    frame = pa.table({name: [row[name] for row in rows] for name in rows[0]})
    agrees(tacit.measure(tacit.read(frame, ROLES)), rows)
    agrees(tacit.measure(tacit.read(frame, ROLES, unit="name")), rows, "name")


@pytest.mark.slow
def test_a_treated_column_finds_fewer(tmp_path: Path) -> None:
    rows = accounts()
    rounded = {"method": "columns/rounding", "columns": ["bill", "paid"], "parameters": {"base": 20}}
    noisy = {"method": "columns/noise", "columns": ["bill", "paid"], "parameters": {"share": 0.1}}
    shares = {}
    for name, treatments in (("as it is", []), ("rounded", [rounded]), ("noisy", [noisy])):
        folder = tmp_path / name
        folder.mkdir()
        plan = write_plan(folder, form_of(ROLES, {**RELEASE, "treatments": treatments}, unit="row"), rows)
        risk = protected(plan).release.body.risk_after
        shares[name] = max((one.share for one in risk.known_values if not one.with_class), default=0.0)
        if name == "noisy":
            # Nobody who knows a bill knows the noisy one.
            assert {column for one in risk.known_values for column in one.columns} <= {"kind"}
    assert shares["rounded"] < shares["as it is"] / 4


@pytest.mark.slow
def test_nothing_is_said_where_nothing_identifies(tmp_path: Path) -> None:
    rows = [{**row, "bill": str(i % 4), "paid": str(i % 2), "kind": "x"} for i, row in enumerate(accounts())]
    made = protected(write_plan(tmp_path, form_of(ROLES, RELEASE, unit="row"), rows))
    assert made.release.body.risk_after.telling_values is None
    assert all(one.share <= MOST_FOUND for one in made.release.body.risk_after.known_values if not one.with_class)
    assert "as they are published: anyone" not in render_report(made.release)
    assert not any("Careful" in line for line in table_lines(made.release))


def attacked(plan: Path) -> AttackOutcome:
    with DuckDB(threads=2) as engine:
        return attack_plan(load_plan(plan), engine)


def held(rows: list[dict[str, str]], records: int) -> KnownCells:
    return KnownCells(exact_cells(pa.table({n: [r[n] for r in rows] for n in rows[0]}), EXACT, ("zip",)), records)


@pytest.mark.parametrize("with_class", [False, True])
@pytest.mark.parametrize("number", [1, 2])
def test_the_attack_picks_one_of_those_that_fit(number: int, with_class: bool) -> None:
    rows = accounts(30)
    rates = []
    for columns in combinations(EXACT, number):
        known = (*columns, "zip") if with_class else columns
        many = Counter(tuple(row[c] for c in known) for row in rows)
        rates.append(sum(1 / many[tuple(row[c] for c in known)] for row in rows) / 50)
    worst = ATTACK.run(held(rows, 50), HeldValues(values=number, quasi_identifiers=with_class))
    drawn = ATTACK.run(held(rows, 50), HeldValues(values=number, quasi_identifiers=with_class, choice="random"))
    assert worst.rate == pytest.approx(max(rates))
    assert drawn.rate == pytest.approx(sum(rates) / len(rates))
    assert (worst.targets, worst.baseline) == (50, 1 / 50)


@pytest.mark.slow
def test_the_board_has_it(tmp_path: Path) -> None:
    rows = accounts()
    plan = write_plan(tmp_path, form_of(ROLES, RELEASE, unit="row"), rows)
    made = protected(plan)
    board = {one.attack: one for one in attacked(plan).results}
    found = board["known-values"]
    assert found.raw is not None
    assert found.release is not None
    for side, left in ((found.raw, rows), (found.release, shown(rows, made.output))):
        best = max(len({(row[a], row[b]) for row in left}) for a, b in combinations(EXACT, 2))
        assert (side.hits, side.targets) == (best, len(rows))


@pytest.mark.slow
def test_without_exact_columns_it_is_not_run(tmp_path: Path) -> None:
    roles = {**ROLES, **{name: {"role": "quasi-identifier"} for name in EXACT}}
    plan = write_plan(tmp_path, form_of(roles, {**RELEASE, "suppression": 1.0}, unit="row"), accounts())
    assert protected(plan).release.body.risk_after.known_values == ()
    outcome = attacked(plan)
    assert "known-values" not in {one.attack for one in outcome.results}
    assert "no sensitive or insensitive column" in outcome.skipped["known-values"]
