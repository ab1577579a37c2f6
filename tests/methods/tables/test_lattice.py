"""The lattice search finds the same optimum as trying every node, for every guarantee and objective."""

import math
import re
from dataclasses import replace
from typing import Any, get_args

import numpy as np
import pyarrow as pa
import pytest
from tests.examples import draws
from tests.methods.tables.recoded import GUARANTEES
from tests.oracle.every_node import Search, best, evaluate
from tests.oracle.judge import Row

from tacit.cards.tables import TableMethod
from tacit.catalogue import find_method
from tacit.data.tables.counting import TallyRequest, tally_from
from tacit.data.tables.hierarchy import Hierarchy
from tacit.data.tables.population import beside_population
from tacit.data.tables.published import publish
from tacit.data.tables.table import Table
from tacit.errors import CannotGuarantee
from tacit.guarantees.catalogue import parse_table_guarantee
from tacit.methods.tables.lattice import METHOD, Lattice
from tacit.request import Objective, TableRequest

QUASI = ("zip", "sex", "job")
DISEASES = ["flu", "cold", "hiv", ""]
OBJECTIVES = get_args(Objective)
TABLES = draws(40)


def random_paths(generator: np.random.Generator, leaves: list[str]) -> dict[str, list[str]]:
    """A random tree over the leaves."""
    paths = {leaf: [leaf] for leaf in leaves}
    groups = len(leaves)
    for level in range(1, int(generator.integers(1, 4))):
        groups = int(generator.integers(1, groups + 1))
        labels = sorted({path[-1] for path in paths.values()})
        parent = {label: f"{level}.{generator.integers(groups)}" for label in labels}
        for path in paths.values():
            path.append(parent[path[-1]])
    for path in paths.values():
        path.append("*")
    return paths


def random_search(generator: np.random.Generator, guarantees: list[dict[str, Any]], unit: bool = False) -> Search:
    domains = {name: [f"{name}{i}" for i in range(int(generator.integers(1, 5)))] for name in QUASI}
    number = int(generator.integers(3, 14))
    rows: list[Row] = [
        {
            **{name: str(generator.choice(domains[name])) for name in QUASI},
            "disease": str(generator.choice(DISEASES)),
            **({"person": str(generator.integers(max(number * 2 // 3, 2)))} if unit else {}),
        }
        for _ in range(number)
    ]
    return Search(
        rows=rows,
        paths={name: random_paths(generator, domains[name]) for name in QUASI},
        guarantees=[next(iter(entry.items())) for entry in guarantees],
        limit=float(generator.choice([0, 0.1, 0.3, 0.5, 1])),
        objective=str(generator.choice(OBJECTIVES)),
        weights={name: float(generator.choice([1.0, 0.5, 2.0])) for name in QUASI},
        unit="person" if unit else None,
        domains={"disease": sorted({row["disease"] for row in rows})},
    )


def distinct(rows: list[Row], columns: tuple[str, ...]) -> pa.Table:
    table = pa.table({name: [row[name] for row in rows] for name in columns})
    return table.append_column("rows", pa.array([1] * len(rows), pa.int64()))


def table_of(search: Search) -> Table:
    reading = TallyRequest(QUASI, ("disease",), search.unit)
    tally = tally_from(distinct(search.rows, reading.columns), reading)
    if search.population is not None:
        tally = beside_population(tally, tally_from(distinct(search.population, QUASI), TallyRequest(QUASI)))
    hierarchies = tuple(Hierarchy.from_paths(name, list(search.paths[name].values())) for name in QUASI)
    return Table.of(tally, hierarchies, tuple(search.weights[name] for name in QUASI))


def require_same(search: Search) -> bool:
    """The method's answer costs what the cheapest node costs, and is that node's recoding; False where both refuse."""
    expected = best(search)
    guarantees = tuple(parse_table_guarantee({name: params}) for name, params in search.guarantees)
    request = TableRequest(guarantees, search.limit, search.objective)  # type: ignore[arg-type]
    table = table_of(search)
    try:
        answer = METHOD.run(table, request, Lattice())
    except CannotGuarantee:
        assert expected is None
        return False
    assert expected is not None
    assert answer.optimal
    assert answer.cost == pytest.approx(expected.cost, abs=1e-9)
    assert answer.levels is not None
    chosen = evaluate(search, answer.levels)
    assert chosen is not None
    assert chosen.cost == pytest.approx(expected.cost, abs=1e-9)
    assert publish(table, answer.recoding).suppressed_rows == chosen.suppressed
    return True


@pytest.mark.slow
@pytest.mark.parametrize("name", GUARANTEES)
@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.soak) for seed in range(1, 10))])
def test_finds_the_optimum_of_every_node(name: str, seed: int) -> None:
    generator = np.random.default_rng([seed, len(name), ord(name[0])])
    found = [require_same(random_search(generator, GUARANTEES[name])) for _ in range(TABLES)]
    assert sum(found) > TABLES // 10


@pytest.mark.slow
@pytest.mark.parametrize("name", ["k", "distinct", "entropy", "probabilistic", "t", "alpha", "beta"])
def test_counts_people_where_they_have_several_rows(name: str) -> None:
    generator = np.random.default_rng([7, len(name)])
    found = [require_same(random_search(generator, GUARANTEES[name], unit=True)) for _ in range(TABLES)]
    assert sum(found) > TABLES // 10


def test_a_share_of_people_is_no_share_of_rows() -> None:
    """One person with many rows: the merged class fails by half its people, the finer one drops two rows only."""
    zips = {"a1": "1", "b": "1", "a2": "2", "a3": "2"}
    rows = [
        {"zip": zips[person], "sex": "f", "job": "none", "disease": person[0], "person": person}
        for person in ("a1", *["b"] * 7, "a2", "a3")
    ]
    flat = {"f": ["f", "*"]}, {"none": ["none", "*"]}
    search = Search(
        rows=rows,
        paths={"zip": {"1": ["1", "*"], "2": ["2", "*"]}, "sex": flat[0], "job": flat[1]},
        guarantees=[("alpha-k-anonymity", {"alpha": 0.5, "k": 2, "column": "disease"})],
        limit=0.3,
        objective="loss",
        weights=dict.fromkeys(QUASI, 1.0),
        unit="person",
        domains={"disease": ["a", "b"]},
    )
    assert require_same(search)


@pytest.mark.slow
@pytest.mark.parametrize(
    "guarantees",
    [
        [{"k-map": {"k": 3}}],
        [{"delta-presence": {"minimum": 0.0, "maximum": 0.7}}],
        [{"delta-presence": {"minimum": 0.2, "maximum": 0.9}}],
    ],
)
def test_against_a_population(guarantees: list[dict[str, Any]]) -> None:
    generator = np.random.default_rng(11)
    found = 0
    for _ in range(TABLES):
        search = random_search(generator, guarantees)
        others = [
            {name: str(generator.choice(list(search.paths[name]))) for name in QUASI}
            for _ in range(int(generator.integers(0, 12)))
        ]
        population = [{name: row[name] for name in QUASI} for row in search.rows] + others
        found += require_same(Search(**{**vars(search), "population": population}))
    assert found > TABLES // 10


@pytest.mark.slow
def test_levels_stay_within_their_limits() -> None:
    generator = np.random.default_rng(3)
    answered = 0
    for _ in range(TABLES):
        search = random_search(generator, GUARANTEES["k"])
        table = table_of(search)
        least = tuple(int(generator.integers(0, high + 1)) for high in table.most)
        limited = Table(table.tally, table.hierarchies, table.weights, least, table.most)
        guarantees = tuple(parse_table_guarantee({name: params}) for name, params in search.guarantees)
        try:
            answer = METHOD.run(limited, TableRequest(guarantees, search.limit, "loss"), Lattice())
        except CannotGuarantee:
            continue
        answered += 1
        assert answer.levels is not None
        assert all(low <= level <= high for low, level, high in zip(least, answer.levels, table.most, strict=True))
    assert answered > 0


def test_without_time_it_says_so_and_gives_a_bound() -> None:
    generator = np.random.default_rng(5)
    search = random_search(generator, GUARANTEES["k"])
    rows = [{name: str(generator.integers(40)) for name in QUASI} | {"disease": "flu"} for _ in range(400)]
    paths = {name: {str(i): [str(i), f"a{i // 2}", f"b{i // 8}", "*"] for i in range(40)} for name in QUASI}
    wide = Search(**{**vars(search), "rows": rows, "paths": paths, "limit": 1.0, "objective": "loss"})
    request = TableRequest((parse_table_guarantee({"k-anonymity": {"k": 5}}),), 1.0, "loss")
    hurried = METHOD.run(table_of(wide), request, Lattice(seconds=1e-9))
    exact = METHOD.run(table_of(wide), request, Lattice())
    assert not hurried.optimal
    assert exact.optimal
    assert hurried.bound <= exact.cost <= hurried.cost


def test_progress_is_told_in_the_words_of_the_objective() -> None:
    search = random_search(np.random.default_rng(3), GUARANTEES["k"])
    told: dict[str, list[str]] = {}
    objectives: tuple[Objective, ...] = ("loss", "discernibility")
    for objective in objectives:
        guarantees = (parse_table_guarantee({"k-anonymity": {"k": 2}}),)
        request = TableRequest(guarantees, 1.0, objective, told.setdefault(objective, []).append)
        METHOD.run(table_of(search), request, Lattice())
    assert re.fullmatch(r"loss [\d.]+ %, at best [\d.]+ %, \d+ candidates? tried, for at most 60 s", told["loss"][0])
    assert re.match(r"discernibility [\d.]+, at best [\d.]+, ", told["discernibility"][0])


def test_an_impossible_guarantee_names_what_can_be_reached() -> None:
    search = random_search(np.random.default_rng(1), GUARANTEES["k"])
    request = TableRequest((parse_table_guarantee({"k-anonymity": {"k": 50}}),), 0.1, "loss")
    with pytest.raises(CannotGuarantee, match=f"with at most 10 % of the rows.*reaches {len(search.rows)}"):
        METHOD.run(table_of(search), request, Lattice())
    with pytest.raises(CannotGuarantee, match="all guarantees without suppressing rows"):
        METHOD.run(table_of(search), replace(request, suppression=0.0), Lattice())


def test_more_people_asked_than_there_are_is_refused_even_if_all_may_go() -> None:
    search = random_search(np.random.default_rng(2), GUARANTEES["k"])
    request = TableRequest((parse_table_guarantee({"k-anonymity": {"k": 50}}),), 1.0, "loss")
    with pytest.raises(CannotGuarantee):
        METHOD.run(table_of(search), request, Lattice())


@pytest.mark.slow
def test_the_bound_never_exceeds_the_optimum() -> None:
    """The share that can't be kept is a lower bound: stopping anywhere gives a bound at most the optimum's cost."""
    generator = np.random.default_rng(23)
    answered = 0
    for name in ("entropy", "t", "probabilistic", "alpha"):
        for _ in range(TABLES):
            search = random_search(generator, GUARANTEES[name])
            optimum = best(search)
            guarantees = tuple(parse_table_guarantee({n: p}) for n, p in search.guarantees)
            request = TableRequest(guarantees, search.limit, search.objective)  # type: ignore[arg-type]
            try:
                answer = METHOD.run(table_of(search), request, Lattice(seconds=1e-9))
            except CannotGuarantee:
                continue
            answered += 1
            bound = answer.bound
            assert bound is not None
            assert optimum is not None
            assert bound <= optimum.cost + 1e-9
            assert not math.isnan(bound)
    assert answered > 0


@pytest.mark.parametrize("method", ["tables/lattice", "tables/mondrian"])
def test_a_minimum_of_presence_that_fails_says_that_suppression_does_not_help(method: str) -> None:
    search = random_search(np.random.default_rng(1), [{"delta-presence": {"minimum": 0.9, "maximum": 1.0}}])
    crowd = [{name: row[name] for name in QUASI} for row in search.rows for _ in range(3)]
    table = table_of(Search(**{**vars(search), "population": crowd}))
    guarantees = tuple(parse_table_guarantee({name: params}) for name, params in search.guarantees)
    card = find_method(method)
    assert isinstance(card, TableMethod)
    with pytest.raises(CannotGuarantee, match=r"suppressing rows does not help.*lower the minimum or leave it out\)$"):
        card.run(table, TableRequest(guarantees, 1.0, "loss"), card.example)
