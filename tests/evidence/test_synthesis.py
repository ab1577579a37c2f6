"""The columns of a synthetic table as its page shows them.

Covers evidence/synthesis.
"""

import pytest
from tests.evidence.answers.test_page import release as answers

from tacit.evidence.page import render_page
from tacit.evidence.synthesis import LOST, shown, synthesis_lines, synthesis_page
from tacit.release.answers import Amount
from tacit.release.release import Release
from tacit.release.synthesis import SynthesisBody, SyntheticColumn

COLUMN = SyntheticColumn(
    name="town", cells=("a", "b", "missing"), measured=(6.0, 3.0, 0.0), written=(6, 3, 0), strays=0
)


@pytest.mark.parametrize(("method", "lost"), [("synthesize/independent", True), ("synthesize/of-a-plug-in", False)])
def test_what_the_method_loses_is_said_first(method: str, lost: bool) -> None:
    two = Amount(epsilon=2)
    body = SynthesisBody(rows=9, columns=(COLUMN,), budget=two, before=two, spent=two, left=two)
    given = answers()
    envelope = {name: getattr(given, name) for name in type(given).model_fields}
    recipe = given.recipe.model_copy(update={"method": method})
    release = Release[SynthesisBody].model_validate({**envelope, "kind": "synthesis", "recipe": recipe, "body": body})
    page = render_page(release, synthesis_page(release))
    assert (LOST in page[: page.index("key-figures")]) == lost
    assert (LOST in " ".join(synthesis_lines(release))) == lost


def test_cells_without_rows_are_named_and_bars_are_beside_the_largest() -> None:
    column = shown(COLUMN)
    assert column.more == "missing stands in no invented row, or in few."
    assert 'width="100%"' in column.cells[0].picture
    assert "50" in column.cells[1].picture
    many = SyntheticColumn(name="n", cells=tuple("abcdefgh"), measured=(0.0,) * 8, written=(0,) * 8, strays=0)
    assert shown(many).more == "8 more cells stand in the evidence only."
