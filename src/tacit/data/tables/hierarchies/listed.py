"""Listed values: a classification that is known beforehand (countries, diseases, …) says where each value stands.

A path finder gives the labels above a value, fine to coarse, without the root, or nothing where it does not know the
value. Paths may be of unequal length: a short one is filled downwards with the value itself, so every label keeps its
distance from the root. A level that repeats the one below it, label for label, is left out.

A value that the classification does not know is an error that shows its shape. With `other: true` such values form a
group of their own, `other`, which merges with the rest at the root only: nobody is put into a group by a guess. With
`also` a person says what an unknown spelling stands for.
"""

import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from importlib.resources import files
from typing import Annotated, ClassVar, Self

from pydantic import BeforeValidator, Field, StrictBool, model_validator

from tacit.data.tables.hierarchies.tree import leaf_text
from tacit.data.tables.hierarchy import SUPPRESSED, Hierarchy, show_shapes, show_some
from tacit.errors import BadData
from tacit.params import Params
from tacit.spelling import many

OTHER = "other"
"""The group of values that a classification does not know."""
_LINKS = frozenset({"and", "und", "et", "y", "e", "ed", "the"})

LabelPath = tuple[str, ...]
Spelling = Annotated[str, BeforeValidator(leaf_text)]
PathFinder = Callable[[str], LabelPath | None]


class ListedSpec(Params):
    """What the declarations of all classifications share."""

    what: ClassVar[str] = "values"
    place: ClassVar[PathFinder]

    other: StrictBool = Field(
        default=False, description="true: unknown values form a group `other`; by default they are an error"
    )
    also: dict[Spelling, Spelling] = Field(
        default_factory=dict, description="your own spellings, each with the known value that it stands for"
    )

    @model_validator(mode="after")
    def _known(self) -> Self:
        strange = [known for known in self.also.values() if type(self).place(known) is None]
        if strange:
            raise ValueError(f"`also` leads to values that are not among the known {self.what}: {show_some(strange)}")
        return self

    def path(self, value: str) -> LabelPath | None:
        """The labels above the value, fine to coarse; None where it is not known."""
        return type(self).place(self.also.get(value, value))


def build_listed(column: str, spec: ListedSpec, values: Sequence[str]) -> Hierarchy:
    """The hierarchy of the spec over the observed values (none missing)."""
    paths = [spec.path(value) for value in values]
    strange = [value for value, path in zip(values, paths, strict=True) if path is None]
    if strange and not spec.other:
        raise BadData(
            f"column {column!r}: {many(len(strange), 'value is', 'values are')} not among the known {spec.what}: "
            f"{show_shapes(strange)}; clean them, say what they stand for with `also`, or write `other: true` to group "
            f"them as {OTHER!r}"
        )
    height = max((len(path) for path in paths if path is not None), default=1)
    rows = [_filled(value, path, height) for value, path in zip(values, paths, strict=True)]
    levels = [list(level) for level in zip(*rows, strict=True)]
    return Hierarchy.from_levels(column, [*_telling(levels), [SUPPRESSED] * len(values)])


def _filled(value: str, path: LabelPath | None, height: int) -> LabelPath:
    if path is None:
        return (value, *[OTHER] * height)
    return (*[value] * (1 + height - len(path)), *path)


def _telling(levels: list[list[str]]) -> list[list[str]]:
    """The levels without those that repeat the one before, label for label."""
    return [level for position, level in enumerate(levels) if not position or level != levels[position - 1]]


def folded(text: str) -> str:
    """The text in small letters without accents, signs and words that join: `Trinidad & Tobago` is trinidad tobago."""
    plain = unicodedata.normalize("NFKD", re.sub(r"[.'’]", "", text)).casefold()
    bare = "".join(character for character in plain if not unicodedata.combining(character))
    # Signs of comparison change the meaning: `< high school` is not high school.
    found = re.findall(r"[^\W_]+|[<>+]", bare)
    return " ".join(word for word in found if word not in _LINKS) or " ".join(found)


def list_lines(name: str) -> Iterator[tuple[str, str]]:
    """Every line of a list of this package with the heading (a line with @) that it stands below."""
    heading = ""
    text = (files("tacit.data.tables.hierarchies") / "lists" / f"{name}.txt").read_text(encoding="utf-8")
    for line in text.splitlines():
        if line.startswith("@ "):
            heading = line[2:]
        elif line and not line.startswith("#"):
            yield heading, line
