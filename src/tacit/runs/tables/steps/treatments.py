"""Treatments: columns that are perturbed, masked or pseudonymised before anything is counted.

The engine hands the named columns over row by row, methods of the kind `columns` treat them, and the engine puts them
back in their places. All that follows (counting, deciding, writing, reading back, checking) sees the treated rows, so
guarantees about a treated sensitive column are about what is published. A comparison does not use a vault, since it
would write to it.
"""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Annotated, ClassVar, Self

import numpy as np
from pydantic import Field

from tacit.data.columns import CodedCategories, Column, Columns, Numbers, change, columns_of
from tacit.data.dataset import Dataset
from tacit.data.tables.hierarchy import MISSING
from tacit.data.tables.tally import Tally
from tacit.engines.engine import Engine, Target
from tacit.errors import BadParameter, CannotGuarantee
from tacit.params import Params
from tacit.plan.schema import ReleaseSection, TreatmentSection
from tacit.runs.tables.randomness import FROM_A_SEED, bits_of
from tacit.runs.tables.step import ChangedColumns, CountedRows, ReleasedRows, Step, StepEffects, StepFacts, Task
from tacit.runs.tables.steps._treatment import (
    Treatment,
    TreatmentEntries,
    columns_read,
    placed,
    require_treatments,
    treating,
)
from tacit.spelling import many

ONCE = "The treatments ran once for all candidates; `tacit protect` draws their randomness again."
FROM_THE_SYSTEM = "Whatever the treatments drew at random came from the operating system and can't be repeated."


class ColumnTreatments(Params):
    """The treatments of a plan, in their order."""

    treatments: Annotated[
        tuple[TreatmentSection, ...], Field(min_length=1, description="each a method, its columns, its parameters")
    ]


def secret_files(dataset: Dataset, entries: TreatmentEntries) -> tuple[Path, ...]:
    """Keys and vaults that the treatments name; no output may take their places."""
    return tuple(
        Path(value)
        for entry in entries
        for name, value in placed(entry, dataset.folder).items()
        if name in treating(entry.method).secret_files and isinstance(value, str)
    )


def kept_identifiers(dataset: Dataset, entries: TreatmentEntries) -> frozenset[str]:
    """The identifiers that stay in the release, under the names that a treatment gives them."""
    treated = {name for entry in entries for name in entry.columns}
    return frozenset(name for name in dataset.named("identifier") if name in treated)


def told_together(dataset: Dataset, entries: TreatmentEntries) -> tuple[str, ...]:
    """The other columns that are treated together with a sensitive one: in a suppressed row they could reveal it."""
    sensitive = set(dataset.named("sensitive"))
    together = [entry.columns for entry in entries if sensitive & set(entry.columns)]
    return tuple(dict.fromkeys(name for columns in together for name in columns if name not in sensitive))


class TreatmentsStep(Step[ColumnTreatments]):
    """Perturbs, masks or pseudonymises columns, row by row."""

    name = "treatments"
    place = 20
    key = "release.treatments"
    params = ColumnTreatments
    example: ClassVar = [{"method": "columns/rounding", "columns": ["pay"], "parameters": {"base": 10}}]
    is_random = True
    in_republication = "treatments would change values that must not change, or link releases"

    @property
    def entries(self) -> tuple[TreatmentSection, ...]:
        """The treatments that the plan names."""
        return self.given.treatments

    def asked(self, dataset: Dataset, section: ReleaseSection | None) -> Self | None:
        """The step with the treatments that the plan names, if it names some."""
        if section is None or not section.treatments:
            return None
        return self.giving(ColumnTreatments(treatments=section.treatments))

    def require(self, dataset: Dataset, task: Task) -> None:
        """Each treatment fits its columns."""
        require_treatments(dataset, self.entries)

    def runs(self) -> tuple[str, ...]:
        """The methods that treat."""
        return tuple(entry.method for entry in self.entries)

    def effects(self, dataset: Dataset) -> StepEffects:
        """The columns that are treated, the identifiers among them, and the files with keys and vaults."""
        alike = (entry for entry in self.entries if treating(entry.method).looks_alike)
        concealing = (entry for entry in self.entries if treating(entry.method).conceals)
        return StepEffects(
            changed=frozenset(name for entry in self.entries for name in entry.columns),
            may_repeat=frozenset(name for entry in alike for name in entry.columns),
            concealed=frozenset(name for entry in concealing for name in entry.columns),
            kept_identifiers=kept_identifiers(dataset, self.entries),
            secret_files=secret_files(dataset, self.entries),
        )

    def change(self, rows: CountedRows, task: Task, engine: Engine) -> ChangedColumns:
        """The treated columns."""
        return treat(rows, self.entries, task.section, engine)

    def shape(self, dataset: Dataset, task: Task, target: Target) -> Target:
        """Treated identifiers stay; what was treated together with a secret is starred with it."""
        kept = kept_identifiers(dataset, self.entries)
        columns = tuple(name for name in dataset.columns if name in target.columns or name in kept)
        starred = (*target.starred, *told_together(dataset, self.entries))
        return replace(target, columns=columns, starred=starred)

    def check(self, rows: CountedRows, released: Tally) -> None:
        """No pseudonym joins rows of several classes."""
        require_together(rows.dataset, self.entries, released)

    def tell(self, released: ReleasedRows, task: Task, engine: Engine) -> StepFacts:
        """What a reader must know about suppressed rows and groups."""
        return StepFacts(tuple(_remarks(released.rows.dataset, self.entries, task.section)))

    def lighter(self, dataset: Dataset) -> Self | None:
        """The treatments that write no secret file; refused if one that does is about a secret."""
        for treatment in require_treatments(dataset, self.entries):
            secret = [name for name in treatment.columns if dataset.columns[name].role == "sensitive"]
            if treatment.method.writes_secrets and secret:
                raise BadParameter(
                    f"{treatment.name} on {secret[0]!r} would write to its secret file, which a comparison may not"
                )
        kept = tuple(entry for entry in self.entries if not treating(entry.method).writes_secrets)
        return self.giving(ColumnTreatments(treatments=kept)) if kept else None

    def compared(self, rows: CountedRows, seeded: bool) -> tuple[str, ...]:
        """That all candidates have the same treated columns."""
        return (ONCE,)


def treat(rows: CountedRows, entries: TreatmentEntries, section: ReleaseSection, engine: Engine) -> ChangedColumns:
    """The treated columns, and how they changed."""
    dataset, treatments = rows.dataset, require_treatments(rows.dataset, entries)
    rows.progress("treating columns")
    bits = bits_of(section)
    names = tuple(dict.fromkeys(name for one in treatments for name in (*one.columns, *one.given)))
    cells = engine.cells(dataset.source, names)
    results: dict[str, Column] = {}
    notes: list[str] = []
    for treatment in treatments:
        before = columns_of(dict(columns_read(cells, treatment)))
        _require_alone(dataset, treatment, before)
        after = treatment.method.run(before, treatment.params, bits.child(treatment.name))
        results |= {name: after[name] for name in treatment.columns}
        notes += _notes(treatment, before, after)
    actions = {name: f"treated by {one.name}" for one in treatments for name in one.columns}
    notes.append(FROM_THE_SYSTEM if section.seed is None else FROM_A_SEED)
    return ChangedColumns(Columns(results), actions, tuple(notes))


def _remarks(dataset: Dataset, entries: TreatmentEntries, section: ReleaseSection) -> Iterator[str]:
    if dataset.unit:
        told = [(treating(entry.method).about_rows, entry.method) for entry in entries]
        yield from (text.format(method=method) for text, method in told if text)
    if section.suppressed == "star" and (beside := told_together(dataset, entries)):
        yield (
            f"Suppressed rows have * in {', '.join(map(repr, beside))} too, since it was treated together with a "
            "sensitive column and could reveal it."
        )


def _require_alone(dataset: Dataset, treatment: Treatment, before: Columns) -> None:
    """Refuse a treated identifier that names somebody twice, unless it is the unit: equal pseudonyms join rows."""
    for name in treatment.columns:
        column = before[name]
        if (
            dataset.columns[name].role != "identifier"
            or name == dataset.unit
            or not isinstance(column, CodedCategories)
        ):
            continue
        named = column.codes[np.array(column.values, dtype=object)[column.codes] != MISSING]
        if np.bincount(named).max(initial=0) > 1:
            raise BadParameter(
                f"column {name!r} names some people several times, so the result of {treatment.name} would link "
                f"their rows; name it as the plan's `unit`, so that people are counted, or leave it out"
            )


def require_together(dataset: Dataset, entries: TreatmentEntries, released: Tally) -> None:
    """Refuse a release in which a pseudonym joins rows of several classes: together they could single a person out."""
    if dataset.unit not in kept_identifiers(dataset, entries):
        return
    parted = int((np.bincount(released.people.spread_person) > 1).sum())
    if parted:
        raise CannotGuarantee(
            f"{many(parted, 'person has', 'people have')} rows in several classes, and the treated "
            f"{dataset.unit!r} links them: anyone who knows several rows of a person may find the only one who has "
            "them all, so nothing is published; leave out its treatment, or generalise so far that all rows of a "
            "person agree"
        )


def _notes(treatment: Treatment, before: Columns, after: Columns) -> Iterator[str]:
    for name in treatment.columns:
        found = change(before[name], after[name])
        if isinstance(before[name], Numbers):
            what = f"the squared change is {found:.4g} of its variance"
        else:
            what = f"{found:.4g} of its cells changed"
        yield f"Column {name!r} was treated by {treatment.name} before anything was counted; {what}."


STEP = TreatmentsStep()
