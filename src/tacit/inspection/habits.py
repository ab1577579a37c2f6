"""Habits of whoever wrote the cells, guessed from profiles: padding, words for missing values, how numbers are written.

What is proposed here changes how cells are read, so each guess needs a column that speaks for it as a whole. Decimal
commas are proposed where all values of a column are numbers with one and some of them can be nothing else: 1,5 is no
number in thousands, while 1,500 may be; where commas stand between the cells too, and all numbers of a column with one
are like 1,500, the comma is taken for one between thousands. A word such as NULL is proposed wherever it stands; one
such as `none` or `unknown`, which may be a category, only among numbers and dates; a minus not beside a plus, which
would be the result of a test; NA not among codes of countries. Numbers that may stand for missing, such as 999, are
only remarked.
"""

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

from tacit.data.sources.notation import NumberNotation
from tacit.data.sources.profile import ColumnProfile
from tacit.data.sources.source import Source, shown_names
from tacit.inspection.form import Reasons
from tacit.spelling import many

PERHAPS_MISSING = frozenset(
    {"none", "unknown", "unbekannt", "blank", "leer", "inconnu", "desconocido", "nd", "s.o.", "sin dato", "not known"}
)
MOST = 0.9
FEWEST = 20
"""Values that must be like 1,500 for their comma to be one between thousands."""
_FIGURES = re.compile(r"[+-]?[0-9][0-9.,:/' \u00a0\u202f-]*")
_COUNTRY = re.compile(r"[A-Z]{2,3}", re.ASCII)
_SURELY_COMMA = re.compile(
    r"[+-]?(?:0|[0-9]*),(?:[0-9]{1,2}|[0-9]{4,})|[+-]?0,[0-9]+|.*[. '\u00a0\u202f\u2009\u2019].*,[0-9]+"
)
_SURELY_GROUPS = re.compile(r"[+-]?[1-9][0-9]{0,2}(?:(.)[0-9]{3})(?:(?:\1[0-9]{3})+|[.,][0-9]+)")
_SHORTEST_GROUPS = 7
_NINES = re.compile(r"-?(?:9{3,}|-9{1,})(?:\.0+)?")


def guess_habits(source: Source, profiles: Sequence[ColumnProfile], told: Collection[str]) -> tuple[Source, Reasons]:
    """The source with a guess for all that was not told of its cells, and the reason of each guess."""
    reasons: Reasons = {}
    texts = [profile for profile in profiles if profile.type == "VARCHAR"]
    padded = [profile.name for profile in texts if profile.padded]
    if padded and "trim" not in told:
        reasons["trim"] = f"cells of {many(len(padded), 'column')} have spaces around them"
        source = replace(source, trim=True)
    if "missing" not in told:
        words = tuple(sorted({word for profile in texts for word in missing_words(profile)}))
        if words:
            reasons["missing"] = "found among the values; remove any that mean something else in your data"
            source = replace(source, missing=words)
    if not {"decimal", "thousands"} & set(told):
        source = _with_notation(source, texts, reasons)
    return source, reasons


def missing_words(profile: ColumnProfile) -> tuple[str, ...]:
    """The values of a column that stand for a missing one."""
    if not profile.blanks:
        return ()
    others = _values(profile, profile.blanks)
    figures = bool(others) and sum(_FIGURES.fullmatch(value) is not None for value in others) >= MOST * len(others)
    countries = len(others) >= 10 and all(map(_COUNTRY.fullmatch, others))

    def stands_for_missing(word: str) -> bool:
        folded = word.lower()
        if folded in PERHAPS_MISSING:
            return figures
        return not (folded == "na" and countries) and not (folded == "-" and "+" in others)

    return tuple(word for word in profile.blanks if stands_for_missing(word))


def perhaps_missing_numbers(profiles: Iterable[ColumnProfile]) -> tuple[str, ...]:
    """A remark where columns have a number of nines far above all others, or the only one below zero."""
    found = [profile.name for profile in profiles if _has_code(profile)]
    if not found:
        return ()
    return (
        f"{shown_names(found)}: a number such as 999 or -9 is far from the others; add it to `missing` if it "
        "stands for a missing value",
    )


def _has_code(profile: ColumnProfile) -> bool:
    if profile.numeric < 1 or profile.distinct < 4 or profile.minimum is None or profile.maximum is None:
        return False
    numbers = sorted({float(value) for value in profile.examples})
    if len(numbers) < 4:
        return False
    high = _NINES.fullmatch(profile.maximum) and float(profile.maximum) > 2 * abs(numbers[-2])
    low = profile.minimum.removesuffix(".0") in ("-1", "-9", "-99", "-999", "-9999") and numbers[1] >= 0
    return bool(high) or low


def _values(profile: ColumnProfile, words: Collection[str]) -> list[str]:
    """The examples without padding, and without words for missing values."""
    stripped = {value.strip() for value in profile.examples}
    return sorted(value for value in stripped if value and value not in words)


def _with_notation(source: Source, profiles: Sequence[ColumnProfile], reasons: Reasons) -> Source:
    columns = {profile.name: _values(profile, source.missing) for profile in profiles}
    commas = [
        name
        for name, values in columns.items()
        if any(map(_SURELY_COMMA.fullmatch, values))
        and any(_fits(values, NumberNotation(",", mark)) for mark in (None, *".'", " "))
    ]
    decimal = "," if commas else "."
    marks = ".' " if commas else ",' "
    grouped = {
        mark: [
            name
            for name, values in columns.items()
            if (_has_groups(values, mark) or (mark == source.delimiter and len(values) >= FEWEST))
            and _fits(values, NumberNotation(decimal, mark))
        ]
        for mark in marks
    }
    mark = max(grouped, key=lambda mark: len(grouped[mark]))
    if commas:
        reasons["decimal"] = _speaks(commas, "numbers with a decimal comma; the release writes them with a point")
        source = replace(source, decimal=",")
    if grouped[mark]:
        reasons["thousands"] = _speaks(grouped[mark], "numbers with thousands separators")
        source = replace(source, thousands=mark)
    return source


def _fits(values: Sequence[str], notation: NumberNotation) -> bool:
    """Whether all values are numbers of the notation, and some need it to be read."""
    point = "," if notation.decimal == "," else r"\."
    plain = re.compile(rf"[+-]?[0-9]+(?:{point}[0-9]+)?", re.ASCII)
    marked = re.compile(notation.marked, re.ASCII)
    found = [marked.fullmatch(value) is not None for value in values]
    return any(found) and all(
        is_marked or plain.fullmatch(value) for is_marked, value in zip(found, values, strict=True)
    )


def _has_groups(values: Sequence[str], mark: str) -> bool:
    """Whether some value can only be a number with this mark between its thousands."""
    matches = (
        _SURELY_GROUPS.fullmatch(re.sub("[\u00a0\u202f\u2009]", " ", value).replace("\u2019", "'"))
        for value in values
        if len(value) >= _SHORTEST_GROUPS
    )
    return any(match is not None and match.group(1) == mark for match in matches)


def _speaks(columns: Sequence[str], what: str) -> str:
    more = f" and {len(columns) - 1} more" if len(columns) > 1 else ""
    return f"{shown_names(columns[:1])}{more}: {what}"
