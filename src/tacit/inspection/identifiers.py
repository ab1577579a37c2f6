"""Values that point at one person by themselves: each matcher says whether a text is one of them.

Where a number carries check digits they are verified, so a long number is not taken for a card because it is long:
payment cards by the formula of Luhn (1960; ISO/IEC 7812-1), bank accounts by ISO 7064 MOD 97-10 (ISO 13616, IBAN). Both
refuse every change of a single character; a random number passes the one in 1 of 10 cases, the other in 1 of 97.
"""

import re
from ipaddress import AddressValueError, IPv4Address, IPv6Address

_EMAIL = re.compile(r"[^\s@,;<>()\"]{1,64}@[^\s@,;<>()\"]+\.[^\W\d_][\w-]+")
_URL = re.compile(r"(?:https?|ftp)://\S+|www\.\S+\.\S+", re.IGNORECASE)
_UUID = re.compile(r"\{?[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\}?", re.IGNORECASE)
_HASH = re.compile(r"(?:[0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{64}|[0-9a-f]{128})", re.IGNORECASE)
_PHONE = re.compile(r"(?:\+|00?)?[ ]?(?:\(0?\d{1,5}\)|\d{1,5})(?:[ ./-]?(?:\(0\)|\d{1,9})){1,7}", re.ASCII)
_PHONE_MARK = re.compile(r"\+|0|\(|\d+[ ./-]\d", re.ASCII)
_CARD = re.compile(r"[2-6](?:[ -]?\d){12,18}", re.ASCII)
_IBAN = re.compile(r"[A-Z]{2}\d{2}[A-Z0-9]{11,30}", re.ASCII)
_MAC = re.compile(r"[0-9a-f]{2}(?:[:-][0-9a-f]{2}){5}", re.IGNORECASE)

SHORTEST = 6
"""None of these values has fewer characters, but for an Internet address with a colon."""


def may_be_one(text: str) -> bool:
    """Whether the text is long enough for any of these values, or for a number that a state gives to a person."""
    return len(text) >= SHORTEST or ":" in text


def is_email(text: str) -> bool:
    """A mail address: something, `@`, a domain with a dot."""
    return _EMAIL.fullmatch(text) is not None


def is_url(text: str) -> bool:
    """A web address."""
    return _URL.fullmatch(text) is not None


def is_uuid(text: str) -> bool:
    """A universally unique identifier (RFC 9562)."""
    return _UUID.fullmatch(text) is not None


def is_hash(text: str) -> bool:
    """As many hexadecimal digits as MD5, SHA-1, SHA-256 or SHA-512 give, not all of them decimal."""
    return _HASH.fullmatch(text) is not None and not text.isdecimal()


def is_ip_address(text: str) -> bool:
    """An Internet address, version 4 or 6."""
    try:
        IPv6Address(text) if ":" in text else IPv4Address(text)
    except AddressValueError:
        return False
    return True


def is_device_address(text: str) -> bool:
    """The hardware address of a network device (IEEE 802)."""
    return _MAC.fullmatch(text) is not None


def is_phone(text: str) -> bool:
    """A telephone number that shows itself as one: 7 to 15 digits (ITU-T E.164) with a plus, a zero or gaps."""
    return is_phone_digits(text) and _PHONE_MARK.match(text) is not None


def is_phone_digits(text: str) -> bool:
    """A telephone number, or any number of 7 to 15 digits: trust it where the column's name says the same."""
    return _PHONE.fullmatch(text) is not None and 7 <= sum(map(str.isdigit, text)) <= 15


def is_card(text: str) -> bool:
    """A payment card number: 13 to 19 digits, with gaps or without, whose check digit is right."""
    return _CARD.fullmatch(text) is not None and luhn_holds(re.sub(r"[ -]", "", text))


def luhn_holds(digits: str) -> bool:
    """Whether the sum of the digits, every second from the right doubled (less 9 above 9), is divisible by 10."""
    plain, doubled = digits[-1::-2], digits[-2::-2]
    return (sum(map(int, plain)) + sum(sum(divmod(2 * int(digit), 10)) for digit in doubled)) % 10 == 0


def is_iban(text: str) -> bool:
    """An international bank account number whose check digits are right."""
    compact = text.replace(" ", "").upper()
    return _IBAN.fullmatch(compact) is not None and iban_remainder(compact) == 1


def iban_remainder(compact: str) -> int:
    """The number that arises when the first four characters go last and letters become 10 to 35, modulo 97."""
    return int("".join(str(int(character, 36)) for character in compact[4:] + compact[:4])) % 97
