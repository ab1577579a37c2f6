"""The unit: the column that tells people apart where a person has several rows, found by structure and by name.

*Structure.* Let u be a column whose values repeat. Within a person most columns stand still or move slowly; within a
ward, a year or a diagnosis they change as if rows were drawn from the whole table (`movement` measures it).

*Traits.* Sex, birth and origin do not change within a person. Where one of them says something and is not steady, u
groups people: it is a household, a ward, a firm, an interviewer.

*Name.* `key_names` says what a column numbers. A column that numbers people is the unit unless traits contradict; one
that is just called `id`, `subject` or `hhid` needs a column as well that moves at half the pace at most; where values
have many rows, some columns must be steady. One whose name says nothing must have traits that are all steady, and most
other columns too. Of several that pass, those whose names speak of people come first; then the coarsest, because a case
belongs to one patient and a patient has several cases. Names come last, since several people may share one. What is
taken too coarse is on the safe side: then two people count as one, and no class looks larger than it is.

*Constancy.* Where nothing passes, because most columns change from row to row, a column is still the unit if sex and
birth never change within it, and doubtful if one of them never does, or if its name says that it numbers something
else, such as admissions, of which a person may have several (`constancy`).

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
from tacit.inspection.constancy import DIFFERING, ConstantTraits, constant_share, constant_traits, is_constant
from tacit.inspection.key_names import KeyName, ends_as_key, key_name, names_id
from tacit.inspection.movement import TRAITS, UNSTEADY, Movement, PlacedColumn, kinds, moves
from tacit.spelling import many

MOST_ROWS = 4_000
FIRST = 20_000
MOST_COLUMNS = 20
MOST_CANDIDATES, MOST_UNNAMED = 8, 3
MOST_ASKED = 400
FEW = 12
SHARE = 0.6
"""The share of the telling columns that must be steady where the name says nothing."""
MOST = 0.75
"""The same where no trait is there to tell."""
SOME = 0.25
"""The same where the name is one for keys or people, and values have more than `LARGE` rows each."""
LARGE = 20
REPEATING, OFTEN = 1.5, 100
"""Between how many rows for each value a column must have on average to be looked at where its name says nothing."""

_DOTTED = re.compile(r"\d+\.\d{3,}", re.ASCII)
SLOW = 0.15
"""An age that moves no faster within a value is that of one person, a year or more older in some rows."""
_SEX: frozenset[words.Meaning] = frozenset({"sex"})
_AGE: frozenset[words.Meaning] = frozenset({"age"})
_NO_TRAIT: frozenset[words.Meaning] = frozenset()
NAMES = frozenset({"surname", "name"})
_SECRETS = frozenset({"health", "money", "tax", "belief", "crime", "intimacy"})
_NOT_PEOPLE: frozenset[KeyName | None] = frozenset({"other", "thing"})
_SAYS_NOTHING = _NOT_PEOPLE | {None}
_MAY_BE_PEOPLE: frozenset[KeyName | None] = frozenset({"person", "people", "matter", "any", "household"})
_PLACES = frozenset({"postal", "coordinate", "place", "address"})
ATTRIBUTES = TRAITS | _SECRETS | _PLACES | frozenset({"age", "time", "body"})
"""What a column says that is about people without telling them apart."""
_SURE_ATTRIBUTES = ATTRIBUTES - _SECRETS
"""The same but for secrets, whose words are also parts of others, as in `Kreditnehmer`."""
_ORDER: Mapping[KeyName | None, int] = {
    "person": 0,
    "people": 1,
    "any": 1,
    "household": 2,
    "staff": 3,
    "other": 4,
    "thing": 4,
    "matter": 5,
    None: 5,
}


@dataclass(frozen=True)
class SuspectedKey:
    """What tells people apart without being a column: `says` names it, `reason` says why people may have several rows.

    Where `may_be_chance`, it is worth a remark and no more.
    """

    says: str
    reason: str
    may_be_chance: bool = False


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


@dataclass(frozen=True)
class _KeyColumn:
    """A column that repeats, what its name says, and how the others move within it."""

    repeats: Repeats
    named: KeyName | None
    moved: Movement = field(default_factory=Movement)
    holds_names: bool = False
    is_identifier: bool = False

    @property
    def is_few(self) -> bool:
        """Whether a handful of values have many rows each, as categories do."""
        return self.repeats.distinct <= FEW < self.repeats.rows_each

    @property
    def is_person(self) -> bool:
        """Whether name and structure together say that it tells people apart."""
        moved = self.moved
        if moved.changing or self.named in _NOT_PEOPLE or (self.holds_names and not moved.steady):
            return False
        if self.is_few:
            return self.named is not None and moved.share >= SHARE
        if self.named in _MAY_BE_PEOPLE:
            if self.repeats.rows_each > LARGE:
                return moved.share >= SOME
            return self.named == "person" or not moved.moves or min(moved.moves.values()) <= UNSTEADY
        if self.named == "staff":
            return bool(moved.traits) and moved.share >= SHARE
        return self._by_structure()

    def _by_structure(self) -> bool:
        if len(self.moved.moves) < 2 or self.moved.share < SHARE:
            return False
        if self.moved.traits:
            return self.moved.has_steady_traits
        # Families share names, and much else that a file tells.
        return self.moved.share >= MOST and not words.meanings(self.repeats.name) & NAMES

    @property
    def is_doubtful(self) -> bool:
        """Whether the name speaks of people and the rows do not bear it out, or the other way round.

        A number of something else, such as a card, that rows of one person share tells people apart all the same.
        """
        if self.is_few or self.is_person:
            return False
        if self.named in _MAY_BE_PEOPLE:
            return True
        return self._by_structure() if self.named in _NOT_PEOPLE and not self.is_identifier else self._is_shared

    @property
    def _is_shared(self) -> bool:
        """Whether it is an identifier that repeats often, or that rows share which agree on something else too."""
        often = self.repeats.rows_each
        alike = often >= REPEATING or min(self.moved.moves.values(), default=1.0) <= UNSTEADY
        # A surname is shared by chance, a full name seldom.
        is_surname = bool(words.meanings(self.repeats.name) & NAMES) and not self.holds_names
        return self.is_identifier and alike and not is_surname and not self.moved.changing

    @property
    def reason(self) -> str:
        """Why it is the unit."""
        each = f"it has {many(self.repeats.distinct, 'value')} in {many(self.repeats.present, 'row')}"
        named = {
            "person": "its name says that it holds ID numbers of people",
            "people": "its name is a word for people",
            "any": "its name suggests a key",
            "matter": "its name says that it numbers cases, policies or accounts",
            "household": "its name suggests a key of households, and no column tells their members apart",
        }.get(self.named or "", "")
        steady, others = len(self.moved.steady), len(self.moved.moves)
        same = f"{steady} of {others} other columns are constant, or nearly so, within each value"
        told = [each, *([named] if named else []), *([same] if steady else [])]
        return ", and ".join([", ".join(told[:-1]), told[-1]]) if len(told) > 1 else each

    @property
    def doubt(self) -> str:
        """What speaks against it."""
        if self.holds_names:
            return "its values look like names, which several people may share"
        if self.named in _SAYS_NOTHING or self.named == "staff":
            return "its name does not say that it numbers people"
        if self.moved.changing:
            return f"{self.moved.changing[0]!r} changes within one value, as it would not for one person"
        return "no other column is constant within one value"


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
    named = [name for name in columns if _named(name) not in _SAYS_NOTHING or name in identifiers]
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
        return found if found.column else FoundUnit(doubts={} if has_own_key(counted) else {**doubts, **found.doubts})
    if all(one.holds_names for one in passed):
        better = _by_constancy(engine, source, [one for one in counted if one.name not in names], columns, every)
        if better.column:
            return better
    best = max(one.moved.share for one in passed)
    fitting = [one for one in passed if one.moved.share >= best / 2]
    unit = min(fitting, key=lambda one: (one.holds_names, _ORDER[one.named], one.repeats.distinct))
    if unit.named == "matter":
        coarser = _coarser(unit, examined, _by_constancy(engine, source, counted, columns, every))
        if coarser is not None:
            return coarser
    if not unit.repeats.exact:
        unit = replace(unit, repeats=engine.repeats(source, (unit.repeats.name,))[0])
    return FoundUnit(unit.repeats.name, unit.reason, unit.repeats.distinct)


def _coarser(matter: _KeyColumn, examined: Sequence[_KeyColumn], constant: FoundUnit) -> FoundUnit | None:
    """What tells people apart beside a case or an account of which a person may have several, if only as a question."""
    if constant.column is not None and constant.people < matter.repeats.distinct:
        return constant
    doubted = (one for one in examined if one.is_doubtful and one.repeats.distinct < matter.repeats.distinct)
    doubts = {one.repeats.name: one.doubt for one in doubted}
    return FoundUnit(doubts=doubts) if doubts else None


def has_own_key(counted: Sequence[Repeats]) -> bool:
    """Whether a column numbers people, each in a row of their own."""
    numbered = (one for one in counted if key_name(one.name) in ("person", "people"))
    return any(one.exact and one.distinct == one.present > 1 for one in numbered)


def _candidates(counted: Sequence[Repeats], identifiers: Collection[str]) -> list[_KeyColumn]:
    """Columns that repeat and may be keys: those whose names say so, then those with the most values."""
    found = []
    for one in counted:
        named, called = _named(one.name), one.name in identifiers
        again = 1 < one.distinct < one.present
        if not again or not (one.may_be_key or called or named == "person"):
            continue
        often = REPEATING <= one.rows_each <= OFTEN and one.distinct > FEW
        if named not in _SAYS_NOTHING or called or (often and not words.meanings(one.name) & ATTRIBUTES):
            found.append(_KeyColumn(one, named, is_identifier=called))
    found.sort(key=lambda one: (_ORDER[one.named], -one.repeats.distinct))
    sure = [one for one in found if one.named not in _SAYS_NOTHING or one.is_identifier]
    rest = [one for one in found if one not in sure]
    unnamed = [one for one in rest if one.named is None][:MOST_UNNAMED]
    return [*sure, *unnamed, *(one for one in rest if one.named in _NOT_PEOPLE)][:MOST_CANDIDATES]


def _named(name: str) -> KeyName | None:
    """What the name says; a word that may as well count something, such as `number`, says nothing."""
    found = key_name(name)
    return None if found == "any" and not names_id(name) else found


def _examined(
    engine: Engine, source: Source, chosen: Sequence[_KeyColumn], columns: Sequence[str], every: int
) -> list[_KeyColumn]:
    """The candidates with how other columns move within them, in the rows of one in so many of their values."""
    drawn = _drawn(engine, source, [one.repeats.name for one in chosen], columns, every)
    return [
        replace(one, moved=_moved(one.repeats.name, placed), holds_names=_holds_names(one.repeats.name, placed))
        for one, placed in zip(chosen, drawn, strict=True)
    ]


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
    asked.sort(key=lambda one: (_named(one.name) in _SAYS_NOTHING, not ends_as_key(one.name), -one.distinct))
    asked = asked[:MOST_CANDIDATES]
    if not asked:
        return FoundUnit()
    drawn = _drawn(engine, source, [one.name for one in asked], columns, every)
    found = {one: _constant(one.name, placed) for one, placed in zip(asked, drawn, strict=True)}
    people = [one for one, traits in found.items() if traits.tell_people_apart and _named(one.name) not in _NOT_PEOPLE]
    if not people:
        return FoundUnit(doubts={one.name: traits.doubt for one, traits in found.items() if traits.are_doubtful})
    unit = min(people, key=lambda one: one.distinct)
    exact = unit if unit.exact else engine.repeats(source, (unit.name,))[0]
    each = f"{many(exact.distinct, 'value')} in {many(exact.present, 'row')}"
    return FoundUnit(unit.name, f"{each}, {found[unit].reason}", exact.distinct)


def _may_be_constant(one: Repeats) -> bool:
    is_attribute = bool(words.meanings(one.name) & _SURE_ATTRIBUTES) and not ends_as_key(one.name)
    return one.may_be_key and FEW < one.distinct < one.present and one.rows_each <= OFTEN and not is_attribute


def _constant(key: str, columns: Mapping[str, PlacedColumn]) -> ConstantTraits:
    """The traits that never change within a key; none where an age contradicts what sex or birth alone says."""
    tell = {name: kinds(name) or (_SEX if column.are_sexes else _NO_TRAIT) for name, column in columns.items()}
    traits = {name: columns[name].codes for name in columns if tell[name] and name != key}
    found = constant_traits(columns[key].codes, traits, tell) if traits else ConstantTraits()
    if found.tell_people_apart:
        return found
    ages = _moved(key, {name: column for name, column in columns.items() if name == key or _is_age(name)})
    is_group = any(moved > UNSTEADY for moved in ages.moves.values()) or _named(key) == "thing"
    if is_group or words.meanings(key) & NAMES:
        return ConstantTraits()
    slow = {name: _AGE for name, moved in ages.moves.items() if moved <= SLOW}
    if slow and not found.columns and not _changes(columns[key].codes, traits):
        return ConstantTraits(slow)
    is_plain = not traits and not ages.moves and not words.meanings(key) & _SECRETS
    return _constant_others(key, columns) if is_plain else found


def _changes(key: IntArray, traits: Mapping[str, IntArray]) -> bool:
    """Whether a trait changes within half of the values, as within a group of people."""
    return any(constant_share(key, trait) <= 1 - DIFFERING for trait in traits.values())


def _constant_others(key: str, columns: Mapping[str, PlacedColumn]) -> ConstantTraits:
    """What never changes within a key where the file tells no trait, nor an age; a place or a firm has such columns."""
    if not columns:
        return ConstantTraits()
    codes = columns[key].codes
    steady = (name for name, column in columns.items() if name != key and is_constant(codes, column.codes))
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
