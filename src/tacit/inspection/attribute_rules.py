"""Rules for what describes a person: dates, places, age and sex, secrets, categories and numbers.

Each rule gives its guess for a column, or None where it has no opinion.
"""

from collections.abc import Mapping, Sequence
from datetime import date
from itertools import pairwise
from typing import Any

from tacit.data.sources.profile import ColumnProfile
from tacit.inspection import shapes, words
from tacit.inspection.identifying_rules import are_given_out
from tacit.inspection.key_names import ends_as_key
from tacit.inspection.suggestion import (
    FEW,
    INFER,
    KNOWN_BY_DEFAULT,
    MANY_ROWS,
    MOST,
    ProfiledColumn,
    Suggestion,
    ValueKind,
    count_of_values,
    looks_like,
)
from tacit.inspection.widths import nested_widths

MOST_DATE_FORMS = 4
BIRTH_YEARS = (1850, 2100)
SERIALS = (2_500, 80_000)
"""Days since the last of 1899: from 1906 to 2119."""
OWN_CODE, OWN_NUMBER = 0.2, 0.05
"""Values for each row, from which on codes and long numbers belong to few rows, and below it many share them."""
ROUND = 0.1
"""The share of numbers that end with two zeros, from which on they are amounts: one in a hundred does by chance."""
AMOUNT = 0.1
"""Distinct values for each row from which on a tax is a sum that somebody pays, and below it a rate."""


def by_date(column: ProfiledColumn) -> Suggestion | None:
    """Dates, in whichever of the known forms most examples have, or in several of them."""
    compact = (shapes.COMPACT_DATE,) if "birth" in column.says or "date" in words.parts(column.profile.name) else ()
    forms = (*shapes.DATE_FORMS, *shapes.MONTH_FORMS, *compact)
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
    spec: dict[str, Any] = {"dates": _periods(found)} | _date_formats(found)
    if is_birth and any("%y" in (form.format or "") for form in found):
        # Nobody is born in a year to come.
        spec["latest"] = date.today().year
    what = "a date of birth" if is_birth else "a date"
    several = f", written in {len(found)} ways (the first that fits is used)" if len(found) > 1 else ""
    reason = f"{looks_like(what, share)}{several}; others may know it"
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


def _periods(found: Sequence[shapes.DateForm]) -> list[str]:
    """Calendar periods, fine to coarse: the finest is coarser than what is written."""
    if found[0].timed:
        return ["day", "month", "year"]
    return ["year", "decade"] if set(found) <= set(shapes.MONTH_FORMS) else ["month", "year", "decade"]


def _date_formats(found: Sequence[shapes.DateForm]) -> dict[str, Any]:
    """How the dates are written, as a plan says it."""
    if len(found) == 1:
        return {"format": found[0].format} if found[0].format else {}
    return {"formats": [form.format or shapes.ISO_FORMAT for form in found]}


def by_person_word(column: ProfiledColumn) -> Suggestion | None:
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


def by_secret_word(column: ProfiledColumn) -> Suggestion | None:
    """What a person would keep secret: health, money, belief, offences; but a `loan_id` is a number of a record."""
    if ends_as_key(column.profile.name):
        return None
    if "tax" in column.says and column.spread >= AMOUNT:
        return column.guess(
            "sensitive", "money", "the column's name suggests a tax, and its values are individual amounts"
        )
    if _are_register_numbers(column) and any(meaning in column.says for meaning, _, _ in _SECRETS):
        return column.guess("identifier", "record-id", "its values look like numbers of a register")
    for meaning, kind, what in _SECRETS:
        if meaning in column.says:
            is_code = kind == "health" and _are_icd(column)
            reason = f"the column's name suggests {what} (make it a quasi-identifier if others may know it)"
            return column.guess("sensitive", "diagnosis" if is_code else kind, reason)
    if _are_icd(column):
        return column.guess("sensitive", "diagnosis", looks_like("a diagnosis (ICD-10)", column.most(_is_icd)))
    return None


def by_constant(column: ProfiledColumn) -> Suggestion | None:
    if column.profile.distinct == 1 and not column.profile.missing:
        return column.guess("insensitive", "constant", "all rows have the same value")
    return None


def by_category(column: ProfiledColumn) -> Suggestion | None:
    """Sexes, truth values and postal codes that their values betray."""
    if shapes.are_sexes(column.values):
        return column.guess("quasi-identifier", "sex", "the sex: known to all who meet the person", INFER)
    if column.profile.type == "BOOLEAN" or shapes.are_truths(column.values):
        return column.guess(
            "quasi-identifier", "boolean", f"one of two values, such as yes and no; {KNOWN_BY_DEFAULT}", INFER
        )
    share = column.most(lambda text: shapes.POSTAL_LETTERS.fullmatch(text) is not None)
    if share >= MOST and column.profile.distinct > FEW:
        reason = looks_like("a postal code", share)
        return column.guess("quasi-identifier", "postal-code", reason, {"mask": column.profile.longest})
    return None


def by_number(column: ProfiledColumn) -> Suggestion | None:
    """Numbers: digits of one length that begin with a zero are codes, few numbers are categories."""
    if not column.all_numbers:
        return None
    profile = column.profile
    # A table with missing cells may have 0.0 for 0, which is no code.
    is_code = profile.shortest == profile.longest >= 3 and all(map(str.isdigit, column.values))
    if is_code and any(value.startswith("0") for value in column.values):
        reason = f"a code with {count_of_values(profile)}; {KNOWN_BY_DEFAULT}"
        return column.guess("quasi-identifier", "code", reason, {"mask": profile.longest})
    if profile.distinct <= FEW:
        return None
    reason = f"a number with {count_of_values(profile)}; {KNOWN_BY_DEFAULT}"
    return column.guess("quasi-identifier", "number", reason, _number_spec(column))


def by_text(column: ProfiledColumn) -> Suggestion | None:
    """Values of which nearly every row has its own are identifiers, codes are masked."""
    profile = column.profile
    if profile.numeric < 0.5 and column.spread >= MOST and profile.present >= MANY_ROWS:
        return column.guess("identifier", "record-id", "nearly every row has a value of its own")
    is_code = column.most(lambda text: shapes.CODE.fullmatch(text) is not None) >= MOST
    if is_code and profile.distinct > FEW and profile.numeric < 1 - MOST:
        reason = f"a code with {count_of_values(profile)}; {KNOWN_BY_DEFAULT}"
        return column.guess("quasi-identifier", "code", reason, {"mask": profile.longest})
    return None


def _is_postal(text: str) -> bool:
    forms = (shapes.POSTAL_DIGITS, shapes.POSTAL_NUMBER, shapes.POSTAL_LETTERS)
    return any(form.fullmatch(text.upper()) for form in forms)


def _is_icd(text: str) -> bool:
    return shapes.ICD.fullmatch(text) is not None


def _are_icd(column: ProfiledColumn) -> bool:
    chapters = {value[0] for value in column.values}
    # Far more people than diagnoses: where most rows have one of their own, these are numbers of people or records.
    are_own = column.spread >= 0.5 and column.profile.present >= 10 * MANY_ROWS
    return column.most(_is_icd) >= MOST and len(chapters) >= 3 and column.profile.distinct >= 10 and not are_own


def _are_register_numbers(column: ProfiledColumn) -> bool:
    """Whether the values are numbers of a register, with letters before them or without, and no amounts or words.

    Amounts of one length are mostly round, and codes of drugs and diagnoses are shared by many.
    """
    if column.profile.distinct <= FEW or _are_icd(column):
        return False
    coded = column.most(_may_be_of_a_register)
    if column.profile.numeric == 0.0 and coded >= MOST:
        return column.spread >= OWN_CODE
    are_round = column.share(lambda text: text.endswith("00")) > ROUND
    return are_given_out(column) and column.spread >= OWN_NUMBER and not are_round


def _may_be_of_a_register(text: str) -> bool:
    """Whether the text is a code of four figures or more, and not two numbers that were measured, such as 120/80."""
    figures = sum(map(str.isdigit, text))
    return figures >= 4 and shapes.CODE.fullmatch(text) is not None and shapes.MEASURED_PAIR.fullmatch(text) is None


def _within(profile: ColumnProfile, least: float, most: float) -> bool:
    if profile.numeric < 1.0:
        return True
    return least <= float(profile.minimum or "nan") and float(profile.maximum or "nan") <= most


def _number_spec(column: ProfiledColumn) -> Mapping[str, Any]:
    """Intervals cut to where nine in ten values lie: a single huge number must not make them all too wide."""
    numbers = sorted(map(float, column.values))
    margin = len(numbers) // 20
    span = (numbers[-1 - margin] - numbers[margin]) / 0.9 if margin else numbers[-1] - numbers[0]
    gaps = sorted(high - low for low, high in pairwise(numbers))
    widths = nested_widths(span, whole=column.all_whole, gap=gaps[len(gaps) // 2] if gaps else 0.0)
    return {"intervals": list(widths)} if widths else INFER
