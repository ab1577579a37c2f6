"""Columns that are perturbed, masked or pseudonymised before anything is counted.

Covers tables/check, tables/randomness, steps/treatments, steps/_treatment.
"""

import csv
import json
import sqlite3
from contextlib import closing

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import yaml
from tests.runs.planned import protect_plan

import tacit
from tacit.data.columns import Numbers, categories_of, columns_of
from tacit.data.sources.source import Source, file_source
from tacit.engines.duckdb import DuckDB
from tacit.errors import BadData, BadParameter, CannotGuarantee, PolicyRefused
from tacit.methods.columns._keys import write_key
from tacit.methods.columns.vault import open_vault
from tacit.plan.load import load_plan
from tacit.randomness.stream import RandomBits
from tacit.runs.tables.check import check_file

ROWS = 400
HEADER = ("name", "age", "town", "illness", "income", "visits")


def people():
    chosen = np.random.default_rng(5)
    illness = np.array(["flu", "cold", "cough"])[chosen.integers(0, 3, ROWS)]
    towns, visits = ["south", "north"], [str(i % 5) if i % 9 else "" for i in range(ROWS)]
    return [(f"P{i:03}", str(20 + i % 40), towns[i % 2], illness[i], str(1000 + 7 * i), visits[i]) for i in range(ROWS)]


@pytest.fixture
def folder(tmp_path):
    with (tmp_path / "people.csv").open("w", newline="") as file:
        csv.writer(file, delimiter=";").writerows([HEADER, *people()])
    return tmp_path


def write_plan(folder, treatments, **release):
    form = {
        "version": 1,
        "data": {"path": "people.csv", "delimiter": ";"},
        "columns": {
            "name": {"role": "identifier"},
            "age": {"role": "quasi-identifier", "hierarchy": {"intervals": [10, 20, 40], "from": 20, "to": 59}},
            "town": {"role": "quasi-identifier"},
            "illness": {"role": "sensitive"},
            "income": {"role": "insensitive"},
            "visits": {"role": "insensitive"},
        },
        "release": {"guarantees": [{"k-anonymity": {"k": 5}}], "treatments": treatments, **release},
    }
    path = folder / "plan.yaml"
    path.write_text(yaml.safe_dump(form, sort_keys=False))
    return load_plan(path)


def released(folder, plan, name="release.csv"):
    with DuckDB() as engine:
        outcome = protect_plan(plan, engine, folder / name)
    with (folder / name).open(newline="") as file:
        return outcome.release, list(csv.DictReader(file, delimiter=";"))


@pytest.mark.slow
def test_treated_columns_stand_in_the_rows_that_they_belong_to(folder):
    treatments = [
        {"method": "columns/rounding", "columns": ["income"], "parameters": {"base": 100}},
        {"method": "columns/top-bottom-coding", "columns": ["visits"], "parameters": {"top": 2}},
    ]
    release, rows = released(folder, write_plan(folder, treatments))
    assert release.holds
    assert len(rows) == ROWS
    for row, truth in zip(rows, people(), strict=True):
        assert row["income"] == str(int((int(truth[4]) + 50) // 100 * 100))
        assert row["visits"] == (str(min(int(truth[5]), 2)) if truth[5] else "")
        assert row["town"] == truth[2]
        assert row["illness"] == truth[3]
    actions = {report.name: report.action for report in release.body.columns}
    assert actions["income"] == "treated by columns/rounding"
    assert actions["illness"] == "published as it is"
    assert any(note.startswith("Column 'income' was treated by columns/rounding") for note in release.notes)
    assert any("came from the operating system" in note for note in release.notes)
    assert "treat" in release.seconds


@pytest.mark.slow
def test_a_pseudonym_keeps_an_identifier_in_the_release(folder):
    write_key(folder / "secret.key", RandomBits.from_os())
    treatments = [{"method": "columns/pseudonym", "columns": ["name"], "parameters": {"key_file": "secret.key"}}]
    _, rows = released(folder, write_plan(folder, treatments))
    _, again = released(folder, write_plan(folder, treatments), "again.csv")
    assert list(rows[0]) == list(HEADER)
    assert len({row["name"] for row in rows}) == ROWS
    assert [row["name"] for row in rows] == [row["name"] for row in again]
    assert not any(row["name"] == truth[0] for row, truth in zip(rows, people(), strict=True))
    text = (folder / "release.evidence.json").read_text()
    assert (folder / "secret.key").read_text().strip() not in text
    assert "P001" not in text


@pytest.mark.slow
def test_a_vault_stands_beside_the_plan_and_leads_back(folder):
    write_key(folder / "secret.key", RandomBits.from_os())
    parameters = {"key_file": "secret.key", "vault_file": "names.vault"}
    plan = write_plan(folder, [{"method": "columns/vault", "columns": ["name"], "parameters": parameters}])
    _, rows = released(folder, plan)
    vault = open_vault(folder / "names.vault", folder / "secret.key")
    assert [vault.originals[row["name"]] for row in rows] == [truth[0] for truth in people()]
    parameters["vault_file"] = "other.csv"
    plan = write_plan(folder, [{"method": "columns/vault", "columns": ["name"], "parameters": parameters}])
    with DuckDB() as engine, pytest.raises(PolicyRefused, match="is the input"):
        protect_plan(plan, engine, folder / "other.csv")


@pytest.mark.slow
def test_guarantees_are_about_what_is_published(folder):
    """A matrix that publishes one value for everybody leaves no diversity, whatever the truth was."""
    flat = {"categories": ["flu", "cold", "cough"], "matrix": [[1, 0, 0], [1, 0, 0], [1, 0, 0]]}
    diverse = [{"k-anonymity": {"k": 5}}, {"l-diversity": {"l": 2, "kind": "distinct", "column": "illness"}}]
    plain = write_plan(folder, [], guarantees=diverse)
    assert released(folder, plain)[0].holds
    plan = write_plan(
        folder, [{"method": "columns/pram", "columns": ["illness"], "parameters": flat}], guarantees=diverse
    )
    with pytest.raises(CannotGuarantee):
        released(folder, plan, "flat.csv")
    assert not (folder / "flat.csv").exists()


@pytest.mark.slow
def test_a_treated_sensitive_column_is_checked_and_checks_again_from_the_file(folder):
    pram = {"categories": ["flu", "cold", "cough", "mumps"], "epsilon": 0.5}
    guarantees = [{"k-anonymity": {"k": 5}}, {"t-closeness": {"t": 0.5, "distance": "equal", "column": "illness"}}]
    plan = write_plan(
        folder, [{"method": "columns/pram", "columns": ["illness"], "parameters": pram}], guarantees=guarantees
    )
    release, rows = released(folder, plan)
    assert {row["illness"] for row in rows} == {"flu", "cold", "cough", "mumps"}
    with DuckDB() as engine:
        checked = check_file(plan, file_source(folder / "release.csv", delimiter=";"), engine)
    assert checked.holds
    assert [one.measured for one in checked.promises] == pytest.approx([one.measured for one in release.promises])


@pytest.mark.slow
def test_a_seed_repeats_a_release_which_then_says_so(folder):
    treatments = [{"method": "columns/noise", "columns": ["income"], "parameters": {"share": 0.1}}]
    release, rows = released(folder, write_plan(folder, treatments, seed=7))
    assert any("made from a seed" in note and "may not be published" in note for note in release.notes)
    assert not any("operating system" in note for note in release.notes)
    assert released(folder, write_plan(folder, treatments, seed=7), "b.csv")[1] == rows
    assert released(folder, write_plan(folder, treatments, seed=8), "c.csv")[1] != rows
    fresh, other = released(folder, write_plan(folder, treatments), "d.csv")
    assert other != rows
    assert not any("seed" in note for note in fresh.notes)


@pytest.mark.slow
def test_columns_that_steer_are_read_and_not_changed(folder):
    treatments = [{"method": "columns/shuffle", "columns": ["income"], "parameters": {"given": ["age", "illness"]}}]
    _, rows = released(folder, write_plan(folder, treatments))
    assert sorted(int(row["income"]) for row in rows) == sorted(int(truth[4]) for truth in people())
    assert [row["illness"] for row in rows] == [truth[3] for truth in people()]


@pytest.mark.slow
@pytest.mark.parametrize("suppressed", ["star", "omit"])
def test_suppressed_rows_keep_no_treated_sensitive_cell(folder, suppressed):
    with (folder / "people.csv").open("w", newline="") as file:
        csv.writer(file, delimiter=";").writerows([HEADER, *people(), ("Q", "20", "west", "flu", "1", "1")])
    pram = {"categories": ["flu", "cold", "cough"], "epsilon": 1}
    treatments = [{"method": "columns/pram", "columns": ["illness"], "parameters": pram}]
    write_plan(folder, treatments, suppression=0.01, suppressed=suppressed)
    form = yaml.safe_load((folder / "plan.yaml").read_text())
    form["columns"]["town"]["maximum"] = 0
    (folder / "plan.yaml").write_text(yaml.safe_dump(form, sort_keys=False))
    release, rows = released(folder, load_plan(folder / "plan.yaml"))
    assert release.body.suppressed.rows == 1
    assert len(rows) == ROWS + (suppressed == "star")
    assert [row["illness"] for row in rows if row["town"] not in ("north", "south")] == ["*"] * (suppressed == "star")
    assert "Guarantees before and after" in " ".join(release.notes)


@pytest.mark.slow
def test_people_with_several_rows_and_a_pseudonym_are_counted(folder):
    with (folder / "people.csv").open("w", newline="") as file:
        csv.writer(file, delimiter=";").writerows([HEADER, *people(), *people()[:200]])
    treatments = [{"method": "columns/pseudonym", "columns": ["name"]}]
    plan = write_plan(folder, treatments)
    (folder / "plan.yaml").write_text((folder / "plan.yaml").read_text() + "unit: name\n")
    release, rows = released(folder, load_plan(folder / "plan.yaml"))
    assert plan.release.treatments
    assert release.body.counted == "people"
    assert release.body.risk_after.people == ROWS
    assert len({row["name"] for row in rows}) == ROWS


@pytest.mark.parametrize(
    ("treatment", "words"),
    [
        ({"method": "columns/rounding", "columns": ["age"], "parameters": {"base": 5}}, "'age' is a quasi-identifier"),
        ({"method": "columns/rounding", "columns": ["name"], "parameters": {"base": 5}}, "'name' is an identifier"),
        (
            {"method": "columns/rounding", "columns": ["height"], "parameters": {"base": 5}},
            "'height', which is not a column",
        ),
        ({"method": "columns/rounding", "columns": ["income"], "parameters": {"base": 0}}, "base"),
        ({"method": "columns/rounding", "columns": []}, "columns"),
        ({"method": "tables/lattice", "columns": ["income"]}, "does not treat columns"),
        ({"method": "columns/sample", "columns": ["income"], "parameters": {"size": 3}}, "does not treat columns"),
        ({"method": "tables/surely-unknown", "columns": ["income"]}, "there is no method"),
        (
            {"method": "columns/shuffle", "columns": ["income"], "parameters": {"given": ["height"]}},
            "'height', which is no",
        ),
    ],
)
def test_impossible_treatments_are_refused_before_any_work(folder, treatment, words):
    with pytest.raises(BadParameter, match=words):
        released(folder, write_plan(folder, [treatment]))
    assert not (folder / "release.csv").exists()


def test_a_seed_that_nothing_draws_from_is_refused(folder):
    with pytest.raises(BadParameter, match="no sample or treatment that would draw from it"):
        released(folder, write_plan(folder, [], seed=1))


def test_a_column_is_treated_once_and_must_hold_what_is_treated(folder):
    rounding = {"method": "columns/rounding", "columns": ["income"], "parameters": {"base": 5}}
    with pytest.raises(BadParameter, match="'income' is treated twice"):
        released(folder, write_plan(folder, [rounding, {"method": "columns/mask", "columns": ["income"]}]))
    with pytest.raises(BadData, match="works on numbers; column 'illness' has cells that are not numbers") as caught:
        released(folder, write_plan(folder, [{**rounding, "columns": ["illness"]}]))
    assert not any(word in str(caught.value) for word in ("flu", "cold", "cough"))


@pytest.mark.slow
def test_in_memory_and_other_types_keep_their_kind():
    frame = pa.table(
        {
            "age": pa.array([20 + i % 20 for i in range(200)], pa.int32()),
            "income": pa.array([i / 4 if i % 10 else None for i in range(200)], pa.float64()),
            "visits": pa.array([i % 7 for i in range(200)], pa.int64()),
        }
    )
    dataset = tacit.read(frame, {"age": "quasi-identifier", "income": "insensitive", "visits": "insensitive"})
    treatments = [
        {"method": "columns/rounding", "columns": ["income"], "parameters": {"base": 0.5}},
        {"method": "columns/rank-swap", "columns": ["visits"], "parameters": {"percent": 50}},
    ]
    made = tacit.protect(dataset, [tacit.KAnonymity(k=5)], treatments=treatments)
    assert made.data.schema.field("income").type == pa.float64()
    assert pa.types.is_integer(made.data.schema.field("visits").type)
    assert made.data.column("income").null_count == 20
    assert sorted(made.data.column("visits").to_pylist()) == sorted(frame.column("visits").to_pylist())
    shown = made.data.column("income").to_pylist()
    assert shown[1:4] == [0.5, 0.5, 1.0]


@pytest.mark.slow
@pytest.mark.parametrize("form", ["csv", "parquet", "frame"])
def test_cells_come_and_go_in_the_order_of_the_rows(tmp_path, form):
    rows = 300_000
    table = pa.table({"i": pa.array(np.arange(rows)), "t": pa.array([f"v{i % 1000}" for i in range(rows)])})
    if form == "csv":
        import pyarrow.csv

        pyarrow.csv.write_csv(table, tmp_path / "x.csv")
        source = file_source(tmp_path / "x.csv")
    elif form == "parquet":
        pq.write_table(table, tmp_path / "x.parquet", row_group_size=10_000)
        source = file_source(tmp_path / "x.parquet")
    else:
        source = Source("frame", frame=table)
    with DuckDB(threads=4) as engine:
        cells = engine.cells(source, ("i", "t"))
        assert cells.column("i").to_pylist() == [str(i) for i in range(rows)]
        replaced = engine.replaced(source, columns_of({"t": Numbers(np.arange(rows) / 2.0)}))
        assert replaced.name == source.name
        back = engine.cells(replaced, ("i", "t"))
    assert back.column("i").to_pylist() == cells.column("i").to_pylist()
    assert [float(cell) for cell in back.column("t").to_pylist()] == [i / 2 for i in range(rows)]


def test_rows_that_came_later_keep_none_of_their_own_cells(tmp_path):
    source = Source("frame", frame=pa.table({"t": ["secret"] * 4}))
    with DuckDB() as engine:
        replaced = engine.replaced(source, columns_of({"t": categories_of(["a", "", "b"])}))
        assert engine.cells(replaced, ("t",)).column("t").to_pylist() == ["a", "", "b", ""]
        folder = engine._folder
        assert replaced.path is not None
        assert replaced.path.is_relative_to(folder)
    assert not folder.exists()


@pytest.mark.slow
def test_a_database_keeps_its_declared_types(tmp_path):
    with closing(sqlite3.connect(tmp_path / "p.sqlite")) as database:
        database.execute("create table people (age integer, income integer, weight real)")
        rows = [(20 + i % 20, 10 * i + 3, i / 2) for i in range(200)]
        database.executemany("insert into people values (?, ?, ?)", rows)
        database.commit()
    dataset = tacit.read(
        tmp_path / "p.sqlite", {"age": "quasi-identifier", "income": "insensitive", "weight": "insensitive"}
    )
    treatments = [{"method": "columns/rounding", "columns": ["income"], "parameters": {"base": 10}}]
    tacit.protect(dataset, [tacit.KAnonymity(k=5)], treatments=treatments, output=tmp_path / "r.sqlite")
    with closing(sqlite3.connect(tmp_path / "r.sqlite")) as database:
        found = database.execute("select typeof(income), income, typeof(weight), weight from release").fetchall()
    assert found == [("integer", 10 * i, "real", i / 2) for i in range(200)]


@pytest.mark.slow
def test_the_plan_in_the_evidence_has_the_treatments(folder):
    treatments = [{"method": "columns/rounding", "columns": ["income"], "parameters": {"base": 100}}]
    released(folder, write_plan(folder, treatments))
    evidence = json.loads((folder / "release.evidence.json").read_text())
    assert evidence["recipe"]["plan"]["release"]["treatments"] == treatments
    report = (folder / "release.report.html").read_text()
    assert "treated by columns/rounding" in report
