"""Numbers given by a state: published examples, and what a changed character does.

Covers national.
"""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacit.inspection import national

EXAMPLES = {
    national.is_ssn: "078-05-1120",  # the wallet card of 1938
    national.is_codice_fiscale: "RSSMRA85T10A562S",
    national.is_dni: "12345678Z",
    national.is_nir: "2 55 08 14 168 025 38",
    national.is_steuer_id: "86095742719",
    national.is_nhs_number: "943 476 5919",
    national.is_ahv_number: "756.9217.0769.85",
    national.is_pesel: "44051401359",
}
CHECKED = [scheme for scheme in EXAMPLES if scheme is not national.is_ssn]


@pytest.mark.parametrize("scheme", EXAMPLES)
def test_published_examples(scheme):
    assert scheme(EXAMPLES[scheme])


def test_every_scheme_has_an_example():
    assert set(EXAMPLES) == set(national.SCHEMES.values())


@pytest.mark.parametrize("scheme", CHECKED)
def test_a_wrong_last_character_is_refused(scheme):
    example = EXAMPLES[scheme]
    alphabet = "0123456789" if example[-1].isdigit() else "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    assert [last for last in alphabet if scheme(example[:-1] + last)] == [example[-1]]


@pytest.mark.parametrize("scheme", [national.is_nir, national.is_nhs_number, national.is_ahv_number, national.is_dni])
@given(data=st.data())
def test_one_wrong_digit_is_refused(scheme, data):
    # Moduli 97, 11 and 23 and the weights 1 and 3 modulo 10 tell all single digits apart.
    example = EXAMPLES[scheme].replace(" ", "").replace(".", "")
    place = data.draw(st.sampled_from([i for i, character in enumerate(example) if character.isdigit()]))
    new = data.draw(st.sampled_from("0123456789".replace(example[place], "")))
    assert not scheme(example[:place] + new + example[place + 1 :])


@pytest.mark.parametrize(
    "text", ["", "666-12-3456", "000-12-3456", "900-12-3456", "123-00-4567", "123-45-0000", "123456789"]
)
def test_no_social_security_numbers(text):
    assert not national.is_ssn(text)


@given(st.text(max_size=20))
def test_no_scheme_stumbles(text):
    for scheme in national.SCHEMES.values():
        assert scheme(text) in {True, False}


def test_other_spellings():
    assert national.is_dni("X1234567L")
    assert national.is_codice_fiscale("rssmra85t10a562s")
    # Corsica: 2A counts as 19 in front of the key.
    number = 1_85_05_19_546_221
    assert national.is_nir(f"185052A546221{97 - number % 97:02d}")
