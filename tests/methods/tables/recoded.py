"""Random tables for local methods, and what their answers publish, row by row in plain Python."""

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from tests.oracle.every_node import exact
from tests.oracle.judge import Row, Scene, keeps, measure

from tacit.data.tables.counting import TallyRequest, tally_from
from tacit.data.tables.hierarchy import Hierarchy
from tacit.data.tables.population import beside_population
from tacit.data.tables.published import publish
from tacit.data.tables.recoding import Recoding
from tacit.data.tables.table import Table
from tacit.errors import CannotGuarantee
from tacit.guarantees.catalogue import parse_table_guarantee
from tacit.request import TableDecision, TableRequest

QUASI = ("age", "zip", "job")
ENTRY = dict[str, dict[str, Any]]
GUARANTEES: dict[str, list[ENTRY]] = {
    "k": [{"k-anonymity": {"k": 2}}],
    "k3": [{"k-anonymity": {"k": 3}}],
    "distinct": [{"k-anonymity": {"k": 2}}, {"l-diversity": {"l": 2, "kind": "distinct", "column": "disease"}}],
    "entropy": [{"l-diversity": {"l": 1.8, "kind": "entropy", "column": "disease"}}],
    "recursive": [{"l-diversity": {"l": 2, "c": 1.5, "kind": "recursive", "column": "disease"}}],
    "probabilistic": [{"l-diversity": {"l": 1.5, "kind": "probabilistic", "column": "disease"}}],
    "t": [{"k-anonymity": {"k": 2}}, {"t-closeness": {"t": 0.4, "distance": "equal", "column": "disease"}}],
    "kl": [{"t-closeness": {"t": 0.7, "distance": "kl", "column": "disease"}}],
    "alpha": [{"alpha-k-anonymity": {"alpha": 0.6, "k": 2, "column": "disease"}}],
    "beta": [{"beta-likeness": {"beta": 1.2, "kind": "basic", "column": "disease"}}],
    "enhanced": [{"beta-likeness": {"beta": 1.2, "kind": "enhanced", "column": "disease"}}],
    "delta": [{"delta-disclosure": {"delta": 1.0, "column": "disease"}}],
}
POPULATION: dict[str, list[ENTRY]] = {
    "map": [{"k-map": {"k": 3}}],
    "map and k": [{"k-map": {"k": 4}}, {"k-anonymity": {"k": 2}}],
    "presence": [{"delta-presence": {"minimum": 0.0, "maximum": 0.7}}],
    "presence from": [{"delta-presence": {"minimum": 0.2, "maximum": 0.9}}],
}


@dataclass(frozen=True)
class Case:
    """Rows, hierarchies as paths from leaf to root, what is promised, how many rows may go."""

    rows: list[Row]
    paths: dict[str, dict[str, list[str]]]
    guarantees: list[ENTRY]
    limit: float
    weights: dict[str, float]
    unit: str | None = None
    population: list[Row] | None = None

    @property
    def request(self) -> TableRequest:
        return TableRequest(tuple(parse_table_guarantee(entry) for entry in self.guarantees), self.limit)


def random_case(generator: np.random.Generator, guarantees: list[ENTRY], unit: bool = False) -> Case:
    ages = [str(age) for age in sorted(generator.choice(90, int(generator.integers(1, 9)), replace=False).tolist())]
    leaves = {"age": ages, **{n: [f"{n}{i}" for i in range(int(generator.integers(1, 6)))] for n in QUASI[1:]}}
    number = int(generator.integers(3, 30))
    rows = [
        {
            **{name: str(generator.choice(leaves[name])) for name in QUASI},
            "disease": str(generator.choice(["flu", "cold", "hiv", ""])),
            **({"person": str(generator.integers(max(number * 2 // 3, 2)))} if unit else {}),
        }
        for _ in range(number)
    ]
    return Case(
        rows=rows,
        paths={name: _paths(generator, leaves[name]) for name in QUASI},
        guarantees=guarantees,
        limit=float(generator.choice([0, 0, 0.1, 0.3, 1])),
        weights={name: float(generator.choice([1.0, 0.5, 2.0])) for name in QUASI},
        unit="person" if unit else None,
    )


def _paths(generator: np.random.Generator, leaves: list[str]) -> dict[str, list[str]]:
    paths = {leaf: [leaf] for leaf in leaves}
    groups = len(leaves)
    for level in range(1, int(generator.integers(1, 4))):
        groups = int(generator.integers(1, groups + 1))
        parent = {label: f"{level}.{generator.integers(groups)}" for label in sorted({p[-1] for p in paths.values()})}
        for path in paths.values():
            path.append(parent[path[-1]])
    return {leaf: [*path, "*"] for leaf, path in paths.items()}


def with_population(generator: np.random.Generator, case: Case) -> Case:
    """The same case within a population that has everybody and some more."""
    others = [
        {name: str(generator.choice(list(case.paths[name]))) for name in QUASI}
        for _ in range(int(generator.integers(0, 30)))
    ]
    return replace(case, population=[{name: row[name] for name in QUASI} for row in case.rows] + others)


def table_of(case: Case) -> Table:
    reading = TallyRequest(QUASI, ("disease",), case.unit)
    tally = tally_from(_distinct(case.rows, reading.columns), reading)
    if case.population is not None:
        tally = beside_population(tally, tally_from(_distinct(case.population, QUASI), TallyRequest(QUASI)))
    hierarchies = tuple(Hierarchy.from_paths(name, list(case.paths[name].values())) for name in QUASI)
    return Table.of(tally, hierarchies, tuple(case.weights[name] for name in QUASI))


def _distinct(rows: list[Row], columns: tuple[str, ...]) -> pa.Table:
    table = pa.table({name: [row[name] for row in rows] for name in columns})
    return table.append_column("rows", pa.array([1] * len(rows), pa.int64()))


@dataclass(frozen=True)
class Label:
    """A published label and the leaves that it stands for."""

    text: str
    leaves: frozenset[str]


def published_rows(case: Case, table: Table, recoding: Recoding) -> list[tuple[Row, tuple[Label, ...] | None]]:
    """Each row with its labels, None where it is suppressed; rows of a split combination are dealt out in order."""
    dealt: dict[tuple[str, ...], list[int]] = defaultdict(list)
    for i, (combination, rows) in enumerate(zip(recoding.combination, recoding.rows, strict=True)):
        key = tuple(table.tally.values[c][table.tally.codes[c, combination]] for c in range(len(QUASI)))
        dealt[key] += [i] * int(rows)
    result = []
    for row in case.rows:
        i = dealt[tuple(row[name] for name in QUASI)].pop(0)
        result.append((row, None if recoding.suppressed[i] else _labels(case, recoding, i, row)))
    assert not any(dealt.values())
    return result


def _labels(case: Case, recoding: Recoding, i: int, row: Row) -> tuple[Label, ...]:
    labels = []
    for c, name in enumerate(QUASI):
        j = int(recoding.codes[c, i])
        text, cover = recoding.labels[c][j], recoding.covers[c] if recoding.covers else None
        if cover is None:
            level = next(at for at, label in enumerate(case.paths[name][row[name]]) if label == text)
            leaves = frozenset(leaf for leaf, path in case.paths[name].items() if path[level] == text)
        else:
            names = list(case.paths[name])
            leaves = frozenset(names[leaf] for leaf in cover.leaf[cover.starts[j] : cover.starts[j + 1]])
        assert row[name] in leaves
        assert len(leaves) == recoding.leaves[c][j]
        labels.append(Label(text, leaves))
    return tuple(labels)


def loss_of(case: Case, rows: list[tuple[Row, tuple[Label, ...] | None]]) -> Fraction:
    """The loss by its definition."""
    total = Fraction(0)
    for _, labels in rows:
        for c, name in enumerate(QUASI):
            others = max(len(case.paths[name]) - 1, 1)
            cell = Fraction(len(labels[c].leaves) - 1, others) if labels is not None else Fraction(1)
            total += Fraction(case.weights[name]) * cell
    return total / (sum(map(Fraction, case.weights.values())) * len(rows))


def scene_of(case: Case, rows: list[tuple[Row, tuple[Label, ...] | None]]) -> Scene:
    """What the judge sees; everybody of the population stands in each class that fits them, or once in none."""
    kept = [(row, labels) for row, labels in rows if labels is not None]
    shown = [{**row, **_texts(labels)} for row, labels in kept]
    domains = {"disease": sorted({row["disease"] for row in case.rows})}
    if case.population is None:
        return Scene(shown, QUASI, case.rows, case.unit, None, domains)
    classes = {tuple(label.text for label in labels): labels for _, labels in kept}
    people: list[Row] = []
    for person in case.population:
        fits = [
            labels for labels in classes.values() if all(person[n] in labels[c].leaves for c, n in enumerate(QUASI))
        ]
        people += [_texts(labels) for labels in fits] or [dict.fromkeys(QUASI, "nowhere")]
        assert len(fits) <= 1 or "delta-presence" not in case.guarantees[0]
    return Scene(shown, QUASI, case.rows, case.unit, people, domains)


def _texts(labels: tuple[Label, ...]) -> Row:
    return {name: labels[c].text for c, name in enumerate(QUASI)}


def holds(case: Case, scene: Scene) -> bool:
    entries = exact([next(iter(entry.items())) for entry in case.guarantees])
    return all(keeps(name, params, value) for name, params in entries for value in measure(name, params, scene))


def root_rows(case: Case) -> list[tuple[Row, tuple[Label, ...] | None]]:
    """The trivial release: the root in every cell."""
    labels = tuple(Label("*", frozenset(case.paths[name])) for name in QUASI)
    return [(row, labels) for row in case.rows]


Run = Callable[[Table, TableRequest], TableDecision]


def require_good(case: Case, run: Run, full_domain: bool = False) -> TableDecision | None:
    """The answer publishes every row, keeps what is promised and costs no more than the root; it comes out twice."""
    table = table_of(case)
    trivial = root_rows(case)
    try:
        answer = run(table, case.request)
    except CannotGuarantee:
        assert not holds(case, scene_of(case, trivial))
        return None
    rows = published_rows(case, table, answer.recoding)
    assert holds(case, scene_of(case, rows))
    suppressed = sum(labels is None for _, labels in rows)
    assert suppressed <= int(case.limit * len(rows) + 1e-9)
    assert suppressed < len(rows)
    loss = loss_of(case, rows)
    # Where the root fails, what is suppressed may cost more: also in columns of one value, which the root leaves whole.
    assert 0 <= loss <= (loss_of(case, trivial) if holds(case, scene_of(case, trivial)) else 1)
    assert answer.cost == pytest.approx(float(loss), abs=1e-9)
    assert (answer.levels is not None) == full_domain
    assert publish(table, answer.recoding).suppressed_rows == suppressed
    again = run(table_of(case), case.request).recoding
    assert again.labels == answer.recoding.labels
    for name in ("codes", "combination", "rows", "suppressed"):
        assert np.array_equal(getattr(again, name), getattr(answer.recoding, name))
    return answer
