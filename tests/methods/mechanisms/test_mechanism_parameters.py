"""What every mechanism refuses, and that none refuses because of a value in the data.

Covers methods/mechanisms/*, noise/noise, noise/answer, noise/fields.
"""

import math

import numpy as np
import pytest

from tacit.catalogue import methods
from tacit.errors import BadParameter
from tacit.noise.noise import check_level
from tacit.randomness.stream import RandomBits

NAMES = [name for name in methods() if name.startswith("mechanisms/")]
WHOLE = {"mechanisms/geometric", "mechanisms/discrete-gaussian"}
SINGLE = {"mechanisms/bounded-laplace"}


def _answer(name: str) -> "np.ndarray[tuple[int], np.dtype[np.generic]]":
    values = np.array([1.5]) if name in SINGLE else np.array([3.0, 1.0, 40.0, 2.0])
    return values.astype(np.int64) if name in WHOLE else values


def test_all_are_there():
    assert len(NAMES) == 15


@pytest.mark.parametrize("name", NAMES)
def test_the_example_runs_and_a_seed_repeats_it(name):
    method = methods()[name]
    first, again = (method.run(_answer(name), method.example, RandomBits.from_seed(1)) for _ in range(2))
    assert repr(first) == repr(again)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("epsilon", [0, -1, math.inf, math.nan, "much"])
def test_a_bad_epsilon_is_refused(name, epsilon):
    method = methods()[name]
    values = {**method.example.model_dump(exclude={"rho"}), "epsilon": epsilon}
    with pytest.raises(BadParameter, match="epsilon"):
        method.params.parse(name, values)


WRONG = {
    "delta": [-0.1, 1, math.nan],
    "sensitivity": [0, -1, math.inf, None],
    "lower": [math.nan, math.inf],
    "bound": [0, math.nan],
    "k": [0, -1],
    "rho": [0, math.nan],
    "grid": [0.5, 10**6],
    "unheard_of": [1],
}
FIELDS = {name: [*methods()[name].params.model_fields, "unheard_of"] for name in NAMES}
CASES = [(name, field) for name in NAMES for field in WRONG if field in FIELDS[name]]


def test_every_field_that_is_tested_is_a_field_of_some_mechanism():
    assert all(any(field in FIELDS[name] for name in NAMES) for field in WRONG)


@pytest.mark.parametrize(
    ("name", "field"), [(name, field) for name in NAMES for field in WRONG if field in FIELDS[name]]
)
def test_other_parameters_out_of_range_are_refused(name, field):
    method = methods()[name]
    for value in WRONG[field]:
        with pytest.raises(BadParameter, match=field):
            method.params.parse(name, {**method.example.model_dump(), field: value})


@pytest.mark.parametrize("name", NAMES)
def test_a_required_parameter_has_no_default(name):
    params = methods()[name].params
    missing = {field for field, info in params.model_fields.items() if info.is_required()}
    assert {"epsilon"} <= missing or name == "mechanisms/discrete-gaussian"
    with pytest.raises(BadParameter):
        params.parse(name, {})


@pytest.mark.parametrize("name", sorted(set(NAMES) - WHOLE))
@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, 1e308, 5e-324])
def test_no_value_in_the_data_is_an_error(name, value):
    method = methods()[name]
    answer = _answer(name).copy()
    answer[0] = value
    found = method.run(answer, method.example, RandomBits.from_seed(2)).published()
    assert np.isfinite(np.array(found["values"], dtype=np.float64)).all()


@pytest.mark.parametrize("level", [0, 1, -1, 2, math.nan])
def test_a_level_that_is_no_confidence_is_refused(level):
    with pytest.raises(BadParameter, match="level"):
        check_level(level)
