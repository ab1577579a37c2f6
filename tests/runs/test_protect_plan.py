"""From a plan to a release: worked examples, every way to write it, and a second opinion on what is promised.

Covers verbs, runs/tables/process, tables/task, runs/files, tables/columns, tables/concealment, tables/kind,
tables/recode, steps/unit.
"""

import json
import sqlite3
from contextlib import closing
from fractions import Fraction
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, reject, settings
from hypothesis import strategies as st
from tests.examples import examples
from tests.oracle.judge import Scene, keeps, measure
from tests.oracle.patients import GENERALISED, QUASI, RAW
from tests.runs.planned import PEOPLE, ROLES, form_of, names_in, protected, rows_in, write_data, write_plan

import tacit
from tacit.errors import BadData, CannotGuarantee
from tacit.guarantees.catalogue import parse_table_guarantee
from tacit.release.fingerprints import sha256_of
from tacit.verbs.plans import read_evidence

PATIENTS: dict[str, Any] = {
    "zip": {
        "role": "quasi-identifier",
        "hierarchy": {"tree": {"130**": ["13053", "13068"], "1485*": ["14850", "14853"]}},
    },
    "age": {
        "role": "quasi-identifier",
        "hierarchy": {
            "tree": {
                "<30": ["21", "23", "28", "29"],
                "30-40": ["31", "32", "36", "37"],
                ">40": ["47", "50", "55", "59"],
            }
        },
    },
    "nationality": {"role": "quasi-identifier"},
    "disease": {"role": "sensitive"},
}


@pytest.mark.slow
def test_w4_the_patient_table_generalises_to_the_four_anonymous_one(tmp_path: Path) -> None:
    release = {"guarantees": [{"k-anonymity": {"k": 4}}]}
    outcome = protected(write_plan(tmp_path, form_of(PATIENTS, release), RAW))
    assert rows_in(outcome.output) == GENERALISED
    (found,) = outcome.release.promises
    assert (found.measured, found.holds, outcome.release.body.classes) == (4, True, 3)
    assert outcome.release.body.suppressed.rows == 0


@pytest.mark.slow
def test_w4_its_third_class_is_open_to_homogeneity(tmp_path: Path) -> None:
    release = {"guarantees": [{"k-anonymity": {"k": 4}}, {"l-diversity": {"l": 2, "kind": "distinct"}}]}
    outcome = protected(write_plan(tmp_path, form_of(PATIENTS, release), RAW))
    assert rows_in(outcome.output) != GENERALISED
    columns = dict.fromkeys(QUASI, "quasi-identifier") | {"disease": "sensitive"}
    frame = pa.Table.from_pylist(GENERALISED)
    found = tacit.check(tacit.read(frame, columns), [tacit.KAnonymity(k=4), tacit.LDiversity(l=2, kind="distinct")])
    assert [finding.measured for finding in found.promises] == [4, 1]
    assert not found.holds


@pytest.mark.slow
def test_w5_with_one_level_for_a_column_the_thirty_is_generalised_too(tmp_path: Path) -> None:
    """Full-domain generalisation has one level for all rows: past the common ancestor of the second class."""
    lines = (
        "Engineer M 35 Hepatitis;Engineer M 38 Hepatitis;Lawyer M 38 HIV;"
        "Writer F 30 Flu;Writer F 30 HIV;Dancer F 30 HIV;Dancer F 30 HIV"
    )
    rows = [dict(zip(("job", "sex", "age", "disease"), line.split(), strict=True)) for line in lines.split(";")]
    jobs = {"tree": {"Professional": ["Engineer", "Lawyer"], "Artist": ["Writer", "Dancer"]}}
    columns = {
        "job": {"role": "quasi-identifier", "hierarchy": jobs},
        "sex": {"role": "quasi-identifier"},
        "age": {"role": "quasi-identifier", "hierarchy": {"intervals": [5], "from": 30, "to": 39}},
        "disease": {"role": "sensitive"},
    }
    outcome = protected(write_plan(tmp_path, form_of(columns), rows))
    shown = [(row["job"], row["sex"], row["age"]) for row in rows_in(outcome.output)]
    assert shown == [("Professional", "M", shown[0][2])] * 3 + [("Artist", "F", shown[3][2])] * 4
    assert len({age for _, _, age in shown}) == 2
    assert shown[3][2] != "30"
    assert outcome.release.body.search.levels == {"job": 1, "sex": 0, "age": 1}


@pytest.mark.slow
def test_what_is_written_and_what_is_said_of_it(tmp_path: Path) -> None:
    plan = write_plan(tmp_path)
    outcome = protected(plan)
    assert names_in(tmp_path) == [
        "people.csv",
        "people.release.csv",
        "people.release.evidence.json",
        "people.release.report.html",
        "plan.yaml",
    ]
    rows = rows_in(outcome.output)
    assert list(rows[0]) == ["zip", "age", "ill", "n"]
    assert [(row["ill"], row["n"]) for row in rows] == [(row["ill"], row["n"]) for row in PEOPLE]
    assert "name-" not in outcome.output.read_text() + outcome.evidence.read_text() + outcome.report.read_text()
    evidence = read_evidence(outcome.evidence)
    assert evidence == outcome.release
    assert evidence.input.sha256 == sha256_of(tmp_path / "people.csv")
    assert evidence.plan.sha256 == sha256_of(plan)
    assert evidence.output.sha256 == sha256_of(outcome.output)
    assert (evidence.input.rows, evidence.output.rows) == (12, 12)
    assert evidence.recipe.command == "tacit protect plan.yaml"


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", ["out.csv", "out.tsv", "out.parquet", "out.pq", "out.sqlite", "out.db", "deep/er/out.csv"]
)
def test_every_output_is_read_back(tmp_path: Path, name: str) -> None:
    outcome = protected(write_plan(tmp_path), tmp_path / name)
    assert outcome.release.holds
    assert outcome.output == tmp_path / name
    assert outcome.output.exists()
    assert outcome.evidence == (tmp_path / name).with_suffix(".evidence.json")


@pytest.mark.slow
def test_the_same_rows_in_any_format_make_the_same_release(tmp_path: Path) -> None:
    """As text, as typed columns, in a database, in a data frame."""
    typed = [{**row, "zip": int(row["zip"]), "age": float(row["age"]), "n": int(row["n"])} for row in PEOPLE]
    table = pa.Table.from_pylist(typed)
    pq.write_table(table, tmp_path / "people.parquet")
    with closing(sqlite3.connect(tmp_path / "people.db")) as database, database:
        database.execute("CREATE TABLE people (name TEXT, zip INTEGER, age REAL, ill TEXT, n INTEGER)")
        database.executemany("INSERT INTO people VALUES (?, ?, ?, ?, ?)", [tuple(row.values()) for row in typed])
    write_data(tmp_path / "people.csv")
    made = [
        tacit.protect(tacit.read(data, ROLES), [tacit.KAnonymity(k=4)])
        for data in (table, *(tmp_path / f"people.{ending}" for ending in ("csv", "parquet", "db")))
    ]
    shown = [[(row["zip"], row["age"], row["ill"], str(row["n"])) for row in one.data.to_pylist()] for one in made]
    assert shown[0] == shown[1] == shown[2] == shown[3]
    assert len({one.release.body.metrics["loss"] for one in made}) == 1


@pytest.mark.slow
def test_the_plan_names_the_output(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    outcome = protected(write_plan(tmp_path, form_of(release={"output": "sub/my release.parquet"})))
    assert outcome.output == tmp_path / "sub" / "my release.parquet"


@pytest.mark.slow
def test_a_file_with_another_ending_is_released_with_a_usual_one(tmp_path: Path) -> None:
    plan = write_plan(tmp_path, form_of(data={"path": "people.dat", "format": "csv"}))
    (tmp_path / "people.csv").rename(tmp_path / "people.dat")
    assert protected(plan).output.name == "people.release.csv"


@pytest.mark.slow
@pytest.mark.parametrize("how", ["star", "omit"])
def test_suppressed_rows(tmp_path: Path, how: str) -> None:
    odd = {"name": "x", "zip": "9999", "age": "99", "ill": "rare", "n": "odd"}
    rows = [{**row, "zip": "1000", "age": "30"} for row in PEOPLE] + [odd]
    outcome = protected(write_plan(tmp_path, form_of(release={"suppression": 0.1, "suppressed": how}), rows))
    written = rows_in(outcome.output)
    assert written[:12] == [{name: row[name] for name in ("zip", "age", "ill", "n")} for row in rows[:12]]
    assert written[12:] == ([{"zip": "*", "age": "*", "ill": "*", "n": "odd"}] if how == "star" else [])
    assert outcome.release.body.suppressed.rows == 1
    assert outcome.release.body.suppressed.written == (how == "star")
    assert outcome.release.body.classes == 1
    assert outcome.release.body.metrics["loss"] == pytest.approx(1 / 13)


@pytest.mark.slow
def test_missing_values_are_a_value_of_their_own_everywhere(tmp_path: Path) -> None:
    rows = [
        {**row, "zip": "", "age": "30", "ill": "?", "n": "?"} if i < 4 else {**row, "zip": "1000", "age": "31"}
        for i, row in enumerate(PEOPLE)
    ]
    form = form_of(data={"path": "people.csv", "missing": ["?"]}, release={"guarantees": [{"k-anonymity": {"k": 2}}]})
    outcome = protected(write_plan(tmp_path, form, rows))
    written = rows_in(outcome.output)
    assert [row["zip"] for row in written] == [""] * 4 + ["1000"] * 8
    assert [row["ill"] for row in written] == [""] * 4 + [row["ill"] for row in PEOPLE[4:]]
    assert [row["n"] for row in written] == [""] * 4 + [row["n"] for row in PEOPLE[4:]]
    assert outcome.release.holds


@pytest.mark.slow
def test_nothing_but_missing_values(tmp_path: Path) -> None:
    rows = [{**row, "zip": "", "age": "", "ill": ""} for row in PEOPLE]
    outcome = protected(write_plan(tmp_path, rows=rows))
    assert {(row["zip"], row["age"], row["ill"]) for row in rows_in(outcome.output)} == {("", "", "")}
    assert outcome.release.body.metrics["loss"] == 0


@pytest.mark.slow
def test_weights_decide_what_is_kept(tmp_path: Path) -> None:
    """Either column alone makes classes of three; the one that weighs less is given up."""
    rows = [{"a": str(i // 3), "b": str(i % 3)} for i in range(9)]
    kept = {}
    for a, b in ((9.0, 1.0), (1.0, 9.0)):
        columns = {
            "a": {"role": "quasi-identifier", "hierarchy": {"tree": ["0", "1", "2"]}, "weight": a},
            "b": {"role": "quasi-identifier", "hierarchy": {"tree": ["0", "1", "2"]}, "weight": b},
        }
        outcome = protected(write_plan(tmp_path, form_of(columns), rows))
        kept[a] = outcome.release.body.search.levels
        assert outcome.release.body.metrics["loss"] == pytest.approx(0.1)
    assert kept == {9.0: {"a": 0, "b": 1}, 1.0: {"a": 1, "b": 0}}


@pytest.mark.slow
def test_levels_are_bounded_by_the_plan(tmp_path: Path) -> None:
    columns = {**ROLES, "age": {**ROLES["age"], "minimum": 1, "maximum": 1}}
    outcome = protected(write_plan(tmp_path, form_of(columns)))
    assert outcome.release.body.search.levels is not None
    assert outcome.release.body.search.levels["age"] == 1


@pytest.mark.slow
def test_formulas_are_guarded_and_still_found(tmp_path: Path) -> None:
    rows = [
        {**row, "zip": "=1" if i % 2 else "-2", "age": "30", "ill": "@x" if i % 3 else "+y"}
        for i, row in enumerate(PEOPLE)
    ]
    columns = {**ROLES, "zip": {"role": "quasi-identifier", "hierarchy": {"tree": ["=1", "-2"]}}}
    release = {
        "guarantees": [{"k-anonymity": {"k": 3}}, {"t-closeness": {"t": 0.5, "distance": "equal"}}],
        "guard_formulas": True,
    }
    outcome = protected(write_plan(tmp_path, form_of(columns, release), rows))
    assert {row["zip"] for row in rows_in(outcome.output)} == {"'=1", "'-2"}
    assert {row["ill"] for row in rows_in(outcome.output)} == {"'@x", "'+y"}
    assert outcome.release.promises[1].measured == pytest.approx(0)
    marginals = {entry.label: (entry.before, entry.after) for entry in outcome.release.body.columns[1].marginals}
    assert marginals == {"=1": (6, 6), "-2": (6, 6)}


@pytest.mark.slow
def test_a_shuffle_differs_from_run_to_run(tmp_path: Path) -> None:
    """Two of 100! orders."""
    rows = [{**PEOPLE[0], "n": str(i)} for i in range(100)]
    plan = write_plan(tmp_path, form_of(release={"shuffle": True}), rows)
    orders = [[row["n"] for row in rows_in(protected(plan).output)] for _ in range(2)]
    assert orders[0] != orders[1]
    assert sorted(orders[0]) == sorted(orders[1]) == sorted(row["n"] for row in rows)
    assert orders[0] != [row["n"] for row in rows]


def test_rows_that_look_suppressed_already_are_refused(tmp_path: Path) -> None:
    rows = [*PEOPLE, *({**PEOPLE[0], "zip": "*", "age": "*", "ill": "*"} for _ in range(5))]
    columns = {**ROLES, "zip": {"role": "quasi-identifier"}, "age": {"role": "quasi-identifier"}}
    with pytest.raises(BadData, match=r"like suppressed rows"):
        protected(write_plan(tmp_path, form_of(columns), rows))
    assert names_in(tmp_path) == ["people.csv", "plan.yaml"]


@pytest.mark.slow
def test_full_generalisation_is_one_class_not_suppression(tmp_path: Path) -> None:
    columns = {name: {"role": "quasi-identifier"} for name in ("zip", "age")}
    rows = [{"zip": str(i), "age": str(i)} for i in range(5)]
    outcome = protected(write_plan(tmp_path, form_of(columns, {"guarantees": [{"k-anonymity": {"k": 5}}]}), rows))
    assert rows_in(outcome.output) == [{"zip": "*", "age": "*"}] * 5
    assert (outcome.release.body.classes, outcome.release.body.suppressed.rows) == (1, 0)


def test_an_impossible_promise_names_what_can_be_reached_and_writes_nothing(tmp_path: Path) -> None:
    for guarantee, reached in (
        ({"k-anonymity": {"k": 13}}, "k-anonymity reaches 12, but 13 is required"),
        ({"l-diversity": {"l": 4, "kind": "distinct"}}, "l-diversity reaches 3, but 4 is required"),
    ):
        with pytest.raises(CannotGuarantee, match=reached):
            protected(write_plan(tmp_path, form_of(release={"guarantees": [guarantee], "suppression": 1.0})))
        assert names_in(tmp_path) == ["people.csv", "plan.yaml"]


def test_a_bound_on_levels_may_make_it_impossible(tmp_path: Path) -> None:
    columns = {**ROLES, "zip": {**ROLES["zip"], "maximum": 0}, "age": {**ROLES["age"], "maximum": 0}}
    with pytest.raises(CannotGuarantee, match=r"k-anonymity reaches 2, but 3 is required"):
        protected(write_plan(tmp_path, form_of(columns)))


ILLS = ["flu", "hiv", ""]
GUARANTEES: list[list[dict[str, Any]]] = [
    [{"k-anonymity": {"k": 2}}],
    [{"k-anonymity": {"k": 2}}, {"l-diversity": {"l": 2, "kind": "distinct", "column": "ill"}}],
    [{"l-diversity": {"l": 1.5, "kind": "entropy", "column": "ill"}}],
    [{"t-closeness": {"t": 0.5, "distance": "equal", "column": "ill"}}],
    [{"alpha-k-anonymity": {"alpha": 0.75, "k": 2, "column": "ill"}}],
    [{"beta-likeness": {"beta": 1.0, "kind": "basic", "column": "ill"}}],
]

visits = st.lists(
    st.tuples(st.sampled_from("123"), st.sampled_from(["f", "m", ""]), st.sampled_from(ILLS), st.sampled_from("pqrst")),
    min_size=2,
    max_size=14,
)


@pytest.mark.slow
@given(
    visits=visits,
    guarantees=st.sampled_from(GUARANTEES),
    limit=st.sampled_from([0.0, 0.3, 1.0]),
    by_person=st.booleans(),
    how=st.sampled_from(["star", "omit"]),
)
@settings(examples(25), suppress_health_check=[HealthCheck.too_slow])
def test_people_with_several_rows_are_counted_right_from_end_to_end(
    visits: list[tuple[str, ...]], guarantees: list[dict[str, Any]], limit: float, by_person: bool, how: str
) -> None:
    """The judge sees the rows that were published, with the people they are about: rows keep their order."""
    rows = [dict(zip(("zip", "sex", "ill", "who"), visit, strict=True)) for visit in visits]
    columns = {"zip": "quasi-identifier", "sex": "quasi-identifier", "ill": "sensitive", "who": "identifier"}
    numbered = [{**row, "n": i} for i, row in enumerate(rows)]
    dataset = tacit.read(
        pa.Table.from_pylist(numbered), {**columns, "n": "insensitive"}, unit="who" if by_person else "row"
    )
    promises = [parse_table_guarantee(entry) for entry in guarantees]
    try:
        made = tacit.protect(dataset, promises, suppression=limit, suppressed=how)
    except CannotGuarantee:
        reject()
    published = [
        {name: cell or "" for name, cell in row.items() if name != "n"} | {"who": rows[row["n"]]["who"]}
        for row in made.data.to_pylist()
    ]
    kept = [row for row in published if (row["zip"], row["sex"], row["ill"]) != ("*", "*", "*")]
    gone = len(rows) - len(kept)
    assert made.release.body.suppressed.rows == gone <= limit * len(rows)
    scene = Scene(kept, ("zip", "sex"), rows, "who" if by_person else None, domains={"ill": ILLS})
    for finding, entry in zip(made.release.promises, guarantees, strict=True):
        ((name, params),) = entry.items()
        exact = {key: Fraction(str(value)) if isinstance(value, float) else value for key, value in params.items()}
        measured = measure(name, exact, scene)
        assert all(keeps(name, exact, value) for value in measured)
        worst = min(measured) if name in ("k-anonymity", "l-diversity") else max(measured)
        assert finding.measured == pytest.approx(float(worst))
        assert finding.holds
    assert made.release.body.classes == len(scene.classes())


@pytest.mark.slow
def test_a_release_is_checked_again_and_refused_if_it_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A method that lies is found out by reading back, and the old release stays."""
    from tacit.methods.tables import _verdict

    plan = write_plan(tmp_path)
    old = protected(plan).output.read_bytes()
    path = plan.parent / "plan.yaml"
    path.write_text(json.dumps(form_of(release={"guarantees": [{"k-anonymity": {"k": 7}}], "suppression": 1.0})))
    true = _verdict.judge

    def lying(guarantees: Any, tally: Any) -> Any:
        verdict = true(guarantees, tally)
        return _verdict.ClassVerdicts(verdict.suppressed & False, verdict.share * 0, True)

    monkeypatch.setattr("tacit.methods.tables.lattice.judge", lying)
    monkeypatch.setattr("tacit.methods.tables._boxes.judge", lying)
    with pytest.raises(CannotGuarantee, match=r"does not keep its promise, so it is not published"):
        protected(path)
    assert (tmp_path / "people.release.csv").read_bytes() == old
    assert not [name for name in names_in(tmp_path) if name.startswith(".")]
