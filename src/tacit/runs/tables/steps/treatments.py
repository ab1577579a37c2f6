"""Treatments: columns that are perturbed, masked or pseudonymised before anything is counted.

The engine hands the named columns over row by row, methods of the kind `columns` treat them, and the engine puts them
back in their places. All that follows (counting, deciding, writing, reading back, checking) sees the treated rows, so
guarantees about a treated sensitive column are about what is published. Quasi-identifiers are left to the method of
the release: noise in one of them would break the classes that it builds, and its loss would go unmeasured.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from tacit.cards.columns import ColumnMethod
from tacit.catalogue import find_method, methods
from tacit.data.columns import CodedCategories, Column, Columns, Numbers, change, columns_of
from tacit.data.dataset import Dataset
from tacit.data.sources.arrow import to_numbers
from tacit.data.tables.counting import encode
from tacit.data.tables.hierarchy import MISSING
from tacit.data.tables.tally import Tally
from tacit.engines.engine import Engine, Target
from tacit.errors import BadData, BadParameter, CannotGuarantee
from tacit.plan.schema import ReleaseSection, TreatmentSection
from tacit.runs.tables.randomness import FROM_A_SEED, bits_of
from tacit.runs.tables.step import CountedRows, ReleasedRows, Step, StepFacts

if TYPE_CHECKING:
    import pyarrow as pa

    from tacit.runs.tables.task import Task

BEFORE_TOO = "Guarantees before and after the release are both about the treated values of its sensitive columns."
FROM_THE_SYSTEM = "Whatever the treatments drew at random came from the operating system and can't be repeated."


@dataclass(frozen=True, eq=False)
class Treatment:
    """A treatment that was found possible: its card, its parameters, the columns that it changes and those it reads."""

    name: str
    method: ColumnMethod[Any]
    params: Any
    columns: tuple[str, ...]
    given: tuple[str, ...]


def require_treatments(dataset: Dataset, section: ReleaseSection) -> tuple[Treatment, ...]:
    """The treatments of the plan; each is refused here, before any work, where it can't be."""
    found = tuple(_treatment(dataset, entry) for entry in section.treatments)
    names = [name for treatment in found for name in treatment.columns]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise BadParameter(f"column {twice[0]!r} is treated twice; one treatment for each column")
    return found


def _treatment(dataset: Dataset, entry: TreatmentSection) -> Treatment:
    method = treating(entry.method)
    if not method.keeps_rows:
        raise BadParameter(
            f"the treatment {entry.method} does not treat columns, it leaves rows out; write `sample: {{share: 0.1}}` "
            "under `release` instead"
        )
    params = method.params.parse(entry.method, _placed(entry, dataset.folder))
    given = method.reads(params)
    for name in (*entry.columns, *given):
        if name not in dataset.columns:
            raise BadParameter(f"the treatment {entry.method} names {name!r}, which is not a column of the plan")
    for name in entry.columns:
        _require_role(entry.method, method, name, dataset.columns[name].role)
        if name == dataset.unit and not method.keeps_people_apart:
            raise BadParameter(
                f"the unit {name!r} tells people apart, and {entry.method} may give different people equal values; "
                "take a pseudonym, or leave it out"
            )
    return Treatment(entry.method, method, params, entry.columns, given)


def treating(name: str) -> ColumnMethod[Any]:
    """The method of this name, which must treat columns."""
    method = find_method(name)
    if not isinstance(method, ColumnMethod):
        raise BadParameter(f"the treatment {name} does not treat columns; use one such as {', '.join(_treating()[:3])}")
    return method


def _treating() -> list[str]:
    """The names of all methods that treat columns."""
    return [name for name, card in methods().items() if isinstance(card, ColumnMethod) and card.keeps_rows]


def _require_role(named: str, method: ColumnMethod[Any], name: str, role: str) -> None:
    if role == "quasi-identifier":
        raise BadParameter(
            f"column {name!r} is a quasi-identifier, so {named} can't treat it: the release's method protects it, and "
            "a treatment would spoil its classes unseen"
        )
    if role == "identifier" and not method.for_identifiers:
        able = [other for other in _treating() if treating(other).for_identifiers]
        raise BadParameter(
            f"column {name!r} is an identifier, so {named} can't treat it; it is left out, unless one of "
            f"{', '.join(able)} keeps it under another name"
        )


def _placed(entry: TreatmentSection, folder: Path) -> dict[str, Any]:
    """The parameters with the names of secret files taken relative to the plan."""
    secret = treating(entry.method).secret_files
    return {
        name: str(folder / value) if name in secret and isinstance(value, str) and value else value
        for name, value in entry.parameters.items()
    }


def secret_files(dataset: Dataset, section: ReleaseSection) -> tuple[Path, ...]:
    """Keys and vaults that the treatments name; no output may take their places."""
    return tuple(
        Path(value)
        for entry in section.treatments
        for name, value in _placed(entry, dataset.folder).items()
        if name in treating(entry.method).secret_files and isinstance(value, str)
    )


def kept_identifiers(dataset: Dataset, section: ReleaseSection) -> frozenset[str]:
    """The identifiers that stay in the release, under the names that a treatment gives them."""
    treated = {name for entry in section.treatments for name in entry.columns}
    return frozenset(name for name in dataset.named("identifier") if name in treated)


def told_together(dataset: Dataset, section: ReleaseSection) -> tuple[str, ...]:
    """The other columns that are treated together with a sensitive one: in a suppressed row they could tell it."""
    sensitive = set(dataset.named("sensitive"))
    entries = [entry.columns for entry in section.treatments if sensitive & set(entry.columns)]
    return tuple(dict.fromkeys(name for columns in entries for name in columns if name not in sensitive))


class TreatmentsStep(Step):
    """Columns are changed row by row before anything is counted."""

    name = "treatments"
    place = 20
    is_random = True

    def is_asked(self, dataset: Dataset, section: ReleaseSection) -> bool:
        """Whether the plan names treatments."""
        return bool(section.treatments)

    def require(self, dataset: Dataset, task: "Task") -> None:
        """Each treatment fits its columns."""
        require_treatments(dataset, task.section)

    def apply(self, rows: CountedRows, task: "Task", engine: Engine) -> CountedRows:
        """The rows with the treated columns in place of their own."""
        return treat(rows, task.section, engine)

    def shape(self, dataset: Dataset, task: "Task", target: Target) -> Target:
        """Treated identifiers stay; what was treated together with a secret is starred with it."""
        kept = kept_identifiers(dataset, task.section)
        columns = tuple(name for name in dataset.columns if name in target.columns or name in kept)
        starred = (*target.starred, *told_together(dataset, task.section))
        return replace(target, columns=columns, starred=starred)

    def check(self, released: ReleasedRows, task: "Task") -> None:
        """No pseudonym joins rows of several classes."""
        require_together(released.rows.dataset, task.section, released.back.tally)

    def tell(self, released: ReleasedRows, task: "Task", engine: Engine) -> StepFacts:
        """What a reader must know of suppressed rows and of groups."""
        return StepFacts(tuple(_remarks(released.rows.dataset, task.section)))


def treat(rows: CountedRows, section: ReleaseSection, engine: Engine) -> CountedRows:
    """The rows with the treated columns in place of their own."""
    dataset, treatments = rows.dataset, require_treatments(rows.dataset, section)
    rows.progress("treating columns")
    bits = bits_of(section)
    names = tuple(dict.fromkeys(name for one in treatments for name in (*one.columns, *one.given)))
    cells = engine.cells(dataset.source, names)
    results: dict[str, Column] = {}
    notes: list[str] = []
    for treatment in treatments:
        before = columns_of(dict(_read(cells, treatment)))
        _require_alone(dataset, treatment, before)
        after = treatment.method.run(before, treatment.params, bits.child(treatment.name))
        results |= {name: after[name] for name in treatment.columns}
        notes += _notes(treatment, before, after)
    source = engine.replaced(dataset.source, Columns(results))
    actions = {name: f"treated by {one.name}" for one in treatments for name in one.columns}
    # The file that a sample was drawn from is not treated.
    if rows.whole is None and any(dataset.columns[name].role == "sensitive" for name in actions):
        notes.append(BEFORE_TOO)
    notes.append(FROM_THE_SYSTEM if section.seed is None else FROM_A_SEED)
    changed = replace(dataset, source=source)
    return replace(rows, dataset=changed, actions={**rows.actions, **actions}, notes=(*rows.notes, *notes))


def _remarks(dataset: Dataset, section: ReleaseSection) -> Iterator[str]:
    if dataset.unit:
        told = [(treating(entry.method).about_rows, entry.method) for entry in section.treatments]
        yield from (text.format(method=method) for text, method in told if text)
    if section.suppressed == "star" and (beside := told_together(dataset, section)):
        yield (
            f"Suppressed rows have * in {', '.join(map(repr, beside))} too, since it was treated together with a "
            "sensitive column and could tell it."
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
                f"column {name!r} names some people several times, so what {treatment.name} makes of it would join "
                f"their rows; name it as the plan's `unit`, so that people are counted, or leave it out"
            )


def require_together(dataset: Dataset, section: ReleaseSection, released: Tally) -> None:
    """Refuse a release in which a pseudonym joins rows of several classes: together they could single a person out."""
    if dataset.unit not in kept_identifiers(dataset, section):
        return
    parted = int((np.bincount(released.people.spread_person) > 1).sum())
    if parted:
        raise CannotGuarantee(
            f"{parted:,} people have rows in several classes, and the treated {dataset.unit!r} joins them: whoever "
            "knows several rows of a person may find the only one who has them all, so nothing is published; leave "
            "out its treatment, or generalise so far that all rows of a person agree"
        )


def _read(cells: "pa.Table", treatment: Treatment) -> Iterator[tuple[str, Column]]:
    """The columns of a treatment as it takes them: numbers where it works on them, or where all cells are numbers."""
    for name in (*treatment.columns, *treatment.given):
        wants = "any" if name in treatment.given else treatment.method.cells
        column = cells.column(name)
        numbers = None if wants == "texts" else _numbers(column)
        if numbers is not None:
            yield name, numbers
        elif wants == "numbers":
            raise BadData(f"{treatment.name} works on numbers; column {name!r} has cells that are none")
        else:
            encoded = encode(column)
            yield name, CodedCategories(encoded.codes, encoded.values)


def _numbers(column: "pa.ChunkedArray") -> Numbers | None:
    """The cells as numbers, NaN for the empty ones; None where a cell is no number."""
    import pyarrow as pa
    import pyarrow.compute as pc

    filled = pc.if_else(pc.equal(column, MISSING), "nan", column)
    try:
        return Numbers(np.array(to_numbers(pc.cast(filled, pa.float64()), np.float64)))
    except pa.ArrowInvalid:
        return None


def _notes(treatment: Treatment, before: Columns, after: Columns) -> Iterator[str]:
    for name in treatment.columns:
        found = change(before[name], after[name])
        if isinstance(before[name], Numbers):
            what = f"the squared change is {found:.4g} of its variance"
        else:
            what = f"{found:.4g} of its cells changed"
        yield f"Column {name!r} was treated by {treatment.name} before anything was counted; {what}."


STEP = TreatmentsStep()
