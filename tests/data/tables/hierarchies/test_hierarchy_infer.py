"""Inferred hierarchies: they place every value, each level merges something, and no reason shows a value.

Covers hierarchies/infer.
"""

from pathlib import Path

import pytest
import yaml
from hypothesis import example, given
from hypothesis import strategies as st

from tacit.data.tables.hierarchies import build_hierarchy, infer_hierarchy, parse_spec, spec_form
from tacit.data.tables.hierarchies.infer import FEW_CATEGORIES, LARGEST_TREE
from tacit.data.tables.hierarchy import MISSING
from tacit.errors import BadData

columns = st.sampled_from(["x", "zip_code", "PostalCode"])
kinds_of_values = st.one_of(
    st.lists(st.text(max_size=8), min_size=1, max_size=60),
    st.lists(st.integers().map(str), min_size=1, max_size=60),
    st.lists(st.floats(allow_nan=False, allow_infinity=False).map(str), min_size=1, max_size=60),
    st.lists(st.dates().map(str) | st.datetimes().map(str), min_size=1, max_size=60),
    st.lists(st.from_regex(r"[A-Z][0-9]{2}(\.[0-9])?", fullmatch=True), min_size=1, max_size=60),
    st.lists(st.from_regex(r"[ab]{0,2}([/:-][ab*]{0,2}){1,3}", fullmatch=True), min_size=1, max_size=60),
)


@pytest.mark.slow
@given(columns, kinds_of_values, st.booleans())
@example("x", ["1e400", "1e-400", "3", "4.5e399"], True)
def test_an_inferred_hierarchy_places_its_values_and_is_rebuilt(column: str, values: list[str], missing: bool) -> None:
    values = list(dict.fromkeys([*values, *([MISSING] if missing else [])]))
    inferred = infer_hierarchy(column, values)
    hierarchy = inferred.hierarchy
    assert hierarchy.place(values).size == len(values)
    assert sorted(hierarchy.leaves) == sorted(values)
    assert len(hierarchy.labels[-1]) == 1
    assert 1 <= hierarchy.height <= 6
    assert inferred.reason
    form = yaml.safe_load(yaml.safe_dump(spec_form(inferred.spec), sort_keys=False))
    again = build_hierarchy(column, parse_spec(column, form), values, Path())
    assert again.labels == hierarchy.labels
    assert again.codes.tolist() == hierarchy.codes.tolist()


@pytest.mark.slow
@given(columns, kinds_of_values)
def test_every_inferred_level_merges_something_but_not_all(column: str, values: list[str]) -> None:
    hierarchy = infer_hierarchy(column, [value for value in values if value] or ["a", "b"]).hierarchy
    widths = [len(names) for names in hierarchy.labels]
    between = widths[1:-1]
    assert all(coarse < fine for fine, coarse in zip(widths, between, strict=False))
    assert all(width > 1 for width in between)


def levels(column: str, values: list[str]) -> object:
    return spec_form(infer_hierarchy(column, values).spec)


def test_ages_become_intervals_by_doubling() -> None:
    # 74 ages from 17 to 90: a third of them, 24 cells, over a span of 73 makes 3.04, rounded up to 5; 80 > 73 ends it.
    assert levels("age", [str(age) for age in range(17, 91)]) == {"intervals": [5, 10, 20, 40]}


@pytest.mark.slow
def test_amounts_become_intervals_by_fives() -> None:
    # At most 500 cells over a span of 99,999 makes 200; doubling would need nine widths, so they grow by five.
    assert levels("amount", [str(amount) for amount in range(100_000)]) == {"intervals": [200, 1000, 5000, 25000]}


def test_decimals_become_round_decimals() -> None:
    # 31 values over a span of 3.0, 10 cells: 0.3, rounded up to 0.5, doubled to 1 and 2; 4 > 3 ends it.
    assert levels("weight", [str(tenth / 10) for tenth in range(31)]) == {"intervals": [0.5, 1, 2]}


def test_dates_become_months_years_and_decades() -> None:
    days = [f"{year}-{month:02d}-{day:02d}" for year in range(1970, 1999, 4) for month in (1, 7) for day in (3, 17)]
    inferred = infer_hierarchy("birth", days)
    assert inferred.kind == "dates"
    assert spec_form(inferred.spec) == {"dates": ["month", "year", "decade"]}


def test_codes_become_masks() -> None:
    plain = [str(code) for code in range(81_000, 82_000)]
    assert levels("plz", plain) == {"mask": [1, 2]}  # 100 and 10 labels; three masked characters leave one
    assert infer_hierarchy("income", plain).kind == "numbers"
    assert levels("x", ["01001", "01002", "12001", "12002"]) == {"mask": [1]}
    assert infer_hierarchy("diagnosis", ["E11", "E11.9", "E11.21", "I10", "I25.1", "J45"]).kind == "codes"


def test_separators_show_structure() -> None:
    inferred = infer_hierarchy("place", ["Europe/France/Paris", "Europe/France/Lyon", "Europe/Spain", "Asia/Japan"])
    assert inferred.kind == "paths"
    assert spec_form(inferred.spec) == {
        "tree": {
            "Europe": {
                "Europe/France": ["Europe/France/Paris", "Europe/France/Lyon"],
                "Europe/Spain": ["Europe/Spain"],
            },
            "Asia": {"Asia/Japan": ["Asia/Japan"]},
        }
    }


def test_few_categories_stay_flat_and_many_go_by_initial() -> None:
    assert spec_form(infer_hierarchy("sex", ["male", "female"]).spec) == {"tree": ["male", "female"]}
    names = [first + second for first in "ABCDEFGH" for second in "abcdefgh"]
    assert infer_hierarchy("name", names[:FEW_CATEGORIES]).kind == "categories"
    many = infer_hierarchy("name", names)
    assert many.kind == "initials"
    assert many.hierarchy.labels[1] == ("A*", "B*", "C*", "D*", "E*", "F*", "G*", "H*")
    assert infer_hierarchy("word", ["a" + "b" * length for length in range(40)]).kind == "categories"


def test_a_large_domain_is_not_written_into_the_plan() -> None:
    names = [first + "x" * length for first in "AB" for length in range(LARGEST_TREE)]
    assert spec_form(infer_hierarchy("name", names).spec) == {"infer": True}


def test_the_reason_tells_of_stray_values_without_showing_them() -> None:
    reason = infer_hierarchy("age", ["34", "4e", "66", "70", "7f", "45"]).reason
    assert reason.startswith("4 of 6 values are numbers, 2 are not (clean them): ")
    assert "4e" not in reason


def test_nothing_or_nothing_but_missing() -> None:
    assert infer_hierarchy("x", [""]).hierarchy.labels == (("",), ("*",))
    with pytest.raises(BadData, match="'x': no values to infer"):
        infer_hierarchy("x", [])
