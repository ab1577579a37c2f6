"""Guesses: the role and kind of columns as they come, that they err on the safe side, and that they tell no value.

Covers inspection/roles, inspection/suggestion, inspection/identifying_rules, inspection/attribute_rules,
inspection/health_words.
"""

import random
from datetime import date

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.inspection.inspected_columns import profile_of

from tacit.data.tables.hierarchies.spec import build_hierarchy, parse_spec
from tacit.demo import register
from tacit.engines.duckdb.profile import profile_columns
from tacit.inspection.roles import suggest
from tacit.inspection.words import meanings

DRAW = random.Random(11)


def some(make, number=60, copies=1):
    """Values from `make(i)`, each given so many times."""
    return [make(i) for i in range(number)] * copies


def letters(size):
    return "".join(DRAW.choice("abcdefghijklmnoprstuvw") for _ in range(size))


def words(number):
    return " ".join(letters(6) for _ in range(number))


CARDS = ["4111111111111111", "5500000000000004", "6011000000000004", "4012888888881881", "5555555555554444"]
LONG_NAMES = [f"other diseases of the {part}, not elsewhere classified" for part in "abcdefghijklmno"]
COLUMNS = [
    ("contact", some(lambda i: f"p{i}@example.org"), "identifier", "email"),
    ("x1", some(lambda i: f"https://example.org/{i}", copies=3), "identifier", "url"),
    ("x2", some(lambda i: f"10.0.0.{i}", copies=9), "identifier", "ip-address"),
    ("x3", some(lambda i: f"00000000-0000-4000-8000-{i:012d}"), "identifier", "uuid"),
    ("x4", CARDS, "identifier", "card"),
    ("x5", ["DE89370400440532013000", "GB82WEST12345698765432"], "identifier", "iban"),
    ("x6", some(lambda i: f"{i + 100}-45-6789"), "identifier", "national-id"),
    ("x7", some(lambda i: f"+49 30 23125 {i:03d}"), "identifier", "phone"),
    ("phone", some(lambda i: f"21255501{i:02d}"), "identifier", "phone"),
    ("x8", some(lambda i: f"+493023125{i:03d}"), "identifier", "phone"),
    ("name", some(lambda _: letters(5).title(), copies=3), "identifier", "name"),
    ("x9", some(lambda _: f"{letters(5).title()} {letters(7).title()}"), "identifier", "name"),
    ("Straße", some(lambda i: f"{letters(8).title()} {i}", copies=2), "identifier", "address"),
    ("passport", some(lambda i: f"C{i:05d}X", copies=2), "identifier", "national-id"),
    ("remarks", some(lambda _: words(12)), "identifier", "free-text"),
    ("comment", some(lambda _: words(9), copies=2), "identifier", "free-text"),
    ("Bemerkung", ["asked his wife instead", "see letter of March"] * 30, "identifier", "free-text"),
    ("note", ["pass", "fail", "not yet"] * 3 + ["pass", "fail"] * 20, "quasi-identifier", "category"),
    ("comments", [str(i % 40) for i in range(200)], "quasi-identifier", "number"),
    ("x10", some(str), "identifier", "record-id"),
    ("x11", some(lambda _: letters(9)), "identifier", "record-id"),
    ("record_no", some(lambda i: str(7 * i)), "identifier", "record-id"),
    ("patient_id", some(lambda i: str(7 * i), copies=4), "identifier", "record-id"),
    ("pid", some(lambda i: f"P{i}", copies=3), "identifier", "record-id"),
    ("PatientID", some(lambda i: f"P{i}", copies=3), "identifier", "record-id"),
    ("patientid", some(lambda i: str(7 * i), copies=3), "identifier", "record-id"),
    ("kundennr", some(lambda i: f"K{i}", copies=3), "identifier", "record-id"),
    ("x12", some(lambda _: letters(9), 95) + ["q"] * 5, "identifier", "record-id"),
    ("birth_date", some(lambda i: f"19{i + 20}-03-05"), "quasi-identifier", "birth-date"),
    ("Geburtsdatum", some(lambda i: f"05.03.19{i + 20}"), "quasi-identifier", "birth-date"),
    ("geboren", some(lambda i: f"19{i + 20}0305"), "quasi-identifier", "birth-date"),
    ("admitted", some(lambda i: f"2020-01-{i % 28 + 1:02d} 10:00:00"), "quasi-identifier", "date"),
    ("diagnosis_date", some(lambda i: f"2020-01-{i % 28 + 1:02d}"), "quasi-identifier", "date"),
    ("born", some(lambda i: f"{i % 28 + 1} Oct 19{i + 20}"), "quasi-identifier", "birth-date"),
    ("dob", some(lambda i: f"{i % 28 + 1:02d}-DEC-{i + 20}"), "quasi-identifier", "birth-date"),
    ("seen", some(lambda i: f"{i % 28 + 1:02d}mar20{i % 20:02d}"), "quasi-identifier", "date"),
    ("left", some(lambda i: f"October {i % 28 + 1}, 19{i + 20}"), "quasi-identifier", "date"),
    ("month", some(lambda i: f"{i % 12 + 1:02d}/20{i % 20:02d}"), "quasi-identifier", "date"),
    ("since", some(lambda i: f"19{i + 20}-{i % 12 + 1:02d}"), "quasi-identifier", "date"),
    ("at", some(lambda i: f"2020-01-{i % 28 + 1:02d}{' 10:00:00' * (i % 2)}"), "quasi-identifier", "date"),
    ("ratio", some(lambda i: f"{i % 12 + 1:02d}.{1000 + 97 * i}"), "quasi-identifier", "number"),
    ("zip", some(lambda i: f"{40100 + i}", copies=3), "quasi-identifier", "postal-code"),
    ("zip", some(lambda i: f"{400 + i}", copies=3), "quasi-identifier", "postal-code"),
    ("zip3", some(lambda i: f"{2 * i + 5:03d}", copies=3), "quasi-identifier", "postal-code"),
    ("zip", some(lambda i: f"{40100 + i}.0", copies=3), "quasi-identifier", "postal-code"),
    ("zip_distance", some(lambda i: f"{i / 7}", copies=3), "quasi-identifier", "number"),
    ("birth", some(lambda i: str(1940 + i), copies=3), "quasi-identifier", "birth-date"),
    ("birth_weight", some(lambda i: str(2400 + i), copies=3), "quasi-identifier", "number"),
    ("x13", some(lambda i: f"SW1A {i % 10}{'ABDEFG'[i // 10]}A", copies=2), "quasi-identifier", "postal-code"),
    ("age", some(lambda i: str(i + 20), copies=2), "quasi-identifier", "age"),
    ("Alter", [*some(lambda i: str(i + 20)), "4e"], "quasi-identifier", "age"),
    ("gender", ["1", "2"] * 20, "quasi-identifier", "sex"),
    ("x14", ["female", "male"] * 20, "quasi-identifier", "sex"),
    ("x15", ["yes", "no"] * 20, "quasi-identifier", "boolean"),
    ("x16", ["1", "0"] * 20, "quasi-identifier", "boolean"),
    ("longitude", some(lambda i: f"{-116 - i / 100}"), "quasi-identifier", "coordinate"),
    ("height", some(lambda i: str(140 + i % 50), copies=2), "quasi-identifier", "number"),
    ("rooms", some(lambda i: f"{i / 7}"), "quasi-identifier", "number"),
    ("x17", some(lambda i: f"{7 * i:05d}", copies=2), "quasi-identifier", "code"),
    ("x18", some(lambda i: f"A{i:03d}", copies=2), "quasi-identifier", "code"),
    ("ward_id", some(lambda i: str(i % 9)), "quasi-identifier", "category"),
    ("marital status", ["single", "married", "widowed"] * 9, "quasi-identifier", "category"),
    ("country_name", ["Italy", "Malta", "Spain"] * 9, "quasi-identifier", "category"),
    ("income_band", ["10000-19999", "20000-29999", "30000-39999"] * 9, "sensitive", "money"),
    ("years", ["1990-1999", "2000-2009", "2010-2019"] * 9, "quasi-identifier", "category"),
    ("flag", ["x", None] * 9, "quasi-identifier", "category"),
    ("salary", some(lambda i: str(1000 * i + 7)), "sensitive", "money"),
    ("Hauptdiagnose", ["flu", "cold"] * 9, "sensitive", "health"),
    ("blood_pressure", some(lambda i: f"{95 + i}/{60 + i % 40}", copies=2), "sensitive", "health"),
    ("Blutdruck", some(lambda i: f"{95 + i}/{60 + i % 40}", copies=2), "sensitive", "health"),
    ("dx", ["flu", "mumps"] * 9, "sensitive", "health"),
    ("dx_1", ["flu", "mumps"] * 9, "sensitive", "health"),
    ("disease", LONG_NAMES * 9, "sensitive", "health"),
    ("hiv", ["yes", "no"] * 9, "sensitive", "health"),
    ("x19", ["I21", "J18", "K35", "C50", "F32", "S72", "O80", "N39", "E11", "G40"] * 4, "sensitive", "diagnosis"),
    ("religion", ["a", "b", "c"] * 9, "sensitive", "belief"),
    ("conviction", ["none", "theft"] * 9, "sensitive", "crime"),
    ("loan_id", some(lambda i: str(7 * i), copies=2), "quasi-identifier", "number"),
    ("country", ["Italy"] * 9, "insensitive", "constant"),
    ("diagnosis", ["flu"] * 9, "sensitive", "health"),
    ("notes", [None, "", None], "insensitive", "empty"),
    ("nothing", [], "insensitive", "empty"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "values", "role", "kind"), COLUMNS, ids=[f"{c[0]}-{c[3]}" for c in COLUMNS])
def test_guess(name, values, role, kind):
    guess = suggest(profile_of(name, values))
    assert (guess.role, guess.kind) == (role, kind)
    assert guess.distinct == len({value for value in values if value})


@pytest.mark.parametrize(("name", "values", "role", "kind"), COLUMNS, ids=[f"{c[0]}-{c[3]}" for c in COLUMNS])
def test_quasi_identifiers_get_a_hierarchy_that_holds_their_values(name, values, role, kind, tmp_path):
    guess = suggest(profile_of(name, values))
    assert (guess.hierarchy is not None) == (role == "quasi-identifier" or kind == "diagnosis")
    if guess.hierarchy is not None:
        spec = parse_spec(name, dict(guess.hierarchy))
        hierarchy = build_hierarchy(name, spec, [value or "" for value in values], tmp_path)
        assert hierarchy.labels[-1] == ("*",)


@pytest.mark.parametrize(
    ("name", "values", "expected"),
    [
        ("dob", some(lambda i: f"19{i + 20}-03-05"), {"dates": ["month", "year", "decade"]}),
        ("dob", some(lambda i: f"{i + 1960}-03-05"), {"dates": ["month", "year", "decade", "century"]}),
        ("dob", some(lambda i: f"05.03.19{i + 20}"), {"dates": ["month", "year", "decade"], "format": "%d.%m.%Y"}),
        (
            "dob",
            some(lambda i: f"03/{i % 28 + 1:02d}/1950"),
            {"dates": ["month", "year", "decade"], "format": "%m/%d/%Y"},
        ),
        ("dob", [*some(lambda i: f"19{i + 20}-03-05"), "unknown"], {"infer": True}),
        ("seen", some(lambda i: f"2020-01-01 10:{i:02d}"), {"dates": ["day", "month", "year"]}),
        ("zip", some(lambda i: str(40100 + i)), {"postal": "prefix"}),
        ("zip", some(lambda i: str(9990 + i)), {"postal": "prefix", "digits": 5}),
        ("zip", [*some(lambda i: str(40100 + i)), "none"], {"postal": "prefix", "other": True}),
        ("age", some(lambda i: str(20 + i)), {"ages": [5, 10, 20, 40]}),
        ("age", [*some(lambda i: str(20 + i)), "85+"], {"ages": [5, 10, 20, 40], "top": 85}),
        ("age", some(lambda i: str(i % 18)), {"ages": [2, 4, 8]}),
        ("age", [*some(lambda i: str(20 + i)), "4e"], {"infer": True}),
        ("children", some(lambda i: str(i % 17), copies=2), {"intervals": [2, 4, 8]}),
        ("height", some(lambda i: str(140 + i % 50), copies=2), {"intervals": [5, 10, 20]}),
        ("native-country", ["United-States", "Peru", "Cuba", "Italy", "South"] * 9, {"countries": "un", "other": True}),
        ("x", ["Peru", "Cuba", "Italy", "Spain", "France"] * 9, {"countries": "un"}),
        ("country", ["PE", "CU", "IT"] * 9, {"countries": "un"}),
        ("state", ["CA", "DE", "AL", "AR", "CO"] * 9, {"infer": True}),
        ("education", ["HS-grad", "Bachelors", "11th"] * 9, {"education": "isced"}),
        ("EDUCATION", ["1", "2", "3"] * 9, {"infer": True}),
        ("ISCED", ["1", "2", "3"] * 9, {"education": "isced"}),
        ("level", ["low", "high", "medium"] * 9, {"infer": True}),
        ("occupation", ["nurse", "Sales", "Craft-repair"] * 9, {"occupations": "isco"}),
        ("occupation", ["nurse", "dragon tamer", "elf"] * 9, {"infer": True}),
        ("nuts3", ["DE300", "DE212", "DE301"] * 9, {"regions": "nuts"}),
        ("x", ["I21", "J18", "K35", "C50", "F32", "S72", "O80", "N39", "E11", "G40"] * 4, {"icd10": True}),
    ],
)
def test_hierarchies(name, values, expected):
    assert dict(suggest(profile_of(name, values)).hierarchy) == expected


def test_one_huge_number_does_not_widen_all_intervals():
    values = [*some(lambda i: f"{i / 10 + 0.05}", 200), "1000000000.5"]
    assert max(suggest(profile_of("x", values)).hierarchy["intervals"]) <= 20


def test_share_is_rounded_down():
    values = [*some(lambda i: f"p{i}@example.org", 199), "none"]
    assert suggest(profile_of("x", values)).reason == "looks like an e-mail address: 99 % of the values match"


VALUES = st.text("ABCDabcd0123456789-. @", min_size=4, max_size=9)


@given(st.text(max_size=8), st.lists(VALUES, min_size=1, max_size=40))
def test_reasons_tell_no_value(name, values):
    reason = suggest(profile_of("zzz", values)).reason
    neutral = suggest(profile_of("zzz", ["~~~~"] * 3)).reason
    assert all(value.strip() not in reason or value.strip() in neutral or len(value.strip()) < 4 for value in values)
    assert "\n" not in suggest(profile_of(name, values)).reason


@given(st.text(max_size=8), st.lists(st.none() | st.text(max_size=9), max_size=40))
def test_only_what_is_the_same_for_all_is_insensitive(name, values):
    guess = suggest(profile_of(name, values))
    told_apart = len({(value or "").strip() for value in values}) > 1
    blank = not any((value or "").strip() for value in values)
    assert (guess.role == "insensitive") <= (not told_apart or blank)


@pytest.mark.slow
def test_sample_is_understood():
    connection = duckdb.connect()
    connection.register("hospital", register())
    columns = register(people=1).column_names
    found = {p.name: suggest(p) for p in profile_columns(connection, "hospital", columns)}
    connection.close()
    assert {name: (guess.role, guess.kind) for name, guess in found.items()} == {
        "patient_id": ("identifier", "record-id"),
        "name": ("identifier", "name"),
        "email": ("identifier", "email"),
        "phone": ("identifier", "phone"),
        "birth_date": ("quasi-identifier", "birth-date"),
        "sex": ("quasi-identifier", "sex"),
        "postal_code": ("quasi-identifier", "postal-code"),
        "country_of_birth": ("quasi-identifier", "category"),
        "marital_status": ("quasi-identifier", "category"),
        "education": ("quasi-identifier", "category"),
        "occupation": ("quasi-identifier", "category"),
        "diagnosis": ("sensitive", "diagnosis"),
        "length_of_stay": ("quasi-identifier", "number"),
    }


@pytest.mark.parametrize(
    "name", ["sérologie VIH", "Hauptdiagn.", "diagnoosi", "Schwerbehindert", "verslaafd", "SEN", "Диагноз", "病名"]
)
def test_health_is_known_by_abbreviations_and_in_other_languages(name):
    assert "health" in meanings(name)


@pytest.mark.parametrize("name", ["sensor", "senior", "invalidated", "sender"])
def test_what_only_begins_like_health_is_not(name):
    assert "health" not in meanings(name)


@pytest.mark.parametrize("name", ["Versicherter", "Alumno/a", "Cliënt"])
def test_full_names_that_repeat_are_identifiers_under_a_noun_for_people(name):
    values = some(lambda i: f"{'ABCDEFGH'[i % 8]}nna {'KLMNOPQR'[i // 8]}auer", copies=4)
    guess = suggest(profile_of(name, values))
    assert (guess.role, guess.kind) == ("identifier", "name")
    assert suggest(profile_of("Kasse", values)).role == "quasi-identifier"


def test_long_numbers_of_one_length_that_never_repeat_are_given_out():
    draw = random.Random(2)
    given_out = [str(number) for number in draw.sample(range(10**6, 10**7), 300)]
    assert suggest(profile_of("x1", given_out)).role == "identifier"
    measured = [str(int(draw.lognormvariate(11, 1.5))) for _ in range(300)]
    assert suggest(profile_of("x1", measured)).role == "quasi-identifier"
    assert suggest(profile_of("x1", given_out * 2)).role == "quasi-identifier"


def test_dates_in_digits_are_known_beside_other_dates():
    values = some(lambda i: f"{i % 28 + 1:02d}-03-2024") + some(lambda i: f"202405{i % 28 + 1:02d}")
    guess = suggest(profile_of("consult", values))
    assert guess.kind == "date"
    assert set(guess.hierarchy["formats"]) == {"%d-%m-%Y", "%Y%m%d"}
    assert suggest(profile_of("consult", values[60:])).kind == "number"


def test_births_in_days_of_a_spreadsheet_are_births():
    guess = suggest(profile_of("D.O.B.", some(lambda i: str(12000 + 317 * i), copies=2)))
    assert (guess.role, guess.hierarchy) == ("quasi-identifier", {"intervals": [365, 1825, 3650, 7300]})
    assert "as a spreadsheet counts days" in guess.reason


def test_nobody_is_born_in_a_year_to_come():
    births = some(lambda i: f"{1 + i % 28:02}.{1 + i % 12:02}.{(25 + i) % 100:02}", 90)
    guess = suggest(profile_of("geburtsdatum", births))
    assert guess.hierarchy["format"] == "%d.%m.%y"
    assert guess.hierarchy["latest"] == date.today().year
    assert "latest" not in suggest(profile_of("termin", births)).hierarchy
