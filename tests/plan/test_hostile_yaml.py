"""Plans that are made to hurt: refused at once, with a place, whatever they would grow to.

Covers strict_yaml, plan/load.
"""

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from tests.examples import examples

from tacit.errors import BadParameter, TacitError
from tacit.plan.load import parse_plan
from tacit.plan.strict_yaml import DEEPEST, MOST_VALUES, parse_yaml

LAUGHS = "a: &a [x,x,x,x,x,x,x,x,x]\n" + "".join(
    f"{chr(98 + i)}: &{chr(98 + i)} [{','.join(['*' + chr(97 + i)] * 9)}]\n" for i in range(9)
)
MERGES = "a: &a {x: 1}\n" + "".join(
    f"{chr(98 + i)}: &{chr(98 + i)} {{<<: [{','.join(['*' + chr(97 + i)] * 9)}]}}\n" for i in range(9)
)
HEAD = "version: 1\ndata: {path: a.csv}\ncolumns: {a: {role: sensitive}}\n"
PLAN = HEAD + "release: {guarantees: [k-anonymity: {k: 2}], parameters: "

HOSTILE = {
    "a billion laughs": (LAUGHS, "more than 1,000,000 values"),
    "laughs as the version": (LAUGHS + "version: *j", "more than"),
    "laughs in merges": (MERGES, "more than"),
    "a list in itself": (PLAN + "&a [*a]}", "no value may contain itself"),
    "a mapping in itself": (PLAN + "&a {x: *a}}", "no value may contain itself"),
    "deep lists": (PLAN + "[" * 100_000, "deeper than 60 levels"),
    "deep mappings": (PLAN + "{a: " * 5000 + "1" + "}" * 5001, "deeper than 60 levels"),
    "deep blocks": ("\n".join(" " * i + "a:" for i in range(3000)), "deeper than 60 levels"),
    "a Python object": (PLAN + "!!python/object/apply:os.system [exit]}", "line 4.*could not determine a constructor"),
    "a tag of its own": (PLAN + "!boom x}", "could not determine a constructor"),
    "a long number": ("version: 0x" + "f" * 5000, "a number is too long"),
    "a long number inside": (PLAN + "{x: " + "9" * 5000 + "}}", "a number is too long"),
    "a key twice": ("version: 1\nversion: 1", "line 2, column 1.*'version' is written twice"),
    "a key twice inside": (PLAN + "{x: 1, y: 2, x: 3}}", "'x' is written twice"),
    "a list as a key": ("? [a]\n: b", "unhashable key"),
    "an unknown alias": ("a: *b", "undefined alias"),
    "two documents": ("a: 1\n---\nb: 2", "another document"),
    "a zero byte": ("a\0b", "not valid YAML"),
    "a tab": ("\ta: 1", "line 1"),
    "an open bracket": ("a: [1, 2", "not valid YAML"),
    "no date": ("version: 2001-99-99", "ValueError"),
    "nothing": ("", "a plan is a mapping"),
    "a word": ("hello", "a plan is a mapping"),
    "a list": ("- 1\n- 2", "a plan is a mapping"),
    "a key that is not text": ("1: 2", "data: it is missing"),
    "a column called true": (PLAN.replace("{a: ", "{true: ") + "{}}", "columns"),
}


@pytest.mark.timeout(60)  # whatever follows what such a plan asks for never ends
@pytest.mark.parametrize("case", HOSTILE)
def test_it_is_refused_at_once(case: str) -> None:
    text, message = HOSTILE[case]
    with pytest.raises(BadParameter, match=message) as caught:
        parse_plan(text, "evil.yaml")
    assert str(caught.value).startswith("evil.yaml")
    assert len(str(caught.value)) < 5000


def test_aliases_and_merges_that_stay_small_are_welcome() -> None:
    text = "a: &a {x: 1, y: 2}\nb: {<<: *a, y: 3}\nc: [*a, *a]"
    assert parse_yaml(text, "t") == {"a": {"x": 1, "y": 2}, "b": {"x": 1, "y": 3}, "c": [{"x": 1, "y": 2}] * 2}


def test_the_limits_are_where_they_are_said_to_be() -> None:
    deepest = "[" * DEEPEST + "]" * DEEPEST
    assert parse_yaml(deepest, "t") is not None
    with pytest.raises(BadParameter):
        parse_yaml(f"[{deepest}]", "t")
    part = "&a [" + ",".join("1" * 999) + "]"
    most = MOST_VALUES // 1000 - 1
    assert len(parse_yaml(f"[{part}" + ", *a" * (most - 1) + "]", "t")) == most
    with pytest.raises(BadParameter):
        parse_yaml(f"[{part}" + ", *a" * most + "]", "t")


scalars = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8)
keys = st.sampled_from(
    ["version", "data", "path", "columns", "release", "guarantees", "k-anonymity", "k", "role", "hierarchy", "unit"]
) | st.text(max_size=5)
values = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(keys, inner, max_size=4), max_leaves=12
)


def complaint(text: str) -> str:
    """What is said against the plan; its name where nothing is."""
    try:
        parse_plan(text, "any.yaml")
    except TacitError as error:
        return str(error)
    return "any.yaml"


@given(st.dictionaries(keys, values, max_size=6))
@examples(60)
def test_any_values_are_a_plan_or_a_clear_error(form: dict[str, object]) -> None:
    assert complaint(yaml.safe_dump({"version": 1, **form}, allow_unicode=True)).startswith("any.yaml")


@given(st.text(st.sampled_from([*"ab:-[]{},&*!|>'\"#%@\n \t0.~?"]), max_size=60))
@examples(200)
def test_any_text_is_a_plan_or_a_clear_error(text: str) -> None:
    assert complaint(text).startswith("any.yaml")
