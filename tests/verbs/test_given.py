"""Every verb takes a frame or a file with roles, a dataset, an inspection, or a plan, and finds the same.

Covers verbs/given, verbs/reading, verbs/datasets, verbs/attack, verbs/calls.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl
import pytest

import tacit
from tacit.data.dataset import Dataset
from tacit.errors import BadData, BadParameter

ROLES: dict[str, Any] = {
    "name": "identifier",
    "zip": {"role": "quasi-identifier", "hierarchy": {"mask": 4}},
    "age": {"role": "quasi-identifier", "hierarchy": {"intervals": [5, 10]}},
    "ill": "sensitive",
}
FRAME = pd.DataFrame(
    {
        "name": [f"p{i}" for i in range(12)],
        "zip": [str(1000 + i % 2) for i in range(12)],
        "age": [str(30 + i % 3) for i in range(12)],
        "ill": ["ab"[i % 2] for i in range(12)],
    }
)
K = tacit.KAnonymity(3)
PLAN = """
version: 1
data: {path: people.csv, delimiter: ";"}
columns:
  name: {role: identifier}
  zip: {role: quasi-identifier, hierarchy: {mask: 4}}
  age: {role: quasi-identifier, hierarchy: {intervals: [5, 10]}}
  ill: {role: sensitive}
release: {guarantees: [k-anonymity: {k: 3}]}
"""


@pytest.fixture
def plan(tmp_path: Path) -> Path:
    FRAME.to_csv(tmp_path / "people.csv", index=False, sep=";")
    (tmp_path / "plan.yaml").write_text(PLAN, encoding="utf-8")
    return tmp_path / "plan.yaml"


FORMS: dict[str, Callable[[Path], tuple[Any, dict[str, Any]]]] = {
    "pandas": lambda folder: (FRAME, {"columns": ROLES}),
    "polars": lambda folder: (pl.from_pandas(FRAME), {"columns": ROLES}),
    "file": lambda folder: (folder / "people.csv", {"columns": ROLES, "delimiter": ";"}),
    "text": lambda folder: (str(folder / "people.csv"), {"columns": ROLES, "delimiter": ";"}),
    "dataset": lambda folder: (tacit.read(FRAME, ROLES), {}),
    "inspection": lambda folder: (tacit.inspect(FRAME), {"columns": ROLES}),
    "inspected file": lambda folder: (tacit.inspect(folder / "people.csv", delimiter=";"), {"columns": ROLES}),
}


@pytest.mark.parametrize("form", FORMS)
def test_a_form_of_data_gives_the_same_dataset(form: str, plan: Path) -> None:
    data, more = FORMS[form](plan.parent)
    dataset = tacit.read(data, **more) if more else data
    assert isinstance(dataset, Dataset)
    assert {name: column.role for name, column in dataset.columns.items()} == {
        "name": "identifier",
        "zip": "quasi-identifier",
        "age": "quasi-identifier",
        "ill": "sensitive",
    }
    risk = tacit.measure(data, **more)
    assert (risk.people, risk.classes, risk.unique) == (12, 6, 0)
    assert not tacit.check(data, K, **more).holds
    assert tacit.tabulate(data, "zip", threshold=2, **more).published.tolist() == [6, 6, 12]


@pytest.mark.slow
@pytest.mark.parametrize("form", FORMS)
def test_a_form_of_data_gives_the_same_release(form: str, plan: Path) -> None:
    data, more = FORMS[form](plan.parent)
    made = tacit.protect(data, K, **more)
    assert made.release.measured[0].measured == 6
    assert tacit.compare(data, K, methods="tables/lattice", **more).made[0].metrics["loss"] == pytest.approx(
        made.release.body.metrics["loss"]
    )
    assert {one.attack for one in tacit.attack(data, made, **more).results} >= {"linkage"}


@pytest.mark.slow
def test_a_plan_is_data_and_says_what_to_do_with_it(plan: Path) -> None:
    dataset = tacit.read(plan)
    assert (dataset.source.delimiter, dataset.source.path) == (";", plan.parent / "people.csv")
    assert tacit.measure(str(plan)).people == 12
    assert [one.name for one in tacit.inspect(plan).profiles] == list(ROLES)
    assert tacit.tabulate(plan, ["zip"], threshold=2).published.tolist() == [6, 6, 12]
    assert not tacit.check(plan).holds
    made = tacit.protect(plan)
    assert made.output == plan.parent / "people.release.csv"
    assert made.data is None
    for beside in ("people.release.csv", "people.release.evidence.json", "people.release.report.html"):
        assert (plan.parent / beside).exists()
    assert tacit.check(made.output, plan=plan).holds
    assert tacit.check(pd.read_csv(made.output, sep=";", dtype=str), plan=str(plan)).holds
    assert tacit.compare(plan, methods="tables/lattice").best() is not None
    assert {one.attack for one in tacit.attack(plan).results} >= {"linkage"}


def test_nothing_is_said_beside_data_that_speaks_for_itself(plan: Path) -> None:
    dataset = tacit.read(FRAME, ROLES)
    with pytest.raises(BadParameter, match=r"given a dataset, which already says .*; leave out `columns`, `missing`"):
        tacit.measure(dataset, columns=ROLES, missing=["NA"])
    with pytest.raises(BadParameter, match=r"given a plan, .*; leave out `unit`"):
        tacit.read(plan, unit="name")
    with pytest.raises(BadParameter, match=r"given a plan, .*; leave out `guarantees`, `suppression`.*tacit.read"):
        tacit.protect(plan, K, suppression=0.1)
    with pytest.raises(BadParameter, match=r"given a plan, .*; leave out `suppression`"):
        tacit.compare(plan, suppression=0.1, vary=True)
    with pytest.raises(BadParameter, match="a plan already says what it promises"):
        tacit.check(plan, K)


def test_a_draft_carries_all_it_says(tmp_path: Path) -> None:
    """Roles, hierarchies and the way to read; what the call says replaces it."""
    FRAME.assign(ill=["NA", *FRAME["ill"][1:]]).to_csv(tmp_path / "people.csv", index=False, sep="|")
    look = tacit.inspect(tmp_path / "people.csv", delimiter="|", missing=["NA"])
    dataset = tacit.read(look)
    assert (dataset.source.delimiter, dataset.source.missing) == ("|", ("NA",))
    assert {name: column.role for name, column in dataset.columns.items()} == {
        name: guess.role for name, guess in look.suggestions.items()
    }
    assert all(
        (column.hierarchy is not None) == (look.suggestions[name].hierarchy is not None)
        for name, column in dataset.columns.items()
    )
    other = tacit.read(look, {"ill": "sensitive"}, unit="name", missing=["-"])
    assert (other.columns["ill"].role, other.unit, other.source.missing) == ("sensitive", "name", ("-",))
    FRAME.to_csv(tmp_path / "next.csv", index=False, sep="|")
    following = tacit.read(tmp_path / "next.csv", look)
    assert (following.source.path, following.source.delimiter) == (tmp_path / "next.csv", "|")
    assert following.source.missing == ("NA",)
    assert tacit.read(FRAME, look).columns == dataset.columns


def test_a_draft_is_protected_as_it_stands_or_with_what_is_said(tmp_path: Path) -> None:
    look = tacit.inspect(FRAME)
    drafted = tacit.protect(look)
    assert [one.name for one in drafted.release.measured] == ["k-anonymity", "l-diversity"]
    assert drafted.release.recipe.plan["release"]["suppression"] == 0.02
    stricter = tacit.protect(look, suppression=0.5)
    assert stricter.release.recipe.plan["release"]["suppression"] == 0.5
    own = tacit.protect(look, K)
    assert "suppression" not in own.release.recipe.plan["release"]
    assert not tacit.check(look).holds


GIVEN: list[Any] = [
    K,
    [K],
    (K,),
    {"k-anonymity": {"k": 3}},
    [{"k-anonymity": {"k": 3}}],
]


@pytest.mark.parametrize("given", GIVEN, ids=repr)
def test_guarantees_are_written_in_any_way(given: Any) -> None:
    found = tacit.check(FRAME, given, columns=ROLES)
    assert [(one.name, one.bound) for one in found.promises] == [("k-anonymity", 3)]


def test_several_guarantees_in_one_mapping_and_names_with_defaults() -> None:
    found = tacit.check(FRAME, {"k-anonymity": {"k": 2}, "l-diversity": {"l": 2}}, columns=ROLES)
    assert [one.name for one in found.promises] == ["k-anonymity", "l-diversity"]
    with pytest.raises(BadParameter, match="k-anonymity: k: it is missing; write it, because it has no default"):
        tacit.check(FRAME, "k-anonymity", columns=ROLES)
    with pytest.raises(BadParameter, match="there is no guarantee 'k-anonimity'; did you mean 'k-anonymity'"):
        tacit.check(FRAME, "k-anonimity", columns=ROLES)


@pytest.mark.parametrize(
    ("given", "says"),
    [
        (5, r"a value of type int is not a guarantee; write tacit.KAnonymity\(5\)"),
        ([5], "a value of type int is not a guarantee"),
        (tacit.KAnonymity, r"KAnonymity is a class of guarantees; give it its parameters, as in tacit.KAnonymity\(5\)"),
        (FRAME, "there is no guarantee 'name'|is not a guarantee"),
        (None, "needs a guarantee to check; give one"),
    ],
    ids=["number", "list", "class", "frame", "none"],
)
def test_what_is_no_guarantee_is_refused(given: Any, says: str) -> None:
    with pytest.raises(BadParameter, match=says):
        tacit.check(FRAME, given, columns=ROLES)


def test_the_unit_is_held_against_a_frame_at_once() -> None:
    frame = pd.DataFrame({"age": [1], "pid": [2]})
    roles = {"age": "quasi-identifier", "pid": "identifier"}
    with pytest.raises(
        BadParameter, match=r"^unit is 'pd', which is not a column of the data frame; did you mean 'pid"
    ):
        tacit.read(frame, roles, unit="pd")
    assert tacit.read(frame, roles, unit="pid").unit == "pid"
    assert tacit.read(frame, roles, unit="row").unit is None


def test_the_one_name_that_is_left_on_either_side_is_meant() -> None:
    frame = pd.DataFrame({"age": [1], "sex": ["f"]})
    with pytest.raises(BadData, match=r"`columns` has 'seks', which the data does not have; did you mean 'sex'\?$"):
        tacit.read(frame, {"age": "quasi-identifier", "seks": "quasi-identifier"})


def test_roles_are_held_against_a_frame_at_once() -> None:
    says = r"`columns` does not name a column of the data frame: 'zip'.*`columns` has 'zpi'.*did you mean 'zip'"
    with pytest.raises(BadData, match=says):
        tacit.read(FRAME, {**{name: role for name, role in ROLES.items() if name != "zip"}, "zpi": "insensitive"})
    with pytest.raises(BadData, match=r"the data frame does not have a column of `columns`: 'more'"):
        tacit.read(FRAME, {**ROLES, "more": "insensitive"})
    with pytest.raises(BadParameter, match=r"no column is called 'zpi' in the draft; did you mean 'zip'\?"):
        tacit.read(tacit.inspect(FRAME), {"zpi": "sensitive"})
    with pytest.raises(BadParameter, match=r"the columns are given as a list; give a role for each by its name"):
        tacit.read(FRAME, ["zip"])  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("frame", "says"),
    [
        (pd.DataFrame(), "the data frame has no columns; it needs at least one, with a name"),
        (pd.DataFrame({"": [1]}), "the data frame: column 1 has no name; give every column a name"),
        (pd.DataFrame({"age": []}), "the data frame has no rows, only column names"),
        (
            pd.DataFrame({"age": [2**70, 1]}),
            "the column 'age' of the data frame can't be read: it holds values of several",
        ),
    ],
    ids=["empty", "nameless", "no rows", "large"],
)
def test_a_frame_that_holds_nothing_or_too_much_is_explained(frame: Any, says: str) -> None:
    with pytest.raises(BadData) as wrong:
        tacit.inspect(frame)
    assert str(wrong.value).startswith(says)
    assert "first line" not in str(wrong.value)
    if len(frame.columns) and "" not in frame.columns:
        with pytest.raises(BadData):
            tacit.measure(frame, columns={"age": "quasi-identifier"})


def test_an_inspection_can_be_asked(tmp_path: Path) -> None:
    found = tacit.statistics.count(tacit.inspect(FRAME), epsilon=1, budget=tacit.PrivacyBudget(epsilon=1))
    assert found.spent["epsilon"] == 1


@pytest.mark.parametrize("verb", ["measure", "protect", "check", "compare"])
def test_a_frame_without_roles_is_told_what_to_add(verb: str) -> None:
    more = () if verb == "measure" else (K,)
    says = rf"`tacit.{verb}` was given a DataFrame, but nothing says what its columns are; add `columns="
    with pytest.raises(BadParameter, match=says):
        getattr(tacit, verb)(FRAME, *more)


def test_a_guarantee_takes_its_parameters_by_place_or_by_name() -> None:
    assert tacit.KAnonymity(5) == tacit.KAnonymity(k=5)
    with pytest.raises(BadParameter, match=r"KAnonymity was given 2 values without a name, and takes 1"):
        tacit.KAnonymity(5, 6)
    with pytest.raises(BadParameter, match=r"has no option 'supression'; did you mean 'suppression'\?"):
        tacit.protect(FRAME, K, columns=ROLES, supression=0.02)  # type: ignore[call-arg]


@pytest.mark.slow
def test_a_release_in_a_file_has_its_evidence_and_report_beside_it(tmp_path: Path) -> None:
    tacit.protect(FRAME, K, columns=ROLES, output=tmp_path / "out.csv")
    assert {path.name for path in tmp_path.iterdir()} == {"out.csv", "out.evidence.json", "out.report.html"}
