"""A second guarantee about republication, brought from outside: it is judged by its own check, twice.

Covers guarantees/guarantee, verification/republication, runs/republication/process,
republication/check, republication/plan.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any, ClassVar

import numpy as np
import pytest
from pydantic import Field
from tests.guarantees.installing import installed
from tests.oracle.counted import classes_from
from tests.runs.planned import names_in, protected
from tests.verification.test_second_republication import release

from tacit.arrays import FloatArray
from tacit.data.tables.classes import Classes
from tacit.data.tables.remembered_release import RememberedRelease
from tacit.errors import CannotGuarantee, TacitError
from tacit.guarantees.guarantee import (
    InSql,
    NotInSql,
    PeopleOrRows,
    RepublicationGuarantee,
    RepublicationInSql,
    RepublicationQueries,
    SecretGuarantee,
    SqlMeasure,
    check,
)
from tacit.guarantees.m_invariance import MInvariance
from tacit.verbs.plans import check_plan
from tacit.verification.republication import require_releases_agreement, verify_releases

TIMES = "select person, count(*) as times from homes group by person"
SHOWN = "select distinct release, class, value from published"
SEEN = (
    f"select person, value, count(*) as times from homes join ({SHOWN}) using (release, class) group by person, value"
)
COMMON = f"select person, count(*) as values from ({SEEN}) join ({TIMES}) using (person, times) group by person"


def in_sql(given: Mapping[str, Any]) -> RepublicationQueries:
    """The people, the fewest values that somebody's classes have in common, and whose are too few."""
    least = "select coalesce(min(coalesce(values, 0)), 0)"
    everybody = "(select distinct person from homes) left join common using (person)"
    return RepublicationQueries(
        tables={"common": COMMON},
        figures={
            "people": "select count(distinct person) from homes",
            "fewest": f"{least} from {everybody}",
            "known": f"select count(*) from {everybody} where coalesce(values, 0) < {given['l']}",
        },
        breaches=("known",),
    )


@dataclass(frozen=True)
class CommonFinding:
    """The people, the fewest values that somebody's classes have in common, and how many people have too few."""

    people: int
    fewest: int
    known: int

    @property
    def holds(self) -> bool:
        """Whether nobody has too few."""
        return not self.known

    @property
    def says(self) -> str:
        """In words."""
        return f"of {self.people} people everybody's classes have {self.fewest} values in common"

    @property
    def figures(self) -> Mapping[str, tuple[int, ...]]:
        """All three."""
        return {"people": (self.people,), "fewest": (self.fewest,), "known": (self.known,)}


class CommonValues(RepublicationGuarantee, SecretGuarantee):
    """All classes that somebody ever stood in have at least l values in common; other values may come and go."""

    name: ClassVar[str] = "common-values"
    title: ClassVar[str] = "common values"
    paper: ClassVar[str] = "https://example.org/common-values"
    open: ClassVar[tuple[str, ...]] = ("Values may be more or less frequent in a class.",)
    sql: ClassVar[InSql | NotInSql] = InSql(
        lambda tables, column, given: SqlMeasure(
            f"select count(*) as measure from {tables.cells(column)} group by {tables.labels}", least=given["l"]
        )
    )
    republication_sql: ClassVar[RepublicationInSql | NotInSql] = RepublicationInSql(in_sql)

    l: Annotated[int, Field(ge=2, description="the least number of values in common")]  # noqa: E741
    asks: Annotated[int, Field(ge=2, description="the values that a method is asked for in each class")] = 3

    @property
    def bound(self) -> float:
        """The least number of values."""
        return self.l

    @property
    def least_values(self) -> int:
        """What a method is asked for."""
        return self.asks

    def promise(self, of: PeopleOrRows = "people") -> str:
        """In words."""
        return f"each class has at least {self.l} values of {self.secret}"

    def found(self, worst: float, of: PeopleOrRows = "people") -> str:
        """In words."""
        return f"the fewest are {worst:g}"

    def measure(self, classes: Classes) -> FloatArray:
        """The values of each class."""
        return self.cells(classes).distinct().astype(np.float64)

    def check_releases(self, releases: Sequence[RememberedRelease]) -> CommonFinding:
        """Person by person."""
        common: dict[int, set[int]] = {}
        for one in releases:
            rows = list(zip(one.class_.tolist(), one.value.tolist(), strict=True))
            for person, home in zip(one.person.tolist(), one.home.tolist(), strict=True):
                shown = {value for class_, value in rows if class_ == home}
                common[person] = common.get(person, shown) & shown
        numbers = [len(values) for values in common.values()]
        return CommonFinding(len(numbers), min(numbers, default=0), sum(number < self.l for number in numbers))


# Person 7 is seen in {0, 1, 2} and in {0, 1, 3}, so the signature changed and two values are still common.
LOOSE = [release([[0, 1, 2], [1, 2, 3]], {7: 0, 8: 1}), release([[0, 1, 3], [1, 2, 3]], {7: 0, 8: 1})]


@pytest.mark.slow
def test_each_is_judged_by_its_own_check() -> None:
    own, other = CommonValues(l=2), MInvariance(m=2)
    found = own.check_releases(LOOSE)
    assert (found.holds, found.fewest, other.check_releases(LOOSE).holds) == (True, 2, False)
    opinion = verify_releases(own, LOOSE)
    assert opinion is not None
    assert (opinion.holds, dict(opinion.figures)) == (True, dict(found.figures))
    require_releases_agreement(own, LOOSE, found)
    require_releases_agreement(other, LOOSE, other.check_releases(LOOSE))
    strict = CommonValues(l=3)
    assert (strict.check_releases(LOOSE).known, strict.check_releases(LOOSE).holds) == (1, False)
    require_releases_agreement(strict, LOOSE, strict.check_releases(LOOSE))


@pytest.mark.parametrize("change", [{"people": 3}, {"fewest": 3}, {"known": 1}])
def test_a_finding_that_is_not_true_is_refused(change: dict[str, int]) -> None:
    own = CommonValues(l=2)
    with pytest.raises(TacitError, match=r"two independent checks of 2 .* under common-values disagree"):
        require_releases_agreement(own, LOOSE, replace(own.check_releases(LOOSE), **change))


def test_one_without_a_second_definition_says_why_and_rests_on_the_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(CommonValues, "republication_sql", NotInSql("It is a test."))
    own = CommonValues(l=2)
    assert verify_releases(own, LOOSE) is None
    require_releases_agreement(own, LOOSE, own.check_releases(LOOSE))


PLAN = """
version: 1
data: {path: people.csv}
unit: name
columns:
  name: {role: identifier}
  age: {role: quasi-identifier, hierarchy: {intervals: [5, 10, 20]}}
  illness: {role: sensitive}
release:
  method: tables/republish
  parameters: {history: people.history}
  guarantees: [{common-values: GIVEN}]
"""


def plan_of(folder: Path, given: str) -> Path:
    lines = [f"person {i},{20 + i % 7},{['flu', 'cold', 'asthma', 'gout'][i % 4]}" for i in range(32)]
    (folder / "people.csv").write_text("\n".join(["name,age,illness", *lines]) + "\n", encoding="utf-8")
    plan = folder / "plan.yaml"
    plan.write_text(PLAN.replace("GIVEN", given), encoding="utf-8")
    return plan


def never(*given: Any) -> Any:
    raise AssertionError("another guarantee's check was asked")


@pytest.fixture
def brought(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The guarantee is installed, and m-invariance may not be asked; where plans and their files go."""
    monkeypatch.setattr(MInvariance, "check_releases", never)
    own = tmp_path / "run"
    own.mkdir()
    with installed(CommonValues, tmp_path / "site", monkeypatch):
        yield own


@pytest.mark.slow
def test_releases_are_made_and_checked_for_it(brought: Path) -> None:
    plan = plan_of(brought, "{l: 2}")
    first, second = protected(plan), protected(plan)
    for made, number in ((first, 1), (second, 2)):
        (promise,) = made.release.measured
        assert (promise.name, promise.holds, promise.bound) == ("common-values", True, 2)
        assert promise.says.endswith("of 32 people everybody's classes have 3 values in common")
        assert any(
            note.startswith(f"This is release {number} of a table that is published again and again: of 32 people")
            for note in made.release.notes
        )
    (found,) = check_plan(plan, second.output).promises
    assert found.holds
    assert found.says.endswith("values in common; this is release 2 of 2")


@pytest.mark.slow
def test_a_release_that_breaks_it_is_not_published(brought: Path) -> None:
    """The method is asked for fewer values than are promised."""
    refused(plan_of(brought, "{l: 4, asks: 2}"))


@pytest.mark.slow
def test_releases_that_break_it_together_are_not_published(brought: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each release is fine, and what all show together is not."""
    monkeypatch.setattr(CommonValues, "check_releases", lambda self, releases: CommonFinding(32, 1, 5))
    monkeypatch.setattr(CommonValues, "republication_sql", NotInSql("It is a test."))
    refused(plan_of(brought, "{l: 2}"))


def refused(plan: Path) -> None:
    before = names_in(plan.parent)
    with pytest.raises(CannotGuarantee, match="common-values"):
        protected(plan)
    assert [name for name in names_in(plan.parent) if not name.endswith(".lock")] == before


@pytest.mark.slow
def test_its_second_definition_is_asked(brought: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plan = plan_of(brought, "{l: 2}")
    wrong = RepublicationInSql(lambda given: RepublicationQueries({"people": "select 5"}, breaches=()))
    monkeypatch.setattr(CommonValues, "republication_sql", wrong)
    with pytest.raises(TacitError, match=r"two independent checks of 1 .* under common-values"):
        protected(plan)


def test_what_one_release_shows_is_its_own_measure() -> None:
    classes = classes_from([[2, 1, 0], [1, 1, 1]])
    assert check(CommonValues(l=2), classes).measured == 2
    assert check(MInvariance(m=2), classes).measured == 0
