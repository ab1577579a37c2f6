"""The declaration of a hierarchy in a plan: the path of a file, or a mapping with one kind and its options.

`file`, `intervals`, `mask`, `dates`, `order`, `tree`, `infer`, or one that is ready for what everybody has (`ages`,
`countries`, `icd10`, `postal`, `education`, `occupations`, `regions`); each kind has a file of its own, with its
parameters and the function that builds it. What can be refused without data is refused when the plan is read.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

from pydantic import BeforeValidator, Discriminator, Tag, TypeAdapter, ValidationError

from tacit.complaints import explain
from tacit.data.tables.hierarchies.ages import AgeSpec, build_ages
from tacit.data.tables.hierarchies.countries import CountrySpec
from tacit.data.tables.hierarchies.dates import DateSpec, build_dates
from tacit.data.tables.hierarchies.diseases import DiseaseSpec
from tacit.data.tables.hierarchies.education import EducationSpec
from tacit.data.tables.hierarchies.files import FileSpec, read_hierarchy
from tacit.data.tables.hierarchies.infer import InferSpec, infer_hierarchy
from tacit.data.tables.hierarchies.intervals import IntervalSpec, build_intervals
from tacit.data.tables.hierarchies.listed import ListedSpec, build_listed
from tacit.data.tables.hierarchies.masks import MaskSpec, build_mask
from tacit.data.tables.hierarchies.occupations import OccupationSpec
from tacit.data.tables.hierarchies.order import OrderSpec, build_order
from tacit.data.tables.hierarchies.postal import PostalSpec
from tacit.data.tables.hierarchies.regions import RegionSpec
from tacit.data.tables.hierarchies.tree import TreeSpec, build_tree
from tacit.data.tables.hierarchy import MISSING, NOWHERE, SUPPRESSED, Hierarchy, Origin
from tacit.errors import BadData, BadParameter
from tacit.params import Params
from tacit.spelling import did_you_mean

KINDS = (
    "file", "intervals", "mask", "dates", "order", "tree", "infer",
    "ages", "countries", "icd10", "postal", "education", "occupations", "regions",
)  # fmt: skip
ONE_KIND = f"a hierarchy is the path of a file or a mapping with exactly one of {', '.join(KINDS)}"


def _expand(form: object) -> object:
    """A path as a mapping; a mapping without a kind is refused with the kind that a key of it is close to."""
    if isinstance(form, str):
        return {"file": form}
    if isinstance(form, Mapping) and not any(kind in form for kind in KINDS):
        hints = [did_you_mean(str(key), KINDS, otherwise="") for key in form]
        if hint := next((hint for hint in hints if hint), ""):
            raise ValueError(f"{ONE_KIND}; {hint}")
    return form


def _kind(form: object) -> str | None:
    if isinstance(form, Params):
        return getattr(form, "kind", None)
    named = [kind for kind in KINDS if kind in form] if isinstance(form, Mapping) else []
    return named[0] if len(named) == 1 else None


Ready = AgeSpec | CountrySpec | DiseaseSpec | PostalSpec | EducationSpec | OccupationSpec | RegionSpec
Mappings = FileSpec | IntervalSpec | MaskSpec | DateSpec | OrderSpec | TreeSpec | InferSpec | Ready
HierarchySpec = Annotated[
    Annotated[FileSpec, Tag("file")]
    | Annotated[IntervalSpec, Tag("intervals")]
    | Annotated[MaskSpec, Tag("mask")]
    | Annotated[DateSpec, Tag("dates")]
    | Annotated[OrderSpec, Tag("order")]
    | Annotated[TreeSpec, Tag("tree")]
    | Annotated[InferSpec, Tag("infer")]
    | Annotated[AgeSpec, Tag("ages")]
    | Annotated[CountrySpec, Tag("countries")]
    | Annotated[DiseaseSpec, Tag("icd10")]
    | Annotated[PostalSpec, Tag("postal")]
    | Annotated[EducationSpec, Tag("education")]
    | Annotated[OccupationSpec, Tag("occupations")]
    | Annotated[RegionSpec, Tag("regions")],
    Discriminator(
        _kind,
        custom_error_type="hierarchy_kind",
        custom_error_message=ONE_KIND,
    ),
    BeforeValidator(_expand, json_schema_input_type=str | Mappings),
]
"""One of the kinds; use it as the type of a field of a plan."""

_ADAPTER: TypeAdapter[HierarchySpec] = TypeAdapter(HierarchySpec)


def parse_spec(where: str, form: object) -> HierarchySpec:
    """The spec that a YAML value declares, or a BadParameter that names `where` and the field."""
    try:
        return _ADAPTER.validate_python(form)
    except ValidationError as error:
        raise BadParameter(explain(where, error, HierarchySpec)) from None


def spec_form(spec: HierarchySpec) -> str | dict[str, Any]:
    """The YAML value that declares the spec, in its shortest form."""
    form = spec.model_dump(mode="json", by_alias=True, exclude_defaults=True)
    return str(form["file"]) if set(form) == {"file"} else form


def build_hierarchy(column: str, spec: HierarchySpec, values: Sequence[str], folder: Path) -> Hierarchy:
    """The hierarchy that the spec declares, with a leaf for each of the distinct observed values.

    A missing value (the empty text) that is observed gets a leaf of its own where the spec gives it none.
    """
    present = [value for value in dict.fromkeys(values) if value != MISSING]
    hierarchy = _build(column, spec, present, folder)
    if MISSING in values:
        hierarchy = hierarchy.with_missing() if hierarchy else Hierarchy.from_paths(column, [[MISSING, SUPPRESSED]])
    if hierarchy is None:
        raise BadData(f"column {column!r}: it has no values to build a hierarchy from; declare a tree or a file")
    hierarchy.place(values, Origin(f"hierarchy file {spec.file!r}") if isinstance(spec, FileSpec) else NOWHERE)
    return hierarchy


def _build(column: str, spec: HierarchySpec, present: Sequence[str], folder: Path) -> Hierarchy | None:
    """The hierarchy before missing values are cared for; None where it would have no leaf."""
    match spec:
        case FileSpec():
            return read_hierarchy(folder / spec.file, column, spec.delimiter)
        case TreeSpec():
            return build_tree(column, spec)
        case OrderSpec() if present or spec.values:
            return build_order(column, spec, present)
        case IntervalSpec() if present or spec.start is not None:
            return build_intervals(column, spec, present)
        case MaskSpec() if present:
            return build_mask(column, spec, present)
        case DateSpec() if present:
            return build_dates(column, spec, present)
        case InferSpec() if present:
            return infer_hierarchy(column, present).hierarchy
        case AgeSpec() if present:
            return build_ages(column, spec, present)
        case ListedSpec() if present:
            return build_listed(column, spec, present)
        case _:
            return None
