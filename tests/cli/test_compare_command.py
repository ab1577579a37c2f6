"""`tacit compare`: options, table, JSON, page, exit codes.

Covers cli/compare.
"""

import json
from pathlib import Path

import pytest
from tests.cli.commands import run_here
from tests.runs.planned import form_of, names_in, write_plan

PEOPLE = [
    {"name": f"n{i}", "zip": f"{1000 + i % 7}", "age": str(20 + i % 11), "ill": "abc"[i % 3], "n": str(i)}
    for i in range(80)
]


@pytest.fixture
def plan(tmp_path: Path) -> Path:
    return write_plan(tmp_path, form_of(release={"suppression": 0.1}), PEOPLE)


@pytest.mark.slow
def test_the_table_the_page_and_what_to_write(plan: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ended = run_here(capsys, "compare", plan, "--methods", "lattice, tables/mondrian", "--set", "k-anonymity.k=2,3")
    assert ended.code == 0
    assert not ended.complaints
    lines = ended.out.splitlines()
    rows = [line for line in lines if line[3:].startswith("tables/") and "k=" in line]
    assert len(rows) == 4
    assert any(line.startswith("*") for line in rows)
    assert "no release is written" in lines[0]
    assert "and run `tacit protect plan.yaml`." in lines or "`tacit protect plan.yaml`." in ended.out
    assert names_in(plan.parent) == ["people.compare.html", "people.csv", "plan.yaml"]
    assert f"The map is in {plan.parent / 'people.compare.html'}" in lines


@pytest.mark.slow
def test_json_has_everything(plan: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = plan.parent / "map.html"
    words = ("--methods", "lattice,mondrian", "--vary", "--metrics", "loss,query-error", "--risk", "highest,average")
    ended = run_here(capsys, "compare", plan, *words, "--utility", "precision", "-o", page, "--json")
    found = json.loads(ended.out)
    assert ended.code == 0
    assert found["json"] == 1
    assert found["comparison"] == "tacit/comparison/1"
    assert found["page"] == str(page)
    assert page.exists()
    assert [row["settings"] for row in found["rows"]] == [{"k-anonymity.k": k} for k in (2, 3, 6)] * 2
    assert {axis["name"]: axis["better"] for axis in (*found["risk"], *found["utility"])} == {
        "highest": "lower",
        "average": "lower",
        "precision": "higher",
    }
    assert {"loss", "query-error", "precision"} == set(found["rows"][0]["metrics"])
    assert found["best"] in [row["name"] for row in found["rows"] if row["undominated"] and row["keeps_plan"]]


@pytest.mark.slow
def test_settings_are_read_as_in_a_plan(plan: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ("--set", "suppression=0, 0.25", "--set", "mondrian.mode=strict,relaxed")
    ended = run_here(capsys, "compare", plan, "--methods", "mondrian", *words, "--json")
    assert [row["settings"] for row in json.loads(ended.out)["rows"]] == [
        {"suppression": share, "mondrian.mode": mode} for share in (0, 0.25) for mode in ("strict", "relaxed")
    ]


def test_nothing_that_can_be_made_ends_with_one(plan: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ended = run_here(capsys, "compare", plan, "--methods", "lattice", "--set", "k-anonymity.k=81")
    assert ended.code == 1
    assert "not made: " in ended.out


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (("--methods", "tables/mondrain"), "did you mean 'tables/mondrian'?"),
        (("--methods", " , "), "no method is named"),
        (("--methods", "columns/pram"), "of the kind 'columns', not 'tables'"),
        (("--set", "k-anonymity.k"), "write NAME=VALUE,VALUE"),
        (("--set", "=3"), "write NAME=VALUE,VALUE"),
        (("--set", "k-anonymity.k="), "no value is given for k-anonymity.k"),
        (("--set", "k-anonymity.k=2", "--set", "k-anonymity.k=3"), "--set k-anonymity.k is given twice"),
        (("--set", "k-anonymity.k=many"), "k-anonymity: k: it must be a whole number"),
        (("--set", "k-anonymity.k={2"), "not valid YAML"),
        (("--risk", "los"), "risk figures are average"),
        (("--risk", ","), "risk: it has 0 entries; it must have at least 1"),
        (("-o", "compare.csv"), "give it a name that ends in .html"),
    ],
    ids=str,
)
def test_bad_options_are_explained(
    plan: Path, capsys: pytest.CaptureFixture[str], words: tuple[str, ...], complaint: str
) -> None:
    ended = run_here(capsys, "compare", plan, *words)
    assert ended.code == 3
    assert complaint in ended.err
    assert names_in(plan.parent) == ["people.csv", "plan.yaml"]


def test_the_plan_is_never_overwritten(plan: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = plan.rename(plan.with_name("plan.html"))
    text = page.read_text()
    ended = run_here(capsys, "compare", page, "--methods", "lattice", "-o", page)
    assert ended.code == 5
    assert page.read_text() == text
