"""Roles and hierarchies of columns as national surveys and hospital exports have them.

Covers inspection/health_words, inspection/roles.
"""

import random

import pytest
from tests.inspection.inspected_columns import profile_of

from tacit.inspection.roles import suggest

ILLNESSES = ("asthma", "bronch", "tb", "hbp", "hepatitis", "diabetes", "polio", "tumor", "nervousbreak", "allergies")


@pytest.mark.parametrize("name", [*ILLNESSES, "cholesterol"])
def test_names_of_illnesses_are_sensitive(name: str) -> None:
    guess = suggest(profile_of(name, ["0.0", "1.0"] * 40))
    assert (guess.role, guess.kind) == ("sensitive", "health")


def test_intimate_life_is_sensitive() -> None:
    assert suggest(profile_of("affairs", ["0", "0.1111", "3.26"] * 40)).role == "sensitive"


def test_the_tax_of_a_state_is_no_secret_and_that_of_a_person_is() -> None:
    draw = random.Random(2)
    states = [f"{draw.uniform(0.3, 1.5):.6f}" for _ in range(35)]
    assert suggest(profile_of("tax71", [draw.choice(states) for _ in range(1_600)])).role == "quasi-identifier"
    assert suggest(profile_of("tax71", [f"{draw.uniform(0, 9_000):.2f}" for _ in range(400)])).role == "sensitive"


def test_a_number_that_no_two_rows_share_is_an_identifier() -> None:
    draw = random.Random(3)
    numbers = [str(233 + 15 * place + draw.randrange(10)) for place in range(400)]
    assert suggest(profile_of("seqn", numbers)).role == "identifier"


def test_dates_in_two_forms_are_dates_and_no_codes() -> None:
    draw = random.Random(4)
    days = [(draw.randrange(1930, 2000), draw.randrange(1, 13), draw.randrange(13, 29)) for _ in range(100)]
    values = [f"{d:02}.{m:02}.{y}" if place % 5 else f"{y}-{m:02}-{d:02}" for place, (y, m, d) in enumerate(days)]
    guess = suggest(profile_of("seen", values))
    assert guess.kind == "date"
    assert guess.hierarchy is not None
    assert set(guess.hierarchy["formats"]) == {"%d.%m.%Y", "%Y-%m-%d"}


@pytest.mark.parametrize("ending", ["", ".0"])
def test_a_handful_of_numbers_gets_no_widths_between_them(ending: str) -> None:
    """Children 0, 1, 2, 3, 4 and 5.5 are six values, and intervals of 0.1 and 0.5 would hold one of them each."""
    values = [f"{number}{ending}" for number in range(5)] + ["5.5"]
    guess = suggest(profile_of("children", values * 30))
    assert dict(guess.hierarchy or {}) == {"infer": True}


def test_a_reason_that_is_a_default_says_so() -> None:
    reason = suggest(profile_of("marital_happiness", ["1", "2", "3", "4", "5"] * 20)).reason
    assert "nothing suggests another role, so others are assumed to know it" in reason
