"""Keys that are no column: what tells people apart where no column does so by itself.

- *Columns together.* A household's number and a person's number in it; two parts of a number. Neither tells people
  apart, and both together do. Pairs of columns that may be keys are tried, and their triples.
- *Names together.* First name, last name and birth.
- *A part of a key.* P0263-5 is the fifth visit of P0263: every value is another one, or has the rows of a visit, and
  what is left without its last part is a person's. The same holds of 2023-0263 and 0263B.
- *A key in several spellings.* Each of P0012, p0012 and P-0012 is there once (`spellings`).

Each is held to what a column without a telling name is held to (`unit`, `movement`): rows that agree on it must agree
on sex, birth or origin, if the table has one of them besides, and on most else. That is chance only where it is rare.

- *Known facts.* Without any of these, birth, sex and postal code may still repeat because people do. Where nothing else
  stands still, chance decides. If n rows were drawn independently, and columns too, two rows agree on all columns with
  probability q = Π_c Σ_v p_c(v)**2, and a row agrees with some other with probability at most (n - 1) q. If rows that
  agree with another are at least `TIMES` as many, it is remarked; if they are at least `HALF` of all, it is taken for
  what it looks like. Twins are born on one day: who has a table of them says so.
"""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from math import ceil
from typing import TYPE_CHECKING

import numpy as np

from tacit.arrays import IntArray
from tacit.data.sources.repeats import CUTS, DerivedKey, Repeats
from tacit.data.sources.source import Source
from tacit.engines.engine import Engine
from tacit.inspection import words
from tacit.inspection.constancy import ConstantTraits, is_constant
from tacit.inspection.key_column import FEW, MOST, NAMES, REPEATING, SHARE, SOME
from tacit.inspection.key_names import key_name
from tacit.inspection.movement import Movement, PlacedColumn, kinds, moves
from tacit.inspection.spellings import spelt_in_several_ways
from tacit.inspection.unit import (
    ATTRIBUTES,
    MOST_ROWS,
    OFTEN,
    FoundUnit,
    SuspectedKey,
    constant_others,
    constant_within,
    find_unit,
    has_own_key,
    left_blank,
    looked_at,
)
from tacit.spelling import percent

if TYPE_CHECKING:
    pass

MOST_PARTS = 5
WAVES = frozenset({"wave", "waves", "welle", "vague", "onda", "ondata", "oleada", "dalga", "fala", "vlna", "golf"})
TIMES = 10
HALF = 0.5
SHRINKS = 1.1
"""How many values of a unit there are for each that is left after a cut, if the cut is worth a look."""
LEAST = 0.05
"""The share of rows that agree with another below which nothing is remarked."""


def find_people(
    engine: Engine,
    source: Source,
    counted: Sequence[Repeats],
    columns: Sequence[str],
    identifiers: Collection[str] = (),
) -> FoundUnit:
    """What tells people apart among the columns that were counted: the unit, doubts, or what is no column."""
    found = find_unit(engine, source, counted, columns, identifiers)
    if found.column is not None:
        coarser = _coarser_form(engine, source, found, columns)
        return found if coarser is None else FoundUnit(suspected=coarser)
    if found.doubts:
        return found
    return replace(found, suspected=_suspected(engine, source, counted, columns, identifiers))


def _suspected(
    engine: Engine,
    source: Source,
    counted: Sequence[Repeats],
    columns: Sequence[str],
    identifiers: Collection[str],
) -> SuspectedKey | None:
    """What is no column and tells people apart all the same."""
    blank = left_blank(counted)
    if blank is not None:
        return SuspectedKey(f"rows without {blank!r}", "may belong to the person in a row above them", repeats=False)
    keys = _derived(counted, columns, identifiers)
    found = _found(engine, source, keys, counted, columns) if keys else None
    if found is not None:
        return found
    if has_own_key(counted):
        return _spelt(engine, source, counted)
    return _coinciding(engine, source, columns) or _of_events(columns)


def _of_events(columns: Sequence[str]) -> SuspectedKey | None:
    """What a person does or is asked again and again, by the name of its time, where nothing numbers people."""
    for name in columns:
        if is_time_of_event(name):
            says = f"may be events, since there is a column {name!r}, and a person may have several of them"
            return SuspectedKey("rows", says, repeats=False)
        if not WAVES.isdisjoint(words.parts(name)):
            says = f"may be one person's answers in several waves, since there is a column {name!r}"
            return SuspectedKey("rows", says, repeats=False)
    return None


def _spelt(engine: Engine, source: Source, counted: Sequence[Repeats]) -> SuspectedKey | None:
    """A number of people that never repeats, but does so if its values are spelt alike."""
    for one in counted:
        if key_name(one.name) in ("person", "people") and one.exact and one.distinct == one.present > 1:
            told = spelt_in_several_ways(engine, source, one.name)
            if told is not None:
                return SuspectedKey(f"the values of {one.name!r} in other spellings", told)
    return None


def is_time_of_event(name: str) -> bool:
    """Whether the name is one of an event and a time, and of nothing else: no `default payment next month`."""
    said = [words.meanings(part) & {"event", "time"} for part in words.parts(name) if part not in words.LINKS]
    return all(said) and set().union(*said) == {"event", "time"}


def _derived(
    counted: Sequence[Repeats], columns: Sequence[str], identifiers: Collection[str]
) -> dict[DerivedKey, float]:
    """The keys that are tried, each with the share of telling columns that must be steady where there are traits."""
    nearly = [one for one in counted if one.distinct > FEW and one.rows_each < REPEATING and one.may_be_key]
    called = [one.name for one in nearly if one.name in identifiers or not words.meanings(one.name) & ATTRIBUTES]
    cuts = {DerivedKey((name,), cut): SOME for name in called[:MOST_PARTS] for cut in CUTS}
    if has_own_key(counted):
        return cuts
    parts = _parts(counted, identifiers)
    tried = (*combinations(parts, 2), *combinations(parts, 3))
    return _of_names(columns, identifiers) | cuts | {DerivedKey(several): SHARE for several in tried}


def _of_names(columns: Sequence[str], identifiers: Collection[str]) -> dict[DerivedKey, float]:
    """The names of people, with their birth if it is told."""
    named = tuple(
        name
        for name in columns
        if words.meanings(name) & NAMES or (name in identifiers and "person" in words.meanings(name))
    )
    births = tuple(name for name in columns if "birth" in words.meanings(name))
    if named and births:
        # Whoever is called alike and was born alike is one person, whatever else the rows say.
        return {DerivedKey((*named, *births)): 0.0}
    return {DerivedKey(named): SOME} if len(named) > 1 else {}


def _parts(counted: Sequence[Repeats], identifiers: Collection[str]) -> list[str]:
    """Columns that may be parts of a key: none that says something about people, identifiers first."""
    usable = [
        one
        for one in counted
        if one.may_be_key and one.distinct > 1 and one.rows_each >= REPEATING and not _is_attribute(one.name)
    ]
    usable.sort(key=lambda one: (one.name not in identifiers, -one.distinct))
    return [one.name for one in usable[:MOST_PARTS]]


def _is_attribute(name: str) -> bool:
    return bool(words.meanings(name) & (ATTRIBUTES | NAMES))


def _found(
    engine: Engine, source: Source, keys: Mapping[DerivedKey, float], counted: Sequence[Repeats], columns: Sequence[str]
) -> SuspectedKey | None:
    """The first of the keys within which the other columns behave as they do within a person."""
    every = ceil(max(one.present for one in counted) / MOST_ROWS)
    names = tuple(dict.fromkeys((*(name for key in keys for name in key.columns), *looked_at(columns, ()))))
    sample = engine.groups(source, dict.fromkeys(keys, every), names)
    for place, (key, share) in enumerate(keys.items(), len(names)):
        drawn = sample.filter(sample.column(place))
        codes = _codes(key, [drawn.column(names.index(name)).to_pylist() for name in key.columns])
        if not _repeats(codes):
            continue
        others = ((at, name) for at, name in enumerate(names) if name not in key.columns)
        placed = {name: PlacedColumn.of(drawn.column(at)) for at, name in others}
        moved = moves(codes, placed)
        if _is_person(moved, share):
            return SuspectedKey(_says(key), _reason(moved))
        constant = _constant(codes, placed)
        if constant.columns:
            return SuspectedKey(_says(key), constant.reason)
    return None


def _codes(key: DerivedKey, texts: Sequence[Sequence[str]]) -> IntArray:
    """The values of the key as numbers, row by row."""
    whole: list[object] = list(zip(*texts, strict=True))
    if key.cut:
        pattern = re.compile(key.pattern)
        cut = (pattern.match(text) for text in texts[0])
        whole = [found[1] if found else None for found in cut]
    places: dict[object, int] = {}
    return np.array([places.setdefault(value, len(places)) for value in whole], dtype=np.int64)


def _repeats(codes: IntArray) -> bool:
    """Whether the key repeats as people do."""
    distinct = int(codes.max(initial=-1)) + 1
    return distinct > FEW and REPEATING <= codes.size / distinct <= OFTEN


def _is_person(moved: Movement, share: float) -> bool:
    if share == 0.0 or {"sex", "birth"} <= frozenset().union(*map(kinds, moved.steady)):
        return not moved.changing
    if moved.traits:
        return moved.has_steady_traits and moved.share >= share
    return len(moved.moves) > 1 and moved.share >= MOST


def _coarser_form(engine: Engine, source: Source, unit: FoundUnit, columns: Sequence[str]) -> SuspectedKey | None:
    """What is left of the unit's values after a cut, if rows that agree on it are still of one person.

    Each value of the unit counts once, so that what stays the same within it proves nothing.
    """
    name = unit.column or ""
    every = ceil(unit.people / MOST_ROWS)
    known = engine.groups(source, {name: every}, (name,)).column(0).unique().to_pylist()
    keys = [DerivedKey((name,), cut) for cut in CUTS if _may_be_cut(known, DerivedKey((name,), cut).pattern)]
    if not keys:
        return None
    names = tuple(dict.fromkeys((name, *looked_at(columns, (name,)))))
    sample = engine.groups(source, dict.fromkeys(keys, every), names)
    for place, key in enumerate(keys, len(names)):
        drawn = sample.filter(sample.column(place))
        values = drawn.column(0).to_pylist()
        first = list({value: row for row, value in reversed(list(enumerate(values)))}.values())
        if not first:
            continue
        once = drawn.take(first)
        codes = _codes(key, [once.column(0).to_pylist()])
        if codes.size < SHRINKS * (int(codes.max(initial=-1)) + 1):
            continue
        constant = _constant(codes, {other: PlacedColumn.of(once.column(at)) for at, other in enumerate(names) if at})
        if constant.columns:
            return SuspectedKey(_says(key), constant.reason)
    return None


def _may_be_cut(values: Sequence[str], pattern: str) -> bool:
    """Whether some values have such a part: to look for it in all rows takes long."""
    return sum(re.match(pattern, value) is not None for value in values) > len(values) / 10


def _constant(codes: IntArray, columns: Mapping[str, PlacedColumn]) -> ConstantTraits:
    """What never changes within the key: sex and birth, one of them or an age and something else, or much else."""
    found = constant_within(codes, columns)
    if found.tell_people_apart or not found.are_doubtful:
        return found if found.tell_people_apart else ConstantTraits()
    others = {} if not any(found.columns.values()) else constant_others(codes, columns).columns
    both = {**found.columns, **others}
    return ConstantTraits(both) if len(both) > 1 else ConstantTraits()


def _says(key: DerivedKey) -> str:
    if key.cut:
        return f"the values of {key.columns[0]!r} without their {key.cut}"
    *most, last = map(repr, key.columns)
    return f"the columns {', '.join(most)} and {last} together"


def _reason(moved: Movement) -> str:
    return f"rows that agree on them agree on {len(moved.steady)} of {len(moved.moves)} other columns, or nearly so"


def _coinciding(engine: Engine, source: Source, columns: Sequence[str]) -> SuspectedKey | None:
    """Birth, sex and postal code, if more rows agree on them than by chance."""
    known = [
        next((name for name in columns if meaning in words.meanings(name)), None)
        for meaning in ("birth", "sex", "postal")
    ]
    birth, _, postal = known
    if birth is None or postal is None:
        return None
    key = tuple(name for name in known if name is not None)
    tally = engine.tally(source, key)
    rows = tally.column(len(key)).to_numpy().astype(np.int64)
    number = int(rows.sum())
    codes = [PlacedColumn.of(tally.column(at)).codes for at in range(len(key))]
    agreeing = float(rows[rows > 1].sum()) / max(number, 1)
    chance = min((number - 1) * float(np.prod([_alike(one, rows) for one in codes])), 1.0)
    follows = _one_follows(codes, rows)
    if not follows and agreeing < max(LEAST, TIMES * chance):
        return None
    reason = f"{percent(agreeing)} of all rows share them with another row; by chance at most {percent(chance)} would"
    return SuspectedKey(_says(DerivedKey(key)), reason, may_be_chance=agreeing < HALF and not follows)


def _one_follows(codes: Sequence[IntArray], rows: IntArray) -> bool:
    """Whether one of the columns never changes within the others together, more often than by chance."""
    for at, one in enumerate(codes):
        others = np.unique(
            np.stack([other for place, other in enumerate(codes) if place != at]), axis=1, return_inverse=True
        )[1]
        if is_constant(np.repeat(others.ravel(), rows), np.repeat(one, rows)):
            return True
    return False


def _alike(codes: IntArray, rows: IntArray) -> float:
    """The probability that two rows drawn at random have the same value."""
    share = np.bincount(codes, weights=rows) / max(int(rows.sum()), 1)
    return float((share**2).sum())
