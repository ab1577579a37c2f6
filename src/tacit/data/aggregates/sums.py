"""Exact sums over rows, asked of any engine in one pass: of whole numbers, of their products, of rounded quotients.

Each term of a row is a whole number from 0 to at most 2**61. Sums of such numbers overflow the 64 bits that some
engines add up in (and they say so, or wrap around and do not), so a term that may exceed 2**31 is summed in two halves
of 30 and 31 bits: exact for up to 2**32 rows everywhere.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from math import prod
from typing import Any

from tacit.data.aggregates.answered import columns_of, whole_number
from tacit.data.aggregates.asked import Derivation, require_same
from tacit.data.aggregates.rendering import Express, coded, grouped, plain
from tacit.data.aggregates.scale import Form, Names, OfReadings
from tacit.data.discreet import Discreet
from tacit.errors import BadData, BadParameter

_HALF = 1 << 30
_PLAIN = 1 << 31
_MOST = 1 << 61


@dataclass(frozen=True)
class Term:
    """What one row adds: the product of these readings, divided by `unit` and rounded to the nearest."""

    factors: tuple[int, ...]
    unit: int = 1


@dataclass(frozen=True, repr=False)
class Totals(Discreet):
    """How many rows there are, and the exact sum of each term, both secret; and what was asked."""

    rows: int
    sums: tuple[int, ...]
    asked: Derivation | None = field(default=None, compare=False, repr=False)

    def of(self, wanted: "Sums", contributions: int) -> tuple[int, ...]:
        """The sums, found to be the expected ones, with at most this number of rows of a person."""
        require_same(self.asked, wanted.asked, contributions)
        return self.sums


@dataclass(frozen=True)
class Sums(OfReadings):
    """Sums of terms over all rows; without terms, just their number."""

    terms: tuple[Term, ...]

    def __post_init__(self) -> None:
        """The terms are whole numbers that engines can multiply."""
        if any(isinstance(reading.scale, Names) for reading in self.readings):
            raise BadParameter("a text can't be summed; count it instead")
        if any(self._size(term) >= _MOST for term in self.terms):
            raise BadParameter("a product of steps may exceed 2**61; take a coarser grid")

    @property
    def asked(self) -> Derivation:
        """The question, whatever the columns are called."""
        terms = tuple((term.factors, term.unit) for term in self.terms)
        return Derivation(self.scales, terms)

    @property
    def nothing(self) -> Sequence[Sequence[Any]]:
        """One row of zeros."""
        return ((0,) * (1 + sum(len(self._halves("", term)) for term in self.terms)),)

    def query(self, relation: str, express: Express = plain, by: Sequence[str] = ()) -> str:
        """One select with one row: the number of rows, then the sums, large ones in two halves."""
        if not self.terms:
            return f"select {', '.join([*by, 'count(*)'])} from {relation} as tacit_rows{grouped(by)}"
        products = [*by, *(f"{_product(term)} as p{place}" for place, term in enumerate(self.terms))]
        rounded = [*by, *(f"{_rounded(f'p{place}', term)} as t{place}" for place, term in enumerate(self.terms))]
        source = coded(self.readings, relation, express, by)
        source = f"(select {', '.join(products)} from {source}) as tacit_p"
        sums = [sum_ for place, term in enumerate(self.terms) for sum_ in self._halves(f"t{place}", term)]
        parts = [*by, "count(*)", *(f"coalesce(sum({part}), 0)" for part in sums)]
        return f"select {', '.join(parts)} from (select {', '.join(rounded)} from {source}) as tacit_t{grouped(by)}"

    def found(self, rows: Sequence[Sequence[Any]], most: int | None = None) -> Totals:
        """The totals in what the engine answered."""
        halves = [len(self._halves("", term)) for term in self.terms]
        if len(rows) != 1:
            raise BadData(f"the engine's answer has {len(rows)} rows; sums are one row: run the query of `wanted`")
        cells = [whole_number(cell) for (cell,) in columns_of(rows, 1 + sum(halves))]
        number, sums = cells.pop(0), []
        for term, parts in zip(self.terms, halves, strict=True):
            low = cells.pop(0)
            whole = low if parts == 1 else low + cells.pop(0) * _HALF
            if whole > number * self._size(term):
                raise BadData("the engine's answer holds a sum that no rows have; run the query of `wanted`")
            sums.append(whole // term.unit)
        return self.totals(number, sums, most)

    def totals(self, rows: int, sums: Sequence[int], most: int | None = None) -> Totals:
        """Totals with the question that they answer."""
        return Totals(rows, tuple(sums), replace(self.asked, most=most))

    def _size(self, term: Term) -> int:
        """The largest product, before it is divided."""
        return prod(self.readings[factor].scale.most for factor in term.factors) + term.unit // 2

    def _halves(self, name: str, term: Term) -> list[str]:
        if self._size(term) < _PLAIN:
            return [name]
        low = f"{name} % {_HALF}"
        return [low, f"cast(({name} - {low}) / {_HALF} as bigint)"]


def _product(term: Term) -> str:
    product = " * ".join(f"k{factor}" for factor in term.factors)
    return product if term.unit == 1 else f"{product} + {term.unit // 2}"


def _rounded(name: str, term: Term) -> str:
    """The greatest multiple of the unit that is not above; engines disagree on how to divide whole numbers."""
    return name if term.unit == 1 else f"{name} - {name} % {term.unit}"


@dataclass(frozen=True)
class Together:
    """Several sums in one pass."""

    parts: tuple[Sums, ...]

    def __post_init__(self) -> None:
        """There is something to ask."""
        if not self.parts:
            raise BadParameter("there are no sums to find together; give at least one")

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that are read."""
        return self._joined.columns

    @property
    def forms(self) -> tuple[Form, ...]:
        """The forms in which they are read."""
        return self._joined.forms

    @property
    def nothing(self) -> Sequence[Sequence[Any]]:
        """One row of zeros."""
        return self._joined.nothing

    def query(self, relation: str, express: Express = plain, by: Sequence[str] = ()) -> str:
        """One select with one row."""
        return self._joined.query(relation, express, by)

    def found(self, rows: Sequence[Sequence[Any]], most: int | None = None) -> tuple[Totals, ...]:
        """The totals of each part."""
        whole, start, parts = self._joined.found(rows), 0, []
        for part in self.parts:
            end = start + len(part.terms)
            parts.append(part.totals(whole.rows, whole.sums[start:end], most))
            start = end
        return tuple(parts)

    @property
    def _joined(self) -> Sums:
        places = {reading: 0 for part in self.parts for reading in part.readings}
        places = {reading: place for place, reading in enumerate(places)}
        terms = (
            Term(tuple(places[part.readings[factor]] for factor in term.factors), term.unit)
            for part in self.parts
            for term in part.terms
        )
        return Sums(tuple(places), tuple(terms))
