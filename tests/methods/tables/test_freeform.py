"""Freeform generalisation conceals everybody, by the word of all perfect matchings and of many drawn ones."""

from collections import Counter
from dataclasses import replace
from itertools import permutations
from math import log, sqrt
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pyarrow as pa
import pytest
from tests.methods.tables.recoded import Case, published_rows, random_case, table_of, with_population
from tests.runs.planned import form_of, protect_plan, protected, write_plan

import tacit
from tacit.data.tables.counting import TallyRequest, tally_from
from tacit.data.tables.hierarchy import Hierarchy
from tacit.data.tables.published import publish
from tacit.data.tables.table import Table
from tacit.data.tables.tally import SensitiveTally
from tacit.engines.duckdb import DuckDB
from tacit.errors import BadParameter, CannotGuarantee
from tacit.guarantees.k_anonymity import KAnonymity
from tacit.guarantees.k_concealment import KConcealment
from tacit.methods.tables._freeform import improve as improving
from tacit.methods.tables._freeform import publish as publishing
from tacit.methods.tables._freeform.design import Design, rings
from tacit.methods.tables._freeform.matching import draw_owners
from tacit.methods.tables._freeform.prices import COVERING, DOUBLED
from tacit.methods.tables._local.paths import trace
from tacit.methods.tables._local.pieces import Pieces
from tacit.methods.tables._local.verdict import loss_of
from tacit.methods.tables.freeform import METHOD, Freeform
from tacit.plan.load import load_plan
from tacit.randomness.stream import RandomBits
from tacit.request import TableDecision, TableRequest
from tacit.runs.run import Outcome
from tacit.runs.tables.check import check_file

pytestmark = pytest.mark.slow

Labels = Literal["nodes", "sets"]
LABELS: tuple[Labels, ...] = ("nodes", "sets")
ERROR = 1e-9


def case_of(seed: int, k: int, rows: int | None = None) -> Case:
    """A random table with at least k rows, at most `rows`."""
    generator = np.random.default_rng([seed, k])
    case = random_case(generator, [{"k-concealment": {"k": k}}])
    while len(case.rows) < k:
        case = random_case(generator, case.guarantees)
    return case if rows is None else replace(case, rows=case.rows[: max(rows, k)])


def run(case: Case, labels: Labels, bits: RandomBits | None = None, **more: Any) -> TableDecision:
    answer: TableDecision = METHOD.run(
        table_of(case),
        case.request,
        Freeform(labels=labels, turns=8, sweeps=2, **more),
        bits or RandomBits.from_seed(7),
    )
    return answer


def candidates(case: Case, answer: TableDecision) -> list[int]:
    """For each person the rows that some perfect matching gives the person, by trying all."""
    shown = [labels for _, labels in published_rows(case, table_of(case), answer.recoding)]
    names = list(case.paths)
    people = range(len(shown))

    def fits(person: int, row: int) -> bool:
        labels = shown[row]
        assert labels is not None
        return all(case.rows[person][name] in label.leaves for name, label in zip(names, labels, strict=True))

    fit = [[fits(person, row) for row in people] for person in people]
    used = {
        (person, row)
        for matching in permutations(people)
        if all(fit[person][matching[person]] for person in people)
        for person, row in enumerate(matching)
    }
    return [sum(owner == person for owner, _ in used) for person in people]


@pytest.mark.parametrize("labels", LABELS)
@pytest.mark.parametrize("seed", range(6))
def test_everybody_has_k_candidates_by_all_matchings(seed: int, labels: Labels) -> None:
    k = 2 + seed % 2
    case = case_of(seed, k, rows=6)
    assert min(candidates(case, run(case, labels))) >= k


@pytest.mark.parametrize("labels", LABELS)
@pytest.mark.parametrize("seed", range(8))
def test_labels_cover_their_own_people_and_the_loss_is_told(seed: int, labels: Labels) -> None:
    case = case_of(seed, 2 + seed % 4)
    answer = run(case, labels)
    for row, found in published_rows(case, table_of(case), answer.recoding):
        assert found is not None
        assert all(row[name] in label.leaves for name, label in zip(case.paths, found, strict=True))
    table = table_of(case)
    published = publish(table, answer.recoding)
    assert published.rows == len(case.rows)
    assert answer.cost == pytest.approx(loss_of(table, answer.recoding), abs=1e-12)


def frame(case: Case) -> pa.Table:
    return pa.table({name: [row[name] for row in case.rows] for name in case.rows[0]})


def dataset(case: Case) -> Any:
    tree = {name: {"role": "quasi-identifier"} for name in case.paths}
    return tacit.read(frame(case), {**tree, "disease": "sensitive"})


@pytest.mark.parametrize("labels", LABELS)
@pytest.mark.parametrize("seed", range(4))
def test_whole_releases_hold_and_tell_the_truth_about_risk(seed: int, labels: Labels) -> None:
    case = case_of(seed, 3)
    made = tacit.protect(
        dataset(case), [tacit.KConcealment(k=3)], method="tables/freeform", parameters={"labels": labels, "turns": 8}
    )
    release = made.release
    assert release.holds
    assert release.promises[0].measured >= 3
    assert release.body.risk_after.prosecutor_highest <= 1 / 3
    assert release.body.metrics["risk"] == release.body.risk_after.prosecutor_highest
    assert release.body.risk_after.people == len(case.rows)
    assert release.body.risk_after.unique == 0
    assert sum(one.people for one in release.body.risk_after.sizes) == len(case.rows)
    assert sum(release.body.risk_after.distribution) == pytest.approx(1)


PEOPLE = [
    {"name": f"n{i}", "zip": str(1000 + i), "age": str(20 + 3 * i), "ill": ["flu", "cold"][i % 2], "n": str(i)}
    for i in range(9)
]


def planned(folder: Path) -> Outcome[Any, Any]:
    release = {
        "guarantees": [{"k-concealment": {"k": 3}}],
        "method": "tables/freeform",
        "parameters": {"labels": "sets"},
    }
    path = write_plan(folder, form_of(release=release), PEOPLE)
    with DuckDB() as engine:
        return protect_plan(load_plan(path), engine)


def test_a_written_release_is_checked_against_the_raw_table(tmp_path: Path) -> None:
    outcome = planned(tmp_path)
    assert outcome.release.holds
    assert outcome.release.body.classes > len(PEOPLE) / 3
    plan = load_plan(tmp_path / "plan.yaml")
    with DuckDB() as engine:
        source = replace(plan.dataset.source, path=outcome.output)
        checked = check_file(plan, source, engine)
        assert checked.promises[0].measured == outcome.release.promises[0].measured
        assert checked.risk.prosecutor_highest <= 1 / 3
        # The same rows with one label too fine: the row is that person's and no one else's.
        lines = outcome.output.read_text(encoding="utf-8").splitlines()
        cells = lines[1].split(",")
        broken = tmp_path / "broken.csv"
        rest = outcome.output.read_text(encoding="utf-8").partition("\n")[2].partition("\n")[2]
        flat = ",".join([PEOPLE[0]["zip"], PEOPLE[0]["age"], *cells[-2:]])
        broken.write_text(f"{lines[0]}\n{flat}\n{rest}", encoding="utf-8")
        found = check_file(plan, replace(source, path=broken), engine)
        assert not found.holds
        assert found.promises[0].measured == 1
        assert found.risk.prosecutor_highest == 1
        # And a file in which most people have no row.
        few = [f"{one['zip']},{one['age']},flu,0" for one in PEOPLE[:5] for _ in range(2)][:9]
        broken.write_text("\n".join([lines[0], *few]) + "\n", encoding="utf-8")
        assert check_file(plan, replace(source, path=broken), engine).promises[0].measured == 0


def test_other_methods_can_conceal_too() -> None:
    case = case_of(3, 3)
    for method in ("tables/lattice", "tables/mondrian"):
        made = tacit.protect(dataset(case), [tacit.KConcealment(k=3)], method=method)
        alike = tacit.protect(dataset(case), [tacit.KAnonymity(k=3)], method=method)
        assert made.release.body.metrics["loss"] == alike.release.body.metrics["loss"]
        assert made.release.promises[0].measured == alike.release.promises[0].measured >= 3


def regular(design: Design, k: int) -> None:
    units = np.arange(design.combination.size)
    assert all(np.array_equal(np.sort(slot), units) for slot in design.member)
    assert all(len(set(design.member[:, label].tolist())) == k for label in range(units.size))


@pytest.mark.parametrize("k", [2, 3, 5])
def test_designs_stay_regular_and_never_get_worse(k: int) -> None:
    generator = np.random.default_rng(k)
    case = replace(case_of(k, k), rows=[row for seed in range(8) for row in case_of(k, k).rows])
    table, paths = table_of(case), trace(table_of(case))
    classes = np.arange(table.tally.combinations) % 2
    rows = table.tally.rows
    while min(np.bincount(classes, rows, 2)) < k:
        classes = generator.integers(0, 2, rows.size)
    for labels in LABELS:
        design = rings(Pieces(np.arange(rows.size), classes, rows), k)
        regular(design, k)
        prices, steps = improving.kind_of(labels, table, paths)
        bits, losses = RandomBits.from_seed(1), []
        for _ in range(3):
            owner = draw_owners(design.member, bits)
            losses.append(loss_of(table, publishing.recode(table, paths, design, owner, (labels, bits))))
            improving.improve(design, prices, steps, k, generator)
            regular(design, k)
        assert losses == sorted(losses, reverse=True)


@pytest.mark.parametrize("labels", LABELS)
@pytest.mark.parametrize("secret", [True, False])
def test_prices_forbid_doubled_members_and_rows_that_read_suppressed(secret: bool, labels: Labels) -> None:
    """Label i has the people i and i + 1 of (1, x), (1, y), (2, y); each column in which two differ loses a half."""
    frame = pa.table({"a": ["1", "1", "2"], "b": ["x", "y", "y"], "rows": pa.array([1, 1, 1], pa.int64())})
    tally = tally_from(frame, TallyRequest(("a", "b")))
    if secret:
        ill = SensitiveTally("ill", ("flu",), np.arange(3), np.zeros(3, np.int64), tally.people, np.array([3]))
        tally = replace(tally, sensitive={"ill": ill})
    flat = {"a": [["1", "*"], ["2", "*"]], "b": [["x", "*"], ["y", "*"]]}
    table = Table.of(tally, tuple(Hierarchy.from_paths(name, paths) for name, paths in flat.items()))
    design = rings(Pieces(np.arange(3), np.zeros(3, dtype=np.int64), tally.rows), 2)
    prices, found = improving.kind_of(labels, table, trace(table))[0], np.empty((3, 3))
    prices(design, 0, np.arange(3), found)
    everything = 1.0 if secret else 1.0 + COVERING
    twice = DOUBLED
    assert found.tolist() == [[0.5, twice, 0.5], [everything, 0.5, twice], [twice, 0.5, everything]]


def test_people_alike_in_large_classes_rest() -> None:
    design = rings(Pieces(np.array([0, 1, 2]), np.array([0, 1, 1]), np.array([20, 3, 2])), 3)
    regular(design, 3)
    assert int((~design.moving).sum()) == 20 - 2 * 3
    alike = design.combination[design.member[:, ~design.moving]]
    assert (alike == 0).all()


def least_loss_of_pairs(case: Case, labels: Labels) -> float:
    """The least loss with k = 2: each label covers person i and whoever follows, in the best of all derangements."""
    people, table = range(len(case.rows)), table_of(case)
    weight = {name: float(table.weights[c]) for c, name in enumerate(case.paths)}

    def cell(name: str, values: set[str]) -> float:
        paths = case.paths[name]
        if labels == "sets":
            return (len(values) - 1) / max(len(paths) - 1, 1)
        above = [
            {leaf for leaf in paths if paths[leaf][level] == label} for level, label in enumerate(paths[min(values)])
        ]
        return (len(next(leaves for leaves in above if values <= leaves)) - 1) / max(len(paths) - 1, 1)

    def lost(i: int, j: int) -> float:
        return sum(weight[name] * cell(name, {case.rows[i][name], case.rows[j][name]}) for name in case.paths)

    pair = [[lost(i, j) for j in people] for i in people]
    found = [
        sum(pair[i][matching[i]] for i in people)
        for matching in permutations(people)
        if all(matching[i] != i for i in people)
    ]
    return min(found) / len(people)


@pytest.mark.parametrize("labels", LABELS)
@pytest.mark.parametrize("seed", range(6))
def test_with_two_candidates_the_least_loss_is_found(seed: int, labels: Labels) -> None:
    """A regular graph of degree 2 is one matching and another, and the first may be numbered as it stands."""
    case = case_of(seed + 20, 2, rows=6)
    answer = run(case, labels)
    assert answer.cost == pytest.approx(least_loss_of_pairs(case, labels), abs=1e-12)


def ring_of(people: int, k: int, copies: int) -> np.ndarray[Any, np.dtype[np.int64]]:
    """Rings side by side, each drawn by itself."""
    start = people * np.repeat(np.arange(copies), people)
    step = np.tile(np.arange(people), copies)
    return np.array([start + (step + slot) % people for slot in range(k)])


def shares(member: np.ndarray[Any, Any], owner: np.ndarray[Any, Any], people: int) -> np.ndarray[Any, Any]:
    """`[slot, label of a ring]`: how often, over the rings, the label was published for its member in the slot."""
    k, labels = member.shape
    chosen = (member == owner).reshape(k, labels // people, people)
    assert (chosen.sum(axis=0) == 1).all()
    share: np.ndarray[Any, Any] = chosen.mean(axis=1)
    return share


@pytest.mark.parametrize(("people", "k"), [(2, 2), (5, 3), (5, 5), (9, 4)])
def test_the_true_row_is_any_of_its_k_with_the_same_chance(people: int, k: int) -> None:
    """Hoeffding (1963): a mean of N coins is further than t from its chance with probability at most 2 exp(-2 N t²)."""
    copies = 40_000
    member = ring_of(people, k, copies)
    owner = draw_owners(member, RandomBits.from_seed(k))
    assert np.array_equal(np.sort(owner), np.arange(owner.size))
    allowed = sqrt(log(2 * people * k / ERROR) / (2 * copies))
    assert np.abs(shares(member, owner, people) - 1 / k).max() <= allowed
    # Published for the person after whom it was made, each label gives its owner away.
    identity = member[0]
    assert np.abs(shares(member, identity, people) - 1 / k).max() > allowed
    # A first slot that is taken a fifth too often is found out, as twice the tolerance is less than that.
    assert 2 * allowed < 0.2 / k
    often = np.repeat(np.random.default_rng(0).random(copies) < 0.2 / (k - 1), people)
    assert np.abs(shares(member, np.where(often, identity, owner), people) - 1 / k).max() > allowed


def test_cycles_are_drawn_apart() -> None:
    """Where two slots make two cycles, both come out alike half the time, not always."""
    copies = 20_000
    cycles = np.array([[0, 1, 2, 3], [1, 0, 3, 2]])
    bridge = np.array([[2, 3, 0, 1]])
    base = np.repeat(4 * np.arange(copies), 4)
    member = np.concatenate([cycles, bridge])[:, np.tile(np.arange(4), copies)] + base
    owner = draw_owners(member, RandomBits.from_seed(3)).reshape(copies, 4) % 4
    first, second = owner[:, 0], owner[:, 2]
    both = (first < 2) & (second >= 2)
    # The pair of slots 0 and 1 is drawn with chance 1/3; then the cycles agree with chance 1/2. With a pair of 2 and
    # another slot there are other cycles, and rows of both kinds come out unless slot 2 is not taken.
    kinds = Counter(zip(first[both].tolist(), second[both].tolist(), strict=True))
    assert set(kinds) == {(0, 2), (0, 3), (1, 2), (1, 3)}
    allowed = sqrt(log(2 * 4 / ERROR) / (2 * copies))
    assert abs(kinds[0, 3] / copies - 1 / 12) <= allowed
    assert abs(kinds[1, 2] / copies - 1 / 12) <= allowed


def pairs_of(copies: int) -> tuple[Table, Design]:
    """Side by side: two people x alike and two others, p and q; two labels cover x and p, two x and q."""
    values = [f"{copy}{kind}" for copy in range(copies) for kind in "pqx"]
    case = Case(
        rows=[{"age": v, "zip": "0", "job": "0", "disease": "flu"} for v in values for _ in range(1 + (v[-1] == "x"))],
        paths={"age": {v: [v, "*"] for v in values}, "zip": {"0": ["0", "*"]}, "job": {"0": ["0", "*"]}},
        guarantees=[],
        limit=0,
        weights={"age": 1.0, "zip": 1.0, "job": 1.0},
    )
    table = table_of(case)
    place = {value: i for i, value in enumerate(table.tally.values[0])}
    combination = np.array([place[f"{copy}{kind}"] for copy in range(copies) for kind in "pqxx"])
    base = np.repeat(4 * np.arange(copies), 4)
    p, q, one, other = range(4)
    member = np.array([[p, other, q, one], [one, p, other, q]])[:, np.tile(np.arange(4), copies)] + base
    return table, Design(combination, member, np.ones(combination.size, dtype=np.bool_))


@pytest.mark.parametrize("mixed", [True, False])
def test_which_row_of_a_combination_gets_which_label_is_drawn(mixed: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """The engine deals rows out in the order of the file, so the portions of x must stand in random order."""
    copies = 3000
    table, design = pairs_of(copies)
    if not mixed:
        monkeypatch.setattr(publishing, "permutation", lambda size, bits: np.arange(size))
    bits = RandomBits.from_seed(5)
    # Label 0 is always x's, label 2 too: one covers p, the other q.
    owner = np.concatenate([4 * c + np.array([2, 0, 3, 1]) for c in range(copies)])
    recoding = publishing.recode(table, trace(table), design, owner, ("sets", bits))
    names = np.array(table.tally.values[0])[table.tally.codes[0]]
    x = np.char.endswith(names[recoding.combination], "x")
    labels = np.array(recoding.labels[0])[recoding.codes[0, x]].reshape(copies, 2)
    share = np.mean([("p" in first) for first, _ in labels])
    allowed = sqrt(log(2 / ERROR) / (2 * copies))
    assert bool(abs(share - 1 / 2) <= allowed) is mixed


def test_the_operating_system_draws_unless_bits_are_given() -> None:
    """Seven people are no classes of three, so labels differ; forty draws are all alike with chance 3**-39 at most."""
    case = Case(
        rows=[{"age": age, "zip": "0", "job": "0", "disease": "flu"} for age in "1234567"],
        paths={"age": {age: [age, "*"] for age in "1234567"}, "zip": {"0": ["0", "*"]}, "job": {"0": ["0", "*"]}},
        guarantees=[{"k-concealment": {"k": 3}}],
        limit=0,
        weights={"age": 1.0, "zip": 1.0, "job": 1.0},
    )
    same = [run(case, "sets", RandomBits.from_seed(2)).recoding for _ in range(2)]
    assert np.array_equal(same[0].codes, same[1].codes)
    assert np.array_equal(same[0].combination, same[1].combination)
    assert len({str(run(case, "sets", RandomBits.from_os()).recoding.codes) for _ in range(40)}) > 1
    plain = METHOD.run(table_of(case), case.request, Freeform(turns=8, sweeps=2, labels="sets"))
    assert plain.cost == run(case, "sets").cost


def test_a_row_of_nothing_but_stars_does_not_pass_for_a_suppressed_one() -> None:
    """Everybody differs in everything: all labels are roots, as one class without a sensitive column may be."""
    rows = pa.table({"a": ["1", "2", "3", "4"], "b": ["w", "x", "y", "z"]})
    flat = {"role": "quasi-identifier", "hierarchy": {"tree": {"*": ["1", "2", "3", "4"]}}}
    data = tacit.read(rows, {"a": flat, "b": {**flat, "hierarchy": {"tree": {"*": ["w", "x", "y", "z"]}}}})
    made = tacit.protect(data, [tacit.KConcealment(k=2)], method="tables/freeform")
    assert made.release.body.metrics["loss"] == 1
    mixed = pa.table({"a": ["1", "2", "3", "4", "1", "1"], "b": ["w", "x", "y", "z", "w", "w"]})
    some = tacit.protect(
        replace(data, source=tacit.read(mixed, {"a": flat, "b": flat}).source),
        [tacit.KConcealment(k=2)],
        method="tables/freeform",
    )
    assert some.release.holds


def test_what_can_not_be_kept_is_refused() -> None:
    case = case_of(1, 2)
    table, ask = table_of(case), TableRequest((KConcealment(k=2),))
    with pytest.raises(BadParameter, match=r"tables/freeform can't give k-anonymity; it gives k-concealment"):
        tacit.protect(dataset(case), [tacit.KAnonymity(k=2)], method="tables/freeform")
    with pytest.raises(BadParameter, match="promise k-concealment only"):
        METHOD.run(table, TableRequest((KAnonymity(k=2),)), Freeform())
    with pytest.raises(BadParameter, match="has one objective, loss, but precision is asked for"):
        METHOD.run(table, replace(ask, objective="precision"), Freeform())
    with pytest.raises(BadParameter, match="knows no population; leave the population out"):
        METHOD.run(table_of(with_population(np.random.default_rng(1), case)), ask, Freeform())
    with pytest.raises(BadParameter, match="keeps no minimum or maximum level"):
        METHOD.run(replace(table, most=(0, 0, 0)), ask, Freeform())
    with pytest.raises(CannotGuarantee, match="fewer than 99 people"):
        METHOD.run(table, TableRequest((KConcealment(k=99),)), Freeform())


def test_a_value_called_missing_is_not_taken_for_a_missing_one(tmp_path: Path) -> None:
    """Sets write a missing value as a word; one that is a value too would read as both, and nobody would be found."""
    jobs = ("missing", "", "nurse", "cook", "missing", "nurse", "cook", "")
    rows = [{"job": job, "age": str(i % 3)} for i, job in enumerate(jobs)]
    columns = {"job": {"role": "quasi-identifier"}, "age": {"role": "quasi-identifier"}}
    release = {
        "guarantees": [{"k-concealment": {"k": 2}}],
        "method": "tables/freeform",
        "parameters": {"labels": "sets"},
    }
    outcome = protected(write_plan(tmp_path, form_of(columns, release), rows))
    (found,) = outcome.release.promises
    assert found.holds
    assert found.measured >= 2
