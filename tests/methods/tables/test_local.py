"""Local recoding keeps every promise on random tables, by the word of a judge that shares no code with it.

Covers methods/tables/local, _local/params, tables/read_back.
"""

import sys
from collections import defaultdict
from dataclasses import replace
from functools import partial
from subprocess import run as run_process
from typing import Any, Literal

import numpy as np
import pyarrow as pa
import pytest
from tests.methods.tables.recoded import (
    GUARANTEES,
    POPULATION,
    QUASI,
    Case,
    published_rows,
    random_case,
    require_good,
    table_of,
    with_population,
)

from tacit.data.tables.counting import TallyRequest, tally_from
from tacit.data.tables.published import publish
from tacit.data.tables.table import Table
from tacit.data.tables.tally import Census
from tacit.errors import BadParameter, CannotGuarantee
from tacit.guarantees.catalogue import parse_table_guarantee
from tacit.methods.tables._local.params import share_of_search
from tacit.methods.tables.lattice import Lattice, search_lattice
from tacit.methods.tables.local import METHOD, Local
from tacit.request import TableDecision, TableRequest
from tacit.runs.tables.read_back import require_tellable

pytestmark = pytest.mark.slow


TABLES = 2
Labels = Literal["nodes", "sets"]
LABELS: tuple[Labels, ...] = ("nodes", "sets")


def run(table: Table, request: TableRequest, **params: Any) -> TableDecision:
    answer: TableDecision = METHOD.run(table, request, Local(**{"sweeps": 3, "tries": 20, **params}))
    return answer


def larger(generator: np.random.Generator, case: Case, rows: int) -> Case:
    """The same case with many rows, some of which are frequent, so that combinations are split."""
    picked = generator.integers(0, len(case.rows), rows) // generator.integers(1, 3, rows)
    mixed = [
        {name: case.rows[i][name] for i, name in zip(picked[[r, r - 1, r - 2]], QUASI, strict=True)}
        for r in range(rows)
    ]
    full = [{**row, "disease": case.rows[i]["disease"]} for row, i in zip(mixed, picked, strict=True)]
    return replace(case, rows=full)


def require_exact_labels(case: Case, answer: TableDecision, labels: Labels) -> None:
    """Each class is labelled with the least ancestors, or the sets, of the values that its rows have."""
    classes: dict[tuple[Any, ...], list[dict[str, str]]] = defaultdict(list)
    for row, found in published_rows(case, table_of(case), answer.recoding):
        if found is not None:
            classes[found].append(row)
    for found, rows in classes.items():
        for c, name in enumerate(QUASI):
            values = {row[name] for row in rows}
            paths = case.paths[name]
            above = [
                frozenset(leaf for leaf, path in paths.items() if path[level] == label)
                for level, label in enumerate(paths[rows[0][name]])
            ]
            least = next(leaves for leaves in above if values <= leaves)
            assert found[c].leaves == (least if labels == "nodes" else values)


@pytest.mark.parametrize("labels", LABELS)
@pytest.mark.parametrize("name", GUARANTEES)
def test_keeps_every_guarantee_with_exact_labels(name: str, labels: Labels) -> None:
    generator = np.random.default_rng([1, len(name), ord(name[0])])
    answered = 0
    for _ in range(TABLES):
        case = random_case(generator, GUARANTEES[name])
        for each in (case, larger(generator, case, 40)):
            answer = require_good(each, partial(run, labels=labels))
            if answer is not None:
                require_exact_labels(each, answer, labels)
                answered += 1
    assert answered > 0


@pytest.mark.parametrize("name", GUARANTEES)
def test_loses_no_more_than_the_full_domain_optimum(name: str) -> None:
    generator = np.random.default_rng([2, len(name), ord(name[0])])
    answered = 0
    for _ in range(3 * TABLES):
        case = random_case(generator, GUARANTEES[name])
        table, request = table_of(case), TableRequest(case.request.guarantees)
        try:
            optimum = search_lattice(table, request, Lattice()).cost
        except CannotGuarantee:
            continue
        answered += 1
        answer = run(table, request)
        assert answer.cost is not None
        assert optimum is not None
        assert answer.cost <= optimum + 1e-12
    assert answered > 0


def test_splits_combinations_for_k_anonymity_alone() -> None:
    generator = np.random.default_rng(3)
    split = {"k3": 0, "distinct": 0}
    for name in split:
        for _ in range(2 * TABLES):
            case = larger(generator, random_case(generator, GUARANTEES[name]), 80)
            answer = require_good(case, run)
            assert answer is not None
            split[name] += np.unique(answer.recoding.combination).size < answer.recoding.combination.size
    assert split["k3"] > 0
    assert split["distinct"] == 0


def test_sweeps_only_gain() -> None:
    generator = np.random.default_rng(4)
    gained = 0
    for _ in range(2 * TABLES):
        case = larger(generator, random_case(generator, GUARANTEES["k3"]), 300)
        costs = [run(table_of(case), TableRequest(case.request.guarantees), sweeps=n).cost for n in (0, 1, 8)]
        assert costs[0] >= costs[1] - 1e-12
        assert costs[1] >= costs[2] - 1e-12
        gained += costs[0] > costs[2] + 1e-9
    assert gained > 0


def test_threads_change_nothing_and_nothing_is_compiled_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    from tacit.methods.tables._local import sweep, threads

    case = larger(np.random.default_rng(5), random_case(np.random.default_rng(5), GUARANTEES["k3"]), 200)
    many = run(table_of(case), case.request).recoding
    monkeypatch.setattr(threads, "processors", lambda: 1)
    one = run(table_of(case), case.request).recoding
    assert one.labels == many.labels
    assert np.array_equal(one.codes, many.codes)
    kernels = [found for found in vars(sweep).values() if hasattr(found, "signatures")]
    assert {kernel.__name__ for kernel in kernels} >= {"set_board", "find_regions", "best_cover", "rebuild", "gather"}
    assert all(
        len(kernel.signatures) <= 1 for kernel in kernels if not kernel.__name__.startswith(("enter", "measure"))
    )


def test_suppresses_what_stands_in_the_way_where_the_whole_table_fails() -> None:
    diverse = [{"age": "1", "zip": "a", "job": "j", "disease": d} for d in ("flu", "cold") * 3]
    uniform = [{"age": "9", "zip": "b", "job": "j", "disease": "flu"}] * 20
    paths = {
        "age": {age: [age, "*"] for age in ("1", "9")},
        "zip": {zip_: [zip_, "*"] for zip_ in ("a", "b")},
        "job": {"j": ["j", "*"]},
    }
    case = Case(diverse + uniform, paths, GUARANTEES["entropy"], 0.8, dict.fromkeys(QUASI, 1.0))
    answer = run(table_of(case), case.request)
    assert [labels is None for _, labels in published_rows(case, table_of(case), answer.recoding)] == [
        row["age"] == "9" for row in case.rows
    ]
    with pytest.raises(CannotGuarantee, match="l-diversity reaches 1"):
        run(table_of(case), replace(case, limit=0.5).request)


def bare(case: Case) -> Table:
    """The table of a case without its sensitive column."""
    rows = pa.table({name: [row[name] for row in case.rows] for name in QUASI})
    table = table_of(case)
    tally = tally_from(rows.append_column("rows", pa.array([1] * len(case.rows), pa.int64())), TallyRequest(QUASI))
    return Table(tally, table.hierarchies, table.weights, table.least, table.most)


def test_no_class_reads_like_suppressed_rows() -> None:
    generator = np.random.default_rng(6)
    for _ in range(10 * TABLES):
        case = random_case(generator, GUARANTEES["k3"])
        table = bare(case)
        published = publish(table, run(table, case.request).recoding)
        require_tellable(published)
        assert published.released.people.settled.min() >= 3


@pytest.mark.parametrize(("limit", "suppressed", "loss"), [(0.0, 0, 1.0), (0.5, 2, 0.5)])
def test_rows_that_have_nothing_in_common_are_suppressed_or_spoil_all(
    limit: float, suppressed: int, loss: float
) -> None:
    rows = [dict.fromkeys((*QUASI, "disease"), value) for value in ("a", "a", "b", "c")]
    paths = {name: {value: [value, "*"] for value in ("a", "b", "c")} for name in QUASI}
    case = Case(rows, paths, GUARANTEES["k"], limit, dict.fromkeys(QUASI, 1.0))
    answer = run(bare(case), case.request)
    assert publish(bare(case), answer.recoding).suppressed_rows == suppressed
    assert answer.cost == pytest.approx(loss)


def test_sets_name_a_missing_value() -> None:
    rows = [{"age": "1", "zip": zip_, "job": "j", "disease": "flu"} for zip_ in ("", "b")]
    paths = {"age": {"1": ["1", "*"]}, "zip": {z: [z, "*"] for z in ("", "b", "c")}, "job": {"j": ["j", "*"]}}
    case = Case(rows, paths, GUARANTEES["k"], 0.0, dict.fromkeys(QUASI, 1.0))
    answer = require_good(case, partial(run, labels="sets"))
    assert answer is not None
    assert answer.recoding.labels == (("1",), ("{missing, b}",), ("j",))


@pytest.mark.parametrize("most", [1, 2, 3])
def test_tables_of_hardly_any_rows(most: int) -> None:
    generator = np.random.default_rng(13)
    for name in GUARANTEES:
        case = random_case(generator, GUARANTEES[name])
        require_good(replace(case, rows=case.rows[:most]), run)


def test_nothing_moves_where_every_combination_is_a_class() -> None:
    case = random_case(np.random.default_rng(14), GUARANTEES["k3"])
    answer = require_good(replace(case, rows=[row for row in case.rows for _ in range(3)]), run)
    assert answer is not None
    assert answer.cost == 0


def test_refuses_a_table_without_rows() -> None:
    case = random_case(np.random.default_rng(15), GUARANTEES["k"])
    table = table_of(case)
    nobody = table.tally.rows[:0]
    empty = replace(table.tally, codes=table.tally.codes[:, :0], rows=nobody, people=Census(nobody), sensitive={})
    with pytest.raises(CannotGuarantee, match="has no rows"):
        run(replace(table, tally=empty), case.request)


def test_an_impossible_guarantee_names_what_can_be_reached() -> None:
    case = random_case(np.random.default_rng(7), GUARANTEES["k"])
    request = TableRequest((parse_table_guarantee({"k-anonymity": {"k": 50}}),), 1.0)
    with pytest.raises(CannotGuarantee, match=f"reaches {len(case.rows)}"):
        run(table_of(case), request)


def test_classes_of_many_people_are_not_swept() -> None:
    case = larger(np.random.default_rng(8), random_case(np.random.default_rng(8), GUARANTEES["k"]), 200)
    told: list[str] = []
    for k, swept in ((20, True), (21, False)):
        told.clear()
        run(table_of(case), TableRequest((parse_table_guarantee({"k-anonymity": {"k": k}}),), progress=told.append))
        assert any(state.startswith("sweep") for state in told) == swept


@pytest.mark.parametrize("compiled", [True, False])
def test_the_compiler_is_told_of_only_where_it_may_be_needed(compiled: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    case = random_case(np.random.default_rng(8), GUARANTEES["k"])
    told: list[str] = []
    monkeypatch.setattr("tacit.methods.tables._local.ahead.is_all_compiled", lambda: compiled)
    monkeypatch.setattr("tacit.methods.tables._local.ahead.begin_compiling", lambda: None)
    run(table_of(case), TableRequest((parse_table_guarantee({"k-anonymity": {"k": 2}}),), progress=told.append))
    assert told[0] == ("starting the search" if compiled else "starting the search, which the first run compiles")


def test_a_search_ends_by_its_turns_or_by_its_time() -> None:
    assert share_of_search(Local(), 0.3, 1000.0) == 0.3
    assert share_of_search(Local(seconds=10.0), 0.3, 9.0) == 0.9
    assert share_of_search(Local(seconds=10.0), 0.3, 1.0) == 0.3


@pytest.mark.parametrize("name", ["presence", "presence from"])
def test_refuses_presence(name: str) -> None:
    generator = np.random.default_rng(9)
    case = with_population(generator, random_case(generator, POPULATION[name]))
    with pytest.raises(BadParameter, match=r"labels overlap.*take tables/mondrian"):
        run(table_of(case), case.request)
    assert "delta-presence" not in METHOD.guarantees


def test_refuses_a_promise_that_is_not_about_classes() -> None:
    case = random_case(np.random.default_rng(10), [{"k-concealment": {"k": 2}}])
    with pytest.raises(BadParameter, match="can't give k-concealment; it gives guarantees about each class"):
        run(table_of(case), case.request)


def test_refuses_levels_objectives_and_too_many_combinations(monkeypatch: pytest.MonkeyPatch) -> None:
    case = random_case(np.random.default_rng(11), GUARANTEES["distinct"])
    table = table_of(case)
    for limits in ({"least": (1, 0, 0)}, {"most": (0, 0, 0)}):
        with pytest.raises(BadParameter, match="keeps no minimum or maximum level"):
            run(replace(table, **limits), case.request)
    with pytest.raises(BadParameter, match="has one objective, loss, but precision is asked for"):
        run(table, replace(case.request, objective="precision"))
    monkeypatch.setattr("tacit.methods.tables._compiled.MOST_LEVELS", 0)
    with pytest.raises(BadParameter, match="at most 0 levels"):
        run(table, case.request)
    monkeypatch.undo()
    monkeypatch.setattr("tacit.methods.tables.local.MOST_MERGED", 1)
    with pytest.raises(BadParameter, match="unless only numbers of people are promised"):
        run(table, case.request)
    run(table, replace(case, guarantees=GUARANTEES["k"]).request)


def test_the_card_does_not_import_the_compiler() -> None:
    code = "import sys; from tacit.catalogue import methods; methods()['tables/local']; print('numba' in sys.modules)"
    done = run_process([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


def test_merging_many_combinations_is_expected_to_take_long() -> None:
    case = random_case(np.random.default_rng(12), GUARANTEES["k"])
    table, secret = table_of(case), replace(case, guarantees=GUARANTEES["entropy"])
    assert METHOD.expected(table, case.request) < METHOD.expected(table, secret.request) < 1
    many = replace(table, tally=replace(table.tally, rows=np.ones(90_000, dtype=np.int64)))
    assert METHOD.expected(many, case.request) < 10 < 200 < METHOD.expected(many, secret.request)
