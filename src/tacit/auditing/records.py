"""Rows that were written as JSON, as values: lists are tuples, objects are records that can't be changed.

A dataset of the auditor is identified by its rows, so a row must be a value that sets and dictionaries can hold.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, repr=False)
class Record(Mapping[str, Any]):
    """A mapping from names to values; two of the same cells are equal, in whatever order they were written."""

    cells: frozenset[tuple[str, Any]]
    names: tuple[str, ...]

    def __getitem__(self, name: str) -> Any:
        return dict(self.cells)[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __len__(self) -> int:
        return len(self.names)

    def __repr__(self) -> str:
        return repr(dict(self))


def as_row(value: Any) -> Any:
    """The value that JSON holds, with nothing in it that can be changed."""
    if isinstance(value, list):
        return tuple(as_row(part) for part in value)
    if isinstance(value, dict):
        cells = {name: as_row(part) for name, part in value.items()}
        return Record(frozenset(cells.items()), tuple(sorted(cells)))
    return value
