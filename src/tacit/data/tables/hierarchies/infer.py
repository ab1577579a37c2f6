"""Inference: a hierarchy proposed from the form of the observed values alone, with the reason and its declaration.

What the values show is used and nothing else: numbers become intervals of round widths, dates calendar periods, codes
masks, values with a common separator the paths that they spell. Categories without such structure have a meaning that
their spelling does not tell, so they stay flat (value, `*`) while they are few, and are grouped by initial letter when
they are many. The proposal is for a person to read and correct: `spec` rebuilds it and is what a draft plan holds.
A level that merges nothing, or everything, is left out.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from typing import ClassVar, Literal

import numpy as np
from pydantic import Field

from tacit.data.tables.hierarchies.dates import DateSpec, Period, build_dates, read_date
from tacit.data.tables.hierarchies.intervals import IntervalSpec, build_intervals
from tacit.data.tables.hierarchies.masks import MaskSpec, build_mask
from tacit.data.tables.hierarchies.numerals import DecimalNumbers, Numeral, align, narrowed, scan_numerals, spell
from tacit.data.tables.hierarchies.tree import TreeSpec, build_tree, flat_tree
from tacit.data.tables.hierarchy import MISSING, SUPPRESSED, Hierarchy
from tacit.errors import BadData
from tacit.params import Params
from tacit.spelling import many, noun

FEW_CATEGORIES = 30
LARGEST_TREE = 100
LONGEST_CODE = 24
MOST_CELLS = 500
MOST_WIDTHS = 4
MOST_MASKS = 5
MOSTLY = 0.5
SEPARATORS = ("/", "\\", ">", "::", ":", "|", ".", "_", "-")
MOST_PARTS = 4
CODE_WORDS = frozenset(
    ("zip", "zipcode", "postcode", "postal", "plz", "icd", "icd9", "icd10", "fips", "nuts", "naics", "isco", "code")
)

InferredKind = Literal["numbers", "dates", "codes", "paths", "initials", "categories"]

_CODE = re.compile(r"(?=.*[0-9])[A-Za-z0-9][A-Za-z0-9 ./-]*[A-Za-z0-9]", re.ASCII)
_FIGURES = re.compile(r"[0-9]+")
_DISEASE = re.compile(r"[A-Z][0-9][0-9A-Z](\.?[0-9A-Z]{1,4})?", re.ASCII)


class InferSpec(Params):
    """A hierarchy inferred from the form of the values."""

    kind: ClassVar[str] = "infer"

    infer: Literal[True] = Field(description="true: propose levels from the observed values")


@dataclass(frozen=True)
class HierarchyProposal:
    """A proposed hierarchy, why it was chosen, and the declaration that rebuilds it from the same values."""

    hierarchy: Hierarchy
    kind: InferredKind
    reason: str
    spec: IntervalSpec | DateSpec | MaskSpec | TreeSpec | InferSpec


@dataclass(frozen=True)
class _ColumnValues:
    """The values of a column, none missing, and what they look like."""

    column: str
    values: list[str]

    @cached_property
    def numerals(self) -> list[Numeral]:
        return [numeral for numeral in scan_numerals(self.values) if numeral is not None]

    @cached_property
    def days(self) -> int:
        return sum(read_date(value) is not None for value in self.values)

    @property
    def size(self) -> int:
        return len(self.values)


def infer_hierarchy(column: str, values: Sequence[str]) -> HierarchyProposal:
    """A hierarchy with a place for every value, the missing one included where it is observed."""
    look = _ColumnValues(column, [value for value in dict.fromkeys(values) if value != MISSING])
    if not values:
        raise BadData(f"column {column!r}: no values to infer a hierarchy from; declare one")
    if not look.values:
        spec = flat_tree([MISSING])
        return HierarchyProposal(build_tree(column, spec), "categories", "every value is missing", spec)
    rules: tuple[Callable[[_ColumnValues], HierarchyProposal | None], ...] = (
        _codes,
        _numbers,
        _dates,
        _paths,
        _initials,
    )
    inferred = next((found for rule in rules if (found := rule(look)) is not None), None) or _flat(look)
    if MISSING not in values:
        return inferred
    return HierarchyProposal(inferred.hierarchy.with_missing(), inferred.kind, inferred.reason, inferred.spec)


def _useful(leaves: int, labels: Sequence[int]) -> list[int]:
    """The levels (counted from 0 above the leaves) with fewer labels than all before and more than one."""
    kept, before = [], leaves
    for level, number in enumerate(labels):
        if 1 < number < before:
            kept.append(level)
            before = number
    return kept


def _numbers(look: _ColumnValues) -> HierarchyProposal | None:
    if len(look.numerals) < look.size or look.size < 3:
        return None
    numbers = align(look.numerals)
    widths = _round_widths(numbers)
    counts = [int(np.unique(narrowed(numbers.units // width)).size) for width in widths]
    chosen = [Decimal(spell(widths[level], numbers.digits)) for level in _useful(look.size, counts)]
    if not chosen:
        return None
    spec = IntervalSpec(intervals=tuple(chosen))
    what = "whole numbers" if all(numeral.exponent >= 0 for numeral in look.numerals) else "numbers"
    reason = f"all values are {what}: intervals of {_listed(chosen)}"
    return HierarchyProposal(build_intervals(look.column, spec, look.values), "numbers", reason, spec)


def _round_widths(numbers: DecimalNumbers) -> list[int]:
    """Up to four widths, from about three values in an interval to a few intervals, each a multiple of the last."""
    span = int(numbers.units.max()) - int(numbers.units.min())
    cells = min(max(numbers.units.size // 3, 2), MOST_CELLS)
    first = _round_up(max(-(-span // cells), 1))
    widths: list[int] = []
    for ratio in (2, 5, 10):
        widths = [first * ratio**power for power in range(MOST_WIDTHS + 1) if first * ratio**power < span]
        if len(widths) <= MOST_WIDTHS:
            break
    return widths


def _round_up(number: int) -> int:
    """The least of 1, 2, 5, 10, 20, 50, … that is not below the number."""
    power: int = 10 ** (len(str(number)) - 1)
    return next(step * power for step in (1, 2, 5, 10) if step * power >= number)


def _dates(look: _ColumnValues) -> HierarchyProposal | None:
    if look.days < look.size:
        return None
    timed = any(len(value.strip()) > len("1984-03-05") for value in look.values)
    periods: tuple[Period, ...] = ("day", "month", "year", "decade") if timed else ("month", "year", "decade")
    trial = build_dates(look.column, DateSpec(dates=periods), look.values)
    chosen = tuple(periods[level] for level in _useful(look.size, _widths_between(trial)))
    if not chosen:
        return None
    spec = DateSpec(dates=chosen)
    reason = f"all values are {'timestamps' if timed else 'dates'}: {_listed(chosen)}"
    return HierarchyProposal(build_dates(look.column, spec, look.values), "dates", reason, spec)


def _widths_between(hierarchy: Hierarchy) -> list[int]:
    """How many labels each level between the leaves and the root has."""
    return [len(names) for names in hierarchy.labels[1:-1]]


def _codes(look: _ColumnValues) -> HierarchyProposal | None:
    longest = max(map(len, look.values))
    why = _code_look(look) if 2 <= longest <= LONGEST_CODE else None
    if why is None:
        return None
    trial = build_mask(look.column, MaskSpec(mask=tuple(range(1, longest))), look.values)
    useful = _useful(look.size, _widths_between(trial))
    if not useful:
        return None
    kept = np.unique(np.linspace(0, len(useful) - 1, min(len(useful), MOST_MASKS)).round().astype(int))
    masked = tuple(useful[position] + 1 for position in kept.tolist())
    spec = MaskSpec(mask=masked)
    reason = f"{why}: {_listed(masked)} {noun(masked[-1], 'character')} masked from the right"
    return HierarchyProposal(build_mask(look.column, spec, look.values), "codes", reason, spec)


def _code_look(look: _ColumnValues) -> str | None:
    """Why the values look like codes, None where they do not."""
    longest = max(map(len, look.values))
    fixed = longest == min(map(len, look.values))
    words = re.findall(r"[a-z0-9]+", re.sub(r"(?<=[a-z])(?=[A-Z])", " ", look.column).lower())
    named = not CODE_WORDS.isdisjoint(words)
    padded = fixed and longest >= 3 and any(value.startswith("0") for value in look.values)
    if len(look.numerals) == look.size:
        if not fixed or longest < 3 or not all(map(_FIGURES.fullmatch, look.values)):
            return None
        if padded:
            return f"all values are numbers of {longest} digits, some with a leading zero, so they are codes"
        return f"the column is named like a code and all values have {longest} digits" if named else None
    if look.days or not all(map(_CODE.fullmatch, look.values)):
        return None
    if fixed and (padded or named or len(set(map(_shape, look.values))) == 1):
        return f"all values are codes of {longest} characters with digits"
    if all(map(_DISEASE.fullmatch, look.values)):
        return "all values look like disease codes (ICD)"
    return "the column is named like a code and all values contain digits" if named else None


def _shape(value: str) -> str:
    """The value with every figure as 9 and every letter as A."""
    return re.sub("[A-Za-z]", "A", re.sub("[0-9]", "9", value))


def _paths(look: _ColumnValues) -> HierarchyProposal | None:
    for separator in SEPARATORS:
        parts = [value.split(separator) for value in look.values]
        if min(map(len, parts)) < 2 or len({part[0] for part in parts}) > look.size / 2:
            continue
        depth = min(max(map(len, parts)) - 1, MOST_PARTS)
        levels = [[separator.join(part[:length]) for part in parts] for length in range(depth, 0, -1)]
        useful = _useful(look.size, [len(set(level)) for level in levels])
        if useful and not any("" in level for level in levels):
            reason = f"all values have parts separated by {separator!r}: grouped by the parts before it"
            return _written(look, "paths", reason, [levels[level] for level in useful])
    return None


def _initials(look: _ColumnValues) -> HierarchyProposal | None:
    if look.size <= FEW_CATEGORIES:
        return None
    labels = [_initial(value) for value in look.values]
    if not 1 < len(set(labels)) < look.size:
        return None
    reason = f"{_flaw(look)}{look.size} categories, too many to stay flat: grouped by initial letter"
    return _written(look, "initials", reason, [labels])


def _initial(value: str) -> str:
    first = value.strip()[:1].upper()[:1]
    if first.isdigit():
        return "0-9*"
    return f"{first}*" if first.isalpha() else "other"


def _flat(look: _ColumnValues) -> HierarchyProposal:
    size = many(look.size, "category", "categories")
    return _written(look, "categories", f"{_flaw(look)}{size} without visible structure: each value, then *", [])


def _flaw(look: _ColumnValues) -> str:
    """A remark where a few values spoil a column of numbers or dates."""
    for what, fitting in (("numbers", len(look.numerals)), ("dates", look.days)):
        if MOSTLY * look.size <= fitting < look.size:
            return f"{fitting} of {look.size} values are {what}, {look.size - fitting} are not (clean them): "
    return ""


def _written(look: _ColumnValues, kind: InferredKind, reason: str, levels: list[list[str]]) -> HierarchyProposal:
    """A hierarchy of these levels, declared as a tree where a person can still read it in a plan."""
    if look.size > LARGEST_TREE:
        hierarchy = Hierarchy.from_levels(look.column, [look.values, *levels, [SUPPRESSED] * look.size])
        return HierarchyProposal(hierarchy, kind, reason, InferSpec(infer=True))
    spec = TreeSpec(tree=_nested(look.values, levels[::-1]))
    return HierarchyProposal(build_tree(look.column, spec), kind, reason, spec)


def _nested(values: Sequence[str], levels: Sequence[Sequence[str]]) -> object:
    """The leaves below the labels of `levels`, coarsest first."""
    if not levels:
        return list(values)
    members: dict[str, list[int]] = {}
    for position, label in enumerate(levels[0]):
        members.setdefault(label, []).append(position)
    return {
        label: _nested([values[i] for i in inside], [[level[i] for i in inside] for level in levels[1:]])
        for label, inside in members.items()
    }


def _listed(levels: Sequence[object]) -> str:
    return ", ".join(str(level) for level in levels)
