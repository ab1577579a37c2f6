"""Tables of counts from a plan: what is written, and that an enumerating reader can't deduce a small count.

Covers cli/tabulate, counts/file, counts/kind, counts/process, counts/tabulate, counts/task, counts/suppressed,
cards/counts.
"""

import csv
import json
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, reject, settings
from hypothesis import strategies as st
from tests.examples import examples
from tests.runs.planned import form_of, write_plan

from tacit import read, tabulate
from tacit.cli.tabulate import COMMAND
from tacit.cli.terminal import setting
from tacit.engines.duckdb import DuckDB
from tacit.errors import BadData, BadParameter, CannotGuarantee, PolicyRefused
from tacit.evidence.counts import counted_words
from tacit.methods.counts.suppression import SmallCells, SuppressedTable
from tacit.plan.load import load_plan
from tacit.release.counts import CountsBody
from tacit.runs.counts.file import cells_of, read_table, require_hidden, write_table
from tacit.runs.counts.kind import KIND
from tacit.runs.counts.process import WrittenCounts
from tacit.runs.counts.task import CountsTask
from tacit.runs.run import Outcome
from tacit.verbs.plans import Tabulation, tabulate_plan

ROLES: dict[str, Any] = {
    "who": {"role": "identifier"},
    "town": {"role": "quasi-identifier", "hierarchy": {"tree": {"all": {"north": ["a", "b"], "south": ["c"]}}}},
    "ill": {"role": "sensitive"},
}


def people(counts: Mapping[tuple[str, ...], int]) -> list[dict[str, str]]:
    """So many people of each town and illness, each with a name."""
    pairs = [pair for pair, number in counts.items() for _ in range(number)]
    return [{"who": f"p{i}", "town": town, "ill": ill} for i, (town, ill) in enumerate(pairs)]


def write_cells(table: SuppressedTable, path: Path) -> None:
    """The table in its file, whether it is safe or not."""
    with DuckDB(threads=1) as engine:
        write_table(engine, cells_of(table, "rows", guard=False), path, guard=False)


def made(folder: Path, rows: Sequence[Mapping[str, str]], *by: str, **more: Any) -> Outcome[CountsBody, WrittenCounts]:
    """The table of these people."""
    plan = load_plan(write_plan(folder, form_of(ROLES, **more.pop("form", {})), rows))
    with DuckDB() as engine:
        task = CountsTask(by or ("town", "ill"), SmallCells(**more), plan.release.guard_formulas)
        return KIND.tabulate(plan, engine, task)


def cells(path: Path) -> dict[tuple[str, ...], str]:
    """What the file says of each cell."""
    with path.open(encoding="utf-8", newline="") as file:
        _, *rows = csv.reader(file)
    return {tuple(row[:-1]): row[-1] for row in rows}


def possible(published: Mapping[tuple[str, ...], str], zeros: bool = False) -> dict[tuple[str, ...], set[int]]:
    """All values that hidden cells of a table of two sides may have, by trying every whole inner table.

    A town or illness that is listed occurs; no other hidden cell is empty unless `zeros` may be hidden.
    """
    rows, columns = (list(dict.fromkeys(key[i] for key in published if key[i] != "total")) for i in (0, 1))
    hidden = [(r, c) for r, c in product(rows, columns) if published[r, c] == "*"]
    sums = [[published[key] for key in ((r, "total"), ("total", c), ("total", "total"))] for r, c in hidden]
    guesses = [range(min(int(cell) for cell in above if cell != "*") + 1) for above in sums]
    found: dict[tuple[str, ...], set[int]] = {key: set() for key, cell in published.items() if cell == "*"}
    for guess in product(*guesses):
        inner = {(r, c): int(published[r, c]) for r, c in product(rows, columns) if published[r, c] != "*"}
        inner |= dict(zip(hidden, guess, strict=True))
        table: dict[tuple[str, ...], int] = {**inner} | {(r, "total"): sum(inner[r, c] for c in columns) for r in rows}
        table |= {("total", c): sum(inner[r, c] for r in rows) for c in columns}
        table["total", "total"] = sum(inner.values())
        sure = [key for key in found if not zeros or "total" in key]
        if all(table[key] for key in sure) and all(c in ("*", str(table[key])) for key, c in published.items()):
            for key in found:
                found[key].add(table[key])
    return found


@pytest.mark.slow
@settings(examples(25), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.integers(0, 4), min_size=4, max_size=4), st.integers(2, 3), st.booleans())
def test_a_reader_who_tries_every_table_is_left_in_doubt(
    tmp_path: Path, inner: list[int], threshold: int, zeros: bool
) -> None:
    threshold = 3 if zeros else threshold
    counts: dict[tuple[str, ...], int] = dict(zip(product("ab", ("flu", "gout")), inner, strict=True))
    assume(sum(inner))
    try:
        found = made(tmp_path, people(counts), threshold=threshold, zeros=zeros)
    except CannotGuarantee:
        reject()
    published = cells(found.output)
    towns, ills = ({pair[i] for pair, number in counts.items() if number} for i in (0, 1))
    assert {key for key in published if "total" not in key} == set(product(towns, ills))
    if len(towns) == len(ills) == 2:
        for key, values in possible(published, zeros).items():
            truth = counts.get(key, -1)
            if 0 < truth < threshold:
                assert {max(truth - 1, 0 if zeros else 1), truth + 1} <= values
    assert all(cell == "*" or not 0 < int(cell) < threshold for cell in published.values())


COUNTS: dict[tuple[str, ...], int] = {
    ("a", "flu"): 9,
    ("a", "gout"): 2,
    ("b", "flu"): 8,
    ("b", "gout"): 7,
    ("c", "flu"): 6,
    ("c", "gout"): 9,
}


@pytest.mark.slow
def test_the_file_has_every_cell_and_its_evidence_names_no_small_one(tmp_path: Path) -> None:
    found = made(tmp_path, people(COUNTS))
    published = cells(found.output)
    assert published["total", "total"] == "41"
    assert published["a", "gout"] == "*"
    assert sum(cell == "*" for cell in published.values()) == 4
    shown = {key: int(cell) for key, cell in published.items() if cell != "*"}
    assert all(number == COUNTS[key] for key, number in shown.items() if "total" not in key)
    facts = json.loads(found.evidence.read_text(encoding="utf-8"))["body"]
    assert (facts["total"], facts["cells"], facts["left_out"]) == (41, 12, 4)
    assert not {"small", "partners", "cost", "bound", "primary"} & set(facts)


@pytest.mark.slow
def test_a_table_whose_small_count_could_be_deduced_is_not_published(tmp_path: Path) -> None:
    found = made(tmp_path, people(COUNTS))
    params = SmallCells()
    careless: SuppressedTable = replace(found.made.table, secondary=np.zeros_like(found.made.table.secondary))
    for table, fails in ((found.made.table, False), (careless, True)):
        path = tmp_path / f"written-{fails}.csv"
        write_cells(table, path)
        seen = read_table(path, table.margins.axes)
        if fails:
            with pytest.raises(CannotGuarantee, match="could be deduced"):
                require_hidden(seen, table, params)
        else:
            require_hidden(seen, table, params)


ONES: dict[tuple[str, ...], int] = dict.fromkeys(product("abc", ("flu", "gout")), 1)


@pytest.mark.parametrize("zeros", [False, True])
def test_as_many_people_as_values_are_not_left_out_together(tmp_path: Path, zeros: bool) -> None:
    """Five illnesses of one person each: those that are listed occur, so stars for all would tell every one."""
    rows = [{"who": f"p{i}", "town": "a", "ill": ill} for i, ill in enumerate(["flu", "gout", "mumps", "cold", "rash"])]
    with pytest.raises(CannotGuarantee, match="keeps every small count uncertain by at least 1"):
        made(tmp_path, rows, "ill", zeros=zeros)
    assert not (tmp_path / "people.counts.csv").exists()


@pytest.mark.slow
def test_a_file_whose_stars_are_all_one_is_told_from_what_it_lists(tmp_path: Path) -> None:
    """Two towns with two illnesses each, nine people elsewhere: four stars that add up to four. The twin takes 0 for
    possible and lets it pass."""
    rows = people({**ONES, ("c", "flu"): 9, ("c", "gout"): 9})
    found = made(tmp_path, rows, threshold=2)
    assert found.made.table.secondary.any()
    careless: SuppressedTable = replace(found.made.table, secondary=np.zeros_like(found.made.table.secondary))
    path = tmp_path / "ones.csv"
    write_cells(careless, path)
    told = possible(cells(path))
    assert len(told) == 4
    assert all(values == {1} for values in told.values())
    seen = read_table(path, careless.margins.axes)
    with pytest.raises(CannotGuarantee, match="could be deduced"):
        require_hidden(seen, careless, SmallCells(threshold=2))
    require_hidden(seen, careless, SmallCells.model_construct(threshold=2, zeros=True))


def test_a_star_for_an_empty_cell_is_not_published_unless_zeros_may_be(tmp_path: Path) -> None:
    found = made(tmp_path, people({("a", "flu"): 9, ("a", "gout"): 9, ("b", "flu"): 9}))
    starred = replace(found.made.table, secondary=found.made.table.margins.counts == 0)
    path = tmp_path / "starred.csv"
    write_cells(starred, path)
    seen = read_table(path, starred.margins.axes)
    with pytest.raises(CannotGuarantee, match="not what was decided"):
        require_hidden(seen, starred, SmallCells())
    require_hidden(seen, starred, SmallCells(zeros=True))


@pytest.mark.slow
def test_a_file_that_shows_a_small_count_is_not_published(tmp_path: Path) -> None:
    found = made(tmp_path, people(COUNTS))
    open_ = replace(found.made.table, primary=np.zeros_like(found.made.table.primary))
    path = tmp_path / "open.csv"
    write_cells(open_, path)
    with pytest.raises(CannotGuarantee, match="not what was decided"):
        require_hidden(read_table(path, open_.margins.axes), open_, SmallCells())


@pytest.mark.slow
def test_the_command_that_makes_it_again_hides_the_same_cells(tmp_path: Path) -> None:
    plan = load_plan(write_plan(tmp_path, form_of(ROLES), people({("a", "x"): 20, ("b", "x"): 7, ("b", "y"): 30})))
    with DuckDB() as engine:
        task = CountsTask(("town", "ill"), SmallCells(threshold=10, cost="cells", zeros=True))
        outcome = KIND.tabulate(plan, engine, task, tmp_path / "my table.csv")
    verb, *words = shlex.split(outcome.release.recipe.command)[1:]
    again = tmp_path / "again.csv"
    asked = COMMAND.make_context(verb, [str(plan.path), *words[1:], "-o", str(again)]).params
    assert words[-2:] == ["-o", "my table.csv"]
    assert SmallCells(**dict(map(setting, asked["settings"]))) == task.params
    assert tabulate_plan(plan.path, Tabulation(asked["by"], dict(map(setting, asked["settings"]))), again)
    assert again.read_text() == (tmp_path / "my table.csv").read_text()
    page = (tmp_path / "my table.report.html").read_text()
    assert "--set threshold=10 --set zeros=true --set cost=cells" in page
    assert "as it was before protection" not in page


def test_levels_of_a_hierarchy_are_counted_in_its_order(tmp_path: Path) -> None:
    published = cells(made(tmp_path, people(COUNTS), "town@1").output)
    assert published == {("north",): "26", ("south",): "15", ("total",): "41"}


@pytest.mark.slow
def test_people_are_counted_once_and_refused_where_they_stand_in_two_cells(tmp_path: Path) -> None:
    rows = [row for row in people(COUNTS) for _ in range(3)]
    found = made(tmp_path, rows, form={"unit": "who"})
    assert cells(found.output)["total", "total"] == "41"
    assert found.release.body.counted == "people"
    moved = [*rows, {**rows[0], "town": "c"}]
    with pytest.raises(BadParameter, match="several cells"):
        made(tmp_path, moved, form={"unit": "who"})


def test_missing_values_and_a_value_called_total_have_names(tmp_path: Path) -> None:
    rows = people({("a", ""): 6, ("a", "total"): 7, ("b", "flu"): 8})
    published = cells(made(tmp_path, rows, "ill").output)
    assert published == {("(missing)",): "6", ("flu",): "8", ("total",): "7", ("all",): "21"}


@pytest.mark.slow
def test_formulas_are_guarded_where_the_plan_says_so(tmp_path: Path) -> None:
    rows = people({("a", "=1+1"): 6, ("a", "flu"): 7})
    assert ("=1+1",) in cells(made(tmp_path, rows, "ill").output)
    guarded = cells(made(tmp_path, rows, "ill", form={"release": {"guard_formulas": True}}).output)
    assert ("'=1+1",) in guarded


@pytest.mark.parametrize(
    ("by", "says"),
    [
        (("who",), "is an identifier"),
        (("city",), "found 'city'"),
        (("town", "town@1"), "named twice"),
        (("town@7",), "levels 0 to 2"),
    ],
)
def test_sides_that_can_not_be_are_refused(tmp_path: Path, by: tuple[str, ...], says: str) -> None:
    with pytest.raises(BadParameter, match=says):
        made(tmp_path, people(COUNTS), *by)


def test_nothing_takes_the_place_of_the_data(tmp_path: Path) -> None:
    plan = load_plan(write_plan(tmp_path, form_of(ROLES), people(COUNTS)))
    with DuckDB() as engine:
        for name, kind in (("people.csv", PolicyRefused), ("table.parquet", BadParameter)):
            with pytest.raises(kind):
                KIND.tabulate(plan, engine, CountsTask(("town",), SmallCells()), tmp_path / name)


def test_a_table_of_nothing_but_small_counts_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CannotGuarantee, match="nothing can be published"):
        made(tmp_path, people({("a", "flu"): 3}), "ill")
    assert not (tmp_path / "people.counts.csv").exists()


@pytest.mark.slow
def test_too_many_small_counts_are_refused_before_the_search(tmp_path: Path) -> None:
    rows = [{"who": f"p{i}", "town": "abc"[i % 3], "ill": f"i{i}"} for i in range(600)]
    with pytest.raises(BadParameter, match="counts are below 5"):
        made(tmp_path, rows)


@pytest.mark.slow
def test_the_same_in_python(tmp_path: Path) -> None:
    made(tmp_path, people(COUNTS))
    found = tabulate(read(tmp_path / "people.csv", ROLES), ["town", "ill"], threshold=3)
    assert found.lines()[0] == ["town", "flu", "gout", "total"]
    assert int(found.primary.sum()) == 1


@pytest.mark.slow
def test_a_file_that_changes_meanwhile_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import tacit.runs.counts.process as module

    write = module.write_table

    def meddled(*given: Any) -> None:
        write(*given)
        with (tmp_path / "people.csv").open("a", encoding="utf-8") as file:
            file.write("p99,a,flu\n")

    monkeypatch.setattr(module, "write_table", meddled)
    with pytest.raises(BadData, match="changed while it was read"):
        made(tmp_path, people(COUNTS))
    assert not (tmp_path / "people.counts.csv").exists()


def test_columns_that_differ_in_capitals_from_the_counts_get_along_with_them(tmp_path: Path) -> None:
    table = made(tmp_path, people(COUNTS), "town").made.table
    renamed = replace(table, margins=replace(table.margins, axes=(replace(table.margins.axes[0], name="Rows"),)))
    path = tmp_path / "capitals.csv"
    write_cells(renamed, path)
    with path.open(encoding="utf-8", newline="") as file:
        assert next(csv.reader(file)) == ["Rows", "rows_"]


def test_one_row_is_not_called_rows() -> None:
    body = CountsBody(by=("town",), counted="rows", total=1, cells=2, left_out=0)
    assert counted_words(body) == "1 row"
    assert counted_words(body.model_copy(update={"total": 5000, "counted": "people"})) == "5,000 people"
