"""Where two columns may tell people apart, or none describes a person, somebody is asked and nobody is drafted as rows.

Covers inspection/unit, inspection/key_column, inspection/key_names, inspection/movement.
"""

import random

import numpy as np
import pyarrow as pa
import pytest
from tests.inspection.test_hidden_people import AGE, SEX, Column, drawn, number, register, told

import tacit
from tacit.inspection.movement import PlacedColumn

WHAT = {"item": drawn(*"abcdefgh"), "shop": drawn(*"NESW"), "amount": drawn(*range(100, 900))}


def clerks(first: int = 7_000, many: int = 40) -> Column:
    """Numbers of people who are drawn anew in each row, such as those who entered it."""
    return lambda draw, person, row: f"{first + 3 * draw.randrange(many)}"


@pytest.mark.slow
def test_of_two_keys_that_speak_alike_nobody_is_believed() -> None:
    columns = {
        "customer_id": number(),
        "user_id": clerks(many=120),
        "district": lambda draw, person, row: "NESW"[person % 4],
    }
    look = tacit.inspect(register({**columns, **WHAT}))
    assert look.unit.column is None
    assert told(look) == {"customer_id", "user_id"}
    with pytest.raises(tacit.errors.PolicyRefused, match="unit: row"):
        tacit.protect(look, parameters={"seconds": 1}, suppression=1)


@pytest.mark.slow
def test_a_key_within_which_sex_stays_has_no_rival() -> None:
    look = tacit.inspect(register({"patient_id": number(), "sex": SEX, "age": AGE, "user_id": clerks(), **WHAT}))
    assert look.unit.column == "patient_id"


@pytest.mark.slow
def test_a_coarser_key_that_follows_is_no_rival() -> None:
    region = lambda draw, person, row: f"{500 + person // 3}"  # noqa: E731
    columns = {"customer_id": number(), "client_id": region, "district": lambda draw, person, row: "NESW"[person % 4]}
    look = tacit.inspect(register({**columns, **WHAT}))
    assert look.unit.column in ("customer_id", "client_id")


@pytest.mark.slow
def test_a_table_of_events_is_asked_about() -> None:
    """Nothing says anything about a person, so nothing could speak against the key."""
    look = tacit.inspect(register({"token": number("s"), **WHAT}))
    assert look.unit.column is None
    assert told(look) == {"token"}
    assert "one of many events" in look.unit.doubts["token"]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["ward", "school", "points"])
def test_what_many_share_or_is_counted_is_no_key_of_events(name: str) -> None:
    """Points are numbers around a middle, and wards are shared whatever else a table holds."""
    draw = random.Random(7)
    values = [f"{draw.gauss(60, 8):.0f}" if name == "points" else f"w{draw.randrange(40)}" for _ in range(1_000)]
    others = {key: [make(draw, 0, 0) for _ in values] for key, make in WHAT.items()}
    look = tacit.inspect(pa.table({name: values} | {key: list(map(str, made)) for key, made in others.items()}))
    assert name not in told(look)


def test_numbers_around_a_middle_are_measured_and_numbers_of_people_are_not() -> None:
    generator = np.random.default_rng(4)
    measured = PlacedColumn.of(pa.chunked_array([generator.normal(100, 15, 5_000).round().astype(np.int64)]))
    given_out = PlacedColumn.of(pa.chunked_array([generator.integers(1_000, 1_200, 5_000)]))
    assert measured.is_measured
    assert not given_out.is_measured
