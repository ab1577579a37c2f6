"""Roles: a guess for each column, with its kind, a reason in plain words and how it might generalise.

Rules are asked in order, the surest first: what the values look like, then what the column's name says, then what the
counts say. The first that has an opinion decides. A guess errs on the side of people: a column that nothing is known
about is a quasi-identifier, never insensitive, and what may name a person is an identifier. Reasons show shares and
counts, never a value.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from functools import cached_property
from itertools import pairwise
from typing import Any, Literal

from tacit.data.roles import Role
from tacit.data.sources.profile import ColumnProfile
from tacit.inspection import given_names, identifiers, national, shapes, words
from tacit.inspection.health_words import may_be_clinical, speaks_of_trial
from tacit.inspection.key_names import ends_as_key, key_name, names_id
from tacit.inspection.proposals import propose
from tacit.inspection.widths import nested_widths
from tacit.spelling import many

ValueKind = Literal[
    "name", "email", "phone", "card", "iban", "national-id", "ip-address", "device-address", "url", "uuid", "hash",
    "address", "record-id", "free-text", "postal-code", "birth-date", "date", "age", "sex", "coordinate", "code",
    "number", "boolean", "category", "diagnosis", "health", "money", "belief", "crime", "intimacy", "constant", "empty",
]  # fmt: skip

MOST = 0.9
"""The share of the examples that must match a pattern."""
ENOUGH = 5
"""The number of examples from which on a match of check digits is no chance."""
FEW = 12
MANY_ROWS = 20
MOST_DATE_FORMS = 4
BIRTH_YEARS = (1850, 2100)
SERIALS = (2_500, 80_000)
"""Days since the last of 1899: from 1906 to 2119."""
SURE = 10.0
"""Expected pairs of equal numbers from which on their absence is no chance: it would be one in e**10 files."""
LONG = 7
"""Figures from which on whole numbers of one length that never repeat are those of a register."""
MENTIONED = 0.05
"""The share of texts that name somebody, from which on they may name anybody."""
AMOUNT = 0.1
"""Distinct values for each row from which on a tax is a sum that somebody pays, and below it a rate."""
COMPANY = 2
"""Columns that speak of health or of a trial, from which on a file is about health."""

INFER: Mapping[str, Any] = {"infer": True}
KNOWN_BY_DEFAULT = "nothing suggests another role, so others are assumed to know it"


@dataclass(frozen=True)
class Suggestion:
    """A guess: the role, why, what the column seems to hold, the spec of a hierarchy (None where it needs none).

    `distinct` is the number of values: no class can be more diverse than that.
    """

    role: Role
    reason: str
    kind: ValueKind
    hierarchy: Mapping[str, Any] | None = None
    distinct: int = 0


@dataclass(frozen=True)
class _ProfiledColumn:
    """A profile with what the rules ask of it."""

    profile: ColumnProfile
    values: tuple[str, ...] = field(repr=False)

    @cached_property
    def says(self) -> frozenset[words.Meaning]:
        return words.meanings(self.profile.name)

    @cached_property
    def all_numbers(self) -> bool:
        return self.profile.numeric == 1.0 and all(map(shapes.NUMERAL.fullmatch, self.values))

    @cached_property
    def all_whole(self) -> bool:
        return self.profile.numeric == 1.0 and all(map(shapes.WHOLE.fullmatch, self.values))

    @property
    def spread(self) -> float:
        """Distinct values for each row that has one."""
        return self.profile.distinct / max(self.profile.present, 1)

    @property
    def all_differ(self) -> bool:
        # Where the numbers are estimates, all of those looked at were seen once, and they are about as many as rows.
        return self.profile.unique == self.profile.distinct and self.spread >= (0.95 if self.profile.estimated else 1.0)

    def share(self, matches: Callable[[str], bool]) -> float:
        """The share of the examples that match."""
        return sum(map(matches, self.values)) / len(self.values) if self.values else 0.0

    def most(self, matches: Callable[[str], bool]) -> float:
        """The share of the examples that match, or 0 where it is below MOST, which a few of them mostly tell."""
        number, misses = len(self.values), 0
        for text in self.values:
            if not matches(text):
                misses += 1
                if (number - misses) / number < MOST:
                    return 0.0
        return (number - misses) / number if number else 0.0

    def guess(self, role: Role, kind: ValueKind, reason: str, hierarchy: Mapping[str, Any] | None = None) -> Suggestion:
        return Suggestion(role, reason, kind, hierarchy, self.profile.distinct)


def suggest_all(profiles: Sequence[ColumnProfile]) -> dict[str, Suggestion]:
    """The guess for every column; in a file about health, words that may be clinical are."""
    guesses = {profile.name: suggest(profile) for profile in profiles}
    sure = sum(guess.kind in ("health", "diagnosis") for guess in guesses.values())
    if sure + sum(speaks_of_trial(words.parts(name)) for name in guesses) < COMPANY:
        return guesses
    for name, guess in guesses.items():
        if guess.kind in ("number", "boolean", "category", "code") and may_be_clinical(words.parts(name)):
            reason = "beside columns about health, its name suggests a finding or a treatment"
            guesses[name] = replace(guess, role="sensitive", kind="health", reason=reason, hierarchy=None)
    return guesses


def suggest(profile: ColumnProfile) -> Suggestion:
    """The guess for one column by itself."""
    column = _ProfiledColumn(profile, tuple(value.strip() for value in profile.examples if value.strip()))
    if not column.values:
        return column.guess("insensitive", "empty", "has no values")
    found = next((guess for rule in RULES if (guess := rule(column)) is not None), None) or column.guess(
        "quasi-identifier", "category", f"a category with {_count(profile)}; {KNOWN_BY_DEFAULT}", INFER
    )
    return replace(found, hierarchy=propose(found.kind, profile, column.values, found.hierarchy))


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


def _by_pattern(column: _ProfiledColumn) -> Suggestion | None:
    """E-mail, bank account, card and other values that point at one person by themselves."""
    # Most columns of wide tables are too short for all of them.
    if column.most(identifiers.may_be_one) < MOST:
        return None
    for kind, what, matches, least in _PATTERNS:
        share = column.most(matches)
        if share >= MOST and len(column.values) >= least:
            return column.guess("identifier", kind, _looks_like(what, share))
    for what, matches in national.SCHEMES.items():
        share = column.most(matches)
        if share >= MOST and (len(column.values) >= ENOUGH or "national" in column.says):
            return column.guess("identifier", "national-id", _looks_like(what, share))
    return None


def _by_date(column: _ProfiledColumn) -> Suggestion | None:
    """Dates, in whichever of the known forms most examples have, or in several of them."""
    compact = (shapes.COMPACT_DATE,) if "birth" in column.says or "date" in words.parts(column.profile.name) else ()
    forms = (*shapes.DATE_FORMS, *compact)
    if column.most(lambda text: any(shapes.is_date(text, form) for form in (*forms, shapes.COMPACT_DATE))) < MOST:
        return None
    found = _date_forms(column.values, forms)
    if found and not compact:
        # Digits are dates beside others that are.
        found = _date_forms(column.values, (*forms, shapes.COMPACT_DATE))
    share = column.share(lambda text: any(shapes.is_date(text, form) for form in found))
    if not found or share < MOST:
        return None
    is_birth = "birth" in column.says
    periods = ["day", "month", "year"] if found[0].timed else ["month", "year", "decade"]
    spec: dict[str, Any] = {"dates": periods} | _date_formats(found)
    if is_birth and any("%y" in (form.format or "") for form in found):
        # Nobody is born in a year to come.
        spec["latest"] = date.today().year
    what = "a date of birth" if is_birth else "a date"
    several = f", written in {len(found)} ways (the first that fits is used)" if len(found) > 1 else ""
    reason = f"{_looks_like(what, share)}{several}; others may know it"
    kind: ValueKind = "birth-date" if is_birth else "date"
    return column.guess("quasi-identifier", kind, reason, spec if share == 1.0 else INFER)


def _date_forms(values: Sequence[str], forms: Sequence[shapes.DateForm]) -> list[shapes.DateForm]:
    """The forms that the dates have: that of most of them, then that of most of the rest, and so on."""
    found: list[shapes.DateForm] = []
    left = [text for text in values if len(text) >= shapes.SHORTEST_DATE]
    while left:
        reads: dict[shapes.DateForm, int] = {}
        for form in (form for form in forms if form not in found):
            reads[form] = sum(shapes.is_date(text, form) for text in left)
            if reads[form] == len(left):
                break
        best = max(reads, key=lambda form: reads[form])
        if not reads[best] or (best.timed and found):
            break
        found.append(best)
        left = [text for text in left if not shapes.is_date(text, best)]
        if best.timed or len(found) == MOST_DATE_FORMS:
            break
    return found


def _date_formats(found: Sequence[shapes.DateForm]) -> dict[str, Any]:
    """How the dates are written, as a plan says it."""
    if len(found) == 1:
        return {"format": found[0].format} if found[0].format else {}
    return {"formats": [form.format or shapes.ISO_FORMAT for form in found]}


def _by_phone(column: _ProfiledColumn) -> Suggestion | None:
    """Telephone numbers; mere digits only where the name says so, ranges such as 1990-1999 never."""
    profile, named = column.profile, "phone" in column.says
    share = column.most(identifiers.is_phone_digits if named else identifiers.is_phone)
    if share < MOST or "postal" in column.says:
        return None
    is_amount = profile.numeric > 0.5 and column.share(lambda text: text[0] in "+0" and text[1:2].isdigit()) < MOST
    is_range = profile.distinct <= FEW or column.spread < 0.1
    if not named and (is_amount or is_range):
        return None
    return column.guess("identifier", "phone", _looks_like("a telephone number", share))


def _by_person_name(column: _ProfiledColumn) -> Suggestion | None:
    """Names of people: because the column says so or is called by a noun for people, or because few rows share one."""
    if words.names_person(column.profile.name) and column.profile.numeric < 1 - MOST:
        return column.guess("identifier", "name", "the column's name says that it holds people's names")
    if column.profile.distinct > FEW and column.profile.numeric == 0.0 and given_names.are_people(column.values):
        return column.guess("identifier", "name", "many of its values hold a given name, beside another name")
    share = column.most(lambda text: shapes.PERSON_NAME.fullmatch(text) is not None)
    if share >= MOST and column.profile.distinct > FEW and key_name(column.profile.name) == "people":
        return column.guess("identifier", "name", _looks_like("the name of a person", share))
    if share >= MOST and column.spread >= 0.5 and column.profile.present >= MANY_ROWS:
        return column.guess("identifier", "name", _looks_like("the name of a person", share))
    return None


_BY_WORD: tuple[tuple[words.Meaning, ValueKind, str], ...] = (
    ("email", "email", "an e-mail address"),
    ("national", "national-id", "an official number"),
    ("account", "iban", "a bank account"),
    ("card", "card", "a payment card"),
    ("address", "address", "a street address"),
)


def _by_identifier_word(column: _ProfiledColumn) -> Suggestion | None:
    """Identifiers that the name announces, unless the values are a few categories."""
    if column.profile.distinct <= FEW and column.profile.present > 2 * FEW:
        return None
    for meaning, kind, what in _BY_WORD:
        is_count = kind in {"email", "address"} and column.profile.numeric > 0.5
        if meaning in column.says and not is_count:
            return column.guess("identifier", kind, f"the column's name says that it holds {what}")
    return None


def _by_sentence(column: _ProfiledColumn) -> Suggestion | None:
    """Free text, unlike long names of categories, seldom repeats."""
    mentions = column.share(given_names.mentions_person)
    if mentions >= MENTIONED and column.spread >= 0.2 and column.profile.distinct > FEW:
        return column.guess(
            "identifier", "free-text", f"free text that names people: {_percent(mentions)} of the values do"
        )
    share = column.share(shapes.is_sentence)
    if share < 0.5 or column.spread < 0.2 or column.profile.distinct <= FEW:
        return None
    reason = f"free text may name anybody: {_percent(share)} of the values are sentences"
    return column.guess("identifier", "free-text", reason)


def _by_person_key(column: _ProfiledColumn) -> Suggestion | None:
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


def _by_record_key(column: _ProfiledColumn) -> Suggestion | None:
    """Numbers and texts that name a row."""
    if not column.all_differ or column.profile.present < ENOUGH:
        return None
    if column.profile.numeric == 1.0 and not column.all_whole:
        return None
    named = bool(column.says & {"key", "code"}) or key_name(column.profile.name) is not None
    counted = column.all_whole and (
        _is_run(column.profile) or _expected_ties(column.profile) >= SURE or _are_given_out(column)
    )
    texts = column.profile.numeric < 1.0 and column.profile.present >= MANY_ROWS
    if not (named or counted or texts):
        return None
    return column.guess("identifier", "record-id", "no two rows share a value, so each value identifies a row")


def _are_given_out(column: _ProfiledColumn) -> bool:
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


def _by_person_word(column: _ProfiledColumn) -> Suggestion | None:
    """Postal code, year of birth, age, sex, coordinates: what the name says, if the values agree."""
    profile = column.profile
    if "postal" in column.says and column.most(_is_postal) >= MOST:
        reason = "a postal code: known to many, and few people share it"
        return column.guess("quasi-identifier", "postal-code", reason, {"mask": profile.longest})
    if "birth" in column.says and column.all_whole and _within(profile, *BIRTH_YEARS):
        reason = "a year of birth: known to many"
        return column.guess("quasi-identifier", "birth-date", reason, {"intervals": [5, 10, 20]})
    if "birth" in column.says and column.all_whole and _within(profile, *SERIALS):
        reason = (
            "a date of birth as a spreadsheet counts days: known to many; write dates (format the cells so) to publish "
            "months and years"
        )
        # Not the kind of births, whose intervals are years.
        return column.guess("quasi-identifier", "number", reason, {"intervals": [365, 1825, 3650, 7300]})
    if "age" in column.says and profile.numeric >= 0.5 and _within(profile, 0, 130):
        spec = {"intervals": [5, 10, 20]} if column.all_numbers else INFER
        return column.guess("quasi-identifier", "age", "an age: known to many", spec)
    if "sex" in column.says and profile.distinct <= FEW:
        return column.guess("quasi-identifier", "sex", "the sex: known to all who meet the person", INFER)
    if "coordinate" in column.says and column.all_numbers and _within(profile, -180, 180):
        reason = "a coordinate: together with the other one it identifies a place"
        return column.guess("quasi-identifier", "coordinate", reason, _number_spec(column))
    return None


_SECRETS: tuple[tuple[words.Meaning, ValueKind, str], ...] = (
    ("health", "health", "health"),
    ("money", "money", "money"),
    ("belief", "belief", "beliefs"),
    ("crime", "crime", "offences"),
    ("intimacy", "intimacy", "intimate life"),
)


def _by_secret_word(column: _ProfiledColumn) -> Suggestion | None:
    """What a person would keep secret: health, money, belief, offences; but a `loan_id` is a number of a record."""
    if ends_as_key(column.profile.name):
        return None
    if "tax" in column.says and column.spread >= AMOUNT:
        return column.guess(
            "sensitive", "money", "the column's name suggests a tax, and its values are individual amounts"
        )
    for meaning, kind, what in _SECRETS:
        if meaning in column.says and not (kind != "health" and _are_register_numbers(column)):
            is_code = kind == "health" and _are_icd(column)
            reason = f"the column's name suggests {what} (make it a quasi-identifier if others may know it)"
            return column.guess("sensitive", "diagnosis" if is_code else kind, reason)
    if _are_icd(column):
        return column.guess("sensitive", "diagnosis", _looks_like("a diagnosis (ICD-10)", column.most(_is_icd)))
    return None


def _by_constant(column: _ProfiledColumn) -> Suggestion | None:
    if column.profile.distinct == 1 and not column.profile.missing:
        return column.guess("insensitive", "constant", "all rows have the same value")
    return None


def _by_category(column: _ProfiledColumn) -> Suggestion | None:
    """Sexes, truth values and postal codes that their values betray."""
    if shapes.are_sexes(column.values):
        return column.guess("quasi-identifier", "sex", "the sex: known to all who meet the person", INFER)
    if column.profile.type == "BOOLEAN" or shapes.are_truths(column.values):
        return column.guess(
            "quasi-identifier", "boolean", f"one of two values, such as yes and no; {KNOWN_BY_DEFAULT}", INFER
        )
    share = column.most(lambda text: shapes.POSTAL_LETTERS.fullmatch(text) is not None)
    if share >= MOST and column.profile.distinct > FEW:
        reason = _looks_like("a postal code", share)
        return column.guess("quasi-identifier", "postal-code", reason, {"mask": column.profile.longest})
    return None


def _by_number(column: _ProfiledColumn) -> Suggestion | None:
    """Numbers: digits of one length that begin with a zero are codes, few numbers are categories."""
    if not column.all_numbers:
        return None
    profile = column.profile
    # A table with missing cells may have 0.0 for 0, which is no code.
    is_code = profile.shortest == profile.longest >= 3 and all(map(str.isdigit, column.values))
    if is_code and any(value.startswith("0") for value in column.values):
        reason = f"a code with {_count(profile)}; {KNOWN_BY_DEFAULT}"
        return column.guess("quasi-identifier", "code", reason, {"mask": profile.longest})
    if profile.distinct <= FEW:
        return None
    reason = f"a number with {_count(profile)}; {KNOWN_BY_DEFAULT}"
    return column.guess("quasi-identifier", "number", reason, _number_spec(column))


def _by_text(column: _ProfiledColumn) -> Suggestion | None:
    """Values of which nearly every row has its own are identifiers, codes are masked."""
    profile = column.profile
    if profile.numeric < 0.5 and column.spread >= MOST and profile.present >= MANY_ROWS:
        return column.guess("identifier", "record-id", "nearly every row has a value of its own")
    is_code = column.most(lambda text: shapes.CODE.fullmatch(text) is not None) >= MOST
    if is_code and profile.distinct > FEW and profile.numeric < 1 - MOST:
        reason = f"a code with {_count(profile)}; {KNOWN_BY_DEFAULT}"
        return column.guess("quasi-identifier", "code", reason, {"mask": profile.longest})
    return None


RULES: tuple[Callable[[_ProfiledColumn], Suggestion | None], ...] = (
    _by_pattern,
    _by_date,
    _by_phone,
    _by_person_name,
    _by_identifier_word,
    _by_sentence,
    _by_person_key,
    _by_person_word,
    _by_secret_word,
    _by_record_key,
    _by_constant,
    _by_category,
    _by_number,
    _by_text,
)


def _is_postal(text: str) -> bool:
    forms = (shapes.POSTAL_DIGITS, shapes.POSTAL_NUMBER, shapes.POSTAL_LETTERS)
    return any(form.fullmatch(text.upper()) for form in forms)


def _is_icd(text: str) -> bool:
    return shapes.ICD.fullmatch(text) is not None


def _are_icd(column: _ProfiledColumn) -> bool:
    chapters = {value[0] for value in column.values}
    # Far more people than diagnoses: where most rows have one of their own, these are numbers of people or records.
    are_own = column.spread >= 0.5 and column.profile.present >= 10 * MANY_ROWS
    return column.most(_is_icd) >= MOST and len(chapters) >= 3 and column.profile.distinct >= 10 and not are_own


def _are_register_numbers(column: _ProfiledColumn) -> bool:
    """Whether the values are numbers of a register, with letters before them or without, and no amounts or words."""
    coded = column.most(lambda text: shapes.CODE.fullmatch(text) is not None and sum(map(str.isdigit, text)) >= 4)
    return column.profile.distinct > FEW and (
        (column.profile.numeric == 0.0 and coded >= MOST) or (column.all_differ and _are_given_out(column))
    )


def _within(profile: ColumnProfile, least: float, most: float) -> bool:
    if profile.numeric < 1.0:
        return True
    return least <= float(profile.minimum or "nan") and float(profile.maximum or "nan") <= most


def _is_run(profile: ColumnProfile) -> bool:
    """Whether whole numbers follow one another without a gap (without many, where counts are estimates)."""
    span = float(profile.maximum or 0) - float(profile.minimum or 0) + 1
    return span <= profile.distinct / 0.95 if profile.estimated else span == profile.distinct


def _number_spec(column: _ProfiledColumn) -> Mapping[str, Any]:
    """Intervals cut to where nine in ten values lie: a single huge number must not make them all too wide."""
    numbers = sorted(map(float, column.values))
    margin = len(numbers) // 20
    span = (numbers[-1 - margin] - numbers[margin]) / 0.9 if margin else numbers[-1] - numbers[0]
    gaps = sorted(high - low for low, high in pairwise(numbers))
    widths = nested_widths(span, whole=column.all_whole, gap=gaps[len(gaps) // 2] if gaps else 0.0)
    return {"intervals": list(widths)} if widths else INFER


def _looks_like(what: str, share: float) -> str:
    return f"looks like {what}: {_percent(share)} of the values match"


def _percent(share: float) -> str:
    return f"{int(100 * share)} %"


def _count(profile: ColumnProfile) -> str:
    return f"{'about ' if profile.estimated else ''}{many(profile.distinct, 'value')}"
