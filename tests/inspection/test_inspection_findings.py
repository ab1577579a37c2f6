"""A notebook warns of the same as the terminal, in the same sentences.

Covers inspection/findings, examine, look, tables/check.
"""

import html
from pathlib import Path

import pandas as pd
import pytest
from tests.cli.commands import run_here

import tacit

VISITS = pd.DataFrame(
    {
        "patient_id": [f"P{i // 2:04}" for i in range(400)],
        "age": [20 + (i // 2) % 50 if i < 398 else 90 for i in range(400)],
        "sex": ["fm"[i // 2 % 2] for i in range(400)],
        "income": [20_000 + 37 * i for i in range(400)],
    }
)


def sentences(page: str) -> str:
    return html.unescape(page)


def test_a_notebook_has_every_sentence_of_the_terminal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "visits.csv"
    VISITS.to_csv(file, index=False)
    said = run_here(capsys, "inspect", file).out
    page = sentences(tacit.inspect(file)._repr_html_())
    told = [line for line in said.splitlines() if line.endswith((".", ":")) and not line.startswith(("  ", "visits"))]
    assert len(told) == 3
    assert all(sentence in page for sentence in told)
    assert "A person may have several rows, and 'patient_id' tells people apart: " in page
    assert "of 200 people" in page
    assert " unique on the 2 quasi-identifiers together; on fewer columns:" in page
    assert "200 of 200 people (100 %) are unique on income alone, published as it is: anyone who knows this" in page


def test_a_notebook_says_that_no_column_looks_sensitive() -> None:
    page = sentences(tacit.inspect(VISITS[["age", "sex"]])._repr_html_())
    assert "No column looks sensitive, so the draft promises nothing about secrets." in page


def test_a_measured_risk_warns_of_exact_values_in_a_notebook_and_where_it_is_printed() -> None:
    warning = "is published: anyone who knows this value of a person finds the record"
    risk = tacit.measure(tacit.inspect(VISITS))
    assert warning in sentences(risk._repr_html_())
    assert warning in repr(risk)
    assert warning not in repr(tacit.measure(tacit.inspect(VISITS[["age", "sex"]])))
