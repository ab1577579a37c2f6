"""The options of the verbs, each with its type, so that an editor or a type checker sees a slip before it runs.

Every option is said once, where plans have it: a test holds these lists against the fields of the plan's sections, so
that a field which is added there is missing here until it has a type.
"""

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypedDict

from tacit.data.dataset import DeclaredColumn, SurveyColumns, UnitColumn
from tacit.data.sources.source import FileFormat
from tacit.errors import BadParameter
from tacit.guarantees.guarantee import Guarantee
from tacit.request import Objective
from tacit.spelling import did_you_mean

if TYPE_CHECKING:
    from tacit.runs.answers.budget import PrivacyBudget

ColumnRoles = Mapping[str, str | Mapping[str, Any] | DeclaredColumn]
"""What each column is: its role, or what a plan says of it."""
GivenUnit = str | Mapping[str, Any] | UnitColumn | None
"""The column that tells people apart, or `row` if each row is one person; `{"column": "row"}` is a column so called.

`{"column": "id", "exact": True}` says that values which differ only in spelling are different people.
"""
GuaranteeLike = Guarantee | str | Mapping[str, Mapping[str, Any]]
"""A guarantee: an object, a name, or a name with parameters as in a plan."""
Guarantees = GuaranteeLike | Sequence[GuaranteeLike]
"""One guarantee or several."""
OneOrSeveral = str | Sequence[str]
"""One name or several."""
NamedMetrics = OneOrSeveral | Mapping[str, Mapping[str, Any]] | Sequence[Mapping[str, Mapping[str, Any]]]
"""Metrics by name, some with parameters."""


OTHER_WORDS = {"roles": "columns"}
"""What others call an option, and what it is called here."""


class ReadingOptions(TypedDict, total=False):
    """How a file is read: the fields of a plan's data section."""

    format: FileFormat | None
    delimiter: str | None
    quote: str
    encoding: str
    skip: int
    header: int
    names: Sequence[str] | None
    trim: bool
    missing: Sequence[str]
    decimal: Literal[".", ","]
    thousands: Literal[".", ",", " ", "'"] | None
    table: str | None
    sheet: str | None


class DatasetOptions(ReadingOptions, total=False):
    """How data is read, and what stands beside it: a population, and the columns of a survey."""

    population: Any
    survey: Mapping[str, str] | SurveyColumns | None


class ReleaseOptions(DatasetOptions, total=False):
    """How a release is made: the fields of a plan's release section that every verb which makes one understands."""

    method: str
    parameters: Mapping[str, Any]
    suppression: float
    objective: Objective
    suppressed: Literal["star", "omit"]
    public: bool
    guard_formulas: bool
    shuffle: bool
    sample: Mapping[str, Any] | None
    treatments: Sequence[Mapping[str, Any]]
    steps: Mapping[str, Mapping[str, Any]]
    seed: int | None
    risk_threshold: float


class ProtectOptions(ReleaseOptions, total=False):
    """How a release is made and measured, and what pays for it."""

    metrics: NamedMetrics
    public: bool
    budget: "PrivacyBudget | None"


class CompareOptions(ReleaseOptions, total=False):
    """What a comparison tries and measures, and what holds for every candidate."""

    methods: OneOrSeveral | None
    settings: Mapping[str, Any]
    vary: bool
    metrics: OneOrSeveral
    risk: OneOrSeveral
    utility: OneOrSeveral


class TabulateOptions(DatasetOptions, total=False):
    """Which counts are small, and how they are hidden: the parameters of the usual method."""

    threshold: int
    protection: int
    zeros: bool
    cost: Literal["people", "cells"]
    seconds: float


class ClaimOptions(TypedDict, total=False):
    """What a function claims, and the datasets that it may be given; of a method only `delta` can be said."""

    epsilon: float
    delta: float
    domain: Sequence[Any]
    most: int
    neighbours: Literal["add-remove", "replace"]


def option_names(options: type) -> tuple[str, ...]:
    """The names of the options in a list of them."""
    return tuple(options.__annotations__)


def require_known(verb: str, given: Mapping[str, Any], options: type, beside: Collection[str] = ()) -> None:
    """Every option is one that the verb has; another is told what it probably means."""
    if "sampling" in given:
        raise BadParameter(
            "sampling is called survey now; pass the same weight and household as `survey`. To publish a sample, pass "
            "`sample` to `tacit.protect`"
        )
    known = (*beside, *sorted(option_names(options)))
    for name in given:
        if name not in known:
            raise BadParameter(f"`tacit.{verb}` has no option {name!r}; {_hint(name, known)}")


def _hint(name: str, known: Collection[str]) -> str:
    """What is probably meant: the option that others call so, or one that is spelt alike."""
    called = OTHER_WORDS.get(name)
    return f"did you mean {called!r}?" if called in known else did_you_mean(name, known)


def about_data(given: Mapping[str, Any]) -> dict[str, Any]:
    """Those of the options that say how data is read and what stands beside it."""
    return {name: value for name, value in given.items() if name in option_names(DatasetOptions)}


def about_work(given: Mapping[str, Any]) -> dict[str, Any]:
    """Those of the options that say what is done with the data."""
    return {name: value for name, value in given.items() if name not in option_names(DatasetOptions)}


def is_plan(data: Any) -> bool:
    """Whether this is the path of a plan."""
    return isinstance(data, str | Path) and Path(data).suffix.lower() in (".yaml", ".yml")
