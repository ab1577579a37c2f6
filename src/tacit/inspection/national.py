"""Numbers that a state gives to a person, known by their form and their check digits.

Schemes: social security number (United States), codice fiscale (Italy), DNI and NIE (Spain), NIR (France),
Steuer-Identifikationsnummer (Germany), NHS number (United Kingdom), AHV number (Switzerland), PESEL (Poland). Forms and
check digits are those that the offices publish. A random number of the right length passes a check digit in about 1 of
10 cases, so one match means little and a column full of them a lot.
"""

import re
from collections.abc import Callable, Mapping
from types import MappingProxyType

_SSN = re.compile(r"(?!000|666|9)\d{3}-(?!00)\d{2}-(?!0000)\d{4}", re.ASCII)
_FISCALE = re.compile(r"[A-Z]{6}[0-9L-NP-V]{2}[A-EHLMPR-T][0-9L-NP-V]{2}[A-Z][0-9L-NP-V]{3}[A-Z]")
_DNI = re.compile(r"[XYZ0-9]\d{7}[A-Z]", re.ASCII)
_NIR = re.compile(r"[1-478]\d{4}(?:\d{2}|2A|2B)\d{8}", re.ASCII)

_DNI_LETTERS = "TRWAGMYFPDXBNJZSQVHLCKE"
_FISCALE_FIRST = (1, 0, 5, 7, 9, 13, 15, 17, 19, 21)
_FISCALE_REST = (2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23)
_FISCALE_ODD = dict(zip("ABCDEFGHIJKLMNOPQRSTUVWXYZ", (*_FISCALE_FIRST, *_FISCALE_REST), strict=True))
_FISCALE_ODD |= dict(zip("0123456789", _FISCALE_FIRST, strict=True))
_FISCALE_EVEN = {letter: int(letter) if letter.isdigit() else ord(letter) - 65 for letter in _FISCALE_ODD}


def is_ssn(text: str) -> bool:
    """A social security number, written with hyphens."""
    return _SSN.fullmatch(text) is not None


def is_codice_fiscale(text: str) -> bool:
    """An Italian codice fiscale with its check letter."""
    code = text.upper()
    if _FISCALE.fullmatch(code) is None:
        return False
    total = sum(_FISCALE_ODD[character] for character in code[0:15:2])
    total += sum(_FISCALE_EVEN[character] for character in code[1:15:2])
    return ord(code[15]) - 65 == total % 26


def is_dni(text: str) -> bool:
    """A Spanish DNI or NIE: the number modulo 23 gives the letter."""
    code = re.sub(r"[ .-]", "", text).upper()
    if _DNI.fullmatch(code) is None:
        return False
    number = int(code[:-1].translate(str.maketrans("XYZ", "012")))
    return _DNI_LETTERS[number % 23] == code[-1]


def is_nir(text: str) -> bool:
    """A French NIR with its key: 97 less the number modulo 97 (Corsica's 2A and 2B count as 19 and 18)."""
    code = re.sub(r"[ .-]", "", text).upper()
    if _NIR.fullmatch(code) is None:
        return False
    number = int(code[:13].replace("2A", "19").replace("2B", "18"))
    return 97 - number % 97 == int(code[13:])


def is_steuer_id(text: str) -> bool:
    """A German tax identification number: 11 digits, the last by ISO 7064 MOD 11,10."""
    code = _digits(text, 11)
    if not code or code[0] == "0":
        return False
    product = 10
    for digit in code[:10]:
        product = ((int(digit) + product) % 10 or 10) * 2 % 11
    return (11 - product) % 10 == int(code[10])


def is_nhs_number(text: str) -> bool:
    """A British NHS number: 10 digits, the last by weights 10 to 2 modulo 11."""
    code = _digits(text, 10)
    if not code:
        return False
    check = -sum(weight * int(digit) for weight, digit in zip(range(10, 1, -1), code, strict=False)) % 11
    return check == int(code[9])


def is_ahv_number(text: str) -> bool:
    """A Swiss AHV number: 756 and ten digits, the last as in EAN-13."""
    code = _digits(text, 13)
    if not code.startswith("756"):
        return False
    return (sum(map(int, code[0::2])) + 3 * sum(map(int, code[1::2]))) % 10 == 0


def is_pesel(text: str) -> bool:
    """A Polish PESEL: 11 digits, the last by weights 1, 3, 7, 9."""
    code = _digits(text, 11)
    if not code:
        return False
    check = -sum(weight * int(digit) for weight, digit in zip((1, 3, 7, 9) * 3, code[:10], strict=False)) % 10
    return check == int(code[10])


def _digits(text: str, number: int) -> str:
    """The digits of a text that has this many and nothing else but gaps; the empty text otherwise."""
    code = re.sub(r"[ .-]", "", text)
    return code if len(code) == number and code.isascii() and code.isdecimal() else ""


SCHEMES: Mapping[str, Callable[[str], bool]] = MappingProxyType(
    {
        "a social security number (US)": is_ssn,
        "a codice fiscale (Italy)": is_codice_fiscale,
        "a DNI or NIE (Spain)": is_dni,
        "a NIR (France)": is_nir,
        "a tax identification number (Germany)": is_steuer_id,
        "an NHS number (United Kingdom)": is_nhs_number,
        "an AHV number (Switzerland)": is_ahv_number,
        "a PESEL (Poland)": is_pesel,
    }
)
"""Every scheme by a name that fits into a sentence."""
