"""A second guarantee about candidates, brought from outside: it counts for itself, and is judged by its own count.

Covers guarantees/guarantee, runs/tables/concealment, runs/tables/check.
"""

from pathlib import Path
from typing import Annotated, Any, ClassVar

import numpy as np
import pyarrow as pa
import pytest
from pydantic import Field
from tests.guarantees.installing import installed
from tests.guarantees.test_k_concealment import tally_of
from tests.runs.planned import form_of, protected, write_plan

import tacit
from tacit.data.tables.candidates import LinkedPeople, fitting_pairs
from tacit.data.tables.linkage import Linkage
from tacit.errors import TacitError
from tacit.guarantees.guarantee import (
    CandidateGuarantee,
    InSql,
    NotInSql,
    PeopleOrRows,
    SqlMeasure,
    SqlTables,
    TableGuarantee,
    check,
)
from tacit.guarantees.k_anonymity import KAnonymity
from tacit.guarantees.k_concealment import KConcealment
from tacit.metrics.tables.risk import measure_risk
from tacit.runs.tables.concealment import checked_again, counted_by
from tacit.verbs.plans import check_plan

PEOPLE = pa.table(
    {
        "age": [str(20 + 7 * i % 40) for i in range(40)],
        "town": ["ABCDE"[i % 5] for i in range(40)],
        "illness": [["flu", "cold", "asthma"][i % 3] for i in range(40)],
    }
)
ROLES = {"age": "quasi-identifier", "town": "quasi-identifier", "illness": "sensitive"}
SETS = {"labels": "sets"}


def in_sql(tables: SqlTables, column: str, given: Any) -> SqlMeasure:
    """The rows that fit each group of people, or the people of each class."""
    fitting = "select sum(number) as measure from fitting join shown using (row) group by owner"
    return SqlMeasure(fitting if tables.linked else "select people as measure from classes", least=given["k"])


class FittingRows(CandidateGuarantee):
    """(1, k)-anonymity (Gionis, Mazza and Tassa 2008): at least k published rows fit everybody, matched or not."""

    name: ClassVar[str] = "fitting-rows"
    title: ClassVar[str] = "(1, k)-anonymity"
    paper: ClassVar[str] = "https://doi.org/10.1109/ICDE.2008.4497483"
    open: ClassVar[tuple[str, ...]] = ("Whoever knows everybody's quasi-identifiers may rule rows out.",)
    sql: ClassVar[InSql | NotInSql] = InSql(in_sql)

    k: Annotated[int, Field(ge=2, description="the least number of rows that fit a person")]

    @property
    def bound(self) -> float:
        """The least number of rows."""
        return self.k

    @property
    def least(self) -> int:
        """The least number of rows."""
        return self.k

    def promise(self, of: PeopleOrRows = "people") -> str:
        """In words."""
        return f"at least {self.k} published rows fit everybody"

    def found(self, worst: float, of: PeopleOrRows = "people") -> str:
        """In words."""
        return f"the fewest are {worst:g}"

    def in_classes(self) -> TableGuarantee:
        """The rows of a class fit all people of the class."""
        return KAnonymity(k=self.k)

    def count_candidates(self, linkage: Linkage) -> LinkedPeople:
        """The rows whose every label covers the value."""
        pairs = fitting_pairs(linkage.raw.codes, linkage.shown.codes, linkage.fits)
        number = np.bincount(
            pairs.combination, weights=linkage.shown.rows[pairs.class_], minlength=linkage.raw.rows.size
        )
        kept = number > 0
        people = linkage.raw.people.counts()
        return LinkedPeople(linkage.raw.rows[kept], people[kept], candidates=number[kept].astype(np.int64))


# Three people. The first row fits all, the second the first two, the third the last one: two rows fit each of them, but
# the first two people need the first two rows, so the third row is the last person's.
FITS = np.array([[True, True, False], [True, True, False], [True, False, True]])
THREE = Linkage(tally_of([[0], [1], [2]])[0], tally_of([[0], [1], [2]])[0], [FITS])


def test_each_is_judged_by_its_own_count() -> None:
    both: tuple[TableGuarantee, ...] = (FittingRows(k=2), KConcealment(k=2), KAnonymity(k=2))
    alone = LinkedPeople(np.ones(3, dtype=np.int64), np.ones(3, dtype=np.int64), candidates=np.ones(3, dtype=np.int64))
    by_classes = tuple(check(one, alone) for one in both)
    hidden = counted_by(both, THREE)
    fitting, matched, classes = checked_again(both, by_classes, hidden)
    assert (fitting.holds, fitting.measured, fitting.parts) == (True, 2, 3)
    assert (matched.holds, matched.measured, matched.failing) == (False, 1, 1)
    assert classes == by_classes[2]


def test_the_risk_is_the_highest_that_any_of_them_counts() -> None:
    before = measure_risk(LinkedPeople(np.ones(3, dtype=np.int64), np.ones(3, dtype=np.int64)), 0.2)
    assert counted_by((FittingRows(k=2),), THREE).risk(2, before).prosecutor_highest == 0.5
    assert counted_by((FittingRows(k=2), KConcealment(k=2)), THREE).risk(2, before).prosecutor_highest == 1


def never(*given: Any) -> Any:
    raise AssertionError("another guarantee's count was asked")


@pytest.mark.slow
def test_a_release_is_made_and_judged_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(KConcealment, "count_candidates", never)
    made = tacit.protect(tacit.read(PEOPLE, ROLES), [FittingRows(k=3)], method="tables/freeform", parameters=SETS)
    (found,) = made.release.measured
    assert (found.name, found.title, found.holds) == ("fitting-rows", "(1, k)-anonymity", True)
    assert found.counted == "groups of alike people"
    assert found.measured >= 3


@pytest.mark.slow
def test_its_second_definition_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = InSql(lambda tables, column, given: SqlMeasure("select number + 1 as measure from shown"))
    monkeypatch.setattr(FittingRows, "sql", wrong)
    with pytest.raises(TacitError, match="two independent checks of fitting-rows"):
        tacit.protect(tacit.read(PEOPLE, ROLES), [FittingRows(k=3)], method="tables/freeform", parameters=SETS)


@pytest.mark.slow
def test_a_file_is_checked_for_it_by_a_plan(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = PEOPLE.to_pylist()
    form = form_of({name: {"role": role} for name, role in ROLES.items()})
    form["release"] = {"guarantees": [{"fitting-rows": {"k": 3}}], "method": "tables/freeform", "parameters": SETS}
    with installed(FittingRows, tmp_path / "site", monkeypatch):
        monkeypatch.setattr(KConcealment, "count_candidates", never)
        plan = write_plan(tmp_path, form, rows)
        made = protected(plan)
        (found,) = check_plan(plan, made.output).promises
        assert (found.name, found.holds) == ("fitting-rows", True)
        assert found.measured == made.release.measured[0].measured
