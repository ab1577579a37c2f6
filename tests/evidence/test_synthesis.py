"""The columns of a synthetic table as its page shows them.

Covers evidence/synthesis.
"""

import pytest
from tests.evidence.answers.test_page import release as answers

from tacit.evidence.page import render_page
from tacit.evidence.synthesis import shown, synthesis_lines, synthesis_page
from tacit.release.answers import Amount
from tacit.release.release import Release
from tacit.release.synthesis import SynthesisBody, SyntheticColumn

COLUMN = SyntheticColumn(
    name="town", cells=("a", "b", "missing"), measured=(6.0, 3.0, 0.0), written=(6, 3, 0), strays=0
)


LOST = "Whatever three columns have to do with each other is lost."


@pytest.mark.parametrize("loses", [LOST, ""])
def test_what_the_method_loses_is_said_first(loses: str) -> None:
    two = Amount(epsilon=2)
    body = SynthesisBody(rows=9, columns=(COLUMN,), budget=two, before=two, spent=two, left=two, loses=loses)
    given = answers()
    envelope = {name: getattr(given, name) for name in type(given).model_fields}
    release = Release[SynthesisBody].model_validate({**envelope, "kind": "synthesis", "body": body})
    page = render_page(release, synthesis_page(release))
    assert (LOST in page[: page.index("key-figures")]) == bool(loses)
    assert (LOST in " ".join(synthesis_lines(release))) == bool(loses)
    assert "These rows are invented." in page[: page.index("key-figures")]
    assert synthesis_lines(release)[0] == "invented rows   9 of 1 column; no row is about a real person"


def test_cells_without_rows_are_named_and_bars_are_beside_the_largest() -> None:
    column = shown(COLUMN)
    assert column.more == "No invented row is in the cell 'missing'."
    assert 'width="100%"' in column.cells[0].picture
    assert "50" in column.cells[1].picture
    many = SyntheticColumn(name="n", cells=tuple("abcdefgh"), measured=(0.0,) * 8, written=(0,) * 8, strays=0)
    assert shown(many).more == "8 more cells are only in the evidence."


def test_cells_that_are_not_shown_are_empty_or_have_no_more_rows() -> None:
    written = (*range(12, 0, -1), 1, 0, 0)
    names = tuple(f"c{place}" for place in range(15))
    column = SyntheticColumn(name="n", cells=names, measured=tuple(map(float, written)), written=written, strays=0)
    assert shown(column).more == (
        "No invented row is in the cells 'c13' and 'c14'. The cell 'c12' has no more rows than any that is shown."
    )


@pytest.mark.parametrize(
    ("share", "says"),
    [
        (0.0, "No invented row would need another value"),
        (0.07 / 5002, "Fewer than one invented row would need another value"),
        (12 / 5002, "About 12 of the invented rows (0.24 %) would need another value"),
    ],
)
def test_rows_that_would_need_another_cell_are_counted(share: float, says: str) -> None:
    column = SyntheticColumn(name="n", cells=("a", "b"), measured=(5000.0, 2.0), written=(5000, 2), strays=share)
    assert shown(column).strays == f"{says} for the column to match its measured counts."
