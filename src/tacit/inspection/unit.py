"""The unit: the column that tells people apart where a person has several rows, found by structure and by name.

*Structure.* Let u be a column whose values repeat. Within a person most columns stand still or move slowly; within a
ward, a year or a diagnosis they change as if rows were drawn from the whole table (`movement` measures it).

*Traits.* Sex, birth and origin do not change within a person. Where one of them says something and is not steady, u
groups people: it is a household, a ward, a firm, an interviewer.

*Name.* `key_names` says what a column numbers. A column that numbers people is the unit unless traits contradict; one
that is just called `id`, `subject` or `hhid` needs a column as well that moves at half the pace at most; where values
have many rows, some columns must be steady. One whose name says nothing must have traits that are all steady, and most
other columns too. What a person may have several of, such as a case, an account or a receipt, is doubtful and never the
unit. Of several that pass, those whose names speak of people come first, then the coarsest. Names come last, since
several people may share one. What is taken too coarse is on the safe side: then two people count as one, and no class
looks larger than it is. So the coarsest of several doubtful columns is named first.

*Rivals.* A patient and the clerk who entered the visit both have numbers, and so have a pupil and a school subject.
Where another column speaks for itself as loudly as the one that passed, no trait decides between them, and neither
follows from the other, nobody is believed: a person must decide.

*Constancy.* Where nothing passes, because most columns change from row to row, a column is still the unit if sex and
birth never change within it, and doubtful if one of them never does, or if its name says that it numbers something
else, such as admissions, of which a person may have several (`constancy`).

*No trait at all.* A table with neither sex, birth, age nor origin is mostly one of events: orders, visits to a page,
marks. Nothing in it could contradict a key, so each column that repeats like one is doubtful, unless another column
numbers people, each in one row.

Only rows of some values, drawn by hash, are looked at, in as many columns as `MOST_COLUMNS`.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import ceil

from tacit.arrays import IntArray
from tacit.data.sources.profile import ColumnProfile
from tacit.data.sources.repeats import Repeats
from tacit.data.sources.source import Source
from tacit.engines.engine import Engine
from tacit.inspection import words
from tacit.inspection.constancy import CONSTANT, DIFFERING, ConstantTraits, constant_share, constant_traits, is_constant
from tacit.inspection.key_column import (
    FEW,
    NAMES,
    NOT_PEOPLE,
    OF_RECORDS,
    ORDER,
    REPEATING,
    SAYS_NOTHING,
    KeyColumn,
    is_count,
    is_unnamed_number,
    said_by,
    tells_sex,
)
from tacit.inspection.key_names import ends_as_key, key_name
from tacit.inspection.movement import TRAITS, UNSTEADY, Movement, PlacedColumn, kinds, moves
from tacit.spelling import many

MOST_ROWS = 4_000
FIRST = 20_000
MOST_COLUMNS = 20
MOST_CANDIDATES, MOST_UNNAMED = 8, 3
MOST_ASKED = 400
FILLED = 0.8
"""The share of the rows up to which a number of people that never repeats is one that stands in their first rows."""
OFTEN = 100
"""Rows for each value, up to which a column is looked at where its name says nothing."""

EVENTS = "no column says anything about a person, such as sex, birth or age, so a row may be one of many events"

_DOTTED = re.compile(r"\d+\.\d{3,}", re.ASCII)
SLOW = 0.15
"""An age that moves no faster within a value is that of one person, a year or more older in some rows."""
_SEX: frozenset[words.Meaning] = frozenset({"sex"})
_AGE: frozenset[words.Meaning] = frozenset({"age"})
_DESCRIBING: frozenset[words.Meaning] = frozenset({"birth", "age"})
_SECRETS = frozenset({"health", "money", "tax", "belief", "crime", "intimacy"})
_PLACES = frozenset({"postal", "coordinate", "place", "address"})
_NO_TRAIT: frozenset[words.Meaning] = frozenset()
ATTRIBUTES = TRAITS | _SECRETS | _PLACES | frozenset({"age", "time", "body"})
"""What a column says that is about people without telling them apart."""
_SURE_ATTRIBUTES = ATTRIBUTES - _SECRETS
"""The same but for secrets, whose words are also parts of others, as in `Kreditnehmer`."""


@dataclass(frozen=True)
class SuspectedKey:
    """What tells people apart without being a column: `says` names it, `reason` says why people may have several rows.

    Where `may_be_chance`, it is worth a remark and no more. What is no key that `repeats` is a subject and a predicate.
    """

    says: str
    reason: str
    may_be_chance: bool = False
    repeats: bool = True

    @property
    def told(self) -> str:
        """A clause that tells it."""
        return f"{self.says} repeat, and {self.reason}" if self.repeats else f"{self.says} {self.reason}"


@dataclass(frozen=True)
class FoundUnit:
    """The column that tells people apart, if one was found, with the reason; and columns that may, but can't be sure.

    `people` is the number of its values. `doubts` are columns that repeat and look like keys of people, each with what
    speaks against it: where no unit was found, a person must decide. So it is where no column tells people apart, and
    something else seems to (`suspected`).
    """

    column: str | None = None
    reason: str = ""
    people: int = 0
    doubts: Mapping[str, str] = field(default_factory=dict)
    suspected: SuspectedKey | None = None


def repeats_of(profiles: Sequence[ColumnProfile]) -> tuple[Repeats, ...]:
    """What profiles tell about repetition."""
    return tuple(_repeats(profile) for profile in profiles)


def _repeats(profile: ColumnProfile) -> Repeats:
    whole = profile.numeric < 1.0 or all(map(_is_whole, profile.examples)) or _are_dotted(profile.examples)
    timed = profile.type.startswith(("DATE", "TIME")) or profile.type == "BOOLEAN"
    return Repeats(profile.name, profile.present, profile.distinct, whole and not timed, not profile.estimated)


def _is_whole(text: str) -> bool:
    try:
        return float(text).is_integer()
    except ValueError:
        return False


def _are_dotted(texts: Sequence[str]) -> bool:
    """Whether a dot parts a number into two of fixed length, as in the file number 15.0037."""
    return (
        bool(texts) and all(map(_DOTTED.fullmatch, texts)) and len({len(text.partition(".")[2]) for text in texts}) == 1
    )


def counted_keys(
    engine: Engine, source: Source, columns: Sequence[str], identifiers: Collection[str] = ()
) -> tuple[Repeats, ...]:
    """How often columns repeat that may be keys: those that are called so in all rows, others in the first ones.

    What never repeats in the first rows may still do so in the rest, as in a file that is sorted by time. `identifiers`
    are columns that somebody, or their values, calls so.
    """
    named = [name for name in columns if said_by(name) not in SAYS_NOTHING or name in identifiers]
    others = [name for name in columns if name not in named and not words.meanings(name) & _SURE_ATTRIBUTES][
        :MOST_ASKED
    ]
    first = engine.repeats(source, others, FIRST) if others else ()
    unclear = [one.name for one in first if one.may_be_key and one.rows_each < REPEATING and one.present == FIRST]
    asked = [*named, *unclear] or [one.name for one in first if one.present == FIRST][:1]
    sure = engine.repeats(source, asked) if asked else ()
    return (*sure, *(one for one in first if one.name not in asked))


def find_unit(
    engine: Engine,
    source: Source,
    counted: Sequence[Repeats],
    columns: Sequence[str],
    identifiers: Collection[str] = (),
) -> FoundUnit:
    """The unit among the columns that were counted; `columns` are all columns of the table."""
    chosen = _candidates(counted, identifiers)
    every = ceil(max((one.present for one in counted), default=0) / MOST_ROWS)
    examined = _examined(engine, source, chosen, columns, every) if chosen else []
    passed = [one for one in examined if one.is_person]
    doubts = {one.repeats.name: one.doubt for one in examined if one.is_doubtful}
    names = [one.repeats.name for one in examined if one.holds_names]
    if not passed:
        found = _by_constancy(engine, source, counted, columns, every)
        if found.column or has_own_key(counted):
            return found if found.column else FoundUnit(doubts=_of_relatives(examined))
        doubts = _coarsest_first({**found.doubts, **doubts}, counted)
        return FoundUnit(doubts=doubts or _of_events(examined, columns))
    if all(one.holds_names for one in passed):
        better = _by_constancy(engine, source, [one for one in counted if one.name not in names], columns, every)
        if better.column:
            return better
    best = max(one.moved.share for one in passed)
    fitting = [one for one in passed if one.moved.share >= best / 2 or one.named == "person"]
    unit = min(fitting, key=lambda one: (one.holds_names, ORDER[one.named], one.repeats.distinct))
    rivals = [one for one in examined if one is not unit and one.rivals(unit)]
    if rivals:
        return FoundUnit(doubts=_doubts_between(unit, rivals))
    if not unit.repeats.exact:
        unit = replace(unit, repeats=engine.repeats(source, (unit.repeats.name,))[0])
    return FoundUnit(unit.repeats.name, unit.reason, unit.repeats.distinct)


def _of_events(examined: Sequence[KeyColumn], columns: Sequence[str]) -> dict[str, str]:
    """What repeats like a key in a table that describes nobody; first what looks most like one."""
    if any(words.meanings(name) & _DESCRIBING for name in columns) or any(one.tells_sex for one in examined):
        return {}
    keys = [one for one in examined if not (one.is_few or one.is_count or one.is_of_thing)]
    keys.sort(key=lambda one: (not one.is_identifier, one.loudness, one.is_unnamed_number, -one.repeats.distinct))
    return {one.repeats.name: EVENTS for one in keys[:1]}


def _coarsest_first(doubts: Mapping[str, str], counted: Sequence[Repeats]) -> dict[str, str]:
    """The doubts in an order in which the first to be named splits nobody, if it can be helped; days come last."""
    distinct = {one.name: one.distinct for one in counted}
    names = sorted(doubts, key=lambda name: ("time" in words.meanings(name), distinct[name]))
    return {name: doubts[name] for name in names}


def _of_relatives(examined: Sequence[KeyColumn]) -> dict[str, str]:
    """What numbers people and repeats where others have a row each, as mothers of children do."""
    return {one.repeats.name: one.doubt for one in examined if one.named == "person" and one.is_doubtful}


def left_blank(counted: Sequence[Repeats]) -> str | None:
    """What numbers people, never repeats and is empty in many rows, as where a sheet names each of them once."""
    rows = max((one.present for one in counted), default=0)
    blank = (one.name for one in counted if _is_own(one) and one.present <= FILLED * rows)
    return next(blank, None)


def _is_own(one: Repeats) -> bool:
    """Whether it numbers people and never repeats."""
    return key_name(one.name) in ("person", "people") and one.exact and one.distinct == one.present > 1


def _doubts_between(unit: KeyColumn, rivals: Sequence[KeyColumn]) -> dict[str, str]:
    """The column that passed and its rivals, each beside the other."""
    name, first = unit.repeats.name, rivals[0].repeats.name
    told = {one.repeats.name: f"so may {name!r}, and neither follows from the other" for one in rivals}
    return {name: f"so may {first!r}, and neither follows from the other"} | told


def has_own_key(counted: Sequence[Repeats]) -> bool:
    """Whether a column numbers people, each in a row of their own."""
    return any(map(_is_own, counted)) and left_blank(counted) is None


def _candidates(counted: Sequence[Repeats], identifiers: Collection[str]) -> list[KeyColumn]:
    """Columns that repeat and may be keys: those whose names say so, then those with the most values."""
    found = []
    for one in counted:
        named, called = said_by(one.name), one.name in identifiers
        again = 1 < one.distinct < one.present
        if not again or not (one.may_be_key or called or named == "person"):
            continue
        often = REPEATING <= one.rows_each <= OFTEN and one.distinct > FEW
        if named not in SAYS_NOTHING or called or (often and not words.meanings(one.name) & ATTRIBUTES):
            found.append(KeyColumn(one, named, is_identifier=called))
    found.sort(key=lambda one: (ORDER[one.named], -one.repeats.distinct))
    sure = [one for one in found if one.named not in SAYS_NOTHING or one.is_identifier]
    rest = [one for one in found if one not in sure]
    unnamed = [one for one in rest if one.named is None][:MOST_UNNAMED]
    return [*sure, *unnamed, *(one for one in rest if one.named in NOT_PEOPLE)][:MOST_CANDIDATES]


def _examined(
    engine: Engine, source: Source, chosen: Sequence[KeyColumn], columns: Sequence[str], every: int
) -> list[KeyColumn]:
    """The candidates with how other columns move within them, in the rows of one in so many of their values."""
    drawn = _drawn(engine, source, [one.repeats.name for one in chosen], columns, every)
    names = [one.repeats.name for one in chosen]
    return [
        replace(
            one,
            moved=_moved(one.repeats.name, placed),
            holds_names=_holds_names(one.repeats.name, placed),
            holds_records=one.repeats.name in placed and placed[one.repeats.name].are_records,
            decides=_decided(one.repeats.name, names, placed),
            is_count=is_count(one.repeats.name, placed),
            is_unnamed_number=is_unnamed_number(one.repeats.name, placed),
            tells_sex=any(tells_sex(name, column) for name, column in placed.items()),
        )
        for one, placed in zip(chosen, drawn, strict=True)
    ]


def _decided(key: str, names: Sequence[str], columns: Mapping[str, PlacedColumn]) -> frozenset[str]:
    """Which of the columns have one value within each of the key's, but for slips of the pen."""
    others = [name for name in names if name != key and name in columns]
    if not others:
        return frozenset()
    codes = columns[key].codes
    return frozenset(name for name in others if constant_share(codes, columns[name].codes) >= CONSTANT)


def _moved(key: str, columns: Mapping[str, PlacedColumn]) -> Movement:
    """How the other columns move within the key."""
    others = {name: column for name, column in columns.items() if name != key}
    return moves(columns[key].codes, others) if columns else Movement()


def _holds_names(key: str, columns: Mapping[str, PlacedColumn]) -> bool:
    return key in columns and columns[key].are_names


def _drawn(
    engine: Engine, source: Source, keys: Sequence[str], columns: Sequence[str], every: int
) -> Iterator[dict[str, PlacedColumn]]:
    """For each key, the columns that are looked at in the rows of one in so many of its values."""
    names = tuple(dict.fromkeys((*keys, *looked_at(columns, keys))))
    sample = engine.groups(source, dict.fromkeys(keys, every), names)
    for place in range(len(names), len(names) + len(keys)):
        rows = sample.filter(sample.column(place))
        yield {name: PlacedColumn.of(rows.column(at)) for at, name in enumerate(names)} if rows.num_rows else {}


def _by_constancy(
    engine: Engine, source: Source, counted: Sequence[Repeats], columns: Sequence[str], every: int
) -> FoundUnit:
    """The coarsest column within which sex and birth never change; those within which one never does, as doubts.

    A column that numbers something else, such as admissions, is a doubt too: one person may have several.
    """
    asked = [one for one in counted if _may_be_constant(one)]
    asked.sort(key=lambda one: (said_by(one.name) in SAYS_NOTHING, not ends_as_key(one.name), -one.distinct))
    asked = asked[:MOST_CANDIDATES]
    if not asked:
        return FoundUnit()
    drawn = _drawn(engine, source, [one.name for one in asked], columns, every)
    placed = dict(zip(asked, drawn, strict=True))
    records = [one.name for one, columns in placed.items() if one.name in columns and columns[one.name].are_records]
    found = {one: _constant(one.name, columns) for one, columns in placed.items() if one.name not in records}
    others = NOT_PEOPLE | {"matter"}
    people = [one for one, traits in found.items() if traits.tell_people_apart and said_by(one.name) not in others]
    if not people:
        doubts = {one.name: traits.doubt for one, traits in found.items() if traits.are_doubtful}
        return FoundUnit(doubts=doubts | dict.fromkeys(records, OF_RECORDS))
    unit = min(people, key=lambda one: one.distinct)
    exact = unit if unit.exact else engine.repeats(source, (unit.name,))[0]
    each = f"{many(exact.distinct, 'value')} in {many(exact.present, 'row')}"
    return FoundUnit(unit.name, f"{each}, {found[unit].reason}", exact.distinct)


def _may_be_constant(one: Repeats) -> bool:
    is_attribute = bool(words.meanings(one.name) & _SURE_ATTRIBUTES) and not ends_as_key(one.name)
    return one.may_be_key and FEW < one.distinct < one.present and one.rows_each <= OFTEN and not is_attribute


def _constant(key: str, columns: Mapping[str, PlacedColumn]) -> ConstantTraits:
    """The traits that never change within a column; none within one that holds names or numbers of things."""
    others = {name: column for name, column in columns.items() if name != key}
    found = constant_within(columns[key].codes, others) if key in columns else ConstantTraits()
    speaks = said_by(key) == "thing" or words.meanings(key) & NAMES
    if found.tell_people_apart or not speaks:
        is_secret = not any(found.columns.values()) and words.meanings(key) & _SECRETS
        return ConstantTraits() if is_secret else found
    return ConstantTraits()


def constant_within(codes: IntArray, columns: Mapping[str, PlacedColumn]) -> ConstantTraits:
    """The traits that never change within a key; none where an age contradicts what sex or birth alone says."""
    tell = {name: kinds(name) or (_SEX if column.are_sexes else _NO_TRAIT) for name, column in columns.items()}
    traits = {name: columns[name].codes for name in columns if tell[name]}
    found = constant_traits(codes, traits, tell) if traits else ConstantTraits()
    if found.tell_people_apart:
        return found
    ages = moves(codes, {name: column for name, column in columns.items() if _is_age(name)})
    if any(moved > UNSTEADY for moved in ages.moves.values()):
        return ConstantTraits()
    slow = {name: _AGE for name, moved in ages.moves.items() if moved <= SLOW}
    if slow and not found.columns and not _changes(codes, traits):
        return ConstantTraits(slow)
    return found if traits or ages.moves else constant_others(codes, columns)


def _changes(key: IntArray, traits: Mapping[str, IntArray]) -> bool:
    """Whether a trait changes within half of the values, as within a group of people."""
    return any(constant_share(key, trait) <= 1 - DIFFERING for trait in traits.values())


def constant_others(codes: IntArray, columns: Mapping[str, PlacedColumn]) -> ConstantTraits:
    """What never changes within a key and is no trait; a place or a firm has such columns."""
    steady = (name for name, column in columns.items() if not kinds(name) and is_constant(codes, column.codes))
    return ConstantTraits(dict.fromkeys(steady, _NO_TRAIT))


def _is_age(name: str) -> bool:
    return "age" in words.meanings(name)


def looked_at(columns: Sequence[str], keys: Sequence[str]) -> list[str]:
    """Traits first, then columns from all over the table, so that the cost does not grow with its width."""
    rest = [name for name in columns if name not in keys]
    traits = [name for name in rest[:MOST_ASKED] if kinds(name)][: MOST_COLUMNS // 2]
    others = [name for name in rest if name not in traits]
    step = max(ceil(len(others) / (MOST_COLUMNS - len(traits))), 1)
    return [*traits, *others[::step]]
