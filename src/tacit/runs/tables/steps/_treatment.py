"""A treatment of a plan that was found possible: its requirements, and the columns in the form that it takes."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from tacit.cards.columns import ColumnMethod
from tacit.catalogue import find_method, methods
from tacit.data.columns import CodedCategories, Column, Numbers
from tacit.data.dataset import Dataset
from tacit.data.sources.arrow import to_numbers
from tacit.data.tables.counting import encode
from tacit.data.tables.hierarchy import MISSING
from tacit.errors import BadData, BadParameter
from tacit.plan.schema import TreatmentSection

if TYPE_CHECKING:
    import pyarrow as pa


@dataclass(frozen=True, eq=False)
class Treatment:
    """A treatment that was found possible: its card, its parameters, the columns that it changes and those it reads."""

    name: str
    method: ColumnMethod[Any]
    params: Any
    columns: tuple[str, ...]
    given: tuple[str, ...]


TreatmentEntries = Sequence[TreatmentSection]


def require_treatments(dataset: Dataset, entries: TreatmentEntries) -> tuple[Treatment, ...]:
    """The treatments of the plan; an impossible one is refused here, before any work."""
    found = tuple(_treatment(dataset, entry) for entry in entries)
    names = [name for treatment in found for name in treatment.columns]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise BadParameter(f"column {twice[0]!r} is treated twice; write one treatment for each column")
    return found


def _treatment(dataset: Dataset, entry: TreatmentSection) -> Treatment:
    method = treating(entry.method)
    if not method.keeps_rows:
        raise BadParameter(
            f"the treatment {entry.method} does not treat columns, it leaves rows out; write `sample: {{share: 0.1}}` "
            "under `release` instead"
        )
    params = method.params.parse(entry.method, placed(entry, dataset.folder))
    given = method.reads(params)
    for name in (*entry.columns, *given):
        if name not in dataset.columns:
            raise BadParameter(f"the treatment {entry.method} names {name!r}, which is not a column of the plan")
    for name in entry.columns:
        _require_role(entry.method, method, name, dataset.columns[name].role)
        if name == dataset.unit and not method.keeps_people_apart:
            raise BadParameter(
                f"the unit {name!r} identifies people, and {entry.method} may give different people equal values; "
                "use a pseudonym, or leave it out"
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
            "a treatment would silently spoil its classes"
        )
    if role == "identifier" and not method.for_identifiers:
        able = [other for other in _treating() if treating(other).for_identifiers]
        raise BadParameter(
            f"column {name!r} is an identifier, so {named} can't treat it; it is left out, unless one of "
            f"{', '.join(able)} keeps it under another name"
        )


def placed(entry: TreatmentSection, folder: Path) -> dict[str, Any]:
    """The parameters with the names of secret files taken relative to the plan."""
    secret = treating(entry.method).secret_files
    return {
        name: str(folder / value) if name in secret and isinstance(value, str) and value else value
        for name, value in entry.parameters.items()
    }


def columns_read(cells: "pa.Table", treatment: Treatment) -> Iterator[tuple[str, Column]]:
    """The columns of a treatment as it takes them: as numbers if it works on numbers, or if all cells are numbers."""
    for name in (*treatment.columns, *treatment.given):
        wants = "any" if name in treatment.given else treatment.method.cells
        column = cells.column(name)
        numbers = None if wants == "texts" else _numbers(column)
        if numbers is not None:
            yield name, numbers
        elif wants == "numbers":
            raise BadData(f"{treatment.name} works on numbers; column {name!r} has cells that are not numbers")
        else:
            encoded = encode(column)
            yield name, CodedCategories(encoded.codes, encoded.values)


def _numbers(column: "pa.ChunkedArray") -> Numbers | None:
    """The cells as numbers, NaN for the empty ones; None if a cell is not a number."""
    import pyarrow as pa
    import pyarrow.compute as pc

    filled = pc.if_else(pc.equal(column, MISSING), "nan", column)
    try:
        return Numbers(np.array(to_numbers(pc.cast(filled, pa.float64()), np.float64)))
    except pa.ArrowInvalid:
        return None
