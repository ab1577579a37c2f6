"""Complaints about every field of a plan: they name the place and say what to write, in the words of a plan.

Covers tacit/complaints, tacit/places.
"""

from collections.abc import Iterator
from datetime import date
from types import UnionType
from typing import Annotated, Any, Union, get_args, get_origin

import pytest
from pydantic import BaseModel
from pydantic.fields import FieldInfo

from tacit.errors import BadParameter
from tacit.places import Notation, in_line
from tacit.plan.load import parse_plan
from tacit.plan.schema import PlanFile
from tacit.plan.strict_yaml import parse_yaml

Path = tuple[int | str, ...]
OF_PYTHON = ("valid tuple", "valid dictionary", "instance of", "after validation", "datetime.", "pydantic", "parse str")
BASE: dict[str, Any] = {"version": 1, "data": {"path": "people.csv"}}
WRONG: tuple[Any, ...] = (3, -1.5, "x", True, None, [], {}, [[]], [3], ["x"], [None], {"x": 3}, {"x": [3]}, {3: "x"})
WRONG += (date(1940, 1, 1), [date(1940, 1, 1), date(2000, 1, 1)])


def places(read_as: Any, path: Path = ()) -> Iterator[tuple[Path, FieldInfo]]:
    """The fields that may be written, by path; a mapping by name has the name `age`, a list one entry."""
    origin, args = get_origin(read_as), get_args(read_as)
    if isinstance(read_as, type) and issubclass(read_as, BaseModel):
        for name, field in read_as.model_fields.items():
            at = (*path, field.alias or name)
            yield at, field
            yield from places(field.annotation, at)
    elif origin in (Annotated, Union, UnionType):
        for part in args if origin is not Annotated else args[:1]:
            yield from places(part, path)
    elif origin is dict:
        yield from places(args[1], (*path, "age"))
    elif origin is tuple:
        yield from places(args[0], (*path, 0))


PLACES = {".".join(map(str, path)): (path, field) for path, field in places(PlanFile)}


def at_place(path: Path, value: Any) -> Any:
    """Mappings and lists around the value, so that it stands at the path."""
    for part in reversed(path):
        value = [value] if isinstance(part, int) else {part: value}
    return value


def complaints(path: Path, value: Any) -> str:
    """What is said of a plan with this value at the path; nothing where it is taken."""
    try:
        PlanFile.parse("my.yaml", {**BASE, **at_place(path, value)})
    except BadParameter as error:
        return str(error)
    return ""


def examples(field: FieldInfo) -> list[Any]:
    """What a field shows as its examples, as values."""
    stated = [parse_yaml(mark.text, "example") for mark in field.metadata if isinstance(mark, Notation)]
    return [*stated, *(field.examples or ())]


def test_all_sections_are_gone_through() -> None:
    for place in ("columns.age.bounds", "columns.age.hierarchy.from", "privacy.budget.epsilon", "release.treatments"):
        assert place in PLACES
    assert PLACES["release.treatments.0.columns"][0] == ("release", "treatments", 0, "columns")


@pytest.mark.parametrize("name", PLACES)
def test_no_complaint_has_the_words_of_python(name: str) -> None:
    path, _ = PLACES[name]
    for value in WRONG:
        said = complaints(path, value)
        assert not [words for words in OF_PYTHON if words in said], said


@pytest.mark.parametrize("name", [name for name, (_, field) in PLACES.items() if examples(field)])
def test_what_is_written_as_an_example_is_taken(name: str) -> None:
    """The example is what the message says, read as YAML; what else the plan lacks is complained of elsewhere."""
    path, field = PLACES[name]
    for example in field.examples or ():
        assert parse_yaml(in_line(example), "example") == example
    for example in examples(field):
        said = complaints(path, example)
        assert f"{name}:" not in said, said
        assert f"{name}." not in said, said


SAYS = {
    "categories: m": "columns.age.categories: it must be a list; write `categories: [m, f]` (found 'm')",
    "categories: []": "categories: it has 0 entries; it must have at least 1; write `categories: [m, f]`",
    "bounds: [0]": "columns.age.bounds.1: it is missing; write `bounds: [0, 120]`",
    "bounds: [0, 1, 2]": "bounds: it has 3 entries; it must have at most 2; write `bounds: [0, 120]`",
    "bounds: [1940-01-01, 9]": "bounds.0: it must be a number; write `bounds: [0, 120]` (found 1940-01-01)",
    "bounds: [a, 9]": "columns.age.bounds: a bound is a number, written without quotes, as in `bounds: [0, 120]`",
    "weight: 1.0e+308": "columns.age.weight: it must be at most 1000000",
    "weight: .inf": "columns.age.weight: it must be a finite number (found inf)",
    "decimals: few": "columns.age.decimals: it must be a whole number (found 'few')",
    "hierarchy: {intervls: [5]}": "columns.age.hierarchy: a hierarchy is the path of a file or a mapping with exactly "
    "one of file, intervals, mask, dates, order, tree, infer, ages, countries, icd10, postal, education, occupations, "
    "regions; did you mean 'intervals'?",
    "hierarchy: {intervals: [5], form: 0, to: 9}": "hierarchy.form: there is no such key; did you mean 'from'?",
    "hierarchy: {mask: 2, sied: left}": "hierarchy.sied: there is no such key; did you mean 'side'?",
    "hierarchy: {dates: year}": "hierarchy.dates: it must be a list; write `dates: [month, year, decade]`",
}
SAYS_OF_SECTIONS = {
    "privacy: {budget: 2}": "privacy.budget: it must be a mapping; write `budget: {epsilon: 1}` (found 2)",
    "privacy: {budget: {epsilon: 1}, contributions: 3}": "it must be a mapping; write `contributions: {rows: 3}`",
    "questions: {statistics/count: {epsilon: 1}}": "questions: it must be a list; write `questions: [statistics/mean: ",
    "questions: [count]": "questions.0: it must be a mapping; write `questions: [statistics/mean: {of: age",
    "questions: [{statistics/count: }]": "it must be a mapping; write `questions: [statistics/mean",
    "data: people.csv": "data: it must be a mapping; write `data: {path: people.csv}` (found 'people.csv')",
    "columns: {age: sensitive}": "columns.age: it must be a mapping; write `columns: {age: {role: quasi-identifier}}`",
    "release: {guarantees: k-anonymity}": "guarantees: it must be a list; write `guarantees: [k-anonymity: {k: 5}]`",
    "release: {guarantees: [k-anonymity], parameters: 3}": "it must be a mapping; write `parameters: {NAME: VALUE}`",
    "release: {purpose: x}": "release.purpose: there is no such key here; it belongs under `about` (found 'x')",
    "release: {unit: id}": "release.unit: there is no such key here; it belongs at the top level (found 'id')",
    "suppression: 0.1": "suppression: there is no such key here; it belongs under `release` (found 0.1)",
    "columns: {age: {role: sensitive, delimiter: a}}": "it belongs under `data` or under `population` (found 'a')",
    "data: {kind: other, path: ''}": "data.path: it must have at least 1 character",
}


@pytest.mark.parametrize("written", SAYS)
def test_a_column_is_told_what_to_write(written: str) -> None:
    with pytest.raises(BadParameter) as wrong:
        parse_plan(f"version: 1\ndata: {{path: a.csv}}\ncolumns: {{age: {{role: sensitive, {written}}}}}", "my.yaml")
    assert SAYS[written] in str(wrong.value)


@pytest.mark.parametrize("written", SAYS_OF_SECTIONS)
def test_a_section_is_told_what_to_write(written: str) -> None:
    data = "" if written.startswith("data") else "data: {path: a.csv}\n"
    with pytest.raises(BadParameter) as wrong:
        parse_plan(f"version: 1\n{data}{written}", "my.yaml")
    assert SAYS_OF_SECTIONS[written] in str(wrong.value)


def test_a_union_that_is_told_by_a_field_keeps_its_names() -> None:
    from tacit.methods.statistics.histogram import METHOD

    with pytest.raises(BadParameter, match="lowr: there is no such key; did you mean 'lower'"):
        METHOD.params.parse("it", {"epsilon": 1, "axes": [{"kind": "bins", "lowr": 0, "upper": 1, "bins": 2}]})
    with pytest.raises(BadParameter, match="it must have at least 1; write `axes: "):
        METHOD.params.parse("it", {"epsilon": 1, "axes": []})
