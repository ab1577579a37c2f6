"""Every cell is read before a charge: afterwards none decides whether there is an error, and no error tells of one.

Covers engines/duckdb/database, engines/duckdb/reading, answers/asking, answers/process.
"""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import tacit
from tacit.cards.takes import Declaration
from tacit.data.aggregates.rows import Rows
from tacit.data.aggregates.scale import Form
from tacit.data.sources.source import Source
from tacit.engines.duckdb import DuckDB
from tacit.errors import BadData, TacitError
from tacit.randomness.stream import RandomBits
from tacit.runs.answers.asking import AskableRows
from tacit.runs.answers.protection import Protection
from tacit.runs.answers.question import Asker

TYPES = {
    "timestamp[s]": (pa.timestamp("s"), 9_000_000_000_000_000),
    "timestamp[us]": (pa.timestamp("us"), -(2**63)),
    "timestamp[s, UTC]": (pa.timestamp("s", "UTC"), 2**62),
    "time32": (pa.time32("s"), 2_000_000_000),
    "time64": (pa.time64("ns"), 2**62),
    "duration[s]": (pa.duration("s"), 2**62),
    "duration[ms]": (pa.duration("ms"), 2**62),
}
QUESTIONS: dict[str, dict[str, Any]] = {
    "a group": {"statistics/count": {"by": "v", "epsilon": 1.0, "categories": {"v": ["00:00:01", "x"]}}},
    "a category": {"statistics/histogram": {"of": "v", "epsilon": 1.0, "categories": {"v": ["00:00:01"]}}},
    "row by row": {"statistics/itemsets": {"of": ["w", "v"], "epsilon": 1.0, "k": 1, "categories": {"v": ["0", "1"]}}},
}


def asked(data: Any, question: dict[str, Any], unit: str | None = None) -> tuple[str | None, float]:
    """What an error says, None where there is none, and what was charged."""
    budget = tacit.PrivacyBudget(epsilon=1, unit=unit)
    try:
        tacit.ask(data, question, budget=budget)
    except BadData as error:
        return str(error), budget.spent["epsilon"]
    return None, budget.spent["epsilon"]


def column(kind: pa.DataType, second: int) -> pa.Array:
    whole = pa.int32() if kind.bit_width == 32 else pa.int64()
    return pa.array([1, second], whole).view(kind)


def table(cells: Any) -> pa.Table:
    return pa.table({"id": ["p", "q"], "v": cells, "w": [0, 1]})


@pytest.mark.slow
@pytest.mark.parametrize("kind", TYPES)
@pytest.mark.parametrize("what", [*QUESTIONS, "a unit"])
def test_a_cell_out_of_range_is_told_before_the_charge_and_not_shown(kind: str, what: str) -> None:
    typed, far = TYPES[kind]
    question = QUESTIONS.get(what, {"statistics/count": {"epsilon": 1.0}})
    unit = "v" if what == "a unit" else None
    assert asked(table(column(typed, 1)), question, unit) == (None, 1.0)
    said, charged = asked(table(column(typed, far)), question, unit)
    assert charged == 0
    assert said is not None
    assert not any(digit in said for digit in "0123456789")


@pytest.mark.parametrize("kind", ["timestamp[us]", "time64"])
def test_a_cell_out_of_range_in_a_file_is_told_before_the_charge(kind: str, tmp_path: Path) -> None:
    typed, far = TYPES[kind]
    for place, (second, charged) in enumerate(((1, 1.0), (far, 0.0))):
        path = tmp_path / f"{'ab'[place]}.parquet"
        pq.write_table(table(column(typed, second)), path)
        said, spent = asked(path, QUESTIONS["a group"])
        assert (said is None, spent) == (charged == 1, charged)


@pytest.mark.slow
@pytest.mark.parametrize("unit", ["s", "us"])
def test_far_dates_and_lengths_of_pandas_are_told_before_the_charge(unit: str) -> None:
    far = 2**62 if unit == "s" else -(2**63) + 1
    for letter in "Mm":
        cells = np.array([1, far]).astype(f"{letter}8[{unit}]")
        said, charged = asked(pd.DataFrame({"v": cells}), QUESTIONS["a group"])
        assert (said is None) == (charged == 1)


@pytest.mark.parametrize("cells", [[[1], [2]], [[1], [2, 3]], [["a"], None], [{"a": 1}, None], [[1.0], []]], ids=repr)
@pytest.mark.parametrize("what", QUESTIONS)
def test_nested_columns_are_refused_by_their_type(cells: Any, what: str) -> None:
    said, charged = asked(table(cells), QUESTIONS[what])
    assert charged == 0
    assert said is not None
    assert "'v' is of type " in said
    numbers = {"statistics/textbook-k-means": {"of": ["v"], "epsilon": 1.0, "k": 1, "bounds": {"v": (0, 1)}}}
    assert asked(table(cells), numbers) == (said, 0)


@pytest.mark.parametrize("what", QUESTIONS)
def test_text_that_is_no_unicode_is_told_before_the_charge(what: str) -> None:
    offsets = pa.py_buffer(np.array([0, 1, 2], dtype=np.int32))
    bad = pa.Array.from_buffers(pa.string(), 2, [None, offsets, pa.py_buffer(b"a\xff")])
    said, charged = asked(table(bad), QUESTIONS[what])
    assert (said, charged) == ("the data frame holds text that is not valid Unicode, or it is damaged", 0)
    assert asked(table(["a", "b"]), QUESTIONS[what]) == (None, 1.0)


def test_columns_that_can_fail_are_texts_afterwards_and_others_stay_as_they_are() -> None:
    frame = pd.DataFrame(
        {
            "day": pd.to_datetime(["2020-01-01", "2020-01-02 10:00", "NaT"], format="ISO8601"),
            "odd": pd.Series([1, "x", None], dtype=object),
            "number": [1.5, 2.0, 1e300],
        }
    )
    forms = (Form("day", "text"), Form("odd", "text"), Form("odd", "number"), Form("number", "number"))
    source = Source("frame", frame=frame, missing=("x", "2020-01-01"))
    with DuckDB() as engine:
        held = engine.held(source, ("number", "day", "odd"))
        assert engine.aggregates(held, Rows(forms)) == engine.aggregates(source, Rows(forms))
        assert engine.aggregates(held, Rows(forms))[:2] == ([None, "2020-01-02 10:00:00", None], ["1", None, None])
        whole = Source("frame", frame=pa.table({"number": [1], "text": ["a"]}))
        assert engine.held(whole, ("number", "text")) is whole
        with pytest.raises(BadData, match="no column 'none'"):
            engine.held(source, ("none",))


@pytest.mark.parametrize("step", ["run", "aggregates"])
def test_an_unforeseen_error_withholds_the_answer_and_tells_nothing(step: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*given: Any) -> Any:
        raise ValueError("the cell 555 of Ann")

    who = Protection()
    columns = {"v": Declaration("v", bounds=(0.0, 1.0))}
    question = Asker(columns, who).question("statistics/textbook-k-means", {"of": ["v"], "k": 1, "epsilon": 1.0})
    with DuckDB() as engine:
        asking = AskableRows(engine, Source("frame", frame=pa.table({"v": [0.5, 0.7]})), who)
        assert asking.answers(question, RandomBits.from_seed(1)).answers
        if step == "run":
            question = replace(question, card=replace(question.card, run=fail))
        else:
            monkeypatch.setattr(DuckDB, "aggregates", fail)
        with pytest.raises(TacitError, match="withheld, and what was charged stays charged") as failed:
            asking.answers(question, RandomBits.from_seed(1))
    assert failed.value.exit_code == 70
    assert "555" not in str(failed.value)
    assert failed.value.__cause__ is None
    assert failed.value.__context__ is None


LONG = [10**17 + 1, 10**17 + 2]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("people", "told"),
    [
        (pd.Series([*LONG, None]), False),
        (pd.Series([*LONG, 7]), True),
        (pd.Series([*LONG, None], dtype="Int64"), True),
        (pd.Series(["1", "2", None]), True),
        (pd.Series([1, 2, None]), True),
        (pd.Series([1.5, np.inf, None]), True),
        (pd.Series([2.0**24, 1.0, np.nan], dtype="float32"), False),
    ],
    ids=["joined", "whole", "nullable", "texts", "short", "fractions", "narrow"],
)
def test_people_whom_floating_point_numbers_do_not_tell_apart_are_refused(people: Any, told: bool) -> None:
    """Both long numbers are one double: who has no name would make one person of two."""
    said, charged = asked(pd.DataFrame({"id": people}), {"statistics/count": {"epsilon": 1.0}}, "id")
    assert (said is None, charged) == (told, float(told))
    missing = pa.table({"id": [1.0, float("nan"), None]})
    assert asked(missing, {"statistics/count": {"epsilon": 1.0}}, "id") == (None, 1.0)


LONG = 2**60
NAMED: dict[str, tuple[dict[str, Any], str | None]] = {
    "a unit": ({"statistics/count": {"epsilon": 1.0}}, "v"),
    "a group": ({"statistics/count": {"by": "v", "epsilon": 1.0, "categories": {"v": ["1", "2"]}}}, None),
    "a category": ({"statistics/histogram": {"of": "v", "epsilon": 1.0, "categories": {"v": ["1", "2"]}}}, None),
    "a key": ({"statistics/keywords": {"of": "v", "epsilon": 1.0, "k": 1, "most": 1, "categories": {"v": ["1"]}}}, "w"),
}


@pytest.mark.parametrize("what", NAMED)
def test_long_whole_numbers_that_became_floats_are_told_before_the_charge(what: str) -> None:
    """One missing cell makes doubles of the column, and two long numbers one: everybody's name changes with it."""
    question, unit = NAMED[what]
    whole = pd.DataFrame({"v": [LONG, LONG + 1, LONG + 1], "w": [1, 2, 3]})
    assert asked(whole, question, unit) == (None, 1.0)
    said, charged = asked(pd.DataFrame({"v": [LONG, LONG + 1, None], "w": [1, 2, 3]}), question, unit)
    assert charged == 0
    assert said is not None
    assert "`Int64` in pandas" in said
    assert str(LONG) not in said
    kept = whole.astype("Int64")
    kept.loc[2, "v"] = pd.NA
    assert asked(kept, question, unit) == (None, 1.0)
    assert asked(pd.DataFrame({"v": [1, 2, None], "w": [1, 2, 3]}), question, unit) == (None, 1.0)


def test_long_numbers_that_are_read_as_numbers_may_be_floats() -> None:
    question = {"statistics/sum": {"of": "v", "epsilon": 1.0, "bounds": {"v": (0, 1)}}}
    assert asked(pd.DataFrame({"v": [LONG, None]}), question) == (None, 1.0)
