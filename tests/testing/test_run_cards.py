"""Twins of cards for tables and columns that break what they say once they are run: each is caught.

They come from a package that is installed as pip would, and `check` runs them as it runs ours.

Covers testing/tables, testing/columns, testing/generated, testing/parameters.
"""

import sys
from collections.abc import Iterator

import pytest
from tests.plugin.brought import install

from tacit.guarantees.k_anonymity import KAnonymity
from tacit.testing import check, check_column_method, check_table_method, installed
from tacit.testing.generated import ROWS, generated_columns, generated_table, trial_guarantees
from tacit.testing.parameters import beyond

TABLE = """
from dataclasses import replace

import numpy as np

from tacit.cards.tables import TableMethod
from tacit.errors import BadParameter, CannotGuarantee
from tacit.methods.tables.lattice import METHOD as OURS, Lattice, search_lattice

RUNS = []


def run(table, request, params):
    RUNS.append(table)
    {body}


METHOD = replace(OURS, title="Twin", run=run{card})
"""
TABLES = {
    "honest": ("return search_lattice(table, request, params)", "", None),
    "as_is": (
        "return search_lattice(table, replace(request, guarantees=()), params)",
        "",
        "it says that it gives this, and in its release it fails: ",
    ),
    "greedy": (
        "made = search_lattice(replace(table, least=table.most), request, params)\n"
        "    gone = np.arange(made.recoding.rows.size) < 0.8 * made.recoding.rows.size\n"
        "    return replace(made, recoding=replace(made.recoding, suppressed=gone))",
        "",
        r"it suppresses \d+ of 60 rows; at most half may go",
    ),
    "fickle": (
        "return search_lattice(table if len(RUNS) % 2 else replace(table, least=table.most), request, params)",
        "",
        "the same table gave two decisions",
    ),
    "choosy": ("raise BadParameter('no levels')", "", "its example can't be run on a table of age, zip, .*: no levels"),
    "idle": ("raise CannotGuarantee('none')", "", "it finds no release under any of "),
}
COLUMN = """
from dataclasses import replace
from typing import Annotated

import numpy as np
from pydantic import BeforeValidator, Field

from tacit.cards.columns import ColumnMethod, SamplingMethod
from tacit.data.columns import Columns, Numbers, categories_of, columns_of
from tacit.errors import BadData
from tacit.params import Params


class Twin(Params):
    k: Annotated[int, Field(ge=2, le=9, description="a number"){more}] = 3


def run(columns, params, bits):
    {body}


METHOD = {card}(
    title="Twin", params=Twin, run=run, needs="columns", gives="columns", paper="https://example.org", example=Twin(),
    {fields}
)
"""
SAMPLE = 'size=lambda params, number, what: number // 2, chances="each alike"'
COLUMNS = {
    "honest": ("return columns", "", None),
    "seeded": (
        "return columns_of({name: bits.octets(1)[0] + np.arange(columns.rows) for name in columns})",
        NUMBERS := 'cells="numbers"',
        None,
    ),
    "fickle": (
        "return columns_of({name: np.random.default_rng().normal(size=columns.rows) for name in columns})",
        NUMBERS,
        "the same seed gave two outputs",
    ),
    "careless": (
        "columns['first'].values[:] = 0\n    return columns",
        NUMBERS,
        "it changed the columns that it was given",
    ),
    "plain": ("return dict(columns)", "", "`run` must give Columns"),
    "narrow": ("return Columns({'first': columns['first']})", "", "it must give every column that it treats"),
    "wide": (
        "return Columns({**columns, 'third': columns['first']})",
        "",
        r"columns that it was not given: \['third'\]",
    ),
    "short": ("return columns.taken(np.arange(9))", "", "it gives 9 rows for 60; say so: `keeps_rows`"),
    "other": (
        "return columns_of({name: ['a'] * columns.rows for name in columns})",
        NUMBERS,
        "column 'first' was Numbers and is CodedCategories",
    ),
    "choosy": (
        "raise BadData('too few')",
        "",
        r"its example can't be run on Columns\(first, second; 60 rows\): too few",
    ),
    "joining": (
        "return columns_of({name: ['a'] * columns.rows for name in columns})",
        'cells="texts", for_identifiers=True',
        "different people get equal values",
    ),
    "told": (
        "return columns_of({name: ['a'] * columns.rows for name in columns})",
        'cells="texts", for_identifiers=True, keeps_people_apart=False',
        None,
    ),
    "boasting": (
        "return columns",
        NUMBERS + ', guarantees=("k-anonymity",)',
        "it says that it gives k-anonymity, and in its output it fails: ",
    ),
    "draw": ("return columns.taken(np.arange(0, columns.rows, 2))", SAMPLE, None),
    "draw_more": (
        "return columns.taken(np.arange(columns.rows - 1))",
        SAMPLE,
        "it said that it would draw 30 rows, and drew 59",
    ),
    "draw_others": (
        "return columns_of({name: np.arange(30) for name in columns})",
        SAMPLE + ', cells="numbers"',
        "it gives rows that it was not given",
    ),
}
CLAMPED = ", BeforeValidator(lambda number: min(max(number, 2), 9))"


@pytest.fixture(scope="module")
def twins(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """A package with all twins."""
    modules = {"twin_cards/__init__.py": "", "twin_cards/methods/__init__.py": ""}
    for name, (body, card, _) in TABLES.items():
        modules[f"twin_cards/methods/tables/twin_{name}.py"] = TABLE.format(body=body, card=card)
    for name, (body, fields, _) in COLUMNS.items():
        card = "SamplingMethod" if fields.startswith(SAMPLE) else "ColumnMethod"
        modules[f"twin_cards/methods/columns/twin_{name}.py"] = COLUMN.format(
            body=body, fields=fields, card=card, more=""
        )
    clamped = COLUMN.format(body="return columns", fields="", card="ColumnMethod", more=CLAMPED)
    modules["twin_cards/methods/columns/twin_clamped.py"] = clamped
    points = "[tacit.methods]\ntwins = twin_cards.methods\n"
    site = install(tmp_path_factory.mktemp("site"), "twin_cards", modules, points)
    sys.path.insert(0, str(site))
    yield
    sys.path.remove(str(site))
    for name in [name for name in sys.modules if name.partition(".")[0] == "twin_cards"]:
        del sys.modules[name]


def check_twin(folder: str, name: str) -> None:
    part = f"methods/{folder}/twin-{name.replace('_', '-')}"
    (entry,) = [entry for entry in installed("twin_cards") if str(entry) == part]
    check(entry)


@pytest.mark.slow
@pytest.mark.parametrize("name", TABLES)
def test_a_method_on_tables_is_run(name: str, twins: None) -> None:
    complaint = TABLES[name][2]
    if complaint is None:
        return check_twin("tables", name)
    with pytest.raises(AssertionError, match=f"^methods/tables/twin-{name.replace('_', '-')}.*: {complaint}"):
        check_twin("tables", name)
    return None


@pytest.mark.parametrize("name", COLUMNS)
def test_a_method_on_columns_is_run(name: str, twins: None) -> None:
    complaint = COLUMNS[name][2]
    if complaint is None:
        return check_twin("columns", name)
    with pytest.raises(AssertionError, match=f"^methods/columns/twin-{name.replace('_', '-')}, .*: .*{complaint}"):
        check_twin("columns", name)
    return None


def test_a_parameter_that_takes_what_it_says_it_does_not_is_found(twins: None) -> None:
    with pytest.raises(AssertionError, match="the parameter k must not accept 0, but accepts it"):
        check_twin("columns", "clamped")


def test_ranges_are_left_on_both_sides() -> None:
    assert list(beyond({"type": "integer", "minimum": 1, "maximum": 9})) == [0, 18]
    assert list(beyond({"type": "number", "minimum": -1e100})) == [-2e100]
    assert list(beyond({"type": "number", "exclusiveMinimum": 0})) == [0]
    both = [{"type": "integer", "minimum": 2}, {"type": "number", "exclusiveMinimum": 0}, {"type": "null"}]
    assert list(beyond({"anyOf": both})) == [0]
    assert list(beyond({"anyOf": [*both, {"type": "number"}]})) == []
    assert list(beyond({"type": "string"})) == []


def test_each_sort_of_method_has_its_own_check() -> None:
    with pytest.raises(AssertionError, match="it is a ColumnMethod, not a TableMethod"):
        check_table_method("columns/noise")
    with pytest.raises(AssertionError, match="it is a TableMethod, not a ColumnMethod"):
        check_column_method("tables/lattice")
    with pytest.raises(AssertionError, match="no guarantee to try it with can be guessed"):
        check_table_method("tables/lattice", ())


@pytest.mark.slow
def test_guarantees_may_be_named() -> None:
    check_table_method("tables/mondrian", [KAnonymity(k=5)])
    with pytest.raises(AssertionError, match="it finds no release under any of k-anonymity"):
        check_table_method("tables/mondrian", [KAnonymity(k=ROWS + 1)])


@pytest.mark.slow
def test_what_is_generated_is_the_same_each_time_and_not_protected_yet() -> None:
    from tacit.verbs.datasets import check as check_dataset

    table = generated_table()
    assert table.source.frame.equals(generated_table().source.frame)
    tried = [one for one in trial_guarantees("any") if one.subject == "class"]
    assert {"k-anonymity", "l-diversity", "t-closeness"} <= {one.name for one in tried}
    assert not any(found.holds for found in check_dataset(table, tried).promises)
    texts, numbers = generated_columns("texts", ("beside",)), generated_columns("any", ("beside",))
    assert set(texts) == set(numbers) == {"first", "second", "beside"}
    assert set(texts["first"].texts()) == {"no", "yes"}
