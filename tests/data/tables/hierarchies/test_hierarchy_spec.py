"""The forms in which a plan declares a hierarchy: each survives YAML and JSON, nothing breaks the parser.

Covers hierarchies/spec.
"""

import contextlib
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, TypeAdapter

from tacit.data.tables.hierarchies import HierarchySpec, build_hierarchy, parse_spec, spec_form
from tacit.data.tables.hierarchies.files import FileSpec
from tacit.data.tables.hierarchies.spec import KINDS
from tacit.errors import BadData, BadParameter, TacitError

FORMS = [
    "ages.csv",
    {"file": "ages.csv", "delimiter": ","},
    {"intervals": [5, 10, 20]},
    {"intervals": [0.5, 1], "from": 0, "to": 120, "origin": 0.25},
    {"mask": True},
    {"mask": 5, "side": "left"},
    {"mask": [2, 4]},
    {"dates": ["month", "year"]},
    {"dates": ["year"], "format": "%d.%m.%Y"},
    {"order": [3, 9]},
    {"order": [2], "values": ["low", "high"]},
    {"tree": {"A": ["x", "y"], "B": None}},
    {"tree": ["x", "y"]},
    {"infer": True},
]


class Column(BaseModel):
    hierarchy: HierarchySpec | None = None


@pytest.mark.parametrize("form", FORMS, ids=str)
def test_a_form_survives_parsing_yaml_and_json(form: Any) -> None:
    spec = parse_spec("x", form)
    assert spec_form(spec) == form
    assert parse_spec("x", yaml.safe_load(yaml.safe_dump(spec_form(spec)))) == spec
    column = Column(hierarchy=form)
    assert column.hierarchy == spec
    assert Column.model_validate_json(column.model_dump_json(by_alias=True)) == column
    assert parse_spec("x", spec) is spec


def test_a_spec_is_frozen() -> None:
    spec = parse_spec("x", "ages.csv")
    assert isinstance(spec, FileSpec)
    with pytest.raises(ValueError, match="frozen"):
        spec.file = "other.csv"  # type: ignore[misc]


@pytest.mark.parametrize("form", [None, 5, True, [], {}, {"width": 5}, {"mask": 1, "intervals": [5]}], ids=str)
def test_exactly_one_kind_is_needed(form: object) -> None:
    with pytest.raises(
        BadParameter, match=r"columns\.age: a hierarchy is the path of a file or a mapping with exactly one"
    ):
        parse_spec("columns.age", form)


@pytest.mark.parametrize(
    "form", ["", {"file": ""}, {"file": 3}, {"file": "a", "delimiter": ";;"}, {"infer": False}], ids=str
)
def test_bad_options_are_refused(form: object) -> None:
    with pytest.raises(BadParameter, match=r"columns\.age"):
        parse_spec("columns.age", form)


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | st.dates(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3) | st.integers(), inner, max_size=3),
    max_leaves=6,
)


@pytest.mark.slow
@given(
    st.dictionaries(st.sampled_from([*KINDS, "from", "to", "origin", "side", "format", "values"]), anything) | anything
)
def test_no_form_breaks_the_parser(form: object) -> None:
    with contextlib.suppress(TacitError):
        spec = parse_spec("x", form)
        assert parse_spec("x", spec_form(spec)) == spec


@given(
    st.sampled_from([form for form in FORMS if isinstance(form, dict) and "file" not in form]),
    st.lists(st.text(max_size=4) | st.integers(-99, 99).map(str) | st.dates().map(str), max_size=8),
)
def test_built_hierarchies_place_every_value_or_say_why_not(form: dict[str, Any], values: list[str]) -> None:
    try:
        hierarchy = build_hierarchy("x", parse_spec("x", form), values, Path())
    except BadData as error:
        message = str(error)
    else:
        message = "column 'x'"
        assert hierarchy.place(values).size == len(values)
    assert message.startswith("column 'x'")


@pytest.mark.parametrize(
    "form", [{"intervals": [5]}, {"mask": 2}, {"dates": ["year"]}, {"order": [2]}, {"infer": True}], ids=str
)
def test_a_column_without_present_values(form: dict[str, Any]) -> None:
    spec = parse_spec("x", form)
    assert build_hierarchy("x", spec, [""], Path()).labels == (("",), ("*",))
    with pytest.raises(BadData, match="'x': it has no values to build a hierarchy from"):
        build_hierarchy("x", spec, [], Path())


def test_missing_gets_a_leaf_only_where_it_is_observed_and_has_none() -> None:
    tree = parse_spec("x", {"tree": {"known": ["a"], "unknown": [None, "?"]}})
    assert build_hierarchy("x", tree, ["a", ""], Path()).leaves == ("a", "", "?")
    plain = parse_spec("x", {"tree": ["a", "b"]})
    assert build_hierarchy("x", plain, ["a"], Path()).leaves == ("a", "b")
    assert build_hierarchy("x", plain, ["a", ""], Path()).leaves == ("a", "b", "")


def test_a_file_is_sought_beside_the_plan_and_named(tmp_path: Path) -> None:
    (tmp_path / "colours.csv").write_text("red;warm;*\nblue;cold;*\n", encoding="utf-8")
    spec = parse_spec("x", "colours.csv")
    assert build_hierarchy("colour", spec, ["blue", ""], tmp_path).leaves == ("red", "blue", "")
    with pytest.raises(BadData, match=r"'colour': 1 value has no place in hierarchy file 'colours.csv': 'aaaaa'"):
        build_hierarchy("colour", spec, ["green"], tmp_path)


def test_the_schema_names_every_kind() -> None:
    schema = TypeAdapter(HierarchySpec).json_schema()
    offered = {name for part in schema["$defs"].values() for name in part["properties"]}
    assert set(KINDS) <= offered
    assert {"type": "string"} in schema["anyOf"]
