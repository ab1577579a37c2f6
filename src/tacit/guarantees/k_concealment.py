"""k-concealment (Tassa, Mazza and Gionis 2012): each person may be the owner of at least k published rows.

A published row *fits* a person if every label covers the person's value. A row is a *candidate* of a person if some
perfect matching of people to fitting rows joins the two, and everybody is promised k candidates. Rows that fit and are
in no perfect matching do not count: an adversary who holds everybody's quasi-identifiers rules them out. Every
k-anonymous table is k-concealing: the rows of a class can be exchanged at will.

It is weaker than k-anonymity: candidates are possible, not equally likely, and whoever knows the true rows of other
people strikes these out. Nothing is promised about sensitive values (W4). Where people have several rows two things are
promised: for each row of a person, the published rows that may be it belong to at least k different people, and each of
these may be owned by at least k different people. docs/explanation/freeform-generalisation.md says why both are needed.

The measure is the number of candidates of each group of people who are alike in the raw table; it needs the raw table
and the release. Without the raw table it is the class size, which is never larger and monotone by class.
"""

from typing import TYPE_CHECKING, Annotated, ClassVar

from pydantic import Field

from tacit.data.tables.candidates import LinkedPeople, linked
from tacit.data.tables.linkage import Linkage
from tacit.guarantees._bounds import because
from tacit.guarantees._sql import CANDIDATES, InSql
from tacit.guarantees.guarantee import CandidateGuarantee, Monotone, PeopleOrRows, TableGuarantee
from tacit.guarantees.k_anonymity import KAnonymity


class KConcealment(CandidateGuarantee):
    """Each person may be the owner of at least k published rows."""

    name: ClassVar[str] = "k-concealment"
    title: ClassVar[str] = "k-concealment"
    paper: ClassVar[str] = (
        "https://cris.openu.ac.il/en/publications/k-concealment-an-alternative-model-of-k-type-anonymity"
    )
    sql: ClassVar[InSql] = CANDIDATES
    open: ClassVar[tuple[str, ...]] = (
        "It is weaker than k-anonymity: of the rows that may be a person's, some may be likelier than others.",
        "Somebody who knows the true rows of others can rule these out and may rule out more; in a class k − 1 people "
        "must be known to find one, here a single other may be enough.",
        "It says nothing about sensitive values: all rows that may be a person's may share one.",
    )

    if TYPE_CHECKING:
        # What an editor and a type checker see; `Guarantee` reads the values.
        def __init__(self, k: int) -> None: ...

    k: Annotated[
        int,
        Field(ge=2, description="the least number of published rows that may be a person's; 1 would protect nobody"),
        because("it must be at least 2, since one candidate is the person's own row"),
    ]

    @property
    def bound(self) -> float:
        """The least number of candidates."""
        return self.k

    def promise(self, of: PeopleOrRows = "people") -> str:
        """What is promised, as a clause."""
        return f"each person may be the owner of at least {self.k} published rows"

    @property
    def monotone(self) -> Monotone:
        """As it is measured on classes, where a merged class has the people of each part."""
        return "class"

    @property
    def least(self) -> int:
        """The least number of candidates."""
        return self.k

    def count_candidates(self, linkage: Linkage) -> LinkedPeople:
        """The rows that some perfect matching gives to a person."""
        return linked(linkage.raw, linkage.shown, linkage.fits)

    def in_classes(self) -> TableGuarantee:
        """The rows of a class of k people can be exchanged at will, so each may be owned by any of them."""
        return KAnonymity(k=self.k)

    def found(self, worst: float, of: PeopleOrRows = "people") -> str:
        """What was measured, as a phrase."""
        return f"the fewest are {worst:g}"


GUARANTEE: type[TableGuarantee] = KConcealment
