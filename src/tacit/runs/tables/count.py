"""A dataset: a source, what its columns are, and the table that methods work on."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

import numpy as np

from tacit.data.dataset import Dataset, DeclaredColumn, SurveyColumns
from tacit.data.sources.source import shown_names
from tacit.data.tables.counting import TallyRequest, tally_from
from tacit.data.tables.hierarchies.infer import InferSpec
from tacit.data.tables.hierarchies.spec import build_hierarchy
from tacit.data.tables.hierarchy import Hierarchy
from tacit.data.tables.population import beside_population
from tacit.data.tables.table import Table
from tacit.data.tables.tally import SensitiveTally, Tally
from tacit.engines.engine import Engine
from tacit.errors import BadData, BadParameter
from tacit.spelling import did_you_mean, many, meant, noun
from tacit.spreadsheet import guarded


def require_names_match(
    dataset: Dataset, present: Collection[str], who: str = "the plan", index: Collection[str] = ()
) -> None:
    """Every column of the data has a role, and no role is that of another column; `who` gives the roles.

    Columns of `index` are the index of a data frame.
    """
    unknown = [name for name in present if name not in dataset.columns]
    lacking = [name for name in dataset.columns if name not in present]
    where = dataset.source.name
    if unknown:
        raise BadData(
            f"{who} does not name {noun(len(unknown), 'a column', 'these columns')} of {where}: "
            f"{shown_names(unknown)}; give each a role, because none is guessed{_misspelt(lacking, unknown, who)}"
            f"{_from_index(unknown, index)}"
        )
    if lacking:
        raise BadData(
            f"{where} does not have {noun(len(lacking), 'a column', 'these columns')} of {who}: "
            f"{shown_names(lacking)}; it has {shown_names(list(present))}{meant(lacking, present)}"
        )


def require_unit_there(dataset: Dataset, present: Collection[str]) -> None:
    """The unit is a column of the data, if one is named."""
    unit = dataset.unit
    if unit is not None and unit not in present:
        raise BadParameter(
            f"unit is {unit!r}, which is not a column of {dataset.source.name}; {did_you_mean(unit, present)}"
        )


def require_match(dataset: Dataset, present: Mapping[str, str]) -> None:
    """The plan names every column of the data and no other, has quasi-identifiers and a sensible unit."""
    require_names_match(dataset, present)
    if not dataset.named("quasi-identifier"):
        raise BadParameter(
            "no column is a quasi-identifier, so there is nothing to generalise; give at least one that role"
        )
    require_unit_there(dataset, present)
    if dataset.unit is not None and dataset.columns[dataset.unit].role != "identifier":
        role = dataset.columns[dataset.unit].role
        raise BadParameter(
            f"the unit {dataset.unit!r} has the role {role}; it names people, so it must be an identifier"
        )
    if dataset.survey is not None:
        _require_survey(dataset, dataset.survey)


def require_no_formula(dataset: Dataset) -> None:
    """No name of a column that is published is one that a spreadsheet would run.

    Names are not changed, as cells are: whoever reads the release looks for the columns of the plan.
    """
    names = [name for name, column in dataset.columns.items() if column.role != "identifier"]
    run = [name for name in names if guarded(name) != name]
    if run:
        raise BadData(
            f"a spreadsheet would run {noun(len(run), 'a column name', 'column names')} of {dataset.source.name} as "
            f"{noun(len(run), 'a formula', 'formulas')}: {shown_names(run)}; "
            "`guard_formulas` can put an apostrophe before cells only, so rename these columns in the data"
        )


def _misspelt(lacking: Sequence[str], unknown: Sequence[str], who: str) -> str:
    """Which column that was given a role may be a misspelt column of the data, if two names are close."""
    pairs = [(name, meant([name], unknown)) for name in lacking]
    if len(lacking) == len(unknown) == 1 and not pairs[0][1]:
        # However different they look, one name is left on either side.
        pairs = [(lacking[0], f"; did you mean {shown_names(unknown)}?")]
    return next((f"; {who} has {name!r}, which the data does not have{hint}" for name, hint in pairs if hint), "")


def _from_index(unknown: Sequence[str], index: Collection[str]) -> str:
    """What a reader of a pandas frame may not expect: its index counts."""
    found = [name for name in unknown if name in index]
    return f"; {shown_names(found)} is the index of the data frame, which is read as a column" if found else ""


def _require_survey(dataset: Dataset, survey: SurveyColumns) -> None:
    """Weight and household are columns of fitting roles."""
    for what, name in (("weight", survey.weight), ("household", survey.household)):
        if name is not None and name not in dataset.columns:
            raise BadParameter(
                f"survey: {what} is {name!r}, which is not a column of {dataset.source.name}"
                f"{meant([name], dataset.columns)}"
            )
    weight, household = survey.weight, survey.household
    if weight is not None and dataset.columns[weight].role == "quasi-identifier":
        raise BadParameter(
            f"survey: the weight {weight!r} is a quasi-identifier and may be generalised; change its role"
        )
    if household is not None and dataset.columns[household].role != "identifier":
        raise BadParameter(
            f"survey: the household {household!r} has the role {dataset.columns[household].role}; it names "
            "households, so it must be an identifier"
        )


def count(dataset: Dataset, engine: Engine) -> Tally:
    """The tally of the dataset, with the hierarchies of its sensitive columns and its population, if any."""
    require_match(dataset, engine.columns(dataset.source))
    reading = dataset.reading
    tally = tally_from(engine.tally(dataset.source, reading.columns), reading)
    sensitive = {
        name: replace(part, hierarchy=_tree(dataset, part) if _declared(dataset, name) else None)
        for name, part in tally.sensitive.items()
    }
    counted = replace(tally, sensitive=sensitive)
    return _with_population(counted, dataset, engine) if dataset.population else counted


def _tree(dataset: Dataset, part: SensitiveTally) -> Hierarchy:
    """The hierarchy of a sensitive column; a value of its order that nobody has needs no place of its own in it."""
    occurring = tuple(part.values[place] for place in np.flatnonzero(part.reference).tolist())
    return hierarchy_of(dataset, part.column, occurring).with_leaves(part.values)


def build_table(dataset: Dataset, tally: Tally) -> Table:
    """The table of the dataset: hierarchies built, weights and levels checked."""
    names = tally.columns
    hierarchies = tuple(hierarchy_of(dataset, name, values) for name, values in zip(names, tally.values, strict=True))
    table = Table.of(tally, hierarchies, tuple(dataset.columns[name].weight for name in names))
    limits = [_levels(dataset.columns[h.column], h) for h in hierarchies]
    return replace(table, least=tuple(low for low, _ in limits), most=tuple(high for _, high in limits))


def _levels(column: DeclaredColumn, hierarchy: Hierarchy) -> tuple[int, int]:
    high = hierarchy.height if column.maximum is None else column.maximum
    if high > hierarchy.height or column.minimum > high:
        raise BadParameter(
            f"column {hierarchy.column!r}: levels {column.minimum} to {high} are asked for, but its hierarchy has "
            f"levels 0 to {hierarchy.height}"
        )
    return column.minimum, high


def _declared(dataset: Dataset, name: str) -> bool:
    return dataset.columns[name].hierarchy is not None


def hierarchy_of(dataset: Dataset, name: str, values: tuple[str, ...]) -> Hierarchy:
    """How the values of a column generalise: as the plan says, or else as inferred."""
    spec = dataset.columns[name].hierarchy or InferSpec(infer=True)
    return build_hierarchy(name, spec, values, dataset.folder)


def _with_population(tally: Tally, dataset: Dataset, engine: Engine) -> Tally:
    """The tally over the combinations of data and population together."""
    assert dataset.population is not None
    reading = TallyRequest(tally.columns)
    people = tally_from(engine.tally(dataset.population, reading.columns), reading)
    merged = beside_population(tally, people)
    _require_inside(merged, dataset)
    return merged


def _require_inside(tally: Tally, dataset: Dataset) -> None:
    """Everybody in the data must be in the population, or risk against it means nothing."""
    assert tally.population is not None
    assert dataset.population is not None
    outside = int((tally.people.counts() > tally.population).sum())
    if outside:
        raise BadData(
            f"{many(outside, 'combination of quasi-identifiers has', 'combinations of quasi-identifiers have')} more "
            f"people in {dataset.source.name} than in {dataset.population.name}; the population must contain everybody "
            "in the data"
        )
