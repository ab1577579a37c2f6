"""Figures: a picture with the same numbers as a table, and numbers that keep all their digits for machines."""

from dataclasses import dataclass

from markupsafe import Markup

from tacit.evidence.numerals import count, exact, measure, share
from tacit.evidence.svg import element


@dataclass(frozen=True)
class Figure:
    """A picture and its numbers; `rows` holds one cell for each of `heads`."""

    picture: Markup
    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Bar:
    """One line of a table that carries its own picture."""

    name: str
    picture: Markup
    cells: tuple[str, ...]


def datum(value: float, text: str) -> Markup:
    """A number as people read it, with all its digits for machines."""
    return element("data", text, value=exact(value))


def whole(value: int) -> Markup:
    """A count."""
    return datum(value, count(value))


def part(value: float) -> Markup:
    """A share."""
    return datum(value, share(value))


def plain_number(value: float) -> Markup:
    """A measure."""
    return datum(value, measure(value))
