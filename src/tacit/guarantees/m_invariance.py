"""m-invariance (Xiao and Tao 2007): over all releases of a table, a person's classes show one set of m or more values.

Against an adversary who finds a person's class in every release and keeps the values that all have in common (W10). Two
conditions:

- each release is m-unique: every class has at least m rows, all with different sensitive values;
- a person who appears in several releases stands in classes with the same set of values, the *signature*.

Then the adversary, who may know who is in the table and everybody's quasi-identifiers, links a person with their value
with a chance of at most 1/m, however many releases there are, as long as values do not change. Rows may be counterfeit:
they count like others, since nobody can tell which they are.

What one release can show is measured class by class: the number of its rows, 0 where two share a value. It is not
monotone: two classes that share a value break it when they merge. `check_releases` measures all releases together, from
their rows and from who stood in which class. Distinct m-diversity and m-anonymity of each release follow.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, ClassVar

import numpy as np
from pydantic import Field

from tacit.arrays import FloatArray
from tacit.data.tables.classes import Classes
from tacit.data.tables.remembered_release import RememberedRelease
from tacit.guarantees._bounds import because
from tacit.guarantees._republication_sql import SIGNATURES, RepublicationInSql
from tacit.guarantees._signatures import SignatureFinding, check_signatures
from tacit.guarantees._sql import UNIQUENESS, InSql
from tacit.guarantees.guarantee import PeopleOrRows, RepublicationGuarantee, SecretGuarantee, TableGuarantee
from tacit.guarantees.k_anonymity import KAnonymity
from tacit.guarantees.l_diversity import LDiversity


class MInvariance(RepublicationGuarantee, SecretGuarantee):
    """Each class of each release has at least m rows, all with different values, the same for a person who stays."""

    name: ClassVar[str] = "m-invariance"
    title: ClassVar[str] = "m-invariance"
    paper: ClassVar[str] = "https://doi.org/10.1145/1247480.1247556"
    sql: ClassVar[InSql] = UNIQUENESS
    republication_sql: ClassVar[RepublicationInSql] = SIGNATURES
    open: ClassVar[tuple[str, ...]] = (
        "It assumes that people's values do not change, and that all releases are remembered.",
        "Somebody who can exclude some values of a class knows more than it says, and so does somebody who knows that "
        "rows of a class are counterfeits.",
        "It says nothing about how frequent a value was beforehand, or about who is in the data.",
    )

    if TYPE_CHECKING:
        # What an editor and a type checker see; `Guarantee` reads the values.
        def __init__(self, m: int, *, column: str | None = None) -> None: ...

    m: Annotated[
        int,
        Field(ge=2, description="the least number of different values in each class of each release"),
        because("it must be at least 2, since a class with one value gives that value away"),
    ]

    @property
    def bound(self) -> float:
        """The least number of rows."""
        return self.m

    def promise(self, of: PeopleOrRows = "people") -> str:
        """What is promised, as a clause."""
        return f"each class has at least {self.m} rows, all with different values of {self.secret}"

    def measure(self, classes: Classes) -> FloatArray:
        """The rows of each class, 0 where two of them share a value."""
        cells = self.cells(classes)
        if not classes.number:
            return np.zeros(0)
        different = np.maximum.reduceat(cells.count, cells.starts) == 1
        return np.where(different, np.minimum(classes.sizes, cells.distinct()), 0).astype(np.float64)

    def found(self, worst: float, of: PeopleOrRows = "people") -> str:
        """What was measured, as a phrase."""
        return f"the smallest has {worst:g}" if worst else "two rows of one class share a value"

    @property
    def least_values(self) -> int:
        """As many as are promised."""
        return self.m

    def check_releases(self, releases: Sequence[RememberedRelease]) -> SignatureFinding:
        """Whether every release is m-unique and everybody keeps one signature, releases numbered from 1."""
        return check_signatures(self.m, releases)

    def implied(self) -> tuple[TableGuarantee, ...]:
        """At least m people and m values."""
        return (KAnonymity(k=self.m), LDiversity(l=self.m, kind="distinct", column=self.column))


GUARANTEE: type[TableGuarantee] = MInvariance
