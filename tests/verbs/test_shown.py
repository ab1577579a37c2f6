"""Whatever a verb gives back, its short form and its form in a notebook show no cell, no label and no secret count.

Every public verb is run on rows full of a marker, and what it returns is walked through: every object of ours that can
be reached by its attributes is asked for both forms.

Covers verbs/calls, verbs/question, data/dataset, sources/source, counts/suppressed, counts/margins, inspection/examine,
release/tables, release/release, tacit/promise, runs/check, runs/attack, comparison/shown, evidence/board.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from pydantic import BaseModel

import tacit

MARK = "zqxj"
SMALL = 4177
"""A count that the table must not publish, and that nothing else here has; times and hashes may contain its digits."""
ROWS = 60
FRAME = pd.DataFrame(
    {
        "<b>name": [f"{MARK}{i}" for i in range(ROWS)],
        "town\x1b[2J": [f"{MARK}town{i % 6}" for i in range(ROWS)],
        "age": [f"{MARK}{i % 7}" for i in range(ROWS)],
        "ill": [f"{MARK}ill{i % 3}" for i in range(ROWS)],
    }
)
ROLES = {"<b>name": "identifier", "town\x1b[2J": "quasi-identifier", "age": "quasi-identifier", "ill": "sensitive"}
K = tacit.KAnonymity(3)
RAW = {"source", "data", "frame", "draft", "minimum", "maximum", "examples", "published", "lines", "answer", "values"}
"""Attributes that hold what was given, or what is published: whoever asks for them by name asks for cells."""


def reached(found: Any, seen: set[int]) -> Iterator[Any]:
    """The object, and all of ours below it."""
    if id(found) in seen:
        return
    seen.add(id(found))
    if type(found).__module__.startswith("tacit."):
        yield found
    parts: Iterator[Any] = iter(())
    if isinstance(found, Mapping):
        parts = iter(found.values())
    elif isinstance(found, tuple | list):
        parts = iter(found)
    elif isinstance(found, BaseModel):
        parts = (getattr(found, name) for name in type(found).model_fields if name not in RAW)
    elif is_dataclass(found):
        parts = (getattr(found, one.name) for one in fields(found) if one.name not in RAW)
    for part in parts:
        yield from reached(part, seen)


def results(folder: Path) -> dict[str, Any]:
    """What each verb returns for the marked rows."""
    people = tacit.read(FRAME, ROLES)
    made = tacit.protect(people, K, suppression=0.5)
    written = tacit.protect(people, K, suppression=0.5, output=folder / "release.csv")
    counted = pd.DataFrame({"town": ["a"] * SMALL + ["b"] * 5000, "sex": ["f", "m"] * ((SMALL + 5000) // 2) + ["f"]})
    table = tacit.tabulate(counted, ["town"], threshold=SMALL + 1, columns=dict.fromkeys(counted, "quasi-identifier"))
    assert SMALL in table.margins.counts
    return {
        "read": people,
        "source": people.source,
        "inspect": tacit.inspect(FRAME),
        "measure": tacit.measure(people),
        "measure two": tacit.measure(people, made),
        "check": tacit.check(people, [K, tacit.LDiversity(2)]),
        "protect": made,
        "protect to a file": written,
        "compare": tacit.compare(people, K, methods=["tables/lattice"], suppression=0.5),
        "attack": tacit.attack(people, made),
        "tabulate": table,
    }


@pytest.fixture(scope="module")
def returned(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    return results(tmp_path_factory.mktemp("shown"))


@pytest.mark.slow
def test_no_form_shows_a_cell_or_a_secret_count(returned: dict[str, Any]) -> None:
    kinds = set()
    for verb, result in returned.items():
        for found in reached(result, set()):
            shown = repr(found) + str(found)
            kinds.add(type(found).__name__.partition("[")[0])
            assert MARK not in shown, (verb, type(found).__name__)
            assert not re.search(rf"(?<![\w.,]){SMALL}(?!\w)", shown), (verb, type(found).__name__)
            assert f"{SMALL:,}" not in shown, (verb, type(found).__name__)
            assert "\x1b" not in shown, (verb, type(found).__name__)
    assert kinds >= {"Dataset", "Source", "Inspection", "Risk", "TableCheck", "Measured", "ProtectedData", "Release"}
    assert kinds >= {"ShownComparison", "AttackOutcome", "SuppressedTable", "Margins", "Intervals"}


IN_NOTEBOOKS = ("read", "inspect", "measure", "check", "compare", "attack", "tabulate", "protect")


@pytest.mark.slow
@pytest.mark.parametrize("verb", IN_NOTEBOOKS)
def test_a_notebook_shows_it_escaped_and_asks_for_nothing(verb: str, returned: dict[str, Any]) -> None:
    page = returned[verb]._repr_html_()
    assert "<b>name" not in page
    assert "\x1b" not in page
    assert "<script" not in page
    assert 'src="http' not in page
    assert str(SMALL) not in page
    if verb not in ("protect", "tabulate"):
        assert MARK not in page, page[page.find(MARK) - 200 : page.find(MARK) + 50]
    if verb in ("read", "inspect"):
        assert "&lt;b&gt;name" in page
        assert "town\\x1b[2J" in page


def test_a_table_in_a_notebook_has_marks_for_what_is_hidden() -> None:
    frame = pd.DataFrame({"town": ["a"] * 2 + ["b"] * 7 + ["c"] * 8})
    found = tacit.tabulate(frame, "town", columns={"town": "quasi-identifier"})
    page = found._repr_html_()
    assert page.count("<td") == 4
    assert page.count(">*<") == 2
    assert ">2<" not in page


def test_a_check_in_a_notebook_names_the_column_of_each_promise() -> None:
    frame = pd.DataFrame({"age": ["1"] * 6, "ill": ["a", "b"] * 3, "pay": ["1", "2", "3"] * 2})
    roles = {"age": "quasi-identifier", "ill": "sensitive", "pay": "sensitive"}
    promised = [tacit.LDiversity(2, kind="distinct", column=name) for name in ("ill", "pay")]
    page = tacit.check(frame, promised, columns=roles)._repr_html_()
    assert "distinct l-diversity of ill<" in page
    assert "distinct l-diversity of pay<" in page
