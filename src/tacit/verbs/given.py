"""The data of a call: a frame or a file with roles, a dataset, what `inspect` returned, or the path of a plan.

What `inspect` returned stands for its draft: roles, hierarchies, unit and the way to read the data are the draft's, and
what the call says replaces them. The draft itself is read, as the command line would read it from its file, so that
nothing it says is lost on the way.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tacit.data.dataset import (
    ROW,
    Dataset,
    DeclaredColumn,
    SurveyColumns,
    UnitColumn,
    unit_column,
    unit_is_exact,
)
from tacit.data.sources.source import Source
from tacit.errors import BadParameter
from tacit.verbs.calls import FRAME_OPTIONS, source_of
from tacit.verbs.options import ColumnRoles, GivenUnit, is_plan

if TYPE_CHECKING:
    from tacit.inspection.examine import Inspection
    from tacit.plan.schema import PlanFile

ROLES = '`columns={"age": "quasi-identifier", "illness": "sensitive"}`'


@dataclass(frozen=True)
class GivenRoles:
    """What a call says of its data: what the columns are, who is a person, and how the data is read."""

    columns: "ColumnRoles | Inspection | None" = None
    unit: GivenUnit = None
    options: Mapping[str, Any] = field(default_factory=dict)

    @property
    def named(self) -> list[str]:
        """What was said, by name."""
        there = [("columns", self.columns), ("unit", self.unit)]
        return [name for name, value in there if value is not None] + list(self.options)

    @property
    def reading(self) -> dict[str, Any]:
        """How the file is read."""
        return {name: value for name, value in self.options.items() if name not in ("population", "survey")}


@dataclass(frozen=True, eq=False)
class GivenData:
    """The dataset of a call; `drafted` is the release section of its draft, if it was inspected."""

    dataset: Dataset
    drafted: Mapping[str, Any] = field(default_factory=dict)


def given_data(verb: str, data: Any, roles: GivenRoles) -> GivenData:
    """The dataset that a call is about; refused where nobody says what its columns are."""
    from tacit.inspection.examine import Inspection

    if isinstance(data, Dataset):
        _require_alone(verb, "a dataset", roles)
        return GivenData(data)
    if isinstance(data, Inspection):
        return _inspected(data, data.source, roles)
    if isinstance(roles.columns, Inspection):
        drafted = roles.columns
        return _inspected(drafted, _read_alike(data, drafted, roles), replace(roles, columns=None))
    if is_plan(data):
        from tacit.plan.load import load_plan

        _require_alone(verb, "a plan", roles)
        return GivenData(load_plan(Path(data)).dataset)
    if roles.columns is None:
        raise BadParameter(_without_roles(verb, data))
    return GivenData(_dataset(source_of(data, **roles.reading), declared(roles.columns), roles))


def declared(columns: Any) -> dict[str, DeclaredColumn]:
    """What is said of each column, parsed."""
    if not isinstance(columns, Mapping):
        raise BadParameter(
            f"the columns are given as a {type(columns).__name__}; give a role for each by its name, as in {ROLES}, or "
            "what `tacit.inspect` returned"
        )
    return {str(name): _column(str(name), column) for name, column in columns.items()}


def _column(name: str, column: Any) -> DeclaredColumn:
    if isinstance(column, DeclaredColumn):
        return column
    if not isinstance(column, str | Mapping):
        raise BadParameter(f"column {name!r} is {type(column).__name__}; give its role, or a mapping as in a plan")
    return DeclaredColumn.parse(f"column {name!r}", {"role": column} if isinstance(column, str) else column)


def _without_roles(verb: str, data: Any) -> str:
    """Why a call can't be answered that says nothing of its columns, and what to write."""
    what = f"the file {data}" if isinstance(data, str | Path) else f"a {type(data).__name__}"
    return (
        f"`tacit.{verb}` was given {what}, but nothing says what its columns are; add {ROLES}, or give what "
        "`tacit.inspect` or `tacit.read` returned, or the path of a plan (.yaml)"
    )


def _require_alone(verb: str, what: str, roles: GivenRoles) -> None:
    """Nothing is said of data that speaks for itself: it would not be heeded."""
    if roles.named:
        raise BadParameter(
            f"`tacit.{verb}` was given {what}, which already says what its columns are and how it is read; leave out "
            f"{', '.join(f'`{name}`' for name in roles.named)}, or give the data frame or the file instead"
        )


def _inspected(look: "Inspection", source: Source, roles: GivenRoles) -> GivenData:
    """The dataset of a draft, with what the call says in the place of what the draft says."""
    form, file = _draft_of(look)
    own = {} if roles.columns is None else declared(roles.columns)
    _require_drafted(own, file)
    read = _read_again(source, {**_drafted_options(file, source), **roles.reading})
    dataset = _dataset(read, {**file.columns, **own}, replace(roles, unit=roles.unit or file.unit))
    return GivenData(dataset, form.get("release") or {})


def _draft_of(look: "Inspection") -> "tuple[dict[str, Any], PlanFile]":
    """The draft as plain values, and as a plan."""
    from tacit.plan.load import parse_plan
    from tacit.plan.strict_yaml import parse_yaml

    return parse_yaml(look.draft, "the draft"), parse_plan(look.draft, "the draft")


def _require_drafted(own: Mapping[str, DeclaredColumn], file: "PlanFile") -> None:
    """The columns that a call speaks of were inspected."""
    from tacit.data.sources.source import shown_names
    from tacit.spelling import meant

    unknown = [name for name in own if name not in file.columns]
    if unknown:
        raise BadParameter(f"no column is called {shown_names(unknown)} in the draft{meant(unknown, file.columns)}")


def _drafted_options(file: "PlanFile", source: Source) -> dict[str, Any]:
    """What the draft says of reading that the source can heed."""
    said = file.data.model_dump(exclude={"kind", "path"}, exclude_unset=True)
    return {name: value for name, value in said.items() if source.path is not None or name in FRAME_OPTIONS}


def _read_again(source: Source, wanted: Mapping[str, Any]) -> Source:
    """The same rows, read as the source says and with what is wanted in its place."""
    if source.path is None:
        return source_of(source.frame, **{"missing": source.missing, **wanted})
    own = {one.name: getattr(source, one.name) for one in fields(Source) if one.name not in ("path", "frame")}
    return source_of(source.path, **{**own, **wanted})


def _read_alike(data: Any, look: "Inspection", roles: GivenRoles) -> Source:
    """The data, a file read as the inspected one was."""
    if not isinstance(data, str | Path) or look.source.path is None:
        return source_of(data)
    return _read_again(replace(look.source, path=Path(data)), roles.reading)


def _dataset(source: Source, columns: Mapping[str, DeclaredColumn], roles: GivenRoles) -> Dataset:
    """The dataset; the roles and the unit of a data frame are held against its columns at once."""
    from tacit.data.sources.frames import column_names, index_of
    from tacit.runs.tables.count import require_names_match, require_unit_there

    named, population = roles.options.get("survey"), roles.options.get("population")
    survey = named if named is None or isinstance(named, SurveyColumns) else SurveyColumns.parse("survey", named)
    outside = None if population is None else source_of(population)
    unit = UnitColumn.parse("unit", roles.unit) if isinstance(roles.unit, Mapping) else roles.unit
    said = {"each_row_is_a_person": unit == ROW, "unit_is_exact": unit_is_exact(unit)}
    dataset = Dataset(source, columns, unit_column(unit), outside, Path(), survey, **said)
    if source.path is None and source.format == "frame":
        present = column_names(source.frame)
        require_names_match(dataset, present, "`columns`", index_of(source.frame))
        require_unit_there(dataset, present)
    return dataset
