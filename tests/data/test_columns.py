"""Columns of numbers and texts, and the contract of every method that treats them: its example runs and repeats.

Covers data/columns, methods/*/noise, methods/*/shuffle.
"""

import math

import numpy as np
import pytest

from tacit.catalogue import methods
from tacit.data.columns import CodedCategories, Numbers, categories_of, change, columns_of
from tacit.errors import BadData, BadParameter
from tacit.randomness.stream import RandomBits

COLUMN_METHODS = [name for name in methods() if name.startswith("tables/") and methods()[name].kind == "columns"]


def test_columns_are_built_from_plain_values():
    columns = columns_of({"n": [1, None, 2.5], "t": ["b", None, "a"], "i": np.arange(3)})
    assert isinstance(columns["n"], Numbers)
    assert columns["n"].values[[0, 2]].tolist() == [1, 2.5]
    assert math.isnan(columns["n"].values[1])
    assert columns["t"].texts() == ("b", "", "a")
    assert columns["t"].values == ("", "a", "b")
    assert (columns.rows, len(columns), list(columns)) == (3, 3, ["n", "t", "i"])
    assert repr(columns) == "Columns(n, t, i; 3 rows)"
    taken = columns.taken(np.array([2, 0]))
    assert taken["t"].texts() == ("a", "b")
    assert columns.changed({"t": categories_of(["x", "y", "z"])})["t"].texts() == ("x", "y", "z")


@pytest.mark.parametrize(
    ("named", "words"),
    [
        ({"a": [1.0], "b": [1.0, 2.0]}, "1, 2 rows; all must have the same number"),
        ({"a": [math.inf]}, "column 'a' has an infinite number"),
        ({"a": [[1.0]]}, "2 dimensions"),
        ({"a": ["x", 1]}, "must hold only numbers or only texts"),
        ({"a": [True, False]}, "must hold only numbers or only texts"),
    ],
)
def test_what_are_no_columns_is_refused(named, words):
    if named == {"a": ["x", 1]}:
        named = {"a": np.array(["x", 1], dtype=object)}
    with pytest.raises(BadData, match=words):
        columns_of(named)


def test_no_columns_and_wrong_kinds_are_refused():
    with pytest.raises(BadParameter, match="name at least one"):
        columns_of({})
    columns = columns_of({"n": [1.0], "t": ["x"]})
    with pytest.raises(BadData, match="noise works on numbers; column 't' holds texts"):
        columns.numbers("noise")
    with pytest.raises(BadData, match="PRAM works on categories; column 'n' holds numbers"):
        columns.categories("PRAM")


def test_change_is_measured_by_hand():
    assert change(Numbers(np.array([0.0, 2.0, np.nan])), Numbers(np.array([1.0, 2.0, 5.0]))) == 0.5
    assert change(Numbers(np.ones(3)), Numbers(np.ones(3))) == 0
    assert change(Numbers(np.ones(3)), Numbers(np.zeros(3))) == math.inf
    assert change(categories_of(["a", "b", "c", "c"]), categories_of(["b", "b", "c", "a"])) == 0.5
    assert change(categories_of(["a", "b"]), CodedCategories(np.array([1, 0], dtype=np.int32), ("b", "a"))) == 0
    with pytest.raises(BadData, match="keeps the kind"):
        change(Numbers(np.ones(1)), categories_of(["a"]))


@pytest.mark.parametrize("name", COLUMN_METHODS)
def test_every_treatment_runs_its_example_and_repeats_it(name, tmp_path, monkeypatch):
    from tacit.methods.columns._keys import write_key

    monkeypatch.chdir(tmp_path)
    write_key(tmp_path / "pseudonyms.key", RandomBits.from_os())
    card = methods()[name]
    numbers = {"a": np.arange(40.0) ** 2, "b": np.arange(40.0)[::-1].copy()}
    texts = {"a": np.array(["no", "yes"])[np.arange(40) % 2]}
    worked = 0
    for named in (numbers, texts):
        columns = columns_of(named)
        if (card.cells == "texts") == (named is numbers) and card.cells != "any":
            with pytest.raises(BadData, match="works on"):
                card.run(columns, card.example, RandomBits.from_seed(1))
            continue
        found = card.run(columns, card.example, RandomBits.from_seed(1))
        again = card.run(columns, card.example, RandomBits.from_seed(1))
        assert list(found) == list(columns)
        assert found.rows == columns.rows or name == "columns/sample"
        assert all(type(found[one]) is type(columns[one]) for one in columns)
        assert all(change(found[one], again[one]) == 0 for one in columns)
        worked += 1
    assert worked
    assert len(COLUMN_METHODS) >= 11
