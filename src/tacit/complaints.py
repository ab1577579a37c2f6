"""Complaints: what is wrong with values that were written, and what to write instead.

Pydantic finds what is wrong and says so in the words of Python; these are the words of a plan. A field whose type is a
list or a mapping is shown as its mark `Notation` or the first of its `examples` has it, or else in a form that follows
from its type.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from typing import Any

from pydantic import ValidationError

from tacit.places import FieldPlace, place_at, sections_with
from tacit.spelling import did_you_mean, many, meant
from tacit.visible import visible

LISTS = frozenset(("tuple_type", "list_type", "set_type", "frozen_set_type", "iterable_type"))
MAPPINGS = frozenset(("dict_type", "mapping_type", "model_type", "model_attributes_type", "dataclass_type"))
PLAIN = {
    "a whole number": ("int_type", "int_parsing", "int_parsing_size", "int_from_float"),
    "a number": ("float_type", "float_parsing", "decimal_type", "decimal_parsing"),
    "a finite number": ("finite_number",),
    "true or false": ("bool_type", "bool_parsing"),
    "text": ("string_type",),
    "a list": tuple(LISTS),
    "a mapping": tuple(MAPPINGS),
}
BOUNDS = {
    "greater_than_equal": ("at least", "ge"),
    "greater_than": ("above", "gt"),
    "less_than_equal": ("at most", "le"),
    "less_than": ("below", "lt"),
}
"""On which side of a bound a number must lie, and where pydantic keeps the bound."""
EXPONENT = re.compile(r"(?P<digits>[-+]?[0-9]+)(?P<rest>\.[0-9]+)?[eE](?P<sign>[-+])?(?P<power>[0-9]+)")
KINDS = {kind: words for words, kinds in PLAIN.items() for kind in kinds}
"""What must be written where pydantic complains of this kind."""


def explain(where: str, error: ValidationError, read_as: Any = None, names: Iterable[str] | None = None) -> str:
    """One line for each complaint: place, what was found, what is allowed; `read_as` is the type of the values.

    `names` are those that may be written at the top, where they are not all fields of the type, or more than these.
    """
    lines = []
    for item in error.errors(include_url=False):
        path = item["loc"]
        place, above = place_at(read_as, path), place_at(read_as, path[:-1])
        known = above.names if names is None or len(path) != 1 else tuple(names)
        shown = visible(".".join(map(str, place.path)))
        found = "" if item["type"] == "missing" else _found(item["input"])
        said = _misplaced(item, read_as) or _sentence(item, place, known)
        lines.append(f"{where}{': ' + shown if shown else ''}: {said}{found}")
    return "\n".join(lines)


def _misplaced(item: Mapping[str, Any], read_as: Any) -> str:
    """Where a key belongs that is known, but not where it was written; nothing for any other complaint."""
    sections = sections_with(read_as, str(item["loc"][-1])) if item["type"] == "extra_forbidden" else ()
    if not sections:
        return ""
    belongs = " or ".join(f"under `{section}`" if section else "at the top level" for section in sections)
    return f"there is no such key here; it belongs {belongs}"


def _sentence(item: Mapping[str, Any], place: FieldPlace, known: Sequence[str]) -> str:
    """The complaint in words that say what to write."""
    kind = item["type"]
    if kind == "extra_forbidden":
        return f"there is no such key; {did_you_mean(str(item['loc'][-1]), known)}" if known else "there is no such key"
    if kind == "missing" and isinstance(item["loc"][-1], str):
        return "it is missing; write it, because it has no default"
    if kind == "missing":
        return f"it is missing{_written(place)}"
    if kind in ("too_short", "too_long"):
        return f"{_length(item)}{_written(place)}"
    if kind in BOUNDS:
        words, key = BOUNDS[kind]
        return f"it must be {words} {item['ctx'][key]}"
    if kind == "literal_error" and isinstance(item["input"], str):
        return f"{_said(item)}{_close(item)}"
    if kind in KINDS:
        return f"it must be {KINDS[kind]}{_written(place)}"
    return _said(item)


def _said(item: Mapping[str, Any]) -> str:
    """What pydantic says, as a sentence about the value."""
    said = str(item["msg"]).removeprefix("Value error, ")
    return said.replace("Input should be", "it must be").replace("String should have", "it must have")


def _close(item: Mapping[str, Any]) -> str:
    """Which of the words that are allowed was probably meant, if one is close."""
    return meant([item["input"]], re.findall(r"'([^']*)'", str(item["ctx"]["expected"])))


def _length(item: Mapping[str, Any]) -> str:
    """How many entries there are and how many there must be."""
    told = item["ctx"]
    least, most = told.get("min_length"), told.get("max_length")
    bound = f"at least {least:,}" if item["type"] == "too_short" else f"at most {most:,}"
    there = told["actual_length"]
    return f"it has {'too many' if there is None else many(there, 'entry', 'entries')}; it must have {bound}"


def _written(place: FieldPlace) -> str:
    """What to write there; nothing where the words say it already."""
    return f"; write `{place.example}`" if place.example else ""


def _found(value: Any) -> str:
    """What was found, as it may have been written; a long list or mapping is not repeated."""
    if isinstance(value, dict | list | tuple):
        return ""
    if value is None:
        return " (found nothing)"
    return f" (found {value if isinstance(value, date) else repr(value)}{_as_number(value)})"


def _as_number(value: Any) -> str:
    """How YAML wants a number with an exponent written: it takes 1e-6 for a text, and 1.0e-6 for a number."""
    parts = EXPONENT.fullmatch(value) if isinstance(value, str) else None
    if parts is None:
        return ""
    sign = parts["sign"] or "+"
    return f", which YAML reads as text; the number is {parts['digits']}{parts['rest'] or '.0'}e{sign}{parts['power']}"
