"""Shapes, words and widths: what the guesses are made from.

Covers shapes, words, widths.
"""

from datetime import date
from decimal import Decimal
from itertools import pairwise
from re._parser import parse as sre_parse

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tacit.data.tables.hierarchies.spec import parse_spec
from tacit.inspection import shapes, words
from tacit.inspection.widths import nested_widths

FORMS = (*shapes.DATE_FORMS, *shapes.MONTH_FORMS, shapes.COMPACT_DATE)


@given(st.dates(min_value=date(1000, 1, 1)))
def test_dates_in_every_form(day):
    for form in FORMS:
        text = day.strftime(form.format or "%Y-%m-%d")
        known = form in shapes.DATE_FORMS or 1800 <= day.year < 2100
        assert shapes.is_date(text + " 12:30:00" if form.timed else text, form) == known


@pytest.mark.parametrize("form", FORMS)
def test_no_date_is_shorter_than_is_looked_at(form):
    assert sre_parse(form.pattern.pattern).getwidth()[0] >= shapes.SHORTEST_DATE


def test_the_shortest_date_is_looked_at():
    assert len("1.1.99") == shapes.SHORTEST_DATE
    assert any(shapes.is_date("1.1.99", form) for form in shapes.DATE_FORMS)


@pytest.mark.parametrize("text", ["2023-02-29", "2023-13-01", "2023-1-1", "hello", "", "20230101"])
def test_no_iso_dates(text):
    assert not shapes.is_date(text, shapes.DATE_FORMS[0])


def test_day_and_month_are_told_apart():
    british, american = (next(form for form in FORMS if form.format == wanted) for wanted in ("%d/%m/%Y", "%m/%d/%Y"))
    assert shapes.is_date("31/12/1999", british)
    assert not shapes.is_date("31/12/1999", american)


@pytest.mark.parametrize("text", ["13.1990", "12.3456", "00/2001", "2001-13", "31 Feb 2001", "1-Mai-99"])
def test_no_dates(text):
    assert not any(shapes.is_date(text, form) for form in FORMS)


@pytest.mark.parametrize(
    "values", [["m", "f"], ["Male", "Female", "Other"], ["w", "m", "d"], ["homme", "femme"], ["F", "M", "?"]]
)
def test_sexes(values):
    assert shapes.are_sexes(values)


@pytest.mark.parametrize("values", [["m"], ["m", "x"], ["f", "t"], ["male", "female", "cat"], []])
def test_no_sexes(values):
    assert not shapes.are_sexes(values)


def test_truths():
    assert shapes.are_truths(["Yes", "no"])
    assert not shapes.are_truths(["yes"])
    assert not shapes.are_truths(["yes", "no", "maybe"])


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("dateOfBirth", ("date", "of", "birth")),
        ("BILL_AMT1", ("bill", "amt")),
        ("Größe (cm)", ("grosse", "cm")),
        ("PatientID", ("patient", "id")),
        ("età", ("eta",)),
        ("", ()),
    ],
)
def test_parts_of_names(name, expected):
    assert words.parts(name) == expected


@pytest.mark.parametrize(
    ("name", "meaning"),
    [
        ("Geburtsdatum", "birth"),
        ("data di nascita", "birth"),
        ("date_naissance", "birth"),
        ("fecha de nacimiento", "birth"),
        ("PLZ", "postal"),
        ("código postal", "postal"),
        ("Geschlecht", "sex"),
        ("sesso", "sex"),
        ("edad", "age"),
        ("Alter", "age"),
        ("Hauptdiagnose", "health"),
        ("malattia", "health"),
        ("maladie", "health"),
        ("enfermedad", "health"),
        ("annual_incomes", "money"),
        ("Bruttogehalt", "money"),
        ("stipendio", "money"),
        ("salaire", "money"),
        ("sueldo", "money"),
        ("Konfession", "belief"),
    ],
)
def test_meanings_in_five_languages(name, meaning):
    assert meaning in words.meanings(name)


@pytest.mark.parametrize(
    ("name", "meaning"),
    [("agency", "age"), ("message", "age"), ("sextant", "sex"), ("accreditation", "money"), ("paid", "key")],
)
def test_words_inside_words_say_nothing(name, meaning):
    assert meaning not in words.meanings(name)


@pytest.mark.parametrize(
    "name", ["name", "first_name", "Nachname", "nom du patient", "customerName", "cognome", "apellidos"]
)
def test_names_of_people(name):
    assert words.names_person(name)


@pytest.mark.parametrize("name", ["country_name", "product name", "file", "filename", "hospital_name", "number"])
def test_names_of_other_things(name):
    assert not words.names_person(name)


@example("℠")
@given(st.text())
def test_any_name_can_be_read(name):
    assert all(part == part.casefold() for part in words.parts(name))
    assert isinstance(words.meanings(name), frozenset)


@given(st.floats(1e-6, 1e12), st.booleans())
def test_widths_nest_and_fit(span, whole):
    widths = nested_widths(span, whole=whole)
    exact = [Decimal(str(width)) for width in widths]
    assert all(wide > narrow and wide % narrow == 0 for narrow, wide in pairwise(exact))
    assert all(width <= span / 2 for width in widths)
    if whole:
        assert all(isinstance(width, int) and width > 1 for width in widths)
        assert widths or span < 4
    else:
        assert len(widths) >= 3
    if widths:
        assert parse_spec("plan", {"intervals": list(widths)})


@pytest.mark.parametrize("span", [0.0, -1.0, float("nan"), float("inf")])
def test_no_span_no_widths(span):
    assert nested_widths(span, whole=False) == ()
