"""Freeform generalisation where people have several rows conceals people, by the word of all perfect matchings.

Covers methods/tables/freeform.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from math import log, sqrt
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pyarrow as pa
import pytest
from tests.methods.tables.recoded import Case, loss_of, published_rows, random_case, table_of
from tests.oracle.matchings import fewest_people, used_pairs
from tests.runs.planned import compare_plan, form_of, protect_plan, write_plan

import tacit
from tacit.engines.duckdb import DuckDB
from tacit.errors import BadParameter, CannotGuarantee
from tacit.guarantees.k_anonymity import KAnonymity
from tacit.methods.tables._freeform import answer as answering
from tacit.methods.tables._freeform import publish as publishing
from tacit.methods.tables._freeform import sheets as sheeting
from tacit.methods.tables._freeform.layers import in_layers
from tacit.methods.tables._freeform.sheets import Start, in_sheets
from tacit.methods.tables._local.pieces import Pieces, pieces_in
from tacit.methods.tables.freeform import METHOD, Freeform
from tacit.methods.tables.mondrian import Mondrian, partition
from tacit.plan.load import load_plan
from tacit.randomness.stream import RandomBits
from tacit.request import TableDecision, TableRequest
from tacit.runs.candidates import ComparisonRequest
from tacit.runs.tables.check import check_file

pytestmark = pytest.mark.slow

Labels = Literal["nodes", "sets"]
LABELS: tuple[Labels, ...] = ("nodes", "sets")
ERROR = 1e-9


def case_of(seed: int, k: int, rows: int | None = None, alike: bool = False) -> Case:
    """A random table of at most `rows` and at least k people, some with several rows, which may be `alike`."""
    generator = np.random.default_rng([seed, k, alike])
    while True:
        case = random_case(generator, [{"k-concealment": {"k": k}}], unit=True)
        case = replace(case, rows=case.rows[:rows])
        if alike:
            own = {row["person"]: row for row in case.rows}
            case = replace(case, rows=[own[row["person"]] for row in case.rows])
        if k <= len({row["person"] for row in case.rows}) < len(case.rows):
            return case


def run(case: Case, labels: Labels, bits: RandomBits | None = None) -> TableDecision:
    answer: TableDecision = METHOD.run(
        table_of(case), case.request, Freeform(labels=labels, turns=8, sweeps=2), bits or RandomBits.from_seed(7)
    )
    return answer


def people_of(case: Case, answer: TableDecision) -> list[int]:
    """For the rows of everybody the people that k-concealment is about, by trying all matchings."""
    shown = [labels for _, labels in published_rows(case, table_of(case), answer.recoding)]
    names = list(case.paths)

    def fits(row: int, label: int) -> bool:
        labels = shown[label]
        assert labels is not None
        return all(case.rows[row][name] in one.leaves for name, one in zip(names, labels, strict=True))

    every = range(len(shown))
    used = used_pairs([[fits(row, label) for label in every] for row in every])
    owner = [row["person"] for row in case.rows]
    return [fewest_people(used, {row}, owner, owner) for row in every]


@pytest.mark.parametrize("labels", LABELS)
@pytest.mark.parametrize("alike", [False, True])
@pytest.mark.parametrize("seed", range(6))
def test_everybody_is_concealed_among_k_people_by_all_matchings(seed: int, alike: bool, labels: Labels) -> None:
    k = 2 + seed % 2
    case = case_of(seed, k, rows=7, alike=alike)
    assert min(people_of(case, run(case, labels))) >= k


def test_who_counts_rows_is_caught() -> None:
    """The same tables with each row taken for a person: in most of them somebody is then concealed among fewer."""
    caught = 0
    for seed in range(12):
        case = case_of(seed, 2 + seed % 2, rows=6, alike=seed % 2 == 0)
        blind = run(replace(case, unit=None), "sets")
        caught += min(people_of(case, blind)) < 2 + seed % 2
    assert caught >= 6


def starts_of(case: Case, k: int) -> Iterator[Start]:
    """Both ways to begin, from the classes of Mondrian."""
    table = table_of(case)

    def find(part: Any) -> Pieces:
        return pieces_in(partition(part, TableRequest((KAnonymity(k=k),)), Mondrian()).recoding)

    yield in_sheets(find(table), table.tally)
    yield in_layers(table, k, find)


def keys_of(case: Case) -> list[tuple[str, ...]]:
    tally = table_of(case).tally
    return [
        tuple(tally.values[c][tally.codes[c, i]] for c in range(len(tally.columns))) for i in range(tally.combinations)
    ]


@pytest.mark.parametrize("alike", [False, True])
@pytest.mark.parametrize("seed", range(12))
def test_a_sheet_holds_nobody_twice_whoever_owns_which_row(seed: int, alike: bool) -> None:
    k = 2 + seed % 3
    case = case_of(seed, k, alike=alike)
    keys = keys_of(case)
    holders = [Counter(r["person"] for r in case.rows if tuple(r[n] for n in case.paths) == key) for key in keys]
    for start in starts_of(case, k):
        total = np.zeros(len(keys), dtype=np.int64)
        for pieces in (start.free, start.settled):
            np.add.at(total, pieces.combination, pieces.rows)
        assert total.tolist() == [sum(holder.values()) for holder in holders]
        classes = zip(
            start.free.combination.tolist(), start.free.class_.tolist(), start.free.rows.tolist(), strict=True
        )
        within: dict[int, Counter[int]] = {}
        sizes: Counter[int] = Counter()
        for combination, class_, rows in classes:
            within.setdefault(int(start.sheet[class_]), Counter())[combination] += rows
            sizes[class_] += rows
        assert min(sizes.values(), default=k) >= k
        for sheet in within.values():
            for combination, rows in sheet.items():
                assert rows == 1 or max(holders[combination].values()) == 1
            owners = [person for combination in sheet for person in holders[combination]]
            assert len(owners) == len(set(owners))
        for class_ in set(start.settled.class_.tolist()):
            inside = start.settled.combination[start.settled.class_ == class_]
            assert len({person for combination in inside for person in holders[combination]}) >= k


def test_layers_use_sheets_where_rows_of_a_person_are_alike() -> None:
    """Six people with two rows each, all different: no class of two people has as many people as rows."""
    rows = [{"age": str(i // 2), "zip": "0", "job": "0", "disease": "flu", "person": str(i // 2)} for i in range(12)]
    case = Case(
        rows=rows,
        paths={"age": {str(i): [str(i), "*"] for i in range(6)}, "zip": {"0": ["0", "*"]}, "job": {"0": ["0", "*"]}},
        guarantees=[{"k-concealment": {"k": 2}}],
        limit=0,
        weights={"age": 1.0, "zip": 1.0, "job": 1.0},
        unit="person",
    )
    classes, layers = starts_of(case, 2)
    assert (int(classes.free.rows.sum()), classes.sheets) == (0, 0)
    assert (int(layers.free.rows.sum()), layers.sheets) == (12, 2)
    # In each sheet six people in a ring of pairs: every label has two of six values.
    answer = run(case, "sets")
    assert answer.cost == pytest.approx(1 / 5 / 3)
    assert min(people_of(replace(case, rows=rows[:8]), run(replace(case, rows=rows[:8]), "sets"))) >= 2


@pytest.mark.parametrize("labels", LABELS)
@pytest.mark.parametrize("seed", range(6))
def test_labels_cover_their_own_rows_and_lose_no_more_than_the_classes(seed: int, labels: Labels) -> None:
    k = 2 + seed % 3
    case = case_of(seed, k, alike=seed % 2 == 0)
    answer = run(case, labels)
    rows = published_rows(case, table_of(case), answer.recoding)
    assert answer.cost == pytest.approx(float(loss_of(case, rows)), abs=1e-12)
    params = Freeform(labels=labels, turns=0, sweeps=2)
    still = METHOD.run(table_of(case), case.request, params, RandomBits.from_seed(7))
    assert answer.cost <= still.cost + 1e-12


def frame(case: Case) -> pa.Table:
    return pa.table({name: [row[name] for row in case.rows] for name in case.rows[0]})


def dataset(case: Case) -> Any:
    tree = {name: {"role": "quasi-identifier"} for name in case.paths}
    return tacit.read(frame(case), {**tree, "disease": "sensitive", "person": "identifier"}, unit="person")


@pytest.mark.parametrize("labels", LABELS)
@pytest.mark.parametrize("seed", range(4))
def test_whole_releases_hold_in_people(seed: int, labels: Labels) -> None:
    case = case_of(seed, 3, alike=seed % 2 == 0)
    made = tacit.protect(
        dataset(case), [tacit.KConcealment(k=3)], method="tables/freeform", parameters={"labels": labels, "turns": 8}
    )
    release = made.release
    assert release.holds
    assert release.body.counted == "people"
    assert release.promises[0].measured >= 3
    assert release.body.risk_after.prosecutor_highest <= 1 / 3
    assert "person" not in made.data.column_names


def test_the_figures_of_a_release_are_those_of_all_matchings() -> None:
    """Where class sizes do not settle it, what is measured is what trying all matchings finds."""
    compared = 0
    for seed in range(30):
        case = case_of(seed, 2, rows=7)
        tree = {name: {"role": "quasi-identifier"} for name in case.paths}
        data = tacit.read(frame(case), {**tree, "disease": "sensitive", "person": "identifier"}, unit="person")
        made = tacit.protect(
            data, [tacit.KConcealment(k=2)], method="tables/freeform", parameters={"labels": "sets", "turns": 8}
        )
        if not any("number of people" in note for note in made.release.notes):
            continue
        texts = [tuple(row.values()) for row in made.data.select(list(case.paths)).to_pylist()]
        fit = [
            [all(_covers(text, row[name]) for name, text in zip(case.paths, label, strict=True)) for label in texts]
            for row in case.rows
        ]
        owner = [row["person"] for row in case.rows]
        used = used_pairs(fit)
        assert made.release.promises[0].measured == min(
            fewest_people(used, {row}, owner, owner) for row in range(len(fit))
        )
        compared += 1
        if compared == 5:
            return
    raise AssertionError(f"only {compared} releases without classes")


def _covers(text: str, value: str) -> bool:
    """Whether a published text stands for the value: all, itself, or a set that names it."""
    return text in ("*", value) or (text.startswith("{") and value in text[1:-1].split(", "))


PEOPLE = [
    {"name": f"n{i // 3}", "zip": str(1000 + i), "age": str(20 + 3 * (i // 3)), "ill": ["flu", "cold"][i % 2], "n": "0"}
    for i in range(18)
]


def planned(folder: Path, **more: Any) -> Path:
    release = {
        **more,
        "guarantees": [{"k-concealment": {"k": 3}}],
        "method": "tables/freeform",
        "parameters": {"labels": "sets"},
    }
    return write_plan(folder, {**form_of(release=release), "unit": "name"}, PEOPLE)


def test_a_written_release_is_checked_in_people(tmp_path: Path) -> None:
    """The file does not name its people; the raw table does, so rows of one person are not taken for several."""
    plan = load_plan(planned(tmp_path))
    with DuckDB() as engine:
        outcome = protect_plan(plan, engine)
        assert outcome.release.holds
        source = replace(plan.dataset.source, path=outcome.output)
        assert check_file(plan, source, engine).promises[0].measured >= 3
        # A person's three rows, published alike: the rows are 18 in classes of 3, and each person is known.
        lines = ["zip,age,ill,n"]
        for i in range(18):
            zips = ", ".join(str(1000 + i // 3 * 3 + j) for j in range(3))
            lines.append(f'"{{{zips}}}",{20 + 3 * (i // 3)},flu,0')
        broken = tmp_path / "broken.csv"
        broken.write_text("\n".join(lines) + "\n", encoding="utf-8")
        found = check_file(plan, replace(source, path=broken), engine)
        assert not found.holds
        assert found.promises[0].measured == 1
        assert found.risk.prosecutor_highest == 1


def test_a_comparison_finds_what_a_release_has(tmp_path: Path) -> None:
    with DuckDB() as engine:
        found = compare_plan(load_plan(planned(tmp_path)), engine, ComparisonRequest(methods=("freeform", "mondrian")))
    free, classes = found.comparison.rows
    assert free.failed is None
    assert classes.failed is None
    assert free.guarantees[0].measured >= 3
    assert free.metrics["loss"] < classes.metrics["loss"]


def test_a_release_that_links_the_rows_of_a_person_is_refused(tmp_path: Path) -> None:
    """By a pseudonym candidates could be intersected; refused before anything is counted."""
    plan = load_plan(planned(tmp_path, treatments=[{"method": "columns/pseudonym", "columns": ["name"]}]))
    with DuckDB() as engine, pytest.raises(BadParameter, match="which rows are one person's"):
        protect_plan(plan, engine)
    with DuckDB() as engine:
        found = compare_plan(plan, engine, ComparisonRequest(methods=("freeform",)))
    assert "which rows are one person's" in str(found.comparison.rows[0].failed)


COPIES = 2_000


def side_by_side() -> tuple[Case, Start]:
    """Copies of five people, of whom x has two rows: rings of x, y, z in one sheet and of u, v, x in another."""
    rows = [
        {"age": f"{copy:05}{kind}", "zip": "0", "job": "0", "disease": "flu", "person": f"{copy}{kind}"}
        for copy in range(COPIES)
        for kind in "uvxxyz"
    ]
    flat = {"zip": {"0": ["0", "*"]}, "job": {"0": ["0", "*"]}}
    case = Case(
        rows=rows,
        paths={"age": {row["age"]: [row["age"], "*"] for row in rows}, **flat},
        guarantees=[{"k-concealment": {"k": 2}}],
        limit=0,
        weights={"age": 1.0, "zip": 1.0, "job": 1.0},
        unit="person",
    )
    u, v, x, y, z = (5 * np.arange(COPIES) + kind for kind in range(5))
    class_ = np.concatenate([np.tile(np.arange(COPIES), 3), np.tile(COPIES + np.arange(COPIES), 3)])
    free = Pieces(np.concatenate([x, y, z, u, v, x]), class_, np.ones(6 * COPIES, dtype=np.int64))
    nothing = Pieces(*(np.empty(0, dtype=np.int64) for _ in range(3)))
    return case, Start(free, np.repeat([0, 1], COPIES), nothing)


def published_for_x(seed: int) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """For each copy: whether the first row of x in the file was published from the ring of y and z, and whether the
    label that x has from there is that with y."""
    case, start = side_by_side()
    table = table_of(case)
    paths, params = answering.trace(table), Freeform(labels="sets", turns=0)
    design = answering.designed(table, paths, (start, 2), params, case.request)
    recoding = answering.published(table, paths, (start, design), params, RandomBits.from_seed(seed))
    mine = np.flatnonzero(recoding.combination % 5 == 2)
    texts = np.array(recoding.labels[0])[recoding.codes[0, mine]].reshape(COPIES, 2)
    kinds = [[{one[-1] for one in text.strip("{}").split(", ")} - {"x"} for text in pair] for pair in texts.tolist()]
    first = np.array([pair[0] <= {"y", "z"} for pair in kinds])
    with_y = np.array([{"y"} in pair for pair in kinds])
    assert all((pair[0] <= {"y", "z"}) != (pair[1] <= {"y", "z"}) for pair in kinds)
    return first, with_y


@pytest.mark.parametrize("broken", [None, "draw_owners", "permutation"])
def test_which_row_goes_to_which_sheet_and_label_is_drawn(broken: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both are fair coins, thrown apart; without the one draw or the other, one of them is no coin."""
    if broken == "draw_owners":
        monkeypatch.setattr(answering, "draw_owners", lambda member, bits: member[0])
    if broken == "permutation":
        monkeypatch.setattr(publishing, "permutation", lambda size, bits: np.arange(size))
    first, with_y = published_for_x(13)
    allowed = sqrt(log(2 * 3 / ERROR) / (2 * COPIES))
    shares = [
        abs(float(share.mean()) - chance) for share, chance in ((first, 0.5), (with_y, 0.5), (first & with_y, 0.25))
    ]
    assert (max(shares) <= allowed) is (broken is None)


def test_nobody_is_refused_for_having_many_rows() -> None:
    """One person with most of the rows: no sheet can hold them, and all go to classes."""
    rows = [{"age": str(i % 4), "zip": "0", "job": "0", "disease": "flu", "person": "p"} for i in range(80)]
    rows += [{"age": str(i), "zip": "0", "job": "0", "disease": "flu", "person": f"q{i}"} for i in range(4)]
    case = Case(
        rows=rows,
        paths={"age": {str(i): [str(i), "*"] for i in range(4)}, "zip": {"0": ["0", "*"]}, "job": {"0": ["0", "*"]}},
        guarantees=[{"k-concealment": {"k": 5}}],
        limit=0,
        weights={"age": 1.0, "zip": 1.0, "job": 1.0},
        unit="person",
    )
    assert run(case, "sets").cost == pytest.approx(1 / 3)
    with pytest.raises(CannotGuarantee, match="fewer than 6 people"):
        run(replace(case, guarantees=[{"k-concealment": {"k": 6}}]), "nodes")


def test_first_fit_gives_sheets_that_nobody_uses_yet() -> None:
    """Keys 0 and 1 share person 0, keys 1 and 2 person 1; key 3 wants two sheets, key 4 more than there are."""
    starts, person = np.array([0, 1, 3, 4, 5, 6]), np.array([0, 0, 1, 1, 0, 1])
    words = sheeting.first_fit(starts, person, np.array([1, 1, 1, 2, sheeting.SHEETS]))
    assert words.tolist() == [0b1, 0b10, 0b1, 0b1100, 0]
    assert sheeting.bits_of(words)[:4].astype(int).tolist() == [
        [1, 0, 1, 0, 0],
        [0, 1, 0, 0, 0],
        [0, 0, 0, 1, 0],
        [0, 0, 0, 1, 0],
    ]
