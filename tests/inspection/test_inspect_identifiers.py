"""Matchers of direct identifiers: true ones are accepted, changed ones refused, other things not taken for them.

Covers identifiers.
"""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tacit.inspection.identifiers import (
    is_card,
    is_device_address,
    is_email,
    is_hash,
    is_iban,
    is_ip_address,
    is_phone,
    is_phone_digits,
    is_url,
    is_uuid,
    may_be_one,
)
from tacit.inspection.national import SCHEMES

DIGITS = "0123456789"
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def luhn_digit(payload: str) -> str:
    """The check digit as ISO/IEC 7812-1 words it: double every second digit from the right, add the digits."""
    total = 0
    for place, digit in enumerate(reversed(payload)):
        doubled = int(digit) * (2 if place % 2 == 0 else 1)
        total += doubled - 9 if doubled > 9 else doubled
    return str((10 - total % 10) % 10)


def iban_of(country: str, account: str) -> str:
    """The account with its check digits as ISO 13616 words it: 98 less the remainder of division by 97."""
    letters = {letter: str(10 + place) for place, letter in enumerate(LETTERS)}
    spelt = "".join(letters.get(character, character) for character in account + country + "00")
    return f"{country}{98 - int(spelt) % 97:02d}{account}"


cards = st.builds(
    lambda first, rest: first + rest + luhn_digit(first + rest),
    st.sampled_from("23456"),
    st.text(DIGITS, min_size=11, max_size=17),
)
ibans = st.builds(
    iban_of, st.text(LETTERS, min_size=2, max_size=2), st.text(LETTERS + DIGITS, min_size=11, max_size=30)
)


def changed(text: str, place: int, new: str) -> str:
    return text[:place] + new + text[place + 1 :]


@given(cards)
def test_true_cards(card):
    assert is_card(card)
    assert is_card(" ".join(card[i : i + 4] for i in range(0, len(card), 4)))


@given(cards, st.data())
def test_cards_with_one_wrong_digit(card, data):
    place = data.draw(st.integers(1, len(card) - 1))
    new = data.draw(st.sampled_from(DIGITS.replace(card[place], "")))
    assert not is_card(changed(card, place, new))


@pytest.mark.parametrize(
    "card", ["4111111111111111", "5500 0000 0000 0004", "3782 822463 10005", "6011-0000-0000-0004"]
)
def test_published_test_cards(card):
    assert is_card(card)


@pytest.mark.parametrize(
    "text", ["", "411111111111", "4" * 20, "x111111111111111", "0000000000000000", "٤١١١١١١١١١١١١١١١"]
)
def test_no_cards(text):
    assert not is_card(text)


@given(ibans)
def test_true_ibans(iban):
    assert is_iban(iban)
    assert is_iban(" ".join(iban[i : i + 4] for i in range(0, len(iban), 4)).lower())


@given(ibans, st.data())
def test_ibans_with_one_wrong_character(iban, data):
    place = data.draw(st.integers(0, len(iban) - 1))
    alphabet = DIGITS if iban[place] in DIGITS else LETTERS
    new = data.draw(st.sampled_from(alphabet.replace(iban[place], "")))
    assert not is_iban(changed(iban, place, new))


@pytest.mark.slow
@given(ibans, st.data())
def test_ibans_with_two_neighbours_swapped(iban, data):
    place = data.draw(st.integers(4, len(iban) - 2))
    first, second = iban[place], iban[place + 1]
    assume(first != second and (first in DIGITS) == (second in DIGITS))
    assert not is_iban(changed(changed(iban, place, second), place + 1, first))


@pytest.mark.parametrize(
    "iban", ["GB82 WEST 1234 5698 7654 32", "DE89370400440532013000", "FR1420041010050500013M02606"]
)
def test_published_ibans(iban):
    assert is_iban(iban)


@given(st.ip_addresses())
def test_ip_addresses(address):
    assert is_ip_address(str(address))


@pytest.mark.parametrize("text", ["", "1.2.3", "256.1.1.1", "1.2.3.4.5", "a.b.c.d", "12:30", "::g"])
def test_no_ip_addresses(text):
    assert not is_ip_address(text)


@given(st.uuids())
def test_uuids(uuid):
    assert is_uuid(str(uuid))
    assert not is_uuid(str(uuid)[:-1])
    assert is_hash(uuid.hex) == (not uuid.hex.isdecimal())


@pytest.mark.slow
@given(st.emails())
def test_emails(email):
    # RFC 5322 allows local parts that hardly a register holds; those in everyday use must be known.
    assume(all(character.isalnum() or character in "._+-@" for character in email))
    assert is_email(email)


@pytest.mark.parametrize(
    "text", ["", "a@b", "@example.org", "a b@example.org", "a@example.1", "a@@example.org", "x, y@z.org"]
)
def test_no_emails(text):
    assert not is_email(text)


def test_urls_and_devices():
    assert is_url("https://example.org/a?b=c")
    assert is_url("www.example.org")
    assert not is_url("example")
    assert is_device_address("00:1B:44:11:3a:b7")
    assert not is_device_address("00:1B:44:11:3a")


@pytest.mark.parametrize(
    "text",
    [
        "+49 30 23125 000",
        "+4930 23125000",
        "030 23125 000",
        "(030) 23125-000",
        "030/23125000",
        "+1 212-555-0101",
        "0039 06 555 0100",
    ],
)
def test_phones(text):
    assert is_phone(text)


@pytest.mark.parametrize("text", ["", "12345", "+", "phone", "1234567890123456", "40111", "0", "2125550101"])
def test_no_phones(text):
    assert not is_phone(text)


def test_mere_digits_are_phones_for_those_who_know():
    assert is_phone_digits("2125550101")
    assert not is_phone_digits("123456")


ALL = [is_card, is_device_address, is_email, is_hash, is_iban, is_ip_address, is_url, is_uuid, *SCHEMES.values()]


@given(st.text("a1@.:-/wfX0 ", max_size=8) | st.text(max_size=8))
def test_no_identifier_is_too_short_to_be_looked_at(text: str) -> None:
    assert may_be_one(text) or not any(matches(text) for matches in ALL)


@pytest.mark.parametrize("text", ["a@b.cd", "::1", "1.2.3.4", "www.a.b"])
def test_the_shortest_identifiers_are_looked_at(text: str) -> None:
    assert may_be_one(text)
    assert any(matches(text) for matches in ALL)
