"""The body of a release of a table: its classes, the risk before and after, what was done and what it cost."""

from typing import Literal

from pydantic import Field

from tacit.fact import Fact
from tacit.release.analysis import Analysis
from tacit.release.release import Body, Release
from tacit.spelling import percent


class SizeBin(Fact):
    """The classes of `least` to `most` people (both included): how many there are, and whose smallest class they are.

    Everybody counts in one bin, that of the smallest class that has one of their rows.
    """

    least: int
    most: int
    classes: int
    people: int


class SinglingOut(Fact):
    """How many people are alone with their values in these columns, in one of their rows at least."""

    columns: tuple[str, ...]
    unique: int
    share: float


MOST_FOUND = 0.05
"""The share of people whom one or two exact values may find; above it, a release says so."""
FEWEST_PEOPLE = 20
"""In a smaller table nearly every value is one person's, and that says nothing."""


class KnownValues(Fact):
    """How many people are alone with their values in these columns, as they are published.

    The columns are sensitive or insensitive; `with_class` says that the class of the person is known too.
    """

    columns: tuple[str, ...]
    with_class: bool = False
    unique: int
    share: float

    @property
    def people(self) -> int:
        """How many people the share is of: all who have a row in the file, a suppressed one too."""
        return round(self.unique / self.share) if self.share else 0


class SurveyRisk(Fact):
    """Risk of a survey: the people that it stands for hide those who are in it.

    `population` is the sum of the sampling weights, where there are some; without weights a class is compared with
    itself. Each person counts once, with the highest of the risks of their rows. `expected` counts the people who are
    re-identified on average; `plain_highest` is the highest of 1 divided by the weights of a class. `households` and
    what follows is there where a column names households: the risk that at least one member is re-identified.
    """

    population: float | None
    highest: float
    average: float
    expected: float
    plain_highest: float
    above: float
    households: int | None = None
    household_highest: float | None = None
    household_average: float | None = None
    households_expected: float | None = None


class Risk(Fact):
    """Re-identification risk of one table.

    Each person counts once, with the highest of the risks of their rows; without a unit each row is a person. `people`
    are those with a row that is not suppressed, `unique` those of them who are alone in a class. Prosecutor: the target
    is known to be in the data, risk 1/class size. Journalist: the target is in the population (the data itself where
    none is given). Marketer: the expected share of correct matches. `above` is the share of people whose prosecutor
    risk exceeds `threshold`. `distribution[i]` is the share of people whose risk lies in `(edges[i], edges[i + 1]]`.
    `survey` is there where the plan names sampling weights or households. `known_values` are the most telling values
    of the columns that are published exact, also in suppressed rows; in the evidence of a release only those after it
    are told.
    """

    people: int
    classes: int
    prosecutor_highest: float
    prosecutor_average: float
    journalist_highest: float
    journalist_average: float
    marketer: float
    unique: int
    unique_share: float
    threshold: float
    above: float
    edges: tuple[float, ...]
    distribution: tuple[float, ...]
    sizes: tuple[SizeBin, ...]
    singling_out: tuple[SinglingOut, ...] = ()
    survey: SurveyRisk | None = None
    known_values: tuple[KnownValues, ...] = ()

    @property
    def telling_values(self) -> KnownValues | None:
        """The fewest exact values that find too many people, even if no class is known; None if none do."""
        alone = [one for one in self.known_values if not one.with_class and one.people >= FEWEST_PEOPLE]
        many = [one for one in alone if one.share > MOST_FOUND]
        return max(many, key=lambda one: one.share, default=None)

    def __repr__(self) -> str:
        """The figures that most ask for."""
        return f"Risk({', '.join(f'{name} {value}' for name, value in self._told())})"

    __str__ = __repr__

    def _repr_html_(self) -> str:
        """The same figures as a table, and which columns single people out."""
        from tacit.hypertext import piece

        return piece("Risk", *self._shown())

    def _shown(self) -> list[str]:
        """The figures as pieces of HTML."""
        from tacit.hypertext import line, table

        parts = [table(("figure", "found"), self._told())]
        if self.singling_out:
            alone = [(", ".join(one.columns), f"{one.unique:,}", percent(one.share)) for one in self.singling_out]
            parts += [line("What singles people out:"), table(("columns", "unique", "share"), alone)]
        return parts

    def _told(self) -> list[tuple[str, str]]:
        return [
            ("people", f"{self.people:,}"),
            ("classes", f"{self.classes:,}"),
            ("unique", f"{self.unique:,} ({percent(self.unique_share)})"),
            ("highest risk", percent(self.prosecutor_highest)),
            ("average risk", percent(self.prosecutor_average)),
            (f"above {100 * self.threshold:.6g} %", percent(self.above)),
        ]


class Marginal(Fact):
    """One published value of a column: rows that would carry it before suppression, and rows that carry it."""

    label: str = Field(repr=False)
    before: int
    after: int


class ColumnReport(Fact):
    """One column: its role, what was done to it, what that cost.

    `level` is None where a column has no single level. `description` is what the plan says that it means.
    """

    name: str
    role: str
    description: str | None = None
    weight: float | None = None
    hierarchy: str | None = None
    height: int | None = None
    level: int | None = None
    action: str
    distinct_before: int | None = None
    distinct_after: int | None = None
    loss: float | None = None
    distortion: float | None = None
    precision: float | None = None
    entropy: float | None = None
    marginals: tuple[Marginal, ...] = ()


class Suppression(Fact):
    """Rows published as `*` (or left out), and the largest share that was allowed."""

    rows: int
    share: float
    limit: float
    written: bool


class DrawnRows(Fact):
    """A sample that was drawn before anything was counted: `rows` of `of_rows`.

    Where a unit names them, `people` of `of_people` were drawn, with all their rows. `share` is that of people, or of
    rows where each row is a person; `weight`, its inverse, scales totals of the release up to the whole file.
    """

    rows: int
    of_rows: int
    people: int | None = None
    of_people: int | None = None
    share: float
    weight: float


class Search(Fact):
    """How the method searched: the metric it minimised, the levels that it chose, and whether they are proved best.

    `lower_bound` is a cost that no release of the same sort can undercut; `evaluated` of the `candidates` were
    evaluated.
    """

    objective: str
    levels: dict[str, int] | None = None
    optimal: bool | None = None
    lower_bound: float | None = None
    candidates: int | None = None
    evaluated: int | None = None


class Entrant(Fact):
    """A method that competed for the release: what its own release would have lost and risked.

    `cost` is the value of the objective; `is_uniform` says that all rows of a column have labels of one level.
    `optimal` and `lower_bound` are about releases of the method's own sort.
    `failed` says why there is no release of it, or why it was not `tried`. `cut_off` says that it used up its time, so
    that the clock may have ended its search, and that with more time it may reach less.
    """

    method: str
    title: str
    won: bool = False
    tried: bool = True
    failed: str | None = None
    cut_off: bool = False
    cost: float | None = None
    loss: float | None = None
    highest_risk: float | None = None
    average_risk: float | None = None
    suppressed_rows: int | None = None
    suppressed_share: float | None = None
    classes: int | None = None
    is_uniform: bool = False
    optimal: bool | None = None
    lower_bound: float | None = None
    seconds: float = 0.0


class Competition(Fact):
    """How the method was chosen where the plan left that open: by trying those that compete, within `seconds`."""

    seconds: float
    entrants: tuple[Entrant, ...]

    @property
    def winner(self) -> Entrant:
        """Whose release it is."""
        return next(entrant for entrant in self.entrants if entrant.won)

    @property
    def is_timed(self) -> bool:
        """Whether the clock took part in the choice, so that another run may choose otherwise."""
        return any(one.cut_off or not one.tried for one in self.entrants)


class CostlyColumn(Fact):
    """A column and its own loss."""

    name: str
    loss: float


class AdvisedChange(Fact):
    """A change of the plan, and what it would bring to the columns that it leaves alone.

    `what` is written into the plan: of the columns that are `left_out`, of the one that becomes `coarser`, or in the
    release section. `now` is what the other columns lose as the plan stands, `loss` what they would lose then, and
    `own` what the coarser column would.
    """

    what: str
    left_out: tuple[str, ...] = ()
    coarser: str | None = None
    own: float | None = None
    now: float
    loss: float


class Advice(Fact):
    """What would bring down a loss above `threshold`, as one `method` decides: it loses `loss` as the plan stands."""

    threshold: float
    method: str
    loss: float
    columns: tuple[CostlyColumn, ...]
    changes: tuple[AdvisedChange, ...]


class TableBody(Body):
    """What is known about a released table.

    `competition` is there where the plan left the choice of a method open, `advice` where much was lost. `counted` says
    whether people or rows were counted. Where a sample was `drawn`, everything before is about the whole file; what was
    suppressed and lost is about the drawn rows.
    `analysis` is there where the table has a column of numbers.
    """

    counted: Literal["people", "rows"]
    classes: int
    risk_before: Risk
    risk_after: Risk
    suppressed: Suppression
    drawn: DrawnRows | None = None
    search: Search
    competition: Competition | None = None
    advice: Advice | None = None
    columns: tuple[ColumnReport, ...]
    metrics: dict[str, float]
    analysis: Analysis | None = None


TableRelease = Release[TableBody]
"""A release of a table."""
