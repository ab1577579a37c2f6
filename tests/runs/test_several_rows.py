"""A file in which people have several rows: the draft protects people, and what names no unit is refused.

The people of the released classes are counted in plain Python.

Covers runs/tables/several_rows.
"""

import csv
import random
import re
from collections import defaultdict

import pyarrow as pa
import pytest
import yaml

import tacit
from tacit.errors import PolicyRefused
from tacit.plan.load import load_plan
from tacit.plan.schema import PlanFile
from tacit.verbs.ask import ask_plan
from tacit.verbs.plans import check_plan, inspect_file, protect_plan

ROLES = {"birth_year": "quasi-identifier", "sex": "quasi-identifier", "zip": "quasi-identifier", "reason": "sensitive"}


def write_visits(path, key, patients=400, visits=6):
    """As in the review: 400 patients with six visits each."""
    draw = random.Random(1)
    with path.open("w", newline="") as file:
        rows = csv.writer(file)
        rows.writerow([key, "birth_year", "sex", "zip", "visit_reason"])
        for number in draw.sample(range(10**5, 10**6), patients):
            fixed = [number, draw.randrange(1930, 2010), draw.choice("mf"), draw.randrange(10111, 10119)]
            for _ in range(visits):
                rows.writerow([*fixed, draw.choice("abcdefgh")])


def fewest_people(raw, release, key, known):
    """The fewest people in a class of rows that look the same in the known columns; suppressed rows are no class."""
    with raw.open(newline="") as before, release.open(newline="") as after:
        classes = defaultdict(set)
        for own, shown in zip(csv.DictReader(before), csv.DictReader(after), strict=True):
            seen = tuple(shown[name] for name in known)
            if set(seen) != {"*"}:
                classes[seen].add(own[key])
    return min(map(len, classes.values()))


@pytest.mark.slow
@pytest.mark.parametrize("key", ["PATIENT", "patient_id"])
def test_the_draft_as_it_is_leaves_nobody_alone(key, tmp_path):
    raw = tmp_path / "visits.csv"
    write_visits(raw, key)
    plan = inspect_file(raw, {}).plan
    draft = yaml.safe_load(plan.read_text())
    assert draft["unit"] == key
    assert draft["columns"][key] == {"role": "identifier"}
    release = protect_plan(plan).output
    # Whose rows these are can be told by their places only, so the same release is made in the order of the input.
    ordered = tmp_path / "ordered.plan.yaml"
    ordered.write_text(yaml.safe_dump({**draft, "release": {**draft["release"], "shuffle": False}}, sort_keys=False))
    in_order = protect_plan(ordered).output
    assert sorted(in_order.read_text().splitlines()) == sorted(release.read_text().splitlines())
    known = [name for name, column in draft["columns"].items() if column["role"] == "quasi-identifier"]
    assert fewest_people(raw, in_order, key, known) >= 5


def frame(number=60, rows=3):
    draw = random.Random(2)
    table = []
    for person in range(number):
        fixed = [f"{7 * person}", str(draw.randrange(1930, 2010)), draw.choice("fm"), str(draw.randrange(3))]
        table += [[*fixed, draw.choice("abcd")] for _ in range(rows)]
    return pa.table(dict(zip(["patient", *ROLES], zip(*table, strict=True), strict=True)))


@pytest.mark.slow
@pytest.mark.parametrize("role", ["identifier", "quasi-identifier", "insensitive"])
def test_a_key_that_repeats_is_refused_whatever_its_role(role):
    dataset = tacit.read(frame(), {"patient": role, **ROLES})
    with pytest.raises(
        PolicyRefused, match="no unit is named, and the values of the column 'patient' repeat"
    ) as refusal:
        tacit.protect(dataset, [tacit.KAnonymity(k=2)], suppression=1)
    assert refusal.value.exit_code == 5
    assert "`unit: patient`" in str(refusal.value)
    assert "`unit: row`" in str(refusal.value)
    with pytest.raises(PolicyRefused):
        tacit.compare(dataset, [tacit.KAnonymity(k=2)], methods=["tables/lattice"], suppression=1)
    assert any(
        "unit" in remark.says and not remark.fails for remark in tacit.check(dataset, [tacit.KAnonymity(k=2)]).remarks
    )


@pytest.mark.slow
@pytest.mark.parametrize("unit", ["row", "patient"])
def test_who_names_a_unit_or_says_row_is_heard(unit):
    dataset = tacit.read(frame(), {"patient": "identifier", **ROLES}, unit=unit)
    made = tacit.protect(dataset, [tacit.KAnonymity(k=2)], suppression=1)
    assert made.release.body.counted == ("rows" if unit == "row" else "people")
    assert not tacit.check(dataset, [tacit.KAnonymity(k=2)]).remarks


@pytest.mark.slow
def test_names_and_households_that_repeat_are_no_keys():
    draw = random.Random(4)
    table = frame(200, 1).append_column("surname", [[draw.choice("ABCDEFGH") + "en" for _ in range(200)]])
    dataset = tacit.read(table, {"patient": "identifier", "surname": "identifier", **ROLES})
    tacit.protect(dataset, [tacit.KAnonymity(k=2)], suppression=1)
    housed = table.append_column("hhid", [[str(row // 2) for row in range(200)]]).drop_columns(["patient"])
    roles = {"surname": "identifier", "hhid": "identifier", **ROLES}
    with pytest.raises(PolicyRefused, match="hhid"):
        tacit.protect(tacit.read(housed, roles), [tacit.KAnonymity(k=2)], suppression=1)
    surveyed = tacit.read(housed, roles, survey={"household": "hhid"})
    tacit.protect(surveyed, [tacit.KAnonymity(k=2)], suppression=1)


def test_a_column_called_row_can_be_the_unit(tmp_path):
    table = frame().rename_columns(["row", *ROLES])
    roles = {"row": "identifier", **ROLES}
    assert tacit.read(table, roles, unit={"column": "row"}).unit == "row"
    assert tacit.read(table, roles, unit="row").unit is None
    assert PlanFile.parse("plan", _plan({"column": "row"})).unit.column == "row"
    (tmp_path / "people.csv").write_text("row,age\n1,2\n")
    path = tmp_path / "plan.yaml"
    path.write_text(yaml.safe_dump(_plan("row")))
    dataset = load_plan(path).dataset
    assert dataset.unit is None
    assert dataset.each_row_is_a_person
    path.write_text(yaml.safe_dump(_plan({"column": "row"})))
    assert load_plan(path).dataset.unit == "row"


def _plan(unit):
    columns = {"row": {"role": "identifier"}, "age": {"role": "quasi-identifier"}}
    return {"version": 1, "data": {"path": "people.csv"}, "unit": unit, "columns": columns}


@pytest.mark.slow
def test_check_of_a_plan_warns(tmp_path):
    raw = tmp_path / "visits.csv"
    write_visits(raw, "PATIENT", patients=30)
    plan = inspect_file(raw, {}).plan
    plan.write_text(plan.read_text().replace("unit: PATIENT", "unit: null"))
    found = check_plan(plan, raw)
    assert any("'PATIENT' repeat" in remark.says for remark in found.remarks)


def test_measure_attack_and_a_dataset_say_that_nobody_named_the_unit():
    visits = pa.table({"patient_id": [f"P{n:03}" for n in range(40) for _ in range(6)], "birth_year": [1950] * 240})
    roles = {"patient_id": "identifier", "birth_year": "quasi-identifier"}
    said = "no unit is named, and the values of the column 'patient_id' repeat"
    for found in (tacit.measure(visits, columns=roles), tacit.attack(visits, visits, columns=roles)):
        assert any(said in note for note in found.notes)
        assert said in repr(found)
        assert "no unit is named" in found._repr_html_()
    assert "no unit is named, so rows are counted as people" in repr(tacit.read(visits, roles))
    assert "No unit is named" in tacit.read(visits, roles)._repr_html_()
    for unit in ("patient_id", "row"):
        found = tacit.measure(visits, columns=roles, unit=unit)
        assert (found.notes, "note" in repr(found)) == ((), False)
        assert "no unit" not in repr(tacit.read(visits, roles, unit=unit))
    assert "each row is a person" in repr(tacit.read(visits, roles, unit="row"))


ASKED = {"statistics/count": {"epsilon": 0.5}}


def test_questions_about_rows_of_people_are_refused_before_they_are_charged():
    budget = tacit.PrivacyBudget(epsilon=1)
    with pytest.raises(PolicyRefused, match="the values of the column 'patient' repeat") as refusal:
        tacit.ask(frame(), ASKED, budget=budget)
    assert "Nothing was asked or charged" in str(refusal.value)
    assert not re.search(r"\d", str(refusal.value))
    assert budget.spent["epsilon"] == 0
    answer = tacit.ask(frame(), ASKED, budget=tacit.PrivacyBudget(epsilon=1, unit="patient", rows=3))
    assert answer.release.unit == "patient"
    for data, unit in ((frame(), "row"), (tacit.read(frame(), {"patient": "identifier", **ROLES}, unit="row"), None)):
        assert tacit.ask(data, ASKED, budget=tacit.PrivacyBudget(epsilon=1, unit=unit)).release.unit is None


def test_a_budget_may_name_a_column_that_is_called_row():
    table = frame().rename_columns(["row", *ROLES])
    budget = tacit.PrivacyBudget(epsilon=1, unit={"column": "row"}, rows=3)
    assert budget.protection.unit == "row"
    assert tacit.ask(table, ASKED, budget=budget).release.unit == "row"
    with pytest.raises(PolicyRefused, match=r"`unit: \{column: row\}`"):
        tacit.ask(table, ASKED, budget=tacit.PrivacyBudget(epsilon=1))


def test_a_plan_that_asks_or_invents_rows_is_refused_without_a_unit(tmp_path):
    write_visits(tmp_path / "visits.csv", "patient_id", patients=30)
    form = {
        "version": 1,
        "data": {"path": "visits.csv"},
        "columns": {
            "patient_id": {"role": "identifier"},
            "birth_year": {"role": "quasi-identifier", "bounds": [1900, 2020]},
            "sex": {"role": "quasi-identifier", "categories": ["f", "m"]},
            "zip": {"role": "quasi-identifier", "bounds": [10000, 20000]},
            "visit_reason": {"role": "sensitive", "categories": list("abcdefgh")},
        },
        "privacy": {"budget": {"epsilon": 1}},
        "questions": [{"statistics/count": {"by": "sex", "epsilon": 0.3}}],
        "release": {"guarantees": [{"differential-privacy": {"epsilon": 0.5}}], "method": "synthesize/independent"},
    }
    plan = tmp_path / "visits.plan.yaml"
    plan.write_text(yaml.safe_dump(form))
    for verb in (ask_plan, protect_plan):
        with pytest.raises(PolicyRefused, match="'patient_id' repeat"):
            verb(plan)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["visits.csv", "visits.plan.yaml"]
    plan.write_text(yaml.safe_dump({**form, "unit": "row"}))
    for verb in (ask_plan, protect_plan):
        assert "statement about a row" in verb(plan).files.report.read_text(encoding="utf-8")


def test_rows_of_people_are_not_counted_as_people():
    roles = {"patient": "identifier", **ROLES}
    with pytest.raises(PolicyRefused, match="Nothing was counted"):
        tacit.tabulate(tacit.read(frame(), roles), "sex")
    by_row = tacit.tabulate(tacit.read(frame(), roles, unit="row"), "sex")
    assert by_row.margins.counts[-1] == 180
    assert tacit.tabulate(tacit.read(frame(), roles, unit="patient"), "sex").margins.counts[-1] == 60
