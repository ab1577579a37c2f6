"""Shapes of values that need not point at one person: dates, postal codes, diagnoses, sexes, names, texts, codes."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

NUMERAL = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,3})?", re.ASCII)
WHOLE = re.compile(r"[+-]?\d{1,18}(?:\.0+)?", re.ASCII)
ICD = re.compile(r"[A-TV-Z]\d[0-9AB](?:\.?[0-9A-Z]{1,4})?[+*!]?", re.ASCII)
POSTAL_DIGITS = re.compile(r"(?:[A-Z]{1,2}-)?\d{4,6}|\d{5}-\d{4}|\d{2}-\d{3}|\d{3} \d{2}|\d{3}-\d{4}", re.ASCII)
POSTAL_NUMBER = re.compile(r"\d{3,6}(?:\.0)?|\d{9}", re.ASCII)
"""A postal code that lost its form: three figures of it, or without leading zeros or hyphen, or as a decimal."""
POSTAL_LETTERS = re.compile(r"[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}|[A-Z]\d[A-Z] ?\d[A-Z]\d|\d{4} ?[A-Z]{2}", re.ASCII)
PERSON_NAME = re.compile(r"[^\W\d_a-z][^\W\d_]*(?:[ '’.,-]{1,2}[^\W\d_]+){1,4}\.?")
CODE = re.compile(r"(?=[A-Za-z./-]*\d)[A-Za-z0-9][A-Za-z0-9./-]{2,19}", re.ASCII)
MEASURED_PAIR = re.compile(r"\d{1,3}/\d{1,3}", re.ASCII)

SEX_PAIRS = (
    frozenset(
        {"m", "male", "man", "mann", "männlich", "h", "homme", "hombre", "uomo", "maschio", "masculin", "masculino"}
    ),
    frozenset(
        {"f", "female", "woman", "frau", "weiblich", "w", "femme", "mujer", "donna", "femmina", "féminin", "femenino"}
    ),
)
SEX_OTHERS = frozenset(
    {"d", "x", "u", "o", "other", "diverse", "divers", "unknown", "non-binary", "autre", "otro", "altro", "?"}
)
TRUTHS = (
    frozenset({"true", "false"}),
    frozenset({"yes", "no"}),
    frozenset({"y", "n"}),
    frozenset({"t", "f"}),
    frozenset({"0", "1"}),
    frozenset({"ja", "nein"}),
    frozenset({"j", "n"}),
    frozenset({"si", "no"}),
    frozenset({"sì", "no"}),
    frozenset({"sí", "no"}),
    frozenset({"oui", "non"}),
)


@dataclass(frozen=True)
class DateForm:
    """How dates are written: a pattern, `strptime`'s format (None for ISO), whether a time of day is there."""

    pattern: re.Pattern[str]
    format: str | None
    timed: bool = False


_ANY_CASE = re.ASCII | re.IGNORECASE
_SHORT_MONTH = "(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)"
_MONTH = "(?:january|february|march|april|may|june|july|august|september|october|november|december)"
_YEAR = r"(?:18|19|20)\d{2}"
DATE_FORMS = (
    DateForm(re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII), None),
    DateForm(re.compile(r"\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}.*", re.ASCII), None, timed=True),
    DateForm(re.compile(r"\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}.*)?", re.ASCII), None, timed=True),
    DateForm(re.compile(r"\d{1,2}\.\d{1,2}\.\d{4}", re.ASCII), "%d.%m.%Y"),
    DateForm(re.compile(r"\d{1,2}/\d{1,2}/\d{4}", re.ASCII), "%d/%m/%Y"),
    DateForm(re.compile(r"\d{1,2}/\d{1,2}/\d{4}", re.ASCII), "%m/%d/%Y"),
    DateForm(re.compile(r"\d{1,2}-\d{1,2}-\d{4}", re.ASCII), "%d-%m-%Y"),
    DateForm(re.compile(r"\d{4}/\d{1,2}/\d{1,2}", re.ASCII), "%Y/%m/%d"),
    DateForm(re.compile(r"\d{1,2}\.\d{1,2}\.\d{2}", re.ASCII), "%d.%m.%y"),
    DateForm(re.compile(r"\d{1,2}/\d{1,2}/\d{2}", re.ASCII), "%d/%m/%y"),
    DateForm(re.compile(r"\d{1,2}/\d{1,2}/\d{2}", re.ASCII), "%m/%d/%y"),
    # Months by their English names, as spreadsheets, SAS and Oracle write them.
    DateForm(re.compile(rf"\d{{1,2}} {_SHORT_MONTH} \d{{4}}", _ANY_CASE), "%d %b %Y"),
    DateForm(re.compile(rf"\d{{1,2}}-{_SHORT_MONTH}-\d{{4}}", _ANY_CASE), "%d-%b-%Y"),
    DateForm(re.compile(rf"\d{{1,2}}-{_SHORT_MONTH}-\d{{2}}", _ANY_CASE), "%d-%b-%y"),
    DateForm(re.compile(rf"\d{{1,2}}{_SHORT_MONTH}\d{{4}}", _ANY_CASE), "%d%b%Y"),
    DateForm(re.compile(rf"{_SHORT_MONTH} \d{{1,2}}, \d{{4}}", _ANY_CASE), "%b %d, %Y"),
    DateForm(re.compile(rf"\d{{1,2}} {_MONTH} \d{{4}}", _ANY_CASE), "%d %B %Y"),
    DateForm(re.compile(rf"{_MONTH} \d{{1,2}}, \d{{4}}", _ANY_CASE), "%B %d, %Y"),
)
MONTH_FORMS = (
    DateForm(re.compile(rf"\d{{2}}/{_YEAR}", re.ASCII), "%m/%Y"),
    DateForm(re.compile(rf"\d{{2}}\.{_YEAR}", re.ASCII), "%m.%Y"),
    DateForm(re.compile(rf"{_YEAR}-\d{{2}}", re.ASCII), "%Y-%m"),
)
"""Months without a day, within two hundred years, since a decimal and half a telephone number look the same."""
ISO_FORMAT = "%Y-%m-%d"
SHORTEST_DATE = 6
"""No date of these forms has fewer characters."""
COMPACT_DATE = DateForm(re.compile(rf"{_YEAR}\d{{4}}", re.ASCII), "%Y%m%d")
"""Digits only: a date where the column's name says so."""


def is_date(text: str, form: DateForm) -> bool:
    """Whether the text is a day of the calendar in this form."""
    if form.pattern.fullmatch(text) is None:
        return False
    try:
        datetime.strptime(text, form.format) if form.format else datetime.fromisoformat(text)
    except ValueError:
        return False
    return True


def are_sexes(values: Sequence[str]) -> bool:
    """Whether the values are words for sexes, of both at least one."""
    folded = {value.strip().casefold() for value in values}
    rest = folded - SEX_PAIRS[0] - SEX_PAIRS[1]
    return all(folded & words for words in SEX_PAIRS) and rest <= SEX_OTHERS


def are_names(values: Sequence[str]) -> bool:
    """Whether nearly all values look like full names of people."""
    return sum(PERSON_NAME.fullmatch(value.strip()) is not None for value in values) > 0.9 * len(values)


def are_records(values: Sequence[str]) -> bool:
    """Whether all values are nested records, or lists, as JSON writes them."""
    return bool(values) and all(map(_is_record, values))


def _is_record(text: str) -> bool:
    """Whether the text begins and ends as a record or a list of records; it takes no longer for a huge cell."""
    inner = text.strip()
    ends = inner[:1] + inner[-1:]
    return (ends == "{}" and ":" in inner) or (ends == "[]" and "{" in inner and "}" in inner)


def are_truths(values: Sequence[str]) -> bool:
    """Whether the values are a yes and a no; a table with missing cells may have 0.0 for 0."""
    return frozenset(value.strip().casefold().removesuffix(".0") for value in values) in TRUTHS


def is_sentence(text: str) -> bool:
    """Text of at least five words or 60 characters."""
    return len(text.split()) >= 5 or len(text) >= 60
