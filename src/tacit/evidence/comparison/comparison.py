"""A comparison: several ways to protect one dataset, measured alike, and those that no other dominates.

One candidate dominates another where it is at least as good in every chosen measure and better in one (Pareto's order);
risk against utility is the R-U confidentiality map of Duncan, Keller-McNulty and Stokes (2001). Measures are compared
to twelve significant digits, so that the last digit of a sum decides nothing; that keeps the order transitive.
"""

from typing import Any, Literal

import numpy as np
from pydantic import Field

from tacit.arrays import BoolArray, FloatArray
from tacit.evidence.numerals import chosen
from tacit.evidence.tables.measured import is_share as is_share_metric
from tacit.fact import Fact, Number
from tacit.promise import Measured
from tacit.release.release import Fingerprint
from tacit.release.tables import Risk
from tacit.spelling import many

COMPARISON_SCHEMA = "tacit/comparison/1"
SHOWN_RISKS = ("highest", "average", "above")
DIGITS = 12

RISKS: dict[str, tuple[str, str]] = {
    "average": ("average risk", "prosecutor_average"),
    "highest": ("highest risk", "prosecutor_highest"),
    "above": ("people above the threshold", "above"),
    "unique": ("people alone in a class", "unique_share"),
    "journalist": ("highest risk in the population", "journalist_highest"),
    "journalist-average": ("average risk in the population", "journalist_average"),
    "marketer": ("expected share of matches", "marketer"),
    "individual": ("highest individual risk", "survey.highest"),
    "individual-average": ("average individual risk", "survey.average"),
    "household": ("highest risk of a household", "survey.household_highest"),
}
"""The risk figures that can be an axis: title, and the field of `Risk`; those of a survey need a plan that names it."""


def is_share(name: str) -> bool:
    """Whether a risk figure or metric is written in percent."""
    return name in RISKS or is_share_metric(name)


class ComparisonAxis(Fact):
    """A measure that candidates are compared by: a risk figure or a metric, and in which direction to hope."""

    name: str
    title: str
    better: Literal["lower", "higher"] = "lower"

    @property
    def is_share(self) -> bool:
        """Whether its values are written in percent."""
        return is_share(self.name)


class TriedCandidate(Fact):
    """One candidate: its settings, and what was measured of it, or why it could not be made.

    `changes` are the fields of the plan's release section that make it; `keeps_plan` says whether the plan's own
    guarantees hold in it, whatever it was asked for; `is_chosen` that the plan's method, a choice among several, would
    take it. `seconds` is the time of the decision.
    """

    name: str
    method: str
    settings: dict[str, Any] = Field(default_factory=dict)
    changes: dict[str, Any] = Field(default_factory=dict)
    failed: str | None = None
    guarantees: tuple[Measured, ...] = ()
    keeps_plan: bool = False
    undominated: bool = False
    is_chosen: bool = False
    optimal: bool | None = None
    risk: Risk | None = None
    metrics: dict[str, Number] = Field(default_factory=dict)
    classes: int | None = None
    suppressed_rows: int | None = None
    suppressed_share: float | None = None
    seconds: float = 0.0

    def value(self, axis: ComparisonAxis) -> float:
        """The candidate's place on an axis; not a number where it has none."""
        if axis.name not in RISKS:
            return float(self.metrics.get(axis.name, np.nan))
        found: Any = self.risk
        for part in RISKS[axis.name][1].split("."):
            found = getattr(found, part, None)
        return np.nan if found is None else float(found)


class ComparisonReport(Fact):
    """Everything that a comparison found; the first risk and the first utility axis are drawn as the map."""

    comparison: str = COMPARISON_SCHEMA
    created: str
    title: str
    input: Fingerprint
    counted: str
    before: Risk | None = None
    promised: tuple[Measured, ...]
    risk: tuple[ComparisonAxis, ...]
    utility: tuple[ComparisonAxis, ...]
    rows: tuple[TriedCandidate, ...]
    skipped: dict[str, str] = Field(default_factory=dict)
    notes: tuple[str, ...] = ()
    command: str = ""
    versions: dict[str, str] = Field(default_factory=dict)

    @property
    def usual_risks(self) -> tuple[str, ...]:
        """The risk figures that everybody asks for, where the data has them."""
        return () if self.before is None else SHOWN_RISKS

    @property
    def above(self) -> str:
        """What the share of people above the threshold is called."""
        return "above" if self.before is None else f"above {chosen(self.before.threshold)}"

    @property
    def has_classes(self) -> bool:
        """Whether the data is a table, whose rows are suppressed and whose classes are counted."""
        return any(row.classes is not None for row in self.made)

    @property
    def axes(self) -> tuple[ComparisonAxis, ...]:
        """All measures that decide who dominates whom."""
        return (*self.risk, *self.utility)

    @property
    def made(self) -> tuple[TriedCandidate, ...]:
        """The candidates that could be made."""
        return tuple(row for row in self.rows if row.failed is None)

    def best(self) -> TriedCandidate | None:
        """Of those that keep the plan's guarantees the one of most utility, and of least risk among equals; maybe none.

        So none that keeps them dominates it, though one that promises less may.
        """
        axes = (*self.utility, *self.risk)
        fit = {row.name: [_rounded(cost(row, axis)) for axis in axes] for row in self.made if row.keeps_plan}
        known = [row for row in self.made if row.name in fit and not np.isnan(fit[row.name]).any()]
        return min(known, key=lambda row: fit[row.name], default=None)

    def __repr__(self) -> str:
        """A short form without data."""
        best = self.best()
        marked = sum(row.undominated for row in self.rows)
        chosen = "" if best is None else f"; best {best.name}, {self.utility[0].name} {best.value(self.utility[0]):.4f}"
        return f"Comparison({len(self.made)} of {many(len(self.rows), 'candidate')} made, {marked} not beaten{chosen})"

    __str__ = __repr__


def cost(row: TriedCandidate, axis: ComparisonAxis) -> float:
    """The candidate's value on the axis, turned so that lower is better."""
    return row.value(axis) if axis.better == "lower" else -row.value(axis)


def _rounded(value: float) -> float:
    return float(f"{value:.{DIGITS}g}")


def marked(comparison: ComparisonReport) -> ComparisonReport:
    """The same comparison with the undominated candidates marked."""
    costs = np.array([[cost(row, axis) for axis in comparison.axes] for row in comparison.rows])
    kept = undominated(costs.reshape(len(comparison.rows), len(comparison.axes)))
    rows = (row.model_copy(update={"undominated": bool(one)}) for row, one in zip(comparison.rows, kept, strict=True))
    return comparison.model_copy(update={"rows": tuple(rows)})


def undominated(costs: FloatArray) -> BoolArray:
    """Which rows of `[candidate, measure]` no other row dominates; lower is better, and rows with gaps are left out."""
    known: BoolArray = np.logical_not(np.isnan(costs).any(axis=1))
    rounded = np.array([_rounded(value) for value in costs.ravel()]).reshape(costs.shape)
    as_good = (rounded[:, None] <= rounded[None]).all(axis=2)
    better = (rounded[:, None] < rounded[None]).any(axis=2)
    dominated: BoolArray = np.any(as_good & better & known[:, None], axis=0)
    return known & ~dominated
