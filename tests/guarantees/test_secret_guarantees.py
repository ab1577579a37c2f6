"""Guarantees about secrets are told by their class, never by what a parameter is called.

Covers guarantees/guarantee, tables/minimality.
"""

from typing import Annotated, ClassVar

import numpy as np
import pytest
from pydantic import Field
from tests.attacks.tables.test_minimality import generalised
from tests.oracle.counted import classes_from

from tacit.arrays import FloatArray
from tacit.attacks.tables.minimality import Minimality, use_minimality
from tacit.data.tables.classes import Classes
from tacit.errors import BadParameter
from tacit.guarantees.catalogue import guarantees
from tacit.guarantees.guarantee import PeopleOrRows, SecretGuarantee, TableGuarantee, check
from tacit.guarantees.l_diversity import LDiversity


class Rows(TableGuarantee):
    """Each class has so many rows; `column` is a word for the reader and no secret."""

    name: ClassVar[str] = "rows"
    title: ClassVar[str] = "rows"
    paper: ClassVar[str] = "https://example.org/rows"

    n: int
    column: str = "elsewhere"

    @property
    def bound(self) -> float:
        """The least number of rows."""
        return self.n

    def promise(self, of: PeopleOrRows = "people") -> str:
        """In words."""
        return f"each class has at least {self.n} rows"

    def measure(self, classes: Classes) -> FloatArray:
        """The rows of each class."""
        return classes.rows.astype(np.float64)

    def found(self, worst: float, of: PeopleOrRows = "people") -> str:
        """In words."""
        return f"the fewest are {worst:g}"


class Values(SecretGuarantee):
    """Each class has so many values."""

    name: ClassVar[str] = "values"
    title: ClassVar[str] = "values"
    paper: ClassVar[str] = "https://example.org/values"

    n: Annotated[int, Field(ge=2)]
    more: str = ""

    @property
    def bound(self) -> float:
        """The least number of values."""
        return self.n

    def promise(self, of: PeopleOrRows = "people") -> str:
        """In words."""
        return f"each class has at least {self.n} values of {self.secret}"

    def measure(self, classes: Classes) -> FloatArray:
        """The values of each class."""
        return self.cells(classes).distinct().astype(np.float64)

    def found(self, worst: float, of: PeopleOrRows = "people") -> str:
        """In words."""
        return f"the fewest are {worst:g}"


def test_a_parameter_called_column_makes_no_secret() -> None:
    classes = classes_from([[3, 1], [2, 2]])
    assert check(Rows(n=2), classes).column is None
    assert check(Values(n=2), classes).column == "s"
    assert check(Values(n=2, column="s"), classes).says.startswith("each class has at least 2 values of s;")


def test_an_attack_tells_one_about_secrets_by_its_class() -> None:
    """A guarantee about rows names no second secret, which the attack would refuse, whatever its parameters are."""
    secret = next(iter(generalised(()).view.shown.sensitive))
    by_rows = use_minimality(generalised((Rows(n=2), LDiversity(l=2, kind="distinct"))), Minimality(worlds=10))
    by_values = use_minimality(generalised((Rows(n=2), Values(n=2))), Minimality(worlds=10))
    assert by_rows.details == by_values.details
    use_minimality(generalised((Values(n=2, column=secret),)), Minimality(worlds=10))
    with pytest.raises(BadParameter, match="about one secret only"):
        use_minimality(generalised((Values(n=2, column="other"),)), Minimality(worlds=10))


@pytest.mark.parametrize("kind", [kind for kind in guarantees().values() if issubclass(kind, SecretGuarantee)])
def test_the_column_is_the_last_parameter_and_may_be_left_out(kind: type[SecretGuarantee]) -> None:
    assert list(kind.model_fields)[-1] == "column"
    assert list(kind.model_json_schema()["properties"])[-1] == "column"
    assert not kind.model_fields["column"].is_required()


def test_all_that_have_a_column_are_about_secrets() -> None:
    having = {name for name, kind in guarantees().items() if "column" in kind.model_fields}
    assert having == {name for name, kind in guarantees().items() if issubclass(kind, SecretGuarantee)}
    assert "l-diversity" in having
    assert list(Values(n=2).model_dump()) == ["n", "more", "column"]
