"""What a check remarks besides guarantees: identifiers inside, too many rows gone, what the plan does not know.

Covers tables/check, tables/remarks, tables/recount, runs/check_evidence, runs/contradictions.
"""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from tests.runs.planned import PEOPLE, ROLES, form_of, protected, rows_in, write_data, write_plan

from tacit.cli.check import check
from tacit.data.sources.source import file_source
from tacit.engines.duckdb import DuckDB
from tacit.plan.load import load_plan
from tacit.runs.check_evidence import checked as check_evidence
from tacit.runs.tables.check import TableCheck, check_file


def checked(plan: Path, data: Path) -> TableCheck:
    with DuckDB(threads=2) as engine:
        return check_file(load_plan(plan), file_source(data), engine)


def changed(folder: Path, change: Mapping[str, str], rows: int | None = None) -> Path:
    """The release with these cells in its first rows, or in all."""
    lines = rows_in(folder / "people.release.csv")
    number = len(lines) if rows is None else rows
    return write_data(
        folder / "changed.csv", [{**row, **(change if i < number else {})} for i, row in enumerate(lines)]
    )


def released(folder: Path, **release: Any) -> Path:
    plan = write_plan(folder, form_of(release=release))
    protected(plan)
    return plan


@pytest.mark.slow
@pytest.mark.parametrize(
    ("method", "parameters"),
    [
        ("tables/lattice", {}),
        ("tables/local", {}),
        ("tables/mondrian", {}),
        ("tables/cluster", {}),
        ("tables/specialize", {}),
    ],
)
def test_a_release_as_it_was_made_needs_no_remark(tmp_path: Path, method: str, parameters: dict[str, Any]) -> None:
    plan = released(tmp_path, method=method, parameters=parameters, suppression=0.2, guard_formulas=True)
    found = checked(plan, tmp_path / "people.release.csv")
    assert found.holds
    assert found.remarks == ()


@pytest.mark.slow
def test_the_raw_file_is_no_release(tmp_path: Path) -> None:
    plan = released(tmp_path)
    assert checked(plan, tmp_path / "people.csv").remarks == ()
    copy = write_data(tmp_path / "copy.csv")
    assert [remark.fails for remark in checked(plan, copy).remarks] == [True]


@pytest.mark.slow
@pytest.mark.parametrize(("cell", "fails"), [("anybody", True), ("*", False), ("", False)])
def test_an_identifier_inside_fails_unless_it_says_nothing(tmp_path: Path, cell: str, fails: bool) -> None:
    plan = released(tmp_path)
    found = checked(plan, changed(tmp_path, {"name": cell}))
    assert all(finding.holds for finding in found.promises)
    assert found.holds is not fails
    assert [(remark.fails, "'name'" in remark.says) for remark in found.remarks] == [(True, True)] * fails


@pytest.mark.slow
def test_an_identifier_that_a_treatment_keeps_may_stay_but_not_untreated(tmp_path: Path) -> None:
    plan = released(tmp_path, treatments=[{"method": "columns/pseudonym", "columns": ["name"]}])
    assert "name" in rows_in(tmp_path / "people.release.csv")[0]
    assert checked(plan, tmp_path / "people.release.csv").remarks == ()
    lines = rows_in(tmp_path / "people.release.csv")
    bare = [{**row, "name": person["name"]} for row, person in zip(lines, PEOPLE, strict=True)]
    found = checked(plan, write_data(tmp_path / "bare.csv", bare))
    assert not found.holds
    assert [remark.says for remark in found.remarks] == ["the identifier 'name' has the untreated values of people.csv"]


@pytest.mark.slow
def test_masked_identifiers_may_happen_to_be_some_of_the_old_ones(tmp_path: Path) -> None:
    mask = {"method": "columns/mask", "columns": ["name"]}
    plan = write_plan(tmp_path, form_of(release={"treatments": [mask]}))
    found = checked(plan, write_data(tmp_path / "other.csv"))
    assert found.remarks == ()


@pytest.mark.slow
@pytest.mark.parametrize(("rows", "fails"), [(0, False), (3, False), (4, True), (12, True)])
def test_more_suppressed_rows_than_the_plan_allows_fail(tmp_path: Path, rows: int, fails: bool) -> None:
    """A quarter of 12 rows are 3."""
    plan = released(tmp_path, suppression=0.25)
    assert checked(plan, tmp_path / "people.release.csv").suppressed_rows == 0
    found = checked(plan, changed(tmp_path, {"zip": "*", "age": "*", "ill": "*"}, rows))
    assert found.suppressed_rows == rows
    assert [remark.fails for remark in found.remarks] == [True] * fails
    if fails:
        assert not found.holds
        assert f"{rows} of 12 rows are suppressed" in found.remarks[0].says
        assert "the plan allows 25 %" in found.remarks[0].says


@pytest.mark.slow
@pytest.mark.parametrize(("left_out", "fails"), [(0, False), (3, False), (4, True)])
def test_rows_that_are_left_out_count_where_the_plan_omits_them(tmp_path: Path, left_out: int, fails: bool) -> None:
    plan = released(tmp_path, suppression=0.25, suppressed="omit")
    lines = rows_in(tmp_path / "people.release.csv")
    found = checked(plan, write_data(tmp_path / "fewer.csv", lines[left_out:]))
    assert [remark.fails for remark in found.remarks] == [True] * fails
    assert found.holds is not fails


@pytest.mark.slow
def test_another_number_of_rows_is_remarked(tmp_path: Path) -> None:
    plan = released(tmp_path)
    lines = rows_in(tmp_path / "people.release.csv")
    for number, rows in ((11, lines[1:]), (13, [*lines, lines[0]])):
        found = checked(plan, write_data(tmp_path / "other.csv", rows))
        says = [remark.says for remark in found.remarks if not remark.fails]
        assert says == [f"the file has {number} rows, and the plan asks for 12"]


@pytest.mark.slow
def test_columns_that_the_plan_does_not_know_are_remarked(tmp_path: Path) -> None:
    plan = released(tmp_path)
    found = checked(plan, changed(tmp_path, {"hobby": "chess", "job": "cook"}))
    assert found.holds
    assert [remark.says for remark in found.remarks] == [
        "the plan does not name the columns 'hobby', 'job', so what they reveal was not checked"
    ]


@pytest.mark.slow
@pytest.mark.parametrize("label", ["thirty", "[900, 905)", "{30, 99}"])
def test_labels_of_no_hierarchy_are_remarked_by_their_shape(tmp_path: Path, label: str) -> None:
    plan = released(tmp_path)
    found = checked(plan, changed(tmp_path, {"age": label}))
    assert found.holds
    (remark,) = found.remarks
    assert remark.says.startswith("column 'age' has 1 label missing from its hierarchy: '")
    assert label not in remark.says.replace("9", "0")


@pytest.mark.slow
@pytest.mark.parametrize("label", ["*", "30", "[30, 35)", "30-32", "{30, 31}", "'30"])
def test_labels_that_stand_for_values_need_no_remark(tmp_path: Path, label: str) -> None:
    plan = released(tmp_path)
    assert checked(plan, changed(tmp_path, {"age": label})).remarks == ()


@pytest.mark.slow
def test_hierarchies_that_are_gone_are_remarked_and_the_guarantees_checked(tmp_path: Path) -> None:
    (tmp_path / "age.csv").write_text("30;*\n31;*\n32;*\n")
    plan = write_plan(tmp_path, form_of({**ROLES, "age": {"role": "quasi-identifier", "hierarchy": "age.csv"}}))
    protected(plan)
    (tmp_path / "age.csv").unlink()
    found = checked(plan, tmp_path / "people.release.csv")
    assert found.holds
    (remark,) = found.remarks
    assert "labels were not compared" in remark.says
    assert "does not exist" in remark.says


PROMISES: list[tuple[dict[str, Any], str]] = [
    ({"k-anonymity": {"k": 3}}, "each class has at least 3 rows;"),
    ({"l-diversity": {"l": 2, "kind": "probabilistic"}}, "of the rows of a class;"),
    ({"k-map": {"k": 3}}, "at least 3 people of the population;"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("promise", "words"), PROMISES, ids=[next(iter(promise)) for promise, _ in PROMISES])
def test_without_the_unit_sentences_are_about_rows(tmp_path: Path, promise: dict[str, Any], words: str) -> None:
    rows = [{**row, "name": f"name-{i // 2}"} for i, row in enumerate(PEOPLE)]
    form = form_of(unit="name", release={"guarantees": [promise]}, population={"path": "people.csv"})
    plan = write_plan(tmp_path, form, rows)
    protected(plan)
    found = checked(plan, tmp_path / "people.release.csv")
    assert (found.counted, found.of) == ("rows", "rows")
    assert words in found.promises[0].says
    (remark,) = found.remarks
    assert "the file has no column 'name'" in remark.says
    assert "this check does not show that" in remark.says
    raw = checked(plan, tmp_path / "people.csv")
    assert (raw.of, raw.remarks) == ("people", ())
    assert "row" not in raw.promises[0].says


@pytest.mark.slow
def test_the_name_of_a_column_is_no_word_to_be_changed(tmp_path: Path) -> None:
    rows = [{"who": f"{i // 2}", "zip": "1000", "people (n)": "ab"[i // 2 % 2]} for i in range(12)]
    columns = {
        "who": {"role": "identifier"},
        "zip": {"role": "quasi-identifier"},
        "people (n)": {"role": "sensitive"},
    }
    promise = {"l-diversity": {"l": 2, "kind": "probabilistic", "column": "people (n)"}}
    plan = write_plan(tmp_path, form_of(columns, unit="who", release={"guarantees": [promise]}), rows)
    protected(plan)
    says = checked(plan, tmp_path / "people.release.csv").promises[0].says
    assert says.startswith("each of the values of people (n) belongs to at most 0.5 of the rows of a class;")


def test_data_in_another_folder_is_away_not_gone(tmp_path: Path) -> None:
    """Evidence names files, not folders; what does not stand beside it was not compared, and may well be there."""
    (tmp_path / "data").mkdir()
    write_data(tmp_path / "data" / "people.csv", PEOPLE)
    form = form_of()
    plan = tmp_path / "plan.json"
    plan.write_text(json.dumps({**form, "data": {"path": str(tmp_path / "data" / "people.csv")}}), encoding="utf-8")
    made = protected(plan)
    found = check_evidence(made.release, tmp_path)
    lines = found.lines("evidence")
    assert found.holds
    assert "  away   people.csv (input)" in lines
    assert "  note   a file marked away is not beside the evidence, so it was not compared" in lines
    made.files.release.unlink()
    lost = check_evidence(made.release, tmp_path)
    assert not lost.holds
    assert any(line.startswith("  GONE ") and line.endswith("(output)") for line in lost.lines("evidence"))


def forged(folder: Path, change: Callable[[dict[str, Any]], None]) -> str:
    """What a check says of the evidence after it was changed; its exit code must be 1."""
    place = folder / "people.release.evidence.json"
    told = json.loads(place.read_text(encoding="utf-8"))
    change(told)
    place.write_text(json.dumps(told), encoding="utf-8")
    (folder / "people.release.report.html").unlink(missing_ok=True)
    done = CliRunner().invoke(check, [str(place)])
    assert done.exit_code == 1
    return done.stdout


@pytest.mark.slow
def test_evidence_that_was_not_touched_holds(tmp_path: Path) -> None:
    released(tmp_path)
    done = CliRunner().invoke(check, [str(tmp_path / "people.release.evidence.json")])
    assert (done.exit_code, "FAILS" in done.stdout) == (0, False)
    assert "same   people.release.report.html (report)" in done.stdout


@pytest.mark.slow
@pytest.mark.parametrize(
    ("forgery", "said"),
    [
        ({"measured": 1}, "k-anonymity can't hold, since 1 was measured and the bound is at least"),
        ({"bound": 1}, "names the bound 1, and its parameters make it"),
        ({"failing": 2}, "2 parts of the data that break it"),
        ({"measured": 99}, "k-anonymity: the evidence measured 99, and people.release.csv has"),
    ],
)
def test_a_promise_that_contradicts_itself_or_the_release_fails(
    tmp_path: Path, forgery: dict[str, int], said: str
) -> None:
    released(tmp_path)
    assert said in forged(tmp_path, lambda told: told["promises"][0].update(forgery))


@pytest.mark.slow
def test_classes_and_suppressed_rows_are_counted_again(tmp_path: Path) -> None:
    released(tmp_path)

    def change(told: dict[str, Any]) -> None:
        told["body"]["classes"] = 77
        told["body"]["suppressed"]["rows"] = 55

    said = forged(tmp_path, change)
    assert "the evidence counts 77 classes, and people.release.csv has" in said
    assert "the evidence counts 55 suppressed rows, and people.release.csv has" in said


@pytest.mark.slow
def test_a_report_that_was_changed_is_noticed(tmp_path: Path) -> None:
    released(tmp_path)
    report = tmp_path / "people.release.report.html"
    report.write_text(report.read_text(encoding="utf-8").replace("promises", "PROMISES"), encoding="utf-8")
    done = CliRunner().invoke(check, [str(tmp_path / "people.release.evidence.json")])
    assert done.exit_code == 1
    assert "OTHER  people.release.report.html (report)" in done.stdout
