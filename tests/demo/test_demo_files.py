"""The files of the sample: hierarchies that fit the register, a plan that is valid and can be kept.

Covers demo/files, demo/hospital.
"""

from collections import Counter, defaultdict
from pathlib import Path

import pyarrow as pa
import pyarrow.csv
import pytest
import yaml

from tacit.data.tables.hierarchies.files import read_hierarchy
from tacit.demo import illness, population, register, work, write_demo
from tacit.demo.files import DATA_FILE, HIERARCHIES, PLAN_FILE
from tacit.plan.schema import PlanFile

LEAVES = {
    "sex": ("female", "male"),
    "marital_status": population.MARITAL,
    "education": work.EDUCATION,
    "occupation": work.OCCUPATIONS,
    "country_of_birth": (population.NATIVE, *population.ABROAD),
    "diagnosis": illness.CODES,
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("sample") / "new" / "demo"
    assert write_demo(folder) == folder / PLAN_FILE
    return folder


@pytest.fixture(scope="module")
def plan(folder):
    return PlanFile.parse("plan", yaml.safe_load((folder / PLAN_FILE).read_text(encoding="utf-8")))


def paths(folder: Path, column: str) -> dict[str, list[str]]:
    lines = (folder / "hierarchies" / f"{column}.csv").read_text(encoding="utf-8").splitlines()
    return {line.split(";")[0]: line.split(";") for line in lines}


def test_csv_holds_the_register(folder):
    table = register()
    options = pyarrow.csv.ConvertOptions(
        column_types={field.name: field.type for field in table.schema}, strings_can_be_null=True
    )
    read = pyarrow.csv.read_csv(folder / DATA_FILE, convert_options=options)
    assert read.equals(table)


def test_writing_twice_changes_nothing(folder):
    before = {path: path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}
    write_demo(folder)
    assert {path: path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()} == before
    assert {path.relative_to(folder).as_posix() for path in before} == {
        DATA_FILE,
        PLAN_FILE,
        *(f"hierarchies/{name}.csv" for name in HIERARCHIES),
    }


@pytest.mark.parametrize("column", HIERARCHIES)
def test_hierarchies_have_a_leaf_for_every_value_that_can_be_drawn(folder, column):
    hierarchy = read_hierarchy(folder / "hierarchies" / f"{column}.csv", column)
    assert sorted(hierarchy.leaves) == sorted(LEAVES[column])
    assert hierarchy.labels[-1] == ("*",)
    assert all(len(labels) > 1 for labels in hierarchy.labels[:-1])


def test_diagnoses_lie_in_their_block_and_chapter(folder):
    for code, block, chapter, root in paths(folder, "diagnosis").values():
        first, last = block.split("-")
        assert first <= code <= last
        low, high = chapter.split(" ")[0].split("-")
        assert low <= first <= last <= high
        assert root == "*"


@pytest.mark.slow
def test_plan_names_every_column_of_the_file(folder, plan):
    header = (folder / DATA_FILE).read_text(encoding="utf-8").splitlines()[0].split(",")
    assert list(plan.columns) == header == register(people=1).column_names
    roles = Counter(column.role for column in plan.columns.values())
    assert roles == {"identifier": 4, "quasi-identifier": 7, "sensitive": 1, "insensitive": 1}
    assert (folder / plan.data.path).exists()


@pytest.mark.slow
def test_plan_can_be_kept_without_losing_everything(folder, plan):
    """A release by hand within the plan's limits: decade, sex, zone, at work or not, born here or abroad."""
    (first, second), limit = plan.release.guarantees, plan.release.suppression
    work_of, country_of = paths(folder, "occupation"), paths(folder, "country_of_birth")
    classes = defaultdict(list)
    rows = register().to_pylist()
    for row in rows:
        job = work_of[row["occupation"]][3] if row["occupation"] else ""
        zone = row["postal_code"][0] if row["postal_code"] else ""
        key = (row["birth_date"].year // 10, row["sex"], zone, job, country_of[row["country_of_birth"]][3])
        classes[key].append(row["diagnosis"])
    k, l = first["k-anonymity"]["k"], second["l-diversity"]["l"]  # noqa: E741
    kept = [secrets for secrets in classes.values() if len(secrets) >= k and len(set(secrets)) >= l]
    assert len(rows) - sum(map(len, kept)) <= limit * len(rows)
    assert len(kept) > 50


@pytest.mark.slow
def test_plan_can_not_be_kept_by_doing_nothing(plan):
    quasi = [name for name, column in plan.columns.items() if column.role == "quasi-identifier"]
    sizes = Counter(tuple(row[name] for name in quasi) for row in register().select(quasi).to_pylist())
    assert max(sizes.values()) < plan.release.guarantees[0]["k-anonymity"]["k"]


def test_types_of_the_register():
    schema = register(people=3).schema
    assert schema.field("birth_date").type == pa.date32()
    assert schema.field("length_of_stay").type == pa.int64()
