"""`tacit methods statistics/…` says how a plan writes the question, and what it says can be asked.

Covers cli/methods, verbs/listing.
"""

import pytest
import yaml
from tests.cli.commands import run_here

from tacit.cards.takes import Declared
from tacit.catalogue import methods
from tacit.runs.answers.protection import Protection
from tacit.runs.answers.question import Asker
from tacit.verbs.listing import entries

STATISTICS = [name for name in methods() if name.startswith("statistics/")]


@pytest.mark.parametrize("name", STATISTICS)
def test_the_example_of_a_statistic_is_a_question(name: str) -> None:
    (question,) = yaml.safe_load(entries()[name]["asks"]["example"])
    own = vars(methods()[name].example)
    bounds = tuple(own[end] if isinstance(own.get(end), float) else at for at, end in enumerate(("lower", "upper")))
    declared = {f"COLUMN_{place}": Declared(f"COLUMN_{place}", bounds, ("true", "false")) for place in (1, 2)}
    asker = Asker(declared, Protection("who", "add-remove", 1, None))
    assert asker.question(name, question[name]).name == name


def test_parameters_that_a_plan_fills_in_are_not_described(capsys: pytest.CaptureFixture[str]) -> None:
    told = run_here(capsys, "methods", "statistics/mean").out
    assert "- statistics/mean: {of: COLUMN_1, epsilon: 0.5}" in told
    assert "  grid: " in told
    for filled in ("lower", "upper", "neighbours", "contributions"):
        assert f"  {filled}: " not in told
