"""The plan file: every field, what is refused, and that messages name the place.

Covers plan/schema, plan/load, data/roles, plan/privacy.
"""

import json
import re
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from tests.runs.planned import PEOPLE, ROLES, form_of, protected, write_data, write_plan

from tacit.data.dataset import DeclaredColumn
from tacit.data.sources.source import file_source
from tacit.engines.duckdb import DuckDB
from tacit.errors import BadData, BadParameter, CannotGuarantee, TacitError
from tacit.guarantees.catalogue import parse_guarantee
from tacit.methods.statistics.mean import Mean
from tacit.plan.load import load_plan, parse_plan
from tacit.plan.schema import DataSection, PlanFile, ReleaseSection, TreatmentSection, plan_schema
from tacit.plan.strict_yaml import parse_yaml
from tacit.runs.kinds import kind_of
from tacit.runs.tables.check import check_file

DOCS = Path(__file__).parents[2] / "docs" / "reference"
FULL: dict[str, Any] = {
    "version": 1,
    "data": {
        "kind": "tables",
        "path": "people.csv",
        "format": "csv",
        "delimiter": ",",
        "quote": '"',
        "encoding": "utf-8",
        "missing": ["NA"],
        "skip": 0,
        "header": 1,
        "names": None,
        "trim": True,
        "decimal": ",",
        "thousands": ".",
    },
    "about": {"purpose": "a study", "recipient": "the university"},
    "unit": "name",
    "population": {"path": "people.csv"},
    "survey": {"household": "name"},
    "columns": {
        **ROLES,
        "zip": {**ROLES["zip"], "weight": 2.0, "minimum": 0, "maximum": 3, "bounds": [0, 99999], "decimals": 0},
        "ill": {
            "role": "sensitive",
            "description": "the illness",
            "order": ["cold", "flu", "hiv"],
            "categories": ["cold", "flu", "hiv"],
        },
    },
    "privacy": {
        "budget": {"epsilon": 1.0, "delta": 1e-6},
        "neighbours": "replace",
        "contributions": {"rows": 2, "groups": 1},
        "ledger": "people.ledger",
        "level": 0.9,
        "seed": 1,
    },
    "questions": [{"statistics/count": {"by": "ill", "epsilon": 0.5}}],
    "release": {
        "guarantees": [{"k-anonymity": {"k": 3}}, {"l-diversity": {"l": 2, "kind": "distinct"}}],
        "method": "tables/lattice",
        "parameters": {"seconds": 10},
        "suppression": 0.5,
        "objective": "precision",
        "suppressed": "omit",
        "output": "out.parquet",
        "guard_formulas": True,
        "shuffle": True,
        "risk_threshold": 0.1,
    },
}


WRONG_K = ("release.guarantees", [{"k-anonymity": {"k": 1}}])


def text_of(form: Any) -> str:
    return json.dumps(form)


def changed(form: dict[str, Any], path: str, value: Any) -> dict[str, Any]:
    """The form with another value at a dotted path."""
    made = json.loads(json.dumps(form))
    *way, last = path.split(".")
    place = made
    for step in way:
        place = place[int(step)] if step.isdigit() else place.setdefault(step, {})
    place[last] = value
    return made  # type: ignore[no-any-return]


@pytest.mark.slow
def test_a_plan_with_every_field_is_read_and_run(tmp_path: Path) -> None:
    write_plan(tmp_path, FULL, PEOPLE)
    outcome = protected(tmp_path / "plan.yaml")
    assert outcome.output == tmp_path / "out.parquet"
    assert outcome.release.unit == "name"
    assert (outcome.release.body.search.objective, outcome.release.recipe.parameters) == ("precision", {"seconds": 10})
    assert outcome.release.body.risk_after.threshold == 0.1
    assert outcome.release.body.suppressed.limit == 0.5
    assert "Rows were put in random order." in outcome.release.notes
    assert set(FULL) == set(PlanFile.model_fields)
    # A CSV file has no tables and no sheets; to name one would be refused.
    assert set(FULL["data"]) == set(DataSection.model_fields) - {"table", "sheet"}
    assert set().union(*FULL["columns"].values()) == set(DeclaredColumn.model_fields)


@pytest.mark.slow
def test_the_form_in_the_evidence_is_a_plan_again(tmp_path: Path) -> None:
    write_plan(tmp_path, FULL, PEOPLE)
    form = protected(tmp_path / "plan.yaml").release.recipe.plan
    assert parse_plan(text_of(form), "evidence") == parse_plan(text_of(FULL), "plan")


def test_yaml_and_comments_and_a_mark(tmp_path: Path) -> None:
    write_data(tmp_path / "people.csv")
    path = tmp_path / "plan.yaml"
    path.write_text(
        "\ufeff# a plan\nversion: 1\ndata: {path: people.csv}\ncolumns:\n  name: {role: identifier}  # out\n"
        "  zip: &quasi {role: quasi-identifier}\n  age: *quasi\n  ill: {role: sensitive}\n  n: {role: insensitive}\n"
        "release:\n  guarantees: [k-anonymity: {k: 3}]\n",
        encoding="utf-8",
    )
    plan = load_plan(path)
    assert plan.dataset.named("quasi-identifier") == ("zip", "age")
    assert plan.release.suppression == 0


@pytest.mark.slow
def test_the_schema_accepts_what_the_parser_accepts() -> None:
    for form in (FULL, form_of()):
        jsonschema.validate(form, plan_schema())
    for path, value in (
        ("version", 2),
        ("release.suppression", 1.5),
        ("columns.zip.role", "secret"),
        ("extra", 1),
        WRONG_K,
    ):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(changed(FULL, path, value), plan_schema())


@pytest.mark.parametrize("section", [PlanFile, DataSection, DeclaredColumn, ReleaseSection, TreatmentSection])
def test_every_field_is_in_the_reference(section: Any) -> None:
    page = (DOCS / "plan.md").read_text(encoding="utf-8")
    for name, field in section.model_fields.items():
        assert f"`{name}`" in page, name
        assert field.description, name


WRONG = {
    "version is 2": ("version", 2, "version is '2'; this release of Tacit reads version 1"),
    "the old name of survey": ("sampling", {"weight": "n"}, "sampling is called survey now; write `survey:`"),
    "unknown section": ("relaese", {}, "relaese: there is no such key; did you mean 'release'?"),
    "unknown field of data": ("data.delimeter", ";", "data.delimeter: there is no such key"),
    "unknown field of a column": (
        "columns.zip.rol",
        "x",
        "columns.zip.rol: there is no such key; did you mean 'role'?",
    ),
    "unknown field of release": ("release.surpression", 0, "release.surpression: there is no such key"),
    "unknown role": ("columns.zip.role", "quasi", "columns.zip.role: it must be 'identifier'"),
    "no role": ("columns.zip", {}, "columns.zip.role: it is missing"),
    "no path": ("data", {}, "data.path: it is missing"),
    "empty path": ("data.path", "", "data.path"),
    "delimiter of two": ("data.delimiter", ";;", "data.delimiter"),
    "unknown format": ("data.format", "json", "data.format"),
    "a frame is no file": ("data.format", "frame", "data.format"),
    "no guarantee": ("release.guarantees", [], "release.guarantees"),
    "guarantees as a mapping": ("release.guarantees", {"k-anonymity": {"k": 5}}, "release.guarantees"),
    "suppression above 1": (
        "release.suppression",
        1.01,
        "release.suppression: it must be at most 1",
    ),
    "negative suppression": ("release.suppression", -0.1, "release.suppression"),
    "suppression is no number": ("release.suppression", "much", "release.suppression"),
    "suppression is a list": ("release.suppression", [0.1], "release.suppression"),
    "unknown objective": ("release.objective", "beauty", "release.objective"),
    "unknown way to suppress": ("release.suppressed", "delete", "release.suppressed"),
    "threshold 0": ("release.risk_threshold", 0, "release.risk_threshold"),
    "negative weight": ("columns.zip.weight", -1, "columns.zip.weight"),
    "negative level": ("columns.zip.minimum", -1, "columns.zip.minimum"),
    "level is no whole number": ("columns.zip.maximum", 1.5, "columns.zip.maximum"),
    "unknown kind of hierarchy": ("columns.zip.hierarchy", {"masc": 5}, "columns.zip.hierarchy"),
    "columns as a list": ("columns", ["a"], "columns"),
    "shuffle is no flag": ("release.shuffle", "perhaps", "release.shuffle"),
}


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("version: 1", "version: '1'", "version is the text '1'; write the number, without quotes: `version: 1`"),
        ("k: 3", "k: .inf", "k: it must be a finite number"),
        ("role: sensitive", "role: sensitiv", "did you mean 'sensitive'"),
        ("role: sensitive", "role: sensitive, bounds: ['0', '1']", "a bound is a number, written without quotes"),
        ("role: sensitive", "role: sensitive, decimals: 99", "decimals: it must be at most 15"),
    ],
)
def test_complaints_are_sentences_of_ours(tmp_path: Path, old: str, new: str, says: str) -> None:
    """Not pydantic's: what was found, what may be written, and what was probably meant."""
    (tmp_path / "people.csv").write_text("zip,ill\n1,a\n", encoding="utf-8")
    text = (
        "version: 1\ndata: {path: people.csv}\ncolumns:\n  zip: {role: quasi-identifier}\n  ill: {role: sensitive}\n"
        "release: {guarantees: [k-anonymity: {k: 3}]}\n"
    )
    (tmp_path / "plan.yaml").write_text(text.replace(old, new), encoding="utf-8")
    with pytest.raises(BadParameter) as wrong:
        parse_guarantee(load_plan(tmp_path / "plan.yaml").release.guarantees[0])
    assert says in str(wrong.value)
    assert not re.search(r"Input should|Tuple should|Extra inputs|Field required", str(wrong.value))


@pytest.mark.parametrize("case", WRONG)
def test_what_is_wrong_is_named_with_its_place(case: str) -> None:
    path, value, message = WRONG[case]
    with pytest.raises(BadParameter, match=message.replace("(", r"\(")):
        parse_plan(text_of(changed(FULL, path, value)), "my.yaml")


@pytest.mark.parametrize("value", [".nan", ".inf", "-.inf"])
def test_numbers_must_be_finite(value: str) -> None:
    head = "version: 1\ndata: {path: a.csv}\ncolumns: {a: {role: sensitive}}\n"
    text = f"{head}release: {{guarantees: [k-anonymity: {{k: 3}}], suppression: {value}}}"
    with pytest.raises(BadParameter, match=r"release.suppression"):
        parse_plan(text, "my.yaml")


RUN: dict[str, tuple[str, Any, type[TacitError], str]] = {
    "k = 0": ("release.guarantees", [{"k-anonymity": {"k": 0}}], BadParameter, "k is 0; it must be at least 2"),
    "k = 1": ("release.guarantees", [{"k-anonymity": {"k": 1}}], BadParameter, "k is 1.*protects nobody"),
    "k = 2.5": ("release.guarantees", [{"k-anonymity": {"k": 2.5}}], BadParameter, "k-anonymity: k"),
    "k above the table": ("release.guarantees", [{"k-anonymity": {"k": 13}}], CannotGuarantee, "reaches 12, but 13"),
    "l above the values": (
        "release.guarantees",
        [{"l-diversity": {"l": 9, "kind": "distinct"}}],
        CannotGuarantee,
        "reaches 3, but 9",
    ),
    "t above 1": ("release.guarantees", [{"t-closeness": {"t": 1.5, "distance": "equal"}}], BadParameter, "t is 1.5"),
    "t below 0": ("release.guarantees", [{"t-closeness": {"t": -0.1, "distance": "equal"}}], BadParameter, "t is -0.1"),
    "unknown guarantee": (
        "release.guarantees",
        [{"k-anonimity": {"k": 3}}],
        BadParameter,
        "did you mean 'k-anonymity'",
    ),
    "unknown parameter": ("release.guarantees", [{"k-anonymity": {"K": 3}}], BadParameter, "k-anonymity"),
    "no parameters": ("release.guarantees", ["k-anonymity"], BadParameter, "k-anonymity: k: it is missing"),
    "two names in an entry": (
        "release.guarantees",
        [{"k-anonymity": {"k": 3}, "k-map": {"k": 3}}],
        BadParameter,
        "one guarantee",
    ),
    "guarantee of another column": (
        "release.guarantees",
        [{"l-diversity": {"l": 2, "kind": "distinct", "column": "zip"}}],
        TacitError,
        "zip",
    ),
    "no population": ("release.guarantees", [{"k-map": {"k": 3}}], BadParameter, "none was given"),
    "unknown method": (
        "release.method",
        "tables/latice",
        BadParameter,
        "no method 'tables/latice'; did you mean 'tables/lattice'",
    ),
    "not a method for tables": (
        "release.method",
        "mechanisms/laplace",
        BadParameter,
        "of the kind 'mechanisms', not 'tables'",
    ),
    "unknown method parameter": ("release.parameters", {"second": 1}, BadParameter, "tables/lattice: second"),
    "method parameter out of range": ("release.parameters", {"seconds": 0}, BadParameter, "tables/lattice: seconds"),
    "a column too many": (
        "columns.extra",
        {"role": "insensitive"},
        BadData,
        "does not have a column of the plan: 'extra'; it has 'name', 'zip'",
    ),
    "levels above the hierarchy": ("columns.zip.maximum", 9, BadParameter, "column 'zip': levels 0 to 9 are asked"),
    "minimum above maximum": ("columns.zip.minimum", 5, BadParameter, "column 'zip': levels 5 to 4 are asked"),
    "no weight at all": (
        "columns",
        {k: {**v, "weight": 0} for k, v in ROLES.items()},
        BadParameter,
        r"weights are \[0.0, 0.0\]",
    ),
    "nothing to generalise": (
        "columns",
        {k: {"role": "insensitive"} for k in ROLES},
        BadParameter,
        "no column is a quasi-identifier",
    ),
    "unit is no column": ("unit", "person", BadParameter, "unit is 'person', which is not a column of people.csv"),
    "unit is misspelt": ("unit", "naem", BadParameter, "not a column of people.csv; did you mean 'name'"),
    "unit is not an identifier": ("unit", "zip", BadParameter, "the unit 'zip' has the role quasi-identifier"),
    "hierarchy of another column": (
        "columns.zip.hierarchy",
        {"tree": {"ill": ["flu", "cold"], "well": ["fine"]}},
        BadData,
        "column 'zip': 2 values have no place in its hierarchy",
    ),
    "no hierarchy file": ("columns.zip.hierarchy", "zip.csv", BadData, "column 'zip'.*zip.csv.*does not exist"),
    "dates of another column": (
        "columns.zip.hierarchy",
        {"dates": ["year"]},
        BadData,
        "column 'zip': 2 values do not read as an ISO date",
    ),
    "spss out": ("release.output", "out.sav", BadParameter, "as CSV, Parquet, SQLite or Excel"),
    "unknown ending": (
        "release.output",
        "out.json",
        BadParameter,
        "out.json: a release can be written as CSV, Parquet",
    ),
    "no ending": ("release.output", "out", BadParameter, "out: a release can be written as CSV, Parquet"),
    "no such population": ("population", {"path": "all.csv"}, BadData, "no file .*all.csv"),
}


@pytest.mark.parametrize("case", RUN)
def test_what_can_not_be_run_is_refused_and_nothing_is_written(tmp_path: Path, case: str) -> None:
    path, value, error, message = RUN[case]
    plan = write_plan(tmp_path, changed(form_of(), path, value))
    with pytest.raises(error, match=f"(?s){message}") as caught:
        protected(plan)
    assert sorted(file.name for file in tmp_path.iterdir()) == ["people.csv", "plan.yaml"]
    assert "name-" not in str(caught.value)


def test_a_column_that_the_plan_lacks_is_named_not_guessed(tmp_path: Path) -> None:
    columns = {name: column for name, column in ROLES.items() if name not in ("n", "ill")}
    with pytest.raises(BadData, match=r"the plan does not name these columns of people.csv: 'ill', 'n'"):
        protected(write_plan(tmp_path, form_of(columns)))


def test_a_misspelt_column_is_told_which_was_meant(tmp_path: Path) -> None:
    columns = {"aeg" if name == "age" else name: column for name, column in ROLES.items()}
    with pytest.raises(BadData, match=r"the plan has 'aeg', which the data does not have; did you mean 'age'"):
        protected(write_plan(tmp_path, form_of(columns)))
    with pytest.raises(BadData, match=r"does not have a column of the plan: 'AGE'; it has .*; did you mean 'age'"):
        protected(write_plan(tmp_path, form_of({**ROLES, "AGE": {"role": "insensitive"}})))


@pytest.mark.slow
def test_a_population_must_contain_everybody(tmp_path: Path) -> None:
    form = form_of(release={"guarantees": [{"k-map": {"k": 3}}]}, population={"path": "all.csv"})
    plan = write_plan(tmp_path, form)
    write_data(tmp_path / "all.csv", [{"zip": row["zip"], "age": row["age"]} for row in PEOPLE[1:]])
    with pytest.raises(
        BadData, match=r"1 combination of quasi-identifiers has more people in people.csv than in all.csv"
    ):
        protected(plan)
    write_data(tmp_path / "all.csv", [{"zip": row["zip"]} for row in PEOPLE])
    with pytest.raises(BadData, match=r"all.csv has no column 'age'"):
        protected(plan)


@pytest.mark.slow
def test_a_population_is_compared_with(tmp_path: Path) -> None:
    form = form_of(release={"guarantees": [{"k-map": {"k": 6}}]}, population={"path": "all.csv"})
    plan = write_plan(tmp_path, form)
    write_data(tmp_path / "all.csv", [{"zip": row["zip"], "age": row["age"]} for row in PEOPLE * 3])
    outcome = protected(plan)
    assert outcome.release.body.search.levels == {"zip": 0, "age": 0}
    assert outcome.release.promises[0].measured == 6
    with DuckDB(threads=2) as engine:
        again = check_file(load_plan(plan), file_source(outcome.output), engine)
        raw = check_file(load_plan(plan), file_source(tmp_path / "people.csv"), engine)
    assert again.promises[0].measured == raw.promises[0].measured == 6


def test_many_complaints_are_cut_short() -> None:
    form = {**form_of(), **{f"x{i}": 1 for i in range(50)}, "y": "z" * 5000}
    with pytest.raises(BadParameter, match=r"and \d+ more errors") as caught:
        parse_plan(text_of(form), "my.yaml")
    assert len(str(caught.value).split("\n")) == 11
    assert max(map(len, str(caught.value).split("\n"))) <= 400


def test_a_plan_needs_no_more_than_its_data_and_a_verb_asks_for_the_rest(tmp_path: Path) -> None:
    plan = write_plan(tmp_path, {"version": 1, "data": {"path": "people.csv"}})
    read = load_plan(plan)
    assert (kind_of(read).name, read.file.release) == ("tables", None)
    with pytest.raises(BadParameter, match="no `columns`"):
        _ = read.dataset
    form = form_of()
    del form["release"]
    with pytest.raises(BadParameter, match="no `release`"):
        protected(write_plan(tmp_path, form))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["people.csv", "plan.yaml"]


def test_the_kind_of_the_data_is_named_or_follows_from_the_method(tmp_path: Path) -> None:
    named = load_plan(write_plan(tmp_path, form_of(data={"path": "people.csv", "kind": "tables"})))
    assert kind_of(named).name == "tables"
    other = load_plan(write_plan(tmp_path, form_of(data={"path": "people.csv", "kind": "baskets", "least": 2})))
    assert (other.file.data.kind, other.file.data.options()) == ("baskets", {"least": 2})
    with pytest.raises(BadParameter, match="of kind baskets"):
        _ = other.dataset
    with pytest.raises(BadParameter, match="there is no kind of data 'baskets'"):
        protected(other.path)


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("[0, 1]", ("0", "1")),
        ("[true, false]", ("true", "false")),
        ("[2024-01-01, 2024-01-02]", ("2024-01-01", "2024-01-02")),
        ("[1.5, 2.0]", ("1.5", "2")),
        ("[yes, no]", ("yes", "no")),
        ("[007, 010, 12:30, 1_000]", ("007", "010", "12:30", "1_000")),
        ("['0', a]", ("0", "a")),
    ],
)
def test_categories_are_read_as_their_cells_are(written: str, read: tuple[str, ...]) -> None:
    text = f"version: 1\ndata: {{path: people.csv}}\ncolumns: {{a: {{role: insensitive, categories: {written}}}}}"
    assert parse_plan(text, "plan.yaml").columns["a"].categories == read


@pytest.mark.parametrize("written", ["['']", "[a, null]", "[.nan]"])
def test_missing_cells_are_no_category(written: str) -> None:
    text = f"version: 1\ndata: {{path: people.csv}}\ncolumns: {{a: {{role: insensitive, categories: {written}}}}}"
    with pytest.raises(BadParameter, match="missing cells are in no group"):
        parse_plan(text, "plan.yaml")
    with pytest.raises(BadParameter, match="missing cells are in no group"):
        DeclaredColumn.parse("a", {"role": "insensitive", "categories": [""]})


def test_yes_and_no_are_truth_values_where_one_is_wanted() -> None:
    text = "version: 1\ndata: {path: people.csv}\nrelease: {guarantees: [k-anonymity: {k: 2}], guard_formulas: yes}"
    release = parse_plan(text, "plan.yaml").release
    assert release is not None
    assert release.guard_formulas is True


@pytest.mark.parametrize("written", ["[[m, f]]", "[m, {f: 1}]"])
def test_a_list_is_no_category(written: str) -> None:
    """Brackets too many would make one group of all, in which nobody is, and which would be paid for."""
    text = f"version: 1\ndata: {{path: people.csv}}\ncolumns: {{a: {{role: insensitive, categories: {written}}}}}"
    with pytest.raises(BadParameter, match=r"a category is a text, .*; write `categories: \[m, f\]`"):
        parse_plan(text, "plan.yaml")


@pytest.mark.parametrize("field", ["budget: {epsilon: X}", "budget: {epsilon: 1, delta: X}", "level: X", "seed: X"])
def test_a_truth_value_is_no_number_of_privacy(field: str) -> None:
    """`true` would else be an epsilon of 1."""
    other = "" if field.startswith("budget") else "budget: {epsilon: 1}, "
    for truth in ("true", "false"):
        text = f"version: 1\ndata: {{path: people.csv}}\nprivacy: {{{other}{field.replace('X', truth)}}}"
        with pytest.raises(BadParameter, match=f"it must be a number, not a truth value .found {truth.title()}"):
            parse_plan(text, "plan.yaml")


@pytest.mark.parametrize(("written", "number"), [("1e-1", "1.0e-1"), ("2E3", "2.0e+3"), ("-1.5e3", "-1.5e+3")])
def test_a_number_that_yaml_takes_for_a_text_is_told_as_yaml_takes_it(written: str, number: str) -> None:
    """YAML reads 1e-6 as a text; whoever wrote it meant a number."""
    assert parse_yaml(written, "plan.yaml") == written
    assert parse_yaml(number, "plan.yaml") == float(written)
    with pytest.raises(
        BadParameter, match=re.escape(f"(found '{written}', which YAML reads as text; the number is {number})")
    ):
        Mean.parse("statistics/mean", {"epsilon": written, "lower": 0, "upper": 1})
