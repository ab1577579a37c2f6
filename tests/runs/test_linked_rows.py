"""What joins the rows of a person, or a suppressed row to its secret, is refused or starred.

Covers runs/candidates.
"""

from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from tests.runs.planned import compare_plan, form_of, protected, rows_in, write_plan

from tacit.engines.duckdb import DuckDB
from tacit.errors import BadParameter, CannotGuarantee
from tacit.methods.columns.mask import Mask, masks
from tacit.plan.load import load_plan
from tacit.randomness.stream import RandomBits
from tacit.runs.candidates import ComparisonRequest

PAIRS = list(combinations("ABCD", 2))
VISITS = [{"who": f"p{i}", "town": town, "ill": f"{town}{i}"} for i, pair in enumerate(PAIRS) for town in pair]
"""Everybody was in two towns, nobody in the same two as another; each town saw three people."""
COLUMNS: dict[str, Any] = {
    "who": {"role": "identifier"},
    "town": {"role": "quasi-identifier"},
    "ill": {"role": "sensitive"},
}


def form(treatments: list[dict[str, Any]], unit: str | None = "who", **release: Any) -> dict[str, Any]:
    asked = {"guarantees": [{"k-anonymity": {"k": 3}}], "treatments": treatments, **release}
    return form_of(COLUMNS, asked, **({"unit": unit} if unit else {}))


PSEUDONYM = [{"method": "columns/pseudonym", "columns": ["who"]}]


@pytest.mark.slow
def test_a_pseudonym_that_joins_rows_of_several_classes_is_refused(tmp_path: Path) -> None:
    """The oracle: the towns of a pseudonym are known to the one person who was there."""
    with pytest.raises(CannotGuarantee, match="6 people have rows in several classes"):
        protected(write_plan(tmp_path, form(PSEUDONYM), VISITS))
    assert not (tmp_path / "people.release.csv").exists()
    # Without the pseudonym the same classes are published.
    assert protected(write_plan(tmp_path, form([]), VISITS)).release.holds


def test_one_person_whose_rows_are_joined_is_counted_as_one(tmp_path: Path) -> None:
    towns = {"A": ("p0", "p1", "p2"), "B": ("p0", "p3", "p4")}
    visits = [{"who": who, "town": town, "ill": who} for town, people in towns.items() for who in people]
    with pytest.raises(CannotGuarantee, match=r"^1 person has rows in several classes"):
        protected(write_plan(tmp_path, form(PSEUDONYM), visits))


def test_compare_says_so_too(tmp_path: Path) -> None:
    plan = load_plan(write_plan(tmp_path, form(PSEUDONYM), VISITS))
    with DuckDB() as engine:
        found = compare_plan(plan, engine, ComparisonRequest.parse("compare", {"methods": ["tables/lattice"]}))
    assert "several classes" in (found.comparison.rows[0].failed or "")


@pytest.mark.slow
def test_rows_of_a_person_in_one_class_may_be_joined(tmp_path: Path) -> None:
    rows = [{**row, "town": "A"} for row in VISITS]
    outcome = protected(write_plan(tmp_path, form(PSEUDONYM), rows))
    assert len({row["who"] for row in rows_in(outcome.output)}) == len(PAIRS)


@pytest.mark.parametrize("method", ["columns/pseudonym", "columns/mask", "columns/vault"])
def test_an_identifier_that_repeats_must_be_the_unit(tmp_path: Path, method: str) -> None:
    vault = {"vault_file": "vault", "key_file": "key"} if method == "columns/vault" else {}
    treatment = {"method": method, "columns": ["who"], "parameters": vault}
    with pytest.raises(BadParameter, match="names some people several times"):
        protected(write_plan(tmp_path, form([treatment], unit="row"), VISITS))


def test_the_unit_is_not_masked(tmp_path: Path) -> None:
    with pytest.raises(BadParameter, match="may give different people equal values"):
        protected(write_plan(tmp_path, form([{"method": "columns/mask", "columns": ["who"]}]), VISITS))


@pytest.mark.slow
def test_a_suppressed_row_shows_no_column_that_was_treated_with_its_secret(tmp_path: Path) -> None:
    rows = [{"town": "AB"[i % 2], "ill": str(20 + i // 3), "pay": str(1000 + i // 3)} for i in range(18)]
    rows.append({"town": "Z", "ill": "40", "pay": "2000"})
    columns = {
        "town": {"role": "quasi-identifier", "maximum": 0},
        "ill": {"role": "sensitive"},
        "pay": {"role": "insensitive"},
    }
    together = [{"method": "columns/microaggregate", "columns": ["ill", "pay"], "parameters": {"k": 3}}]
    release = {"guarantees": [{"k-anonymity": {"k": 3}}], "suppression": 0.1, "treatments": together}
    outcome = protected(write_plan(tmp_path, form_of(columns, release), rows))
    shown = [row for row in rows_in(outcome.output) if row["town"] == "*"]
    assert shown == [{"town": "*", "ill": "*", "pay": "*"}]
    assert any("'pay' too" in note for note in outcome.release.notes)
    apart = [{**together[0], "columns": ["pay"]}]
    outcome = protected(write_plan(tmp_path, form_of(columns, {**release, "treatments": apart}), rows))
    assert [row["pay"] != "*" for row in rows_in(outcome.output) if row["town"] == "*"] == [True]


@pytest.mark.parametrize(("first", "last"), [(2, 2), (100, 0), (0, 4)])
def test_a_value_that_would_be_kept_whole_is_masked_whole(first: int, last: int) -> None:
    params = Mask(style="class", keep_first=first, keep_last=last)
    assert masks(("Anna", "Bob", ""), params, RandomBits.from_seed(1)) == ("Aaaa", "Aaa", "")
