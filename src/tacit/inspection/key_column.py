"""A column whose values repeat, and whether it may be a key of people: by its name and by what moves within it."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from tacit.data.sources.repeats import Repeats
from tacit.inspection import words
from tacit.inspection.key_names import KeyName, key_name, names_id, names_thing
from tacit.inspection.movement import UNSTEADY, Movement, PlacedColumn, kinds
from tacit.spelling import many

FEW = 12
LEAST = 5
"""Values from which on a few may number people; fewer are categories, such as `employed` or not."""
SHARE = 0.6
"""The share of the telling columns that must be steady where the name says nothing."""
MOST = 0.75
"""The same where no trait is there to tell."""
SOME = 0.25
"""The same where the name is one for keys or people, and values have more than `LARGE` rows each."""
LARGE = 20
REPEATING = 1.5
"""Rows for each value, from which on a column is one that repeats."""
COUNTS = 30
SEXES = 5
"""So many values has a column of sexes at most, those for unknown, other and missing among them; a `genre` has more."""
OF_RECORDS = "its values are nested records, which may contain a person's number"
OF_MATTERS = "its name suggests something that a person may have several of, such as a case or a visit"
NAMES = frozenset({"surname", "name"})
PEOPLE: frozenset[KeyName | None] = frozenset({"person", "people"})
NOT_PEOPLE: frozenset[KeyName | None] = frozenset({"other", "thing"})
SAYS_NOTHING = NOT_PEOPLE | {None}
_MAY_BE_PEOPLE: frozenset[KeyName | None] = frozenset({"person", "people", "any", "household"})
ORDER: Mapping[KeyName | None, int] = {
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
"""How loudly a name speaks of people, the loudest first."""


@dataclass(frozen=True)
class KeyColumn:
    """A column that repeats, what its name says, and how the others move within it."""

    repeats: Repeats
    named: KeyName | None
    moved: Movement = field(default_factory=Movement)
    holds_names: bool = False
    holds_records: bool = False
    is_identifier: bool = False
    decides: frozenset[str] = frozenset()
    """The other candidates of which each value has one."""
    is_count: bool = False
    """Whether its values are a few numbers, such as visits, or measured, such as points, and its name is no key's."""
    is_unnamed_number: bool = False
    """Whether its values are numbers, and nothing in its name says that they are a key's."""
    tells_sex: bool = False
    """Whether the values of some column are sexes."""

    @property
    def is_few(self) -> bool:
        """Whether a handful of values have many rows each, as categories do."""
        return self.repeats.distinct <= FEW < self.repeats.rows_each

    @property
    def is_person(self) -> bool:
        """Whether name and structure together say that it tells people apart."""
        moved = self.moved
        if moved.changing or self.named in NOT_PEOPLE or (self.holds_names and not moved.steady):
            return False
        if self.holds_records or self.named == "matter":
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
        if self.is_person or (self.is_few and not self._is_small_staff):
            return False
        if self.named == "matter":
            return not self.is_count
        if self.named in _MAY_BE_PEOPLE or self.holds_records:
            return True
        return (
            self._by_structure() if self.named in NOT_PEOPLE and not self.is_identifier else self._is_shared_identifier
        )

    @property
    def _is_small_staff(self) -> bool:
        """Whether a handful of people have many rows each, by their names or by what the column is called."""
        if self.repeats.distinct < LEAST or self.moved.changing:
            return False
        return (self.is_identifier and self.holds_names) or (self.named in PEOPLE and self.moved.share >= SOME)

    @property
    def _is_shared_identifier(self) -> bool:
        """Whether it is an identifier that repeats often, or that rows share which agree on something else too."""
        often = self.repeats.rows_each
        alike = often >= REPEATING or min(self.moved.moves.values(), default=1.0) <= UNSTEADY
        # A surname is shared by chance, a full name seldom.
        is_surname = bool(words.meanings(self.repeats.name) & NAMES) and not self.holds_names
        return self.is_identifier and alike and not is_surname and not self.moved.changing

    @property
    def is_of_thing(self) -> bool:
        """Whether its name says that many people share a value, as they do a ward, a school or a doctor."""
        return self.named in ("thing", "staff") or names_thing(self.repeats.name)

    @property
    def loudness(self) -> int:
        """How clearly it speaks for itself, 0 most clearly: an identifier as much as a noun for people."""
        return min(ORDER[self.named], ORDER["people"]) if self.is_identifier else ORDER[self.named]

    def rivals(self, unit: "KeyColumn") -> bool:
        """Whether it may tell people apart as well as the column that passed, and neither follows from the other."""
        speaks = self.is_person or (self.is_doubtful and not self.moved.changing)
        follows = unit.repeats.name in self.decides or self.repeats.name in unit.decides
        return speaks and self.loudness <= unit.loudness and not follows and not unit.moved.has_steady_traits

    @property
    def reason(self) -> str:
        """Why it is the unit."""
        each = f"it has {many(self.repeats.distinct, 'value')} in {many(self.repeats.present, 'row')}"
        named = {
            "person": "its name says that it holds ID numbers of people",
            "people": "its name is a word for people",
            "any": "its name suggests a key",
            "household": "its name suggests a key of households, and no column tells their members apart",
        }.get(self.named or "", "")
        steady, others = len(self.moved.steady), len(self.moved.moves)
        same = f"{steady} of {others} other columns are constant, or nearly so, within each value"
        told = [each, *([named] if named else []), *([same] if steady else [])]
        return ", and ".join([", ".join(told[:-1]), told[-1]]) if len(told) > 1 else each

    @property
    def doubt(self) -> str:
        """What speaks against it."""
        if self.holds_records:
            return OF_RECORDS
        if self.named == "matter":
            return OF_MATTERS
        if self.holds_names:
            return "its values look like names, which several people may share"
        if self.named in SAYS_NOTHING or self.named == "staff":
            return "its name does not say that it identifies people"
        if self.moved.changing:
            return f"{self.moved.changing[0]!r} changes within one value, as it would not for one person"
        return "no other column is constant within one value"


def said_by(name: str) -> KeyName | None:
    """What the name says; a word that may as well count something, such as `number`, says nothing."""
    found = key_name(name)
    return None if found == "any" and not names_id(name) else found


def is_unnamed_number(key: str, columns: Mapping[str, PlacedColumn]) -> bool:
    """Whether the values are numbers, and nothing in the name says that they are a key's."""
    return key in columns and key_name(key) is None and columns[key].is_number


def is_count(key: str, columns: Mapping[str, PlacedColumn]) -> bool:
    """Whether these are a few numbers, such as visits, or are measured, such as points."""
    if not is_unnamed_number(key, columns):
        return False
    return int(columns[key].codes.max(initial=0)) < COUNTS or columns[key].is_measured


def tells_sex(name: str, column: PlacedColumn) -> bool:
    """Whether a column holds sexes, by its values or by its name with few of them."""
    return column.are_sexes or ("sex" in kinds(name) and int(column.codes.max(initial=0)) < SEXES)
