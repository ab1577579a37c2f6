"""What every method on tables must satisfy: its example runs on generated tables, under the guarantees it gives.

The run is the one of `tacit protect` up to the first measure: what the method decided is written, read back and
measured by each guarantee itself.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from inspect import signature
from typing import Any

import numpy as np

from tacit.cards.competition import TableCompetition
from tacit.cards.method import Method
from tacit.cards.tables import TableMethod
from tacit.catalogue import find_method
from tacit.data.dataset import Dataset
from tacit.errors import BadData, BadParameter, CannotGuarantee
from tacit.guarantees.guarantee import TableGuarantee
from tacit.promise import Measured
from tacit.randomness.stream import RandomBits
from tacit.runs.tables.process import TableProcess
from tacit.runs.tables.stations import WrittenTable
from tacit.runs.tables.step import Task
from tacit.runs.tables.task import task_of
from tacit.testing.generated import SEED, generated_table, trial_guarantees
from tacit.testing.stations import held
from tacit.verbs.calls import release_job, section_of
from tacit.verbs.engine import engine

LIMIT = 0.5
"""The largest share of rows that may be suppressed."""
ALMOST = 1e-9
ALIKE = ("codes", "combination", "rows", "suppressed")


def check_table_method(name: str, guarantees: Sequence[TableGuarantee] | None = None) -> None:
    """The example of the method runs on generated tables, twice with the same result, and keeps what it says it gives.

    Without `guarantees` all are tried that the method gives and whose parameters can be guessed from their bounds; that
    there is no release may be said of some of them, not of all.
    """
    card, where = find_method(name), f"methods/{name}"
    works = isinstance(card, TableMethod | TableCompetition)
    assert works, f"{where}: it is a {type(card).__name__}, not a TableMethod"
    tried = tuple(trial_guarantees(card.guarantees)) if guarantees is None else tuple(guarantees)
    assert tried, f"{where}: no guarantee to try it with can be guessed; name some with their parameters"
    made = [_made(name, card, generated_table(SEED + at), one) for at, one in enumerate(tried)]
    assert any(made), f"{where}: it finds no release under any of {', '.join(one.name for one in tried)}"


def _made(name: str, card: Method[Any], data: Dataset, promised: TableGuarantee) -> bool:
    """Whether the method made a release, which then was found to keep the promise and to come out twice."""
    where = f"methods/{name}, {promised.name}"
    parameters = card.example.model_dump(mode="json")
    section = section_of(where, [promised], {"method": name, "parameters": parameters, "suppression": LIMIT})
    task = task_of(data, section, (promised,))
    with engine() as database:
        try:
            run, again = (held(TableProcess(release_job(data, section), _seeded(task), database)) for _ in range(2))
        except CannotGuarantee:
            return False
        except (BadData, BadParameter) as error:
            columns = ", ".join(data.columns)
            raise AssertionError(f"{where}: its example can't be run on a table of {columns}: {error}") from None
        found = run.promises(run.read_back())
    for one in found:
        kept = not isinstance(one, Measured) or one.holds
        assert kept, f"{where}: it says that it gives this, and in its release it fails: {one.says}"
    _check_limit(where, run.made)
    _check_alike(where, run.made, again.made)
    return True


def _seeded(task: Task) -> Task:
    """The task with a method that draws from a seed, if it takes `bits` to draw from at all."""
    if "bits" not in signature(task.method.run).parameters:
        return task
    drawing = partial(task.method.run, bits=RandomBits.from_seed(SEED))
    return replace(task, method=replace(task.method, run=drawing))


def _check_limit(where: str, made: WrittenTable) -> None:
    published = made.decision.published
    most = LIMIT * published.rows + ALMOST
    within = published.suppressed_rows <= most
    assert within, f"{where}: it suppresses {published.suppressed_rows} of {published.rows} rows; at most half may go"


def _check_alike(where: str, one: WrittenTable, other: WrittenTable) -> None:
    first, again = one.decision.answer.recoding, other.decision.answer.recoding
    alike = first.labels == again.labels
    alike &= all(np.array_equal(getattr(first, name), getattr(again, name)) for name in ALIKE)
    assert alike, f"{where}: the same table gave two decisions; draw from `bits`, a last argument that may be left out"
