"""What every statistic keeps: its example runs, a seed repeats it, bad parameters are refused, no row is an error.

Covers methods/statistics/*.
"""

import math

import numpy as np
import pytest
from tests.methods.statistics.answers import PLAIN, data_for

from tacit.accounting.account import account
from tacit.accounting.events import from_json, to_json
from tacit.catalogue import methods
from tacit.errors import BadData, BadParameter
from tacit.guarantees.catalogue import given_by
from tacit.randomness.stream import RandomBits

NAMES = [name for name in methods() if name.startswith("statistics/")]
NUMERIC = [name for name in NAMES if name.removeprefix("statistics/") in PLAIN]


@pytest.mark.parametrize("name", NAMES)
def test_the_example_runs_and_a_seed_repeats_it(name):
    method = methods()[name]
    first, again = (method.run(data_for(name), method.example, RandomBits.from_seed(1)) for _ in range(2))
    assert repr(first) == repr(again)
    assert method.kind == "statistics"
    assert given_by(method.guarantees) == ["differential-privacy"]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(("neighbours", "contributions"), [("add-remove", 1), ("add-remove", 3), ("replace", 1)])
def test_what_is_spent_is_what_was_asked_for(name, neighbours, contributions):
    method = methods()[name]
    changed = {"neighbours": neighbours, "contributions": contributions}
    known = {key: value for key, value in changed.items() if key in method.params.model_fields}
    params = method.params.parse(name, {**method.example.model_dump(), **known})
    answer = method.run(data_for(name), params, RandomBits.from_seed(2))
    delta = getattr(params, "delta", 0.0)
    spent = account(answer.event, delta).epsilon
    assert spent <= params.epsilon * (1 + 1e-9)
    assert spent >= params.epsilon * (0.99 if delta == 0 else 0.5)
    assert from_json(to_json(answer.event)) == answer.event


WRONG = {
    "epsilon": [0, -1, math.inf, math.nan, "much", None],
    "delta": [-0.1, 1, math.nan],
    "neighbours": ["nobody"],
    "contributions": [0, -1],
    "lower": [math.nan, math.inf, None],
    "upper": [math.nan, -math.inf, None],
    "resolution": [0, 10**9],
    "bins": [0],
    "categories": [[], ["a", "a"]],
    "k": [0],
    "surely_unknown": [1],
}
FIELDS = {name: [*methods()[name].params.model_fields, "surely_unknown"] for name in NAMES}
CASES = [(name, field) for name in NAMES for field in WRONG if field in FIELDS[name]]


@pytest.mark.parametrize(
    ("name", "field"), [(name, field) for name in NAMES for field in WRONG if field in FIELDS[name]]
)
def test_parameters_out_of_range_are_refused(name, field):
    method = methods()[name]
    for value in WRONG[field]:
        with pytest.raises(BadParameter):
            method.params.parse(name, {**method.example.model_dump(), field: value})


@pytest.mark.parametrize("name", NUMERIC)
def test_bounds_must_be_there_and_in_order(name):
    method = methods()[name]
    values = method.example.model_dump()
    with pytest.raises(BadParameter, match="lower"):
        method.params.parse(name, {**values, "lower": values["upper"], "upper": values["lower"]})
    for bound in ("lower", "upper"):
        with pytest.raises(BadParameter, match=bound):
            method.params.parse(name, {key: value for key, value in values.items() if key != bound})


@pytest.mark.parametrize("name", NUMERIC)
@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, 1e308, -1e308, 5e-324])
def test_no_value_of_a_row_is_an_error(name, value):
    method = methods()[name]
    rows = np.append(data_for(name), value)
    answer = method.run(rows, method.example, RandomBits.from_seed(3))
    assert np.isfinite(getattr(answer, "values", answer.value)).all()


@pytest.mark.parametrize("name", NUMERIC)
@pytest.mark.parametrize(("outside", "same_as"), [(math.inf, 1e9), (-math.inf, -1e9), (math.nan, 0.0)])
def test_the_clamping_rule(name, outside, same_as):
    method = methods()[name]
    found = [
        method.run(np.append(data_for(name), value), method.example, RandomBits.from_seed(4))
        for value in (outside, same_as)
    ]
    assert repr(found[0]) == repr(found[1])


@pytest.mark.parametrize("name", NUMERIC)
@pytest.mark.parametrize(("odd", "same_as"), [(None, math.nan), (10**400, math.inf), (-(10**400), -math.inf)])
def test_one_odd_cell_among_numbers_is_no_error(name, odd, same_as):
    """A missing value makes a column of Python objects; refusing it would tell that somebody's value is missing."""
    method = methods()[name]
    found = [
        method.run([*data_for(name).tolist(), value], method.example, RandomBits.from_seed(4))
        for value in (odd, same_as)
    ]
    assert repr(found[0]) == repr(found[1])


def test_a_missing_boolean_is_not_counted():
    method = methods()["statistics/count"]
    found = [
        method.run(rows, method.example, RandomBits.from_seed(4)).value
        for rows in ([True, None, True], [True, False, True])
    ]
    assert found[0] == found[1]


@pytest.mark.parametrize("name", NUMERIC)
def test_no_rows_at_all_are_answered_where_their_number_is_secret(name):
    method = methods()[name]
    answer = method.run(np.empty(0), method.example, RandomBits.from_seed(5))
    assert np.isfinite(getattr(answer, "values", answer.value)).all()


@pytest.mark.parametrize("name", NUMERIC)
def test_text_is_refused_by_its_type_and_no_row_is_shown(name):
    method = methods()[name]
    with pytest.raises(BadData) as refused:
        method.run(np.array(["secretly", "ill"]), method.example, RandomBits.from_seed(6))
    assert "secretly" not in str(refused.value)
    assert "ill" not in str(refused.value).split()


@pytest.mark.parametrize("name", ["statistics/mean", "statistics/variance"])
def test_no_rows_are_refused_where_their_number_is_public(name):
    method = methods()[name]
    params = method.example.model_copy(update={"neighbours": "replace"})
    with pytest.raises(BadData, match="no rows"):
        method.run(np.empty(0), params, RandomBits.from_seed(7))


def test_every_field_that_is_tested_is_a_field_of_some_statistic():
    assert all(any(field in FIELDS[name] for name in NAMES) for field in WRONG)


@pytest.mark.parametrize("name", [name for name in NAMES if "contributions" in FIELDS[name]])
def test_a_replaced_person_has_one_row(name):
    method = methods()[name]
    with pytest.raises(BadParameter, match="add-remove"):
        method.params.parse(name, {**method.example.model_dump(), "neighbours": "replace", "contributions": 2})


MATRIX = ["covariance", "linear-regression", "logistic-regression", "uniform-grid", "adaptive-grid", "privtree"]
MATRIX += ["textbook-k-means", "k-means", "best-choice"]


@pytest.mark.parametrize("short", MATRIX)
@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, 1e308])
def test_no_row_of_several_numbers_is_an_error(short, value):
    method = methods()[f"statistics/{short}"]
    rows = np.array(data_for(short), dtype=np.float64)
    rows[0] = value
    for data in (rows, rows[:1], rows[:0]):
        assert method.run(data, method.example, RandomBits.from_seed(8)).event is not None


@pytest.mark.parametrize("short", MATRIX)
def test_rows_of_another_shape_or_type_are_refused(short):
    method = methods()[f"statistics/{short}"]
    for wrong in (np.ones(5), np.ones((5, 7)), np.array([["a", "b"]])):
        with pytest.raises(BadData):
            method.run(wrong, method.example, RandomBits.from_seed(9))


@pytest.mark.parametrize("short", [name for name in MATRIX if name != "best-choice"])
def test_boxes_must_be_whole_and_in_order(short):
    method = methods()[f"statistics/{short}"]
    values = method.example.model_dump()
    for wrong in (
        {"lower": values["upper"], "upper": values["lower"]},
        {"lower": (*values["lower"], 0.0)},
        {"lower": ()},
    ):
        with pytest.raises(BadParameter):
            method.params.parse(short, {**values, **wrong})


@pytest.mark.parametrize("short", ["keywords", "itemsets"])
def test_two_columns_are_needed(short):
    method = methods()[f"statistics/{short}"]
    for wrong in ([np.arange(3)], [np.arange(3), np.array(["rain"])]):
        with pytest.raises(BadData, match="two columns"):
            method.run(wrong, method.example, RandomBits.from_seed(10))
    mixed = [np.array([1, None, "x"], dtype=object), np.array(["rain", None, "bread"], dtype=object)]
    assert method.run(mixed, method.example, RandomBits.from_seed(10)).event is not None
