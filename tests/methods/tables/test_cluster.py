"""Clustering keeps every promise that it can give, and refuses the others before it begins.

Covers _partition/growth.
"""

from typing import Any

import numpy as np
import pytest
from tests.methods.tables import recoded
from tests.methods.tables.peopled import is_found_out
from tests.methods.tables.recoded import (
    GUARANTEES,
    POPULATION,
    QUASI,
    Case,
    random_case,
    require_good,
    table_of,
    with_population,
)

from tacit.data.tables.table import Table
from tacit.errors import BadParameter, CannotGuarantee
from tacit.methods.tables import cluster
from tacit.methods.tables.cluster import METHOD, Cluster
from tacit.request import TableDecision, TableRequest

TABLES = 25


def run(table: Table, request: TableRequest) -> TableDecision:
    answer: TableDecision = METHOD.run(table, request, Cluster())
    return answer


def test_near_rows_share_a_class() -> None:
    """Two and two that are alike up to one label, k = 2: the best classes are these pairs."""
    paths = {
        "age": {"1": ["1", "*"]},
        "zip": {z: [z, z[0], "*"] for z in ("a1", "a2", "b1", "b2")},
        "job": {"j": ["j", "*"]},
    }
    rows = [{"age": "1", "zip": zip_, "job": "j", "disease": "flu"} for zip_ in ("a1", "b1", "a2", "b2")]
    case = Case(rows, paths, GUARANTEES["k"], 0.0, dict.fromkeys(QUASI, 1.0))
    answer = require_good(case, run)
    assert answer is not None
    assert set(answer.recoding.labels[1]) == {"a", "b"}


@pytest.mark.slow
def test_levels_stay_within_their_limits() -> None:
    generator = np.random.default_rng(5)
    answered = 0
    for _ in range(TABLES):
        case = random_case(generator, GUARANTEES["k"])
        table = table_of(case)
        most = tuple(int(generator.integers(0, high + 1)) for high in table.most)
        try:
            answer = run(Table(table.tally, table.hierarchies, table.weights, table.least, most), case.request)
        except CannotGuarantee:
            continue
        answered += 1
        for row, labels in recoded.published_rows(case, table, answer.recoding):
            for c, name in enumerate(QUASI if labels is not None else ()):
                assert labels is not None
                path = case.paths[name]
                assert all(path[leaf][most[c]] == path[row[name]][most[c]] for leaf in labels[c].leaves)
    assert answered > 0


@pytest.mark.parametrize("name", ["presence", "presence from"])
def test_refuses_presence(name: str) -> None:
    case = with_population(generator := np.random.default_rng(6), random_case(generator, POPULATION[name]))
    with pytest.raises(BadParameter, match=r"labels overlap.*tables/mondrian"):
        run(table_of(case), case.request)
    assert "delta-presence" not in METHOD.guarantees


@pytest.mark.slow
@pytest.mark.parametrize("name", ["map", "map and k"])
def test_counts_people_with_several_rows_against_a_population(name: str) -> None:
    generator = np.random.default_rng([9, len(name)])
    cases = [
        with_population(generator, random_case(generator, POPULATION[name], unit=True)) for _ in range(TABLES // 3)
    ]
    answers = [require_good(case, run) for case in cases]
    assert any(answer is not None for answer in answers)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["k3", "entropy", "t"])
def test_counting_rows_for_people_is_found_out(name: str) -> None:
    generator = np.random.default_rng([10, len(name)])
    assert sum(is_found_out(random_case(generator, GUARANTEES[name], unit=True), run) for _ in range(TABLES)) > 0


def test_refuses_what_would_take_for_ever(monkeypatch: Any) -> None:
    case = random_case(np.random.default_rng(8), GUARANTEES["k3"])
    monkeypatch.setattr(cluster, "MOST_COMBINATIONS", 1)
    with pytest.raises(BadParameter, match=r"at most 1. Take tables/mondrian"):
        run(table_of(case), case.request)
