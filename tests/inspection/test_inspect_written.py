"""Inferred hierarchies are written out: what a file says is what is inferred, and nobody's edits are lost.

Covers inspection/written, proposals, examine, look, cli/inspect.
"""

import json
import random
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from tests.cli.commands import run_here
from tests.inspection.inspected_columns import profile_of

import tacit
from tacit.data.tables.hierarchies import infer_hierarchy, read_hierarchy
from tacit.inspection.roles import suggest
from tacit.inspection.suggestion import Suggestion
from tacit.inspection.written import (
    FEWEST_VALUES,
    MOST_FILES,
    hierarchy_files,
    inferred_hierarchies,
    with_files,
    written_files,
)
from tacit.runs.files import input_files

TOWNS = [f"{letter}{end}" for letter in "ABCDEFGHIJK" for end in ("ton", "ham", "burgh")]
WARDS = ["north wing", "south wing", "cellar", "loft", 'so-called "annex"', "a;b"]


@pytest.fixture
def people(tmp_path: Path) -> Path:
    draw = random.Random(5)
    rows = [(draw.choice(TOWNS), draw.choice(WARDS), draw.choice("mf"), draw.choice("xyz")) for _ in range(300)]
    lines = [
        "town,ward,sex,religion",
        *(f'{town},"{ward.replace(chr(34), chr(34) * 2)}",{a},{b}' for town, ward, a, b in rows),
    ]
    (tmp_path / "people.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return tmp_path / "people.csv"


def columns_of(plan: Path) -> dict:
    return yaml.safe_load(plan.read_text(encoding="utf-8"))["columns"]


def test_a_draft_names_the_files_and_shows_no_value(people, capsys):
    done = run_here(capsys, "inspect", people)
    plan = people.with_name("people.plan.yaml")
    assert done.code == 0
    assert "2 inferred hierarchies are written out in" in done.out
    assert columns_of(plan)["town"]["hierarchy"] == "people.hierarchies/town.csv"
    assert columns_of(plan)["ward"]["hierarchy"] == "people.hierarchies/ward.csv"
    assert columns_of(plan)["sex"]["hierarchy"] == {"infer": True}
    shown = done.out.replace(str(people.parent), "") + plan.read_text(encoding="utf-8")
    assert not [value for value in (*TOWNS, *WARDS) if value in shown]


def test_only_the_owner_may_read_what_holds_values(people, capsys):
    run_here(capsys, "inspect", people)
    folder = people.with_name("people.hierarchies")
    assert {path.name: path.stat().st_mode & 0o777 for path in folder.iterdir()} == {
        "town.csv": 0o600,
        "ward.csv": 0o600,
    }
    assert sorted(path.name for path in people.parent.iterdir()) == [
        "people.csv",
        "people.hierarchies",
        "people.plan.yaml",
    ]


def test_json_lists_the_files(people, capsys):
    found = json.loads(run_here(capsys, "inspect", people, "--json").out)
    assert [Path(path).name for path in found["hierarchies"]] == ["town.csv", "ward.csv"]


@pytest.mark.slow
@pytest.mark.parametrize("method", ["tables/lattice", "tables/mondrian"])
def test_a_draft_with_files_makes_the_release_that_inferring_makes(people, capsys, method):
    run_here(capsys, "inspect", people)
    plan = people.with_name("people.plan.yaml")
    named = yaml.safe_load(plan.read_text(encoding="utf-8"))
    named["release"]["method"] = method
    inferred = {
        **named,
        "columns": {
            k: {**v, **({"hierarchy": {"infer": True}} if "hierarchy" in v else {})}
            for k, v in named["columns"].items()
        },
    }
    for name, form in (("a", named), ("b", inferred)):
        people.with_name(f"{name}.yaml").write_text(yaml.safe_dump(form), encoding="utf-8")
        assert (
            run_here(capsys, "protect", people.with_name(f"{name}.yaml"), "-o", people.with_name(f"{name}.csv")).code
            == 0
        )
    by_files, by_inferring = (people.with_name(name).read_text().splitlines() for name in ("a.csv", "b.csv"))
    assert sorted(by_files) == sorted(by_inferring)


def test_nothing_edited_is_replaced_unasked(people, capsys):
    run_here(capsys, "inspect", people)
    plan, edited = people.with_name("people.plan.yaml"), people.with_name("people.hierarchies") / "ward.csv"
    edited.write_text("mine", encoding="utf-8")
    plan.unlink()
    refused = run_here(capsys, "inspect", people)
    assert refused.code == 5
    assert "already exists" in refused.err
    assert edited.read_text(encoding="utf-8") == "mine"
    assert not plan.exists()
    assert run_here(capsys, "inspect", people, "-o", people.with_name("other.plan.yaml")).code == 0
    assert edited.read_text(encoding="utf-8") == "mine"
    assert run_here(capsys, "inspect", people, "--force").code == 0
    assert edited.read_text(encoding="utf-8") != "mine"


def test_an_inspection_in_python_has_the_same_hierarchies_and_shows_no_value(people, capsys, tmp_path):
    run_here(capsys, "inspect", people)
    look = tacit.inspect(people)
    assert set(look.hierarchies) == {"town", "ward"}
    for name, hierarchy in look.hierarchies.items():
        written = read_hierarchy(people.with_name("people.hierarchies") / f"{name}.csv", name)
        assert written.labels == hierarchy.labels
        assert (written.codes == hierarchy.codes).all()
    assert not any(value in repr(look.hierarchies) + repr(look) for value in (*TOWNS, *WARDS))
    dataset = tacit.read(people, look)
    assert input_files(dataset) == (people,)


texts = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1, max_size=5)


@given(st.lists(texts, min_size=FEWEST_VALUES, max_size=60, unique=True))
def test_what_is_written_is_what_is_inferred(tmp_path_factory, values):
    profile = profile_of("x", values)
    guess = Suggestion("quasi-identifier", "r", "category", {"infer": True})
    found = inferred_hierarchies([profile], {"x": guess}, {"x": values})
    path = tmp_path_factory.getbasetemp() / "written.csv"
    path.write_bytes(written_files(found)["x.csv"].encode())
    back, inferred = read_hierarchy(path, "x"), infer_hierarchy("x", values).hierarchy
    assert (back.labels, back.codes.tolist()) == (inferred.labels, inferred.codes.tolist())


@given(st.lists(st.text(max_size=80), max_size=12, unique=True))
def test_names_of_files_are_plain_and_differ(columns):
    hierarchy = infer_hierarchy("x", ["a", "b", "c", "d"]).hierarchy
    names = list(hierarchy_files(dict.fromkeys(columns, hierarchy)).values())
    assert len({name.casefold() for name in names}) == len(columns)
    assert all(Path(name).name == name and not name.startswith(".") and len(name) < 80 for name in names)
    assert not any(character in name for name in names for character in '/\\:*?"<>| \n')


@pytest.mark.parametrize(
    ("profile", "written"),
    [
        (profile_of("ward", ["a", "b", "c", "d"] * 9), True),
        (profile_of("ward", ["a", "b", "c"] * 9), False),
        (profile_of("ward", ["a", "b", "c", "d\0"] * 9), False),
        (profile_of("age", [str(i) for i in range(50)] * 9), False),
        (profile_of("religion", ["a", "b", "c", "d"] * 9), False),
        (profile_of("ward", [f"{'abc'[i % 3]}{'x' * (i // 3)}" for i in range(1500)] * 9), False),
    ],
)
def test_which_are_written(profile, written):
    assert bool(inferred_hierarchies([profile], {profile.name: suggest(profile)}, {})) == written


def test_a_wide_table_does_not_become_thousands_of_files():
    profiles = [profile_of(f"ward {i}", ["a", "b", "c", "d"] * 9) for i in range(MOST_FILES + 5)]
    suggestions = {profile.name: suggest(profile) for profile in profiles}
    found = inferred_hierarchies(profiles, suggestions, {})
    assert len(found) == MOST_FILES
    named = with_files(suggestions, found, "f")
    assert sum("file" in guess.hierarchy for guess in named.values()) == MOST_FILES
    assert sum("infer" in guess.hierarchy for guess in named.values()) == 5
