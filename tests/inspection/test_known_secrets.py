"""What a draft says of exact values.

Covers inspection/known_secrets, inspection/draft_treatments, cards/columns.
"""

from collections import Counter
from itertools import combinations
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from tests.runs.planned import protected, rows_in, write_data

import tacit
from tacit.catalogue import methods
from tacit.data.columns import Columns, Numbers
from tacit.data.tables.exact_cells import ExactCells
from tacit.engines.duckdb import DuckDB
from tacit.inspection import known_secrets
from tacit.inspection.draft_treatments import treatment_lines
from tacit.inspection.known_secrets import telling_columns
from tacit.methods.columns.rounding import propose_bases
from tacit.methods.columns.top_bottom_coding import propose_ends
from tacit.randomness.stream import RandomBits
from tacit.release.tables import MOST_FOUND
from tacit.runs.tables.look import look_at


def accounts(rows: int = 300, most: int = 100_000) -> list[dict[str, str]]:
    random = Random(3)
    return [
        {
            "sex": random.choice("fm"),
            "zip": random.choice(["10115", "10117", "20095"]),
            "salary": str(random.randrange(most)),
            "bonus": str(random.randrange(most)),
            "diagnosis": random.choice(["I10", "J45", "E11"]),
        }
        for _ in range(rows)
    ]


def look(folder: Path, rows: list[dict[str, str]]) -> tuple[dict[str, Any], str, str]:
    """The values, the text and the draft."""
    with DuckDB(threads=2) as engine:
        found = look_at(write_data(folder / "people.csv", rows), engine, {})
        return dict(found.values), "\n".join(found.lines), found.draft("people.csv")


def unique(rows: list[dict[str, str]], columns: tuple[str, ...]) -> int:
    return sum(many == 1 for many in Counter(tuple(row[c] for c in columns) for row in rows).values())


def uncommented(draft: str, title: str) -> str:
    """The draft with one block of treatments taken out of its comments."""
    lines, inside = [], False
    for line in draft.splitlines():
        bare = line.replace("  # ", "  ", 1)
        inside = bare.startswith(f"  treatments:  # {title}") or (inside and bare.startswith("    - "))
        lines.append(bare if inside else line)
    return "\n".join(lines)


@pytest.mark.slow
def test_text_json_and_draft_tell_it(tmp_path: Path) -> None:
    rows = accounts()
    values, text, draft = look(tmp_path, rows)
    shown = [one["name"] for one in values["columns"] if one["role"] in ("sensitive", "insensitive")]
    assert {"salary", "bonus"} <= set(shown)
    for one in values["known_values"]:
        assert one["unique"] == unique(rows, tuple(one["columns"]))
        best = max(unique(rows, columns) for columns in combinations(shown, len(one["columns"])))
        assert one["unique"] == best
    most = values["known_values"][-1]
    assert f"{most['unique']} of 300 rows" in text
    assert "anyone who knows" in text
    assert f"{most['unique']} of 300 rows" in draft
    assert yaml.safe_load(draft)["release"].get("treatments") is None


@pytest.mark.slow
def test_a_block_out_of_its_comments_runs_and_leaves_what_it_says(tmp_path: Path) -> None:
    rows = accounts()
    draft = look(tmp_path, rows)[2]
    plan = tmp_path / "people.plan.yaml"
    plan.write_text(uncommented(draft, "rounding"), encoding="utf-8")
    treated = {name for one in yaml.safe_load(plan.read_text())["release"]["treatments"] for name in one["columns"]}
    assert treated == {"salary", "bonus"}
    made = protected(plan)
    left = rows_in(made.output)
    # Suppressed rows show no sensitive value, which changes what was told.
    told = next(line for line in draft.splitlines() if "# rounding:" in line)
    if made.release.body.suppressed.rows == 0:
        names = tuple(told.split(", on ")[1].split(" and "))
        assert f" {unique(left, names)} (" in told
    before = protected(_plain(tmp_path, draft)).release.body.risk_after.telling_values
    assert before is not None
    after = max(one.share for one in made.release.body.risk_after.known_values if not one.with_class)
    assert after < before.share


def _plain(folder: Path, draft: str) -> Path:
    path = folder / "plain.plan.yaml"
    path.write_text(draft, encoding="utf-8")
    return path


@pytest.mark.slow
def test_nothing_is_proposed_where_nothing_identifies(tmp_path: Path) -> None:
    values, text, draft = look(tmp_path, accounts(most=4))
    assert all(one["share"] <= MOST_FOUND for one in values["known_values"])
    assert "anyone who knows" not in text
    assert "treatments" not in draft


@pytest.mark.slow
def test_continuous_quasi_identifiers_have_a_way_of_their_own(tmp_path: Path) -> None:
    random = np.random.default_rng(2)
    rows = [{"width": f"{a:.3f}", "height": f"{b:.3f}"} for a, b in random.normal(50, 9, size=(100, 2))]
    assert "Microaggregation, available in Python, publishes" in " ".join(
        look(tmp_path, rows)[2].replace("#", "").split()
    )
    assert "Microaggregation, available in Python, publishes" not in look(tmp_path, accounts())[2]


CODES = st.lists(st.lists(st.integers(0, 3), min_size=3, max_size=3), min_size=3, max_size=30)


@given(CODES)
def test_columns_are_telling_alone_or_in_a_pair_of_others(rows: list[list[int]]) -> None:
    codes = np.array(rows, dtype=np.int32).T
    cells = ExactCells(("a", "b", "c"), codes, (4, 4, 4), np.zeros(len(rows), dtype=np.int64))

    def many(*columns: int) -> int:
        return sum(n == 1 for n in Counter(tuple(row[c] for c in columns) for row in rows).values())

    alone = {c for c in range(3) if many(c) > MOST_FOUND * len(rows)}
    pairs = [p for p in combinations(sorted({0, 1, 2} - alone), 2) if many(*p) > MOST_FOUND * len(rows)]
    assert set(telling_columns(cells)) == alone.union(*map(set, pairs))


@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=40))
def test_proposed_bases_are_round_parts_of_the_range(numbers: list[float]) -> None:
    values = np.array([*numbers, np.nan])
    low, high = np.quantile(numbers, [0.1, 0.9])
    proposed = propose_bases(values)
    assert len(proposed) == (3 if high > low else 0)
    for one, parts in zip(proposed, (20, 10, 5), strict=False):
        assert f"{one.base:.0e}"[0] in "125"
        assert (high - low) / (2.5 * parts) * (1 - 1e-9) <= one.base <= (high - low) / parts * (1 + 1e-9)


def test_ends_are_coded_where_there_are_some() -> None:
    (ends,) = propose_ends(np.array([1.0, 2.0, np.nan]))
    assert (ends.top_share, ends.bottom_share) == (0.01, None)
    (both,) = propose_ends(np.array([-1.0, 2.0]))
    assert both.bottom_share == 0.01
    assert propose_ends(np.array([2.0, 2.0])) == ()
    assert propose_bases(np.array([np.nan])) == ()


def visits(people: int = 40, each: int = 6) -> list[dict[str, str]]:
    """People with several rows, whose salaries are near their own and far from everybody else's."""
    random = Random(8)
    return [
        {
            "patient_id": f"P{i}",
            "sex": "fm"[i % 2],
            "salary": str(20_000 + 500 * i + j),
            "diagnosis": random.choice(["I10", "J45"]),
        }
        for i in range(people)
        for j in range(each)
    ]


def found_people(salaries: list[float], rows: list[dict[str, str]]) -> int:
    """Who has a row whose salary, or salary and diagnosis, nobody else has: the worse of both, in plain Python."""
    counts = []
    for keys in (salaries, list(zip(salaries, (row["diagnosis"] for row in rows), strict=True))):
        owners: dict[Any, set[str]] = {}
        for key, row in zip(keys, rows, strict=True):
            owners.setdefault(key, set()).add(row["patient_id"])
        counts.append(len(set().union(*(who for who in owners.values() if len(who) == 1))))
    return max(counts)


@pytest.mark.slow
def test_each_proposal_tells_how_many_people_it_leaves(monkeypatch: pytest.MonkeyPatch) -> None:
    import pyarrow as pa

    rows = visits()
    frame = pa.table({name: [row[name] for row in rows] for name in rows[0]})
    proposals = tacit.inspect(frame).secrets.proposals
    assert {one.method for one in proposals} >= {"columns/microaggregate", "columns/rounding"}
    for one in proposals:
        card, (entry,) = methods()[one.method], one.entries
        before = Columns({"salary": Numbers(np.array([float(row["salary"]) for row in rows]))})
        after = card.run(before, card.params.parse(one.method, entry["parameters"]), RandomBits.from_os())["salary"]
        assert one.left is not None
        assert one.left.unique == found_people(after.values.tolist(), rows)
    assert [one.left.unique for one in proposals] == sorted(one.left.unique for one in proposals)
    monkeypatch.setattr(known_secrets, "MOST_GROUPED", len(rows) - 1)
    last = tacit.inspect(frame).secrets.proposals[-1]
    assert (last.method, last.left) == ("columns/microaggregate", None)
    lines = "\n".join(treatment_lines(tacit.inspect(frame).secrets))
    assert "was not counted" in lines


def test_in_python_an_inspection_has_them() -> None:
    import pyarrow as pa

    rows = accounts(60)
    look = tacit.inspect(pa.table({name: [row[name] for row in rows] for name in rows[0]}))
    assert look.secrets.most is not None
    assert look.secrets.most.unique == unique(rows, look.secrets.most.columns)
