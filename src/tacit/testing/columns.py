"""What every method that treats columns, or draws rows, must satisfy: its example runs on generated columns."""

import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from tacit.arrays import IntArray
from tacit.cards.columns import CellValues, ColumnMethod, SamplingMethod
from tacit.catalogue import find_method
from tacit.data.columns import CodedCategories, Column, Columns, Numbers
from tacit.data.tables.classes import classes_of
from tacit.data.tables.counting import TallyRequest, tally_from
from tacit.errors import TacitError
from tacit.guarantees.catalogue import guarantees
from tacit.guarantees.guarantee import TableGuarantee, check
from tacit.params import Params
from tacit.randomness.stream import RandomBits
from tacit.scratch import scratch
from tacit.testing.generated import SEED, generated_columns

KEY_BYTES = 32


def check_column_method(name: str) -> None:
    """The example of the method runs on generated columns, alike for the same seed, and does what its card says.

    The first of its secret files, where the example names one, holds a key as `columns/pseudonym` takes it.
    """
    card, where = find_method(name), f"methods/{name}"
    assert isinstance(card, ColumnMethod), f"{where}: it is a {type(card).__name__}, not a ColumnMethod"
    cells: tuple[CellValues, ...] = ("numbers", "texts") if card.cells == "any" else (card.cells,)
    for each in cells:
        _check_run(f"{where}, {each}", card, each)


def _check_run(where: str, card: ColumnMethod[Any], cells: CellValues) -> None:
    before = generated_columns(cells, card.reads(card.example))
    untouched = generated_columns(cells, card.reads(card.example))
    with _placed(card) as params:
        try:
            first, again = (card.run(before, params, RandomBits.from_seed(SEED)) for _ in range(2))
        except TacitError as error:
            raise AssertionError(f"{where}: its example can't be run on {before!r}: {error}") from None
    assert isinstance(first, Columns), f"{where}: `run` must give Columns"
    assert _same(before, untouched), f"{where}: it changed the columns that it was given; build new ones"
    assert _same(first, again), f"{where}: the same seed gave two outputs; draw from the bits that are given"
    if isinstance(card, SamplingMethod):
        _check_sample(where, card, before, first)
    else:
        _check_shape(where, before, first)
        _check_apart(where, card, before, first)
        _check_guarantees(where, card, first)


@contextmanager
def _placed(card: ColumnMethod[Any]) -> Iterator[Params]:
    """The example with its secret files in a private folder, the first of them a key."""
    named = [field for field in card.secret_files if getattr(card.example, field)]
    with scratch() as folder:
        paths = {field: folder / Path(getattr(card.example, field)).name for field in named}
        for path in list(paths.values())[:1]:
            path.write_text(secrets.token_hex(KEY_BYTES) + "\n", encoding="utf-8")
            path.chmod(0o600)
        yield card.example.model_copy(update={field: str(path) for field, path in paths.items()})


def _check_shape(where: str, before: Columns, after: Columns) -> None:
    """Each treated column is there, of the same sort, with as many cells."""
    treated = [name for name in before if name in after]
    assert {"first", "second"} <= set(treated), f"{where}: it must give every column that it treats"
    assert set(after) <= set(before), (
        f"{where}: it gives columns that it was not given: {sorted(set(after) - set(before))}"
    )
    assert after.rows == before.rows, f"{where}: it gives {after.rows} rows for {before.rows}; say so: `keeps_rows`"
    for name in treated:
        same = type(after[name]) is type(before[name])
        assert same, f"{where}: column {name!r} was {type(before[name]).__name__} and is {type(after[name]).__name__}"


def _check_apart(where: str, card: ColumnMethod[Any], before: Columns, after: Columns) -> None:
    """What may stand for people has another value for each of them, and the same for each of their rows."""
    if not (card.for_identifiers and card.keeps_people_apart):
        return
    for name in ("first", "second"):
        pairs = set(zip(_numbered(before[name]).tolist(), _numbered(after[name]).tolist(), strict=True))
        old, new = ({pair[side] for pair in pairs} for side in (0, 1))
        apart = len(pairs) == len(old) == len(new)
        assert apart, f"{where}: different people get equal values, or one several; say `keeps_people_apart=False`"


def _check_guarantees(where: str, card: ColumnMethod[Any], after: Columns) -> None:
    """What it says it gives, and has the parameters of, holds for the treated columns together."""
    import pyarrow as pa

    known = guarantees()
    for kind in (known[name] for name in card.guarantees if name in known):
        given = {field: getattr(card.example, field, None) for field in kind.model_fields}
        if not issubclass(kind, TableGuarantee) or None in given.values():
            continue
        cells = {name: pa.array(_numbered(after[name]).astype(str).tolist()) for name in ("first", "second")}
        counted = pa.table({**cells, "rows": pa.array([1] * after.rows, pa.int64())})
        found = check(kind.model_validate(given), classes_of(tally_from(counted, TallyRequest(("first", "second")))))
        assert found.holds, f"{where}: it says that it gives {kind.name}, and in its output it fails: {found.says}"


def _check_sample(where: str, card: SamplingMethod[Any], before: Columns, after: Columns) -> None:
    """As many rows as it announced, each of them one of the given rows, unchanged."""
    size = card.size(card.example, before.rows, "rows")
    assert after.rows == size, f"{where}: it said that it would draw {size} rows, and drew {after.rows}"
    assert set(after) == set(before), f"{where}: a sample has all columns"
    rows = {tuple(row) for row in _rows(before)}
    drawn = [tuple(row) for row in _rows(after)]
    assert set(drawn) <= rows, f"{where}: it gives rows that it was not given"


def _rows(columns: Columns) -> list[tuple[object, ...]]:
    cells = [
        column.texts() if isinstance(column, CodedCategories) else column.values.astype(str).tolist()
        for column in columns.values()
    ]
    return list(zip(*cells, strict=True))


def _numbered(column: Column) -> IntArray:
    """A number for each different cell."""
    cells = column.values if isinstance(column, Numbers) else np.array(column.texts())
    return np.unique(cells, return_inverse=True)[1].astype(np.int64)


def _same(one: Columns, other: Columns) -> bool:
    return list(one) == list(other) and all(_same_cells(one[name], other[name]) for name in one)


def _same_cells(one: Column, other: Column) -> bool:
    if isinstance(one, Numbers) and isinstance(other, Numbers):
        return np.array_equal(one.values, other.values, equal_nan=True)
    both = isinstance(one, CodedCategories) and isinstance(other, CodedCategories)
    return both and one.texts() == other.texts()  # type: ignore[union-attr]
