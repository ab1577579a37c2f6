"""`make soak` runs what has a long form, and nothing else; `make quick` runs a few cases of each test.

Covers the whole package.
"""

from types import ModuleType

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests import examples


@given(st.booleans())
def test_a_property(truth: bool) -> None:
    """An example for the tests below."""
    assert truth in (False, True)


def own(request: pytest.FixtureRequest, name: str) -> pytest.Function:
    """The test of this file with the name."""
    return pytest.Function.from_parent(request.node.parent, name=name, callobj=globals()[name])


def test_a_property_has_a_long_form(request: pytest.FixtureRequest) -> None:
    assert examples.has_long_form(own(request, "test_a_property"))


def test_a_plain_test_has_none_until_it_is_marked(request: pytest.FixtureRequest) -> None:
    plain = own(request, "test_a_property_has_a_long_form")
    assert not examples.has_long_form(plain)
    plain.add_marker("soak")
    assert examples.has_long_form(plain)


def test_a_file_that_takes_draws_has_one(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    plain = own(request, "test_a_property_has_a_long_form")
    module = plain.module
    assert isinstance(module, ModuleType)
    monkeypatch.setattr(module, "draws", len, raising=False)
    assert not examples.has_long_form(plain)
    monkeypatch.setattr(module, "draws", examples.draws)
    assert examples.has_long_form(plain)


def test_quick_runs_a_few_cases_spread_over_all() -> None:
    names = [f"test_a[{number}]" for number in range(10, 20)] + ["test_b[1]", "test_b[2]", "test_c"]
    found = examples.few_cases(names, most=4)
    assert sorted(found) == ["test_a[10]", "test_a[12]", "test_a[15]", "test_a[17]", "test_b[1]", "test_b[2]", "test_c"]
    assert examples.few_cases(list(reversed(names)), most=4) == found
    assert examples.few_cases(names, most=1) == {"test_a[10]", "test_b[1]", "test_c"}
