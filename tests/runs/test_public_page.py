"""The page for recipients: a codebook of the published file, the promises, and nothing about the rows before.

Covers runs/tables/public, runs/tables/codebook, release/codebook, evidence/tables/public, release/about.
"""

import csv
from collections import Counter
from pathlib import Path
from typing import Any

import pyarrow
import pytest
from tests.evidence.example_release import example_release
from tests.evidence.page import Page
from tests.runs.planned import PEOPLE, ROLES, form_of, protected, write_plan

import tacit
from tacit.data.sources.source import Source, file_source
from tacit.engines.duckdb import DuckDB
from tacit.errors import BadParameter, PolicyRefused
from tacit.evidence.files import read_evidence
from tacit.release.release import Body
from tacit.runs.evidence_kinds import body_of
from tacit.runs.tables.public import public_page

COLUMNS: dict[str, Any] = {
    **ROLES,
    "zip": {"role": "quasi-identifier", "hierarchy": {"mask": 4}, "maximum": 0, "description": "postal code, 4 digits"},
    "age": {"role": "quasi-identifier", "hierarchy": {"intervals": [5, 10]}, "minimum": 1, "maximum": 1},
}
ABOUT = {"title": "Visits", "purpose": "a study", "owner": "the clinic", "approved_by": "A. Turing"}
ALONE = {"name": "x", "zip": "9999", "age": "71", "ill": "flu", "n": "99"}
# The same release: other names, other ages within the same five years, another person who is suppressed.
FIRST = [*PEOPLE, ALONE]
SECOND = [{**row, "name": f"other-{i}", "age": str(30 + (i * 7) % 5)} for i, row in enumerate(PEOPLE)] + [
    {**ALONE, "name": "y", "zip": "8765", "age": "88", "ill": "hiv"}
]


def plan_in(folder: Path, rows: list[dict[str, str]], **release: Any) -> Path:
    folder.mkdir()
    return write_plan(folder, form_of(COLUMNS, {"suppression": 0.2, "public": True, **release}, about=ABOUT), rows)


def test_the_page_does_not_depend_on_what_the_release_does_not_show(tmp_path: Path) -> None:
    """Other raw rows, the same release: the page is the same byte by byte, though evidence and report differ."""
    found = []
    for name, rows in (("a", FIRST), ("b", SECOND)):
        made = protected(plan_in(tmp_path / name, rows))
        assert made.files.public is not None
        release = made.release.model_copy(update={"created": "2026-02-11T09:42:17+00:00"})
        with DuckDB(threads=1) as engine:
            page = public_page(release, file_source(made.output), engine)
        assert made.files.public.read_text("utf-8").partition("<main>")[2] == page.partition("<main>")[2]
        found.append((made, page))
    (first, one), (second, other) = found
    assert first.output.read_bytes() == second.output.read_bytes()
    assert first.release.input.sha256 != second.release.input.sha256
    assert first.release.body.risk_before != second.release.body.risk_before
    assert first.release.body.metrics != second.release.body.metrics
    assert one == other
    assert str(first.release.input.sha256) not in one
    assert "people.csv" not in one


def test_the_codebook_counts_the_published_file(tmp_path: Path) -> None:
    made = protected(plan_in(tmp_path / "a", FIRST))
    assert made.files.public is not None
    html = made.files.public.read_text("utf-8")
    page = Page(html)
    words = " ".join(page.text.split())
    with made.output.open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    for column in ("zip", "age", "ill"):
        for value, number in Counter(row[column] for row in rows).items():
            assert value == "*" or f'<bdi>{value}</bdi></th><td><data value="{number}">' in html, (column, value)
    assert f"1 row ({100 / len(rows):.1f}\u202f%) could not be protected and shows *" in page.text
    for said in ("Visits", "a study", "the clinic", "postal code, 4 digits", "Each class has at least 3 rows."):
        assert said in words
    assert "A. Turing" not in words


def test_whom_to_tell_is_named_and_a_title_stands_first_without_an_owner(tmp_path: Path) -> None:
    words, bare = (
        " ".join(Page(_page(tmp_path / name, about)).text.split())
        for name, about in (("a", ABOUT), ("b", {"title": "Visits"}))
    )
    assert "If you think that you have recognised somebody, tell the clinic." in words
    assert "the clinic (2" in words
    assert "tell whoever gave you this file." in bare
    assert "Visits (2" in bare
    assert " (2026). " not in bare
    assert "No row had to be suppressed." in words
    assert "except in suppressed rows" not in words


def _page(folder: Path, about: dict[str, str]) -> str:
    """The page of a release in which nobody is suppressed."""
    folder.mkdir()
    made = protected(write_plan(folder, form_of(COLUMNS, {"public": True}, about=about), PEOPLE))
    assert made.release.body.suppressed.rows == 0
    assert not any(note.startswith("Suppressed rows") for note in made.release.notes)
    assert made.files.public is not None
    return made.files.public.read_text("utf-8")


def test_rows_that_were_left_out_are_not_counted(tmp_path: Path) -> None:
    made = protected(plan_in(tmp_path / "a", FIRST, suppressed="omit"))
    assert made.files.public is not None
    words = " ".join(Page(made.files.public.read_text("utf-8")).text.split())
    assert "were left out; how many is not stated" in words
    assert "13" not in words.replace(made.release.output.sha256 or "", "")
    assert "Its values are those of the original." in words
    assert "except in suppressed rows" not in words


@pytest.mark.slow
def test_a_method_that_was_chosen_is_told_in_words(tmp_path: Path) -> None:
    made = protected(plan_in(tmp_path / "a", FIRST, method="auto"))
    assert made.files.public is not None
    words = " ".join(Page(made.files.public.read_text("utf-8")).text.split())
    assert "the one that loses least generalised the quasi-identifiers" in words
    assert "method auto" not in words
    assert "except in suppressed rows" in words


def test_the_page_is_published_with_the_release_and_never_stays_behind(tmp_path: Path) -> None:
    plan = plan_in(tmp_path / "a", FIRST)
    made = protected(plan)
    assert made.files.public is not None
    assert made.files.public in made.files.all
    assert made.files.named["public"] == tmp_path / "a" / "people.release.public.html"
    plan.write_text(
        plan.read_text("utf-8").replace(', "public": true', "").replace('"k": 3', '"k": 4'), encoding="utf-8"
    )
    assert '"public"' not in plan.read_text("utf-8")
    again = protected(plan)
    assert "at least 4 rows" in made.files.public.read_text("utf-8")
    assert again.release.output.sha256 in made.files.public.read_text("utf-8")


def test_no_page_unless_it_is_wanted(tmp_path: Path) -> None:
    made = protected(write_plan(tmp_path))
    assert made.files.public is None
    assert not list(tmp_path.glob("*.public.html"))


def test_a_release_from_a_seed_has_no_page(tmp_path: Path) -> None:
    plan = plan_in(tmp_path / "a", FIRST, seed=1, sample={"share": 0.9})
    with pytest.raises(PolicyRefused, match="may not be published"):
        protected(plan)
    assert not list((tmp_path / "a").glob("*.release*"))


def test_other_kinds_refuse_it() -> None:
    other = example_release().model_copy(update={"body": Body()})
    with DuckDB(threads=1) as engine, pytest.raises(BadParameter, match="no page for recipients"):
        public_page(other, Source("frame", frame=pyarrow.table({"a": ["1"]})), engine)


def test_twenty_columns_are_one_promise() -> None:
    names = [f"amount_{i}" for i in range(20)]
    frame = pyarrow.table({"age": ["31", "32"] * 4, **{name: [str(i) for i in range(8)] for name in names}})
    people = tacit.read(frame, {"age": "quasi-identifier", **dict.fromkeys(names, "sensitive")})
    promised = [tacit.KAnonymity(k=2), *(tacit.LDiversity(l=2, column=name) for name in names)]
    page = tacit.protect(people, promised).public_report()
    assert page.count('<article class="promise">') == 2
    assert "The same holds for" in page


def test_python_writes_the_page_beside_the_file(tmp_path: Path) -> None:
    frame = pyarrow.table({"age": ["31", "32", "38", "39"], "ill": ["a", "b", "a", "b"]})
    people = tacit.read(frame, {"age": "quasi-identifier", "ill": "sensitive"})
    made = tacit.protect(people, [tacit.KAnonymity(k=2)], output=tmp_path / "out.csv", public=True)
    page = (tmp_path / "out.public.html").read_text("utf-8")
    assert page == made.public_report()
    assert read_evidence(tmp_path / "out.evidence.json", body_of).output.sha256 in page
