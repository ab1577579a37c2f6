"""People with several rows whom no column tells apart: nobody is drafted as rows, and one row each is no doubt.

Covers inspection/joint_keys, inspection/unit, inspection/key_column, inspection/shapes.
"""

import json
import random
from collections.abc import Callable

import pyarrow as pa
import pytest

import tacit
from tacit.errors import PolicyRefused
from tacit.inspection.findings import about_people
from tacit.inspection.joint_keys import is_time_of_event
from tacit.inspection.shapes import are_records

PEOPLE = 270
Row = Callable[[random.Random, int, int], dict[str, object]]


def table(make: Row, rows: int, shuffled: bool = True) -> pa.Table:
    """About so many rows of each person."""
    draw = random.Random(11)
    people = [
        {name: None if cell is None else str(cell) for name, cell in make(draw, person, row).items()}
        for person in range(PEOPLE)
        for row in range(1 if rows == 1 else draw.randrange(rows // 2, rows + rows // 2))
    ]
    if shuffled:
        draw.shuffle(people)
    return pa.Table.from_pylist(people)


def fixed(person: int, *of: object) -> object:
    """What stays the same for a person."""
    return random.Random(f"{person} {of}").choice(of)


def marks(draw: random.Random, person: int, row: int) -> dict[str, object]:
    """A pupil is known by school, class and place in the list; most columns change from row to row."""
    return {
        "centro": (28013, 28018, 28025)[person // 90], "grupo": "ABC"[person // 30 % 3], "n_lista": person % 30 + 1,
        "evaluacion": row % 3 + 1, "asignatura": draw.choice(["LEN", "MAT", "ING", "BIO"]), "nota": draw.randrange(11),
        "sexo": fixed(person, "H", "M"), "beca": fixed(person, "si", "no", "no"),
    }  # fmt: skip


def accounts(draw: random.Random, person: int, row: int) -> dict[str, object]:
    return {
        "agencia": f"{person // 30:04}", "conta": person % 30 + 10,
        "dt_mov": f"{1 + row:02}/{draw.randrange(1, 13):02}/2023",
        "hist": draw.choice(["PIX", "TED", "DOC"]), "valor": draw.randrange(-90_000, 90_000) / 100,
        "uf": fixed(person, "SP", "RJ", "MG"), "genero": fixed(person, "F", "M"),
    }  # fmt: skip


def payloads(draw: random.Random, person: int, row: int) -> dict[str, object]:
    """The number of the person stands within a record, whose other fields repeat now and then."""
    record = {"uid": 5_000 + person, "ev": draw.choice(["view", "like"])}
    return {
        "received_at": f"2023-{draw.randrange(1, 13):02}-{draw.randrange(1, 29):02}", "payload": json.dumps(record),
        "platform": draw.choice(["web", "ios"]), "birth_year": random.Random(person).randrange(1940, 2005),
    }  # fmt: skip


def sheet(draw: random.Random, person: int, row: int) -> dict[str, object]:
    """Who visits is written into the first of their rows only, as in a printed list."""
    first = row == 0
    return {
        "client_no": f"K{person:05}" if first else None, "sex": fixed(person, "F", "M") if first else None,
        "birth_year": random.Random(person).randrange(1930, 2005) if first else None,
        "fee": draw.randrange(20, 400), "diagnosis": draw.choice(["I10", "J45", "E11.9", "K21.9"]),
    }  # fmt: skip


def patients(draw: random.Random, person: int, row: int) -> dict[str, object]:
    """Sex and birth stay; there are too few postcodes to make a coincidence of the three unlikely."""
    own = random.Random(person)
    born = f"{own.randrange(1930, 2010)}-{own.randrange(1, 13):02}-{own.randrange(1, 29):02}"
    return {
        "birth_date": born, "sex": fixed(person, "F", "M"), "postcode": 3_300 + own.randrange(8),
        "reason": draw.choice("abcdefgh"), "doctor": draw.choice("ABC"),
    }  # fmt: skip


def taps(draw: random.Random, person: int, row: int) -> dict[str, object]:
    return {
        "event_time": f"2023-07-{draw.randrange(1, 29):02} {draw.randrange(24):02}:{draw.randrange(60):02}:00",
        "event_name": draw.choice(["view", "tap"]), "city": fixed(person, "Oslo", "Bergen"), "age": 20 + person % 50,
    }  # fmt: skip


def births(draw: random.Random, person: int, row: int) -> dict[str, object]:
    return {
        "child_id": f"C{draw.randrange(10**6, 10**7)}", "mother_id": f"M{person:05}",
        "weight_g": draw.randrange(2_000, 4_500),
        "birth_dt": f"{draw.randrange(2000, 2020)}-{draw.randrange(1, 13):02}-{draw.randrange(1, 29):02}",
        "municipality": draw.choice(["K01", "K03", "K11"]),
    }  # fmt: skip


def answers(draw: random.Random, person: int, row: int) -> dict[str, object]:
    return {
        "dalga": row + 1, "cinsiyet": fixed(person, "F", "M"), "egitim": fixed(person, "1", "2", "3"),
        "soru1": draw.randrange(1, 6), "soru2": draw.randrange(1, 6),
    }  # fmt: skip


def calls(draw: random.Random, person: int, row: int) -> dict[str, object]:
    return {
        "Дата вызова": f"{draw.randrange(1, 29):02}.{draw.randrange(1, 13):02}.2023", "Пол": fixed(person, "М", "Ж"),
        "Год рождения": 1940 + person % 70, "Повод": draw.choice(["травма", "боль", "температура"]),
    }  # fmt: skip


ASKED: dict[str, tuple[Row, str]] = {
    "three columns": (marks, "the columns 'n_lista', 'centro' and 'grupo' together"),
    "two columns": (accounts, "the columns 'conta' and 'agencia' together"),
    "nested records": (payloads, "payload"),
    "first rows": (sheet, "rows without 'client_no'"),
    "known facts": (patients, "the columns 'birth_date', 'sex' and 'postcode' together"),
    "events": (taps, "rows"),
    "waves": (answers, "rows"),
    "events in Russian": (calls, "rows"),
    "relatives": (births, "mother_id"),
}


def told(look: tacit.Inspection) -> set[str]:
    """What a person is asked about."""
    return set(look.unit.doubts) | ({look.unit.suspected.says} if look.unit.suspected else set())


@pytest.mark.slow
@pytest.mark.parametrize("name", ASKED)
def test_whose_rows_they_are_is_asked(name: str) -> None:
    make, says = ASKED[name]
    look = tacit.inspect(table(make, 8, shuffled=name != "first rows"))
    assert look.unit.column is None
    assert says in told(look)
    assert not any("  " in sentence for sentence in about_people(look.unit))
    with pytest.raises(PolicyRefused, match="unit: row"):
        tacit.protect(look, parameters={"seconds": 1}, suppression=1)


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in ASKED if ASKED[name][1] != "rows"])
def test_one_row_each_is_not(name: str) -> None:
    assert not told(tacit.inspect(table(ASKED[name][0], 1)))


@pytest.mark.slow
def test_events_of_numbered_people_are_not() -> None:
    """Each person has a number and one row, whatever the columns are called."""
    numbered = table(lambda draw, person, row: {"user_id": f"U{person}", **taps(draw, person, row)}, 1)
    assert not told(tacit.inspect(numbered))


FORMS: dict[str, Callable[[int, int], str]] = {
    "last part": lambda person, visit: f"S{person:03}_T{visit}",
    "last two parts": lambda person, visit: f"{1000 + person}-2{visit}-A",
    "first part": lambda person, visit: f"{2018 + visit}-{person:04}",
    "last character": lambda person, visit: f"{1000 + person}{'ABCDEFGHIJKL'[visit]}",
    "last two characters": lambda person, visit: f"12{person:04}{visit:02}",
}


def visits(key: Callable[[int, int], object], each: int) -> pa.Table:
    """Visits of people, `each` rows long, with a key of this form."""
    return table(
        lambda draw, person, row: {
            "patient_no": key(person, row // each), "sex": fixed(person, "F", "M"),
            "birth_year": random.Random(person).randrange(1930, 2010), "code": draw.choice("ABCD"),
            "amount": draw.randrange(500), "day": draw.randrange(365),
        },
        8,
    )  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("each", [1, 2])
@pytest.mark.parametrize("cut", FORMS)
def test_a_number_of_visits_is_a_persons_without_a_part(cut: str, each: int) -> None:
    """Whether each row has a number of its own or a visit has several rows."""
    look = tacit.inspect(visits(FORMS[cut], each))
    assert look.unit.column is None
    assert look.unit.suspected is not None
    assert look.unit.suspected.says.startswith("the values of 'patient_no' without their ")


@pytest.mark.slow
@pytest.mark.parametrize(
    "key", [lambda person, _: 10_000 + person, lambda person, _: f"{'ABC'[person % 3]}-{person:04}"]
)
def test_a_number_of_people_is_whole(key: Callable[[int, int], object]) -> None:
    """Without its last figure it is that of ten people, and the letter in front says where they were."""
    assert tacit.inspect(visits(key, 1)).unit.column == "patient_no"


@pytest.mark.slow
@pytest.mark.parametrize("name", ["receipt", "user_session_id", "customer_basket", "Vertrag-Nr", "account_no"])
def test_what_a_person_has_several_of_is_no_unit(name: str) -> None:
    occasions = visits(lambda person, visit: f"{5_000 + 31 * person + visit:x}", 2).rename_columns(
        [name, "sex", "birth_year", "code", "amount", "day"]
    )
    look = tacit.inspect(occasions)
    assert look.unit.column is None
    assert name in told(look)


STAFF = (
    "Oliver Moore",
    "Karen Taylor",
    "Isla Brown",
    "Anna Smith",
    "Peter Jones",
    "Lucy Hall",
    "Mary King",
    "John Hill",
)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "of"), [("Worker", STAFF.__getitem__), ("employee", "E0{}".format)])
def test_a_handful_of_people_are_people(name: str, of: Callable[[int], object]) -> None:
    """Each of them has many rows, as the values of a category have."""
    draw = random.Random(3)
    rows = [
        {name: str(of(person)), "team": "red" if person < 5 else "blue", "task": f"T{draw.randrange(6)}",
         "week": str(week), "hours": str(draw.randrange(20, 45))}
        for week in range(40) for person in range(len(STAFF))
    ]  # fmt: skip
    look = tacit.inspect(pa.Table.from_pylist(rows))
    assert look.unit.column == name or name in told(look)
    assert look.suggestions[name].role == "identifier" or name == "employee"


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("visit_date", True), ("date of visit", True), ("EventTime", True), ("datum_transakce", True),
        ("default payment next month", False), ("visits", False), ("session", False), ("admission_date", False),
        ("time", False), ("payment method", False), ("", False), ("42", False),
    ],
)  # fmt: skip
def test_times_of_events_are_told_by_their_names(name: str, told: bool) -> None:
    assert is_time_of_event(name) is told


@pytest.mark.slow
@pytest.mark.parametrize("changing", ["sexo", "genero"])
def test_groups_in_which_the_sex_changes_are_not(changing: str) -> None:
    """The same columns of a class or a branch, whose rows are of several people."""
    make = marks if changing == "sexo" else accounts
    grouped = table(lambda draw, person, row: make(draw, person, row) | {changing: draw.choice("HM")}, 8)
    assert not told(tacit.inspect(grouped))


def test_records_are_braces_around_names_and_values() -> None:
    assert are_records(['{"a": 1}', '[{"a": [1, 2]}]', '{ "b": "x\ny" }'])
    assert not are_records(["{a}", "[1, 2)", "(0, 1]", "{'x'} {"])
    assert not are_records([])
    assert not are_records(["{" + ":" * 10**6])
    assert not are_records(['{"a": 1}', "a"])
