"""What never changes within a column, beside what chance would leave unchanged.

Covers inspection/constancy, inspection/unit.
"""

import random
from itertools import permutations

import numpy as np
import pyarrow as pa
import pytest

import tacit
from tacit.inspection.constancy import chance_of, constant_share, constant_traits, is_constant
from tacit.inspection.words import meanings

SEX = frozenset({"sex"})
BIRTH = frozenset({"birth"})


@pytest.mark.parametrize("seed", range(6))
def test_chance_is_bounded_from_above(seed):
    draw = random.Random(seed)
    key = np.array([0, 0, 0, 1, 1, 2, 2])
    trait = np.array([draw.randrange(2) for _ in key])
    orders = [np.array(order) for order in permutations(trait)]
    true = np.mean([constant_share(key, order) >= constant_share(key, trait) for order in orders])
    # Rows are given out without putting them back, so equal values are a little rarer than the bound assumes.
    assert chance_of(key, trait) >= true


def test_share_is_that_of_values_with_several_rows():
    key, trait = np.array([0, 0, 1, 1, 2]), np.array([0, 0, 0, 1, 1])
    assert constant_share(key, trait) == 0.5
    assert constant_share(np.arange(4), np.zeros(4, dtype=np.int64)) == 0.0


def test_a_few_rows_may_be_chance():
    sexes = np.array([0, 1] * 15)
    assert not is_constant(np.repeat(np.arange(15), 2), np.repeat(sexes[:15], 2))
    assert is_constant(np.repeat(np.arange(60), 2), np.repeat(np.arange(60) * 7 % 11 % 2, 2))


def test_another_way_to_write_a_trait_says_nothing():
    years = np.repeat(np.arange(60), 5)
    assert not is_constant(years, years)
    assert is_constant(years, years // 2)


def test_a_trait_that_changes_shows_a_group():
    draw = random.Random(1)
    key = np.repeat(np.arange(80), 4)
    sex = np.repeat([draw.randrange(2) for _ in range(80)], 4)
    birth = np.array([draw.randrange(70) for _ in key])
    tell = {"sex": SEX, "birth": BIRTH, "of the child": SEX}
    assert constant_traits(key, {"sex": sex}, tell).are_doubtful
    assert not constant_traits(key, {"sex": sex, "birth": birth}, tell).columns
    assert list(constant_traits(key, {"sex": sex, "of the child": birth % 2}, tell).columns) == ["sex"]


def visits(number, traits):
    """Rows of people in which most columns change."""
    draw = random.Random(7)
    table = []
    for person in draw.sample(range(10**6, 10**7), number):
        own = {"Konto": str(person), "Sex": draw.choice("MF"), "Year of birth": str(draw.randrange(1940, 2010))}
        own |= {"Branch": draw.choice("abcde"), "Job": draw.choice("pqrst"), "Start": str(draw.randrange(9000))}
        for _ in range(draw.randrange(2, 9)):
            changing = {f"c{n}": draw.choice("wxyz") for n in range(7)}
            table.append({name: own[name] for name in traits} | changing)
    draw.shuffle(table)
    return pa.table({name: [row[name] for row in table] for name in table[0]})


@pytest.mark.slow
@pytest.mark.parametrize("name", ["Konto", "Vertragsnr", "x"])
def test_sex_and_birth_find_a_unit_of_any_name(name):
    table = visits(150, ["Konto", "Sex", "Year of birth"])
    look = tacit.inspect(table.rename_columns([name, *table.column_names[1:]]))
    assert look.unit.column == name
    assert "within each value 'Sex' and 'Year of birth' never change" in look.unit.reason
    assert look.suggestions[name].role == "identifier"


@pytest.mark.slow
@pytest.mark.parametrize("name", ["hadm_id", "Clock No", "Unit No"])
def test_a_number_of_something_else_is_a_doubt(name):
    table = visits(150, ["Konto", "Sex", "Year of birth"])
    look = tacit.inspect(table.rename_columns([name, *table.column_names[1:]]))
    assert look.unit.column is None
    assert "within each value 'Sex' and 'Year of birth' never change" in look.unit.doubts[name]


@pytest.mark.slow
@pytest.mark.parametrize("traits", [["Konto", "Sex"], ["Konto", "Branch", "Job", "Start"]])
def test_one_trait_or_several_columns_are_a_doubt(traits):
    table = visits(200, traits)
    look = tacit.inspect(table)
    assert look.unit.column is None
    assert "its name does not say that it identifies people" in look.unit.doubts["Konto"]
    people = tacit.read(table, dict.fromkeys(table.column_names, "quasi-identifier"))
    with pytest.raises(tacit.errors.PolicyRefused, match="may tell people apart"):
        tacit.protect(people, [tacit.KAnonymity(k=2)])


@pytest.mark.slow
@pytest.mark.parametrize("column", ["Team", "Forename"])
def test_a_team_of_men_and_a_first_name_are_no_doubt(column):
    draw = random.Random(3)
    rows = [(draw.randrange(40), str(draw.randrange(16, 90)), draw.choice("abcd")) for _ in range(600)]
    table = pa.table(
        {
            column: [f"T{team}" for team, _, _ in rows],
            "Sex": ["FM"[team % 2] for team, _, _ in rows],
            "Age": [age for _, age, _ in rows],
            "Result": [result for _, _, result in rows],
        }
    )
    look = tacit.inspect(table)
    assert (look.unit.column, look.unit.doubts) == (None, {})


@pytest.mark.parametrize("name", ["M/F", "Geschl.", "Gesl", "Płeć"])
def test_short_names_of_sex(name):
    assert "sex" in meanings(name)


@pytest.mark.parametrize("name", ["Geb.-Dat.", "année naiss.", "gebjahr", "Rocznik", "D.O.B.", "syntymävuosi"])
def test_short_names_of_birth(name):
    assert "birth" in meanings(name)


@pytest.mark.slow
def test_a_name_is_no_unit_where_a_key_tells_people_apart():
    table = visits(150, ["Konto", "Sex", "Year of birth"])
    numbers = {key: place for place, key in enumerate(dict.fromkeys(table["Konto"].to_pylist()))}
    shared = [f"Anna {'KLMNOPQR'[numbers[key] % 8]}{'aeiou'[numbers[key] % 5]}r" for key in table["Konto"].to_pylist()]
    assert tacit.inspect(table.append_column("Pupil", [shared])).unit.column == "Konto"


@pytest.mark.slow
def test_a_few_equal_names_are_a_doubt():
    names = [f"{first}nna {last}auer" for first in "ABCDE" for last in "KLMNOP"]
    table = pa.table(
        {"Pupil": [*names[:28], *names[:4]], "Group": list("789a") * 8, "Score": list(map(str, range(32)))}
    )
    look = tacit.inspect(table)
    assert look.unit.column is None
    assert "which several people may share" in look.unit.doubts["Pupil"]
