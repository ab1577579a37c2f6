"""Known values: an adversary knows a value or two of a person that are published exact, and looks for the record.

A bill, a date of admission, the size of a tumour: sensitive and insensitive columns go out as they are, and a friend, a
colleague or a bank may know a few of their cells. De Montjoye, Radaelli, Singh and Pentland (2015) found nine in ten
card holders with four purchases. The adversary knows the values of the target in one or two columns, in the worst case
those that find most records, otherwise any two that are drawn from all; with `quasi_identifiers` the published class
too. One of the m records with these values is picked: the right one with chance 1/m. Summed over all targets, that is
the number of different values that are published (Σ m · 1/m).

Targets are records, suppressed ones included: these show `*` for a sensitive value, but their insensitive ones, which
may find them. Several records of one person
count each, and hide one another, which only lowers the rate. Values that were rounded, coded or averaged count as
known as they are published, since the adversary may do the same; values that were drawn at random or made with a secret
are not known. No guarantee about classes bounds the rate.

The baseline picks one of all records.
"""

from itertools import combinations
from typing import Annotated, Literal

import numpy as np
from pydantic import Field

from tacit.attacks._success import success
from tacit.cards.attack import TableAttack
from tacit.data.tables.exact_cells import ExactCells, most_telling, paired_columns
from tacit.data.tables.known_cells import KnownCells
from tacit.params import Params
from tacit.release.attacks import Success


class HeldValues(Params):
    """What the adversary knows about a target."""

    values: Annotated[int, Field(ge=1, le=2, description="how many values are known")] = 2
    quasi_identifiers: Annotated[bool, Field(description="whether the quasi-identifiers are known too")] = False
    choice: Annotated[
        Literal["worst", "random"],
        Field(description="which values: those that find most records, or any, each set of columns equally likely"),
    ] = "worst"


def find_by_values(known: KnownCells, params: HeldValues) -> Success:
    """The expected share of records that are picked, with what one value finds, and one value within a class."""
    cells, targets = known.cells, known.records
    number = min(params.values, len(cells.columns))
    details = {
        "columns": float(len(cells.columns)),
        "one_value": _rate(cells, 1, False, targets),
        "one_value_in_its_class": _rate(cells, 1, True, targets),
        "unique": float(_unique(cells, number, params.quasi_identifiers)),
    }
    if params.choice == "random":
        hits = _on_average(cells, number, params.quasi_identifiers)
    else:
        hits = _most(cells, number, params.quasi_identifiers)
    return success(hits, targets, 1 / max(targets, 1), **details)


def _sets(cells: ExactCells, number: int) -> list[tuple[int, ...]]:
    """The sets of columns that are tried: all, or those of the columns with the most values."""
    order = sorted(range(len(cells.columns)), key=lambda c: (-cells.sizes[c], c))
    width = len(order) if number == 1 else paired_columns(cells.rows, len(order))
    return list(combinations(sorted(order[:width]), number))


def _most(cells: ExactCells, number: int, with_class: bool) -> float:
    return float(max((cells.picked(one, with_class) for one in _sets(cells, number)), default=0))


def _on_average(cells: ExactCells, number: int, with_class: bool) -> float:
    return float(np.mean([cells.picked(one, with_class) for one in _sets(cells, number)]))


def _rate(cells: ExactCells, number: int, with_class: bool, targets: int) -> float:
    return _most(cells, number, with_class) / max(targets, 1)


def _unique(cells: ExactCells, number: int, with_class: bool) -> int:
    """How many records are the only ones with their values, in the columns that find most."""
    return max((one.found for one in most_telling(cells, number, with_class)), default=0)


ATTACK = TableAttack(
    title="Known values",
    params=HeldValues,
    run=find_by_values,
    needs="a sensitive or insensitive column that is published as it is",
    gives="the share of records that are found by a value or two",
    paper="https://doi.org/10.1126/science.1256297",
    example=HeldValues(),
    knowledge="the two most revealing values of a person in columns that are published as they are",
    story="The adversary looks for the records that have these values and picks one of them.",
    means="Success means that the record picked is the target's own, and so are all its other values.",
    sees="cells",
)
