"""What a guarantee is, for every kind of data, and the form that is measured on the classes of a table.

A guarantee says all about itself that others need to know: what it leaves open, how it is defined in SQL, what it asks
of a class in numbers that a search or an attack can compute with. So a new one is one file, and no other file names it.

`Guarantee` holds for every kind. `TableGuarantee` is measured on the classes of a table; a plug-in with another kind of
data brings a form of its own, whose check returns `Measured`. `ProvenGuarantee` is kept by the randomness of a method:
no single answer shows whether it holds, so it is proven beforehand, priced by accounting and challenged by the auditor.

Whatever others need of this folder is imported from here or from the file of a guarantee; files that begin with an
underscore are parts of these.
"""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, Protocol

import numpy as np
from pydantic import Field, ValidationError

from tacit.accounted_loss import AccountedLoss, Neighbours
from tacit.arrays import BoolArray, FloatArray
from tacit.data.tables.candidates import LinkedPeople
from tacit.data.tables.classes import Classes
from tacit.data.tables.linkage import Linkage
from tacit.data.tables.remembered_release import RememberedRelease
from tacit.errors import BadParameter
from tacit.guarantees._bounds import SLACK as SLACK
from tacit.guarantees._bounds import at_least as at_least
from tacit.guarantees._bounds import at_most, below, explained
from tacit.guarantees._limits import ClassLimits as ClassLimits
from tacit.guarantees._limits import DistributionLimit as DistributionLimit
from tacit.guarantees._republication_sql import RepublicationInSql as RepublicationInSql
from tacit.guarantees._republication_sql import RepublicationQueries as RepublicationQueries
from tacit.guarantees._sensitive import SensitiveCells, cells_of
from tacit.guarantees._sql import InSql as InSql
from tacit.guarantees._sql import NotInSql as NotInSql
from tacit.guarantees._sql import SqlMeasure as SqlMeasure
from tacit.guarantees._sql import SqlTables as SqlTables
from tacit.params import Params
from tacit.promise import Measured, Proven, WorstPart
from tacit.promise import PeopleOrRows as PeopleOrRows
from tacit.promise import Side as Side
from tacit.spelling import many, noun, singular

Monotone = Literal["class", "table", "no"]
"""What merging classes can't spoil. `class`: a class that satisfies the bound still does after merging with any other.
`table`: if all classes satisfy it, all do after merging (the reference distribution stays the input's). `no`: neither.

A claim of `table` takes for granted that a person stands in one class only: otherwise a merged class has fewer people
than its parts together, and its distribution is no mean of theirs. A search that relies on it must see to that."""

GuaranteeSubject = Literal["class", "population", "candidates", "republication"]
"""What a guarantee about tables is about. `class`: each class by itself, whatever the other classes are. `population`:
how the classes divide a population, each person of which fits one class at most. `candidates`: the published rows that
may be a person's, which need no classes. `republication`: all releases of a table together."""

Loss = Annotated[float, Field(ge=0, description="the privacy loss: odds change by at most e to this power")]


class Guarantee(Params):
    """A promise with its parameters. `about` is the kind of data, and `open` says what it does not protect from.

    `subject` says, of a guarantee about tables, what of a table it is about.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    paper: ClassVar[str]
    about: ClassVar[str]
    subject: ClassVar[GuaranteeSubject | None] = None
    open: ClassVar[tuple[str, ...]] = ()

    if not TYPE_CHECKING:

        def __init__(self, *main: Any, **named: Any) -> None:
            """The guarantee with its parameters; those without a default may be given by position.

            A value that it can't have is refused here in the words of a plan, which pydantic does not speak.
            """
            try:
                super().__init__(**by_name(type(self), main, named))
            except ValidationError as error:
                raise BadParameter(explained(self.name, error, type(self))) from None

        # Pydantic then builds guarantees from plans without calling it.
        __init__.__pydantic_base_init__ = True

    @property
    @abstractmethod
    def bound(self) -> float:
        """The number that is promised."""

    @abstractmethod
    def promise(self) -> str:
        """What holds, in plain words, as a half-sentence."""

    @property
    def form(self) -> str:
        """The word before the title that tells its forms apart, as in `entropy l-diversity`; empty for most."""
        return ""

    @property
    def side(self) -> Side:
        """On which side of the bound a measure keeps the promise."""
        return "at least"

    @classmethod
    def suggested(cls, secrets: Mapping[str, int]) -> "tuple[Guarantee, ...]":
        """What a first draft of a plan should promise, given how many values each sensitive column has."""
        return ()


def by_name(kind: type[Guarantee], main: Sequence[Any], named: Mapping[str, Any]) -> dict[str, Any]:
    """The parameters by name, those in `main` being the ones without a default, in order."""
    needed = [name for name, field in kind.model_fields.items() if field.is_required()]
    if len(main) > len(needed):
        told = ", ".join(f"`{name}`" for name in kind.model_fields)
        raise BadParameter(
            f"{kind.__name__} was given {many(len(main), 'value')} without a name, and takes {len(needed)} so "
            f"({', '.join(needed)}); name the others: its parameters are {told}"
        )
    given = dict(zip(needed, main, strict=False))
    twice = sorted(set(given) & set(named))
    if twice:
        raise BadParameter(f"{kind.__name__} was given {twice[0]} twice: by its place and by its name")
    return {**given, **named}


class ProvenGuarantee(Guarantee):
    """A guarantee that a method keeps by its randomness, whatever comes out.

    One about `answers` is proven by what privacy events cost, so it says how: see `proven_by`.
    """

    about: ClassVar[str] = "answers"

    epsilon: Loss

    @abstractmethod
    def promise(self, of: PeopleOrRows | None = None) -> str:
        """What holds, in plain words, as a half-sentence; `of` says whether a person or a row is hidden, if known."""

    @property
    def bound(self) -> float:
        """The largest privacy loss."""
        return self.epsilon

    @property
    def side(self) -> Side:
        """A loss is bounded from above."""
        return "at most"

    @property
    def failure(self) -> float:
        """The probability with which the loss may exceed epsilon, which others call delta."""
        return 0.0

    @property
    def stated_neighbours(self) -> Neighbours | None:
        """What may change about one unit; None where it leaves that to the ledger."""
        return None

    @classmethod
    def proven_by(cls, loss: AccountedLoss) -> Proven:
        """The promise that follows from what was spent; refused where it does not follow, as here."""
        raise BadParameter(
            f"{cls.name} can't be proven here: what is known of the method is its privacy loss between neighbouring "
            "datasets, and the guarantee does not say how it follows from that. Promise another one, or let it say so "
            "(`proven_by`)"
        )


class TableGuarantee(Guarantee):
    """A guarantee that is measured on the classes of a table. The arrays have one entry for each class.

    `sql` is its second definition, written from the paper and apart from `measure`, or the reason why there is none.
    `compared_with` names what a class is compared with, and `needs_population` says that it counts the people of a
    population rather than those of the data.
    """

    about: ClassVar[str] = "tables"
    subject: ClassVar[GuaranteeSubject | None] = "class"
    sql: ClassVar[InSql | NotInSql] = NotInSql("")
    compared_with: ClassVar[str | None] = None
    needs_population: ClassVar[bool] = False

    @property
    def monotone(self) -> Monotone:
        """What merging classes can't spoil; a claim that searches rely on, so prove it."""
        return "no"

    @abstractmethod
    def promise(self, of: PeopleOrRows = "people") -> str:
        """What holds, in plain words, as a half-sentence; `of` says what was counted in each class."""

    @abstractmethod
    def measure(self, classes: Classes) -> FloatArray:
        """What each class reaches, in the unit of the bound."""

    @abstractmethod
    def found(self, worst: float, of: PeopleOrRows = "people") -> str:
        """What the worst class reaches, in plain words, as a half-sentence; `of` as for the promise."""

    def satisfied(self, measured: FloatArray) -> BoolArray:
        """Which of these measures keep the promise."""
        return {"at least": at_least, "at most": at_most, "below": below}[self.side](measured, self.bound)

    def missed(self, measured: float) -> float:
        """The bound that a measure on the unsafe side misses."""
        return self.bound

    def margin(self, measured: FloatArray) -> FloatArray:
        """How far each measure lies on the safe side of the bound; the lowest margin is the worst class."""
        return measured - self.bound if self.side == "at least" else self.bound - measured

    def worst(self, measured: FloatArray) -> float:
        """The measure furthest on the unsafe side; of no class at all, the measure of an empty release."""
        return float(measured.min(initial=np.inf) if self.side == "at least" else measured.max(initial=0.0))

    def unkeepable(self, measured: FloatArray) -> FloatArray:
        """The share of the people of each class that fails however the class is split; 0 where that is not known.

        It holds where each person stands in one class with one value, so that a class is a mixture of its parts. It
        is a share of the rows only where nobody has several.
        """
        return np.zeros(measured.size)

    def implied(self) -> "tuple[TableGuarantee, ...]":
        """Guarantees monotone by class that follow from this one; a search prunes with them."""
        return (self,) if self.monotone == "class" else ()

    def limits(self) -> ClassLimits | None:
        """All that it asks of a class, in numbers; None where it can't be said in these terms."""
        return None

    def in_classes(self) -> "TableGuarantee":
        """A guarantee about each class by itself from which this one follows; itself where it is about classes."""
        return self

    @property
    def absence_fails(self) -> bool:
        """Whether it breaks where people of the population fit no published class."""
        return False

    @property
    def advice(self) -> str:
        """What somebody should know who asks for it in vain, as a half-sentence; empty for most."""
        return ""


class SecretGuarantee(TableGuarantee):
    """A guarantee about the values of one sensitive column in each class.

    To find out whether a guarantee is about a secret, and about which, test for this class and read its `column`.
    """

    column: Annotated[str | None, Field(description="the sensitive column; may be left out if there is only one")] = (
        None
    )

    @classmethod
    def __pydantic_init_subclass__(cls, **more: Any) -> None:
        """The column stands behind the parameters that say how much is promised, wherever parameters are listed."""
        super().__pydantic_init_subclass__(**more)
        cls.model_fields["column"] = cls.model_fields.pop("column")

    @property
    def secret(self) -> str:
        """What sentences call the column."""
        return self.column or "the sensitive column"

    def cells(self, classes: Classes) -> SensitiveCells:
        """The values of the sensitive column, class by class."""
        return cells_of(self.name, self.column, classes)

    def measured_column(self, classes: Classes) -> str | None:
        """The column that is measured: the given one or, where it is left out, the only one."""
        return next(iter(classes.sensitive), None) if self.column is None else self.column


class RepublicationFinding(Protocol):
    """What all releases show together: whether the promise is kept, and figures that a second measure must find too."""

    @property
    def holds(self) -> bool:
        """Whether they keep the promise."""
        ...

    @property
    def says(self) -> str:
        """What was measured, as a phrase."""
        ...

    @property
    def figures(self) -> Mapping[str, tuple[int, ...]]:
        """What was counted, by name."""
        ...


class RepublicationGuarantee(TableGuarantee):
    """A guarantee about all releases of a table together; what one release shows is measured class by class.

    `republication_sql` is the second definition of what they show, written apart from `check_releases`, or the reason
    why there is none.
    """

    subject: ClassVar[GuaranteeSubject | None] = "republication"
    republication_sql: ClassVar[RepublicationInSql | NotInSql] = NotInSql("")

    @property
    @abstractmethod
    def least_values(self) -> int:
        """How many rows, all with different values, each class of a release must have for it, at the least."""

    @abstractmethod
    def check_releases(self, releases: Sequence[RememberedRelease]) -> RepublicationFinding:
        """What the releases show together, in code that no method shares."""


class CandidateGuarantee(TableGuarantee):
    """A guarantee about the published rows that may be a person's, its *candidates*, which need no classes.

    It counts them itself, where the raw table is at hand. Where it is not, the size of a class is measured, which must
    never be more: if the classes already keep the promise, no comparison is needed.
    """

    subject: ClassVar[GuaranteeSubject | None] = "candidates"

    @property
    @abstractmethod
    def least(self) -> int:
        """How many candidates everybody is promised; no more than these count in a risk."""

    @abstractmethod
    def count_candidates(self, linkage: Linkage) -> LinkedPeople:
        """Everybody of whom something may be published, with the number of candidates."""

    def measure(self, classes: Classes) -> FloatArray:
        """The candidates of the people of each class, at least the class itself."""
        found = classes.candidates if isinstance(classes, LinkedPeople) else classes.sizes
        return found.astype(np.float64)


def is_given(guarantee: type[Guarantee] | Guarantee, by: tuple[str, ...] | Literal["any"]) -> bool:
    """Whether a method that says it gives `by` can give the guarantee.

    `by` has names of guarantees, what they are about, or the subjects of those about tables; `any` stands for all
    about one release of a table.
    """
    if by == "any":
        return guarantee.subject is not None and guarantee.subject != "republication"
    return guarantee.name in by or guarantee.about in by or guarantee.subject in by


def check(guarantee: TableGuarantee, classes: Classes, most: int = 5, of: PeopleOrRows = "people") -> Measured:
    """What `guarantee` measures on `classes`, with the `most` worst of them by position; `of` is what was counted."""
    measured = guarantee.measure(classes)
    satisfied = guarantee.satisfied(measured)
    worst = guarantee.worst(measured)
    holds = bool(satisfied.all() and guarantee.satisfied(np.array([worst])).all())
    failing = int((~satisfied).sum())
    order = np.argsort(guarantee.margin(measured), kind="stable")[:most]
    return Measured(
        name=guarantee.name,
        title=guarantee.title,
        form=guarantee.form,
        side=guarantee.side,
        column=guarantee.measured_column(classes) if isinstance(guarantee, SecretGuarantee) else None,
        parameters=guarantee.model_dump(),
        bound=guarantee.bound,
        measured=worst,
        holds=holds,
        says=_say(guarantee, worst, _PromiseCheck(holds, failing, classes, of)),
        counted=classes.counted,
        parts=classes.number,
        failing=failing,
        failing_people=classes.census.number_in(~satisfied),
        compared_with=guarantee.compared_with,
        worst=tuple(_describe(classes, measured, int(i)) for i in order),
        worst_positions=tuple(int(i) for i in order),
    )


def _describe(classes: Classes, measured: FloatArray, i: int) -> WorstPart:
    return WorstPart(people=int(classes.sizes[i]), rows=int(classes.rows[i]), measured=float(measured[i]))


@dataclass(frozen=True, eq=False)
class _PromiseCheck:
    """Whether the promise holds, how many classes break it, and what was counted in them."""

    holds: bool
    failing: int
    classes: Classes
    of: PeopleOrRows


def _say(guarantee: TableGuarantee, worst: float, outcome: _PromiseCheck) -> str:
    classes, promise = outcome.classes, guarantee.promise(outcome.of)
    found = guarantee.found(worst, outcome.of) if classes.number else "no class is published"
    if outcome.holds:
        return f"{promise}; {found}"
    whole = many(classes.number, singular(classes.counted), classes.counted)
    breaks = noun(outcome.failing, "breaks", "break")
    return f"{outcome.failing:,} of {whole} {breaks} the promise that {promise}; {found}"
