"""Guarantees about classes that measure wrongly or claim too much: each is caught, and ours are not.

Covers testing/measures.
"""

import sys
from typing import Annotated, Any, ClassVar

import numpy as np
import pytest
from pydantic import Field

from tacit.arrays import BoolArray, FloatArray
from tacit.data.tables.classes import Classes
from tacit.guarantees.catalogue import parse_table_guarantee
from tacit.guarantees.guarantee import (
    InSql,
    Monotone,
    NotInSql,
    PeopleOrRows,
    SecretGuarantee,
    Side,
    SqlMeasure,
    TableGuarantee,
)
from tacit.testing import InstalledPart, check, check_table_guarantee

OURS: list[dict[str, Any]] = [
    {"k-anonymity": {"k": 3}},
    {"l-diversity": {"l": 2, "kind": "distinct"}},
    {"l-diversity": {"l": 2, "kind": "recursive", "c": 2}},
    {"l-diversity": {"l": 2, "kind": "probabilistic"}},
    {"t-closeness": {"t": 0.3, "distance": "ordered"}},
    {"t-closeness": {"t": 0.3, "distance": "kl"}},
    {"alpha-k-anonymity": {"alpha": 1, "k": 3}},
    {"beta-likeness": {"beta": 0.5, "kind": "basic"}},
]


class NoMajority(SecretGuarantee):
    """No value belongs to more than a share of a class."""

    name: ClassVar[str] = "no-majority"
    title: ClassVar[str] = "no majority"
    paper: ClassVar[str] = "https://doi.org/10.1145/1150402.1150499"
    open: ClassVar[tuple[str, ...]] = ("Who excludes a value may be left with one.",)
    sql: ClassVar[InSql | NotInSql] = InSql(
        lambda tables, column, given: SqlMeasure(
            f"select max(people) / sum(people) as measure from {tables.cells(column)} group by {tables.labels}",
            most=given["share"],
        )
    )

    share: Annotated[float, Field(gt=0, lt=1, description="the largest share")] = 0.6

    @property
    def bound(self) -> float:
        return self.share

    @property
    def side(self) -> Side:
        return "at most"

    @property
    def monotone(self) -> Monotone:
        """The largest share of a merged class is at most the larger one of its parts."""
        return "table"

    def promise(self, of: PeopleOrRows = "people") -> str:
        return f"no value belongs to more than {self.share:g} of a class"

    def measure(self, classes: Classes) -> FloatArray:
        cells = self.cells(classes)
        largest: FloatArray = np.maximum.reduceat(cells.count, cells.starts) / cells.totals
        return largest

    def found(self, worst: float, of: PeopleOrRows = "people") -> str:
        return f"the largest share is {worst:g}"


class Unmeasured(NoMajority):
    def measure(self, classes: Classes) -> FloatArray:
        return np.zeros(classes.number)


class Contented(NoMajority):
    def satisfied(self, measured: FloatArray) -> BoolArray:
        return np.ones(measured.shape, dtype=bool)


class Boasting(NoMajority):
    @property
    def monotone(self) -> Monotone:
        return "class"


class Spoilt(NoMajority):
    """The difference of the two largest shares, which merging may raise above that of both parts."""

    @property
    def monotone(self) -> Monotone:
        return "table"

    def measure(self, classes: Classes) -> FloatArray:
        ((_, block),) = self.cells(classes).frequencies.blocks(classes.number)
        shares = np.sort(block / block.sum(axis=1, keepdims=True), axis=1)
        gap: FloatArray = shares[:, -1] - shares[:, -2]
        return gap


class Neighbourly(NoMajority):
    def measure(self, classes: Classes) -> FloatArray:
        own = super().measure(classes)
        return own / own.max()


class Short(NoMajority):
    def measure(self, classes: Classes) -> FloatArray:
        return super().measure(classes)[:1]


class Unknowing(NoMajority):
    def measure(self, classes: Classes) -> FloatArray:
        return super().measure(classes) * np.nan


class Otherwise(NoMajority):
    sql: ClassVar[InSql | NotInSql] = InSql(
        lambda tables, column, given: SqlMeasure(
            f"select 0.9 * max(people) / sum(people) as measure from {tables.cells(column)} group by {tables.labels}"
        )
    )


TWINS: dict[type[NoMajority], str] = {
    Unmeasured: "holds for every random class, even for single people, so it promises nothing",
    Contented: "holds for every random class",
    Boasting: "`monotone` claims 'class', and merging two classes spoils what held",
    Spoilt: "`monotone` claims 'table', and merging two classes spoils what held",
    Neighbourly: "the measure of a class depends on the other classes",
    Short: "`measure` must give one float for each of",
    Unknowing: "`measure` must give one float for each of",
    Otherwise: "two independent checks of no-majority disagree",
}


@pytest.mark.slow
@pytest.mark.parametrize("entry", OURS, ids=str)
def test_ours_pass(entry: dict[str, Any]) -> None:
    guarantee = parse_table_guarantee(entry)
    assert guarantee.subject == "class"
    check_table_guarantee(guarantee)


@pytest.mark.slow
def test_an_honest_one_passes() -> None:
    measured = []

    class Watched(NoMajority):
        def measure(self, classes: Classes) -> FloatArray:
            measured.append(classes.number)
            return super().measure(classes)

    check_table_guarantee(Watched())
    assert len(measured) > 400


@pytest.mark.slow
@pytest.mark.parametrize("kind", TWINS)
def test_one_that_measures_wrongly_or_claims_too_much_is_caught(kind: type[NoMajority]) -> None:
    with pytest.raises(AssertionError, match=f"^guarantees/no-majority: .*{TWINS[kind]}"):
        check_table_guarantee(kind())


def test_one_about_a_population_is_not_about_classes() -> None:
    with pytest.raises(AssertionError, match="it is not about each class by itself"):
        check_table_guarantee(parse_table_guarantee({"k-map": {"k": 2}}))


@pytest.mark.parametrize(("name", "number"), [("t-closeness", 1), ("k-map", 0), ("differential-privacy", 0)])
def test_a_check_of_what_is_installed_measures_those_about_classes(
    name: str, number: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    measured: list[TableGuarantee] = []
    monkeypatch.setattr(sys.modules["tacit.testing.installed"], "check_table_guarantee", measured.append)
    check(InstalledPart("guarantees", name, "tacit"))
    assert [one.name for one in measured] == [name] * number
