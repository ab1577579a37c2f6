"""How many people have each key (a word, a place, a product), a bounded number per person, asked of any engine.

Which keys of a person are kept may depend on that person's rows only; that makes a person's coming or going change at
most `most` counts. Kept are the first ones by the columns in `first` (the least value of each key), such as a time, and
where these do not tell, those with the least lots (`lots.py`), which favour no key. Rows without a person do not count,
since they may be of several people (`people.py`).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from tacit.arrays import IntArray
from tacit.data.aggregates.answered import columns_of, whole_numbers
from tacit.data.aggregates.lots import lot
from tacit.data.aggregates.order import ranks
from tacit.data.aggregates.rendering import Express, grouped, plain
from tacit.data.aggregates.scale import Form
from tacit.data.discreet import Discreet
from tacit.data.sql import literal, missing_last
from tacit.errors import BadData


@dataclass(frozen=True, repr=False)
class KeyCounts(Discreet):
    """Keys in rising order, and how many people (or rows of people) have each after each was bounded to `most`, secret;
    and whether keys were declared, and people or rows counted."""

    keys: tuple[str, ...]
    counts: IntArray
    most: int
    names: tuple[str, ...] | None = None
    each: Literal["person", "row"] = "person"

    def within(self, most: int) -> "KeyCounts":
        """The same, found to be bounded to no more than this number per person."""
        if self.most > most or len(self.keys) != len(self.counts):
            raise BadData(f"up to {self.most} keys of a person were kept; at most {most} were wanted")
        return self

    def like(self, wanted: "Keys") -> "KeyCounts":
        """The same, found to be counted as expected, with no more keys of a person."""
        if (self.names, self.each) != (wanted.names, wanted.each):
            raise BadData(
                "what was found is of other declared keys, or counts rows for people; "
                "ask the engine with `wanted` and the same parameters"
            )
        return self.within(wanted.most)

    def of(self, names: Sequence[str]) -> IntArray:
        """The counts of these keys; 0 if nobody has one."""
        found = dict(zip(self.keys, self.counts.tolist(), strict=True))
        return np.array([found.get(name, 0) for name in names], dtype=np.int64)


@dataclass(frozen=True)
class Keys:
    """People (or rows) by key; if `names` are declared, others do not count."""

    person: str
    key: str
    most: int
    first: tuple[str, ...] = ()
    names: tuple[str, ...] | None = None
    each: Literal["person", "row"] = "person"

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that are read."""
        return tuple(dict.fromkeys((self.person, self.key, *self.first)))

    @property
    def forms(self) -> tuple[Form, ...]:
        """The forms in which they are read."""
        ranked = (Form(name, "rank") for name in self.first)
        return (*(Form(name, "text") for name in self.columns), *ranked)

    @property
    def nothing(self) -> Sequence[Sequence[Any]]:
        """Nobody has a key."""
        return ()

    def query(self, relation: str, express: Express = plain, by: Sequence[str] = ()) -> str:
        """One select with a row for each key that anybody has: the key, and how many people or rows."""
        rank = {f"f{place}": cell for place, cell in enumerate(ranks(self.first, express))}
        cells = [f"{express(self.person, 'identity')} as p", f"{express(self.person, 'text')} as t"]
        cells += [f"{cell} as {first}" for first, cell in rank.items()]
        firsts = tuple(rank)
        log = f"select {', '.join([*by, *cells])}, {express(self.key, 'text')} as k from {relation} as tacit_rows"
        order = ", ".join([*map(missing_last, firsts), lot("key", "t", "number"), "number"])
        window = f"partition by {', '.join([*by, 'p'])} order by {order}"
        keys = [*by, "k"]
        numbered = f"({self._numbered(f'({log})', firsts, by)}) as tacit_numbered"
        placed = f"select {', '.join(keys)}, row_number() over ({window}) as place from {numbered}"
        counted = f"select {', '.join(keys)}, count(*) from ({placed}) as tacit_placed"
        return f"{counted} where place <= {self.most}{grouped(keys)}"

    def _numbered(self, log: str, firsts: Sequence[str], by: Sequence[str]) -> str:
        """The keys of each person, or the rows with a key, numbered in their order."""
        once = self.each == "person"
        declared = "" if self.names is None else f" and k in ({', '.join(map(literal, self.names))})"
        least = {name: f"min({name})" if once else name for name in ("t", *firsts)}
        cells = [*by, "p", "k", *(f"{value} as {name}" for name, value in least.items())]
        order = ", ".join([*(missing_last(least[first]) for first in firsts), "k"])
        window = f"partition by {', '.join([*by, 'p'])} order by {order}"
        return (
            f"select {', '.join(cells)}, row_number() over ({window}) as number from {log} as tacit_log "
            f"where k is not null and t <> ''{declared}{grouped([*by, 'p', 'k']) if once else ''}"
        )

    def found(self, rows: Sequence[Sequence[Any]], most: int | None = None) -> KeyCounts:
        """The counts in what the engine answered; how many rows of a person were read does not matter, as keys are
        bounded."""
        keys, counts = columns_of(rows, 2)
        if not all(isinstance(key, str) for key in keys):
            raise BadData("the engine's answer holds a key that is not text; run the query of `wanted`")
        order = sorted(range(len(keys)), key=keys.__getitem__)
        rising = tuple(keys[place] for place in order)
        return KeyCounts(rising, whole_numbers(counts)[order], self.most, self.names, self.each)
