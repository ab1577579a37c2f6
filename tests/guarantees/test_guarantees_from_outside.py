"""Guarantees of classes that Tacit does not have: as objects in Python, and by name from an installed package.

Covers guarantees/catalogue, guarantees/guarantee.
"""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import ClassVar

import numpy as np
import pyarrow as pa
import pytest

import tacit
from tacit.arrays import FloatArray
from tacit.data.tables.classes import Classes
from tacit.errors import BadPackage, TacitError
from tacit.guarantees.catalogue import guarantees, parse_guarantee, parse_table_guarantee
from tacit.guarantees.guarantee import InSql, Monotone, NotInSql, PeopleOrRows, SqlMeasure, TableGuarantee

PEOPLE = pa.table(
    {
        "age": [str(20 + i % 7) for i in range(40)],
        "town": ["ABCDE"[i % 5] for i in range(40)],
        "illness": [["flu", "cold", "asthma"][i % 3] for i in range(40)],
    }
)
ROLES = {"age": "quasi-identifier", "town": "quasi-identifier", "illness": "sensitive"}


class EvenRows(TableGuarantee):
    """Each class has at least `pairs` pairs of rows."""

    name: ClassVar[str] = "even-rows"
    title: ClassVar[str] = "even rows"
    paper: ClassVar[str] = "https://example.org/even-rows"
    sql: ClassVar[InSql | NotInSql] = InSql(
        lambda tables, column, given: SqlMeasure("select people // 2 as measure from classes", least=given["pairs"])
    )

    pairs: int

    @property
    def bound(self) -> float:
        """The least number of pairs."""
        return self.pairs

    def promise(self, of: PeopleOrRows = "people") -> str:
        """In words."""
        return f"each class has at least {self.pairs} pairs of rows"

    @property
    def monotone(self) -> Monotone:
        """A merged class has all the rows of each part."""
        return "class"

    def measure(self, classes: Classes) -> FloatArray:
        """The pairs of each class."""
        return (classes.sizes // 2).astype(np.float64)

    def found(self, worst: float, of: PeopleOrRows = "people") -> str:
        """In words."""
        return f"the fewest are {worst:g}"


METHODS = ["tables/lattice", "tables/mondrian", "tables/cluster", "tables/local", "tables/specialize"]


@pytest.mark.slow
@pytest.mark.parametrize("method", METHODS)
def test_an_object_of_an_unknown_class_is_protected_by_and_checked(method: str) -> None:
    dataset = tacit.read(PEOPLE, ROLES)
    asked = EvenRows(pairs=2)
    assert not tacit.check(dataset, [asked]).holds
    made = tacit.protect(dataset, [asked], method=method)
    (found,) = made.release.measured
    assert (found.name, found.holds, found.bound) == ("even-rows", True, 2)
    assert tacit.check(tacit.read(made.data, ROLES), [asked]).holds
    assert made.release.recipe.plan["release"]["guarantees"] == [{"even-rows": {"pairs": 2}}]


@pytest.mark.slow
def test_its_second_definition_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = InSql(lambda tables, column, given: SqlMeasure("select people as measure from classes"))
    monkeypatch.setattr(EvenRows, "sql", wrong)
    with pytest.raises(TacitError, match="two independent checks of even-rows"):
        tacit.protect(tacit.read(PEOPLE, ROLES), [EvenRows(pairs=2)])


@pytest.mark.slow
def test_sql_that_cant_be_run_is_the_defect_of_its_module(monkeypatch: pytest.MonkeyPatch) -> None:
    mistyped = InSql(lambda tables, column, given: SqlMeasure("selekt people as measure from classes"))
    monkeypatch.setattr(EvenRows, "sql", mistyped)
    with pytest.raises(TacitError, match=rf"the SQL of even-rows can't be run .*, which is a defect of {__name__}"):
        tacit.protect(tacit.read(PEOPLE, ROLES), [EvenRows(pairs=2)])


@pytest.mark.slow
def test_an_attack_meets_it_with_no_bound() -> None:
    dataset = tacit.read(PEOPLE, ROLES)
    made = tacit.protect(dataset, [EvenRows(pairs=2)])
    assert all(result.bound is None for result in tacit.attack(dataset, made).results)


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A package with one guarantee, installed as pip would."""
    source = Path(__file__).read_text(encoding="utf-8")
    head, _, rest = source.partition("\n\nclass EvenRows")
    imports = "\n".join(line for line in head.splitlines() if line.startswith(("import", "from")))
    text = f"{imports}\n\n\nclass EvenRows{rest.partition('METHODS =')[0]}GUARANTEE = EvenRows\n"
    (tmp_path / "even_package").mkdir()
    (tmp_path / "even_package" / "__init__.py").write_text("", encoding="utf-8")
    (tmp_path / "even_package" / "even_rows.py").write_text(text, encoding="utf-8")
    info = tmp_path / "even_package-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: even-package\nVersion: 1\n", encoding="utf-8")
    (info / "entry_points.txt").write_text("[tacit.guarantees]\neven = even_package\n", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    yield
    for name in [name for name in sys.modules if name.partition(".")[0] == "even_package"]:
        del sys.modules[name]


def test_an_installed_package_brings_one_by_name(installed: None) -> None:
    assert "even-rows" in guarantees()
    found = parse_table_guarantee({"even-rows": {"pairs": 3}})
    assert (found.bound, found.promise()) == (3, "each class has at least 3 pairs of rows")


def test_without_the_package_there_is_none() -> None:
    with pytest.raises(tacit.BadParameter, match="there is no guarantee 'even-rows'"):
        parse_guarantee({"even-rows": {"pairs": 3}})


def test_two_of_one_name_are_refused(installed: None, tmp_path: Path) -> None:
    place = tmp_path / "even_package" / "even_rows.py"
    place.with_name("odd_rows.py").write_text(place.read_text(encoding="utf-8"), encoding="utf-8")
    with pytest.raises(BadPackage, match="two guarantees are called 'even-rows'"):
        guarantees()


def test_one_that_cant_be_imported_is_told(installed: None, tmp_path: Path) -> None:
    (tmp_path / "even_package" / "odd_rows.py").write_text("import surely_missing\n", encoding="utf-8")
    assert {"k-anonymity", "even-rows"} <= set(guarantees())
    with pytest.raises(tacit.BadParameter, match=r"even_package\.odd_rows can't be imported: .*surely_missing"):
        parse_guarantee({"odd-rows": {}})
