"""Top-down specialisation keeps every promise, publishes a value alike everywhere, and stops only where it must."""

from typing import Any

import numpy as np
import pytest
from tests.methods.tables.recoded import (
    GUARANTEES,
    QUASI,
    Case,
    Label,
    holds,
    published_rows,
    random_case,
    require_good,
    root_rows,
    scene_of,
    table_of,
)

from tacit.data.tables.table import Table
from tacit.errors import CannotGuarantee
from tacit.methods.tables.specialize import METHOD, Specialize
from tacit.request import TableDecision, TableRequest

TABLES = 25


def run(table: Table, request: TableRequest) -> TableDecision:
    answer: TableDecision = METHOD.run(table, request, Specialize())
    return answer


@pytest.mark.slow
def test_a_value_is_published_alike_in_all_rows() -> None:
    generator = np.random.default_rng(4)
    answered = 0
    for _ in range(TABLES):
        case = random_case(generator, GUARANTEES["k"])
        table = table_of(case)
        try:
            rows = published_rows(case, table, run(table, case.request).recoding)
        except CannotGuarantee:
            continue
        answered += 1
        for c, name in enumerate(QUASI):
            shown = {(row[name], labels[c].text) for row, labels in rows if labels is not None}
            assert len({value for value, _ in shown}) == len(shown)
    assert answered > 0


@pytest.mark.slow
def test_no_label_could_be_replaced_by_its_children() -> None:
    """Without suppression the result is as fine as it gets: every single further step breaks k-anonymity."""
    generator = np.random.default_rng(5)
    steps = 0
    for _ in range(2 * TABLES):
        case = random_case(generator, GUARANTEES["k"])
        case = Case(case.rows, case.paths, case.guarantees, 0.0, case.weights)
        table = table_of(case)
        rows = published_rows(case, table, run(table, case.request).recoding)
        for c, name in enumerate(QUASI):
            for label in {labels[c] for _, labels in rows if labels is not None}:
                finer = _replaced(case, rows, c, label)
                if finer is not None:
                    steps += 1
                    assert not holds(case, scene_of(case, finer)), name
    assert steps > TABLES


def _replaced(case: Case, rows: list[Any], c: int, label: Label) -> list[Any] | None:
    """The rows after the label became its children, None where it is a leaf."""
    paths = case.paths[QUASI[c]]
    covers = [
        {leaf: frozenset(other for other, path in paths.items() if path[level] == paths[leaf][level]) for leaf in paths}
        for level in range(len(next(iter(paths.values()))))
    ]
    below = [level for level, cover in enumerate(covers) if all(cover[leaf] < label.leaves for leaf in label.leaves)]
    if not below:
        return None
    result = []
    for row, labels in rows:
        leaf = row[QUASI[c]]
        child = Label(f"{below[-1]}:{sorted(covers[below[-1]][leaf])}", covers[below[-1]][leaf])
        finer = (*labels[:c], child, *labels[c + 1 :]) if labels[c] == label else labels
        result.append((row, finer))
    return result


def test_more_than_one_level_in_one_column() -> None:
    """Ten of a and b each, five of c and d together: a and b are told apart, c and d are not."""
    zips = ["a"] * 10 + ["b"] * 10 + ["c"] * 3 + ["d"] * 2
    rows = [{"age": "1", "zip": zip_, "job": "j", "disease": "flu"} for zip_ in zips]
    paths = {
        "age": {"1": ["1", "*"]},
        "zip": {"a": ["a", "ab", "*"], "b": ["b", "ab", "*"], "c": ["c", "cd", "*"], "d": ["d", "cd", "*"]},
        "job": {"j": ["j", "*"]},
    }
    case = Case(rows, paths, [{"k-anonymity": {"k": 5}}], 0.0, dict.fromkeys(QUASI, 1.0))
    answer = require_good(case, run)
    assert answer is not None
    assert set(answer.recoding.labels[1]) == {"a", "b", "cd"}
    assert root_rows(case)
