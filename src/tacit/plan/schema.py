"""The plan file as values: one for a dataset, versioned, every field described and bounded.

`plan_schema()` is its JSON Schema; editors check a plan against it while it is written. `python -m tacit.plan.schema`
prints it.
"""

import json
import sys
from collections.abc import Callable, Mapping
from typing import Annotated, Any, Literal, Self

from pydantic import (
    ConfigDict,
    Field,
    SerializeAsAny,
    ValidationInfo,
    WrapValidator,
    field_validator,
    model_validator,
)

from tacit.cards.columns import SamplingMethod
from tacit.catalogue import find_method, find_metric
from tacit.data.dataset import DeclaredColumn, SurveyColumns, UnitColumn, Words
from tacit.data.sources.source import MOST_SKIPPED, FileFormat
from tacit.errors import BadParameter
from tacit.guarantees.catalogue import guarantees, proven
from tacit.params import Params
from tacit.places import Notation
from tacit.plan.privacy import PrivacySection
from tacit.release.about import AboutSection
from tacit.request import Objective


class DataSection(Params):
    """Where the rows are and how to read them."""

    kind: Annotated[
        str | None, Field(description="the kind of data: tables, or one from an installed package; by default tables")
    ] = None
    path: Annotated[str, Field(min_length=1, description="the file, relative to the plan")]
    format: Annotated[
        FileFormat | None,
        Field(description="csv, parquet, sqlite, excel, spss, stata or sas; by default from the file's name"),
    ] = None
    delimiter: Annotated[
        str | None, Field(min_length=1, max_length=1, description="the character between the cells of a CSV file")
    ] = None
    quote: Annotated[
        str, Field(min_length=1, max_length=1, description="the character around the cells of a CSV file")
    ] = '"'
    encoding: Annotated[
        str, Field(description="the encoding of a CSV, SPSS, Stata or SAS file, such as utf-8, latin-1, cp1252")
    ] = "utf-8"
    skip: Annotated[int, Field(ge=0, le=MOST_SKIPPED, description="how many lines to skip above the column names")] = 0
    header: Annotated[
        int,
        Field(
            ge=0, le=2, description="how many lines hold the column names; two are joined into one; 0 if there are none"
        ),
    ] = 1
    names: Annotated[
        Annotated[Words, Field(min_length=1)] | None,
        Field(
            description="the column names, instead of those in the file; by default column_1, column_2, … if `header` "
            "is 0",
            examples=[["age", "sex", "illness"]],
        ),
    ] = None
    trim: Annotated[bool, Field(description="strip spaces around cells")] = False
    missing: Annotated[
        Words,
        Field(description="words that stand for a missing value, besides the empty cell", examples=[["NA", "unknown"]]),
    ] = ()
    decimal: Annotated[
        Literal[".", ","],
        Field(description="the decimal mark of numbers; they are released with a point"),
    ] = "."
    thousands: Annotated[
        Literal[".", ",", " ", "'"] | None,
        Field(description="the thousands separator; a space stands for no-break spaces too"),
    ] = None
    table: Annotated[str | None, Field(description="the table to read, if an SQLite database has several")] = None
    sheet: Annotated[str | None, Field(description="the sheet of an Excel workbook to read; by default the first")] = (
        None
    )

    def options(self) -> dict[str, Any]:
        """Everything but kind and path."""
        return self.model_dump(exclude={"kind", "path"})


class OtherData(DataSection):
    """Data of a kind that is no table. Fields that tables have mean the same; the kind reads all others itself."""

    model_config = ConfigDict(extra="allow")

    def options(self) -> dict[str, Any]:
        """What was written beside kind and path."""
        return self.model_dump(exclude={"kind", "path"}, exclude_unset=True)


TABLES = "tables"


def _of_its_kind(value: Any, read: Callable[[Any], DataSection]) -> DataSection:
    """The section, whose fields are those of its kind."""
    other = isinstance(value, Mapping) and value.get("kind") not in (None, TABLES)
    return OtherData.model_validate(value) if other else read(value)


class TreatmentSection(Params):
    """A method that changes whole columns before anything else is done."""

    method: Annotated[str, Field(description="a method that treats columns, such as columns/noise")]
    columns: Annotated[
        Words, Field(min_length=1, description="the columns that it treats together", examples=[["pay"]])
    ]
    parameters: Annotated[dict[str, Any], Field(default_factory=dict, description="of the method")]


class SampleSection(Params):
    """Rows, or people if a unit is named, that are drawn; the parameters of `method` are written beside it."""

    model_config = ConfigDict(extra="allow")

    method: Annotated[str, Field(description="a method that draws rows; its parameters are written beside it")] = (
        "columns/sample"
    )

    @property
    def card(self) -> SamplingMethod[Any]:
        """The method that draws."""
        found = find_method(self.method)
        if not isinstance(found, SamplingMethod):
            raise BadParameter(
                f"the method {self.method} does not draw a sample; leave `method` out to draw rows at random"
            )
        return found

    @property
    def params(self) -> Params:
        """The parameters of the method."""
        parsed: Params = self.card.params.parse(self.method, self.model_extra or {})
        return parsed

    @model_validator(mode="after")
    def _drawable(self) -> Self:
        """The method can draw, and takes its parameters."""
        try:
            assert self.params is not None
        except BadParameter as error:
            raise ValueError(str(error)) from None
        return self


class ReleaseSection(Params):
    """What is promised, how it is reached, how it is written."""

    guarantees: Annotated[
        tuple[dict[str, dict[str, Any]], ...],
        Notation("[k-anonymity: {k: 5}]"),
        Field(min_length=1, description="the guarantees that the release must keep, all of them"),
    ]
    method: Annotated[str, Field(description="a method that `tacit methods` lists; auto tries several")] = "auto"
    parameters: Annotated[dict[str, Any], Field(default_factory=dict, description="of the method")]
    suppression: Annotated[float, Field(ge=0, le=1, description="the largest share of rows that may be suppressed")] = (
        0.0
    )
    objective: Annotated[Objective, Field(description="the metric to minimise")] = "loss"
    suppressed: Annotated[
        Literal["star", "omit"], Field(description="whether suppressed rows are written as `*` or left out")
    ] = "star"
    output: Annotated[str | None, Field(description="the file of the release, relative to the plan")] = None
    public: Annotated[
        bool,
        Field(
            description="also write a page for recipients: a codebook and the promises, without any figure about the "
            "input"
        ),
    ] = False
    guard_formulas: Annotated[bool, Field(description="keep spreadsheets from running cells as formulas")] = False
    shuffle: Annotated[bool, Field(description="put the rows in random order")] = False
    sample: Annotated[
        SampleSection | None,
        Field(
            description="the rows, or people if a unit is named, to draw at random before anything else",
            examples=[{"share": 0.1}],
        ),
    ] = None
    treatments: Annotated[
        tuple[TreatmentSection, ...],
        Notation("[{method: columns/noise, columns: [pay], parameters: {share: 0.1}}]"),
        Field(description="columns that are perturbed, masked or pseudonymised first"),
    ] = ()
    steps: Annotated[
        dict[str, dict[str, Any]],
        Field(
            default_factory=dict,
            description="other steps by name, with their parameters",
            examples=[{"STEP": {"PARAMETER": 1}}],
        ),
    ]
    seed: Annotated[
        int | None, Field(description="makes sample and treatments repeatable; such a release may not be published")
    ] = None
    risk_threshold: Annotated[float, Field(gt=0, le=1, description="report the share of people above this risk")] = 0.2
    metrics: Annotated[
        tuple[dict[str, dict[str, Any]], ...],
        Field(description="metrics to measure besides the standard ones, each once", examples=[["loss"]]),
    ] = ()

    @field_validator("guarantees", "metrics", mode="before")
    @classmethod
    def _mappings(cls, value: Any) -> Any:
        """A guarantee or metric without parameters may be written as its bare name."""
        if isinstance(value, list | tuple):
            return tuple({item: {}} if isinstance(item, str) else item for item in value)
        return value

    @field_validator("metrics")
    @classmethod
    def _measurable(
        cls, entries: tuple[dict[str, dict[str, Any]], ...], info: ValidationInfo
    ) -> tuple[dict[str, dict[str, Any]], ...]:
        """Each is a known metric that takes its parameters, and is named once."""
        names = [name for entry in entries for name in entry]
        if len(set(names)) < len(names) or any(len(entry) != 1 for entry in entries):
            raise ValueError(f"found {names}; write a list of metrics, each once")
        for name, given in ((name, given) for entry in entries for name, given in entry.items()):
            try:
                kind = find_method(str(info.data.get("method"))).about
                find_metric(name, kind).params.parse(name, given)
            except BadParameter as error:
                raise ValueError(str(error)) from None
        return entries


class PlanFile(Params):
    """One dataset and what becomes of it."""

    version: Annotated[Literal[1], Field(description="the version of the plan format")]
    data: Annotated[
        SerializeAsAny[DataSection],
        WrapValidator(_of_its_kind),
        Field(description="the file with personal data", examples=[{"path": "people.csv"}]),
    ]
    about: Annotated[
        AboutSection | None,
        Field(
            description="what the release is for, who gets it and who approved it; shown in the report",
            examples=[{"purpose": "a study of regional care", "recipient": "the university"}],
        ),
    ] = None
    unit: Annotated[
        str | UnitColumn | None,
        Field(
            description="the column that tells people apart if they may have several rows; `row` if each row is one "
            "person (a column that is called row is written `{column: row}`; `exact: true` beside it says that values "
            "which differ only in spelling are different people)",
            examples=["patient_id"],
        ),
    ] = None
    population: Annotated[
        DataSection | None,
        Field(description="a file of the population, one row per person", examples=[{"path": "everybody.csv"}]),
    ] = None
    survey: Annotated[
        SurveyColumns | None,
        Field(description="sampling weights and households, for risk", examples=[{"weight": "weight"}]),
    ] = None
    columns: Annotated[
        dict[str, DeclaredColumn],
        Field(
            default_factory=dict,
            description="every column of the data",
            examples=[{"age": {"role": "quasi-identifier"}}],
        ),
    ]
    release: Annotated[
        ReleaseSection | None,
        Notation("{guarantees: [k-anonymity: {k: 5}]}"),
        Field(description="what is promised, and how the release is made and written"),
    ] = None
    privacy: Annotated[
        PrivacySection | None,
        Field(
            description="whom differential privacy protects, and the budget",
            examples=[{"budget": {"epsilon": 1}}],
        ),
    ] = None
    questions: Annotated[
        tuple[dict[str, dict[str, Any]], ...],
        Notation("[statistics/mean: {of: age, epsilon: 0.5}]"),
        Field(description="what `tacit ask` answers, each a statistic by name"),
    ] = ()

    @field_validator("questions")
    @classmethod
    def _one_each(cls, entries: tuple[dict[str, dict[str, Any]], ...]) -> tuple[dict[str, dict[str, Any]], ...]:
        """Each entry is one statistic with its columns and parameters."""
        if any(len(entry) != 1 for entry in entries):
            raise ValueError("write a list of questions, each like `- statistics/mean: {of: age, epsilon: 0.5}`")
        return entries


def plan_schema() -> dict[str, Any]:
    """The JSON Schema of the plan file. It checks names and parameters of guarantees, but only the form of metrics."""
    schema = PlanFile.model_json_schema()
    known = {name: kind.model_json_schema() for name, kind in (guarantees() | proven()).items()}
    entry = {"type": "object", "minProperties": 1, "maxProperties": 1, "properties": known}
    schema["$defs"]["ReleaseSection"]["properties"]["guarantees"]["items"] = {**entry, "additionalProperties": False}
    schema["$defs"]["SampleSection"] = _sample_schema(schema["$defs"]["SampleSection"])
    other = {"type": "object", "required": ["kind", "path"], "properties": {"kind": {"not": {"const": TABLES}}}}
    schema["properties"]["data"] = {"anyOf": [schema["properties"]["data"], other]}
    asked = {"type": "object", "minProperties": 1, "maxProperties": 1, "additionalProperties": {"type": "object"}}
    schema["$defs"]["ReleaseSection"]["properties"]["metrics"]["items"] = {"anyOf": [{"type": "string"}, asked]}
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "Tacit plan", **schema}


def _sample_schema(named: dict[str, Any]) -> dict[str, Any]:
    """The parameters of the usual method, or another method with what it takes."""
    usual = SampleSection.model_fields["method"].default
    own = find_method(usual).params.model_json_schema()
    own["properties"] = {**named["properties"], **own["properties"]}
    other = {"method": {**named["properties"]["method"], "not": {"const": usual}}}
    return {"anyOf": [own, {**named, "properties": other, "required": ["method"]}]}


if __name__ == "__main__":
    sys.stdout.write(json.dumps(plan_schema(), indent=2, ensure_ascii=False) + "\n")
