"""A sample in a plan: who is drawn, that the rest of the run is as if only they were in the file, what is written.

Covers methods/*/sample, tables/count, steps/sample.
"""

import re
from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from math import log, sqrt
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.examples import examples
from tests.randomness.tolerance import frequencies_fit
from tests.runs.planned import Row, form_of, protected, rows_in, write_plan

import tacit
from tacit.arrays import BoolArray
from tacit.catalogue import find_method, methods
from tacit.data.dataset import Dataset
from tacit.data.sources.source import Source
from tacit.engines.duckdb import DuckDB
from tacit.engines.engine import Engine
from tacit.errors import BadData, BadParameter, CannotGuarantee
from tacit.plan.schema import SampleSection
from tacit.randomness.stream import RandomBits
from tacit.release.release import Release
from tacit.release.tables import DrawnRows
from tacit.runs.run import Outcome
from tacit.runs.tables.count import count
from tacit.runs.tables.steps.sample import _kept, share_of

ERROR = 1e-9
ROLES: dict[str, Any] = {
    "name": {"role": "identifier"},
    "age": {"role": "quasi-identifier", "hierarchy": {"intervals": [5, 10, 20], "from": 20, "to": 59}},
    "town": {
        "role": "quasi-identifier",
        "hierarchy": {"tree": {"south": ["Ulm", "Hof"], "north": ["Kiel", "Bonn", "Emden"]}},
    },
    "ill": {"role": "sensitive"},
    "n": {"role": "insensitive"},
}
OF_CHANCE = "tables/freeform"
TABLE_METHODS = [name for name in methods() if find_method(name).kind == "tables" and name != OF_CHANCE]


def people(number: int = 600) -> list[dict[str, str]]:
    chosen = np.random.default_rng(11)
    return [
        {
            "name": f"name-{i}",
            "age": str(chosen.integers(20, 60)),
            "town": str(chosen.choice(["Ulm", "Hof", "Kiel", "Bonn", "Emden"])),
            "ill": str(chosen.choice(["flu", "cold", "hiv"], p=[0.6, 0.3, 0.1])),
            "n": str(i),
        }
        for i in range(number)
    ]


def made(folder: Path, release: dict[str, Any], rows: list[dict[str, str]], **more: Any) -> Outcome[Any, Any]:
    folder.mkdir(exist_ok=True)
    return protected(write_plan(folder, form_of(ROLES, release, **more), rows))


def notes(release: Release) -> str:
    return " ".join(release.notes)


@pytest.mark.slow
@pytest.mark.parametrize(("sample", "size"), [({"size": 37}, 37), ({"share": 0.3}, 180), ({"share": 1}, 600)])
def test_so_many_rows_are_drawn_and_stand_in_their_order(tmp_path: Path, sample: dict[str, Any], size: int) -> None:
    rows = people()
    outcome = made(tmp_path, {"sample": sample}, rows)
    shown = rows_in(outcome.output)
    places = [int(row["n"]) for row in shown]
    assert len(shown) == size
    assert places == sorted(set(places))
    assert all(row["ill"] == rows[place]["ill"] for row, place in zip(shown, places, strict=True))
    release = outcome.release
    assert release.body.drawn == DrawnRows(rows=size, of_rows=600, share=size / 600, weight=600 / size)
    assert (release.input.rows, release.output.rows) == (600, size)
    assert release.body.risk_after.people == size


def several(number: int) -> list[dict[str, str]]:
    """People of one to three rows each, interleaved."""
    return [row for times in range(3) for i, row in enumerate(people(number)) if i % 3 >= times]


@pytest.mark.slow
def test_a_drawn_person_keeps_all_rows(tmp_path: Path) -> None:
    rows = several(300)
    of_person = Counter(row["n"] for row in rows)
    outcome = made(tmp_path, {"sample": {"share": 0.2}}, rows, unit="name")
    shown = Counter(row["n"] for row in rows_in(outcome.output))
    assert len(shown) == 60
    assert shown == {n: of_person[n] for n in shown}
    drawn = outcome.release.body.drawn
    assert drawn is not None
    assert (drawn.people, drawn.of_people, drawn.of_rows) == (60, 300, len(rows))
    assert drawn.rows == sum(shown.values())
    assert (drawn.share, drawn.weight) == (0.2, 5)
    assert outcome.release.body.risk_after.people == 60
    rows_ = f"{drawn.rows} of {len(rows)}"
    assert f"60 of 300 people was drawn (20 %) with all their rows, {rows_}" in notes(outcome.release)
    report = outcome.report.read_text(encoding="utf-8")
    assert f"60 of 300 people drawn at random (20.0\u202f%), {rows_} rows; each stands for 5 of the file" in report


@pytest.mark.slow
def test_rows_without_a_name_are_one_person(tmp_path: Path) -> None:
    """Named people are 10; with those who have no name, drawn together or not at all, 11."""
    rows = [{**row, "name": row["name"] if i < 10 else ""} for i, row in enumerate(people(40))]
    for size in (10, 11):
        outcome = made(tmp_path, {"sample": {"size": size}, "suppression": 1}, rows, unit="name")
        drawn = outcome.release.body.drawn
        assert drawn is not None
        assert drawn.of_people == 11
        assert drawn.rows in ((10, 39) if size == 10 else (40,))


def hypergeometric_fits(inside: int, part: int, size: int, number: int) -> bool:
    """Serfling (1974): of `size` drawn among `number`, those of a part keep within sqrt(size ln(2/e)/2)."""
    return abs(inside - size * part / number) <= sqrt(size * log(2 / ERROR) / 2)


@pytest.mark.slow
def test_the_draw_favours_no_place_in_the_file(tmp_path: Path) -> None:
    """Halves, every other row, and blocks of a thousand have their share; the first rows would not."""
    number, size = 20_000, 10_000
    frame = pa.table({"i": np.arange(number), "q": ["a"] * number})
    dataset = tacit.read(frame, {"i": "insensitive", "q": "quasi-identifier"})
    places = tacit.protect(dataset, [tacit.KAnonymity(k=2)], sample={"size": size}).data.column("i").to_numpy()
    parts = [np.arange(number) < number // 2, np.arange(number) % 2 == 0]
    parts += [np.arange(number) // 1000 == block for block in range(20)]
    assert all(hypergeometric_fits(int(part[places].sum()), int(part.sum()), size, number) for part in parts)
    twin = np.arange(size)
    assert not all(hypergeometric_fits(int(part[twin].sum()), int(part.sum()), size, number) for part in parts)


def asked(**parameters: float) -> SampleSection:
    return SampleSection.parse("sample", parameters)


def kept(dataset: Dataset, names: list[str], bits: RandomBits) -> BoolArray:
    engine = SimpleNamespace(cells=lambda source, columns: pa.table({"name": names}))
    return _kept(dataset, cast(Engine, engine), asked(size=2), bits, len(names)).rows


@pytest.mark.slow
@pytest.mark.parametrize("unit", [None, "name"])
def test_every_set_is_equally_likely_whoever_has_more_rows(unit: str | None) -> None:
    names = ["a", "b", "c"] if unit is None else ["a", "b", "a", "c", "a"]
    dataset = Dataset(Source("frame", frame=pa.table({"name": names})), {}, unit)
    bits, sets = RandomBits.from_seed(5), list(combinations("abc", 2))
    drawn = []
    for _ in range(1500):
        rows = kept(dataset, names, bits)
        chosen = tuple(sorted({name for name, one in zip(names, rows, strict=True) if one}))
        assert [name in chosen for name in names] == rows.tolist()
        drawn.append(sets.index(cast(tuple[str, str], chosen)))
    assert frequencies_fit(np.array(drawn), np.full(3, 1 / 3))
    # As it would be if somebody with more rows, such as a, were likelier to be drawn.
    assert not frequencies_fit(np.array(drawn), np.array([1.2, 1.2, 0.6]) / 3)


@pytest.fixture(scope="module")
def counting() -> Iterator[DuckDB]:
    with DuckDB(threads=1) as engine:
        yield engine


@examples(20)
@given(st.lists(st.tuples(st.sampled_from("abcde"), st.sampled_from("xyz")), min_size=1, max_size=20))
def test_the_share_is_that_of_different_people(counting: DuckDB, rows: list[tuple[str, str]]) -> None:
    names, cells = zip(*rows, strict=True)
    frame = pa.table({"name": names, "q": cells})
    dataset = tacit.read(frame, {"name": "identifier", "q": "quasi-identifier"}, unit="name")
    tally = count(dataset, counting)
    assert tally.people.number == len(set(names))
    assert share_of(asked(size=1), tally, "name") == 1 / len(set(names))
    assert share_of(asked(share=0.3), tally, None) == max(1, 3 * len(rows) // 10) / len(rows)


@pytest.mark.slow
@pytest.mark.parametrize("method", TABLE_METHODS)
def test_the_release_is_that_of_a_file_with_the_drawn_rows_alone(tmp_path: Path, method: str) -> None:
    """The oracle: the drawn rows written to a file of their own and protected without a sample."""
    rows = people()
    release = {"guarantees": [{"k-anonymity": {"k": 4}}], "method": method, "suppression": 0.05}
    sampled = made(tmp_path / "a", {**release, "sample": {"share": 0.2}}, rows)
    shown = rows_in(sampled.output)
    alone = made(tmp_path / "b", release, [rows[int(row["n"])] for row in shown])
    assert sampled.output.read_bytes() == alone.output.read_bytes()
    ours, theirs = sampled.release, alone.release
    assert ours.body.suppressed == theirs.body.suppressed
    assert ours.body.classes == theirs.body.classes
    assert ours.body.metrics == pytest.approx(theirs.body.metrics)
    assert ours.body.risk_after == theirs.body.risk_after
    assert [one.measured for one in ours.promises] == [one.measured for one in theirs.promises]


@pytest.mark.slow
def test_before_is_the_whole_file(tmp_path: Path) -> None:
    rows = people()
    guarantees = [{"k-anonymity": {"k": 4}}, {"t-closeness": {"t": 0.5, "distance": "equal", "column": "ill"}}]
    release = {"guarantees": guarantees, "suppression": 0.2}
    sampled = made(tmp_path / "a", {**release, "sample": {"share": 0.2}}, rows).release
    whole = made(tmp_path / "b", release, rows).release
    assert sampled.body.risk_before == whole.body.risk_before
    assert sampled.promises_before == whole.promises_before
    values = {column.name: column.distinct_before for column in whole.body.columns}
    assert {column.name: column.distinct_before for column in sampled.body.columns} == values
    assert sampled.body.suppressed.share == sampled.body.suppressed.rows / 120
    before = {column.name: sum(one.before for one in column.marginals) for column in sampled.body.columns}
    assert (before["age"], before["town"]) == (120, 120)


@pytest.mark.slow
def test_classes_are_compared_with_the_distribution_of_the_whole_file(tmp_path: Path) -> None:
    rows = people()
    guarantees = [{"k-anonymity": {"k": 4}}, {"t-closeness": {"t": 0.5, "distance": "equal", "column": "ill"}}]
    outcome = made(tmp_path, {"guarantees": guarantees, "sample": {"share": 0.2}, "suppression": 0.2}, rows)
    whole = Counter(row["ill"] for row in rows)
    classes: dict[tuple[str, str], Counter[str]] = {}
    for row in rows_in(outcome.output):
        if row["ill"] != "*":
            classes.setdefault((row["age"], row["town"]), Counter())[row["ill"]] += 1
    distances = [
        sum(abs(found[ill] / found.total() - whole[ill] / whole.total()) for ill in whole) / 2
        for found in classes.values()
    ]
    assert outcome.release.promises[1].measured == pytest.approx(max(distances))


@pytest.mark.slow
def test_a_seed_repeats_the_draw_which_then_may_not_be_published(tmp_path: Path) -> None:
    rows, release = people(), {"sample": {"size": 90}}
    first = made(tmp_path / "a", {**release, "seed": 7}, rows)
    again = made(tmp_path / "b", {**release, "seed": 7}, rows)
    other = made(tmp_path / "c", {**release, "seed": 8}, rows)
    fresh, once_more = (made(tmp_path / name, release, rows) for name in "de")
    assert first.output.read_bytes() == again.output.read_bytes()
    drawn = [{row["n"] for row in rows_in(one.output)} for one in (first, other, fresh, once_more)]
    assert all(one != two for one, two in combinations(drawn, 2))
    assert "made from a seed" in notes(first.release)
    assert "may not be published" in notes(first.release)
    assert "operating system" not in notes(first.release)
    assert "The draw came from the operating system" in notes(fresh.release)
    assert "seed" not in notes(fresh.release)


@pytest.mark.slow
def test_treatments_see_the_drawn_rows_alone(tmp_path: Path) -> None:
    treatments = [
        {"method": "columns/rounding", "columns": ["n"], "parameters": {"base": 100}},
        {
            "method": "columns/pram",
            "columns": ["ill"],
            "parameters": {"categories": ["flu", "cold", "hiv", "mumps"], "epsilon": 0.5},
        },
    ]
    rows = people()
    outcome = made(tmp_path, {"sample": {"share": 0.5}, "treatments": treatments, "seed": 3}, rows)
    shown = rows_in(outcome.output)
    assert len(shown) == 300
    assert {row["n"] for row in shown} <= {str(n) for n in range(0, 601, 100)}
    assert "mumps" in {row["ill"] for row in shown}
    text = notes(outcome.release)
    assert text.count("made from a seed") == 1
    assert "Guarantees before the release are about sensitive values before treatment" in text
    assert "before and after the release are both about the treated" not in text
    assert outcome.release.input.rows == 600


@pytest.mark.slow
def test_the_evidence_says_what_a_draw_is_worth(tmp_path: Path) -> None:
    outcome = made(tmp_path, {"sample": {"share": 0.25}}, people())
    text = notes(outcome.release)
    assert "a sample of 150 of 600 rows was drawn (25 %)" in text
    assert "multiply those of the release by 4." in text
    assert "Drawing promises nothing by itself" in text
    assert "No guarantee is relaxed" in text
    assert "Risk and guarantees before the release are about the whole file" in text
    assert "loss and the other measures are about the rows that are left" in text
    report = outcome.report.read_text(encoding="utf-8")
    assert "150 of 600 rows drawn at random" in report
    assert "each stands for 4 of the file" in report
    assert "The sample protects nobody who is known to be in it" in report
    plain = made(tmp_path, {}, people())
    assert plain.release.body.drawn is None
    assert "sample" not in notes(plain.release).lower()
    assert "drawn" not in plain.report.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("release", "reason"),
    [
        ({"sample": {"share": 0.1, "size": 5}}, "either `share` or `size`"),
        ({"sample": {}}, "either `share` or `size`"),
        ({"sample": {"share": 0}}, "share"),
        ({"sample": {"share": 1.1}}, "share"),
        ({"sample": {"size": 0}}, "size"),
        ({"sample": {"rows": 5}}, "rows"),
        ({"sample": {"size": 601}}, "a sample of 601 rows is asked for, but there are only 600"),
        ({"seed": 1}, "there is no sample or treatment that would draw from it"),
        (
            {"treatments": [{"method": "columns/sample", "columns": ["n"], "parameters": {"size": 3}}]},
            "it leaves rows out; write `sample: {share: 0.1}` under `release` instead",
        ),
    ],
)
def test_what_can_not_be_drawn_is_refused(tmp_path: Path, release: dict[str, Any], reason: str) -> None:
    with pytest.raises(BadParameter, match=re.escape(reason)):
        made(tmp_path, release, people())
    assert not (tmp_path / "people.release.csv").exists()


def test_more_people_than_there_are_can_not_be_drawn(tmp_path: Path) -> None:
    with pytest.raises(BadParameter, match="a sample of 31 people is asked for, but there are only 30"):
        made(tmp_path, {"sample": {"size": 31}}, several(30), unit="name")


def test_a_sample_that_is_too_small_for_its_promise_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CannotGuarantee):
        made(tmp_path, {"sample": {"size": 2}}, people())


@pytest.mark.slow
def test_a_file_that_changes_between_the_passes_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    picked = DuckDB.drawn

    def fewer(self: DuckDB, source: Source, rows: BoolArray) -> Source:
        return picked(self, source, rows & (np.cumsum(rows) > 1))

    monkeypatch.setattr(DuckDB, "drawn", fewer)
    with pytest.raises(BadData, match="changed while it was read"):
        made(tmp_path, {"sample": {"size": 50}}, people())


@pytest.mark.slow
def test_inferred_hierarchies_are_those_of_the_whole_file() -> None:
    """Ages 0 to 99 and a draw of twenty: whatever was drawn, labels are intervals that the whole file suggests."""
    frame = pa.table({"age": [str(i % 100) for i in range(400)]})
    dataset = tacit.read(frame, {"age": "quasi-identifier"})
    heights = {
        tacit.protect(dataset, [tacit.KAnonymity(k=2)], sample={"size": size}).release.body.columns[0].height
        for size in (400, 20, 20, 20)
    }
    assert len(heights) == 1


@pytest.mark.slow
def test_in_python_the_section_is_an_option() -> None:
    rows: list[Row] = [*people(200)]
    frame = pa.table({name: [row[name] for row in rows] for name in rows[0]})
    protected_ = tacit.protect(tacit.read(frame, ROLES), [tacit.KAnonymity(k=3)], sample={"share": 0.5})
    assert protected_.data.num_rows == 100
    assert protected_.release.recipe.plan["release"]["sample"] == {"share": 0.5}
