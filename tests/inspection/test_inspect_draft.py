"""Drafts: any YAML reader gets back what was meant, whatever the columns are called, and the plan is valid.

Covers draft.
"""

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from tacit.inspection.draft import DraftParts, draft_plan
from tacit.inspection.suggestion import Suggestion
from tacit.plan.schema import PlanFile
from tacit.visible import visible

SOURCE = {"path": "people.csv", "delimiter": ";"}
AWKWARD = [
    "yes", "No", "null", "~", "", " ", "12", "1e3", "0x1f", "1_000", "12:30:45", "2020-01-01", "a: b", "key:", "a #b",
    "#c", "it's", 'say "x"', "[a", "{b", "a,b", "*", "&a", "!t", "%d", "@x", "`y", "- x", "-", "?", "? k", ":", "=",
    "<<", "|", ">", "new\nline", "tab\t", "\r", "\x00", "\x07", "\x85", "\u2028", "\ufeff", "ü", "姓名", "😀", "\u00a0",
    " lead", "trail ", "x" * 3000,
]  # fmt: skip

suggestions = st.builds(
    Suggestion,
    role=st.sampled_from(["identifier", "quasi-identifier", "sensitive", "insensitive"]),
    reason=st.text(),
    kind=st.just("category"),
    hierarchy=st.sampled_from(
        [
            None,
            {"infer": True},
            {"mask": 5},
            {"dates": ["month", "year"], "format": "%d.%m.%Y"},
            {"intervals": [0.5, 1, 5]},
        ]
    ),
    distinct=st.integers(0, 10),
)


def fields(suggestion):
    return {"role": suggestion.role} | ({"hierarchy": suggestion.hierarchy} if suggestion.hierarchy else {})


@pytest.mark.slow
@given(st.dictionaries(st.text() | st.sampled_from(AWKWARD), suggestions, max_size=8))
def test_round_trip(columns):
    text = draft_plan(SOURCE, DraftParts(columns))
    plan = yaml.safe_load(text)
    assert plan["version"] == 1
    assert plan["data"] == SOURCE
    assert plan["unit"] is None
    assert list(plan["columns"]) == list(columns)
    assert plan["columns"] == {name: fields(suggestion) for name, suggestion in columns.items()}
    assert plan["release"] == {
        "guarantees": [
            {"k-anonymity": {"k": 5}},
            *(
                {"l-diversity": {"l": min(3, suggestion.distinct), "kind": "distinct", "column": name}}
                for name, suggestion in columns.items()
                if suggestion.role == "sensitive" and suggestion.distinct >= 2
            ),
        ],
        "method": "auto",
        "suppression": 0.02,
        "objective": "loss",
        "shuffle": True,
    }
    if columns:
        assert list(PlanFile.parse("plan", plan).columns) == list(columns)


def test_formulas_are_guarded_by_removing_one_sign():
    columns = {"age": Suggestion("quasi-identifier", "a number", "number")}
    text = draft_plan(SOURCE, DraftParts(columns))
    assert not PlanFile.parse("plan", yaml.safe_load(text)).release.guard_formulas
    guarded = text.replace("# guard_formulas", "guard_formulas")
    assert PlanFile.parse("plan", yaml.safe_load(guarded)).release.guard_formulas


@pytest.mark.parametrize("name", AWKWARD)
def test_awkward_names(name):
    columns = {
        name: Suggestion("sensitive", "because", "health", None, 4),
        "other": Suggestion("identifier", "as", "name"),
    }
    plan = yaml.safe_load(draft_plan({"path": name or "x"}, DraftParts(columns)))
    assert list(plan["columns"]) == [name, "other"]
    assert plan["release"]["guarantees"][1]["l-diversity"]["column"] == name
    assert plan["data"]["path"] == (name or "x")


def test_what_acts_in_a_name_is_written_as_an_escape():
    name = "a\u202eb\u2066\xad\U000e0041"
    text = draft_plan({"path": name}, DraftParts({name: Suggestion("insensitive", "r", "category")}))
    assert r'"a\u202eb\u2066\xad\U000E0041": {role: insensitive}' in text
    assert visible(text, keep="\n") == text
    plan = yaml.safe_load(text)
    assert list(plan["columns"]) == [plan["data"]["path"]] == [name]


def test_every_column_has_its_reason_on_its_line():
    columns = {
        "age": Suggestion("quasi-identifier", "an age: known to many", "age", {"intervals": [5, 10, 20]}, 70),
        "mail": Suggestion("identifier", "looks like\nan e-mail address", "email", None, 70),
    }
    lines = draft_plan(SOURCE, DraftParts(columns)).splitlines()
    assert sum(line.endswith("# an age: known to many") and "  age:" in line for line in lines) == 1
    assert sum(line.endswith("# looks like an e-mail address") and "  mail:" in line for line in lines) == 1


def test_simple_names_stay_plain():
    text = draft_plan(SOURCE, DraftParts({"birth_date": Suggestion("identifier", "r", "name")}))
    assert "\n  birth_date: {role: identifier}  # r\n" in text


def test_no_columns():
    assert yaml.safe_load(draft_plan(SOURCE, DraftParts({})))["columns"] == {}


@pytest.mark.parametrize("role", ["sensitive", "quasi-identifier"])
def test_a_draft_without_a_secret_says_that_it_promises_nothing_about_secrets(role):
    text = draft_plan(SOURCE, DraftParts({"town": Suggestion(role, "x", "category", distinct=5)}))
    assert ("# No column looks sensitive" in text) == (role != "sensitive")
