"""A release: what a run leaves behind, frozen. Reports, certificates, pages and replays read this and nothing else.

Its JSON form is `evidence.json`; `EVIDENCE_SCHEMA` names the version of its fields.
"""

from typing import Any

from pydantic import BaseModel, ConfigDict

from tacit.promise import Measured

EVIDENCE_SCHEMA = "tacit/evidence/1"


class Fact(BaseModel):
    """Base of the frozen values below."""

    model_config = ConfigDict(frozen=True, extra="forbid", ser_json_inf_nan="strings", defer_build=True)


class Fingerprint(Fact):
    """A file as it was: its name, size and SHA-256, and its number of rows where it is data."""

    name: str
    bytes: int
    sha256: str
    rows: int | None = None


class SizeBin(Fact):
    """The classes of `least` to `most` people (both included): how many there are, how many people stand in them."""

    least: int
    most: int
    classes: int
    people: int


class SinglingOut(Fact):
    """How many people are alone with their values in these columns."""

    columns: tuple[str, ...]
    unique: int
    share: float


class SampleRisk(Fact):
    """Risk of a table that is a sample: the people that it stands for hide those who are in it.

    `population` is the sum of the sampling weights, where there are some; without weights a class is compared with
    itself. `expected` counts the people who are re-identified on average; `plain_highest` is the highest of 1 divided
    by the weights of a class. `households` and what follows is there where a column names households:
    the risk that at least one member is re-identified.
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

    Prosecutor: the target is known to be in the data, risk 1/class size. Journalist: the target is in the population
    (the data itself where none is given). Marketer: the expected share of correct matches. `above` is the share of
    people whose prosecutor risk exceeds `threshold`. `distribution[i]` is the share of people whose risk lies in
    `(edges[i], edges[i + 1]]`. `sample` is there where the plan names sampling weights or households.
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
    sample: SampleRisk | None = None


class Marginal(Fact):
    """One published value of a column: rows that would carry it before suppression, and rows that carry it."""

    label: str
    before: int
    after: int


class ColumnReport(Fact):
    """One column: its role, what was done to it, what that cost.

    `level` is None where a column has no single level.
    """

    name: str
    role: str
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


class Recipe(Fact):
    """How the release was made, enough to make it again."""

    method: str
    objective: str
    parameters: dict[str, Any]
    levels: dict[str, int] | None = None
    optimal: bool | None = None
    lower_bound: float | None = None
    candidates: int | None = None
    evaluated: int | None = None
    command: str
    plan: dict[str, Any]


class Suppression(Fact):
    """Rows published as `*` (or left out), and the largest share that was allowed."""

    rows: int
    share: float
    limit: float
    written: bool


class Drawn(Fact):
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


class Success(Fact):
    """How an adversary fared on one table: `hits` of `targets`, and what guessing without the table would achieve.

    `low` and `high` enclose the rate (Clopper and Pearson 1934). Where an adversary must choose among several, the
    expected number of hits is counted, so it need not be whole. `details` are other findings of the attack by name.
    """

    targets: int
    hits: float
    rate: float
    low: float
    high: float
    baseline: float
    details: dict[str, float] = {}


class AttackResult(Fact):
    """One attack: what the adversary knows and does, and the success on raw file, pseudonymised file and release.

    Pseudonymised is the raw file without its identifiers. A side is None where the attack makes no sense. `bound` is
    the highest rate that the promise `bound_from` allows on the release; None where nothing is promised about it.
    """

    attack: str
    title: str
    knowledge: str
    story: str
    column: str | None = None
    parameters: dict[str, Any] = {}
    confidence: float
    bound: float | None = None
    bound_from: str | None = None
    raw: Success | None = None
    pseudonymised: Success | None = None
    release: Success | None = None


class Release(Fact):
    """The outcome of one run: output, guarantees, recipe, metrics, risk, findings.

    Where a sample was `drawn`, everything before is about the whole file; what was suppressed and lost is about the
    drawn rows.
    `peak_memory_bytes` is the most that the process held until then; None where the system does not tell.
    """

    evidence: str = EVIDENCE_SCHEMA
    created: str
    title: str
    counted: str
    unit: str | None
    input: Fingerprint
    plan: Fingerprint
    output: Fingerprint
    guarantees: tuple[Measured, ...]
    guarantees_before: tuple[Measured, ...] = ()
    recipe: Recipe
    drawn: Drawn | None = None
    suppressed: Suppression
    classes: int
    metrics: dict[str, float]
    columns: tuple[ColumnReport, ...]
    risk_before: Risk
    risk_after: Risk
    attacks: tuple[AttackResult, ...] = ()
    notes: tuple[str, ...] = ()
    seconds: dict[str, float]
    peak_memory_bytes: int | None = None
    versions: dict[str, str]

    @property
    def holds(self) -> bool:
        """Whether every guarantee was found to hold in the written output."""
        return all(finding.holds for finding in self.guarantees)
