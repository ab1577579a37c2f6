"""Known values: how many people the columns that a table publishes exact single out, by themselves and in their class.

Counted are the rows as they stand in the written file, suppressed ones with what they still show; where people have
several rows, as they would stand there with the unit. Cells that were drawn at random, or made with a key, are left
out: whoever knows the true value does not know the cell. Rounded, coded and averaged cells count as known, since
everybody may round.

Values in a class are told but never warned of: the more different secrets a class has, which diversity asks for, the
more of its people are alone with theirs.
"""

from collections.abc import Collection, Iterable, Sequence
from typing import Any

from tacit.data.dataset import Dataset
from tacit.data.sources.source import Source
from tacit.data.tables.exact_cells import ExactCells, KnownColumns, exact_cells, most_telling
from tacit.engines.engine import Engine
from tacit.release.tables import KnownValues
from tacit.runs.tables.recode import recoded
from tacit.runs.tables.stations import PreparedTable, WrittenTable
from tacit.runs.tables.step import Step, StepFacts

RISK = "known_values"
"""The field of the risk."""
MOST_READ = 60_000_000
"""So many cells of a release are read at most; of more columns, the sensitive ones first."""


def exact_columns(dataset: Dataset, steps: Iterable[Step[Any]], present: Collection[str]) -> tuple[str, ...]:
    """The columns whose cells follow from what somebody may know, in the order of the dataset."""
    hidden = frozenset[str]().union(*(step.effects(dataset).concealed for step in steps))
    shown = {*dataset.named("sensitive"), *dataset.named("insensitive")} - hidden
    return tuple(name for name in dataset.columns if name in shown and name in present)


def cells_of(dataset: Dataset, source: Source, columns: Sequence[str], engine: Engine, people: bool) -> ExactCells:
    """The exact cells of the rows of a source; with `people`, with the unit."""
    known, unit = dataset.named("quasi-identifier"), dataset.unit if people else None
    named = (*columns, *known, *([] if unit is None else [unit]))
    table = engine.cells(source, tuple(dict.fromkeys(named)))
    return exact_cells(table, columns, known, unit)


def known_values(cells: ExactCells) -> tuple[KnownValues, ...]:
    """The most telling value and pair of values alone, and the most telling value within a class."""
    alone = (*most_telling(cells), *most_telling(cells, 1, with_class=True))
    return tuple(_fact(cells, one) for one in alone)


def _fact(cells: ExactCells, known: KnownColumns) -> KnownValues:
    names = tuple(cells.columns[c] for c in known.columns)
    share = known.found / max(cells.people, 1)
    return KnownValues(columns=names, with_class=known.with_class, unique=known.found, share=share)


def known_in_release(
    prepared: PreparedTable, made: WrittenTable, steps: Sequence[Step[Any]], engine: Engine
) -> StepFacts:
    """What the written release shows of people who are known by values, for its evidence."""
    dataset, published = prepared.rows.dataset, made.decision.published
    columns = exact_columns(dataset, steps, made.target.columns)
    if not columns:
        return StepFacts()
    columns = tuple(sorted(columns, key=lambda name: dataset.columns[name].role != "sensitive"))
    columns = columns[: max(MOST_READ // published.rows, 2)]
    if dataset.unit is None:
        return StepFacts(risk_after={RISK: known_values(cells_of(dataset, made.source, columns, engine, False))})
    source = recoded(engine, dataset.source, published, made.target.stars)
    return StepFacts(risk_after={RISK: known_values(cells_of(dataset, source, columns, engine, True))})


def known_in_file(
    dataset: Dataset, source: Source, steps: Iterable[Step[Any]], engine: Engine
) -> tuple[KnownValues, ...]:
    """What a file shows of people who are known by values; rows are counted where it does not have the unit."""
    present = engine.columns(source)
    columns = exact_columns(dataset, steps, present)
    return known_values(cells_of(dataset, source, columns, engine, dataset.unit in present)) if columns else ()
