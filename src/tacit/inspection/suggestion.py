"""A suggestion for a column, and the column as the rules of roles see it: its profile with what they ask of it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

from tacit.data.roles import Role
from tacit.data.sources.profile import ColumnProfile
from tacit.inspection import shapes, words
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
class ProfiledColumn:
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


def looks_like(what: str, share: float) -> str:
    return f"looks like {what}: {percent(share)} of the values match"


def percent(share: float) -> str:
    return f"{int(100 * share)} %"


def count_of_values(profile: ColumnProfile) -> str:
    return f"{'about ' if profile.estimated else ''}{many(profile.distinct, 'value')}"
