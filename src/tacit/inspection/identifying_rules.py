"""Rules for what points at one person or one record: e-mail, official numbers, names, free text, keys.

Each rule gives its guess for a column, or None where it has no opinion.
"""

from collections.abc import Callable, Mapping

from tacit.data.sources.profile import ColumnProfile
from tacit.inspection import given_names, identifiers, national, shapes, words
from tacit.inspection.key_names import key_name, names_id
from tacit.inspection.suggestion import (
    ENOUGH,
    FEW,
    MANY_ROWS,
    MOST,
    ProfiledColumn,
    Suggestion,
    ValueKind,
    looks_like,
    percent,
)

SURE = 10.0
"""Expected pairs of equal numbers from which on their absence is no chance: it would be one in e**10 files."""
LONG = 7
"""Figures from which on whole numbers of one length that never repeat are those of a register."""
LONGEST_NAME = 40
_HALVES = frozenset({"last", "first", "middle", "given", "family", "maiden"})
MENTIONED = 0.05
"""The share of texts that name somebody, from which on they may name anybody."""
WRITTEN = 0.2
"""The share of remarks of three words or more, from which on a column holds what somebody wrote and no codes."""


_PATTERNS: tuple[tuple[ValueKind, str, Callable[[str], bool], int], ...] = (
    ("email", "an e-mail address", identifiers.is_email, 1),
    ("url", "a web address", identifiers.is_url, 1),
    ("uuid", "a universally unique identifier", identifiers.is_uuid, 1),
    ("ip-address", "an IP address", identifiers.is_ip_address, 1),
    ("device-address", "the address of a network device", identifiers.is_device_address, 1),
    ("iban", "a bank account (IBAN, check digits right)", identifiers.is_iban, 1),
    ("card", "a payment card number (check digit right)", identifiers.is_card, ENOUGH),
    ("hash", "a hash, which identifies a record as well as the original value does", identifiers.is_hash, ENOUGH),
)


def by_pattern(column: ProfiledColumn) -> Suggestion | None:
    """E-mail, bank account, card and other values that point at one person by themselves."""
    # Most columns of wide tables are too short for all of them.
    if column.most(identifiers.may_be_one) < MOST:
        return None
    for kind, what, matches, least in _PATTERNS:
        share = column.most(matches)
        if share >= MOST and len(column.values) >= least:
            return column.guess("identifier", kind, looks_like(what, share))
    for what, matches in national.SCHEMES.items():
        share = column.most(matches)
        if share >= MOST and (len(column.values) >= ENOUGH or "national" in column.says):
            return column.guess("identifier", "national-id", looks_like(what, share))
    return None


def by_phone(column: ProfiledColumn) -> Suggestion | None:
    """Telephone numbers; mere digits only where the name says so, ranges such as 1990-1999 never."""
    profile, named = column.profile, "phone" in column.says
    share = column.most(identifiers.is_phone_digits if named else identifiers.is_phone)
    if share < MOST or "postal" in column.says:
        return None
    is_amount = profile.numeric > 0.5 and column.share(lambda text: text[0] in "+0" and text[1:2].isdigit()) < MOST
    is_range = profile.distinct <= FEW or column.spread < 0.1
    if not named and (is_amount or is_range):
        return None
    return column.guess("identifier", "phone", looks_like("a telephone number", share))


def by_person_name(column: ProfiledColumn) -> Suggestion | None:
    """Names of people: because the column says so or is called by a noun for people, or because few rows share one."""
    if words.names_person(column.profile.name) and column.profile.numeric < 1 - MOST:
        return column.guess("identifier", "name", "the column's name says that it holds people's names")
    if column.profile.distinct >= ENOUGH and column.profile.numeric == 0.0 and given_names.are_people(column.values):
        return column.guess("identifier", "name", "many of its values hold a given name, beside another name")
    if column.profile.distinct > FEW and given_names.are_given_names(column.values):
        return column.guess("identifier", "name", "most of its values are given names")
    if column.profile.distinct > FEW and _is_half_a_name(column):
        return column.guess("identifier", "name", "its name and its values suggest a part of people's names")
    if column.most(lambda text: len(text) <= LONGEST_NAME and given_names.has_title(text)) >= MOST:
        return column.guess("identifier", "name", "its values are people with their titles")
    share = column.most(lambda text: shapes.PERSON_NAME.fullmatch(text) is not None)
    if share >= MOST and column.profile.distinct > FEW and key_name(column.profile.name) == "people":
        return column.guess("identifier", "name", looks_like("the name of a person", share))
    if share >= MOST and column.spread >= 0.5 and column.profile.present >= MANY_ROWS:
        return column.guess("identifier", "name", looks_like("the name of a person", share))
    return None


_BY_WORD: tuple[tuple[words.Meaning, ValueKind, str], ...] = (
    ("email", "email", "an e-mail address"),
    ("national", "national-id", "an official number"),
    ("account", "iban", "a bank account"),
    ("card", "card", "a payment card"),
    ("address", "address", "a street address"),
)


def _is_half_a_name(column: ProfiledColumn) -> bool:
    """Whether the column is called `last` or `first`, with nothing besides, and its values are single words."""
    found = words.parts(column.profile.name)
    return len(found) == 1 and found[0] in _HALVES and column.most(str.isalpha) >= MOST


def by_identifier_word(column: ProfiledColumn) -> Suggestion | None:
    """Identifiers that the name announces, unless the values are a few categories."""
    if column.profile.distinct <= FEW and column.profile.present > 2 * FEW:
        return None
    for meaning, kind, what in _BY_WORD:
        is_count = kind in {"email", "address"} and column.profile.numeric > 0.5
        if meaning in column.says and not is_count:
            return column.guess("identifier", kind, f"the column's name says that it holds {what}")
    return None


def by_sentence(column: ProfiledColumn) -> Suggestion | None:
    """Free text, unlike long names of categories, seldom repeats, or the column's name says what it is."""
    if "remark" in column.says and column.share(lambda text: len(text.split()) >= 3) >= WRITTEN:
        return column.guess(
            "identifier", "free-text", "the column's name says that it holds remarks, which may name anybody"
        )
    mentions = column.share(given_names.mentions_person)
    if mentions >= MENTIONED and column.spread >= 0.2 and column.profile.distinct > FEW:
        return column.guess(
            "identifier", "free-text", f"free text that names people: {percent(mentions)} of the values do"
        )
    titled = column.share(given_names.has_title)
    if titled >= MENTIONED and column.profile.distinct > FEW:
        return column.guess("identifier", "free-text", f"text that names people: {percent(titled)} of the values do")
    share = column.share(shapes.is_sentence)
    if share < 0.5 or column.spread < 0.2 or column.profile.distinct <= FEW:
        return None
    reason = f"free text may name anybody: {percent(share)} of the values are sentences"
    return column.guess("identifier", "free-text", reason)


def by_person_key(column: ProfiledColumn) -> Suggestion | None:
    """Numbers of people and households, whether a person has one row or several."""
    if column.profile.distinct <= FEW or not (column.all_whole or column.profile.numeric < 1 - MOST):
        return None
    named = key_name(column.profile.name)
    if named == "person":
        return column.guess("identifier", "record-id", "the column's name says that it holds ID numbers of people")
    if named in _NUMBERED:
        return column.guess(
            "identifier", "record-id", f"the column's name says that it holds ID numbers of {_NUMBERED[named]}"
        )
    if names_id(column.profile.name) and not column.all_differ:
        return column.guess("identifier", "record-id", "the column's name says that it is a key")
    return None


_NUMBERED: Mapping[str | None, str] = {
    "household": "households",
    "staff": "staff",
    "matter": "people's cases, policies or accounts",
}


def by_record_key(column: ProfiledColumn) -> Suggestion | None:
    """Numbers and texts that name a row."""
    if not column.all_differ or column.profile.present < ENOUGH:
        return None
    if column.profile.numeric == 1.0 and not column.all_whole:
        return None
    named = bool(column.says & {"key", "code"}) or key_name(column.profile.name) is not None
    counted = column.all_whole and (
        _is_run(column.profile) or _expected_ties(column.profile) >= SURE or are_given_out(column)
    )
    texts = column.profile.numeric < 1.0 and column.profile.present >= MANY_ROWS
    if not (named or counted or texts):
        return None
    return column.guess("identifier", "record-id", "no two rows share a value, so each value identifies a row")


def are_given_out(column: ProfiledColumn) -> bool:
    """Whether all numbers have equally many figures, and so many that they are given out and not measured.

    What is measured is spread over several powers of ten, or has fewer figures.
    """
    profile = column.profile
    figures = profile.shortest == profile.longest >= LONG and all(map(str.isdigit, column.values))
    return figures and profile.present >= MANY_ROWS


def _expected_ties(profile: ColumnProfile) -> float:
    """How many pairs of rows would share a whole number if numbers were drawn evenly between the extremes.

    n rows and R numbers give n (n - 1) / 2R pairs, and none with a chance of about e to the power of minus that (the
    paradox of birthdays, von Mises 1939): what is measured has ties, what is given out has none.
    """
    span = float(profile.maximum or 0) - float(profile.minimum or 0) + 1
    return profile.present * (profile.present - 1) / (2 * span)


def _is_run(profile: ColumnProfile) -> bool:
    """Whether whole numbers follow one another without a gap (without many, where counts are estimates)."""
    span = float(profile.maximum or 0) - float(profile.minimum or 0) + 1
    return span <= profile.distinct / 0.95 if profile.estimated else span == profile.distinct
