"""People with several rows whom neither a telling name nor sex and birth give away: nobody is drafted as rows.

Covers inspection/unit, inspection/key_names, inspection/joint_keys, inspection/given_names, inspection/constancy.
"""

import random
from collections.abc import Callable

import pyarrow as pa
import pytest
from tests.inspection.inspected_columns import profile_of

import tacit
from tacit.inspection.given_names import are_given_names, are_people, has_title, mentions_person
from tacit.inspection.roles import suggest

GIVEN = ("Anna", "Otto", "Petra", "Willi", "Hanna", "Rolf", "Greta", "Bernd", "Xobe", "Yuvo", "Zira", "Wamu")
FAMILY = ("Berg", "Vogel", "Kraus", "Huber", "Maier", "Franke", "Lange", "Beck", "Zimmer", "Roth", "Kuhn", "Wolf")
Column = Callable[[random.Random, int, int], object]


def drawn(*things: object) -> Column:
    return lambda draw, person, row: draw.choice(things)


def own(make: Callable[[random.Random], object]) -> Column:
    """What stays the same for a person."""
    return lambda draw, person, row: make(random.Random(f"{person} {make.__code__.co_firstlineno}"))


def register(columns: dict[str, Column], people: int = 150, rows: int = 7) -> pa.Table:
    """Rows of people, shuffled; `key` is a person's number unless a column says otherwise."""
    draw = random.Random(5)
    table = [
        {name: str(make(draw, person, row)) for name, make in columns.items()}
        for person in range(people)
        for row in range(draw.randrange(max(rows // 2, 1), max(rows + rows // 2, 2)))
    ]
    draw.shuffle(table)
    return pa.Table.from_pylist(table)


def number(prefix: str = "", first: int = 4_000) -> Column:
    return lambda draw, person, row: f"{prefix}{first + 13 * person}"


SEX, AGE = own(lambda draw: draw.choice("mf")), own(lambda draw: draw.randrange(18, 90))
BIRTH = own(lambda draw: f"{draw.randrange(1930, 2005)}-{draw.randrange(1, 13):02}-{draw.randrange(1, 29):02}")
NAME = own(lambda draw: f"{draw.choice(GIVEN)} {draw.choice(FAMILY)}{draw.choice(['', 's', 'er', 'mann'])}")
OTHERS = {
    "district": drawn(*"NESW"), "day": drawn(*range(1, 366)), "sort": drawn(*"abcdef"), "pieces": drawn(*range(1, 12)),
}  # fmt: skip

REGISTERS: dict[str, tuple[dict[str, Column], str]] = {
    "a word nobody listed": ({"uye_no": number("UY"), "cinsiyet": SEX, "sex": SEX, **OTHERS}, "uye_no"),
    "an age that stays": ({"deviceId": number("f2e1", 10**6), "age": AGE, **OTHERS}, "deviceId"),
    "an age that grows": (
        {"code": number(), "age": lambda draw, person, row: 20 + person % 60 + row, **OTHERS},
        "code",
    ),
    "a number for each case": (
        {
            "case_id": lambda draw, person, row: 10**5 + 100 * person + row,
            "e_mail": lambda draw, person, row: f"p{person}@web.de",
            **OTHERS,
        },
        "e_mail",
    ),
    "more than a hundred rows": (
        {"mail": lambda draw, person, row: f"p{person}@gmx.de", "age": AGE, **OTHERS},
        "mail",
    ),
    "an origin of orders": (
        {"Kto": number(), "Geschlecht": SEX, "Geburtsdatum": BIRTH, "Herkunft": drawn("Web", "App", "Laden"), **OTHERS},
        "Kto",
    ),
    "full names of buyers": ({"bill_to": NAME, **OTHERS}, "bill_to"),
    "a word that sounds like a secret": ({"Party": number("PTY", 20_000), "age": AGE, **OTHERS}, "Party"),
}  # fmt: skip


def told(look: tacit.Inspection) -> set[str]:
    """The unit, or what a person is asked about."""
    suspected = {look.unit.suspected.says} if look.unit.suspected else set()
    return ({look.unit.column} if look.unit.column else set(look.unit.doubts)) | suspected


@pytest.mark.slow
@pytest.mark.parametrize("name", REGISTERS)
def test_rows_of_people_are_asked_about(name: str) -> None:
    columns, key = REGISTERS[name]
    many = "hundred" in name
    table = register(columns, 20 if many else 150, 140 if many else 7)
    look = tacit.inspect(table)
    assert key in told(look)
    if look.unit.column is None:
        with pytest.raises(tacit.errors.PolicyRefused, match="unit: row"):
            tacit.protect(look, parameters={"seconds": 1}, suppression=1)


@pytest.mark.slow
@pytest.mark.parametrize("name", REGISTERS)
def test_the_same_columns_of_one_row_each_are_not(name: str) -> None:
    columns, key = REGISTERS[name]
    table = register({**columns, key: lambda draw, person, row: f"{columns[key](draw, person, row)}{person}"}, 400, 1)
    look = tacit.inspect(table)
    assert not told(look), told(look)


@pytest.mark.slow
def test_names_and_birth_tell_people_apart_whatever_else_changes() -> None:
    parts = {
        "Nachname": own(lambda draw: draw.choice(FAMILY)),
        "Vorname": own(lambda draw: draw.choice(GIVEN)),
        "Geburtsdatum": BIRTH,
        "Fallnr": lambda draw, person, row: 10**6 + 100 * person + row,
        **OTHERS,
    }
    look = tacit.inspect(register(parts))
    assert told(look) == {"the columns 'Nachname', 'Vorname' and 'Geburtsdatum' together"}


@pytest.mark.slow
def test_a_case_is_no_person_beside_a_coarser_key() -> None:
    columns = {
        "Fallnummer": lambda draw, person, row: 70_000 + 10 * person + row // 3,
        "VSNR": number("M", 10**6),
        "sex": SEX,
        "birth_year": own(lambda draw: draw.randrange(1930, 2005)),
        **OTHERS,
    }
    assert told(tacit.inspect(register(columns, rows=9))) == {"VSNR"}


@pytest.mark.slow
def test_numbers_with_a_dot_in_one_place_may_be_keys() -> None:
    columns = {
        "Zeichen": lambda draw, person, row: f"{15 + person % 2}.{4_000 + 7 * person:04}",
        "sex": SEX,
        "birth_year": own(lambda draw: draw.randrange(1930, 2005)),
        **OTHERS,
    }
    assert told(tacit.inspect(register(columns))) == {"Zeichen"}


@pytest.mark.slow
def test_two_columns_within_which_sex_and_birth_stay_are_one_key() -> None:
    columns = {
        "Praxis": lambda draw, person, row: 100 + person % 12,
        "Lfd": lambda draw, person, row: 1 + person // 12,
        "sex": SEX,
        "birth_year": own(lambda draw: draw.randrange(1930, 2005)),
        **OTHERS,
    }
    (says,) = told(tacit.inspect(register(columns)))
    assert "'Praxis'" in says
    assert "'Lfd'" in says


def some_names(copies: int) -> list[str]:
    return [f"{first} {last}" for first in GIVEN for last in FAMILY] * copies


@pytest.mark.parametrize("name", ["Kreditnehmer", "Impfling", "Krankenversicherter", "Arrested", "bill_to", "x9"])
@pytest.mark.parametrize("written", ["{0} {1}", "{1}, {0}", "{0} {1:.1}."])
def test_names_of_people_are_identifiers_under_any_name(name: str, written: str) -> None:
    values = [written.format(*value.split()) for value in some_names(8)]
    guess = suggest(profile_of(name, values))
    assert (guess.role, guess.kind) == ("identifier", "name")


@pytest.mark.parametrize(
    "values",
    [
        ["New York", "Los Angeles", "San Jose", "Santa Maria", "St. Louis", "Fort Worth", "El Paso", "Las Vegas"],
        ["Registered nurse", "Office clerk", "Truck driver", "Sales manager", "School teacher"],
        ["Heart failure", "Kidney stone", "Whooping cough", "Grave's disease"],
    ],
)
def test_towns_and_occupations_are_no_people(values: list[str]) -> None:
    assert not are_people(values)


def test_texts_that_name_somebody_may_name_anybody() -> None:
    texts = [
        f"Brief {i} an {name}" if i % 5 == 0 else f"Kontrolle in {i} Wochen" for i, name in enumerate(some_names(3))
    ]
    assert suggest(profile_of("Diagnosetext", texts)).kind == "free-text"
    assert mentions_person("Ehefrau Petra Keller informiert")
    assert not mentions_person("Petra Keller")
    assert not mentions_person("Magen und Darm unauffällig")


def test_numbers_of_people_that_look_like_diagnoses_are_none() -> None:
    badges = [f"{'ABCDEFGHJK'[i % 10]}{10_000 + 37 * i}"[:6] for i in range(600)]
    assert suggest(profile_of("Badge", badges)).role == "identifier"
    codes = [f"{'ABCDEFGHJK'[i % 10]}{i % 70:02}.{i % 10}" for i in range(600)]
    assert suggest(profile_of("x1", codes)).kind == "diagnosis"


@pytest.mark.parametrize(
    "text", ["Fr. Maurer", "Asthma (Fr. Maurer)", "Herr Dr. Lang", "seen by Dr Patel", "Mrs. O'Neil"]
)
def test_a_title_with_a_capital_behind_it_is_a_person(text: str) -> None:
    assert has_title(text)


@pytest.mark.parametrize(
    "text", ["Sr. Analyst", "Fr, Mo", "HR Manager", "Prof-specialty", "Dr.", "mr smith", "Pan American"]
)
def test_other_short_words_are_no_titles(text: str) -> None:
    assert not has_title(text)


def test_texts_with_titles_may_name_anybody() -> None:
    values = [f"Diagnose {i % 15} (Fr. {FAMILY[i % 12]})" if i % 5 == 0 else f"Diagnose {i % 15}" for i in range(300)]
    guess = suggest(profile_of("Befundtext", values))
    assert (guess.role, guess.kind) == ("identifier", "free-text")
    plain = suggest(profile_of("Befundtext", [value.partition(" (")[0] for value in values]))
    assert plain.kind != "free-text"


def test_people_with_their_titles_are_identifiers() -> None:
    assert suggest(profile_of("seen_by", [f"Dr. {name}" for name in FAMILY] * 9)).kind == "name"


def test_given_names_alone_are_names_and_months_are_not() -> None:
    named = [
        "James",
        "Mary",
        "Robert",
        "Linda",
        "Anna",
        "Peter",
        "Paul",
        "Petra",
        "Hans",
        "Maria",
        "Otto",
        "Eva",
        "Kurt",
    ]
    assert are_given_names(named)
    assert suggest(profile_of("x", named * 5)).kind == "name"
    assert not are_given_names(["red", "green", "blue", "flu", "none", "asthma"])


def test_the_halves_of_a_name_need_words_as_values() -> None:
    words = [
        f"{first}{last}".title() for first in ("kor", "bel", "tam", "vir") for last in ("ano", "eki", "utu", "ora")
    ]
    assert suggest(profile_of("last", words * 4)).kind == "name"
    assert suggest(profile_of("last_visit", words * 4)).kind != "name"
    assert suggest(profile_of("last", [f"{i}.5" for i in range(64)])).kind != "name"


def test_numbers_of_a_register_are_no_secrets_and_amounts_are() -> None:
    numbers = [str(4_000_000 + 7919 * i) for i in range(600)]
    assert suggest(profile_of("Party", numbers)).role == "identifier"
    assert suggest(profile_of("wage", [str(1_000_000 + 4_100 * i) for i in range(600)])).role == "sensitive"
    drugs = [f"C{100_000 + 7 * (i % 20)}" for i in range(600)]
    assert suggest(profile_of("medication", drugs)).role == "sensitive"
