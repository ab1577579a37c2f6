"""Local recodings on the whole way: dealt out by the engine, read back, measured, told in the evidence.

Covers data/tables/recoding, engines/engine, data/dataset.
"""

from collections import Counter
from dataclasses import replace
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import tacit
from tacit.cards.tables import TableMethod
from tacit.data.dataset import Dataset
from tacit.data.tables.published import publish
from tacit.data.tables.recoding import Recoding
from tacit.data.tables.table import Table
from tacit.engines.duckdb import DuckDB
from tacit.engines.engine import Stars, Target
from tacit.errors import BadData, BadParameter
from tacit.guarantees.delta_presence import DeltaPresence
from tacit.guarantees.k_anonymity import KAnonymity
from tacit.guarantees.k_map import KMap
from tacit.guarantees.l_diversity import LDiversity
from tacit.params import Params
from tacit.request import TableDecision, TableRequest
from tacit.runs.tables import task
from tacit.runs.tables.count import build_table, count
from tacit.verbs.calls import source_of

ZIPS = {"tree": {"a": ["a1", "a2"], "b": ["b1", "b2"]}}
QUASI = ("zip", "age")


def people(number: int, seed: int) -> pa.Table:
    generator = np.random.default_rng(seed)
    zips = generator.choice(["a1", "a2", "b1", "b2"], number, p=[0.7, 0.1, 0.15, 0.05])
    return pa.table(
        {
            "zip": zips.tolist(),
            "age": [str(age) for age in generator.integers(20, 30, number)],
            "illness": generator.choice(["flu", "cold", "hiv"], number).tolist(),
            "number": list(range(number)),
        }
    )


def dataset(rows: pa.Table, **options: Any) -> Dataset:
    columns: dict[str, Any] = {
        "zip": {"role": "quasi-identifier", "hierarchy": ZIPS},
        "age": {"role": "quasi-identifier", "hierarchy": {"intervals": [5, 10], "from": 20, "to": 29}},
        "illness": "sensitive",
        "number": "insensitive",
        "person": "identifier",
    }
    return tacit.read(rows, {name: columns[name] for name in rows.column_names}, **options)


def sizes(rows: pa.Table) -> Counter[tuple[str, ...]]:
    return Counter(zip(*(rows.column(name).to_pylist() for name in QUASI), strict=True))


@pytest.mark.slow
@pytest.mark.parametrize("labels", ["nodes", "sets"])
def test_relaxed_release_is_dealt_out_and_keeps_k(labels: str) -> None:
    kinds = [("a1", "20")] * 40 + [("a2", "21")] * 4 + [("b1", "25")] * 40
    kinds = [kinds[i] for i in np.random.default_rng(1).permutation(len(kinds))]
    rows = pa.table({"zip": [k[0] for k in kinds], "age": [k[1] for k in kinds], "number": list(range(84))})
    options = {"method": "tables/mondrian", "parameters": {"mode": "relaxed", "labels": labels}}
    made = tacit.protect(dataset(rows), [KAnonymity(k=7)], **options)
    again = tacit.protect(dataset(rows), [KAnonymity(k=7)], **options)
    assert min(sizes(made.data).values()) >= 7
    assert made.data.equals(again.data)
    assert made.data.column("number").to_pylist() == list(range(84))
    assert made.release.body.search.levels is None
    # Four rows of a2 need three more; they are borrowed from the forty of a1, of which the others stay as they are.
    shown = Counter(zip(kinds, sizes_by_row(made.data), strict=True))
    assert shown[("a1", "20"), ("a1", "20")] == 37
    assert shown[("b1", "25"), ("b1", "25")] == 40
    assert sorted(shown.values()) == [3, 4, 37, 40]


def sizes_by_row(rows: pa.Table) -> list[tuple[str, ...]]:
    return list(zip(*(rows.column(name).to_pylist() for name in QUASI), strict=True))


@pytest.mark.slow
@pytest.mark.parametrize("method", ["tables/mondrian", "tables/specialize", "tables/cluster"])
def test_strict_release_of_every_method(method: str) -> None:
    made = tacit.protect(
        dataset(people(200, 2)), [KAnonymity(k=4), LDiversity(l=2, kind="distinct")], method=method, suppression=0.05
    )
    assert made.release.holds
    kept = made.data.filter(pa.array([zip_ != "*" or age != "*" for zip_, age in sizes_by_row(made.data)]))
    assert min(sizes(kept).values()) >= 4
    reports = {column.name: column for column in made.release.body.columns}
    assert reports["zip"].level is None
    general = set(kept.column("zip").to_pylist()) - set(people(200, 2).column("zip").to_pylist())
    hidden = "kept or hidden, class by class" if general else "kept as it is"
    assert reports["zip"].action == ("generalised class by class" if general - {"*"} else hidden)
    assert sum(marginal.after for marginal in reports["zip"].marginals) == 200 - made.release.body.suppressed.rows


@pytest.mark.slow
def test_worst_classes_are_named_by_what_the_release_shows() -> None:
    made = tacit.protect(dataset(people(60, 3)), [KAnonymity(k=5)], method="tables/mondrian")
    named = [entry.published for finding in made.release.promises for entry in finding.worst]
    rows = made.data.select(list(QUASI)).to_pylist()
    assert named
    assert all(rows.count(dict(entry)) >= 5 for entry in named)


@pytest.mark.slow
@pytest.mark.parametrize("method", ["tables/mondrian", "tables/specialize", "tables/cluster"])
def test_no_class_reads_like_suppressed_rows(method: str) -> None:
    """Without a sensitive column a class with the root everywhere can't be told from suppressed rows."""
    parameters = [{}, {"labels": "sets"}, {"mode": "relaxed"}] if method == "tables/mondrian" else [{}]
    for seed in range(6):
        rows = people(12 + 8 * seed, seed).drop_columns("illness")
        for given in parameters:
            options = {"method": method, "parameters": given, "suppression": 0.1 * (seed % 2)}
            made = tacit.protect(dataset(rows), [KAnonymity(k=3)], **options)
            starred = sizes(made.data)[("*", "*")]
            assert starred in (made.release.body.suppressed.rows, rows.num_rows)


def two_ways(table: Table) -> Recoding:
    """Half of the rows of every combination keep their values, the other half shows the root."""
    tally, hierarchies = table.tally, table.hierarchies
    number = tally.combinations
    labels = tuple((*hierarchy.leaves, "*") for hierarchy in hierarchies)
    roots = np.array([[len(hierarchy.leaves)] * number for hierarchy in hierarchies])
    half = tally.rows // 2
    return Recoding(
        columns=tally.columns,
        labels=labels,
        leaves=tuple(np.array([1] * len(h.leaves) + [len(h.leaves)]) for h in hierarchies),
        codes=np.concatenate([table.leaves, roots], axis=1).astype(np.int32),
        combination=np.concatenate([np.arange(number)] * 2),
        rows=np.concatenate([half, tally.rows - half]),
        suppressed=np.zeros(2 * number, dtype=np.bool_),
    )


def test_rows_are_dealt_out_in_the_given_numbers_and_in_order() -> None:
    data = dataset(people(101, 4))
    with DuckDB() as engine:
        table = build_table(data, count(data, engine))
        recoding = two_ways(table)
        rows = engine.recoded(data.source, table.tally, recoding, Stars(QUASI))
        frames = [engine.frame(rows, Target(("zip", "age", "number"), QUASI)) for _ in range(2)]
    assert frames[0].equals(frames[1])
    seen: dict[tuple[str, ...], list[bool]] = {}
    raw, shown = sizes_by_row(data.source.arrow), sizes_by_row(frames[0])
    for before, after in zip(raw, shown, strict=True):
        assert after in (before, ("*", "*"))
        seen.setdefault(before, []).append(after == before)
    for kept in seen.values():
        assert kept == [True] * (len(kept) // 2) + [False] * (len(kept) - len(kept) // 2)


def twins(number: int) -> pa.Table:
    """Everybody with four rows of one combination."""
    return pa.table(
        {
            "zip": [["a1", "a2"][i // 4 % 2] for i in range(4 * number)],
            "age": ["20"] * (4 * number),
            "illness": ["flu"] * (4 * number),
            "number": list(range(4 * number)),
            "person": [f"p{i // 4}" for i in range(4 * number)],
        }
    )


@pytest.mark.slow
def test_people_are_counted_in_the_file_where_a_split_hides_them(monkeypatch: pytest.MonkeyPatch) -> None:
    def run(table: Table, request: TableRequest, params: Params) -> TableDecision:
        return TableDecision(two_ways(table))

    method = TableMethod(
        title="split",
        params=Params,
        run=run,
        needs="n",
        gives="g",
        guarantees="any",
        paper="https://",
        example=Params(),
    )
    monkeypatch.setattr(task, "find_method", lambda name: method)
    data = dataset(twins(8), unit="person")
    made = tacit.protect(data, [KAnonymity(k=2)])
    # Rows stand in order, so the first half of each combination's rows is two of its four people.
    assert made.release.body.risk_after.classes == 3
    assert made.release.body.risk_after.people == 2 + 2 + 4
    assert made.release.body.metrics["risk"] == 1 / 2


def test_a_split_with_several_rows_a_person_needs_the_counted_file() -> None:
    data = dataset(twins(8), unit="person")
    with DuckDB() as engine:
        table = build_table(data, count(data, engine))
    published = publish(table, two_ways(table))
    assert published.hides_people
    assert published.released_rows.rows.sum() == 32
    with pytest.raises(BadData, match="count them in the released table itself"):
        _ = published.released
    assert replace(published, counted=table.tally).released is table.tally


@pytest.mark.slow
def test_people_of_the_population_in_suppressed_parts_fit_no_class() -> None:
    data = people(120, 5)
    outside = pa.concat_tables([people(120, 5), people(40, 6)]).select(list(QUASI))
    for method in ("tables/mondrian", "tables/specialize", "tables/cluster"):
        made = tacit.protect(dataset(data, population=outside), [KMap(k=12)], method=method, suppression=0.2)
        assert made.release.holds


def test_what_a_method_can_not_give_is_refused_before_anything_is_counted() -> None:
    rows = people(20, 7)
    data = replace(dataset(rows), source=source_of(rows.drop_columns("age")))
    with pytest.raises(BadParameter, match=r"tables/cluster can't give delta-presence; it gives alpha-k-anonymity, .*"):
        tacit.protect(data, [DeltaPresence(maximum=0.5)], method="tables/cluster")
